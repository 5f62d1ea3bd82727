"""The first picture as a plain figure, for print and for readers without scripts.

It draws the same frames as the renderer, so it shows the same numbers.

Chapter: Explorers.
"""

import base64
import io
import math

import numpy as np

from kernlib.explore.marks import LARGEST

__all__ = ["first_figure"]

# Okabe and Ito's colours, those of the book's other figures
COLOURS = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"
DASHES = {"": "-", "dashed": "--", "dotted": ":", "reference": "--"}
STYLE = {
    "font.size": 10,
    "axes.titlesize": 10.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e3e3e3",
    "legend.frameon": False,
    "legend.fontsize": 9,
    "svg.fonttype": "none",  # text stays text: smaller, and set in the reader's own font
    "svg.hashsalt": "kernlib",  # the same picture gives the same bytes
    "font.family": "sans-serif",
    "axes.formatter.use_mathtext": False,
}
WIDTH, HEIGHT = 4.1, 3.2  # inches, for each panel


def first_figure(panels, frames, values):
    """
    Draw the plots and heat maps of one state.

    Parameters
    ----------
    panels : sequence of Panel
        Tables and readouts among them are left out: they are text.
    frames : list
        One for each panel.
    values : dict
        Of the controls, for the cursors.

    Returns
    -------
    str
        An SVG; empty where there is nothing to draw.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure  # no pyplot: no figure stays open in the reader's session

    drawn = [(panel, frame) for panel, frame in zip(panels, frames, strict=True) if panel.kind in DRAW]
    if not drawn:
        return ""
    columns = min(2, len(drawn))
    rows = math.ceil(len(drawn) / columns)
    with rc_context(STYLE):
        figure = Figure(figsize=(WIDTH * columns, HEIGHT * rows), layout="constrained")
        for place, (panel, frame) in enumerate(drawn, start=1):
            axes = figure.add_subplot(rows, columns, place)
            axes.set_title(panel.title, loc="left")
            DRAW[panel.kind](axes, panel, frame, values)
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()


def draw_plot(axes, panel, frame, values):
    """
    Draw curves, points and bars.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where.
    panel : Plot
        What stands on the axes.
    frame : dict
        The series.
    values : dict
        Of the controls, for the cursor.
    """
    for i, series in enumerate(frame["series"]):
        x, y = (drawable(series[key]) for key in "xy")
        colour, label = COLOURS[i % len(COLOURS)], series["label"] or None
        if series["mark"] == "dots":
            large = series["style"] == "large"
            axes.scatter(x, y, s=40 if large else 10, marker="os^D"[i % 4], color=colour, label=label)
        elif series["mark"] == "bars":
            axes.bar(x, y, width=0.8 * np.diff(x).min(initial=1), color=colour, label=label)
        else:
            thin = series["style"] == "reference"
            colour = "0.45" if thin else colour
            axes.plot(x, y, DASHES[series["style"]], lw=1.2 if thin else 1.8, color=colour, label=label)
            if "low" in series:
                low, high = (drawable(series[key]) for key in ("low", "high"))
                axes.fill_between(x, low, high, color=colour, alpha=0.25, lw=0)
    if panel.cursor:
        axes.axvline(values[panel.cursor], color="0.3", lw=1, ls=":")
    for axis, limits in (("x", panel.xlim), ("y", panel.ylim)):
        numbers = [value for series in frame["series"] for value in series[axis] if value is not None]
        if axis in panel.log and any(value > 0 for value in numbers):
            getattr(axes, f"set_{axis}scale")("log", nonpositive="mask")
        if limits:
            getattr(axes, f"set_{axis}lim")(limits)
    if panel.equal:
        axes.set_aspect("equal", adjustable="box" if panel.xlim or panel.ylim else "datalim")
    axes.set_xlabel(panel.x)
    axes.set_ylabel(panel.y)
    if any(series["label"] for series in frame["series"]):
        axes.legend(loc="best")


def drawable(numbers):
    """
    Give a frame's numbers to matplotlib.

    Parameters
    ----------
    numbers : list of float or None
        As encoded.

    Returns
    -------
    ndarray
        NaN, a gap, for None; the rest neither so large nor so small that the margin of an axis overflows.
    """
    values = np.array(numbers, dtype=float).clip(-LARGEST, LARGEST)
    return np.where((values != 0) & (np.abs(values) < 1 / LARGEST), 1 / LARGEST, values)


def draw_heat(axes, panel, frame, values):
    """
    Draw a matrix.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where.
    panel : Heat
        Its title is set already.
    frame : dict
        The cells.
    values : dict
        Unused.
    """
    cells = np.frombuffer(base64.b64decode(frame["cells"]), np.uint8).reshape(frame["shape"])
    low, high = frame["low"], frame["high"]
    A = np.where(cells < 255, low + (high - low) * (cells / 254), np.nan)
    picture = axes.imshow(A, cmap="cividis", vmin=low, vmax=high, interpolation="nearest")
    axes.set(xticks=[], yticks=[])
    axes.grid(False)
    axes.figure.colorbar(picture, ax=axes, shrink=0.8)


DRAW = {"plot": draw_plot, "heat": draw_heat}
