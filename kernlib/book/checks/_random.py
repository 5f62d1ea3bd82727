"""Check functions that draw at random: their seeds, means over many draws, and feature maps of two sets.

A feature map is called as ``function(X_train, X_test, c=…, gamma=…, random_state=…)``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from kernlib.book.checks._check import Answer
from kernlib.book.checks._compare import describe_case, expect, expect_numbers, format_apart
from kernlib.kernels import Gaussian, Laplace

__all__ = [
    "GAUSSIAN_MISTAKES",
    "Averages",
    "average_cosine",
    "average_gram",
    "explain_inexact",
    "explain_power",
    "gaussian",
    "map_both",
    "map_rows",
    "measure_loss",
    "seeded",
]

SHARED = 10  # rows that are in both sets, and must get the same features


@dataclass(frozen=True)
class Averages:
    """Expect means over many draws within a bound, six standard errors, of the right ones."""

    what: str
    right: Callable[..., np.ndarray]
    cases: Iterable[tuple]
    average: Callable[..., np.ndarray]  # from the student's function and a case to the means
    bound: float
    mistakes: Mapping[str, Callable[..., np.ndarray]]  # from a case to the means
    otherwise: Callable[[Callable[..., Any]], str] = lambda function: ""  # from the function to a hint

    def __call__(self, function: Callable[..., Any]) -> None:
        averages = [(case, self.average(function, *case)) for case in self.cases]

        def are_near(means):
            return [np.abs(found - means(*case)).max() <= self.bound for case, found in averages]

        holds = are_near(self.right)
        if not all(holds):
            case, found = averages[holds.index(False)]
            right = self.right(*case)
            worst = np.unravel_index(np.abs(found - right).argmax(), found.shape)
            wanted, got = format_apart(right[worst], found[worst])
            what = describe_case(self.right, case) + self.what
            fits = [hint for hint, means in self.mistakes.items() if all(are_near(means))]
            sentence = f"{what} should be within {self.bound:.2g} of {wanted}, got {got}."
            expect(False, sentence, fits[0] if fits else self.otherwise(function))


def seeded(what: str, draw: Callable[[Answer, int], Any]) -> Callable[[Answer], None]:
    """Make a step: `draw(function, seed)` should be decided by its seed."""

    def is_seeded(function):
        first, again, other = (draw(function, seed) for seed in (0, 0, 1))
        hint = "draw from np.random.default_rng(random_state), not from np.random itself"
        same = f"The same random_state should give the same {what}."
        expect(np.allclose(first, again, atol=1e-6), same, hint if function.drew_globally else "")
        differs = not np.allclose(first, other, atol=1e-6)
        expect(differs, f"Another random_state should give other {what}.", "is the seed a constant?")

    return is_seeded


def average_cosine(Omega: object, delta: np.ndarray, columns: int) -> np.ndarray:
    """Average cos ωᵀδ over the columns ω of Ω, after checking its shape."""
    Omega = expect_numbers("Ω", Omega, (delta.shape[1], columns))
    return np.cos(delta @ Omega).mean(axis=1)


def map_both(
    function: Callable[..., Any], X_train: np.ndarray, X_test: np.ndarray, **parameters: Any
) -> Sequence[Any]:
    """Map two sets in one call, and expect two sets of features."""
    found = function(X_train, X_test, **parameters)
    is_pair = (isinstance(found, tuple | list) or np.ndim(found) == 3) and len(found) == 2
    sentence = f"The function should return Z_train and Z_test, got {type(found).__name__}."
    expect(is_pair, sentence, "one call maps both sets")
    return found


def map_rows(function: Callable[..., Any], X: np.ndarray, *, columns: int, **parameters: Any) -> np.ndarray:
    """Give the features of X, after checking that rows in both sets get the same."""
    X_test = np.concatenate([X[:SHARED], X[: len(X) // 2] + 1])
    Z_train, Z_test = map_both(function, X, X_test, random_state=0, **parameters)
    Z_train = expect_numbers("Z_train", Z_train, (len(X), columns))
    Z_test = expect_numbers("Z_test", Z_test, (len(X_test), columns))
    expect(
        np.allclose(Z_train[:SHARED], Z_test[:SHARED], atol=1e-4 if Z_train.dtype == np.float32 else 1e-6),
        "A row that is in both sets should have the same features in both, got different ones.",
        "do both sets use the same draws?",
    )
    return Z_train.astype(float)


def average_gram(function: Callable[..., Any], gamma: float, X: np.ndarray, *, columns: int) -> np.ndarray:
    """Compute ZZᵀ from many random columns."""
    Z = map_rows(function, X, columns=columns, c=columns, gamma=gamma)
    return Z @ Z.T


def gaussian(gamma: float, X: np.ndarray) -> np.ndarray:
    """Compute the Gram matrix of the Gaussian kernel."""
    return Gaussian(gamma)(X)


def half_normal(gamma, X):
    """Compute the mean of cos ωᵀδ for ω = |𝒩(0, 2γI)|."""
    delta = X[:, None] - X
    waves = np.exp(-gamma * delta**2) + 2j / np.sqrt(np.pi) * special.dawsn(np.sqrt(gamma) * delta)
    return np.prod(waves, axis=2).real


def uniform(gamma, X):
    """Compute the mean of cos ωᵀδ for ω uniform on [−√(2γ), √(2γ)]ᵖ."""
    return np.prod(np.sinc(np.sqrt(2 * gamma) * (X[:, None] - X) / np.pi), axis=2)


GAUSSIAN_MISTAKES = {
    "the frequencies seem to have half their variance": lambda gamma, X: gaussian(gamma / 2, X),
    "the frequencies seem to have twice their variance": lambda gamma, X: gaussian(2 * gamma, X),
    "2γ is the variance, not the standard deviation": lambda gamma, X: gaussian(2 * gamma**2, X),
    "the frequencies have the variance 2γ, not 1/(2γ)": lambda gamma, X: gaussian(1 / (4 * gamma), X),
    "γ is ignored: the frequencies are 𝒩(0, I)": lambda gamma, X: gaussian(0.5, X),
    "γ is ignored: the frequencies are 𝒩(0, 2I)": lambda gamma, X: gaussian(1, X),
    "use the γ that is passed, not 1/p": lambda gamma, X: gaussian(1 / X.shape[1], X),
    "the frequencies are half-normal: keep the signs of the normal numbers": half_normal,
    "the frequencies are Cauchy; those of the Gaussian kernel are normal": lambda gamma, X: Laplace(gamma)(X),
    "the frequencies are uniform; those of the Gaussian kernel are normal": uniform,
}


def measure_loss(function: Callable[..., Any], X: np.ndarray, *, c: int, k: int, gamma: float) -> np.ndarray:
    """Compute the diagonal of G − ZZᵀ for Nyström's features, which leave no negative eigenvalue."""
    Z = map_rows(function, X, columns=k, c=c, k=k, gamma=gamma)
    residual = gaussian(gamma, X) - Z @ Z.T
    least = np.linalg.eigvalsh(residual)[0]
    if least <= -1e-4:  # W may be in float32
        expect(
            False, f"G − ZZᵀ should have no negative eigenvalue, got {least:.3g}.", explain_power(function)
        )
    return np.diag(residual)


