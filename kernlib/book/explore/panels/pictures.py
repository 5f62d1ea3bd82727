"""Panels that are pictures: curves, points and bars on axes, and matrices in colors.

Each writes its frames for the renderer, and draws them on the axes of the plain figure.
"""

import numbers
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kernlib.book.explore.hands import Points, Toggles
from kernlib.book.explore.look import LOOK, dashed
from kernlib.book.explore.marks import LARGEST, encode_cells, encode_series, numeric
from kernlib.book.explore.panels.base import Panel
from kernlib.book.explore.panels.drawing import (
    colormap,
    decode_cells,
    draw_handles,
    draw_series,
    draw_toggles,
    set_log_ticks,
)
from kernlib.numerics.validation import check_choice, describe

__all__ = ["Heat", "Plot"]


@dataclass(frozen=True)
class Plot(Panel):
    """Curves, points and bars on two axes.

    Parameters
    ----------
    compute : callable
        Returns a dict from each label to a `Line`, `Dots`, `Bars` or `Field`, or to a pair (x, y); or one of
        these.
    title : str
        Stands above the picture.
    alt : str
        What there is to see, for those who cannot; the title where it is empty.
    x, y : str
        What the axes show, with units.
    log : {"", "x", "y", "xy"}
        Which axes are logarithmic.
    xlim, ylim : tuple of float, optional
        The ends of an axis; those of the data where they are not given.
    cursor : str, optional
        The control whose value a vertical line marks; the function need not depend on it.
    equal : bool
        Whether a unit is as long on both axes, so that circles are round; for linear axes. If they have no
        labels, they have no ticks either: the plot shows an image.
    drag : tuple of str, optional
        Two sliders, the place of a point along x and along y, which mouse and finger then drag.
    handles : str, optional
        The `Points` that the plot shows and the reader drags; the plot needs both limits.
    toggles : str, optional
        The `Toggles` that the first `Dots` of the plot stand for.
    choose : str, optional
        A slider from 0 to the number of handles, which a click on a handle sets to the handle's number, or
        back to 0.
    names : sequence of str
        Names below x = 0, 1, 2, … in place of numbers.

    Raises
    ------
    ValueError
        If an axis can't have these limits.
    """

    x: str = ""
    y: str = ""
    log: str = ""
    xlim: tuple | None = None
    ylim: tuple | None = None
    cursor: str | None = None  # type: ignore[assignment]  # None in other panels
    equal: bool = False
    drag: tuple | None = None
    handles: str | None = None
    toggles: str | None = None
    choose: str | None = None
    names: tuple = ()

    kind = "plot"
    named: ClassVar = {"handles": Points, "toggles": Toggles}

    def __post_init__(self):
        check_choice(f"{self.called}: log", self.log, ("", "x", "y", "xy"))
        for axis, limits in (("x", self.xlim), ("y", self.ylim)):
            check_limits(f"{self.called}: {axis}lim", limits, log=axis in self.log)

    def encode(self, result: Any) -> dict[str, Any]:
        series: Any = result if isinstance(result, Mapping) else {"": result}
        series = [encode_series(label, what) for label, what in series.items()]
        if not any(self.shows(x=x, y=y) for one in series for x, y in zip(one["x"], one["y"], strict=True)):
            least = ", or not above 0 on a logarithmic axis" if self.log else ""
            raise ValueError(f"no point can be shown: there is none, or each is NaN or infinite{least}.")
        return {"series": series}

    def shows(self, **values: float | None) -> bool:
        """Whether a point of these coordinates can be drawn: no gap, and above 0 on a logarithmic axis."""
        return all(v is not None and (axis not in self.log or v > 0) for axis, v in values.items())

    def refuse_controls(self, controls: Mapping[str, Any]) -> None:
        super().refuse_controls(controls)
        least = controls[self.cursor].stops[0] if self.cursor else 1
        if not self.shows(x=least):
            raise ValueError(f"{self.called}: its logarithmic axis can't show {self.cursor} = {least}.")
        names = self.drag if isinstance(self.drag, tuple | list) else ()
        if self.drag is not None and [name in self.parameters for name in names] != [True, True]:
            raise ValueError(
                f"{self.called}: drag must name two sliders that the function takes, got "
                f"{describe(self.drag)}."
            )
        if self.handles and not (self.xlim and self.ylim):
            raise ValueError(f"{self.called}: a plot with handles needs xlim and ylim, got none.")

    def spec(self) -> dict[str, Any]:
        axes = {
            axis: {
                "label": label,
                "log": axis in self.log,
                "limits": None if limits is None else np.array(limits).tolist(),
            }
            for axis, label, limits in (("x", self.x, self.xlim), ("y", self.y, self.ylim))
        }
        more = {"cursor": self.cursor, "equal": self.equal, "drag": self.drag and list(self.drag)}
        hands = {name: getattr(self, name) for name in ("handles", "toggles", "choose")}
        axes["x"]["names"] = list(self.names)
        return super().spec() | axes | more | hands

    def draw(
        self, axes: Any, frame: Any, controls: Mapping[str, Any], only: Collection[str] | None = None
    ) -> None:
        dots = next((series for series in frame["series"] if series["mark"] == "dots"), None)
        for i, series in enumerate(frame["series"]):
            if not (self.toggles and series is dots) and (only is None or series["label"] in only):
                draw_series(axes, frame["series"], i)
        if self.toggles and dots:
            draw_toggles(axes, dots, controls[self.toggles].default)
        if self.handles:
            draw_handles(axes, controls[self.handles].default, controls[self.handles].groups)
        if self.cursor:
            axes.axvline(controls[self.cursor].default, color="0.3", **dashed(LOOK["cursor"]))
        for axis, limits in (("x", self.xlim), ("y", self.ylim)):
            there = any(self.shows(**{axis: v}) for series in frame["series"] for v in series[axis])
            if axis in self.log and there:
                getattr(axes, f"set_{axis}scale")("log", nonpositive="mask")
            if limits:
                getattr(axes, f"set_{axis}lim")(limits)
            if axis in self.log and there:
                set_log_ticks(getattr(axes, f"{axis}axis"))
        if self.equal:
            axes.set_aspect("equal", adjustable="box" if self.xlim or self.ylim else "datalim")
            if not (self.x or self.y):
                axes.set(xticks=[], yticks=[])
        if self.names:
            axes.set_xticks(range(len(self.names)), self.names)
        axes.set_xlabel(self.x)
        axes.set_ylabel(self.y)
        if any(series["label"] and series["mark"] != "field" for series in frame["series"]):
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.3, alignment="left")


