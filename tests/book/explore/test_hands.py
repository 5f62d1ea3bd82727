"""Points and switches that have no stops, and explorers that compute in the page."""

import numpy as np
import pytest
from packed import data_of
from standalone import page_html

from kernlib.book.explore import (
    Dots,
    Explorer,
    Field,
    Fill,
    Pick,
    Plot,
    Points,
    Readout,
    Slider,
    Toggles,
    explore,
)
from kernlib.book.explore.live import Live
from kernlib.book.explorers.kernels_drag import DRAG
from kernlib.book.explorers.nystrom_pick import PICK

TRIANGLE = [(0, 0), (1, 0), (0, 1)]
LIMITS = {"xlim": (-1, 2), "ylim": (-1, 2)}


def spread(corners):
    return float(np.ptp(corners))


def test_python_computes_dragged_points_live():
    widget = explore(Readout(spread), corners=Points("corners", TRIANGLE))
    assert isinstance(widget, Live) and widget.picture["panels"] == ["1"]
    widget.set(corners=[[0, 0], [3, 0], [0, 1]])
    assert widget.picture["panels"] == ["3"]


def test_functions_get_points_and_switches_as_tuples():
    controls = [Points("corners", TRIANGLE), Toggles("on", 5, (3, 1))]
    explorer = Explorer([Readout(lambda corners, on: f"{corners} {on}")], controls)
    assert explorer.frames({}) == ["((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)) (3, 1)"]


def test_values_that_are_no_points_or_no_switches_are_refused():
    points, toggles = Points("corners", TRIANGLE), Toggles("on", 5)
    for control, wrong, sentence in [
        (points, TRIANGLE[:2], "corners must be 3 pairs of finite numbers, got"),
        (points, [(0, 0), (1, 0), (0, np.nan)], "corners must be 3 pairs of finite numbers"),
        (toggles, (1, 1), r"on must be different indices below 5, got \(1, 1\)"),
        (toggles, (5,), "on must be different indices below 5"),
    ]:
        with pytest.raises((TypeError, ValueError), match=f"^{sentence}"):
            control.check(wrong)


def test_points_and_switches_that_make_no_sense_are_refused():
    corners = [Points("corners", TRIANGLE)]
    for make, sentence in [
        (lambda: Points("p", []), r"p: the points must have the shape \(n, 2\)"),
        (lambda: Explorer([Plot(spread, handles="k", **LIMITS)], corners), "spread: handles"),
        (lambda: Explorer([Pick(lambda: [1], toggles="k")]), "lambda.*: toggles must name Toggles"),
        (lambda: Explorer([Fill(lambda: ("", None, {}), slider="k")]), "lambda.*: slider must name Slider"),
    ]:
        with pytest.raises(ValueError, match=f"^<?{sentence}"):
            make()


def test_the_book_refuses_dragged_points_without_a_function_in_the_script():
    corners = [Points("corners", TRIANGLE)]
    with pytest.raises(ValueError, match=r"^spread: the book needs a function spread in .*, got no script"):
        page_html(Explorer([Readout(spread)], corners))


def test_the_page_holds_the_data_of_the_script_and_no_picture_of_it():
    data = data_of(page_html(DRAG))
    assert data["frames"] == [[], [], []]
    assert [panel["computed"] for panel in data["spec"]["panels"]] == ["decision", "gram", "summary"]
    assert data["spec"]["data"]["labels"] == [1, 1, 1, 1, -1, -1, -1, -1]


@pytest.mark.parametrize("explorer", [DRAG, PICK])
def test_the_plain_figure_shows_fields_and_points(explorer):
    svg = page_html(explorer)
    assert 'src="data:image/svg+xml;base64,' in svg and "; , " not in svg


def test_a_field_has_bounds_and_a_signed_one_symmetric_limits():
    for field, sentence in [
        (Field(np.zeros((49, 2)), (0, 1), (0, 1)), "1 to 48 rows and columns of cells, got shape"),
        (Field(np.zeros((2, 2)), (0, 1), (0, 1), (0, 1), "signed"), r"limits \(-a, a\), got \(0, 1\)"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            explore(lambda c, field=field: {"f": field, "": Dots([c], [0])}, c=[0, 1])


def test_presets_are_states_of_the_explorer():
    parts = {"panels": [Readout(lambda c: c)], "controls": [Slider("c", (1, 2))]}
    assert Explorer(**parts, presets={"two": {"c": 2}}).spec(live=True)["presets"] == {"two": {"c": 2}}
    for presets in ({"three": {"c": 3}}, {"k": {"k": 1}}):
        with pytest.raises(ValueError):
            Explorer(**parts, presets=presets)
