"""What the bounds on random Fourier features guarantee, and the largest errors that are found.

``python -m kernlib.book.explorers.fourier_bounds`` writes the record of the largest errors in about a minute.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Cells, Explorer, Line, Plot, Predict, Readout, Slider, Table
from kernlib.book.explore.marks import show
from kernlib.fourier import entropy_error, uniform_error

__all__ = ["BOUNDS", "COLUMNS", "errors_found", "largest_error"]

RECORD = Path(__file__).with_name("fourier.json")
ROWS = 20_000  # the lab's training set
PAPERS = {"Rahimi & Recht": 2**8, "Sutherland & Schneider": 66}  # the constants of their uniform bounds
GAP = "Sutherland & Schneider"  # they bound a mean at a random point as at a fixed one: see chapter 5c
SIGMA = np.sqrt(2)  # √E‖ω‖² of the Gaussian with γ = 1/p, the one that the bounds are drawn for
DIMENSIONS = (1, 2, 5, 22, 100)
DIAMETERS = (1, 3, 10, 30, 100)
COLUMNS = (10, 30, 100, 300, 1000, 3000, 10_000)  # of the features that are drawn
SEEDS = 5
VACUOUS = 0.5  # by which the guess ½ errs at most, as a Gaussian is between 0 and 1


def largest_error(
    p: int, c: int, seed: int, *, starts: int = 64, steps: int = 60, radius: float = 3.0
) -> float:
    """Find a large error of one draw of pairs for the Gaussian kernel with γ = ½: climb |f| from many starts.

    f(δ) is the error at the difference δ of two points, in the ball of this radius around 0; what is found is
    a lower bound for its supremum. Single precision is enough.
    """
    rng = np.random.default_rng(seed)
    Omega = rng.normal(size=(p, c // 2)).astype(np.float32)
    D = rng.normal(size=(starts, p)).astype(np.float32)
    D *= radius / np.linalg.norm(D, axis=1, keepdims=True)
    D *= rng.random((starts, 1)).astype(np.float32) ** np.float32(1 / p)
    largest = 0.0
    for step in 0.3 * (1 - np.arange(steps, dtype=np.float32) / steps):
        angles, q = D @ Omega, np.exp(-np.sum(D**2, axis=1) / 2)
        f = np.cos(angles).mean(axis=1) - q
        largest = max(largest, float(np.abs(f).max()))
        uphill = q[:, None] * D - np.sin(angles) @ Omega.T * (2 / c)
        uphill *= np.sign(f)[:, None]
        size = np.linalg.norm(uphill, axis=1, keepdims=True)
        D += step * uphill / np.maximum(size, np.float32(1e-12))
        distance = np.linalg.norm(D, axis=1, keepdims=True)
        D *= np.minimum(1, radius / np.maximum(distance, np.float32(1e-12)))
    return largest


def measure(p: int, diameter: float) -> list:
    """Find large errors for γ = 1/p in a domain of this diameter: a row for each c, a column a seed."""
    radius = SIGMA * diameter / np.sqrt(p)  # in the units in which γ = ½
    return [
        [float(f"{largest_error(p, c, seed, radius=radius):.3g}") for seed in range(SEEDS)] for c in COLUMNS
    ]


@cache
def read_record() -> dict[str, list]:
    """Read what `measure` found, for each dimension and diameter."""
    return json.loads(RECORD.read_text(encoding="utf-8"))


def errors_found(p: int, diameter: float) -> NDArray:
    """Read the largest errors that were found: a row for each c of `COLUMNS`, a column for each draw.

    What was found in a smaller domain counts, because the frequencies of a draw are the same.
    """
    return np.max([read_record()[f"{p}, {own}"] for own in DIAMETERS if own <= diameter], axis=0)


def hoeffding_error(c, entries, chance=0.5):
    """√(4 log(2 · entries / chance) / c), at which the union over entries of 2exp(−cε²/4) is the chance."""
    return np.sqrt(4 * np.log(2 * entries / chance) / c)


def covered(columns, p, diameter, constant):
    """Draw a uniform bound against c where its error is at most σℓ, as its theorem requires."""
    spread = SIGMA * diameter
    errors = [uniform_error(c, p, spread, constant) for c in columns]
    places, inside = zip(
        *((c, error) for c, error in zip(columns, errors, strict=True) if error <= spread), strict=True
    )
    return Line(places, inside)


@Plot.panel(
    "Largest error, and what is guaranteed",
    x="columns c",
    y="largest error",
    log="xy",
    ylim=(0.003, 1000),
    cursor="c",
)
def largest_errors(p, diameter):
    """A band of errors that were found, and far above it two bounds for a domain, against c on logarithmic
    axes: all have slopes of about minus one half.
    """
    c, errors = np.geomspace(10, 1e6, 21), errors_found(p, diameter)
    return {
        "largest error found, up to c = 10,000": Line(
            COLUMNS, np.median(errors, axis=1), errors.min(axis=1), errors.max(axis=1)
        ),
        "Rahimi & Recht": covered(c, p, diameter, PAPERS["Rahimi & Recht"]),
        "Sriperumbudur & Szabó": Line(c, [entropy_error(m, p, SIGMA, diameter) for m in c]),
        "all entries, 20,000 rows": Line(c, hoeffding_error(c, ROWS**2 // 2), style="dashed"),
        "one entry": Line(c, hoeffding_error(c, 1), style="dotted"),
        "vacuous above": Line(c[[0, -1]], [VACUOUS] * 2, style="reference"),
    }


@Table.panel("Guaranteed for pairs, with probability ½")
def guarantees(c, p, diameter):
    """For each bound the error that it guarantees at c, and its multiple of the median error found."""
    spread = SIGMA * diameter
    uniform = {name: uniform_error(c, p, spread, constant) for name, constant in PAPERS.items()}
    valid = {name: show(error, 2) if error <= spread else "none: above σℓ" for name, error in uniform.items()}
    uniform["Sriperumbudur & Szabó"] = entropy_error(c, p, SIGMA, diameter)
    points = {
        "all entries, 20,000 rows": hoeffding_error(c, ROWS**2 // 2),
        "one entry": hoeffding_error(c, 1),
    }
    median = np.median(errors_found(p, diameter)[COLUMNS.index(c)]) if c in COLUMNS else None
    rows = []
    for name, error in (uniform | points).items():
        text = valid.get(name, show(error, 2))
        is_multiple = median is not None and name in uniform and not text.startswith("none")
        multiple = show(error / median, 2) if is_multiple else None
        vacuous = error > VACUOUS and not text.startswith("none")
        rows.append([f"{text} (vacuous)" if vacuous else text, multiple])
    names = [f"{name} (its proof has a gap)" if name == GAP else name for name in (*uniform, *points)]
    return Cells(rows, ["error", "× the median found"], names)


def found_in_words(c, p, diameter):
    """Report the errors found at c, if c was drawn."""
    if c not in COLUMNS:
        return f"c = {c:,}. No features with so many columns were drawn."
    found = errors_found(p, diameter)[COLUMNS.index(c)]
    return (
        f"c = {c:,}. In five draws the largest error found is {show(found.min(), 2)} to "
        f"{show(found.max(), 2)} (median {show(np.median(found), 2)})."
    )


BOUNDS = Explorer(
    title="What the bounds guarantee",
    name="fourier-bounds",
    hint="The kernel is the Gaussian with γ = 1/p, so σ = √2 at every p. The bounds for entries are for "
    "given points, the others for all points of a domain.",
    controls=(
        Slider("c", (100, 300, 1000, 3000, 10_000, 100_000, 1_000_000), "columns c", 300, log=True),
        Slider("p", DIMENSIONS, "inputs p", 22, play=2),
        Slider("diameter", DIAMETERS, "diameter", 10, log=True, play=2),
    ),
    presets={
        "the lab": {"c": 300, "p": 22, "diameter": 10},
        "small and one-dimensional": {"c": 300, "p": 1, "diameter": 1},
        "a wide domain": {"c": 10_000, "p": 22, "diameter": 100},
    },
    panels=(largest_errors, guarantees, Readout(found_in_words)),
    predict=Predict(
        "22 inputs, 300 columns, a domain of diameter 10. A search finds an error of nearly 0.5 in each "
        "of five draws. What largest error does Rahimi and Recht's bound allow there, with probability ½?",
        answer="2.5",
        options=("0.6", "1.2", "2.5"),
        reason="The bound is five times what is found, and vacuous: the guess ½ for every value of the "
        "kernel errs by at most ½.",
    ),
)


if __name__ == "__main__":
    found = {f"{p}, {diameter}": measure(p, diameter) for p in DIMENSIONS for diameter in DIAMETERS}
    RECORD.write_text(json.dumps(found, separators=(",", ":")) + "\n", encoding="utf-8")
