"""What the book adds to a page's text: folded checks and proofs, quizzes, times, explorers, a citation."""

import json
import re
from urllib.parse import urlsplit

import pytest
from kernbook.links import find_state


def test_the_checks_of_a_section_are_one_line_that_opens_to_statements_and_sources(small_page):
    checks = small_page("chapters/one").select_one("details.claims")
    assert checks.summary.text == "3 statements checked ✓"
    assert checks.parent.name == "section" and checks.find_next_sibling() in (None, *checks.parent("section"))
    check = checks.select_one(".cell.claim")
    assert check.select_one("summary").get_text(" ", strip=True).startswith("Check: a square is not")
    assert check.select_one(".cell_output").text.strip() == "✓ holds in 2 cases: two numbers"
    assert check.select_one(".cell_output").find_parent("details") is checks
    both = check.find_next_sibling()
    assert both.select_one("summary").text.strip() == "Check: 2 statements"
    assert both.select_one(".cell_output").text.strip().split("\n") == [
        "first",
        "✓ x is even: holds",
        "✓ x is small: holds: x = 2",
    ]


def test_folded_code_is_below_the_figure_in_one_fold_with_the_code_before_it(small_page):
    page = small_page("chapters/one")
    picture, code = page.select_one("figure img"), page.select_one(".cell:has(figure) > details")
    assert code in picture.find_all_next("details") and code.summary.text == "Code"
    assert [source.text.split()[0] for source in code.select("pre")] == ["ENDS", "import"]
    assert page.text.count("ENDS = ") == 1


def test_a_proof_is_folded_and_says_what_it_proves(small_page):
    proofs = small_page("chapters/one").select("details.folded-proof")
    assert [proof.summary.text for proof in proofs] == ["Proof of Lemma 2", "Proof of Theorem 1"]
    assert proofs[1].select_one(".proof").text.strip().startswith("A product")


def test_a_quiz_needs_no_script(small_page):
    quiz = small_page("chapters/one").select_one(".quiz")
    assert quiz.p.get_text().startswith("Question 1. Is ")
    options = [(o["class"][-1], o.p.text.split()[0], o["name"]) for o in quiz.select("details")]
    assert options == [("wrong", "No.", "quiz-1"), ("right", "Yes.", "quiz-1")]
    assert quiz.select_one("details.right a")["href"].endswith("#squares")


def test_a_page_says_how_long_it_takes_and_how_to_cite_it(small_page):
    page = small_page("chapters/one")
    (time,) = (p.text for p in page.select("p") if p.text.startswith("Time"))
    assert time == "Time: 3 minutes to read, 4 minutes with all that is folded, one exercise."
    assert "@incollection{kernels-one," in page.select_one("footer.about-page pre").text


def test_an_explorer_is_on_its_page_and_copied_to_another(small_page, small_book):
    own, other = (small_page(page).find("kernlib-explorer") for page in ("chapters/two", "intro"))
    assert own["id"] == other["id"] == "first-explorer" and own["data-name"] == other["data-name"] == "small"
    assert own.select_one("figure.plain").text == other.select_one("figure.plain").text
    data = json.loads(own.find("script").text)
    assert data["spec"]["controls"][0]["values"] == [1, 3, 10] and "frames" in data and "pool" in data


def test_a_link_leads_to_a_state_and_a_projector_shows_it_large(small_page):
    links = small_page("intro").select("a.explorer-state")
    page, state = "chapters/two.html", "#small:c=10"
    assert [link["href"] for link in links] == [f"{page}{state}", f"{page}?full{state}"]
    assert links[0].get_text().startswith("c to ")


def test_the_templates_of_a_chapter_and_of_an_explorer_make_a_page(small_page):
    page = small_page("chapters/half")
    assert page.find("kernlib-explorer", attrs={"data-name": "half-way"})
    assert re.match(r"Theorem \d", page.select_one(".theorem .admonition-title").text)
    assert "dropdown" in page.select_one(".admonition.solution")["class"]
    assert "✓" in page.select_one(".cell.claim .cell_output").text


@pytest.fixture
def opened(small_book, open_window):
    """Open the page as in a new profile."""
    return open_window((small_book / "html" / "chapters" / "one.html").as_uri())


def test_one_switch_opens_all_proofs_and_is_remembered(opened):
    button, proof = opened.locator("button.open-proofs"), opened.locator("details.folded-proof").last
    assert proof.get_attribute("open") is None and button.inner_text() == "Open all proofs"
    button.click()
    assert proof.get_attribute("open") is not None and button.inner_text() == "Close all proofs"
    opened.reload()
    assert proof.get_attribute("open") is not None and button.inner_text() == "Close all proofs"
    button.click()
    assert proof.get_attribute("open") is None and button.inner_text() == "Open all proofs"
    opened.reload()
    assert proof.get_attribute("open") is None and button.inner_text() == "Open all proofs"


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