@dataclass(frozen=True)
class Heat(Panel):
    """A matrix in colors, first row on top.

    Parameters
    ----------
    compute : callable
        Returns an array of shape (rows, columns).
    title : str
        Stands above the picture.
    alt : str
        What there is to see, for those who cannot; the title where it is empty.
    limits : tuple of float, optional
        The values of the first and the last color; the smallest and largest where they are not given.
    link : str, optional
        The `Points` whose i-th point lights the i-th row and column, and is lit by them.
    palette : {"heat", "blues", "gray"}
        "heat" is dark where values are small; "blues" is white there, for errors; "gray" is for photographs.

    Raises
    ------
    ValueError
        If the limits are not two numbers that ascend.

    Notes
    -----
    Colors have 8 bits; a cell that is not finite stays empty.
    """

    limits: tuple | None = None
    link: str | None = None
    palette: str = "heat"

    kind = "heat"

    def __post_init__(self):
        check_limits(f"{self.called}: limits", self.limits)

    @classmethod
    def suits(cls, result: Any) -> bool:
        return isinstance(result, np.ndarray) and result.ndim == 2

    def encode(self, result: Any) -> dict[str, Any]:
        A = numeric(result)
        if A.ndim != 2 or A.size == 0:
            raise ValueError(f"a heat map needs a matrix of one cell or more, got shape {A.shape}.")
        return encode_cells(A, self.limits)

    def spec(self) -> dict[str, Any]:
        limits = None if self.limits is None else [float(end) for end in self.limits]
        return super().spec() | {"limits": limits, "link": self.link, "palette": self.palette}

    def draw(self, axes: Any, frame: Any, controls: Mapping[str, Any]) -> None:
        A, low, high = decode_cells(frame)
        picture = axes.imshow(A, cmap=colormap(self.palette), vmin=low, vmax=high, interpolation="nearest")
        axes.set(xticks=[], yticks=[])
        axes.grid(False)
        axes.figure.colorbar(picture, ax=axes, shrink=0.8)


def check_limits(name, limits, *, log=False):
    """Refuse limits of an axis or of colors that are not two finite numbers, ascending, above 0 if log."""
    if limits is None:
        return
    least = 1 / LARGEST if log else -LARGEST
    ends = limits if isinstance(limits, tuple | list | np.ndarray) and np.iterable(limits) else ()
    two = [isinstance(end, numbers.Real) for end in ends] == [True, True]
    if not (two and least <= limits[0] < limits[1] <= LARGEST):
        order = "0 < low < high on a logarithmic axis" if log else "low < high"
        raise ValueError(f"{name} must be (low, high), finite, with {order}, got {describe(limits)}.")
