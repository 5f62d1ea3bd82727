"""Components through columns: against the exact ones by principal angles; the words against the curves."""

import numpy as np
import pytest
from scipy.linalg import subspace_angles

from kernlib.book.explorers import kernel_pca_large as large
from kernlib.fourier import FourierFeatures
from kernlib.kernel_pca import KernelPCA
from kernlib.kernels import Gaussian


def test_the_errors_are_those_of_kernel_pca_of_the_features():
    X, exact = large.letters(), large.exact()
    G = Gaussian(1 / 16)(X)
    Z = FourierFeatures(Gaussian(1 / 16), n_components=50, random_state=1).fit_transform(X)
    ours = KernelPCA("precomputed", n_components=5).fit_transform(Z @ Z.T)
    ours /= np.linalg.norm(ours, axis=0)
    theirs = KernelPCA("precomputed", n_components=5).fit(G)
    errors = large.measure("random features", 50)
    for k in (1, 5):
        angle = subspace_angles(ours[:, :k], theirs.transform(G)[:, :k])[0]
        assert errors.sines[1, k - 1] == pytest.approx(np.sin(angle), abs=1e-6)
        captured = np.trace(ours[:, :k].T @ exact.HGH @ ours[:, :k])
        lost = 1 - captured / theirs.eigenvalues_[:k].sum()
        assert errors.lost[1, k - 1] == pytest.approx(lost, abs=1e-6)


def test_the_answer_is_the_loss_of_ten_components_in_800_columns():
    errors = large.measure("random features", 800)
    assert np.median(errors.sines[:, 9]) == pytest.approx(0.93, abs=0.01)
    assert np.median(errors.lost[:, 9]) == pytest.approx(0.02, abs=0.001)
