"""Panels: what functions may return, and how the renderer gets it."""

import base64
import json

import numpy as np
import pytest
from samples import assert_refused
from v8 import Script

from kernlib.book.explore import Bars, Cells, Dots, Fill, Heat, Line, Plot, Readout, Table
from kernlib.book.explore.marks import encode_cells, number, show
from kernlib.book.explore.script import read
from kernlib.book.explore.shorthand import as_panel


def encoded(panel, result):
    return type(panel)(lambda: result).frame({})


def test_numbers_are_written_as_a_reader_expects():
    for value, text in [
        (0, "0"),
        (1.0, "1"),
        (-3, "−3"),
        (0.031622, "0.03162"),
        (123456, "123,456"),
        (12345.678, "1.235·10⁴"),
        (-1.5e-7, "−1.5·10⁻⁷"),
        (1e-6, "10⁻⁶"),
        (-1e-6, "−10⁻⁶"),
        (1.1e-6, "1.1·10⁻⁶"),
        (0.0001, "0.0001"),
        (np.int64(70), "70"),
        (2**70, "1,180,591,620,717,411,303,424"),
        (np.inf, "∞"),
        (-np.inf, "−∞"),
        (np.nan, "not a number"),
        ("half \ud800 a pair", "half \ufffd a pair"),
    ]:
        assert show(value) == text


def test_numbers_keep_four_significant_digits_and_gaps_are_none():
    assert number(0.0123456) == 0.01235
    assert number(1e20) == 1e20
    assert type(number(3.0)) is int
    assert [number(value) for value in (np.nan, np.inf, -np.inf)] == [None] * 3


def test_a_plot_takes_lines_dots_bars_pairs_and_vectors():
    frame = encoded(
        Plot(None),
        {
            "line": Line([1, 2], [3, np.nan], [2, 2], [4, 4], "dashed"),
            "dots": Dots([1], [2]),
            "bars": Bars([1], [2]),
            "pair": ([1, 2], [3, 4]),
            "vector": [5, 6, 7],
        },
    )
    line, dots, bars, pair, vector = frame["series"]
    assert line == {"label": "line", "mark": "line", "style": "dashed"} | {
        "x": [1, 2],
        "y": [3, None],
        "low": [2, 2],
        "high": [4, 4],
    }
    assert (dots["mark"], bars["mark"], pair["mark"]) == ("dots", "bars", "line")
    assert (vector["x"], vector["y"]) == ([0, 1, 2], [5, 6, 7])


def test_a_heat_map_has_8_bits_and_leaves_out_what_is_not_finite():
    frame = encoded(Heat(None), np.array([[0.0, 1.0, 0.5], [np.nan, np.inf, 0.25]]))
    cells = list(base64.b64decode(frame["cells"]))
    assert cells == [0, 254, 127, 255, 255, 64]
    assert (frame["shape"], frame["low"], frame["high"]) == ([2, 3], 0, 1)


def test_a_heat_map_without_range_is_no_error():
    for A in (np.full((2, 2), np.nan), np.ones((2, 2)), np.array([[-np.inf, 3.0]])):
        frame = encoded(Heat(None), A)
        assert frame["low"] <= frame["high"]


def test_a_heat_map_with_limits_clips():
    cells = base64.b64decode(Heat(lambda: np.array([[-5.0, 5.0]]), limits=(0, 1)).frame({})["cells"])
    assert list(cells) == [0, 254]


def test_a_table_writes_its_cells_and_leaves_none_empty():
    frame = encoded(Table(None), Cells([[1, None], ["a", 0.5]], ["x", "y"], ["1", "2"], (0, 1)))
    assert frame == {
        "values": [["1", ""], ["a", "0.5"]],
        "columns": ["x", "y"],
        "rows": ["1", "2"],
        "marked": [0, 1],
    }


def test_a_readout_is_one_text():
    results = "as is", 0.25, {"a": 1, "b": 0.5}
    assert [encoded(Readout(None), result) for result in results] == ["as is", "0.25", "a = 1, b = 0.5"]


def test_what_a_function_returns_decides_what_is_drawn():
    for result, kind in [
        ("text", Readout),
        (3.5, Readout),
        ({"a": 1, "b": 0.5}, Readout),
        (np.eye(2), Heat),
        (Cells([[1]]), Table),
        ([1, 2, 3], Plot),
        (np.arange(3), Plot),
        (([1, 2], [3, 4]), Plot),
        ({"a": [1, 2]}, Plot),
        (Dots([1], [2]), Plot),
    ]:
        panel = as_panel(lambda result=result: result, {})
        assert type(panel) is kind
        assert panel.title == ("" if kind is Readout else "lambda")
        panel.frame({})


def test_every_picture_has_words_for_those_who_cannot_see_it():
    def mean_error(n):
        return [n]

    assert Plot(mean_error).spec()["alt"] == "plot of mean error"
    assert Plot(mean_error, "Errors").spec()["alt"] == "Errors"
    assert Plot(mean_error, "Errors", "They fall.").spec()["alt"] == "They fall."


def test_an_axis_that_cannot_be_is_refused_where_the_plot_is_defined():
    for axes, sentence in [
        ({"log": "y", "ylim": (0, 1)}, r"ylim must be .* 0 < low < high .* got \(0, 1\)"),
        ({"log": "xy", "xlim": (-1, 1)}, "xlim must be"),
        ({"xlim": (1, 1)}, "xlim must be"),
        ({"ylim": (0, np.inf)}, "ylim must be"),
        ({"xlim": ("a", "b")}, "xlim must be"),
        ({"log": "z"}, "log must be one of"),
    ]:
        with pytest.raises(ValueError, match=f"^Errors: {sentence}"):
            Plot(lambda: [1], "Errors", **axes)


