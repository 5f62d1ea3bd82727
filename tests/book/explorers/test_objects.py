"""The numbers of the histograms' explorers, against skimage, kernlib, scikit-learn and quadrature."""

import itertools

import numpy as np
import pytest
from scipy.integrate import quad
from skimage.feature import hog
from sklearn.kernel_approximation import AdditiveChi2Sampler

from kernlib.book.datasets import load_fashion
from kernlib.book.explorers import objects

MEANS = {  # what one bin adds to κ(x, y)
    "linear": lambda x, y: x * y,
    "intersection": np.minimum,
    "additive χ²": lambda x, y: 2 * x * y / np.where(x + y > 0, x + y, 1),
    "Hellinger": lambda x, y: np.sqrt(x * y),
}


def test_each_name_is_that_of_the_image():
    data = load_fashion()
    for name, row in objects.IMAGES.items():
        assert data.target_names[data.y[row]].split("/")[0] == name.removeprefix("another ")
        np.testing.assert_array_equal(objects.first_image(name), data.images[row])
        np.testing.assert_array_equal(objects.second_image(name), data.images[row])


def test_the_histogram_is_that_of_scikit_image_in_one_cell():
    for image, bins in itertools.product(load_fashion().images[:30], (4, 9, 18)):
        theirs = hog(
            image, orientations=bins, pixels_per_cell=(28, 28), cells_per_block=(1, 1), block_norm="L1"
        )
        found = objects.orientation_histogram(image, bins)
        # it sums 784 lengths in float32
        np.testing.assert_allclose(found, theirs / theirs.sum(), atol=784 * np.finfo(np.float32).eps)


def test_the_shares_are_those_of_the_means_bin_by_bin():
    x, y = np.array([0, 0, 0.3, 0.5, 0.2]), np.array([0, 0.1, 0.4, 0.1, 0.4])
    for name, mean in MEANS.items():
        part = mean(x, y)
        assert objects.shares(x, y)[name] == pytest.approx(part / part.sum())
    _, x, y = objects.pair("T-shirt", "ankle boot", 9)
    cosines = [mean(x, y).sum() / np.sqrt(mean(x, x).sum() * mean(y, y).sum()) for mean in MEANS.values()]
    said = [f"{name} {cosine:.2f}" for name, cosine in zip(MEANS, cosines, strict=True)]
    assert ", ".join(said) in objects.summary("T-shirt", "ankle boot", 9)


def test_the_bars_stand_side_by_side_in_their_bins():
    first, second = objects.histograms("T-shirt", "ankle boot", 9).values()
    assert (first.x < second.x).all()
    assert (first.x // 20 == second.x // 20).all() and (first.x // 20 == np.arange(9)).all()
    np.testing.assert_allclose(first.y, objects.orientation_histogram(objects.first_image("T-shirt"), 9))


def test_an_image_beside_itself_has_cosine_one():
    assert objects.summary("bag", "bag", 9).count("1.00") == 4


def test_the_question_has_the_answer_of_the_shares():
    x = np.array([0.25, 0.01])
    ratios = {name: share[1] / share[0] for name, share in objects.shares(x, x).items()}
    assert ratios.pop("linear") == pytest.approx(1 / 625)
    assert list(ratios.values()) == pytest.approx([1 / 25] * 3)


@pytest.mark.parametrize("kernel", objects.DENSITIES)
def test_the_density_is_the_fourier_transform_of_the_signature(kernel):
    for omega in (0.0, 0.3, 1.1, 2.0):
        found, _ = quad(lambda u, w=omega: objects.signature(kernel, u) * np.cos(w * u), 0, 80, limit=400)
        assert found / np.pi == pytest.approx(objects.DENSITIES[kernel](omega), abs=1e-8)
    for a in (0.0, 0.4, 1.5):
        tail, _ = quad(objects.DENSITIES[kernel], a, 200 if kernel == "additive χ²" else np.inf, limit=400)
        assert tail == pytest.approx(objects.TAILS[kernel](a), abs=1e-8)


def test_the_sampled_signature_is_the_kernel_of_scikit_learns_map():
    y = np.geomspace(1e-3, 1e3, 40)[:, None]
    for m in (0, 1, 2, 5):
        phi = AdditiveChi2Sampler(sample_steps=m + 1, sample_interval=0.6).fit(y)
        theirs = (phi.transform(np.ones((1, 1))) @ phi.transform(y).T).ravel() / np.sqrt(y[:, 0])
        found = objects.sampled_signature("additive χ²", m, 0.6, np.log(y[:, 0]))
        np.testing.assert_allclose(found, theirs, atol=1e-12)


def test_the_bound_holds_at_every_ratio():
    u = np.linspace(-40, 40, 4001)
    for kernel, m, L in itertools.product(objects.DENSITIES, (0, 1, 4, 20), (0.2, 0.5, 0.8, 1.3)):
        gap = objects.sampled_signature(kernel, m, L, u) - objects.signature(kernel, u)
        error = (np.exp(-np.abs(u) / 2) * np.abs(gap)).max()
        assert error <= objects.bound(kernel, m, L), (kernel, m, L)


def test_the_bound_is_not_far_from_the_error_where_the_step_rules():
    u = np.linspace(0, 40, 4001)
    gap = objects.sampled_signature("additive χ²", 40, 0.5, u) - objects.signature("additive χ²", u)
    assert objects.bound("additive χ²", 40, 0.5) < 3 * (np.exp(-u / 2) * np.abs(gap)).max()


def test_the_second_explorer_says_what_it_draws():
    error, line = objects.weighted_error("intersection", 3, 0.4).values()
    assert (error.y <= line.y).all()
    density, dots = objects.samples("intersection", 3, 0.4).values()
    np.testing.assert_allclose(np.interp(dots.x[:2], density.x, density.y), dots.y[:2], rtol=0.05)
    assert "7 columns a bin" in objects.columns_summary("intersection", 3, 0.4)
    exact, sampled = (objects.signatures("additive χ²", 9, 0.3)[name].y for name in ("exact", "sampled"))
    np.testing.assert_allclose(exact[objects.RATIOS < 10], sampled[objects.RATIOS < 10], atol=0.02)
