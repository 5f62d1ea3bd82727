"""The self-checks on Nyström's method let right answers pass and tell each usual wrong one what is wrong."""

import numpy as np
import pytest
from scipy import linalg

from kernlib.exercises import nystrom as exercises
from kernlib.psd import inverse_root


def completion(W, K21):
    return K21 @ np.linalg.pinv(W, hermitian=True) @ K21.T


def trace_error(diagonal, C, W):
    Z = C @ inverse_root(W)[0]
    return np.sum(diagonal) - np.sum(Z**2)


def out_of_sample(kernel, X_new, landmarks, k, *, power=-0.5, kept=slice(None, None, -1), W=None):
    sigma, V = linalg.eigh(kernel(landmarks) if W is None else W(kernel, X_new, landmarks))
    kept = np.arange(len(sigma))[kept][:k]
    return kernel(X_new, landmarks) @ (V[:, kept] * sigma[kept] ** power)


def partial_cholesky(G, pivots, *, root=0.5, subtract=True):
    F = np.zeros((len(G), len(pivots)))
    for j, i in enumerate(pivots):
        column = G[:, i] - (F[:, :j] @ F[i, :j] if subtract else 0)
        F[:, j] = column / column[i] ** root
    return F


def loo(Z, y, lam, *, shift=len, divide=True):
    H = Z @ np.linalg.solve(Z.T @ Z + shift(Z) * lam * np.eye(Z.shape[1]), Z.T)
    residuals = y - H @ y
    return residuals / (1 - np.diag(H)) if divide else residuals


RIGHT = {
    "completion": lambda: exercises.check_completion(completion),
    "completion by a cut root": lambda: exercises.check_completion(
        lambda W, K21: (Z := K21 @ inverse_root(W)[0]) @ Z.T
    ),
    "trace": lambda: exercises.check_trace_error(trace_error),
    "trace by a solve": lambda: exercises.check_trace_error(
        lambda diagonal, C, W: diagonal.sum() - np.trace(np.linalg.solve(W, C.T @ C))
    ),
    "new points": lambda: exercises.check_out_of_sample(out_of_sample),
    "new points, signs turned": lambda: exercises.check_out_of_sample(lambda *given: -out_of_sample(*given)),
    "partial Cholesky": lambda: exercises.check_partial_cholesky(partial_cholesky),
    "leave one out": lambda: exercises.check_loo(loo),
}


@pytest.mark.parametrize("case", RIGHT)
def test_a_right_answer_passes_with_one_line(case, capsys):
    RIGHT[case]()
    printed = capsys.readouterr().out
    assert printed.startswith("✓ exercise ") and printed.count("\n") == 1


def changed(function):
    """A right answer that writes over its first argument."""

    def answer(first, *rest):
        result = function(first.copy(), *rest)
        first[:] = 0
        return result

    return answer


