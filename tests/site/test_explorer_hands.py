"""Points that a reader drags and switches: by mouse, by finger and by keyboard, in the page."""

import pytest
from hands import drag, middle, skip_questions

from kernlib.book.explore import Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explorers.duality_drag import LEAVE_OUT
from kernlib.book.explorers.kernels_drag import DRAG
from kernlib.book.explorers.nystrom_pick import PICK
from kernlib.book.explorers.nystrom_uniform import UNIFORM
from kernlib.book.explorers.strings import EXPLORER as TABLE

SLIDERS = Explorer(
    [
        Plot(lambda c, d: Dots([c], [d]), "A point", xlim=(0, 30), ylim=(0, 30), drag=("c", "d")),
        Readout(lambda c, d: f"c = {c}, d = {d}"),
    ],
    [Slider("c", range(31)), Slider("d", range(31))],
    name="sliders",
)
CURSOR = Explorer(
    [Plot(lambda: Line([0, 10], [0, 1]), "A line", cursor="c"), Readout(lambda c: f"c = {c}")],
    [Slider("c", range(11))],
    name="cursor",
    predict=Predict("Which?", options=("a", "b"), answer="a", reason="Because."),
)


@pytest.fixture
def opened(open_explorers):
    """Give a function that opens a page with one explorer, whose question is skipped."""

    def open_(explorer, fragment="", skip=True, **options):
        page = open_explorers(explorer, '<div style="height: 3000px"></div>', fragment=fragment, **options)
        page.locator(".kernlib-explorer.ready").wait_for()
        if skip:
            skip_questions(page)
        return page

    return open_


