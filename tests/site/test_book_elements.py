"""What the book adds to a page's text: folded checks and proofs, quizzes, times, the page's own entry."""

import json
import re

import nbformat
import pytest
from bs4 import BeautifulSoup, SoupStrainer

PAGE = r"""
```{reading-time}
```

## A statement

```{prf:theorem} Squares
:label: squares
They are not negative.
```

```{prf:lemma} Signs
:label: signs
Equal signs give plus.
```

```{prf:proof}
Look at them.
```

With it:

```{prf:proof}
A product of two equal signs, $x^2$, in every $\mathcal{X}$.
```

```{admonition} A solution
:class: dropdown
Four.
```

## Quiz

```{quiz}
Is $x^2$ *negative*?

- [ ] Yes, at $x = -1$. — There it is $1$.
- [x] Never. — By {prf:ref}`squares`.
```

## Exercises

Words that nobody counts.

| a | b | c | d | e | f | g | h |
|---|---|---|---|---|---|---|---|
| 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
"""
CLAIM = """from kernlib.book.claims import claim
x = 2
with claim("a square is not negative", over="two numbers") as holds:
    for sign in (-1, 1):
        holds((sign * x) ** 2 >= 0)
"""
BROKEN = {
    "has exactly one right option": "Q?\n\n- [ ] A. — B.\n- [ ] C. — D.",
    "lacks its mark or its explanation": "Q?\n\n- [x] A. — B.\n- [ ] C.",
    "is a question and a list of options": "- [x] A. — B.",
}


@pytest.fixture(scope="module")
def small_page(write_small_book, tmp_path_factory, build):
    """Build a page with each of the elements; give its path."""
    intro = "# A small book\n\nSee {prf:ref}`squares`."
    folder = write_small_book(tmp_path_factory.mktemp("book"), intro=intro)
    path = folder / "chapters" / "one.ipynb"
    notebook = nbformat.read(path, 4)
    notebook.cells += [nbformat.v4.new_markdown_cell(PAGE), nbformat.v4.new_code_cell(CLAIM)]
    nbformat.write(notebook, path)
    outcome = build(folder)
    assert outcome.returncode == 0, outcome.stdout
    return folder / "_build" / "html" / "chapters" / "one.html"


def test_a_page_folds_its_check_and_its_proof_asks_and_counts(small_page):
    html = BeautifulSoup(small_page.read_text(encoding="utf-8"), "html.parser")
    check = html.select_one(".cell.claim")
    assert check.select_one("summary").get_text(" ", strip=True).startswith("Check: a square is not")
    assert check.select_one(".cell_output").text.strip() == "✓ holds in 2 cases: two numbers"
    assert not check.select_one(".cell_output").find_parent("details")

    proofs = html.select("details.folded-proof")
    assert [proof.summary.text for proof in proofs] == ["Proof of Lemma 1", "Proof of Theorem 1"]
    assert proofs[1].select_one(".proof").text.strip().startswith("A product")

    quiz = html.select_one(".quiz")
    assert quiz.p.get_text().startswith("Question 1. Is ")
    options = [(o["class"][-1], o.p.text.split()[0], o["name"]) for o in quiz.select("details")]
    assert options == [("wrong", "No.", "quiz-1"), ("right", "Yes.", "quiz-1")]
    assert quiz.select_one("details.right a")["href"].endswith("#squares")

    (time,) = (p.text for p in html.select("p") if p.text.startswith("Time"))
    assert re.fullmatch(r"Time: 1 minute to read\. Its cells took \d+ s when this page was built\.", time)
    assert "@incollection{kernels-one," in html.select_one("footer.about-page pre").text