WRONG = {
    "completion: W, not its inverse": (
        exercises.check_completion,
        lambda W, K21: K21 @ W @ K21.T,
        "Hint: W stands where its inverse should",
    ),
    "completion: no W": (exercises.check_completion, lambda W, K21: K21 @ K21.T, "Hint: the inverse of W is"),
    "completion: the transpose": (
        exercises.check_completion,
        lambda W, K21: K21.T @ K21,
        r"should have shape \(14, 14\), got \(6, 6\)",
    ),
    "completion: a ridge on W": (
        exercises.check_completion,
        lambda W, K21: K21 @ np.linalg.solve(W + 0.1 * np.eye(len(W)), K21.T),
        "got an entry .* away",
    ),
    "completion: W changed": (
        exercises.check_completion,
        changed(completion),
        "leave its arguments as they were",
    ),
    "trace: of the approximation": (
        exercises.check_trace_error,
        lambda diagonal, C, W: diagonal.sum() - trace_error(diagonal, C, W),
        "Hint: this is the trace of Ĝ",
    ),
    "trace: of a kernel with κ(x, x) = 1": (
        exercises.check_trace_error,
        lambda diagonal, C, W: trace_error(np.ones(len(C)), C, W),
        "Hint: the diagonal of G is 2 here",
    ),
    "trace: the mean": (
        exercises.check_trace_error,
        lambda diagonal, C, W: trace_error(diagonal, C, W) / len(C),
        "Hint: this is the mean over the rows",
    ),
    "trace: relative": (
        exercises.check_trace_error,
        lambda diagonal, C, W: trace_error(diagonal, C, W) / diagonal.sum(),
        "Hint: this is a part of tr G",
    ),
    "trace: row by row": (
        exercises.check_trace_error,
        lambda diagonal, C, W: diagonal - np.sum((C @ inverse_root(W)[0]) ** 2, axis=1),
        r"should have shape \(\), got \(60,\)",
    ),
    "new points: Σ⁻¹": (
        exercises.check_out_of_sample,
        lambda *given: out_of_sample(*given, power=-1),
        "Hint: the power of Σ_k is −1/2, not −1",
    ),
    "new points: Σ^{1/2}": (
        exercises.check_out_of_sample,
        lambda *given: out_of_sample(*given, power=0.5),
        "Hint: the power of Σ_k is −1/2, not 1/2",
    ),
    "new points: V alone": (
        exercises.check_out_of_sample,
        lambda *given: out_of_sample(*given, power=0),
        "Hint: Σ_k.* is missing",
    ),
    "new points: eigh's order": (
        exercises.check_out_of_sample,
        lambda *given: out_of_sample(*given, kept=slice(None)),
        "Hint: these are the smallest eigenvalues",
    ),
    "new points: all columns": (
        exercises.check_out_of_sample,
        lambda kernel, X_new, landmarks, k: out_of_sample(kernel, X_new, landmarks, 9),
        r"should have shape \(15, 4\), got \(15, 9\)",
    ),
    "new points: themselves the landmarks": (
        exercises.check_out_of_sample,
        lambda kernel, X_new, landmarks, k: linalg.cholesky(kernel(X_new) + 1e-9 * np.eye(15), lower=True),
        r"should have shape \(15, 4\), got \(15, 15\)",
    ),
    "Cholesky: nothing subtracted": (
        exercises.check_partial_cholesky,
        lambda G, pivots: partial_cholesky(G, pivots, subtract=False),
        "Hint: from each column subtract",
    ),
    "Cholesky: Nyström's own columns": (
        exercises.check_partial_cholesky,
        lambda G, pivots: G[:, pivots] @ inverse_root(G[np.ix_(pivots, pivots)])[0],
        "lower triangle in the rows of the pivots",
    ),
    "Cholesky: the columns of G": (
        exercises.check_partial_cholesky,
        lambda G, pivots: 2 * G[:, pivots],
        "got an entry .* away",
    ),
    "Cholesky: G changed": (
        exercises.check_partial_cholesky,
        changed(partial_cholesky),
        "leave its arguments as they were",
    ),
    "leave one out: residuals on the data": (
        exercises.check_loo,
        lambda *given: loo(*given, divide=False),
        "Hint: these are the residuals on the data",
    ),
    "leave one out: λ for nλ": (
        exercises.check_loo,
        lambda *given: loo(*given, shift=lambda Z: 1),
        "Hint: the book's λ enters as nλ",
    ),
    "leave one out: (n − 1)λ": (
        exercises.check_loo,
        lambda *given: loo(*given, shift=lambda Z: len(Z) - 1),
        "Hint: each refit keeps the number nλ",
    ),
    "leave one out: the other sign": (
        exercises.check_loo,
        lambda *given: -loo(*given),
        "Hint: the sign is turned",
    ),
    "leave one out: their mean square": (
        exercises.check_loo,
        lambda *given: np.mean(loo(*given) ** 2),
        r"should have shape \(12,\), got \(\)",
    ),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # wrong answers divide by zero
@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_answer_gets_the_sentence_that_fits(case, capsys):
    check, answer, sentence = WRONG[case]
    with pytest.raises(AssertionError, match=sentence) as caught:
        check(answer)
    assert "\n" not in str(caught.value) and capsys.readouterr().out == ""
