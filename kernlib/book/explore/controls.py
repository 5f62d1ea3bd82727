"""What a reader can move: sliders, choices, text boxes.

Each control has two lists of values: its ``stops``, for which the book computes every picture beforehand,
and its ``fine`` ones, among which a live slider moves. The defaults of all controls give the first picture.

Chapter: Explorers.
"""

import numbers
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernlib.book.explore.marks import LARGEST
from kernlib.book.explore.stops import plain, spread
from kernlib.numerics.validation import describe

__all__ = ["Choice", "Control", "Slider", "TextBox", "check_text"]

GREEK = {"gamma": "γ", "lam": "λ", "mu": "μ"}  # the book's letters
STOPS_A_SECOND = 6  # of a slider that plays
FINE = 200  # positions of a live slider, beside the stops


def check_text(name: str, value: Any) -> None:
    """Raise an error if a value is not a string."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, got {describe(value)}.")


@dataclass(frozen=True)
class Control:
    """A quantity that the reader sets, one of the ``stops``.

    Parameters
    ----------
    name : str
        That of the parameter in the functions that depend on it.
    stops : sequence
        The values that the book offers.
    label : str, optional
        What the reader sees; the name where it is not given, or its Greek letter.
    default : object, optional
        The first picture's value, one of the stops; the middle one for a slider, otherwise the first.

    Raises
    ------
    TypeError, ValueError
        If the name or label is no text, there are no stops, or the default is not one of them.
    """

    name: str
    stops: Any  # any iterable; kept as a tuple
    label: str | None = None
    default: Any = None

    kind = "choice"

    def __post_init__(self):
        check_text("a control's name", self.name)
        if self.label is not None:
            check_text(f"{self.name}: label", self.label)
        if not np.iterable(self.stops):
            raise TypeError(f"{self.name}: the stops must be a list of values, got {describe(self.stops)}.")
        stops = tuple(plain(stop) for stop in self.stops)
        if not stops:
            raise ValueError(f"{self.name} must have at least one stop, got none.")
        if len(set(stops)) < len(stops):
            raise ValueError(f"{self.name}: the stops must differ, got {describe(stops)}.")
        set_ = lambda field, value: object.__setattr__(self, field, value)  # noqa: E731  (frozen)
        set_("stops", stops)
        set_("label", self.label or GREEK.get(self.name, self.name))
        set_("default", self.usual(stops) if self.default is None else plain(self.default))
        if self.default not in stops:
            raise ValueError(
                f"{self.name}: the default must be one of the stops, got {describe(self.default)}."
            )

    def usual(self, stops: tuple) -> Any:
        """Choose the default where none is given."""
        return stops[0]

    @property
    def fine(self) -> tuple:
        """The values among which a live control moves."""
        return self.stops

    def check(self, value: Any) -> Any:
        """Give the value as functions get it, an int, a float or a str; refuse what is not offered."""
        if not isinstance(value, str | numbers.Real) or value not in self.stops:
            raise ValueError(f"{self.name} must be one of {list(self.stops)}, got {describe(value)}.")
        return self.stops[self.stops.index(value)]

    def spec(self, *, live: bool) -> dict[str, Any]:
        """Describe the control to the renderer, live or for the book, ready for JSON."""
        return {
            "kind": self.kind,
            "name": self.name,
            "label": self.label,
            "values": list(self.fine if live else self.stops),
            "default": self.default,
        }


@dataclass(frozen=True)
class Choice(Control):
    """A list to choose from: a kernel, a rule for landmarks.

    Parameters
    ----------
    name : str
        That of the parameter in the functions that depend on it.
    stops : sequence of str
        The choices.
    label : str, optional
        What the reader sees; the name where it is not given.
    default : str, optional
        One of the stops; the first where it is not given.

    Notes
    -----
    Chapter: Explorers.
    """


@dataclass(frozen=True)
class Slider(Control):
    """A number, in ascending stops.

    Parameters
    ----------
    name : str
        That of the parameter in the functions that depend on it.
    stops : sequence of int or float
        Ascending; the values that the book offers.
    label : str, optional
        What the reader sees; the name where it is not given.
    default : int or float, optional
        One of the stops; the middle one where it is not given.
    between : bool
        Whether Python may be asked for any number from the first to the last stop (any integer, if all stops
        are), and not for the stops alone.
    log : bool
        Whether a live slider moves in equal ratios, not in equal steps.
    play : bool or int
        Whether a button runs it through its stops, 6 a second or as many as the number says.

    Notes
    -----
    Chapter: Explorers.
    """

    between: bool = False
    log: bool = False
    play: bool | int = False

    kind = "slider"

    def __post_init__(self):
        super().__post_init__()
        if not all(isinstance(stop, numbers.Real) for stop in self.stops):
            raise ValueError(
                f"{self.name}: the stops of a slider must be numbers, got {describe(self.stops)}."
            )
        if not all(abs(stop) <= LARGEST for stop in self.stops):  # nor is that of NaN
            raise ValueError(
                f"{self.name}: the stops must be finite, at most 1e150, got {describe(self.stops)}."
            )
        if any(a >= b for a, b in zip(self.stops, self.stops[1:], strict=False)):
            raise ValueError(f"{self.name}: the stops must ascend, got {describe(self.stops)}.")
        if self.between and len(self.stops) == 1:
            raise ValueError(f"{self.name}: between needs two stops or more, got {describe(self.stops)}.")
        if self.log and self.stops[0] <= 0:
            raise ValueError(f"{self.name}: equal ratios need stops above 0, got {describe(self.stops)}.")
        if not isinstance(self.play, bool | int) or not 0 <= self.play <= 60:
            raise ValueError(
                f"{self.name}: play must be a bool or 1 to 60 stops a second, got {describe(self.play)}."
            )

    def usual(self, stops: tuple) -> Any:
        return stops[len(stops) // 2]

    def spec(self, *, live: bool) -> dict[str, Any]:
        return super().spec(live=live) | {"play": STOPS_A_SECOND if self.play is True else int(self.play)}

    @property
    def whole(self) -> bool:
        """Whether all stops are integers."""
        return all(isinstance(stop, int) for stop in self.stops)

    @property
    def fine(self) -> tuple:
        if not self.between:
            return self.stops
        return tuple(sorted({*self.stops, *spread(self.stops[0], self.stops[-1], FINE, self.log, 3)}))

    def check(self, value: Any) -> int | float:
        if not self.between:
            return super().check(value)
        low, high = self.stops[0], self.stops[-1]
        if not isinstance(value, numbers.Real) or not low <= value <= high:
            raise ValueError(f"{self.name} must be a number from {low} to {high}, got {describe(value)}.")
        number: Any = value  # a Real, of which mypy does not know that int() takes it
        if self.whole and number != int(number):
            raise ValueError(f"{self.name} must be an integer, got {describe(value)}.")
        return int(number) if self.whole else float(number)


@dataclass(frozen=True)
class TextBox(Control):
    """A line of text: in the book one of the stops; any text, live or where a script computes the panels.

    Parameters
    ----------
    name : str
        That of the parameter in the functions that depend on it.
    stops : sequence of str
        The texts that the book offers, or a box suggests.
    label : str, optional
        What the reader sees; the name where it is not given.
    default : str, optional
        One of the stops; the first where it is not given.
    longest : int
        How many characters the box takes.

    Notes
    -----
    Chapter: Explorers.
    """

    longest: int = 40

    kind = "text"

    def check(self, value: Any) -> str:
        if not isinstance(value, str) or len(value) > self.longest:
            raise ValueError(
                f"{self.name} must be a text of at most {self.longest} characters, got {describe(value)}."
            )
        return value

    def spec(self, *, live: bool) -> dict[str, Any]:
        spec = super().spec(live=live)
        return spec | {"longest": self.longest} if live else spec | {"kind": "choice"}
