"""The all-subsequences kernel of two strings: three algorithms, and its logarithm; s[1:i] is a prefix."""

import math
from collections import Counter, deque
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from kernlib.numerics.validation import check_choice, check_positive
from kernlib.strings.symbols import Number, String, as_exact, as_symbols, encode

__all__ = ["all_subsequences", "log_all_subsequences", "subsequence_counts"]

LONGEST = 20  # symbols whose 2²⁰ subsequences fit in memory


def all_subsequences(s: String, t: String, *, weight: Number = 1, method: str = "table") -> Number:
    """Compute κ(s, t) = Σᵤ μ^|u| φᵤ(s)φᵤ(t), where φᵤ(s) counts the occurrences of u as a subsequence of s.

    It is the number of matching pairs of position tuples (also the empty pair), weighted by μ for each
    symbol. κ(aⁿ, aⁿ) = C(2n, n) for μ = 1. Source: Shawe-Taylor and Cristianini, Kernel Methods for Pattern
    Analysis (2004), section 11.4. Chapter: The all-subsequences kernel.

    Parameters
    ----------
    s, t : sequence of hashable
        Strings; may be empty.
    weight : int, Fraction or float
        μ ≥ 0; with an int or a Fraction the result is exact, however large.
    method : {"table", "recurrence", "brute force"}
        The O(|s||t|) table, the O(|s||t|²) recurrence, or all subsequences of at most 20 symbols.

    Returns
    -------
    int, Fraction or float
        κ(s, t) ≥ 1, of the weight's type; a float beyond float64, as of twice 515 a's, is an OverflowError.
    """
    check_choice("method", method, ("table", "recurrence", "brute force"))
    s, t, mu = as_symbols(s, "s"), as_symbols(t, "t"), as_exact("weight", weight)
    if method == "brute force":
        phi_s, phi_t = count_subsequences(s, "s"), count_subsequences(t, "t")
        value = sum(mu ** len(u) * count * phi_t[u] for u, count in phi_s.items())
    elif method == "recurrence":
        value = recurrence(s, t, mu)
    else:
        value = deque(table_rows(s, t, mu), maxlen=1)[0][-1]
    if isinstance(value, float) and not math.isfinite(value):
        size = log_all_subsequences(s, t, weight=float(mu))
        raise OverflowError(
            f"κ(s, t) is about e^{size:.1f}, beyond float64: use the log scale "
            "(log_all_subsequences), or an int or a Fraction as weight for the exact number."
        )
    return value


def subsequence_counts(s: String) -> Counter:
    """Compute the feature map φᵤ(s) = |{i₁ < … < i_k : s_{i₁} … s_{i_k} = u}| for every u with φᵤ(s) > 0.

    O(2^|s|), with at most min(C(|s|, k), |Σ|ᵏ) counts for length k. Chapter: The all-subsequences kernel.

    Parameters
    ----------
    s : sequence of hashable
        A string of at most 20 symbols.

    Returns
    -------
    Counter
        φᵤ(s) for each u, which is a str if s is one and otherwise a tuple; the empty u occurs once.
    """
    counts = count_subsequences(as_symbols(s), "s")
    return Counter({"".join(u): count for u, count in counts.items()}) if isinstance(s, str) else counts


def count_subsequences(symbols, name):
    """Compute the feature map φ of a tuple of symbols, by listing its subsequences."""
    if len(symbols) > LONGEST:
        raise ValueError(f"{name} must have at most {LONGEST} symbols to be listed, got {len(symbols)}.")
    lengths = range(len(symbols) + 1)
    return Counter(u for length in lengths for u in combinations(symbols, length))


def recurrence(s: tuple, t: tuple, mu: Number) -> Number:
    """Compute κ(s, t) by κ(s, ε) = 1 and κ(sa, t) = κ(s, t) + μ Σ_{j: tⱼ = a} κ(s, t[1:j−1])."""
    row = [mu**0] * (len(t) + 1)  # κ(ε, t[1:j])
    for a in s:
        row = [row[j] + mu * sum(row[k] for k in range(j) if t[k] == a) for j in range(len(t) + 1)]
    return row[-1]


def table_rows(s: tuple, t: tuple, mu: Number) -> Iterator[list[Number]]:
    """Yield each row of the table: DP(i, j) = DP(i−1, j) + P(j), P(j) = P(j−1) + μ[sᵢ = tⱼ] DP(i−1, j−1)."""
    row = [mu**0] * (len(t) + 1)
    yield row
    for a in s:
        above, row, P = row, [mu**0], mu * 0
        for j, b in enumerate(t, start=1):
            if a == b:
                P += mu * above[j - 1]
            row.append(above[j] + P)
        yield row


def log_all_subsequences(s: String, t: String, *, weight: float = 1) -> float:
    """Compute log κ(s, t) from the rows of the table in logarithms, for strings of any length.

    O(|s||t|), with one row in memory. Chapter: The all-subsequences kernel.

    Parameters
    ----------
    s, t : sequence of hashable
        Strings; may be empty.
    weight : float
        μ ≥ 0.

    Returns
    -------
    float
        log κ(s, t) ≥ 0.
    """
    weight = check_positive("weight", weight, or_zero=True)
    (s,), (t,) = encode([as_symbols(s, "s")], [as_symbols(t, "t")])
    log_mu = math.log(weight) if weight > 0 else -math.inf
    row = np.zeros(len(t) + 1)
    for a in s:
        steps = np.where(t == a, log_mu + row[:-1], -np.inf)
        row[1:] = np.logaddexp(row[1:], np.logaddexp.accumulate(steps))
    return float(row[-1])
