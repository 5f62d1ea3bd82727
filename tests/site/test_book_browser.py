"""What a reader does on the built pages, in Chromium from ``file://`` with the network off."""

import re
import time
from urllib.parse import urlsplit

import pytest
from hands import open_folds

MORE_THAN_ALL_CONTROLS = 2000


def test_no_window_between_a_phone_and_a_desk_scrolls_sideways(open_page):
    opened = open_page("chapters/04_rank_truncation.html")
    for pixels in (576, 992, 1199, 1200):
        opened.set_viewport_size({"width": pixels, "height": 900})
        assert opened.evaluate("document.documentElement.scrollWidth") <= pixels


LARGER = "html { font-size: 24px !important }"  # as a default text of 24 px


def test_with_a_larger_default_text_long_names_fit_a_phone(open_page):
    opened = open_page("api/checks.html", "narrow")
    opened.add_style_tag(content=LARGER)
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390


def test_with_a_larger_default_text_code_and_the_words_of_explorers_grow_too(open_page):
    opened = open_page("chapters/03_ridge.html")
    opened.add_style_tag(content=LARGER)
    size = "(code) => parseFloat(getComputedStyle(code).fontSize)"
    for words in (".highlight pre", ".ticks text", ".names text", ".legend li", "output"):
        assert opened.locator(f"article {words}").first.evaluate(size) >= 0.78 * 24


def test_a_window_that_becomes_narrow_leaves_no_explorer_faded(open_page):
    opened = open_page("chapters/05_bounds.html")
    opened.locator("kernlib-explorer").last.scroll_into_view_if_needed()
    opened.locator("kernlib-explorer.ready").last.wait_for()
    for width in (1200, 1600, 800):
        opened.set_viewport_size({"width": width, "height": 900})
        opened.wait_for_timeout(300)
    assert opened.locator(".holds-explorer.more").count() == 0


def test_on_a_phone_printed_sentences_wrap_and_tables_keep_their_columns(open_page):
    opened = open_page("chapters/11_beyond.html", "narrow")
    opened.evaluate("probe.openAll()")
    printed = opened.locator(".cell_output pre").evaluate_all("boxes => probe.printed(boxes)")
    tables = [one for one in printed if one["rows"]]
    assert tables and all(one["rows"] == one["lines"] for one in tables)
    assert not any(one["isWide"] for one in printed if not one["rows"])


@pytest.mark.parametrize("document, window", [("05_bounds", "narrow"), ("06_nystrom", "wide")])
def test_a_comma_follows_its_formula_on_the_same_line(document, window, open_page):
    opened = open_page(f"chapters/{document}.html", window)
    opened.evaluate("probe.openAll()")
    assert opened.locator(".kept").count() > 50
    assert opened.evaluate("probe.looseSigns()") == []


@pytest.fixture
def open_cold(book, new_context):
    """Give a function that opens a page in a profile of its own, where fonts and scripts come late."""

    def open_(address, width, height=900, slower=1):
        context = new_context(width, height)
        page = context.new_page()
        delays = iter([0.3])  # of the first font; the others come after it
        page.route("**/*.woff2", lambda route: (time.sleep(next(delays, 0)), route.continue_()))
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        page.goto(f"{book.as_uri()}/{address}")
        page.evaluate("document.fonts.ready.then(() => null)")
        page.wait_for_timeout(1000)
        return page

    return open_


@pytest.mark.parametrize(
    ("place", "pixels"),
    [  # test_explorer_gate.py follows a link to an explorer on a phone
        ("intro.html", 390),
        ("chapters/02_waves.html", 390),
        ("chapters/02_waves.html", 1440),
        ("chapters/03_duality.html#first-explorer", 1440),
        ("chapters/explorers.html", 390),
    ],
)
def test_nothing_jumps_while_a_page_loads_on_a_slow_machine(place, pixels, open_cold, limit):
    opened = open_cold(place, pixels, 844, slower=4)
    shifted = opened.evaluate("probe.seen.shifted")
    eager = opened.locator("article img:not([loading=lazy])").count()
    assert ([shifted] <= limit("layout shift of a page"), eager) == (True, 0), shifted


def test_no_line_of_the_first_screen_breaks_anew_when_its_fonts_come_late(open_cold, limit):
    opened = open_cold("chapters/07_scores.html", 390, 844)
    assert [opened.evaluate("probe.seen.shifted")] <= limit("layout shift of a page")


