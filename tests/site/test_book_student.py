"""The students' edition says what the book says, in Markdown alone, and gives no solution away."""

import builtins
import os
import re
import shutil
import subprocess
import venv
from pathlib import Path

import nbformat
import pip
import pytest
from bs4 import BeautifulSoup
from course.questions import make_source
from kernbook.student import defined_and_used, with_dependents
from nbconvert.filters import markdown2html_mistune
from small_books import STUB

MARKUP = re.compile(r"\{[a-z:-]+\}`|^[>\s]*(```|:::)\{|^\([a-z-]+\)=|[\x00\x01]", re.MULTILINE)


def read(path):
    """A notebook's words, and its cells with code by id."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    words = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return words, {cell.id: cell for cell in notebook.cells if cell.cell_type == "code"}


@pytest.fixture(scope="module")
def small(small_book):
    """Read a page of the small book's edition."""
    return read(small_book / "student" / "one.ipynb")


def test_a_page_becomes_markdown_with_the_numbers_of_the_book(small):
    words, _ = small
    assert not MARKUP.search(words)
    for expected in (
        r"> **Theorem 1 (Squares of $x \lt y$).**",
        r"> They are **not** negative \[[Mercer, 1909]",
        "\n> $$x^2 \\ge 0. \\tag{3}$$\n",
        "<summary>Proof of Lemma 2</summary>\n\nBy (3), and by Theorem 1.\n\n- By [Two](https://someone.github.io/",
        "kernels/chapters/two.html), a page of its own, and A statement.",
        "| sign | $x_1$ |\n| --- | --- |\n| plus | a\\_b |",
        r"> In the margin: 2 \* 3 \* 4.",
        "<summary>Asked and <strong>answered</strong>, $x \\lt 1$</summary>\n\nIts *answer*.",
        "Check: a square is not negative.\n\nCheck: x is even.\n\nCheck: x is small.",
        "**Question 1.** Is $x^2$ *negative*?",
        "<summary>Yes, at <strong>one</strong> point, ($x = -1$).</summary>\n\n**No.** There it is $1$.",
        "**Yes.** By Theorem 1.",
        "> **Exercise 1 (Roots).**\n>\n> Find one.",
        "**Figure 1.** A *line* of slope $1$.",
        "## References\n\nJames Mercer.",
    ):
        assert expected in words, words


def test_what_follows_a_fold_starts_a_cell(small_book):
    notebook = nbformat.read(small_book / "student" / "one.ipynb", as_version=4)
    assert {"| sign | $x_1$ |", "**Question 1.** Is $x^2$ *negative*?"} <= {
        cell.source.partition("\n")[0] for cell in notebook.cells
    }


def test_solutions_go_and_with_them_what_needs_them(small):
    words, code = small
    assert "Solution" not in words and "Take two" not in words
    assert "A hint" in words and "The book has" not in words and "Minus two" not in words
    assert next(iter(code)) == "package" and set(code) - {"package"} >= {"stub-root", "figure"}
    assert code.keys().isdisjoint({"answer", "after", "solution"})
    assert code["stub-root"].source == STUB and code["stub-root"].metadata.tags == ["stub"]
    assert code["figure"].metadata.jupyter.source_hidden


def test_the_first_cell_installs_from_the_repository_or_from_where_the_environment_says(small):
    cell = next(iter(small[1].values()))
    assert cell.metadata.jupyter.source_hidden
    first = cell.source
    address = "https://github.com/someone/kernels/archive/refs/heads/main.zip"
    assert f'"kernlib[colab] @ {address}"' in first and "KERNLIB_SOURCE" in first


