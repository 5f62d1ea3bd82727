"""How explorers look: the one place of their colors, dashes, points and sizes, and of the largest numbers.

Every explorer's description carries `LOOK` to the script, which draws with it and hands the colors on to the
stylesheet as custom properties; the plain figure, for print, is drawn with the same. Neither the script nor
the stylesheet holds one of these values. Lengths are in pixels of the screen.
"""

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["LOOK", "PAPER_GRAY", "POINT", "dashed", "line_of"]

POINT = 0.75  # of a pixel's length: CSS counts 96 to an inch, matplotlib 72
PAPER_GRAY = "0.45"  # of references; on the screen the theme has its own

LOOK: dict[str, Any] = {
    "largest": 1e150,  # beyond, differences and ratios of numbers may overflow
    # Okabe and Ito's hues. On paper their own colors, those of the book's other figures, which differ in
    # lightness too; darker ones on a light page and lighter ones on a dark page, for a contrast of 3 or more.
    "series": [
        {"paper": "#0072b2", "light": "#0072b2", "dark": "#5fb8ee"},
        {"paper": "#d55e00", "light": "#d55e00", "dark": "#ff9d57"},
        {"paper": "#009e73", "light": "#00805e", "dark": "#3fd6a3"},
        {"paper": "#cc79a7", "light": "#b3588c", "dark": "#f0a3cd"},
        {"paper": "#e69f00", "light": "#a86f00", "dark": "#ffc74d"},
        {"paper": "#56b4e9", "light": "#2a86bd", "dark": "#a6d8ff"},
    ],
    # several lines of one style in a plot take one pattern of dashes after the other; `line_of` chooses
    "lines": {
        "": {"width": 2, "dashes": [[]]},
        "dashed": {"width": 2, "dashes": [[7, 4], [12, 3, 3, 3]]},
        "dotted": {"width": 2, "dashes": [[2, 4], [2, 8]]},
        "reference": {"width": 1.3, "dashes": [[5, 3], [2, 3], [9, 3, 2, 3]], "gray": True},
    },
    "cursor": {"width": 1, "dashes": [2, 3]},
    "guess": {"width": 2, "dashes": [7, 3], "light": "#7a3fc0", "dark": "#c8a6ff"},
    "band": 0.22,  # its opacity
    "dots": {"": 2.2, "large": 4.5},  # their radius
    "points": ["o", "s", "^", "D"],  # classes differ in shape as well as in color; matplotlib's names
    "bar": 0.8,  # its width, of the distance from one to the next
    # cividis, which a reader who confuses red and green sees as others do; its stops are equally far apart
    "heat": [[0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119], [200, 184, 102], [254, 232, 56]],
    "blues": [[255, 255, 255], [198, 219, 239], [107, 174, 214], [33, 113, 181], [8, 48, 107]],  # of errors
    "gray": [[0, 0, 0], [255, 255, 255]],  # of photographs
    "palettes": ["heat", "blues", "signed", "gray"],
    # one hue for each sign, which fades out at zero
    "signed": {"low": [213, 94, 0], "high": [0, 114, 178], "opacity": 0.5},
    "zero": {"width": 1.5, "dashes": []},
    "level": {"width": 0.75, "dashes": []},
    "edge": {"width": 1.5, "dashes": []},  # around a point on a field
    "ring": {"width": 3, "dashes": []},  # around one with the focus
    "handle": 7,  # the radius of a point that can be dragged
    "toggle": {"off": 4, "on": 7},  # the radius of a point that can be switched
    "hidden": 255,  # the byte of a heat map's cell that is not finite; those below are its colors
}


def line_of(plot: Sequence[Mapping[str, Any]], i: int) -> dict[str, Any]:
    """The look of the line that is the i-th series of a plot; a reference is gray if it is the only one."""
    look = LOOK["lines"][plot[i]["style"]]
    same = [j for j, one in enumerate(plot) if (one["mark"], one["style"]) == ("line", plot[i]["style"])]
    dashes = look["dashes"][same.index(i) % len(look["dashes"])]
    return look | {"dashes": dashes, "gray": look.get("gray", False) and len(same) == 1}


def dashed(line: Mapping[str, Any]) -> dict[str, Any]:
    """Width and dashes of a line of `LOOK` for matplotlib: in points, and in widths of the line."""
    pattern = (0, [length / line["width"] for length in line["dashes"]]) if line["dashes"] else "-"
    return {"lw": POINT * line["width"], "ls": pattern}