def test_the_typeface_is_light_comes_from_a_file_and_sets_text_and_ticks(open_page, book, limit):
    opened = open_page("chapters/03_leave_one_out.html")
    fonts = sorted((book / "_static" / "fonts").glob("*.woff2"))
    assert [sum(font.stat().st_size for font in fonts)] <= limit("the typeface")
    came = {address.rpartition("/")[2] for address in opened.asked if "/fonts/page-" in address}
    assert came == {font.name for font in fonts}
    opened.locator("kernlib-explorer").first.evaluate("(one) => one.begin()")
    for part in ("p", "h1", "figcaption", "kernlib-explorer svg text"):
        family = opened.locator(f"article {part}").first.evaluate("part => getComputedStyle(part).fontFamily")
        assert family.startswith('"Page Sans"')
    faces = "[...document.fonts].map(({ family, status }) => [family.replaceAll('\"', ''), status])"
    assert opened.evaluate(faces).count(["Page Sans", "loaded"]) == 3


QUIZ = "a.nav-link[href='#quiz']"


def test_an_anchor_far_down_is_reached_from_the_address_and_by_a_link(open_cold, open_page, width):
    opened = open_cold("chapters/05_models.html#quiz", width)
    assert opened.locator("#quiz").evaluate("target => probe.missed(target)") <= 1
    opened = open_page("chapters/05_models.html", width)
    opened.locator(QUIZ).first.evaluate("(link) => link.click()")
    opened.wait_for_timeout(1000)
    assert opened.locator("#quiz").evaluate("target => probe.missed(target)") <= 1


def test_a_state_far_down_is_reached_unless_the_reader_scrolls_on(open_cold, width):
    opened = open_cold("chapters/05_fourier.html#fourier:c=256", width)
    explorer = opened.locator("[data-name=fourier]")
    assert explorer.evaluate("target => probe.missed(target)") <= 1
    opened.mouse.move(opened.viewport_size["width"] / 2, 400)
    opened.locator(QUIZ).first.evaluate("(link) => link.click()")
    opened.mouse.wheel(0, -3000)
    opened.wait_for_timeout(1000)
    assert opened.locator("#quiz").evaluate("target => probe.missed(target)") > 1000


def test_panels_abreast_are_wider_than_the_text(open_page):
    opened = open_page("chapters/08_kernel_pca.html", 1440)
    opened.evaluate("probe.showAll()")
    opened.evaluate("document.querySelectorAll('kernlib-explorer').forEach((one) => one.begin())")
    open_folds(opened)
    column = opened.locator("article section > p").first.bounding_box()["width"]
    explorers = opened.locator(".full-width kernlib-explorer").all()
    assert explorers
    for explorer in explorers:
        box = explorer.bounding_box()
        assert column + 200 < box["width"] <= 1100 and box["x"] + box["width"] <= 1440
        panels = [panel.bounding_box() for panel in explorer.locator(".panels > .panel:visible").all()]
        assert len({panel["y"] for panel in panels[:3]}) == 1


@pytest.mark.parametrize("document", ["08_kernel_pca", "05_fourier"])
def test_an_explorer_that_the_address_names_waits_for_no_other_script(document, book, new_context):
    opened = new_context("narrow").new_page()
    opened.goto((book / f"chapters/{document}.html").as_uri() + "#first-explorer")
    seen = opened.evaluate("probe.seen")
    scripts = [name for name in seen["scripts"] if not name.startswith("explore-")]  # those of explorers
    assert seen["began"] and scripts[:2] == [f"{document}.js", "explore.js"]


def test_the_front_page_leads_back_to_where_the_reader_was_until_that_is_erased(book, new_context, limit):
    page = new_context().new_page()
    chapter, front = (book / name for name in ("chapters/05_models.html", "intro.html"))
    last = "JSON.parse(localStorage.getItem('kernbook-read'))?.last.anchor"
    page.goto(front.as_uri())
    assert page.locator("p.continue").count() == 0
    page.goto(f"{chapter.as_uri()}#where-it-fails")
    page.wait_for_function(f"{last} == 'where-it-fails'")
    assert page.locator(".bd-sidenav a.read").count() == 0
    page.wait_for_timeout(1000)  # the page keeps to its anchor for some frames
    page.locator("#recap > h2").evaluate("(heading) => heading.scrollIntoView()")
    page.wait_for_selector(".bd-sidenav .current > a.read", state="attached")
    number = page.locator("article h1").inner_text().partition(".")[0]  # a fork may order the chapters anew
    page.goto(f"{chapter.as_uri()}#where-it-fails")
    page.wait_for_function(f"{last} == 'where-it-fails'")
    page.goto(front.as_uri())
    link = page.locator("p.continue a")
    place = rf"{number}\. Learning with random features, {number}\.\d\. Where it fails"
    assert re.fullmatch(place, link.inner_text())
    assert page.locator(".bd-sidenav a.read").count() == 1
    page.wait_for_timeout(500)
    assert [page.evaluate("probe.seen.shifted")] <= limit("layout shift of a page")
    link.click()
    page.wait_for_url("**/05_models.html#where-it-fails")
    page.goto(front.as_uri())
    page.locator("button.erase-progress").click()
    page.reload()
    assert page.locator("p.continue, .bd-sidenav a.read").count() == 0
    assert page.locator("button.erase-progress").is_hidden()


