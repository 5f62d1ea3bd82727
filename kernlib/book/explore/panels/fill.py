"""A question about what a slider shows next, with answers to choose from.

Chapter: Explorers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kernlib.book.explore.controls import Slider
from kernlib.book.explore.marks import show
from kernlib.book.explore.panels.base import Panel
from kernlib.numerics.validation import describe

__all__ = ["Fill"]

MOST = 4  # answers


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
    The answers, at most four, are in ascending order. Chapter: Explorers.
    """

    slider: str = ""

    kind = "answers"

    def encode(self, result: Any) -> dict[str, Any]:
        question, right, wrong = result
        if right is None:
            return {"question": question, "answers": [], "why": []}
        if right in wrong:
            raise ValueError(f"a wrong answer must not be the right one, got {describe(right)}.")
        why = wrong | {right: ""}
        if len(why) > MOST:
            raise ValueError(f"a question needs at most {MOST} answers, got {len(why)}.")
        return {
            "question": question,
            "answers": [show(answer) for answer in sorted(why)],
            "why": [why[answer] for answer in sorted(why)],
        }

    def refuse_controls(self, controls: Mapping[str, Any]) -> None:
        super().refuse_controls(controls)
        if not isinstance(controls.get(self.slider), Slider):
            raise ValueError(f"{self.called}: slider must name a Slider, got {describe(self.slider)}.")

    def spec(self) -> dict[str, Any]:
        return super().spec() | {"slider": self.slider}
