"""What the functions of panels return: curves, points, bars and cells; and how their numbers are written."""

import base64
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore.look import LOOK
from kernlib.numerics.validation import check_choice, describe

__all__ = [
    *("LARGEST", "Bars", "Cells", "Dots", "Field", "Line"),
    *("cell_centers", "encode_cells", "encode_series", "number", "numeric", "show", "superscript"),
]

LARGEST = LOOK["largest"]
HIDDEN = LOOK["hidden"]
LARGEST_FIELD = 48  # rows and columns


class Line(NamedTuple):
    """A curve, perhaps with a band around it.

    Parameters
    ----------
    x, y : array_like of shape (m,)
        Where y is not finite, or not positive on a logarithmic axis, the curve has a gap.
    low, high : array_like of shape (m,), optional
        The edges of the band.
    style : {"", "dashed", "dotted", "reference"}
        "reference" is thin: a rate, an exact value. It is gray if it is the only one of its plot.
    """

    x: object
    y: object
    low: object = None
    high: object = None
    style: str = ""


class Dots(NamedTuple):
    """Points of one class.

    Parameters
    ----------
    x, y : array_like of shape (m,)
        Points that are not finite are left out.
    style : {"", "large"}
        "large" points lie on top of others.
    """

    x: object
    y: object
    style: str = ""


class Bars(NamedTuple):
    """Bars from zero, from the bottom of a logarithmic axis, or from a height of their own.

    Parameters
    ----------
    x, y : array_like of shape (m,)
        Middle and upper end of each bar.
    style : {"", "gray"}
        "gray" bars lie behind those in color.
    low : array_like of shape (m,), optional
        The lower end of each bar.
    """

    x: object
    y: object
    style: str = ""
    low: object = None


class Field(NamedTuple):
    """A function of the plane in colors, under the other marks of a plot.

    Parameters
    ----------
    values : array_like of shape (rows, columns)
        One value for each cell, the first row at the bottom; at most 48 of each.
    x, y : tuple of float
        The ends of the field along each axis.
    limits : tuple of float, optional
        The values of the first and the last color; the smallest and largest where they are not given.
    palette : {"heat", "blues", "signed", "gray"}
        "heat" is dark where values are small, "blues" where they are large; "signed" has one hue for each
        sign, fades out at zero, and draws the line of zeros, except where all is zero up to rounding. Its
        limits must be (−a, a).
    level : float, optional
        A "signed" field has thin lines where its values are −level and level, too.
    """

    values: object
    x: tuple
    y: tuple
    limits: tuple | None = None
    palette: str = "heat"
    level: float | None = None


def cell_centers(x: tuple[float, float], y: tuple[float, float], columns: int, rows: int) -> NDArray:
    """List the centers of the cells of a field with these ends, one a row, from the lowest cells up."""
    across, up = (np.linspace(*ends, 2 * n + 1)[1::2] for ends, n in ((x, columns), (y, rows)))
    return np.stack(np.meshgrid(across, up), axis=2).reshape(-1, 2)


class Cells(NamedTuple):
    """The cells of a table.

    Parameters
    ----------
    values : list of list
        Rows of texts or numbers; None leaves a cell empty.
    columns, rows : list of str, optional
        The names above and beside them.
    marked : tuple of int, optional
        Row and column of the cell to point at.
    lit : sequence of tuple, optional
        Rows and columns of cells in color.
    """

    values: list
    columns: Sequence[Any] | None = None
    rows: Sequence[Any] | None = None
    marked: Any = None
    lit: Sequence[Any] = ()


STYLES = {Line: LOOK["lines"], Dots: LOOK["dots"], Bars: ["", "gray"]}


def encode_series(label: object, what: Any) -> dict[str, Any]:
    """Write one mark for the renderer; a pair (x, y) is a line, and a vector y a line over 0, 1, 2, …."""
    if isinstance(what, Field):
        return {"label": str(label), "mark": "field"} | encode_field(what)
    if not isinstance(what, Line | Dots | Bars):
        pair = what if isinstance(what, tuple) else (np.arange(numeric(what).size), what)
        if len(pair) != 2:
            raise ValueError(f"a series must be a Line, Dots, Bars, (x, y) or y, got a tuple of {len(pair)}.")
        what = Line(*pair)
    check_choice("style", what.style, STYLES[type(what)])
    if isinstance(what, Line) and (what.low is None) != (what.high is None):
        raise ValueError("a band needs both low and high, got one of them.")
    arrays = {
        key: vector(value) for key, value in what._asdict().items() if key != "style" and value is not None
    }
    if len({len(v) for v in arrays.values()}) != 1:
        sizes = ", ".join(f"{key}: {len(v)}" for key, v in arrays.items())
        raise ValueError(f"the arrays of {label or 'a series'} must have one length, got {sizes}.")
    return {"label": show(str(label)), "mark": type(what).__name__.lower(), "style": what.style, **arrays}