def test_search_finds_the_section_from_a_file_and_marks_the_words(open_page):
    opened = open_page("intro.html")
    opened.keyboard.press("Control+k")
    opened.keyboard.type("nystrom")
    opened.locator("#pst-search-dialog .search-results a").first.wait_for()  # or Enter stops its loading
    opened.keyboard.press("Enter")
    opened.locator("#search-results a", has_text="The Nyström method").first.click()
    assert urlsplit(opened.url).path.endswith("chapters/06_nystrom.html")
    assert opened.locator("article .highlighted", has_text="Nyström").first.inner_text() == "Nyström"
    assert opened.problems == []


def test_without_a_store_the_menu_opens_the_search_opens_and_the_quiz_counts(book, open_without_stores):
    opened = open_without_stores((book / "chapters/01_classics.html").as_uri(), "narrow")
    opened.locator("button.primary-toggle:visible").click()
    assert opened.locator("#pst-primary-sidebar-modal").get_attribute("open") is not None
    press(opened, "Escape", "Control+k")
    assert opened.locator("#pst-search-dialog").get_attribute("open") is not None
    press(opened, "Escape")
    opened.locator(".quiz details.option summary").first.click()
    opened.locator(".quiz-score", has_text="at the first try").wait_for()
    assert opened.problems == []


def test_without_scripts_figures_leave_the_contents_their_column_and_the_header_is_opaque(book, new_context):
    page = new_context(java_script_enabled=False).new_page()
    page.goto((book / "chapters/03_ridge.html").as_uri())
    contents, header = page.locator(".bd-sidebar-secondary"), page.locator(".bd-header-article")
    figures = [figure.bounding_box() for figure in page.locator("figure.plain").all()]
    assert max(box["x"] + box["width"] for box in figures) <= contents.bounding_box()["x"]
    assert header.evaluate("(one) => getComputedStyle(one).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_visit_follows_the_system(scheme, open_page):
    opened = open_page("intro.html", color_scheme=scheme)
    assert opened.evaluate("document.documentElement.dataset.theme") == scheme


def press(opened, *keys):
    for key in keys:
        opened.keyboard.press(key)


def test_three_keys_lead_to_the_first_explorer(open_page):
    opened = open_page("chapters/03_duality.html")
    press(opened, "Tab", "Tab")
    assert opened.evaluate("probe.focused()")["text"] == "Skip to the first explorer"
    press(opened, "Enter", "Tab")
    assert opened.evaluate("probe.focusIsIn('#first-explorer')")


@pytest.mark.parametrize(("document", "window"), [("03_duality", "narrow"), ("05_fourier", "wide")])
def test_tab_reaches_the_first_explorer_soon(document, window, open_page, limit):
    opened = open_page(f"chapters/{document}.html", window)
    (most,), before = limit("Tab stops before the first explorer"), []
    while not opened.evaluate("probe.focusIsIn('kernlib-explorer')"):
        assert len(before) <= most, before
        press(opened, "Tab")
        before.append(opened.evaluate("probe.focused()")["text"][:30])


def test_the_chapters_come_after_the_page_and_a_link_leads_there_at_once(open_page):
    opened = open_page("chapters/03_duality.html")
    opened.locator("a", has_text="Skip to the chapters").focus()
    press(opened, "Enter", "Tab")
    assert opened.evaluate("probe.focusIsIn('#pst-primary-sidebar')")
    column, page = (opened.locator(part).bounding_box() for part in ("#pst-primary-sidebar", "main"))
    assert column["x"] == 0 and page["x"] == pytest.approx(column["width"], abs=1)


def test_tab_passes_through_the_whole_page(open_page, width):
    opened = open_page("intro.html", width)
    visited = []
    for _ in range(MORE_THAN_ALL_CONTROLS):
        press(opened, "Tab")
        here = opened.evaluate("probe.focused()")
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
    opened.locator("button.primary-toggle:visible").focus()
    press(opened, "Enter")
    link.wait_for(state="visible")
    assert opened.evaluate("probe.focusIsIn('dialog')")
    press(opened, "Escape")
    link.wait_for(state="hidden")
    assert opened.evaluate("probe.focusIsIn('.primary-toggle')")
