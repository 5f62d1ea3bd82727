"""The intercept, the weights of observations and the choice of λ, in all estimators of ridge regression."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import FunctionTransformer

from kernlib.kernels import Gaussian, Laplace, Linear
from kernlib.numerics.regularization import row_keys
from kernlib.nystrom import NystromFeatures, NystromRidge
from kernlib.ridge import KernelRidge, ridge_path
from kernlib.streaming import StreamingRidge

KERNEL, N = Gaussian(0.3), 40
QUIET = {"verbose": False}
ESTIMATORS = {
    "direct": lambda **options: KernelRidge(KERNEL, solver="direct", **options),
    "cg": lambda **options: KernelRidge(KERNEL, solver="cg", tol=1e-13, random_state=0, **QUIET, **options),
    "nystrom": lambda **options: NystromRidge(KERNEL, n_components=500, **QUIET, **options),
    "streaming": lambda **options: StreamingRidge(
        NystromFeatures(KERNEL, n_components=500), **QUIET, **options
    ),
}
CHOOSING = {name: make for name, make in ESTIMATORS.items() if name != "cg"}
pytestmark = pytest.mark.filterwarnings("ignore:n_components is", "ignore:Without their mean")


def problem(seed=0, n=N, q=()):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = (np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=(*q, n))).T + 100
    return X, y, rng.integers(0, 4, n).astype(float)


def bordered(G, y, s, lam):
    """Solve the equations of α and b: (G + Sλ diag(1/s))α + b1 = y and 1ᵀα = 0."""
    ones = np.ones((len(G), 1))
    A = np.block([[G + s.sum() * lam * np.diag(1 / s), ones], [ones.T, np.zeros((1, 1))]])
    solution = np.linalg.solve(A, np.concatenate([y, np.zeros((1, *y.shape[1:]))]))
    return solution[:-1], solution[-1]


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("name", CHOOSING)
def test_auto_tries_up_to_ten_times_the_mean_of_the_kernel_without_the_constant(name, fit_intercept):
    X, y, _ = problem()
    model = CHOOSING[name](lam="auto", fit_intercept=fit_intercept).fit(X, y)
    assert model.lams_[-1] == pytest.approx(10, rel=1e-9)  # κ(x, x) = 1


@pytest.mark.parametrize("q", [(), (2,)])
@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_solution_is_that_of_the_bordered_equations(name, q):
    X, y, s = problem(q=q)
    s = s + 0.5
    alpha, b = bordered(KERNEL(X), y, s, 1e-3)
    model = ESTIMATORS[name](lam=1e-3).fit(X, y, s)
    new = problem(1)[0]
    np.testing.assert_allclose(model.predict(new), KERNEL(new, X) @ alpha + b, rtol=1e-9)
    np.testing.assert_allclose(model.intercept_, b, rtol=1e-9)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_weight_counts_a_row_several_times_and_zero_leaves_it_out(name):
    X, y, s = problem()
    repeated = np.repeat(np.arange(N), s.astype(int))
    weighted = ESTIMATORS[name](lam=1e-3).fit(X, y, s)
    copies = ESTIMATORS[name](lam=1e-3).fit(X[repeated], y[repeated])
    np.testing.assert_allclose(weighted.predict(X), copies.predict(X), rtol=1e-9)
    if name != "streaming":
        rows = weighted.components_ if name == "nystrom" else weighted.X_fit_
        assert len(rows) == np.count_nonzero(s)
        equal, none = (ESTIMATORS[name](lam=1e-3).fit(X, y, weight) for weight in (2.0, None))
        np.testing.assert_allclose(equal.predict(X), none.predict(X), rtol=1e-9)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_shift_of_y_shifts_the_intercept_alone_also_in_float32(name):
    X, y, _ = problem()
    X = X.astype(np.float32)
    near, far = (ESTIMATORS[name](lam=1e-3).fit(X, y + shift) for shift in (-100, 1e6))
    moved = far.predict(X.astype(float)) - 1e6 - 100
    assert np.abs(moved - near.predict(X.astype(float))).max() < 0.2  # float32 at 10⁶ has steps of 1/16
    assert far.intercept_ - 1e6 - 100 == pytest.approx(near.intercept_, abs=0.07)


def test_leave_one_out_with_intercept_and_weights_is_that_of_the_refits():
    X, y, s = problem()
    s += 0.5
    path = ridge_path(KERNEL(X), y, lams=[1e-3, 0.1], fit_intercept=True, sample_weight=s)
    for number, lam in enumerate(path.lams):
        refits = []
        for i in range(N):
            rest = np.arange(N) != i
            same = lam * s.sum() / s[rest].sum()  # the refit has the same Sλ
            refit = KernelRidge(KERNEL, lam=same).fit(X[rest], y[rest], s[rest])
            refits.append(y[i] - refit.predict(X[[i]])[0])
        np.testing.assert_allclose(path.loo_residuals[number], refits, rtol=1e-8)
        expected = KernelRidge(KERNEL, lam=lam).fit(X, y, s)
        np.testing.assert_allclose(path.fitted[number], expected.predict(X), rtol=1e-12)
        assert path.intercept[number] == pytest.approx(expected.intercept_)
    exact, nystrom = (ESTIMATORS[name](lam=path.lams).fit(X, y, s) for name in ("direct", "nystrom"))
    errors = np.average(path.loo_residuals**2, axis=1, weights=s)
    np.testing.assert_allclose(exact.loo_errors_, errors)
    np.testing.assert_allclose(nystrom.loo_errors_, errors)


def test_the_folds_of_the_sums_give_the_errors_of_refits_in_any_order_and_blocks():
    X, y, s = problem(n=300)
    lams = np.array([1e-4, 1e-2])
    identity = FunctionTransformer()
    model = StreamingRidge(identity, lam=lams, verbose=False).fit(X, y, s)
    squares = np.zeros(2)
    folds = row_keys(X, y) % 5
    assert np.bincount(folds.astype(int)).min() > 30
    for fold in range(5):
        out = folds == fold
        for number, lam in enumerate(lams):
            refit = KernelRidge(Linear(), lam=lam).fit(X[~out], y[~out], s[~out])
            squares[number] += s[out] @ (y[out] - refit.predict(X[out])) ** 2
    np.testing.assert_allclose(model.validation_errors_, squares / s.sum(), rtol=1e-8)
    order = np.random.default_rng(1).permutation(300)
    blocks = [(X[part], y[part], s[part]) for part in np.array_split(order, 7)]
    again = StreamingRidge(identity, lam=lams, verbose=False).fit(blocks[:3]).partial_fit(blocks[3:])
    np.testing.assert_allclose(again.validation_errors_, model.validation_errors_, rtol=1e-10)


@pytest.mark.parametrize("name", CHOOSING)
@pytest.mark.parametrize("noise", [0.01, 1.0])
def test_the_weight_chosen_by_default_is_nearly_as_good_as_the_best(name, noise):
    ratios = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(1200, 3))
        truth = np.sin(2 * X[:, 0]) + X[:, 1] ** 2
        train, new = slice(0, 200), slice(200, None)
        y = truth + noise * rng.normal(size=1200)

        def error(lam, X=X, y=y, truth=truth, train=train, new=new):
            model = CHOOSING[name](lam=lam).fit(X[train], y[train])
            return np.mean((model.predict(X[new]) - truth[new]) ** 2), model

        chosen, model = error("auto")
        ratios.append(chosen / min(error(lam)[0] for lam in model.lams_[4:]))
    assert np.median(ratios) < 1.5


@pytest.mark.parametrize("name", CHOOSING)
@pytest.mark.parametrize("kind", ["classes", "a function"])
def test_rows_of_few_values_are_observations_and_not_copies(name, kind):
    rng = np.random.default_rng(0)
    x = rng.integers(6, size=1500)
    truth = np.array([0.1, 0.9, 0.3, 0.6, 0.2, 0.8])[x]
    y = truth if kind == "a function" else (rng.random(1500) < truth).astype(float)
    predicted = CHOOSING[name](lam="auto").fit(np.eye(6)[x], y).predict(np.eye(6)[x])
    assert np.abs(predicted - truth).max() < 0.1  # 4 standard errors of a share; the mean is off by 0.4


@pytest.mark.parametrize("name", CHOOSING)
def test_copies_of_rows_leave_the_weight_as_it_is(name):
    X, y, _ = problem(n=200)
    once, twice = (
        CHOOSING[name](lam="auto").fit(X[rows], y[rows]) for rows in (slice(None), np.r_[:200, :200])
    )
    assert twice.lam_ == pytest.approx(once.lam_, rel=0.01)


def test_beyond_2000_rows_the_weight_of_a_sample_is_scaled():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2100, 2))
    model = KernelRidge(Laplace(1.0), random_state=0).fit(X, np.sin(X[:, 0]))
    assert model.lam_ / np.sqrt(2000 / 2100) == pytest.approx(model.lams_[np.argmin(model.loo_errors_)])


def test_a_constant_direction_of_the_gram_matrix_leaves_the_intercept_finite():
    X, _, _ = problem()
    X = X - X.mean(axis=0)  # G1 = 0
    model = KernelRidge(Linear(), lam=1e-14).fit(X, X @ [1.0, 2.0, 3.0] + 7)
    assert model.intercept_ == pytest.approx(7)


@pytest.mark.parametrize("lam", [1e-3, "auto"])
def test_a_precomputed_gram_matrix_gives_the_same_model(lam):
    X, y, s = problem()
    G, given = KERNEL(X), KernelRidge(KERNEL, lam=lam).fit(X, y, s)
    model = KernelRidge("precomputed", lam=lam).fit(G, y, s)
    np.testing.assert_array_equal(G, KERNEL(X))  # it is the caller's
    new = problem(1)[0]
    np.testing.assert_allclose(model.predict(KERNEL(new, X)), given.predict(new))
    assert cross_val_score(model, G, y, cv=3).shape == (3,)  # rows and columns are split alike
    with pytest.raises(TypeError, match="got 'precomputed', but this method"):
        KernelRidge("precomputed", solver="cg").fit(G, y)
    with pytest.raises(ValueError, match="X must be square"):
        model.fit(X, y, s)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_bad_weights_and_lam_raise_one_sentence(name):
    X, y, s = problem()
    for call, error, sentence in (
        (lambda m: m.fit(X, y, -s), ValueError, "sample_weight must be zero or positive, .* negative"),
        (lambda m: m.fit(X, y, 0 * s), ValueError, "sample_weight must .*not .*zero"),
        (lambda m: m.fit(X, y, s[1:]), ValueError, r"sample_weight must have shape \(40,\), got \(39,\)"),
        (lambda m: m.set_params(lam="best").fit(X, y), TypeError, "lam must be 'auto', .* got 'best'"),
    ):
        with pytest.raises(error, match=sentence):
            call(ESTIMATORS[name](lam=0.1))


def test_the_folds_cannot_be_had_afterwards():
    X, y, s = problem()
    model = StreamingRidge(lam=0.1, verbose=False).fit(X, y)
    with pytest.raises(ValueError, match="lam must not change from one value to several"):
        model.set_params(lam="auto").partial_fit(X, y)
    with pytest.raises(TypeError, match="sample_weight must not be given if X is an iterable"):
        model.fit([(X, y)], sample_weight=s)


@pytest.mark.parametrize("lam", [1e-3, "auto"])
@pytest.mark.parametrize("name", CHOOSING)
@pytest.mark.parametrize("gamma", [1e-12, 1e-8, 1e-5, 1e-3])
def test_rows_that_a_wide_kernel_hardly_tells_apart_are_fitted(gamma, name, lam):
    """G is nearly 11ᵀ: its rounding errors are no smaller where centering leaves almost nothing."""
    X, y, s = problem()
    model = CHOOSING[name](lam=lam).fit(X, y, s + 0.5)
    for kernel, rows in ((Gaussian(gamma), X), (KERNEL, 1e-9 * X), (KERNEL, np.ones_like(X))):
        features = NystromFeatures(kernel, n_components=500)
        own = {"features": features} if name == "streaming" else {"kernel": kernel}
        found = model.set_params(**own).fit(rows, y, s + 0.5).predict(rows)
        assert np.all(np.abs(found - 100) < 3)


@pytest.mark.parametrize("power", [3, 6])
def test_a_linear_kernel_far_from_the_origin_is_that_of_centered_rows(power):
    X, _, s = problem(n=200)
    y, far = X[:, 0], X + 10.0**power
    here, there = (KernelRidge(Linear(), lam=1e-3).fit(rows, y, s) for rows in (X, far))
    # α is off by ε|x|²/(nλ), which x multiplies
    allowed = 10 * np.finfo(float).eps * 10.0 ** (3 * power) / (s.sum() * 1e-3)
    np.testing.assert_allclose(there.predict(far), here.predict(X), atol=max(allowed, 1e-9))
    assert abs(there.dual_coef_.sum()) < 1e-13


def test_candidates_follow_small_features_down():
    X, y, _ = problem()
    small = 3e-9 * X
    for model in (StreamingRidge(FunctionTransformer(), **QUIET), NystromRidge("linear", **QUIET)):
        expected = clone(model).fit(X, y).predict(X)
        np.testing.assert_allclose(model.fit(small, y).predict(small), expected, rtol=1e-6)


@pytest.mark.parametrize("offset", [1e3, 1e5])
@pytest.mark.parametrize(
    "model", [KernelRidge("linear"), NystromRidge("linear", **QUIET)], ids=["exact", "nystrom"]
)
def test_candidates_follow_features_whose_mean_is_large(model, offset):
    X, y, _ = problem()
    here, there = (clone(model).fit(rows, y) for rows in (X, X + offset))
    assert there.lam_ < 4 * here.lam_  # the next one is √10 times as large
    np.testing.assert_allclose(there.predict(X + offset), here.predict(X), atol=0.05 * np.std(y))


@pytest.mark.parametrize("lam", [1e-3, "auto"])
@pytest.mark.parametrize(
    "model",
    [KernelRidge("linear"), NystromRidge("linear", **QUIET), StreamingRidge(FunctionTransformer(), **QUIET)],
    ids=["exact", "nystrom", "streaming"],
)
def test_rows_so_far_away_that_rounding_spoils_the_fit_give_a_warning(model, lam):
    X, y, _ = problem()
    model.set_params(lam=lam)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "Without their mean")
        model.fit(X + 1e5, y)
    for offset in (1e7, 1e9):
        with pytest.warns(UserWarning, match="subtract the columns' means first") as caught:
            model.fit(X + offset, y)
        assert {each.filename for each in caught} == {__file__}
