"""NystromRidge by conjugate gradients: the direct solution, without C or ZᵀZ in memory."""

import numpy as np
import pytest
import samples
from samples import data, peak_bytes
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

import kernlib.nystrom.falkon
from kernlib.kernels import Gaussian, Laplace, Linear, Matern, Polynomial
from kernlib.nystrom import NystromRidge

KERNELS = [Gaussian(0.3), Laplace(0.2), Matern(1.5, 2.0), 2 * Gaussian(0.1) + Polynomial(2, 1.0)]
EXACT = {"solver": "cg", "tol": 1e-13, "verbose": False}


def targets(n, outputs=()):
    return samples.targets(n, outputs) + 3


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_steps_lead_to_the_direct_solution_with_weights_and_several_outputs(p, kernel, fit_intercept):
    X, new = data(700, p), data(9, p, 1)  # two blocks of rows and more
    for outputs, weights in [((), None), ((3,), np.random.default_rng(2).integers(0, 4, 700)), ((1,), None)]:
        y = targets(700, outputs)
        direct = NystromRidge(
            kernel, n_components=15, lam=0.01, fit_intercept=fit_intercept, random_state=3, solver="direct"
        ).fit(X, y, weights)
        by_steps = clone(direct).set_params(**EXACT).fit(X, y, weights)
        np.testing.assert_allclose(by_steps.predict(new), direct.predict(new), atol=1e-8)
        np.testing.assert_allclose(by_steps.intercept_, direct.intercept_, atol=1e-8)
        assert by_steps.rank_ == direct.rank_ and by_steps.residual_ <= 1e-13
        assert by_steps.intercept_.shape == outputs


def test_the_predictions_are_off_by_about_tol_times_the_targets(p):
    X, y = data(400, p), targets(400)
    direct = NystromRidge(Laplace(0.5), n_components=100, lam=1e-3, random_state=0, solver="direct").fit(X, y)
    for tol in (1e-2, 1e-4, 1e-6):
        model = clone(direct).set_params(solver="cg", tol=tol).fit(X, y)
        off = np.linalg.norm(model.predict(X) - direct.predict(X))
        assert off <= 4 * tol * np.linalg.norm(y)  # the matrix is near I, not equal to it


def test_in_float32_both_ways_leave_out_the_same_landmarks():
    X, y = data(500, 6, dtype=np.float32), targets(500)
    by_steps, direct = (
        NystromRidge(Gaussian(0.01), landmarks=X[:300], lam=1e-3, solver=solver, verbose=False).fit(X, y)
        for solver in ("cg", "direct")
    )
    assert by_steps.rank_ == direct.rank_ < 300


def test_copies_of_landmarks_are_left_out_and_change_nothing():
    X, y, new = data(200, 3), targets(200), data(9, 3, 1)
    once = NystromRidge(Laplace(0.5), landmarks=X[:10], lam=0.01, solver="direct").fit(X, y)
    twice = NystromRidge(Laplace(0.5), landmarks=X[[*range(10), *range(10)]], lam=0.01, **EXACT).fit(X, y)
    assert twice.rank_ == 10
    np.testing.assert_allclose(twice.predict(new), once.predict(new), atol=1e-9)


def test_the_memory_is_that_of_a_few_blocks_and_of_the_landmarks(two_threads):
    X, y = data(50_000, 2), targets(50_000)
    model = NystromRidge(Laplace(1.0), n_components=500, lam=1e-3, random_state=0, tol=0.1)
    models = [clone(model).set_params(solver=solver) for solver in ("direct", "cg")]
    peaks = [peak_bytes(lambda model=model: model.fit(X, y)) for model in models]
    # bytes: numbers for each row and column, matrices (c, c), and blocks of both threads; C would take 200 MB
    assert peaks[1] < 100 * 50_000 + 4 * 8 * 500**2 + 2 * 6 * 8 * 504**2
    assert peaks[1] < peaks[0]


def test_too_few_steps_give_a_warning_with_the_residual(monkeypatch):
    monkeypatch.setattr(kernlib.nystrom.falkon, "MAX_STEPS", 2)
    model = NystromRidge(Laplace(1.0), n_components=50, lam=1e-6, random_state=0, **EXACT)
    with pytest.warns(ConvergenceWarning, match=r"residual is .* after 2 steps, not 1e-13") as caught:
        model.fit(data(300, 2), targets(300))
    assert caught[0].filename == __file__ and model.residual_ > 1e-13 and model.n_iter_ == 2


def test_the_solver_is_chosen_by_counted_operations_and_a_rank_is_computed_directly(p, monkeypatch):
    X, y = data(100, p), targets(100)
    model = NystromRidge(n_components=10, lam=0.1, random_state=0)
    for crossing, by_steps in [(11, False), (9, True)]:
        monkeypatch.setattr(kernlib.nystrom.falkon, "STEPS", crossing / (p + kernlib.nystrom.falkon.ENTRY))
        assert hasattr(clone(model).fit(X, y), "residual_") == by_steps
        assert not hasattr(clone(model).set_params(rank=5).fit(X, y), "residual_")


def test_lambda_is_chosen_by_leave_one_out_with_some_of_the_landmarks(monkeypatch):
    monkeypatch.setattr("kernlib.nystrom.ridge.SAMPLE", 7)
    X, y = data(80, 2), targets(80)
    for lam in ("auto", [1e-3, 1.0]):
        model = NystromRidge(Laplace(0.5), n_components=20, lam=lam, random_state=0, **EXACT).fit(X, y)
        fewer = NystromRidge(Laplace(0.5), landmarks=model.components_[::3], lam=lam).fit(X, y)
        assert len(model.landmark_coef_) == 20 and model.lam_ == fewer.lam_
        np.testing.assert_array_equal(model.loo_errors_, fewer.loo_errors_)


def test_the_landmarks_alone_make_the_steps_few():
    X, y = data(5000, 5), targets(5000)
    weights = {"weights": np.ones(5000), "landmark_weights": np.ones(400)}
    options = {"lam": 1e-3, "tol": 1e-8, "fit_intercept": True, "verbose": False} | weights
    *_, residuals, _ = kernlib.nystrom.falkon.falkon(X, y[:, None], X[:400], Laplace(0.5), **options)
    assert len(residuals) < 30  # as a condition number of 4 allows; without the preconditioner it is over 100


def test_bad_arguments_raise_one_sentence():
    X, y = data(5, 2), targets(5)
    for parameters, sentence in [
        ({"solver": "falkon"}, "solver must be one of 'auto', 'direct', 'cg', got 'falkon'"),
        ({"solver": "cg", "rank": 2}, "rank must be None for solver='cg', got 2"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            NystromRidge(Linear(), n_components=3, **parameters).fit(X, y)