@pytest.fixture
def opened(small_page, browser):
    """Open the page in a profile of its own."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(small_page.as_uri())
    yield page
    context.close()


def test_one_switch_opens_all_proofs_and_is_remembered(opened):
    button, proof = opened.locator("button.open-proofs"), opened.locator("details.folded-proof").last
    assert proof.get_attribute("open") is None
    button.click()
    assert proof.get_attribute("open") is not None
    opened.reload()
    assert proof.get_attribute("open") is not None and button.get_attribute("aria-pressed") == "true"
    button.click()
    opened.reload()
    assert proof.get_attribute("open") is None


def test_print_opens_proofs_and_closes_them_again(opened):
    proof = opened.locator("details.folded-proof").last
    opened.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert proof.get_attribute("open") is not None and opened.get_by_text("Four.").is_hidden()
    opened.evaluate("dispatchEvent(new Event('afterprint'))")
    assert proof.get_attribute("open") is None


def test_the_letters_of_a_folded_proof_are_there_before_print_asks_for_them(opened):
    opened.wait_for_function("document.fonts.check('1em KaTeX_Caligraphic', 'X')")
    fonts = opened.evaluate(
        "[...document.fonts].filter((one) => one.status == 'loaded').map((one) => one.family)"
    )
    assert "KaTeX_Caligraphic" in fonts and "KaTeX_Size1" not in fonts  # and none that the page does without


def test_print_leaves_out_a_closed_fold_of_code_and_not_the_statement_of_a_check(opened):
    fold = opened.locator(".cell.claim details").last
    opened.emulate_media(media="print")
    assert fold.is_visible()
    fold.evaluate("fold => fold.closest('.cell').classList.remove('claim')")
    assert not fold.is_visible()


def test_a_table_of_many_columns_is_set_small(opened):
    small, table = opened.locator("table.wide"), "table => getComputedStyle(table).fontSize"
    assert small.locator("th").count() == 8 and small.evaluate(table) == "11.52px"


def test_the_option_that_was_tried_first_counts_and_is_remembered(opened):
    score = opened.locator(".quiz-score")
    assert score.inner_text() == ""
    opened.get_by_text("Yes, at").click()
    opened.get_by_text("Never.").click()
    score.filter(has_text="0 of 1 right at the first try.").wait_for()
    assert opened.locator(".quiz details[open]").count() == 1  # one explanation at a time
    opened.reload()
    score.filter(has_text="0 of 1 right at the first try.").wait_for()


def test_a_link_to_a_theorem_shows_it_on_this_page_and_on_another(opened, small_page):
    opened.get_by_text("Never.").click()
    opened.locator(".quiz a").focus()
    opened.keyboard.press("Shift+Tab")
    opened.keyboard.press("Tab")  # as a keyboard comes to it
    opened.locator(".preview").get_by_text("They are not negative.").wait_for()
    opened.keyboard.press("Escape")
    assert opened.locator(".preview").count() == 0

    opened.goto((small_page.parents[1] / "intro.html").as_uri())
    opened.locator("article a[href*='#squares']").hover()
    theorem = opened.frame_locator(".preview iframe").get_by_text("They are not negative.")
    theorem.wait_for()
    opened.mouse.move(1, 1)
    opened.locator(".preview").wait_for(state="detached")


def test_an_anchor_that_moved_is_found_on_the_second_page(book, open_page):
    places = {}
    for path in sorted((book / "chapters").glob("*.html")):
        text = path.read_text(encoding="utf-8")
        for script in BeautifulSoup(text, "html.parser", parse_only=SoupStrainer(id="moved")):
            places[path.name] = json.loads(script.text)
    assert all(
        (book / "chapters" / target).is_file() for moved in places.values() for target in moved.values()
    )
    assert places["03_duality.html"]["ridge-cost:"] == "03_ridge.html"
    for fragment in (next(iter(places["03_duality.html"])), "ridge-cost:n=10000,p=1024"):
        opened = open_page("chapters/03_duality.html", fragment=f"#{fragment}")
        opened.wait_for_url(f"**/03_ridge.html#{fragment}")


def test_a_quiz_that_is_none_stops_the_build_with_a_sentence(small_book, build):
    quizzes = "".join(f"\n```{{quiz}}\n{text}\n```\n" for text in BROKEN.values())
    outcome = build(small_book(intro=f"# A small book\n{quizzes}"))
    assert outcome.returncode and [sentence for sentence in BROKEN if sentence not in outcome.stdout] == []
