"""Links to explorers' states: the role `state`, from the text in a chapter to the address."""

import pytest
from bs4 import BeautifulSoup
from kernbook.explorers import find_state

EXPLORERS = {
    "chapters/one": {"ridge": {"lam": [1e-6, 0.03162, 3.0], "kernel": ["Gaussian", "Laplace, L1"]}},
    "chapters/two": {"ridge": {"lam": [1, 2]}, "coins": {"n": [1000, 20000]}},
    "intro": {"coins": {"n": [1000]}},
}


@pytest.mark.parametrize(
    ("docname", "name", "settings", "expected"),
    [
        ("intro", "ridge", "lam=3", ("chapters/one", "ridge:lam=3.0")),
        ("chapters/two", "ridge", "lam=2", ("chapters/two", "ridge:lam=2")),
        ("chapters/one", "coins", "n=20,000", ("chapters/two", "coins:n=20000")),
        ("intro", "coins", "n=1000", ("intro", "coins:n=1000")),
        ("chapters/one", "ridge", "lam=0.000001", ("chapters/one", "ridge:lam=1e-06")),
        ("chapters/one", "ridge", "lam=0.031622", ("chapters/one", "ridge:lam=0.03162")),
        (
            "chapters/one",
            "ridge",
            "lam=3&kernel=Laplace, L1",
            ("chapters/one", "ridge:lam=3.0,kernel=Laplace%2C%20L1"),
        ),
    ],
)
def test_a_state_is_found_on_its_own_page_or_the_first_that_has_it(docname, name, settings, expected):
    assert find_state(EXPLORERS, docname, name, settings) == expected


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("rigde", "lam=3", "no page has an explorer called 'rigde', only coins, ridge."),
        ("ridge", "lambda=3", "the explorer 'ridge' has no control 'lambda', only lam, kernel."),
        ("ridge", "lam", "the explorer 'ridge' has no control 'lam', only lam, kernel."),
        ("ridge", "lam=2.9", "lam of the explorer 'ridge' is never '2.9', only 1·10⁻⁶, 0.03162, 3."),
        ("ridge", "lam=x", "lam of the explorer 'ridge' is never 'x', only 1·10⁻⁶, 0.03162, 3."),
        (
            "ridge",
            "kernel=Gauss",
            "kernel of the explorer 'ridge' is never 'Gauss', only Gaussian, Laplace, L1.",
        ),
    ],
)
def test_what_no_page_has_is_said_in_a_sentence(name, settings, words):
    with pytest.raises(LookupError) as error:
        find_state(EXPLORERS, "chapters/one", name, settings)
    assert error.value.args[0] == words


EXPLORER = """
from kernlib.book.explore import explore

explore(lambda c: c, c=[1, 3, 10], name="small")
"""
INTRO = """# A small book

Move {state}`c to $10$ <small?c=10>`, not to {state}`four <small?c=4>`, and not {state}`nowhere`.
"""


def test_the_role_links_to_the_state_and_warns_of_one_that_is_not_there(small_book, build):
    folder = small_book(EXPLORER, intro=INTRO)
    outcome = build(folder)
    assert outcome.returncode
    printed = outcome.stdout
    assert "intro.md:3: WARNING: c of the explorer 'small' is never '4', only 1, 3, 10." in printed
    assert (
        "WARNING: a state is written text <explorer?control=value&control=value>, got 'nowhere'." in printed
    )
    assert "2 warnings, above" in printed
    page = BeautifulSoup((folder / "_build/html/intro.html").read_text(encoding="utf-8"), "html.parser")
    links = [(link["href"], link.get_text()) for link in page.select("a.explorer-state")]
    assert [href for href, _ in links] == ["chapters/one.html#small:c=10"]
    assert links[0][1].startswith("c to ")
    assert "not to four, and not nowhere." in page.get_text()
