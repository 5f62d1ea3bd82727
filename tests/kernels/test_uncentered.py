"""What is built on Gram matrices, of data that are neither centered nor scaled, against numpy on exact ones.

Entries are off by τ, so that G is off by nτ in norm; each tolerance is that, times what follows amplifies it
by. Sums of 7 products round by less than τ.
"""

import warnings
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from uncentered import DTYPES, FAMILIES, TOLERANCE, exact_gram, hard_data

from kernlib.kernel_pca import KernelPCA, center_gram
from kernlib.nystrom import NystromFeatures, NystromRidge
from kernlib.nystrom.landmarks import LANDMARK_RULES, leverage_scores, select_landmarks
from kernlib.ridge import KernelRidge, conjugate_gradients
from kernlib.ridge.conjugate_gradients import conjugate_ridge
from kernlib.ridge.direct import WeightedProblem

pytestmark = pytest.mark.filterwarnings("error")
LAM = 0.01
CG_TOL = 1e-8


@st.composite
def problems(draw):
    """A kernel, rows that are hard for it, its exact Gram matrix, targets, and τ."""
    dtype = draw(st.sampled_from(DTYPES))
    X, unit = draw(hard_data(dtype))
    family = draw(st.sampled_from(["Gaussian", "Laplace", "Matern(1.5)"]))
    kernel = FAMILIES[family](draw(st.sampled_from([0.1, 0.5, 1.0, 3.0])) / unit)
    y = np.random.default_rng(draw(st.integers(0, 99))).normal(size=len(X))
    return kernel, X, exact_gram(kernel, X, X), y, TOLERANCE[dtype]


def few(test):
    return settings(max_examples=40, deadline=None)(given(problems())(test))


def independent(G):
    """Rows whose features are far from the span of those before: no pivot of Cholesky's is below ¼."""
    chosen, rest = [], G
    while (pivot := rest.diagonal().argmax()) not in chosen and rest[pivot, pivot] > 0.25:
        chosen.append(pivot)
        rest = G - G[:, chosen] @ np.linalg.solve(G[np.ix_(chosen, chosen)], G[chosen])
    return chosen


def nystrom_truth(G, rows, tau):
    """C W⁻¹ Cᵀ, and by how much it may be off: C W^{−1/2} by √(nc) τ/√σ, W⁻¹ between them by cτ/σ."""
    n, c = len(G), len(rows)
    C, W = G[:, rows], G[np.ix_(rows, rows)]
    least = np.linalg.eigvalsh(W)[0]
    truth = C @ np.linalg.solve(W, C.T)
    return truth, 2 * np.sqrt(n * n * c / least) * tau + n * c * tau / least


