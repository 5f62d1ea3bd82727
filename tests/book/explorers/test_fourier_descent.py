"""The shares of wrong labels on c random columns: against solvers that know no singular values."""

import numpy as np
import pytest

from kernlib.book.explorers import fourier_descent as descent
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian
from kernlib.ridge import primal_ridge


@pytest.mark.parametrize("lam", [0.0, 1e-3])
@pytest.mark.parametrize("c", [50, 300])
def test_the_shares_are_those_of_ridge_regression_and_of_the_least_norm_fit(c, lam):
    (X, y), (X_new, y_new) = descent.letters()
    rows = np.random.default_rng(3).permutation(len(X))[:100]
    phi = FourierFeatures(Gaussian(1 / 16), n_components=c, random_state=3)
    Z = phi.fit_transform(X[rows])
    w = primal_ridge(Z, y[rows].astype(float), lam=lam) if lam else np.linalg.lstsq(Z, y[rows])[0]
    expected = np.mean(np.sign(Z @ w) != y[rows]), np.mean(np.sign(phi.transform(X_new) @ w) != y_new)
    found = descent.wrong_labels(100, lam)[:, descent.COLUMNS.index(c), 3]
    assert found == pytest.approx(expected, abs=0.002)  # two labels near 0 may differ by rounding
    length = descent.lengths(100, lam)[descent.COLUMNS.index(c), 3]
    assert length == pytest.approx(np.linalg.norm(w), rel=1e-6)
    smallest = descent.smallest_values(100)[descent.COLUMNS.index(c), 3]
    assert smallest == pytest.approx(np.linalg.svd(Z, compute_uv=False).min(), rel=1e-6)


def test_the_peak_is_at_as_many_columns_as_rows_and_a_penalty_removes_it():
    for n in descent.ROWS:
        assert f"at c = {n}." in descent.summary(25, n, 0.0)
        assert "at c = 25." in descent.summary(25, n, 1e-3)
        new = descent.errors(n, 0.0)["new letters"]
        assert (new.low <= new.y).all() and (new.y <= new.high).all()