def test_print_leaves_out_closed_folds_of_code_and_of_checks(opened):
    checks = opened.locator("details.claims").last
    opened.emulate_media(media="print")
    assert not checks.is_visible()
    checks.evaluate("fold => fold.open = true")
    assert checks.locator(".cell.claim").first.is_visible()


def test_the_option_that_was_tried_first_counts_and_is_remembered(opened):
    score = opened.locator(".quiz-score")
    assert score.inner_text() == ""
    opened.get_by_text("Yes, at").click()
    opened.get_by_text("Never.").click()
    score.filter(has_text="0 of 1 right at the first try.").wait_for()
    assert opened.locator(".quiz details[open]").count() == 1  # one explanation at a time
    opened.reload()
    score.filter(has_text="0 of 1 right at the first try.").wait_for()


def test_a_link_to_a_theorem_shows_it_on_this_page_and_on_another(opened, small_book):
    opened.get_by_text("Never.").click()
    opened.locator(".quiz a").focus()
    opened.keyboard.press("Shift+Tab")
    opened.keyboard.press("Tab")  # as a keyboard comes to it
    opened.locator(".preview").get_by_text("negative").first.wait_for()
    opened.keyboard.press("Escape")
    assert opened.locator(".preview").count() == 0

    opened.goto((small_book / "html" / "intro.html").as_uri())
    opened.locator("article a[href*='#squares']").hover()
    theorem = opened.frame_locator(".preview iframe").get_by_text("whatever")
    theorem.wait_for()
    opened.mouse.move(1, 1)
    opened.locator(".preview").wait_for(state="detached")


def test_an_anchor_that_moved_is_found_on_the_second_page(book, open_page):
    places = {}
    for path in sorted((book / "chapters").glob("*.html")):
        for text in re.findall('id="moved">(.*?)</script>', path.read_text(encoding="utf-8")):
            places[path.name] = json.loads(text)
    targets = {target for moved in places.values() for target in moved.values()}
    assert all((book / "chapters" / target).is_file() for target in targets)
    moved = places["03_duality.html"]
    assert moved["ridge-cost:"] == "03_ridge.html"
    for fragment, target in (next(iter(moved.items())), ("ridge-cost:n=10000,p=1024", "03_ridge.html")):
        opened = open_page("chapters/03_duality.html", fragment=f"#{fragment}")
        opened.wait_for_url(f"**/{target}#{fragment}")
        assert urlsplit(opened.url).fragment == fragment


STATES = {
    "chapters/one": {"ridge": {"lam": [1e-6, 0.03162, 3.0], "kernel": ["Gaussian", "Laplace, L1"]}},
    "chapters/two": {
        "ridge": {"lam": [1, 2]},
        "coins": {"n": [1000, 20000], "preset": {"too few": "n=1000,at=0_-0.3~1_2"}},
    },
    "intro": {"coins": {"n": [1000]}},
}
LAPLACE = "chapters/one#ridge:lam=3.0,kernel=Laplace%2C%20L1"


@pytest.mark.parametrize(
    ("docname", "state", "address"),
    [
        ("intro", "ridge?lam=3", "chapters/one#ridge:lam=3.0"),
        ("chapters/one", "coins?n=20,000", "chapters/two#coins:n=20000"),
        ("chapters/two", "coins?preset=too few", "chapters/two#coins:n=1000,at=0_-0.3~1_2"),
        ("intro", "ridge?", "chapters/one#ridge:"),
        ("chapters/one", "ridge?lam=0.031622", "chapters/one#ridge:lam=0.03162"),
        ("chapters/one", "ridge?lam=3&kernel=Laplace, L1", LAPLACE),
    ],
)
def test_a_state_is_found_on_its_own_page_or_the_first_that_has_it(docname, state, address):
    assert "#".join(find_state(STATES, docname, *state.split("?"))) == address


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("rigde?lam=3", "no page has an explorer called 'rigde', only coins, ridge."),
        ("ridge?lambda=3", "the explorer 'ridge' has no control 'lambda', only lam, kernel."),
        ("ridge?lam=x", "lam of the explorer 'ridge' is never 'x', only 10⁻⁶, 0.03162, 3."),
        ("ridge?kernel=G", "kernel of the explorer 'ridge' is never 'G', only Gaussian, Laplace, L1."),
    ],
)
def test_a_state_that_no_page_has_is_named_in_a_sentence(state, sentence):
    with pytest.raises(LookupError) as error:
        find_state(STATES, "chapters/one", *state.split("?"))
    assert error.value.args[0] == sentence