def touch_drag(page, node, dx, dy):
    """Drag by real touch events, as a finger does: down, eight moves, up."""
    session = page.context.new_cdp_session(page)
    x, y = middle(node)

    def send(kind, *points):
        touches = [{"x": left, "y": top} for left, top in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    send("touchStart", (x, y))
    for step in range(1, 9):
        send("touchMove", (x + dx * step / 8, y + dy * step / 8))
    send("touchEnd")


def place(node):
    return node.get_attribute("aria-valuetext")


@pytest.mark.parametrize("explorer", [DRAG, SLIDERS], ids=["points", "sliders"])
def test_seven_drags_of_seven_by_a_finger_arrive_and_the_page_stays(explorer, opened):
    page = opened(explorer, size=(390, 844), has_touch=True, is_mobile=True)
    node = page.locator(".handle, .grip").first
    node.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    for i in range(7):
        x, y = middle(node)
        dx, dy = (60, 50) if i % 2 == 0 else (-60, -50)
        touch_drag(page, node, dx, dy)
        page.wait_for_timeout(50)
        there = middle(node)
        assert (there[0] - x) * dx > 40**2 and (there[1] - y) * dy > 35**2, i
    assert page.evaluate("scrollY") == before


def test_a_click_or_enter_chooses_a_point_and_a_drag_does_not(opened):
    page = opened(LEAVE_OUT)
    node, slider = page.get_by_role("slider", name="point 3 of 12"), page.locator("input[type=range]").first
    for act, expected in ((node.click, "3"), (node.click, "0"), (lambda: node.press("Enter"), "3")):
        act()
        assert slider.get_attribute("aria-valuetext") == expected
        assert ("chosen" in node.get_attribute("class")) == (expected == "3")
    drag(page, node, 0, 40)
    assert slider.get_attribute("aria-valuetext") == "3" and "y = 0.77" not in place(node)


def test_a_cursor_is_dragged_by_mouse_and_by_finger(opened):
    page = opened(CURSOR, size=(390, 844), has_touch=True, is_mobile=True)
    cursor, readout = page.locator(".cursor-grip"), page.locator("output")
    stop = page.locator(".axes").bounding_box()["width"] / 10
    touch_drag(page, cursor, 3 * stop, 0)
    page.wait_for_timeout(50)
    assert readout.inner_text() == "c = 8"
    drag(page, cursor, -5 * stop, 0)
    assert readout.inner_text() == "c = 3"


def test_a_mouse_drags_a_point_and_all_panels_follow(opened):
    page = opened(DRAG)
    node, readout = page.get_by_role("slider", name="point 4 of 8"), page.locator("output")
    other = page.get_by_role("slider", name="point 5 of 8")
    drag(page, node, *(there - here for here, there in zip(middle(node), middle(other), strict=True)))
    assert "7 of 8" in readout.inner_text() and "rows 4 and 5 of G: κ = 1.00" in readout.inner_text()


def test_arrow_keys_move_a_point_by_a_fiftieth_of_the_axis_and_with_shift_by_five(opened):
    page = opened(DRAG)
    node = page.get_by_role("slider", name="Training points: point 1 of 8")
    assert place(node) == "x = −1.6, y = 0.9"
    steps = {"ArrowRight": "x = −1.5, y = 0.9", "Shift+ArrowUp": "x = −1.5, y = 1.4"}
    steps |= {"ArrowDown": "x = −1.5, y = 1.3", "Shift+ArrowLeft": "x = −2, y = 1.3"}
    for key, expected in steps.items():
        node.press(key)
        assert place(node) == expected
    assert node.evaluate("(node) => document.activeElement === node")


def test_a_dragged_state_is_in_the_address_and_comes_back_exactly(opened):
    page = opened(DRAG)
    page.get_by_role("slider", name="point 1 of 8").press("ArrowRight")
    page.wait_for_function("location.hash.startsWith('#kernels-drag:points=-1.5_0.9~')")
    said, fragment = page.locator("output").inner_text(), page.evaluate("location.hash")
    again = opened(DRAG, fragment)
    assert again.locator("output").inner_text() == said
    assert place(again.get_by_role("slider", name="point 1 of 8")) == "x = −1.5, y = 0.9"
    again.get_by_role("button", name="Reset").click()
    assert place(again.get_by_role("slider", name="point 1 of 8")) == "x = −1.6, y = 0.9"


@pytest.mark.parametrize("wrong", ["points=x", "points=" + "~".join(["1_NaN"] * 8)])
def test_an_address_that_names_no_places_leaves_the_start(wrong, opened):
    page = opened(DRAG, f"#kernels-drag:{wrong}")
    assert place(page.get_by_role("slider", name="point 1 of 8")) == "x = −1.6, y = 0.9"


def test_a_point_lights_its_row_of_the_matrix_and_a_cell_its_two_points(opened):
    page = opened(DRAG)
    page.get_by_role("slider", name="point 3 of 8").focus()
    assert page.locator(".matrix .lit-row").get_attribute("style").startswith("top: 25%")
    box = page.locator(".matrix canvas").bounding_box()
    page.mouse.move(box["x"] + 0.9 / 8 * box["width"], box["y"] + 4.5 / 8 * box["height"])
    lit = page.locator(".handle.lit").evaluate_all("(found) => found.map((one) => one.ariaLabel)")
    assert [label.split(": ")[1] for label in lit] == ["point 1 of 8", "point 5 of 8"]


def test_click_tap_space_and_enter_switch_a_point(opened):
    page = opened(PICK, has_touch=True)
    node, readout = page.get_by_role("switch", name="point 39,"), page.locator("output")
    for act in (node.click, lambda: node.press("Space"), lambda: node.press("Enter"), node.tap):
        before = node.get_attribute("aria-checked")
        act()
        assert node.get_attribute("aria-checked") != before
    assert readout.inner_text().startswith("2 of 43")


@pytest.mark.parametrize("pull", [drag, touch_drag], ids=["mouse", "finger"])
def test_a_landmark_is_dragged_to_another_point_and_all_panels_follow(pull, opened):
    page = opened(PICK, "#nystrom-pick:landmarks=0~9", size=(390, 844), has_touch=True, is_mobile=True)
    node, other = (page.get_by_role("switch", name=f"point {i},") for i in (1, 33))
    node.scroll_into_view_if_needed()
    pictures = "probe.pictures(document.querySelector('kernlib-explorer'))"
    before, scrolled = page.evaluate(pictures), page.evaluate("scrollY")
    pull(page, node, *(there - here for here, there in zip(middle(node), middle(other), strict=True)))
    page.wait_for_function("location.hash.endsWith('landmarks=32~9')")
    kept = [was == now for was, now in zip(before, page.evaluate(pictures), strict=True)]
    assert kept == [False, True, False, False, True, False]  # not the truth and the button
    assert page.locator("output").inner_text().startswith("2 of 43")
    assert page.evaluate("scrollY") == scrolled
    page.mouse.click(*middle(other))
    assert page.locator("output").inner_text().startswith("1 of 43")


def test_shift_and_an_arrow_key_carry_a_landmark_that_way(opened):
    page = opened(PICK, "#nystrom-pick:landmarks=0")
    page.get_by_role("switch", name="point 1,").focus()
    for key, axis, sign in (("Right", 0, 1), ("Up", 1, 1), ("Left", 0, -1), ("Down", 1, -1)):
        on = page.locator(".switch-point.on")
        before, (x, y) = on.get_attribute("transform"), middle(on)
        page.keyboard.press(f"Shift+Arrow{key}")
        assert on.count() == 1 and on.get_attribute("transform") != before
        across, up = middle(on)[0] - x, y - middle(on)[1]
        assert sign * (across, up)[axis] >= abs((across, up)[1 - axis]) - 1
        assert on.evaluate("(node) => node === document.activeElement && node.tabIndex === 0")


def test_one_tab_stop_leads_to_all_switches_by_arrow_keys(opened):
    page = opened(PICK)
    assert page.locator(".switch-point[tabindex='0']").count() == 1
    page.locator(".switch-point[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert page.get_by_role("switch", name="point 2,").get_attribute("aria-checked") == "true"


def test_the_button_picks_points_that_are_off_until_nothing_is_left(opened):
    page = opened(PICK)
    button = page.get_by_role("button", name="Draw a landmark, more often where the map is dark")
    for chosen in range(3, 8):
        button.click()
        assert page.locator("output").inner_text().startswith(f"{chosen} of 43")


def test_a_wrong_number_gets_its_reason_and_the_right_one_fills_the_cell(opened):
    page = opened(TABLE, "#subsequences:step=5")
    panel = page.locator(".is-answers")
    assert panel.locator("button:visible").all_inner_texts() == ["1", "2", "3"]
    panel.get_by_role("button", name="1").press("Enter")
    assert "that do not use the last a of ga" in panel.get_by_role("status").inner_text()
    assert page.locator("td.marked").inner_text() == "1"
    panel.get_by_role("button", name="2").press("Enter")
    assert panel.get_by_role("status").inner_text() == ""
    assert page.locator("td.marked").inner_text() == "2"
    assert page.locator("td.lit").all_inner_texts() == ["1", "1"]
    assert panel.locator("button").nth(1).evaluate("button => button === document.activeElement")


def test_a_reader_types_a_string_and_the_address_holds_it(opened):
    page = opened(TABLE, "#subsequences:s=b%2Cn,t=nab,step=3")
    rows = page.locator(".is-table tbody th")
    assert rows.all_inner_texts() == ["ε", "b", ",", "n"]
    page.get_by_label("s", exact=True).fill("banana")
    assert rows.all_inner_texts() == ["ε", *"banana"]
    page.wait_for_function("location.hash.includes('s=banana')")


def test_points_stay_until_the_question_is_answered(opened):
    page = opened(DRAG, skip=False)
    node = page.get_by_role("slider", name="point 1 of 8")
    node.press("ArrowRight")
    assert place(node) == "x = −1.6, y = 0.9" and node.get_attribute("aria-disabled") == "true"
    assert page.evaluate("location.hash") == ""


def test_a_point_that_moves_up_and_down_has_its_height_as_its_value(opened):
    node = opened(UNIFORM).locator(".handle").nth(1)
    before = float(node.get_attribute("aria-valuenow"))
    node.press("ArrowUp")
    after, low, high = (float(node.get_attribute(f"aria-value{name}")) for name in ("now", "min", "max"))
    assert before == -0.3 < after < high == 0.7 and low == -6.5
