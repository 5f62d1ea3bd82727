"""At which distance the similarity of two points is one half.

For points that the reader drags or switches, see `kernlib.book.explorers.kernels_drag` and `nystrom_pick`.
"""

import numpy as np

from kernlib.book.explore import Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.kernels import Gaussian

__all__ = ["EXPLORER"]

X = np.linspace(0, 4, 81)


@Plot.panel("Similarity to the origin", x="distance from the origin", y="κ", ylim=(0, 1))
def similarity(gamma):
    """A bell that falls from 1 at the origin; a larger gamma makes it narrower."""
    column = Gaussian(gamma)(X[:, None], np.zeros((1, 1)))[:, 0]
    return {"κ(x, 0)": Line(X, column), "one half": Line(X, np.full_like(X, 0.5), style="reference")}


def summary(gamma):
    distance = np.sqrt(np.log(2) / gamma)
    return f"γ = {gamma:g}: the similarity is one half at the distance {distance:.2f}."


EXPLORER = Explorer(
    title="At which distance is the similarity one half?",
    name="half-way",
    controls=(Slider("gamma", (0.1, 0.4, 1.6, 6.4), default=0.4, play=True),),
    panels=(similarity, Readout(summary)),
    predict=Predict(
        "γ becomes four times as large. The distance at which the similarity is one half becomes",
        answer="half as large",
        reason="It is √(log 2 / γ).",
        options=("half as large", "a quarter as large"),
    ),
)
