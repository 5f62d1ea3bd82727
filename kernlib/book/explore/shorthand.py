"""What `explore` takes for a control or a panel: a list, a range, a text, a bare function."""

import numbers
from collections.abc import Mapping
from typing import Any

from kernlib.book.explore.controls import Choice, Control, Slider, TextBox, spread
from kernlib.book.explore.marks import LARGEST
from kernlib.book.explore.panels import Panel, Plot, kinds
from kernlib.numerics.validation import describe

__all__ = ["as_control", "as_panel"]

STOPS = 13  # of a range that names none: few enough to compute them all, many enough to follow


def as_control(name: str, what: Any) -> Control:
    """Give the control that a keyword of `explore` stands for.

    A Control is itself; a list of numbers holds the stops of a slider, one of texts those of a choice; a
    tuple (low, high) or (low, high, "log") is a range of which every number can be computed, integers if
    both ends are; a text is a text box.
    """
    if isinstance(what, Control):
        if what.name != name:
            raise ValueError(f"The keyword {name} holds the control of another name, {what.name}.")
        return what
    if isinstance(what, str):
        return TextBox(name, (what,))
    if isinstance(what, tuple) and 2 <= len(what) <= 3 and all(isinstance(v, numbers.Real) for v in what[:2]):
        low, high, *log = what
        if not -LARGEST <= low < high <= LARGEST or log not in ([], ["log"]) or (log and low <= 0):
            raise ValueError(
                f'{name} must be (low, high) or (low, high, "log") with low < high, 0 < low for "log"; '
                f"got {what}."
            )
        return Slider(name, spread(low, high, STOPS, bool(log), 2), between=True, log=bool(log))
    if isinstance(what, list) and what:
        texts = all(isinstance(value, str) for value in what)
        return Choice(name, what) if texts else Slider(name, what)
    raise ValueError(
        f'{name} must be a list of values, a range (low, high) or (low, high, "log"), a text, or a control '
        f"of kernlib.book.explore, got {describe(what)}."
    )


def as_panel(what: Any, values: Mapping[str, Any]) -> Panel:
    """Give the panel for a function by what it returns for these values of controls; a Panel is itself."""
    if isinstance(what, Panel):
        return what
    if not callable(what):
        raise TypeError(f"a panel must be a function, {kinds()}, got {describe(what)}.")
    title = Panel(what).name
    bare = Panel(what, title)
    bare.refuse_controls(values)
    result = bare.result(values)
    kind = next((kind for kind in Panel.__subclasses__() if kind.suits(result)), Plot)
    return kind(what, title if kind.titled else "")
