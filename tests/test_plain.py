"""The plain algorithms run by themselves, and kernlib's fast ones compute the same."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import kernlib
from kernlib import plain
from kernlib.fourier import FourierFeatures
from kernlib.kernel_pca import KernelPCA
from kernlib.kernels import Gaussian
from kernlib.low_rank import rank_trunc
from kernlib.nystrom import NystromFeatures, NystromRidge
from kernlib.ridge import KernelRidge, dual_ridge, primal_ridge, ridge_path
from kernlib.streaming import ridge_statistics
from kernlib.strings import AllSubsequences, all_subsequences

ROOT = Path(__file__).resolve().parents[1]
GAMMA, LAM = 0.4, 1e-2


@pytest.fixture(params=[1, 2, 5, 22])
def X(request):
    return np.random.default_rng(request.param).normal(size=(40, request.param))


@pytest.fixture
def y(X):
    return np.sin(2 * X[:, 0]) + X[:, -1]


@pytest.fixture
def G(X):
    return plain.gaussian(X, X, GAMMA)


def test_the_file_runs_alone_and_all_its_statements_hold(tmp_path):
    copy = tmp_path / "plain.py"
    copy.write_bytes((ROOT / "kernlib" / "plain.py").read_bytes())
    program = [sys.executable, "-X", "importtime", copy]
    run = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=True)
    assert re.fullmatch("(✓ .+\n){11}", run.stdout)
    assert not re.search(r"\| +(kernlib|sklearn|matplotlib)\b", run.stderr)


def test_the_file_is_an_evenings_reading_and_its_page_shows_all_of_it():
    source = (ROOT / "kernlib" / "plain.py").read_text(encoding="utf-8")
    page = (ROOT / "chapters" / "plain.ipynb").read_text(encoding="utf-8")
    assert source.count("\n") <= 250
    assert sorted(re.findall(r":pyobject: (\w+)", page)) == plain.__all__


def test_the_gram_matrix_is_the_double_loop(X, G):
    loop = plain.gram(lambda x, z: np.exp(-GAMMA * np.sum((x - z) ** 2)), X, X)
    np.testing.assert_allclose(G, loop, rtol=1e-13)
    np.testing.assert_allclose(Gaussian(GAMMA)(X), G, atol=1e-12)


def test_ridge_regression_agrees(X, G, y):
    alpha = plain.dual_ridge(G, y, LAM)
    np.testing.assert_allclose(dual_ridge(G, y, lam=LAM), alpha, atol=1e-10)
    np.testing.assert_allclose(primal_ridge(X, y, lam=LAM), plain.primal_ridge(X, y, LAM), atol=1e-10)
    path = ridge_path(G, y, lams=[LAM])
    np.testing.assert_allclose(path.loo_residuals[0], plain.leave_one_out(G, y, LAM), atol=1e-10)


def test_conjugate_gradients_agree_with_and_without_a_preconditioner(X, G, y):
    def multiply(v):
        return G @ v + len(y) * LAM * v

    alpha = plain.dual_ridge(G, y, LAM)
    size = np.linalg.norm(alpha)
    inverse = 1 / np.diag(multiply(np.eye(len(y))))
    model = KernelRidge(Gaussian(GAMMA), lam=LAM, solver="cg", tol=1e-12, fit_intercept=False)
    for solution in (
        plain.conjugate_gradients(multiply, y, 1e-12),
        plain.conjugate_gradients(multiply, y, 1e-12, lambda r: inverse * r),
        model.fit(X, y).dual_coef_,
    ):
        np.testing.assert_allclose(solution, alpha, atol=1e-9 * size)


@pytest.mark.parametrize("k", [1, 7, 40])
def test_rank_truncation_agrees_for_indefinite_matrices_too(G, k):
    G = G - 0.2
    np.testing.assert_allclose(rank_trunc(G, k), plain.rank_truncation(G, k), atol=1e-10)


@pytest.mark.parametrize("form", ["cos-sin", "cos-phase"])
def test_random_features_agree(X, form):
    fitted = FourierFeatures(Gaussian(GAMMA), n_components=64, form=form, random_state=0).fit(X)
    frequencies = fitted.frequencies_
    expected = plain.pair_features(X, frequencies)
    if form == "cos-phase":
        expected = plain.phase_features(X, frequencies, fitted.phases_)
    np.testing.assert_allclose(fitted.transform(X), expected, atol=1e-12)


@pytest.mark.parametrize("k", [3, 12])
def test_nystrom_agrees_on_training_and_new_rows(X, k):
    landmarks, kernel = X[::3], Gaussian(GAMMA)
    fitted = NystromFeatures(kernel, rank=k, landmarks=landmarks).fit(X)
    Z = plain.nystrom_features(kernel(X, landmarks), kernel(landmarks), k)
    ours = fitted.transform(X)
    np.testing.assert_allclose(ours @ ours.T, Z @ Z.T, atol=1e-9)


def test_nystrom_cuts_at_the_precision_of_its_input(X):
    landmarks = np.tile(X[:10], (2, 1))  # each twice: at most ten directions
    C, W = (plain.gaussian(rows, landmarks, GAMMA).astype(np.float32) for rows in (X, landmarks))
    assert plain.nystrom_features(C, W, 20).shape[1] <= 10


def test_the_block_form_is_the_features_up_to_a_rotation(X):
    G = plain.gaussian(X, X, 5.0)  # narrow, so that W is well conditioned for p = 1 too
    Z = plain.nystrom_features(G[:, :6], G[:6, :6], 6)
    blocks = plain.nystrom_blocks(G, 6)
    np.testing.assert_allclose(blocks @ blocks.T, Z @ Z.T, atol=1e-9)
    np.testing.assert_allclose((Z @ Z.T)[:6], G[:6], atol=1e-9)


def test_pivoted_cholesky_is_nystroms_approximation_on_different_pivots(G):
    pivots, F = plain.pivoted_cholesky(G, 10, np.random.default_rng(0))
    Z = plain.nystrom_features(G[:, pivots], G[np.ix_(pivots, pivots)], 10)
    assert len(set(pivots)) == 10
    np.testing.assert_allclose(F @ F.T, Z @ Z.T, atol=1e-9)


def test_falkon_agrees_and_solves_its_equations(X, y):
    kernel, landmarks = Gaussian(5.0), X[:6]  # narrow, as above
    C, W = kernel(X, landmarks), kernel(landmarks)
    a = plain.falkon(C, W, y, LAM, 1e-13)
    np.testing.assert_allclose(a, np.linalg.solve(C.T @ C + 40 * LAM * W, C.T @ y), atol=1e-9)
    fast = NystromRidge(kernel, landmarks=landmarks, lam=LAM, solver="cg", tol=1e-13, fit_intercept=False)
    np.testing.assert_allclose(fast.fit(X, y).landmark_coef_, a, atol=1e-9)


def test_kernel_pca_agrees_on_training_and_new_rows(X, G):
    new = X[:9] + 0.1
    alpha, eigenvalues = plain.kernel_pca(G, 4)
    fitted = KernelPCA(Gaussian(GAMMA), n_components=4).fit(X)
    np.testing.assert_allclose(fitted.eigenvalues_, eigenvalues, rtol=1e-9)
    for rows in (X, new):
        expected = plain.project(plain.gaussian(rows, X, GAMMA), G, alpha)
        signs = np.sign(np.sum(expected * fitted.transform(rows), axis=0))
        np.testing.assert_allclose(fitted.transform(rows) * signs, expected, atol=1e-8)


@pytest.mark.parametrize(("s", "t"), [("", "ab"), ("ab", "abab"), ("banana", "ananas"), ("aaaa", "aaaa")])
@pytest.mark.parametrize("weight", [1, 0.5])
def test_the_all_subsequences_kernel_agrees(s, t, weight):
    value = plain.count_pairs(s, t, weight)
    table = plain.subsequence_table(s, t, weight)
    assert table[-1][-1] == pytest.approx(value)
    assert all_subsequences(s, t, weight=weight) == pytest.approx(value)
    assert AllSubsequences(weight)([s], [t])[0, 0] == pytest.approx(value)


def test_sums_over_blocks_agree_however_the_rows_are_cut(X, y):
    fitted = FourierFeatures(Gaussian(GAMMA), n_components=8, random_state=0).fit(X)
    whole = ridge_statistics(fitted, X, y)
    n, gram_sum, moment = plain.add_up([(X[:7], y[:7]), (X[7:], y[7:])], fitted.transform)
    assert n == whole.n
    np.testing.assert_allclose(gram_sum, whole.gram, atol=1e-11)
    np.testing.assert_allclose(moment, whole.moment, atol=1e-11)
    np.testing.assert_allclose(plain.solve_sums(n, gram_sum, moment, LAM), whole.solve(lam=LAM), atol=1e-10)


def test_public_names_come_from_kernlib_itself_and_show_in_tab_completion():
    for name in kernlib.__all__:
        assert getattr(kernlib, name) is not None
    assert set(kernlib.__all__) <= set(dir(kernlib))
    with pytest.raises(AttributeError, match=r"kernlib.*'Gausian'"):
        kernlib.Gausian  # noqa: B018


def test_importing_kernlib_loads_no_library():
    code = "import sys, kernlib; dir(kernlib); print('numpy' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
