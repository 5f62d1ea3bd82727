"""The gap-weighted kernel of two strings against enumerations; lengths too long or of too small a type."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import pytest
from samples import assert_refused, peak_bytes

from kernlib.strings import FixedLength, GapWeighted, Spectrum, gap_weighted

LAM = Fraction(3, 5)


def enumerate_pairs(s, t, length, lam):
    """Σᵤ φᵤ(s)φᵤ(t), where φᵤ sums λ to the span of each tuple of positions that spells u."""
    phi, psi = Counter(), Counter()
    for counts, string in ((phi, s), (psi, t)):
        for i in combinations(range(len(string)), length):
            counts[tuple(string[j] for j in i)] += lam ** (i[-1] - i[0] + 1)
    return sum(phi[u] * psi[u] for u in phi)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_the_kernel_is_the_enumeration_on_all_short_pairs(length):
    words = ["".join(u) for n in range(5) for u in product("ab", repeat=n)]
    for s, t in product([*words, "abcabc", "cabbage"], [*words, "bacca"]):
        for lam in (1, LAM):
            exact = enumerate_pairs(s, t, length, lam)
            value = gap_weighted(s, t, length=length, decay=lam)
            assert value == exact and type(value) is type(lam)


def test_a_float_decay_gives_a_float():
    value = gap_weighted("abracadabra", "cabbage", length=2, decay=0.6)
    exact = gap_weighted("abracadabra", "cabbage", length=2, decay=LAM)
    assert type(value) is float and value == pytest.approx(float(exact), rel=1e-13)


@pytest.mark.parametrize("length", [3, 10**6, 10**30])
def test_a_length_beyond_the_strings_gives_zero_at_no_cost(length):
    def compute_all():
        kernels = FixedLength(length), GapWeighted(length, 0.5), Spectrum(length)
        return [
            *(gap_weighted("ab", "ab", length=length, decay=lam) for lam in (1, 0.5, LAM)),
            *(kernel(["", "ab"], ["ab", "abab"]).max() for kernel in kernels),
            *(kernel.diag(["ab"])[0] for kernel in kernels),
            *(kernel.normalized(["", "ab"]).max() for kernel in kernels),
        ]

    assert compute_all() == [0] * 12  # this first call may import
    assert peak_bytes(compute_all) < 10**5


def test_the_error_for_a_float_beyond_float64_names_alternatives(monkeypatch):
    # a real case has 518 letters: seconds
    monkeypatch.setitem(gap_weighted.__globals__, "check_decay", lambda decay: 1e150)
    with pytest.raises(OverflowError) as caught:
        gap_weighted("aaa", "aaa", length=2, decay=1.0)
    assert str(caught.value) == (
        "κ(s, t) is beyond float64: use the log scale (GapWeighted(length, decay)([s], [t], log=True)), or "
        "an int or a Fraction as decay for the exact number."
    )


def test_bad_input_raises_one_sentence():
    gap, low, number = gap_weighted, "decay must be above 0 and at most 1, got", "decay must be a number, got"
    for call, error, sentence in [
        (lambda: gap("a", "a", length=0, decay=1), ValueError, "length must be at least 1, got 0"),
        (lambda: FixedLength(0), ValueError, "length must be at least 1, got 0"),
        (lambda: gap("a", "a", length=1.5, decay=1), TypeError, "length must be an integer, got 1.5"),
        (lambda: gap("a", "a", length=2, decay=1.5), ValueError, f"{low} 1.5"),
        (lambda: GapWeighted(2, 0), ValueError, f"{low} 0"),
        (lambda: GapWeighted(2, "x"), TypeError, f"{number} 'x'"),
        (lambda: GapWeighted(2, Fraction(1, 10**400)), ValueError, "decay must be positive and finite"),
        (lambda: gap("a", 3, length=1, decay=1), TypeError, "t must be a sequence of symbols, got 3"),
    ]:
        assert_refused(call, sentence, error)
