"""What a reader sees: plots, heat maps, tables and a readout, each the picture of one pure function.

A panel depends on the controls that its function's parameters name, and on no others: so the book computes
each panel for the stops of these controls alone, and a live explorer computes again only what changed.
A *frame* is what a function returned, as the renderer reads it: numbers with four significant digits.

Chapter: Explorers.
"""

import base64
import inspect
import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from kernlib.blocks import one_blas_thread
from kernlib.explore.marks import LARGEST, Cells, encode_series, number, numeric, show
from kernlib.validation import check_choice, shown

__all__ = ["Heat", "Panel", "Plot", "Readout", "Table", "as_panel"]

HIDDEN = 255  # the byte of a heat map's cell that is not finite


@dataclass(frozen=True)
class Panel:
    """
    One picture: a function of some controls, and how to draw what it returns.

    Parameters
    ----------
    compute : callable
        A pure function; its parameters without a default name controls.
    title : str
        Stands above the picture.
    alt : str
        What there is to see, for those who cannot; the title, or else the function's name, where it is empty.

    Notes
    -----
    Chapter: Explorers.
    """

    compute: Callable
    title: str = ""
    alt: str = ""

    kind = ""

    @property
    def parameters(self):
        """The parameters of the function, each with whether it can be left out."""
        every = inspect.signature(self.compute).parameters.values()
        return {p.name: p.default is not p.empty for p in every}

    @property
    def words(self):
        """What a screen reader says of the picture."""
        name = getattr(self.compute, "__name__", "").strip("<>").replace("_", " ")
        return self.alt or self.title or f"{self.kind} of {name}"

    @property
    def called(self):
        """What a sentence calls the panel."""
        return self.title or getattr(self.compute, "__name__", "a panel")

    def refuse_missing(self, known):
        """
        Refuse a function that needs a control which is not there.

        Parameters
        ----------
        known : collection of str
            The names of the controls.

        Raises
        ------
        ValueError
            If a parameter without a default is not among them.
        """
        missing = [name for name, optional in self.parameters.items() if not optional and name not in known]
        if missing:
            raise ValueError(f"{self.called} needs {', '.join(missing)}: give it a control of that name.")

    def frame(self, values):
        """
        Compute the panel, as the renderer reads it.

        Parameters
        ----------
        values : dict
            Of the controls, at least of those that the panel depends on.

        Returns
        -------
        dict or str
            Ready for JSON.

        Raises
        ------
        TypeError, ValueError
            If the function returns what the panel can't show; in a sentence that names the panel.
        """
        with one_blas_thread():  # its matrices are small, and threads would wait for each other
            result = self.compute(**{name: values[name] for name in self.parameters if name in values})
        if result is None:
            raise TypeError(f"{self.called}: the function returned None; does it end with return?")
        try:
            return self.encode(result)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{self.called}: {error}") from None

    def encode(self, result):
        """
        Write what the function returned for the renderer.

        Parameters
        ----------
        result : object
            As the kind of panel wants it.

        Returns
        -------
        dict or str
            Ready for JSON.

        Raises
        ------
        TypeError, ValueError
            If it is something else.
        """
        raise NotImplementedError

    def spec(self):
        """
        Describe the panel to the renderer.

        Returns
        -------
        dict
            Ready for JSON.
        """
        return {"kind": self.kind, "title": self.title, "alt": self.words}


@dataclass(frozen=True)
class Plot(Panel):
    """
    Curves, points and bars on two axes.

    Parameters
    ----------
    compute : callable
        Returns a dict from each label to a `Line`, `Dots` or `Bars`, or to a pair (x, y); or one of these.
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
        Whether a unit is as long on both axes, so that circles are round; for linear axes.

    Raises
    ------
    ValueError
        If an axis can't have these limits.

    Notes
    -----
    Chapter: Explorers.
    """

    x: str = ""
    y: str = ""
    log: str = ""
    xlim: tuple | None = None
    ylim: tuple | None = None
    cursor: str | None = None
    equal: bool = False

    kind = "plot"

    def __post_init__(self):
        check_choice(f"{self.called}: log", self.log, ("", "x", "y", "xy"))
        for axis, limits in (("x", self.xlim), ("y", self.ylim)):
            check_limits(f"{self.called}: {axis}lim", limits, log=axis in self.log)
        if self.equal and self.log:
            raise ValueError(f"{self.called}: equal units need linear axes, got log={self.log!r}.")

    def shows(self, **values):
        """Whether a point of these coordinates can be drawn: no gap, and above 0 on a logarithmic axis."""
        return all(v is not None and (axis not in self.log or v > 0) for axis, v in values.items())

    def encode(self, result):
        series = result if isinstance(result, Mapping) else {"": result}
        series = [encode_series(label, what) for label, what in series.items()]
        if not any(self.shows(x=x, y=y) for one in series for x, y in zip(one["x"], one["y"], strict=True)):
            least = ", or not above 0 on a logarithmic axis" if self.log else ""
            raise ValueError(f"no point can be shown: there is none, or each is NaN or infinite{least}.")
        return {"series": series}

    def spec(self):
        axes = {
            axis: {
                "label": label,
                "log": axis in self.log,
                "limits": None if limits is None else np.array(limits).tolist(),
            }
            for axis, label, limits in (("x", self.x, self.xlim), ("y", self.y, self.ylim))
        }
        return super().spec() | axes | {"cursor": self.cursor, "equal": self.equal}