@few
def test_kernel_ridge_is_right_by_either_solver(problem):
    kernel, X, G, y, tau = problem
    n = len(X)
    alpha = np.linalg.solve(G + n * LAM * np.eye(n), y)
    # Gα is off by nτ‖α‖ itself, and by ‖G δα‖ ≤ nτ‖α‖, δα = (G + nλI)⁻¹ δG α
    allowed = 2 * n * tau * np.linalg.norm(alpha)
    direct = KernelRidge(kernel, lam=LAM, solver="direct", fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(direct.predict(X), G @ alpha, rtol=0, atol=allowed)
    stopped = CG_TOL * np.linalg.norm(y)  # ‖G (G + nλI)⁻¹ r‖ ≤ ‖r‖
    cg = KernelRidge(kernel, lam=LAM, solver="cg", tol=CG_TOL, random_state=0, fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(cg.predict(X), G @ alpha, rtol=0, atol=allowed + stopped)
    plain = WeightedProblem(y, None, False)
    points = X.astype(np.float64)
    with mock.patch.object(conjugate_gradients, "LANDMARKS", 1.5 / np.sqrt(n)):  # so c = 2
        few_landmarks, *_ = conjugate_ridge(points, kernel, plain, lam=LAM, tol=CG_TOL, random_state=0)
    exact = n * TOLERANCE[np.float64] * np.linalg.norm(alpha)  # which computes in float64
    np.testing.assert_allclose(few_landmarks, alpha, rtol=0, atol=(exact + stopped) / (n * LAM))


@few
def test_nystrom_features_give_the_formula(problem):
    kernel, X, G, _, tau = problem
    rows = independent(G)
    truth, allowed = nystrom_truth(G, rows, tau)
    for landmarks in (X[rows], X[[*rows, rows[0]]]):  # twice the same adds nothing
        Z = NystromFeatures(kernel, landmarks=landmarks).fit(X).transform(X)
        np.testing.assert_allclose(Z @ Z.T, truth, rtol=0, atol=allowed)


@few
def test_nystrom_features_of_any_landmarks_never_explode(problem):
    kernel, X, _, _, tau = problem
    n, Z = len(X), NystromFeatures(kernel, landmarks=X).fit(X).transform(X)
    # a row of C is off by √n τ, and M at most 1/√(cut), cut = nε: ‖z‖ ≤ 1 up to that
    assert np.linalg.norm(Z, axis=1).max() <= 1 + np.sqrt(n) * tau / np.sqrt(n * np.finfo(X.dtype).eps)


@few
def test_nystrom_ridge_is_right(problem):
    kernel, X, G, y, tau = problem
    n, rows = len(X), independent(G)
    truth, off = nystrom_truth(G, rows, tau)
    alpha = np.linalg.solve(truth + n * LAM * np.eye(n), y)
    a = np.linalg.solve(G[np.ix_(rows, rows)], G[rows] @ alpha)
    # f = y − nλα is off by ‖δĜ‖‖α‖; f = Ca, computed from another C, by √(nc) τ‖a‖; a, rounded, by as much
    allowed = off * np.linalg.norm(alpha) + 2 * np.sqrt(n * len(rows)) * tau * np.linalg.norm(a)
    model = NystromRidge(kernel, landmarks=X[rows], lam=LAM, fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(model.predict(X), truth @ alpha, rtol=0, atol=allowed)


@few
def test_kernel_pca_holds_all_inner_products_and_projects_a_row_as_it_was(problem):
    kernel, X, G, _, tau = problem
    n, pca = len(X), KernelPCA(kernel, n_components=len(X))
    with warnings.catch_warnings():  # rightly, where all rows are rounded to one
        warnings.filterwarnings("ignore", "No component exceeds the rounding errors")
        Z = pca.fit_transform(X)
    # δG is nτ in norm, once in HGH and once in the negative eigenvalues that it makes and that count as zero
    np.testing.assert_allclose(Z @ Z.T, center_gram(G), rtol=0, atol=2 * n * tau)
    kept = pca.rank_
    off = np.abs(pca.transform(X) - Z)[:, :kept]
    # κ(x, X) − ḡ is off by 2√n τ from G's row, and from the exact one; α has length λ^{−1/2}
    assert (off <= 4 * np.sqrt(n) * tau / np.sqrt(pca.eigenvalues_[:kept])).all()


@pytest.mark.parametrize("rule", LANDMARK_RULES)
@few
def test_landmarks_are_found_whatever_the_center_and_scale(rule, problem):
    kernel, X, _, _, _ = problem
    with warnings.catch_warnings():  # rightly of k-means, where all rows but an outlier are as good as one
        warnings.simplefilter("ignore", ConvergenceWarning)
        points, rows = select_landmarks(X, 3, method=rule, kernel=kernel, random_state=0)
    assert points.shape == (3, X.shape[1]) and points.dtype == X.dtype and np.isfinite(points).all()
    if rows is not None:
        np.testing.assert_array_equal(points, X[rows])
        assert rule == "uniform-replace" or len(set(rows)) == 3


@few
def test_leverage_scores_from_all_rows_are_right(problem):
    kernel, X, G, _, _ = problem
    n, c = len(X), 4
    scores = leverage_scores(X, c, kernel, np.random.default_rng(0))
    assert scores.min() > 0 and scores.max() <= 1
    rho = np.linalg.eigvalsh(G)[: n - c].sum() / c
    if rho > 0.01:
        truth = np.diag(G @ np.linalg.inv(G + rho * np.eye(n)))
        # ρℓ = [G − G(G + ρI)⁻¹G]ᵢᵢ, where G(G + ρI)^{−1/2} is off by √n nτ/√ρ times √n, and ρ by nτ
        allowed = (4 * n * n / np.sqrt(rho) + 2 * n) * TOLERANCE[np.float64] / rho
        np.testing.assert_allclose(scores, truth, rtol=0, atol=allowed)
