"""What a reader can move: sliders, choices, text boxes.

Each control has two lists of values: its ``stops``, for which the book computes every picture beforehand,
and its ``fine`` ones, among which a live slider moves. The defaults of all controls give the first picture.
"""

import math
import numbers
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernlib.book.explore.marks import LARGEST
from kernlib.numerics.validation import describe

__all__ = ["Choice", "Control", "Slider", "TextBox", "spread"]

GREEK = {"gamma": "γ", "lam": "λ", "mu": "μ"}  # the book's letters
STOPS_A_SECOND = 6  # of a slider that plays
FINE = 200  # positions of a live slider, beside the stops


def spread(low: float, high: float, n: int, log: bool, digits: int) -> tuple:
    """Spread about n round numbers from low to high, both kept: in equal ratios if log, or in equal steps."""
    whole = isinstance(low, numbers.Integral) and isinstance(high, numbers.Integral)
    if log:
        between = np.geomspace(low, high, n).tolist()
        rounded = {round(v) if whole else float(f"{v:.{digits}g}") for v in between}
    else:
        rough = (high - low) / n
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough * (1 - 1e-9))
        step = max(1, round(step)) if whole else step
        multiples = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        rounded = {i * step if whole else float(f"{i * step:.10g}") for i in multiples}
    return tuple(sorted({low, high} | {v for v in rounded if low < v < high}))


def plain(value: Any) -> Any:
    """Give a number of numpy as Python's own int or float, and leave the rest."""
    return value.item() if isinstance(value, np.generic) else value


@dataclass(frozen=True)
class Control:
    """A quantity that the reader sets to one of the ``stops``: a `Choice`, `Slider` or `TextBox`."""

    name: str
    stops: Any  # any iterable; kept as a tuple
    label: str | None = None
    default: Any = None

    kind = "choice"

    def __post_init__(self):
        stops = tuple(map(plain, self.stops))
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
        What the reader sees; the name where it is not given, or its Greek letter.
    default : int or float, optional
        One of the stops; the middle one where it is not given.
    between : bool
        Whether Python may be asked for any number from the first to the last stop (any integer, if all stops
        are), and not for the stops alone.
    log : bool
        Whether a live slider moves in equal ratios, not in equal steps.
    play : bool or int
        Whether a button runs it through its stops, 6 a second or as many as the number says.
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
        if self.log and self.stops[0] <= 0:
            raise ValueError(f"{self.name}: equal ratios need stops above 0, got {describe(self.stops)}.")

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