@dataclass(frozen=True)
class Heat(Panel):
    """
    A matrix in colours, first row on top.

    Parameters
    ----------
    compute : callable
        Returns an array of shape (rows, columns); the book takes at most 32 of each.
    title : str
        Stands above the picture.
    alt : str
        What there is to see, for those who cannot; the title where it is empty.
    limits : tuple of float, optional
        The values of the first and the last colour; the smallest and largest where they are not given.

    Raises
    ------
    ValueError
        If the limits are not two numbers that ascend.

    Notes
    -----
    Colours have 8 bits; a cell that is not finite stays empty. Chapter: Explorers.
    """

    limits: tuple | None = None

    kind = "heat"

    def __post_init__(self):
        check_limits(f"{self.called}: limits", self.limits)

    def encode(self, result):
        A = numeric(result)
        if A.ndim != 2 or A.size == 0:
            raise ValueError(f"a heat map needs a matrix of one cell or more, got shape {A.shape}.")
        finite, A = np.isfinite(A), A.clip(-LARGEST, LARGEST)
        low, high = self.limits or ((A[finite].min(), A[finite].max()) if finite.any() else (0, 1))
        share = np.where(finite, (A - low) / (high - low or 1), 0).clip(0, 1)
        cells = np.where(finite, np.rint(254 * share), HIDDEN).astype(np.uint8)
        encoded = base64.b64encode(cells.tobytes()).decode("ascii")
        return {"shape": list(A.shape), "low": number(low), "high": number(high), "cells": encoded}


@dataclass(frozen=True)
class Table(Panel):
    """
    Texts and numbers in rows and columns.

    Parameters
    ----------
    compute : callable
        Returns `Cells`.
    title : str
        Stands above it.
    alt : str
        What there is to see, for those who cannot; the title where it is empty.

    Notes
    -----
    Chapter: Explorers.
    """

    kind = "table"

    def encode(self, result):
        if not isinstance(result, Cells):
            raise TypeError(f"a table needs Cells, got {type(result).__name__}.")
        values, columns, rows, marked = result
        if np.shape(marked) not in [(), (2,)]:
            raise ValueError(f"the marked cell must be (row, column), got {shown(marked)}.")
        try:
            wide = {len(row) for row in values} | ({len(columns)} if columns is not None else set())
            fits = len(wide) == 1 and (rows is None or len(rows) == len(values))
        except TypeError:  # one of them is no list
            fits = False
        if not fits:
            raise ValueError(
                "a table needs rows of one length, and a name for all columns or rows or for none."
            )
        texts = [["" if cell is None else show(cell) for cell in row] for row in values]
        names = {
            key: list(map(show, v)) for key, v in (("columns", columns), ("rows", rows)) if v is not None
        }
        return {"values": texts, **names, "marked": list(marked) if marked else None}


@dataclass(frozen=True)
class Readout(Panel):
    """
    One or two sentences with the numbers of the picture.

    Parameters
    ----------
    compute : callable
        Returns a str, a number, or a dict from names to numbers.
    title : str
        Stands above it.
    alt : str
        What there is to see, for those who cannot; the title where it is empty.

    Notes
    -----
    Every reader sees it, and a screen reader speaks it when it changes. Chapter: Explorers.
    """

    kind = "readout"

    def encode(self, result):
        if isinstance(result, Mapping):
            return ", ".join(f"{name} = {show(value)}" for name, value in result.items())
        return show(result)


def check_limits(name, limits, *, log=False):
    """
    Refuse limits that an axis or a scale of colours can't have.

    Parameters
    ----------
    name : str
        What to call them in the sentence.
    limits : tuple of float or None
        The ends; None where the data decide.
    log : bool
        Whether the axis is logarithmic.

    Raises
    ------
    ValueError
        If they are not two finite numbers that ascend, above zero on a logarithmic axis.
    """
    if limits is None:
        return
    least = 1 / LARGEST if log else -LARGEST
    two = np.shape(limits) == (2,) and all(isinstance(end, numbers.Real) for end in limits)
    if not (two and least <= limits[0] < limits[1] <= LARGEST):
        order = "0 < low < high on a logarithmic axis" if log else "low < high"
        raise ValueError(f"{name} must be (low, high), finite, with {order}, got {shown(limits)}.")


def as_panel(what, values):
    """
    Give the panel for a function, by looking at what it returns.

    Parameters
    ----------
    what : Panel or callable
        A Panel stays what it is.
    values : dict
        Of the controls; the function is called once.

    Returns
    -------
    Panel
        A readout for a text, a number or a dict of these, a table for `Cells`, a heat map for a matrix;
        otherwise a plot.
    """
    if isinstance(what, Panel):
        return what
    if not callable(what):
        raise TypeError(f"a panel must be a function, Plot, Heat, Table or Readout, got {shown(what)}.")
    title = getattr(what, "__name__", "").strip("<>").replace("_", " ")
    bare = Panel(what, title)
    bare.refuse_missing(values)
    result = what(**{name: values[name] for name in bare.parameters if name in values})
    parts = result.values() if isinstance(result, Mapping) else [result]
    if all(isinstance(part, str | numbers.Real) for part in parts):
        return Readout(what)
    if isinstance(result, Cells):
        return Table(what, title)
    if isinstance(result, np.ndarray) and result.ndim == 2:
        return Heat(what, title)
    return Plot(what, title)
