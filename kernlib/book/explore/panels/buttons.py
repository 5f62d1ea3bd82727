"""Panels of buttons: a question with answers to choose from, and a draw of one more point."""

from dataclasses import dataclass
from typing import Any, ClassVar

from kernlib.book.explore.controls import Slider
from kernlib.book.explore.hands import Toggles
from kernlib.book.explore.marks import numeric, show
from kernlib.book.explore.panels.base import Panel
from kernlib.numerics.validation import describe

__all__ = ["Fill", "Pick"]


@dataclass(frozen=True)
class Fill(Panel):
    """A question with a button for each answer: the right one moves a slider to its next stop.

    Parameters
    ----------
    compute : callable
        Returns the question, the right answer, and a dict from each wrong answer to a sentence that says why
        it is wrong; with None for the right answer there are no buttons.
    title : str
        Stands above it.
    alt : str
        Names the group of buttons for a screen reader; the title where it is empty.
    slider : str
        The slider that a right answer moves.

    Notes
    -----
    The answers, at most four, are in ascending order.
    """

    slider: str = ""

    kind = "answers"
    named: ClassVar = {"slider": Slider}

    def encode(self, result: Any) -> dict[str, Any]:
        question, right, wrong = result
        if right is None:
            return {"question": question, "answers": [], "why": []}
        why = wrong | {right: ""}
        return {
            "question": question,
            "answers": [show(answer) for answer in sorted(why)],
            "why": [why[answer] for answer in sorted(why)],
        }

    def spec(self) -> dict[str, Any]:
        return super().spec() | {"slider": self.slider}


@dataclass(frozen=True)
class Pick(Panel):
    """A button that draws one of the points that are off, with probabilities that the function computes.

    Parameters
    ----------
    compute : callable
        Returns a weight for each point, at least 0; the probabilities are proportional to them.
    title : str
        What the button says.
    alt : str
        Not used.
    toggles : str
        The `Toggles` of which it switches one on.

    Notes
    -----
    With the residual κ(x, x) − ‖φ̂(x)‖² as weights, this is randomly pivoted Cholesky.
    """

    toggles: str = ""

    kind = "pick"
    named: ClassVar = {"toggles": Toggles}
    titled = False

    def encode(self, result: Any) -> list[float]:
        weights = numeric(result)
        if weights.ndim != 1 or not (weights >= 0).all():
            raise ValueError(f"a button needs a vector of weights of at least 0, got {describe(result)}.")
        return weights.tolist()

    def spec(self) -> dict[str, Any]:
        return super().spec() | {"toggles": self.toggles}
