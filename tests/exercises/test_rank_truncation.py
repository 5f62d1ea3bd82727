"""The self-checks on rank truncation let right answers pass and tell each usual wrong one what is wrong."""

import numpy as np
import pytest
from scipy import linalg

from kernlib.exercises import rank_truncation as exercises
from kernlib.low_rank import rank_trunc, truncation_errors


def largest(G):
    return (A[..., ::-1] for A in linalg.eigh(G))


def features(G, k, *, power=0.5, order=largest):
    lam, U = order(G)
    return U[:, :k] * np.maximum(lam[:k], 0) ** power


def unclipped(G, k):
    """With the slightly negative eigenvalues of a singular G."""
    lam, U = largest(G)
    with np.errstate(invalid="ignore"):
        return U[:, :k] * np.sqrt(np.where(lam[:k] < 1e-12, -1, lam[:k]))


def rotated(G, k):
    Q = np.linalg.qr(np.random.default_rng(0).normal(size=(k, k)))[0]
    return features(G, k) @ Q


def smallest_rank(G, tol, *, shift=0, power=1):
    return int(np.argmax(truncation_errors(G) ** power <= tol)) + shift


def by_share(G, tol):
    sizes = np.sort(np.abs(np.linalg.eigvalsh(G)))[::-1]
    return int(np.argmax(1 - np.concatenate([[0], np.cumsum(sizes)]) / sizes.sum() <= tol))


def by_one(G, tol):
    sizes = np.abs(np.linalg.eigvalsh(G))
    return int(np.sum(sizes > tol * sizes.max()))


def nearest_psd(G, k):
    lam, U = largest(G)
    kept = np.maximum(lam[:k], 0)
    return (U[:, :k] * kept) @ U[:, :k].T


def of_truncation(change):
    def function(G, k):
        lam, U = linalg.eigh(rank_trunc(G, k, "eigh"))
        return (U * change(lam)) @ U.T

    return function


def effective(G, lam, *, shift=len, power=1):
    values = np.linalg.eigvalsh(G)
    return np.sum((values / (values + shift(G) * lam)) ** power)


def spoils(G, k):
    G[0, 0] = 0
    return nearest_psd(G, k)


RIGHT = {
    "check_features": features,
    "check_smallest_rank": smallest_rank,
    "check_nearest_psd": nearest_psd,
    "check_effective_dimension": effective,
}


@pytest.mark.parametrize("name", exercises.__all__)
def test_a_right_answer_passes_in_one_line(name, capsys):
    getattr(exercises, name)(RIGHT[name])
    printed = capsys.readouterr().out
    assert printed.startswith("✓ exercise") and printed.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "wrong", "sentence"),
    [
        ("check_features", lambda G, k: features(G, k, power=1), "square root"),
        ("check_features", lambda G, k: features(G, k, power=0), "eigenvalues are missing"),
        ("check_features", lambda G, k: features(G, k, order=linalg.eigh), "smallest"),
        ("check_features", rotated, "rotation"),
        ("check_features", unclipped, "finite"),
        ("check_features", lambda G, k: features(G, k + 1), "shape"),
        ("check_smallest_rank", lambda G, tol: smallest_rank(G, tol, shift=1), "one more"),
        ("check_smallest_rank", lambda G, tol: smallest_rank(G, tol, shift=-1), "too much"),
        ("check_smallest_rank", lambda G, tol: smallest_rank(G, tol, power=2), "square root|too much"),
        ("check_smallest_rank", by_share, "not their squares|one more|too much"),
        ("check_smallest_rank", by_one, "one eigenvalue|one more"),
        ("check_smallest_rank", lambda G, tol: [1], "should be"),
        ("check_nearest_psd", lambda G, k: rank_trunc(G, k, "eigh"), "negative eigenvalues"),
        ("check_nearest_psd", of_truncation(lambda lam: np.maximum(lam, 0)), "clip first"),
        ("check_nearest_psd", of_truncation(np.abs), "magnitudes"),
        ("check_nearest_psd", lambda G, k: nearest_psd(G, len(G)), "rank above k"),
        ("check_nearest_psd", spoils, "changed"),
        ("check_effective_dimension", lambda G, lam: effective(G, lam, shift=lambda G: 1), "nλ, not λ"),
        ("check_effective_dimension", lambda G, lam: len(G) - effective(G, lam), "n − d"),
        ("check_effective_dimension", lambda G, lam: effective(G, lam, power=2), "squares"),
        (
            "check_effective_dimension",
            lambda G, lam: np.sum(np.linalg.eigvalsh(G) > len(G) * lam),
            "counts",
        ),
    ],
)
def test_a_usual_mistake_is_named(name, wrong, sentence):
    with pytest.raises(AssertionError, match=sentence):
        getattr(exercises, name)(wrong)
