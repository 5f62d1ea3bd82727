"""What the built pages show of their explorers before the reader has answered, and on arriving at one."""

import time

import pytest
from hands import skip_questions

VISIBLE = """explorers => explorers.map((explorer) => {
  explorer.begin();
  const isVisible = (part) => part.checkVisibility({ visibilityProperty: true });
  const parts = ".stage > svg > svg > g:not(:empty), canvas, td, output, button";
  const drawings = [...explorer.querySelectorAll(".drawing")];
  drawings.sort((a, b) => a.dataset.panel - b.dataset.panel);
  return {
    name: explorer.dataset.name,
    shows: explorer.spec.predict?.shows,
    titles: explorer.spec.panels.map(({ title }) => title),
    seen: drawings.map((drawing) => [...drawing.querySelectorAll(parts)].filter(isVisible).length),
    spoken: [...explorer.querySelectorAll(".stage > svg")].map((picture) => picture.ariaLabel),
  };
})"""


def shown_too_early(was, now):
    """Say which panels of an explorer show more than its question needs, or nothing once it is answered."""
    for title, before, after in zip(was["titles"], was["seen"], now["seen"], strict=True):
        needed = [label for panel, label in was["shows"] or [] if panel == title]
        whole = None in needed or was["shows"] is None
        if before != (after if whole else len(needed)) or not after:
            yield f"{was['name']}: {title!r} shows {before} parts, then {after}; needed: {needed}"
    described = [words for words in was["spoken"] if words in now["spoken"] and words not in was["titles"]]
    if was["shows"] is not None and len(described) > len(was["shows"]):
        yield f"{was['name']}: it says {described}"


def test_until_the_question_is_answered_each_explorer_shows_only_what_it_needs(new_context, book):
    page, seen, faults = new_context().new_page(), 0, []
    for path in sorted(book.glob("chapters/*.html")):
        if "<kernlib-explorer" not in path.read_text(encoding="utf-8"):
            continue
        page.goto(path.as_uri())
        explorers = page.locator("kernlib-explorer")
        before = explorers.evaluate_all(VISIBLE)
        skip_questions(page)
        after = explorers.evaluate_all(VISIBLE)
        seen += len(before)
        faults += [
            fault for was, now in zip(before, after, strict=True) for fault in shown_too_early(was, now)
        ]
    assert seen >= 30 and not faults, "\n".join(faults)


@pytest.mark.parametrize("chapter", ["03_duality", "05_bounds", "08_components"])
def test_on_a_phone_a_link_to_the_first_explorer_moves_nothing_that_was_seen(
    chapter, new_context, book, limit
):
    page = new_context("narrow").new_page()

    def come_late(route):
        time.sleep(0.4)
        route.continue_()

    page.route(lambda address: "page.js" in address, come_late)  # so the page could be painted before
    page.goto(f"{(book / 'chapters' / chapter).as_uri()}.html#first-explorer")
    page.wait_for_timeout(1500)
    assert page.locator(".bd-article").evaluate("article => getComputedStyle(article).opacity") == "1"
    assert abs(page.locator("#first-explorer").bounding_box()["y"]) < 150
    assert [page.evaluate("probe.seen.shifted")] <= limit("layout shift of a page")


def test_on_a_phone_one_empty_picture_stands_for_all_until_the_question_is_answered(open_page):
    page = open_page("chapters/10_features.html", "narrow", "#first-explorer")
    explorer = page.locator("#first-explorer")
    pictures = explorer.locator(".panel .stage > svg > .axes:visible")
    assert pictures.count() == 1
    explorer.get_by_role("button", name="Skip").click()
    assert pictures.count() == 4
