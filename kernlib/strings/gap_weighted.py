"""The gap-weighted kernel of two strings, a relative of the all-subsequences kernel."""

import math

from kernlib.numerics.validation import check_count
from kernlib.strings.symbols import Number, String, as_exact, as_symbols

__all__ = ["check_decay", "gap_weighted"]


def gap_weighted(s: String, t: String, *, length: int, decay: Number) -> Number:
    """Compute κ(s, t) = Σ_{|u|=k} φᵤ(s)φᵤ(t) with φᵤ(s) = Σ λ^(i_k − i₁ + 1) over the positions of u in s.

    A subsequence has less weight the longer its span is. Let K′₀ = 1, and let K′_q(i, j) sum over the
    matching q-tuples of positions in the prefixes of lengths i and j, with λ to the power of what remains of
    both prefixes from the first positions on. Then

    K″_q(i, j) = λK″_q(i, j−1) + λ²[sᵢ = tⱼ] K′_{q−1}(i−1, j−1),
    K′_q(i, j) = λK′_q(i−1, j) + K″_q(i, j),
    κ(s, t) = Σᵢⱼ λ²[sᵢ = tⱼ] K′_{k−1}(i−1, j−1).

    O(k|s||t|). Source: Lodhi et al. (2002). Chapter: The all-subsequences kernel.

    Parameters
    ----------
    s, t : sequence of hashable
        Strings.
    length : int
        k ≥ 1.
    decay : int, Fraction or float
        0 < λ ≤ 1. The result is exact for 1 or a Fraction.

    Returns
    -------
    int, Fraction or float
        κ(s, t), of the decay's type; a float beyond float64 is an OverflowError.
    """
    length, lam = check_count("length", length, 1), check_decay(decay)
    s, t = as_symbols(s, "s"), as_symbols(t, "t")
    zero = lam * 0
    if length > min(len(s), len(t)):  # before so many tables are made
        return zero
    K = [[lam**0] * (len(t) + 1)] + [[zero] * (len(t) + 1) for _ in range(length - 1)]  # row i of each K′_q
    total = zero
    for a in s:
        total += sum(lam**2 * K[-1][j - 1] for j, b in enumerate(t, start=1) if a == b)
        for q in range(length - 1, 0, -1):  # downward, since K′_q needs row i−1 of K′_{q−1}
            K2 = zero
            for j, b in enumerate(t, start=1):
                K2 *= lam
                if a == b:
                    K2 += lam**2 * K[q - 1][j - 1]
                K[q][j] = lam * K[q][j] + K2
    if isinstance(total, float) and not math.isfinite(total):
        raise OverflowError(
            "κ(s, t) is beyond float64: use the log scale (GapWeighted(length, decay)([s], [t], log=True)), "
            "or an int or a Fraction as decay for the exact number."
        )
    return total


def check_decay(decay: Number) -> Number:
    """Return a decay as a Python number, or raise an error unless it is in (0, 1]."""
    lam = as_exact("decay", decay)
    if not 0 < lam <= 1:
        raise ValueError(f"decay must be above 0 and at most 1, got {decay}.")
    return lam
