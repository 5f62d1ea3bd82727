"""The marks of plots and the cells of heat maps in the plain figure, drawn by matplotlib for paper."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter

from kernlib.book.explore.look import LOOK, PAPER_GRAY, POINT, dashed, line_of
from kernlib.book.explore.marks import LARGEST, show, superscript

__all__ = [
    *("colormap", "decode_cells", "draw_handles", "draw_question", "draw_series", "draw_toggles"),
    "set_log_ticks",
]


def draw_series(axes: Any, plot: Sequence[Mapping[str, Any]], i: int) -> None:
    """Draw the i-th series of a plot."""
    series = plot[i]
    label = series["label"] or None
    if label and label.startswith("_"):
        label = f"\u200b{label}"  # matplotlib leaves names that begin with "_" out of the legend
    look = {"color": LOOK["series"][i % len(LOOK["series"])]["paper"], "label": label}
    if series["mark"] == "line":
        look |= {"line": line_of(plot, i)}
    DRAW[series["mark"]](axes, series, i, look)


def draw_line(axes, series, i, look):
    """Draw a curve, and its band."""
    x, y = (drawable(series[key]) for key in "xy")
    line = look.pop("line")
    look |= {"color": PAPER_GRAY} if line["gray"] else {}
    axes.plot(x, y, **dashed(line), **look)
    if "low" in series:
        low, high = (drawable(series[key]) for key in ("low", "high"))
        axes.fill_between(x, low, high, color=look["color"], alpha=LOOK["band"], lw=0)


def draw_dots(axes, series, i, look):
    """Draw points, of a shape that tells the series."""
    x, y = (drawable(series[key]) for key in "xy")
    axes.scatter(x, y, area(LOOK["dots"][series["style"]]), marker=shape(i), **look)


def draw_bars(axes, series, i, look):
    """Draw bars as wide as their places allow."""
    x, y = (drawable(series[key]) for key in "xy")
    gaps = np.diff(np.unique(x[np.isfinite(x)]))
    low = drawable(series["low"]) if "low" in series else np.zeros_like(y)
    look |= {"color": PAPER_GRAY} if series["style"] == "gray" else {}
    width = LOOK["bar"] * (gaps.min() if gaps.size else 1)
    axes.bar(x, y - low, width, low, edgecolor="white", **look)


def draw_field(axes, series, i, look):
    """Draw a field, and its line of zeros and those of its level if it is signed."""
    A, low, high = decode_cells(series)
    ends = [*series["x"], *series["y"]]
    colors = colormap(series["palette"])
    axes.imshow(A, cmap=colors, vmin=low, vmax=high, extent=ends, origin="lower", aspect="auto")
    axes.grid(False)
    if series["palette"] == "signed":
        x, y = (np.linspace(*ends[k : k + 2], 2 * n + 1)[1::2] for k, n in ((0, A.shape[1]), (2, A.shape[0])))
        step = 2 * high / (LOOK["hidden"] - 1)  # to which the values are rounded
        faint = maximum_filter(np.nan_to_num(np.abs(A)), 3) < 1.5 * step  # their signs mean nothing
        clear, level = np.ma.array(A, mask=faint), series.get("level", np.inf)
        for at, name in ((0, "zero"), (-level, "level"), (level, "level")):
            if np.nanmin(A) < at < np.nanmax(A):
                pen = {"linewidths": LOOK[name]["width"], "linestyles": "solid"}
                axes.contour(x, y, clear, [at], colors="0.2", **pen)


DRAW = {  # each mark, as MARKS in assets/marks.js
    "line": draw_line,
    "dots": draw_dots,
    "bars": draw_bars,
    "field": draw_field,
}


def draw_handles(axes: Any, places: Sequence[Sequence[float]], groups: Sequence[int]) -> None:
    """Draw points that can be dragged, in the color and shape of their groups."""
    for group in sorted(set(groups)):
        x, y = np.array([place for place, own in zip(places, groups, strict=True) if own == group]).T
        color = LOOK["series"][group % len(LOOK["series"])]["paper"]
        axes.scatter(
            x, y, area(LOOK["handle"]), color=color, marker=shape(group), edgecolor="white", zorder=4
        )


def draw_toggles(axes: Any, series: Mapping[str, Any], on: Sequence[int]) -> None:
    """Draw points that can be switched; those that are on are larger and have the second color."""
    x, y = (drawable(series[key]) for key in "xy")
    chosen = np.isin(np.arange(len(x)), on)
    for state, color, where in (("off", PAPER_GRAY, ~chosen), ("on", LOOK["series"][1]["paper"], chosen)):
        size = area(LOOK["toggle"][state])
        axes.scatter(x[where], y[where], size, color=color, edgecolor="white", zorder=4)


def area(radius):
    """Give the size of a point for matplotlib."""
    return (2 * POINT * radius) ** 2


def shape(i):
    """Give the shape of the points of the i-th series."""
    return LOOK["points"][i % len(LOOK["points"])]


def draw_question(axes: Any, *_: Any, labels: Sequence[str] = ("", "")) -> None:
    """Draw a question mark as a path, in place of what is not shown yet, and what the two axes show."""
    from matplotlib.patches import PathPatch
    from matplotlib.textpath import TextPath
    from matplotlib.transforms import Affine2D

    sign = TextPath((0, 0), "?", size=0.5)  # of the height
    middle = (sign.vertices.min(axis=0) + sign.vertices.max(axis=0)) / 2
    to_middle = Affine2D().translate(*-middle).scale(0.75, 1).translate(0.5, 0.5)
    axes.add_patch(PathPatch(sign.transformed(to_middle), color="0.6", lw=0))
    given = {"color": "0.4", "parse_math": False, "gid": "axis-label"}
    for label, place, angle in zip(labels, ((0.5, 0.03), (0.03, 0.5)), (0, 90), strict=True):
        across = {"ha": "center", "va": "bottom"} if angle == 0 else {"ha": "left", "va": "center"}
        size = min(14, 270 / max(1, len(label)))  # a long one would be cut off
        axes.text(*place, label, rotation=angle, size=size, **across, **given)
    axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])


def set_log_ticks(axis: Any) -> None:
    """Give a logarithmic axis ticks as axes.js writes them; powers of ten alone, if it is long enough."""
    from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

    low, high = axis.get_view_interval()
    if high < 100 * low:
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)) if high > 5 * low else MaxNLocator(4))
    axis.set_major_formatter(lambda value, _: log_tick(value))
    axis.set_minor_locator(NullLocator())


def log_tick(value):
    """Write a number on a logarithmic axis: 0.001, 1,000, and beyond as a power of ten."""
    factor, power = map(float, f"{value:.10e}".split("e"))
    return f"10{superscript(int(power))}" if factor == 1 and abs(power) > 3 else show(value)


def drawable(values):
    """Convert a frame's numbers for matplotlib: NaN, a gap, for None; the margin of no axis overflows."""
    values = np.array(values, dtype=float).clip(-LARGEST, LARGEST)
    return np.where((values != 0) & (np.abs(values) < 1 / LARGEST), 1 / LARGEST, values)


def decode_cells(frame: Mapping[str, Any]) -> tuple[NDArray, float, float]:
    """Read the cells of a frame: a matrix with NaN for empty cells, and the values of both end colors."""
    cells = np.frombuffer(base64.b64decode(frame["cells"]), np.uint8).reshape(frame["shape"])
    low, high, last = frame["low"], frame["high"], LOOK["hidden"] - 1
    return np.where(cells <= last, low + (high - low) * (cells / last), np.nan), low, high


def colormap(palette: str) -> Any:
    """Make a palette of `LOOK` for matplotlib."""
    from matplotlib.colors import LinearSegmentedColormap  # only for the book

    if palette == "signed":
        ends = LOOK["signed"]
        low, high = (np.array(ends[end]) / 255 for end in ("low", "high"))
        strong = ends["opacity"]
        nodes = ((0, (*low, strong)), (0.5, (*low, 0)), (0.5, (*high, 0)), (1, (*high, strong)))
        return LinearSegmentedColormap.from_list(palette, nodes)
    return LinearSegmentedColormap.from_list(palette, np.array(LOOK[palette]) / 255)