def map_heaps(function, distance):
    """Map two heaps of 30 equal points at a distance, by 20 landmarks, and give a row of each."""
    X = np.repeat([[0.0, 0.0], [distance, 0.0]], 30, axis=0)
    return np.asarray(map_both(function, X, X[::6], c=20, k=2, gamma=1.0, random_state=0)[0], float)[[0, -1]]


def explain_power(function: Callable[..., Any]) -> str:
    """Say what is wrong with M_k = V_kΣ_k^(−1/2), from the features of two heaps far apart.

    If m of the c landmarks are in the first heap and c − m in the second, these are the eigenvalues of W, and
    a row of the first heap has the squared length m^(1 + 2·power).
    """
    c, squares = 20, np.sum(map_heaps(function, 50.0) ** 2, axis=1)
    for exponent, power in ((-1, "−1"), (1, "0"), (2, "1/2"), (-3, "−2")):
        with np.errstate(all="ignore"):
            m = np.sum(squares ** (1 / exponent))
        if np.isclose(m, c, rtol=1e-4):
            return f"the power of Σ_k in M_k is −1/2, and yours seems to be {power}"
    sums = [[n / m, (2 - n) / (c - m)] for n in (0, 1, 2) for m in range(1, c)]  # over two landmarks only
    if any(np.allclose(np.sqrt(squares), lengths, atol=1e-4) for lengths in sums):
        return "M_k needs the first k columns of V, with all c rows: V[:, :k], not V[:k, :k]"
    if np.allclose(squares, 1, atol=1e-4):
        return "is γ the one given, in W as in κ(x, landmarks)? Is nothing divided by rounding error?"
    return "use the k largest eigenvalues of W, and invert their square roots"


def explain_inexact(function: Callable[..., Any]) -> str:
    """Say why the kernel is not exact at the landmarks, from the features of two heaps close together."""
    first, last = map_heaps(function, 0.001)  # the smaller eigenvalue is 5e-7 of the other
    if np.sum((first - last) ** 2) < 1e-6:  # ‖φ(x) − φ(x′)‖² = 2(1 − κ) = 2e-6
        return "the cut of small eigenvalues is too coarse: drop only those that are rounding error"
    return "are the landmarks rows of X_train?"
