"""What the book adds to a page's text: folded checks and proofs, quizzes, times, the page's own entry."""

import re

import nbformat
import pytest
from bs4 import BeautifulSoup

PAGE = """
```{reading-time}
```

## A statement

```{prf:theorem} Squares
:label: squares
They are not negative.
```

```{prf:proof}
A product of two equal signs, $x^2$.
```

## Quiz

```{quiz}
Is $x^2$ *negative*?

- [ ] Yes, at $x = -1$. — There it is $1$.
- [x] Never. — By {prf:ref}`squares`.
```

## Exercises

Words that nobody counts.
"""
CLAIM = """from kernlib.claims import claim
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


@pytest.fixture
def small_page(small_book, build):
    """Build a page with each of the elements; give it as soup."""
    folder = small_book()
    notebook = nbformat.read(folder / "chapters" / "one.ipynb", 4)
    notebook.cells += [nbformat.v4.new_markdown_cell(PAGE), nbformat.v4.new_code_cell(CLAIM)]
    nbformat.write(notebook, folder / "chapters" / "one.ipynb")
    outcome = build(folder)
    assert outcome.returncode == 0, outcome.stdout
    return BeautifulSoup(
        (folder / "_build/html/chapters/one.html").read_text(encoding="utf-8"), "html.parser"
    )


def test_a_page_folds_its_check_and_its_proof_asks_and_counts(small_page):
    page = small_page
    check = page.select_one(".cell.claim")
    assert check.select_one("details summary").get_text(" ", strip=True).startswith("Check: a square is not")
    assert check.select_one(".cell_output").text.strip() == "✓ holds in 2 cases: two numbers"
    assert not check.select_one(".cell_output").find_parent("details")

    proof = page.select_one("details.folded-proof")
    assert proof.summary.text == "Proof" and proof.select_one(".proof").text.strip().startswith("A product")

    quiz = page.select_one(".quiz")
    assert quiz.p.get_text().startswith("Question 1. Is ")
    verdicts = [
        (o["class"][-1], o.select_one("p").text[:4].strip(), o["name"]) for o in quiz.select("details")
    ]
    assert verdicts == [("wrong", "No.", "quiz-1"), ("right", "Yes.", "quiz-1")]
    assert quiz.select_one("details.right a")["href"].endswith("#squares")
    assert page.select_one(".quiz-score")["data-quiz-page"] == "chapters/one"

    (time,) = (p.text for p in page.select("p") if p.text.startswith("Time"))
    assert re.fullmatch(r"Time: 1 minute to read\. Its cells took \d+ s when this page was built\.", time)
    assert "@incollection{kernels-one," in page.select_one("footer.about-page pre").text


@pytest.mark.parametrize("sentence", BROKEN)
def test_a_quiz_that_is_none_stops_the_build_with_a_sentence(sentence, small_book, build):
    outcome = build(small_book(intro="# A small book\n\n```{quiz}\n" + BROKEN[sentence] + "\n```"))
    assert outcome.returncode and sentence in outcome.stdout