def encode_field(field):
    """Write a field with 8 bits for each cell."""
    values = numeric(field.values)
    check_choice("palette", field.palette, LOOK["palettes"])
    if values.ndim != 2 or not 1 <= min(values.shape) <= max(values.shape) <= LARGEST_FIELD:
        raise ValueError(
            f"a field needs 1 to {LARGEST_FIELD} rows and columns of cells, got shape {values.shape}."
        )
    if field.palette == "signed" and (field.limits is None or field.limits[0] != -field.limits[1]):
        raise ValueError(f"a signed field needs limits (-a, a), got {describe(field.limits)}.")
    parts = {axis: [float(end) for end in getattr(field, axis)] for axis in "xy"}
    if field.level is not None:
        parts["level"] = number(field.level)
    return parts | {"palette": field.palette, "style": ""} | encode_cells(values, field.limits)


def encode_cells(A: NDArray, limits: tuple | None) -> dict[str, Any]:
    """Write a matrix with 8 bits for each cell, of which one value means that the cell is not finite.

    Between limits of -a and a, rounding keeps the sign, as it would otherwise move the line of zeros.
    """
    finite, A = np.isfinite(A), A.clip(-LARGEST, LARGEST)
    low, high = limits or ((A[finite].min(), A[finite].max()) if finite.any() else (0, 1))
    share = np.where(finite, (A - low) / (high - low or 1), 0).clip(0, 1)
    rounded = np.rint((HIDDEN - 1) * share)
    if low == -high:
        rounded += (rounded == (HIDDEN - 1) / 2) * np.sign(A)
    cells = np.where(finite, rounded, HIDDEN).astype(np.uint8)
    encoded = base64.b64encode(cells.tobytes()).decode("ascii")
    return {"shape": list(A.shape), "low": number(low), "high": number(high), "cells": encoded}


def vector(values):
    """Round a vector to four significant digits; what is not finite becomes None."""
    values = numeric(values)
    if values.ndim != 1:
        raise ValueError(f"a series needs vectors, got shape {values.shape}.")
    return [number(value) for value in values.tolist()]


def numeric(values: Any) -> NDArray:
    """Convert real numbers to float64, with NaN for None and for what is masked."""
    try:
        if isinstance(values, np.ma.MaskedArray):
            return np.ma.filled(values.astype(np.float64), np.nan)
        array = np.asarray(values)
        if values is not None and array.dtype.kind in "biufO":
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):  # rows of different lengths, objects that are no numbers
        pass
    raise TypeError(f"real numbers are needed, got {describe(values)}.")


def number(value: float) -> int | float | None:
    """Round to four significant digits; None where it is not finite: JSON has no word for that."""
    if not math.isfinite(value):
        return None
    rounded = float(f"{max(-LARGEST, min(value, LARGEST)):.4g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded


def show(value: Any, digits: int | None = None) -> str:
    """Write a number as a reader expects it: four significant digits, a true minus, powers of ten.

    Integers keep all their digits, as do floats that are integers below 10¹⁵, unless `digits` says how many;
    a text stays as it is. For example "0.03162", "10⁻⁶", "−1.5·10⁻⁷", "1,048,576", "∞".
    """
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # half a pair is no letter
    if digits:
        value = float(f"{value:.{digits}g}")
    if not isinstance(value, int | np.integer):
        try:
            value = float(value)
        except (TypeError, ValueError):
            raise TypeError(f"a text or a number is needed, got {describe(value)}.") from None
        value = int(value) if value.is_integer() and abs(value) < 1e15 else value
    if isinstance(value, int | np.integer):
        return f"{value:,}".replace("-", "−")
    if not np.isfinite(value):
        return "not a number" if np.isnan(value) else "∞" if value > 0 else "−∞"
    text = f"{value:.4g}"
    mantissa, _, power = text.partition("e")
    if power:
        factor = mantissa.removesuffix("1") if abs(float(mantissa)) == 1 else f"{mantissa}·"
        text = f"{factor}10{superscript(int(power))}"
    return text.replace("-", "−")


def superscript(n: int) -> str:
    """Write an exponent."""
    return str(n).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
