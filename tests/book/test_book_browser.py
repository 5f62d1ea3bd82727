"""The built book in Chromium, from ``file://`` with the network off."""

from urllib.parse import urlsplit

import pytest

MORE_THAN_ALL_CONTROLS = 2000


def test_a_page_asks_no_other_host_and_logs_no_error(page, width, visit):
    assert visit(page, width).problems == []


def test_the_window_never_scrolls_sideways(page, width, theme, visit):
    seen = visit(page, width).seen[theme]
    assert seen["width"] <= seen["window"]


def test_nothing_is_cut_off(page, width, visit):
    assert visit(page, width).seen["light"]["cut"] == []


def test_text_stands_out_from_its_ground(page, width, theme, visit):
    """WCAG AA: a contrast of 4.5 at least."""
    assert visit(page, width).seen[theme]["faint"] == []


def test_one_search_is_on_screen(page, width, visit):
    """The field in the sidebar, the lens where the sidebar is folded, the search page's own field."""
    assert len(visit(page, width).seen["light"]["searches"]) == 1


def test_formulas_are_set(page, visit):
    seen = visit(page, "wide").seen["light"]
    assert seen["typeset"] == seen["formulas"]
    assert seen["formulaErrors"] == []
    assert seen["rawFormulas"] == 0


def test_figures_are_there_and_fit(page, width, visit):
    seen = visit(page, width).seen["light"]
    for image in seen["images"]:
        assert image["natural"] > 0, image
        assert 0 < image["shown"] <= seen["window"], image


def test_a_page_names_its_language(page, visit):
    assert visit(page, "wide").seen["light"]["language"] == "en"


def test_search_finds_from_a_file(open_page):
    opened = open_page("intro.html")
    opened.keyboard.press("Control+k")
    opened.keyboard.type("kernel")
    opened.keyboard.press("Enter")
    opened.wait_for_selector("#search-results li a")
    assert urlsplit(opened.url).path.endswith("search.html")
    assert opened.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_visit_follows_the_system(scheme, open_page):
    opened = open_page("intro.html", color_scheme=scheme)
    assert opened.evaluate("document.documentElement.dataset.theme") == scheme


def test_the_chosen_theme_is_remembered_on_other_pages(open_page):
    opened = open_page("intro.html", color_scheme="light")
    while opened.evaluate("document.documentElement.dataset.mode") != "dark":
        opened.locator("button.theme-switch-button").click()
    opened.locator(".bd-sidebar-primary a", has_text="References").click()
    assert opened.evaluate("document.documentElement.dataset.theme") == "dark"


def focused(opened):
    """Describe the element with the focus, and whether the reader can see that it has it."""
    return opened.evaluate(
        """() => {
          const element = document.activeElement;
          const order = [...document.querySelectorAll("*")].indexOf(element);
          // A fold of the sidebar rings the arrow inside it.
          const marked = [element, ...element.children].map((e) => getComputedStyle(e)).some(
            (style) => style.outlineStyle !== "none" || style.boxShadow !== "none");
          return { order, text: element.textContent.trim(), tag: element.tagName, marked };
        }"""
    )


def test_tab_starts_at_the_skip_link(open_page, width):
    opened = open_page("intro.html", width)
    opened.keyboard.press("Tab")
    assert focused(opened)["text"] == "Skip to main content"
    opened.keyboard.press("Enter")
    assert opened.url.endswith("#main-content")


def test_tab_passes_through_the_whole_page(open_page, width):
    opened = open_page("intro.html", width)
    visited = []
    for _ in range(MORE_THAN_ALL_CONTROLS):
        opened.keyboard.press("Tab")
        here = focused(opened)
        if visited and here["order"] == visited[0]["order"]:
            break
        visited.append(here)
    else:
        pytest.fail(f"a trap: {visited[-3:]}")
    assert any("CC BY 4.0" in place["text"] for place in visited), "the footer is never reached"
    assert [place for place in visited if place["tag"] != "BODY" and not place["marked"]] == []


def test_the_sidebar_opens_and_closes_by_keyboard_when_narrow(open_page):
    opened = open_page("intro.html", "narrow")
    link = opened.locator("#pst-primary-sidebar-modal a", has_text="References")
    toggle = opened.locator("button.primary-toggle:visible")
    toggle.focus()
    opened.keyboard.press("Enter")
    link.wait_for(state="visible")
    assert opened.evaluate("document.activeElement.closest('dialog') !== null")
    opened.keyboard.press("Escape")
    link.wait_for(state="hidden")
    assert opened.evaluate("document.activeElement.classList.contains('primary-toggle')")
