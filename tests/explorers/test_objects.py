"""The numbers of the histograms' explorers, against skimage, kernlib, scikit-learn and quadrature."""

import gzip

import numpy as np
import pytest
from scipy.integrate import quad
from skimage.feature import hog
from sklearn.kernel_approximation import AdditiveChi2Sampler

from kernlib.datasets import load_fashion
from kernlib.explore.page import page_html
from kernlib.explorers import objects
from kernlib.kernels import AdditiveChiSquared, Hellinger, Intersection, Linear

KERNELS = {
    "linear": Linear(),
    "intersection": Intersection(),
    "additive χ²": AdditiveChiSquared(),
    "Hellinger": Hellinger(),
}


@pytest.mark.parametrize("name", objects.IMAGES)
def test_each_name_is_that_of_the_image(name):
    data = load_fashion()
    row = objects.IMAGES[name]
    assert data.target_names[data.y[row]].split("/")[0] == name.removeprefix("another ")
    np.testing.assert_array_equal(objects.first_image(name), data.images[row])
    np.testing.assert_array_equal(objects.second_image(name), data.images[row])


@pytest.mark.parametrize("bins", [4, 9, 18])
def test_the_histogram_is_that_of_scikit_image_in_one_cell(bins):
    for image in load_fashion().images[:30]:
        theirs = hog(
            image, orientations=bins, pixels_per_cell=(28, 28), cells_per_block=(1, 1), block_norm="L1"
        )
        found = objects.orientation_histogram(image, bins)
        # it sums 784 lengths in float32
        np.testing.assert_allclose(found, theirs / theirs.sum(), atol=784 * np.finfo(np.float32).eps)


def test_terms_add_up_to_kernlibs_kernels():
    _, x, y = objects.pair("T-shirt", "ankle boot", 9)
    for name, kernel in KERNELS.items():
        total = kernel(x[None], y[None])[0, 0]
        assert objects.TERMS[name](x, y).sum() == pytest.approx(total, rel=1e-12)
        assert objects.shares(x, y)[name].sum() == pytest.approx(1)
    assert objects.TERMS["additive χ²"](np.zeros(2), np.array([0.0, 1.0])).tolist() == [0, 0]


def test_the_bars_stand_side_by_side_in_their_bins():
    first, second = objects.histograms("T-shirt", "ankle boot", 9).values()
    assert (first.x < second.x).all()
    assert (first.x // 20 == second.x // 20).all() and (first.x // 20 == np.arange(9)).all()
    np.testing.assert_allclose(first.y, objects.orientation_histogram(objects.first_image("T-shirt"), 9))


def test_an_image_beside_itself_has_cosine_one():
    assert objects.summary("bag", "bag", 9).count("1.00") == 4


def test_the_question_has_the_answer_of_the_terms():
    x = np.array([0.25, 0.01])
    ratios = {name: term(x, x)[1] / term(x, x)[0] for name, term in objects.TERMS.items()}
    assert ratios.pop("linear") == pytest.approx(1 / 625)
    assert list(ratios.values()) == pytest.approx([1 / 25] * 3)


@pytest.mark.parametrize("kernel", objects.SIGNATURES)
def test_the_density_is_the_fourier_transform_of_the_signature(kernel):
    for omega in (0.0, 0.3, 1.1, 2.0):
        found, _ = quad(lambda u, w=omega: objects.SIGNATURES[kernel](u) * np.cos(w * u), 0, 80, limit=400)
        assert found / np.pi == pytest.approx(objects.DENSITIES[kernel](omega), abs=1e-8)
    for a in (0.0, 0.4, 1.5):
        tail, _ = quad(objects.DENSITIES[kernel], a, 200 if kernel == "additive χ²" else np.inf, limit=400)
        assert tail == pytest.approx(objects.TAILS[kernel](a), abs=1e-8)


@pytest.mark.parametrize("m", [0, 1, 2, 5])
def test_the_sampled_signature_is_the_kernel_of_scikit_learns_map(m):
    y = np.geomspace(1e-3, 1e3, 40)[:, None]
    phi = AdditiveChi2Sampler(sample_steps=m + 1, sample_interval=0.6).fit(y)
    theirs = (phi.transform(np.ones((1, 1))) @ phi.transform(y).T).ravel() / np.sqrt(y[:, 0])
    found = objects.sampled_signature("additive χ²", m, 0.6, np.log(y[:, 0]))
    np.testing.assert_allclose(found, theirs, atol=1e-12)


@pytest.mark.parametrize("kernel", objects.SIGNATURES)
@pytest.mark.parametrize("L", [0.2, 0.5, 0.8, 1.3])
@pytest.mark.parametrize("m", [0, 1, 4, 20])
def test_the_bound_holds_at_every_ratio(kernel, m, L):
    u = np.linspace(-40, 40, 4001)
    gap = objects.sampled_signature(kernel, m, L, u) - objects.SIGNATURES[kernel](u)
    assert (np.exp(-np.abs(u) / 2) * np.abs(gap)).max() <= objects.bound(kernel, m, L)


def test_the_bound_is_not_far_from_the_error_where_the_step_rules():
    u = np.linspace(0, 40, 4001)
    gap = objects.sampled_signature("additive χ²", 40, 0.5, u) - objects.SIGNATURES["additive χ²"](u)
    assert objects.bound("additive χ²", 40, 0.5) < 3 * (np.exp(-u / 2) * np.abs(gap)).max()


def test_the_second_explorer_is_light_and_says_what_it_draws():
    html = page_html(objects.COLUMNS)
    assert len(gzip.compress(html.encode())) <= 100_000
    error, line = objects.weighted_error("intersection", 3, 0.4).values()
    assert (error.y <= line.y).all()
    density, dots = objects.samples("intersection", 3, 0.4).values()
    np.testing.assert_allclose(np.interp(dots.x[:2], density.x, density.y), dots.y[:2], rtol=0.05)
    assert "7 columns a bin" in objects.columns_summary("intersection", 3, 0.4)
    exact, sampled = (objects.signatures("additive χ²", 9, 0.3)[name].y for name in ("exact", "sampled"))
    np.testing.assert_allclose(exact[objects.RATIOS < 10], sampled[objects.RATIOS < 10], atol=0.02)