def test_colors_without_a_range_are_refused_where_the_heat_map_is_defined():
    with pytest.raises(ValueError, match=r"^Gram: limits must be \(low, high\)"):
        Heat(lambda: np.eye(2), "Gram", limits=(1, 1))


def test_what_a_panel_cannot_show_is_refused_in_a_sentence_that_names_it():
    for kind, result, sentence in [
        *[(kind, None, "the function returned None") for kind in (Plot, Heat, Table, Readout)],
        (Plot, 3.5, r"a series needs vectors, got shape \(\)"),
        (Plot, [[1, 2], [3]], r"real numbers are needed, got \[\[1, 2\], \[3\]\]"),
        (Plot, [1, 2j], r"real numbers are needed, got \[1, 2j\]"),
        (Plot, ([1, 2], [1]), "must have one length"),
        (Plot, ([1], [1], [1], [1], [1], [1]), "a series must be .* got a tuple of 6"),
        (Plot, Line([1], [1], low=[0]), "needs both low and high"),
        (Plot, Line([1], [1], style="dash"), "style must be one of"),
        (Plot, [np.nan, np.inf], "no point can be shown"),
        (Heat, np.empty((0, 3)), r"a matrix of one cell or more, got shape \(0, 3\)"),
        (Heat, [1, 2], r"a matrix of one cell or more, got shape \(2,\)"),
        (Table, [[1, 2]], "a table needs Cells, got list"),
        (Table, Cells([[1, 2], [3]]), "rows of one length"),
        (Table, Cells([[1]], rows=["a", "b"]), "rows of one length"),
        (Readout, [1, 2], r"a text or a number is needed, got \[1, 2\]"),
    ]:
        panel = kind(lambda result=result: result, "Errors")
        assert_refused(lambda panel=panel: panel.frame({}), f"^Errors: .*{sentence}")


def test_points_below_a_logarithmic_axis_alone_are_refused():
    y = ([1, 2], [0, -1])
    assert encoded(Plot(None), y)
    with pytest.raises(ValueError, match="or not above 0 on a logarithmic axis"):
        Plot(lambda: y, log="y").frame({})


def test_a_number_is_never_rounded_to_infinity():
    assert encoded(Plot(None), [np.finfo(float).max])["series"][0]["y"] == [1e150]


@pytest.mark.parametrize("marked", [[1, 0], np.array([1, 0])])
def test_a_marked_cell_is_written_with_plain_integers(marked):
    frame = encoded(Table(None), Cells([[1, 2], [3, 4]], marked=marked))
    assert json.loads(json.dumps(frame))["marked"] == [1, 0]


def test_what_is_masked_is_a_gap():
    masked = np.ma.array([1, 2, 3], mask=[False, True, False])
    assert encoded(Plot(None), masked)["series"][0]["y"] == [1, None, 3]
    heat = encoded(Heat(None), np.ma.array([[0.0, 1.0]], mask=[[True, False]]))
    assert base64.b64decode(heat["cells"])[0] == 255


def test_answers_ascend_and_the_right_one_has_no_reason():
    frame = encoded(Fill(None), ("Which?", 9, {10: "Too many.", 2: "Too few."}))
    assert frame == {"question": "Which?", "answers": ["2", "9", "10"], "why": ["Too few.", "", "Too many."]}
    assert encoded(Fill(None), ("Done.", None, {}))["answers"] == []


def test_rounding_to_colors_keeps_signs_and_the_page_rounds_as_python_does():
    values = np.array([[-1.0, -0.3, -1e-20], [0.0, 1e-20, 0.7], [np.nan, 2.0, 0.003]])
    found = np.frombuffer(base64.b64decode(encode_cells(values, (-1, 1))["cells"]), np.uint8)
    assert found.tolist() == [0, 89, 126, 127, 128, 216, 255, 254, 128]
    script = Script(f"const look = {{hidden: 255}};\n{read('frames.js')}")
    cells = script.call(
        "((rows) => Array.from(cellsOf(rows, [-1, 1]).cells))",
        [[None if v != v else v for v in row] for row in values],
    )
    assert cells == found.tolist()


def test_the_line_of_zeros_has_gaps_where_all_values_are_zero_up_to_rounding():
    script = Script(f"const look = {{hidden: 255}};\n{read('fields.js')}")
    line = (
        "((cells, level = 0) => { const place = (value) => value;"
        "return levelLine({ shape: [2, 2], cells, x: [0, 1], y: [0, 1], low: -1, high: 1 }, { place }, "
        "{ place }, level); })"
    )
    assert script.call(line, [126, 128, 126, 128]) == ""
    assert script.call(line, [125, 129, 125, 129]).count("M") == 1
    assert script.call(line, [128, 129, 128, 129]) == ""  # all of one sign
    for level, lines in ((0.25, 1), (-0.25, 1), (0.75, 0)):
        assert script.call(line, [64, 190, 64, 190], level).count("M") == lines


def test_a_function_below_panel_is_a_panel_whose_words_are_its_docstring_and_can_be_called():
    @Plot.panel("Errors", x="n", log="y")
    def mean_error(n):
        """They fall,
        ever more slowly.
        """
        return [n]

    assert mean_error == Plot(mean_error.compute, "Errors", "They fall, ever more slowly.", x="n", log="y")
    assert mean_error(3) == [3]
