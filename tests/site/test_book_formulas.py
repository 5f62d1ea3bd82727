"""Formulas are set by the build: what KaTeX cannot read is named, and what it has set is not set again."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from docutils.utils import new_document
from kernbook import formulas
from kernbook.formulas import Katex, align_lines, keep_together, without_numbers


def apart(function, *arguments, **options):
    """Call in a thread: mini-racer refuses to wait where an event loop runs, as Playwright's does here."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(function, *arguments, **options).result(60)


@pytest.fixture
def katex(tmp_path):
    return Katex(tmp_path / "katex.json")


def test_a_formula_is_drawn_and_spoken(katex):
    markup, fault = apart(katex.set, r"\frac{1}{c}", display=True)
    html = BeautifulSoup(markup, "html.parser")
    assert fault == ""
    assert html.select_one("math mfrac") and html.select_one(".katex-html[aria-hidden=true] .mfrac")
    assert html.select_one("annotation[encoding='application/x-tex']").text == r"\frac{1}{c}"


def test_a_formula_that_cannot_be_read_is_a_sentence(katex):
    assert apart(katex.set, r"\frac{1}{") == ("", "Unexpected end of input in a macro argument, expected '}'")
    assert apart(katex.set, r"\nosuch x") == ("", r"Undefined control sequence: \nosuch")


def test_a_formula_that_takes_forever_does_not_hold_up_the_build(tmp_path, monkeypatch):
    monkeypatch.setattr(formulas, "LIMIT", 0.2)
    hangs = tmp_path / "katex.js"
    hangs.write_text("var katex = {renderToString(tex) { while (tex == 'x') {} return tex; }};")
    katex = Katex(tmp_path / "katex.json", hangs)
    assert apart(katex.set, "x") == ("", "it was not set within 0.2 seconds")
    monkeypatch.setattr(formulas, "LIMIT", 60)  # as a slow computer may need more than 0.2 seconds
    assert apart(katex.set, "y") == ("y", "")  # and the next one is set


def test_what_was_set_is_kept_until_katex_changes(tmp_path, katex):
    apart(katex.set, "x")
    apart(katex.set, "x", display=True)
    apart(katex.set, r"\nosuch")
    katex.save()
    again = Katex(katex.path)
    for display in (False, True):
        assert apart(again.set, "x", display) == apart(katex.set, "x", display)
    assert again.context is None
    assert len(json.loads(katex.path.read_text(encoding="utf-8"))["formulas"]) == 2
    other = tmp_path / "other.js"
    other.write_text("var katex = {renderToString: (tex) => 'other ' + tex};")
    assert apart(Katex(katex.path, other).set, "x") == ("other x", "")


def test_lines_are_aligned_and_parts_are_below_each_other():
    assert align_lines("a = b") == "a = b"
    assert align_lines(r"a &= b \\ &= c") == r"\begin{split}a &= b \\ &= c\end{split}"
    assert align_lines("a\n\nb") == r"\begin{gathered}a\\b\end{gathered}"


def test_katex_does_not_count_lines():
    assert without_numbers("\\begin{align}\nx\n\\end{align}") == "\\begin{align*}\nx\n\\end{align*}"
    assert without_numbers(r"\begin{align*}x\end{align*}") == r"\begin{align*}x\end{align*}"


def test_marks_stay_with_their_formula_and_no_other_text_that_reads_alike_changes():
    kinds = {"c": nodes.literal, "x": nodes.math, "y": nodes.math}
    texts = zip(("as ", ", ", ", ", " of (", ", ", ") or "), "cxcxyx", strict=True)
    parts = [node for text, letter in texts for node in (nodes.Text(text), kinds[letter]("", letter))]
    page = new_document("page")
    page += nodes.paragraph("", "", *parts)
    before = page.astext()
    keep_together(None, page, "page")
    assert page.astext() == before
    assert [kept.astext() for kept in page.findall(nodes.inline)] == ["x,", "(x,", "y)"]


def test_a_book_shows_numbers_links_and_titles_with_formulas(small_page, small_book):
    page = small_page("intro")
    block = page.select_one("article div.math#equation-small-equation")
    assert block.select_one(".formula .katex-display") and block.select_one(".eqno").text.startswith("(1)")
    assert page.select_one("article p a[href='#equation-small-equation']").text == "(1)"
    kept = page.select_one("article p .kept")  # a comma starts no line
    assert kept.select_one(".math .katex") and kept.find(string=True, recursive=False) == ","
    assert kept.next_sibling.startswith(" and")
    assert page.select_one("article h2 .katex") and page.select_one(".bd-toc .katex")
    assert len(page.select("article .katex-display")) == 2
    style = (small_book / "html/_static/style.css").read_text(encoding="utf-8")
    assert ".katex-display" in style and "url(katex/fonts/KaTeX_Main-Regular.woff2)" in style
