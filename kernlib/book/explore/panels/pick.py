"""A button that switches one more point on.

Chapter: Explorers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kernlib.book.explore.hands import Toggles
from kernlib.book.explore.marks import numeric
from kernlib.book.explore.panels.base import Panel
from kernlib.numerics.validation import describe

__all__ = ["Pick"]


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
    With the residual κ(x, x) − ‖φ̂(x)‖² as weights, this is randomly pivoted Cholesky. Chapter: Explorers.
    """

    toggles: str = ""

    kind = "pick"
    titled = False

    def encode(self, result: Any) -> list[float]:
        weights = numeric(result)
        if weights.ndim != 1 or not (weights >= 0).all():
            raise ValueError(f"a button needs a vector of weights of at least 0, got {describe(result)}.")
        return weights.tolist()

    def refuse_controls(self, controls: Mapping[str, Any]) -> None:
        super().refuse_controls(controls)
        if not isinstance(controls.get(self.toggles), Toggles):
            raise ValueError(f"{self.called}: toggles must name Toggles, got {describe(self.toggles)}.")

    def spec(self) -> dict[str, Any]:
        return super().spec() | {"toggles": self.toggles}
