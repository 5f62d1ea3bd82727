"""The self-checks of the chapter on histograms pass right answers and name the usual mistakes."""

import numpy as np
import pytest

from kernlib.exercises import objects


def over(X, Y):
    """All pairs of rows, bin by bin."""
    return X[:, None], Y[None]


def safe(total):
    return np.where(total > 0, total, 1)


def additive(X, Y):
    x, y = over(X, Y)
    return (2 * x * y / safe(x + y)).sum(axis=2)


def distance(X, Y):
    x, y = over(X, Y)
    return ((x - y) ** 2 / safe(x + y)).sum(axis=2)


def product_with_sum(X, Y):
    x, y = over(X, Y)
    return (2 * x * y * (x + y)).sum(axis=2)


def chi2_map(X, m, L, *, two=2, zero=1, rate=np.pi, root=np.sqrt, interval=True, weigh=np.sqrt):
    log = np.log(np.where(X > 0, X, 1))
    front = np.where(X > 0, root(X), 0)
    step = L if interval else 1
    columns = [front * weigh(zero * step)]
    for j in range(1, m + 1):
        size = front * weigh(two * step / np.cosh(rate * j * L))
        columns += [size * np.sin(j * L * log), size * np.cos(j * L * log)]
    return np.hstack(columns)


def staircase(X, edges, height=np.sqrt, part=lambda share: share):
    share = np.clip((X[:, :, None] - edges[:-1]) / np.diff(edges), 0, 1)
    return (height(np.diff(edges)) * part(share)).reshape(len(X), -1)


ONE = 1 / np.log(2)


def density(omega, factor=ONE, inside=4):
    return factor / np.cosh(np.pi * omega) / (1 + inside * omega**2)


RIGHT = [
    (objects.check_additive_chi2, additive),
    (objects.check_chi2_map, chi2_map),
    (objects.check_chi2_map, lambda X, m, L: -chi2_map(X, m, L)[:, ::-1]),
    (objects.check_staircase, staircase),
    (objects.check_jensen_shannon, density),
]
WRONG = {
    "a factor 2 is missing": (objects.check_additive_chi2, lambda X, Y: additive(X, Y) / 2),
    "only conditionally positive": (objects.check_additive_chi2, lambda X, Y: -distance(X, Y)),
    "this is the χ² distance": (objects.check_additive_chi2, distance),
    "exponential kernel": (objects.check_additive_chi2, lambda X, Y: np.exp(-distance(X, Y))),
    "in the numerator": (objects.check_additive_chi2, product_with_sum),
    "division by zero": (
        objects.check_additive_chi2,
        lambda X, Y: (2 * X[:, None] * Y / (X[:, None] + Y)).sum(axis=2),
    ),
    "should have shape": (objects.check_additive_chi2, lambda X, Y: additive(X, X)),
    "an entry": (objects.check_additive_chi2, lambda X, Y: additive(X, Y) + 0.1),
    "frequencies ±jL is missing": (objects.check_chi2_map, lambda X, m, L: chi2_map(X, m, L, two=1)),
    "j = 0 has no partner": (objects.check_chi2_map, lambda X, m, L: chi2_map(X, m, L, zero=2)),
    "not sech(ω)": (objects.check_chi2_map, lambda X, m, L: chi2_map(X, m, L, rate=1)),
    "weight L of its interval": (objects.check_chi2_map, lambda X, m, L: chi2_map(X, m, L, interval=False)),
    "as √s": (objects.check_chi2_map, lambda X, m, L: chi2_map(X, m, L, weigh=lambda w: w)),
    "the root of x is missing": (
        objects.check_chi2_map,
        lambda X, m, L: chi2_map(X, m, L, root=np.ones_like),
    ),
    "x stands under a root": (objects.check_chi2_map, lambda X, m, L: chi2_map(X, m, L, root=lambda x: x)),
    "should be finite": (
        objects.check_chi2_map,
        lambda X, m, L: np.repeat(np.sqrt(X) * np.cos(np.log(X)), 2 * m + 1, axis=1),
    ),
    "height √δ, not δ": (objects.check_staircase, lambda X, edges: staircase(X, edges, height=lambda d: d)),
    "height √δ, not 1": (objects.check_staircase, lambda X, edges: staircase(X, edges, height=np.ones_like)),
    "counts in part.": (objects.check_staircase, lambda X, edges: staircase(X, edges, part=np.floor)),
    "not whole": (objects.check_staircase, lambda X, edges: staircase(X, edges, part=np.ceil)),
    "Z for p = 1 and 1 steps should have shape": (
        objects.check_staircase,
        lambda X, edges: staircase(X, np.append(edges, 9)),
    ),
    "base 2": (objects.check_jensen_shannon, lambda omega: density(omega, factor=1)),
    "do not multiply": (objects.check_jensen_shannon, lambda omega: density(omega, factor=np.log(2))),
    "too many": (objects.check_jensen_shannon, lambda omega: density(omega, factor=2 / np.log(2))),
    "2 is missing": (objects.check_jensen_shannon, lambda omega: density(omega, factor=0.5 / np.log(2))),
    "4ω²s": (objects.check_jensen_shannon, lambda omega: density(omega, inside=1)),
    "additive χ² kernel": (objects.check_jensen_shannon, lambda omega: 1 / np.cosh(np.pi * omega)),
    "not be negative": (objects.check_jensen_shannon, lambda omega: -density(omega)),
}


@pytest.mark.parametrize("check, answer", RIGHT)
def test_a_right_answer_passes_and_is_told_what_was_verified(check, answer, capsys):
    check(answer)
    assert capsys.readouterr().out.startswith("✓ ")


@pytest.mark.parametrize("clue", WRONG)
def test_a_wrong_answer_is_refused_with_its_hint(clue):
    check, answer = WRONG[clue]
    with pytest.raises(AssertionError) as caught:
        check(answer)
    assert clue in str(caught.value)
    assert "\n" not in str(caught.value)
