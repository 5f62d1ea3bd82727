"""The weight of a letter: which lengths make up the kernel of random strings, and how similar they are."""

from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernlib.book.explore import Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.strings import AllSubsequences

__all__ = [
    *("WEIGHT", "common_by_length", "count_by_length", "draw_strings"),
    *("length_shares", "middle_half", "similarities"),
]

ALPHABET = 4
LENGTHS = (15, 30, 60, 120, 240)
WEIGHTS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
EVERY_WEIGHT = np.geomspace(0.01, 1, 33)
STRINGS = 10  # of each length, whose 45 pairs are compared


@cache
def draw_strings(n: int) -> NDArray:
    """Draw ten random strings of n letters over four."""
    return np.random.default_rng(n).choice(ALPHABET, (STRINGS, n))


def count_by_length(s: ArrayLike, t: ArrayLike) -> NDArray:
    """Compute κ⁽ᵏ⁾(s, t) for k = 0, …, |t|: each cell of the table is a polynomial in μ, its coefficients."""
    t = np.asarray(t)
    row = np.zeros((len(t) + 1, len(t) + 1))
    row[:, 0] = 1
    for a in np.asarray(s):
        P = np.cumsum(np.where((t == a)[:, None], row[:-1], 0), axis=0)
        row[1:, 1:] += P[:, :-1]  # a match makes the subsequences one letter longer
    return row[-1]


@cache
def common_by_length(n: int) -> NDArray:
    """Compute κ⁽ᵏ⁾(s, t) for k = 0, …, n and two random strings of n letters."""
    return count_by_length(*draw_strings(n)[:2])


def length_shares(mu: float, n: int) -> NDArray:
    """Compute the share of each length in κ(s, t) = Σ μᵏ κ⁽ᵏ⁾(s, t), for two random strings."""
    parts = mu ** np.arange(n + 1) * common_by_length(n)
    return parts / parts.sum()


def middle_half(mu: float, n: int) -> tuple[int, int]:
    """Find the lengths between which the middle half of κ(s, t) is."""
    low, high = np.searchsorted(np.cumsum(length_shares(mu, n)), (0.25, 0.75))
    return int(low), int(high)


@cache
def similarities(mu: float, n: int) -> NDArray:
    """Compute the normalized kernel of the 45 pairs of ten random strings."""
    return AllSubsequences(mu).normalized(draw_strings(n))[np.triu_indices(STRINGS, 1)]


@Plot.panel(
    "Share of κ by length", x="length of the subsequence u (letters)", y="share of κ(s, t)", xlim=(0, 100)
)
def by_length(mu, n):
    """The share of κ of two random strings that subsequences of each length contribute: a hump, which moves
    to the left as μ falls.
    """
    k = np.arange(n + 1)
    return {
        "this μ": Line(k, length_shares(mu, n)),
        "μ = 1": Line(k, length_shares(1, n), style="reference"),
    }


@Plot.panel(
    "Which lengths dominate", x="weight μ", y="length of u (letters)", log="xy", ylim=(1, 100), cursor="mu"
)
def lengths_over_weight(n):
    """The length of the subsequences that contribute most to κ against μ on logarithmic axes, with a band for
    the middle half of κ: it rises with μ, for small μ like its square root.
    """
    tops = [np.argmax(length_shares(mu, n)) for mu in EVERY_WEIGHT]
    middle = np.transpose([middle_half(mu, n) for mu in EVERY_WEIGHT])
    low, high, top = (np.where(lengths > 0, lengths, np.nan) for lengths in np.array([*middle, tops]))
    return {
        "largest part": Line(EVERY_WEIGHT, top, low, high),
        "on average": Line(EVERY_WEIGHT, n / (1 + 2 / np.sqrt(EVERY_WEIGHT)), style="reference"),
    }


@Plot.panel(
    "How similar two random strings are",
    x="letters in each string, n",
    y="normalized kernel",
    log="y",
    cursor="n",
)
def similarity_over_length(mu):
    """The normalized kernel of two random strings against their number of letters on a logarithmic axis. It
    falls, and the faster the larger μ is.
    """
    low, middle, high = np.quantile([similarities(mu, n) for n in LENGTHS], (0.1, 0.5, 0.9), axis=1)
    without = [np.median(similarities(1, n)) for n in LENGTHS]
    return {
        "this μ": Line(LENGTHS, middle, low, high),
        "μ = 1": Line(LENGTHS, without, style="reference"),
    }


def summary(mu, n):
    """Report where the middle half of κ is, and the normalized kernel."""
    low, high = middle_half(mu, n)
    similar = np.median(similarities(mu, n))
    lengths = f"lengths from {low} to {high}" if low < high else f"length {low}"
    top = np.argmax(length_shares(mu, n))
    return (
        f"Two random strings of {n} letters over four, μ = {show(mu)}: the middle half of κ comes from "
        f"{lengths}, and the largest part from length {top}. "
        f"The normalized kernel of such a pair is {show(float(similar), 2)} (median of 45 pairs)."
    )


WEIGHT = Explorer(
    title="Which lengths count?",
    name="strings-weight",
    hint="Play the weight μ, or drag the dotted line in the second panel. In the third it sets the letters.",
    controls=(
        Slider("mu", WEIGHTS, "weight μ", 1.0, between=True, log=True, play=2),
        Slider("n", LENGTHS, "letters n", 60),
    ),
    presets={
        "no weight": {"mu": 1.0, "n": 60},
        "short ones": {"mu": 0.01, "n": 60},
        "longer strings": {"mu": 0.2, "n": 240},
    },
    panels=(by_length, lengths_over_weight, similarity_over_length, Readout(summary)),
    predict=Predict(
        "Two random strings of 60 letters over four letters, without a weight (μ = 1). Subsequences of which "
        "length make up most of κ?",
        answer="about 20 letters",
        options=("1 to 5 letters", "about 20 letters", "about 50 letters"),
        reason="There are C(60, k)² pairs of choices of k positions, and a pair spells the same with the "
        "probability 1/4ᵏ. This average over all pairs of strings is largest at k = 20. For the two "
        "strings of this plot the top is at 18.",
        at={"mu": 1.0, "n": 60},
    ),
)
