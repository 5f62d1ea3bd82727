"""Controls that the reader moves in a plot: points to drag, and points to switch on and off.

They have no stops, so the book cannot compute their pictures beforehand: a script computes them in the page
(`Explorer`, ``script``), and in Jupyter Python does.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kernlib.book.explore.controls import Control
from kernlib.book.explore.marks import numeric
from kernlib.numerics.validation import check_choice, describe

__all__ = ["PlotControl", "Points", "Toggles"]


class PlotControl(Control):
    """A control that is part of a plot; its subclasses have a start in place of stops."""

    def __init__(self, name: str, label: str, default: Any, **others: Any) -> None:
        parts = {"name": name, "label": label or name, "stops": (), **others}
        for field, value in parts.items():
            object.__setattr__(self, field, value)  # the class is frozen
        object.__setattr__(self, "default", self.check(default))

    def spec(self, *, live: bool) -> dict[str, Any]:
        own = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "stops"}
        return {"kind": self.kind} | own


@dataclass(frozen=True, init=False)
class Points(PlotControl):
    """Points of the plane that the reader drags; functions get them as a tuple of pairs.

    Parameters
    ----------
    name : str
        That of the parameter in the functions that depend on it, and of ``handles`` in a `Plot`.
    at : array_like of shape (n, 2)
        Where the points start.
    groups : sequence of int, optional
        The class of each point, which chooses its color and shape; one class by default.
    move : {"xy", "x", "y"}
        The directions in which the reader can drag them.
    label : str
        What the reader sees; the name where it is not given.
    """

    groups: tuple = ()
    move: str = "xy"

    kind = "points"

    def __init__(
        self,
        name: str,
        at: ArrayLike,
        *,
        groups: Sequence[int] | None = None,
        move: str = "xy",
        label: str = "",
    ) -> None:
        check_choice(f"{name}: move", move, ("xy", "x", "y"))
        start = numeric(at)
        if start.ndim != 2 or start.shape[1] != 2 or not len(start):
            raise ValueError(f"{name}: the points must have the shape (n, 2), got {start.shape}.")
        given = (0,) * len(start) if groups is None else tuple(int(group) for group in groups)
        super().__init__(name, label, start, groups=given, move=move)

    def check(self, value: Any) -> tuple:
        found = numeric(value)
        if found.shape != (len(self.groups), 2) or not np.isfinite(found).all():
            raise ValueError(
                f"{self.name} must be {len(self.groups)} pairs of finite numbers, got {describe(value)}."
            )
        return tuple(map(tuple, found.tolist()))


@dataclass(frozen=True, init=False)
class Toggles(PlotControl):
    """Points of a plot that the reader switches on and off; functions get the indices of those that are on.

    One that is on can be dragged to the place of another.

    Parameters
    ----------
    name : str
        That of the parameter in the functions that depend on it, and of ``toggles`` in a `Plot`, whose first
        `Dots` are the points.
    count : int
        How many points there are.
    on : iterable of int
        Those that are on at first, in the order in which they were switched on.
    label : str
        What the reader sees; the name where it is not given.
    """

    count: int = 0

    kind = "toggles"

    def __init__(self, name: str, count: int, on: Iterable[int] = (), label: str = "") -> None:
        super().__init__(name, label, tuple(on), count=int(count))

    def check(self, value: Any) -> tuple:
        found = tuple(value) if isinstance(value, tuple | list) else (None,)
        fits = all(isinstance(i, int | np.integer) and 0 <= i < self.count for i in found)
        if not fits or len(set(found)) < len(found):
            raise ValueError(
                f"{self.name} must be different indices below {self.count}, got {describe(value)}."
            )
        return tuple(map(int, found))
