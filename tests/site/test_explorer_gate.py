"""What a phone shows of an explorer on arriving at it, and before the reader has answered."""

import time

import pytest


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