def test_without_a_network_the_first_cell_takes_the_wheel_beside_it_or_says_what_to_do(book, tmp_path):
    venv.create(tmp_path / "new")
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "pip").symlink_to(Path(pip.__file__).parent)  # a copy of its own takes seconds
    (tmp_path / "cell.py").write_text(
        next(iter(read(book / "student" / "03_ridge.ipynb")[1].values())).source
    )
    alone = os.environ | {"PIP_NO_INDEX": "1", "PYTHONPATH": str(tmp_path / "beside")}
    command = [next((tmp_path / "new").glob("[bS]*/python*")), "cell.py"]
    refused = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True)
    assert "put the file kernlib-0" in refused.stderr
    for wheel in (book / "student").glob("*.whl"):
        shutil.copy(wheel, tmp_path)
    refused = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True)
    assert (
        "needs packages that are missing (sklearn, matplotlib, anywidget): connect to the network"
        in refused.stderr
    )
    for name in ("sklearn", "matplotlib", "anywidget"):
        (tmp_path / f"{name}.py").touch()
    subprocess.run(command, cwd=tmp_path, env=alone, check=True, capture_output=True)
    (about,) = (tmp_path / "new").rglob("kernlib-*.dist-info/METADATA")
    about.write_text(re.sub("^Version: .*", "Version: 0.0.1", about.read_text("utf-8"), flags=re.M), "utf-8")
    warned = subprocess.run(command, cwd=tmp_path, env=alone, check=True, capture_output=True, text=True)
    assert "0.0.1 is installed" in warned.stdout and "restart the kernel" in warned.stdout


def test_the_book_offers_the_edition_for_download(small_book):
    downloaded = (small_book / "html" / "student" / "one.ipynb").read_bytes()
    assert downloaded == (small_book / "student" / "one.ipynb").read_bytes()


def test_names_are_followed_through_functions_and_comprehensions():
    assert defined_and_used("a = [b(i) for i in c]") == ({"a"}, {"b", "c"})
    assert defined_and_used("{i: {j for j in b} for i in c}") == (set(), {"b", "c"})
    assert defined_and_used("def f(x):\n    import d\n    return x + y + d.z") == ({"f"}, {"y"})
    sources = {0: "a = 1", 1: "def f():\n    return a", 2: "a = 2", 3: "print(a)", 4: "f()"}
    assert with_dependents({0}, sources) == {0, 1, 4}


@pytest.fixture(scope="module")
def edition(book):
    """Read each notebook of the edition of the built book."""
    return {path.stem: read(path) for path in sorted((book.parent / "student").glob("*.ipynb"))}


def test_no_notebook_of_the_edition_has_markup_of_the_book(edition, documents):
    assert edition.keys() >= {
        name[9:] for name in documents if re.match(r"chapters/\d\d_(?!.*solutions)", name)
    }
    assert {name: found[0] for name, (words, _) in edition.items() if (found := MARKUP.search(words))} == {}


def test_the_lab_of_the_edition_has_none_of_the_answers_that_are_graded(edition):
    words, _ = edition["07_lab"]
    folds = ("The book’s answer", "straight from the formula", "The same, faster and safer")
    assert [fold for fold in folds if fold in words] == []


def test_the_assignment_of_the_lab_has_a_comment_with_a_rubric_for_each_question(book):
    page = nbformat.read(book.parent / "student" / "07_lab.ipynb", as_version=4)
    cells = {cell.id: cell.source for cell in make_source(page, whole=True).cells}
    for number in range(1, 9):
        assert cells[f"written-{number}"].startswith("*Your comment: ")
        assert "<summary>How this comment is marked</summary>" in cells[f"question-{number}"]


def test_theorems_and_exercises_have_the_numbers_of_the_page(edition, book):
    names = "Theorem|Lemma|Proposition|Corollary|Definition|Algorithm|Remark|Exercise"
    in_notebook = re.compile(rf"^> \*\*((?:{names}) [\d.]*\d)", re.MULTILINE)
    on_page = re.compile(rf'class="caption-number">((?:{names}) [\d.]*\d)')
    for name, (words, _) in edition.items():
        page = (book / "chapters" / f"{name}.html").read_text(encoding="utf-8")
        assert in_notebook.findall(words) == on_page.findall(page), name


def test_each_name_that_a_cell_of_the_edition_needs_is_given_before(edition):
    lacking = {}
    for name, (_, code) in edition.items():
        given = set(dir(builtins))
        for place, there in list(code.items())[1:]:
            gives, takes = defined_and_used(there.source)
            if missing := takes - given:
                lacking[name, place] = missing
            given |= gives
    assert lacking == {}


def test_nbconvert_leaves_no_sign_of_markdown_and_no_tex_outside_formulas(edition):
    for name, (words, _) in edition.items():
        html = BeautifulSoup(markdown2html_mistune(words), "html.parser")
        for there in html.select("pre, code"):
            there.decompose()
        text = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|\bCheck: [^\n]*", "", html.text, flags=re.DOTALL)
        assert not re.search(r"\*\*|^#+ |```|\|\s*---|^> |\\[a-z]{2}|[_^]\{", text, re.MULTILINE), name
