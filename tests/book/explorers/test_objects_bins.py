"""The bins of two histograms, against skimage and by hand."""

import itertools

import numpy as np
import pytest
from skimage.feature import hog

from kernlib.book.datasets import load_fashion
from kernlib.book.explorers import objects_bins as objects

MEANS = {  # what one bin adds to κ(x, y)
    "linear": lambda x, y: x * y,
    "intersection": np.minimum,
    "additive χ²": lambda x, y: 2 * x * y / np.where(x + y > 0, x + y, 1),
    "Hellinger": lambda x, y: np.sqrt(x * y),
}


def test_each_name_is_that_of_the_image():
    data = load_fashion()
    for name, row in objects.IMAGES.items():
        assert data.target_names[data.y[row]].split("/")[0] == name.removeprefix("other ").replace(
            "trousers", "trouser"
        )
        for draw in (objects.first_image, objects.second_image):
            np.testing.assert_array_equal(draw(name, 9, 5)["picture"].values, 1 - data.images[row][::-1])


@pytest.mark.parametrize(("cells", "bins"), [*itertools.product((1, 4), (4, 9, 18))])
def test_the_histograms_are_those_of_scikit_image(cells, bins):
    some = load_fashion().images[:30]
    shape = {"pixels_per_cell": 2 * (28 // cells,), "cells_per_block": 2 * (cells,), "block_norm": "L1"}
    for image, found in zip(some, objects.edge_histograms(some, cells, bins), strict=True):
        theirs = hog(image, orientations=bins, **shape)
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
    assert ", ".join(said) in objects.summary("T-shirt", "ankle boot", 9, 5)


def test_the_bars_stand_side_by_side_in_their_bins():
    _, first, second = objects.histograms("T-shirt", "ankle boot", 9, 95).values()
    np.testing.assert_allclose(first.x, np.arange(5, 180, 10))  # two bars in each bin of 20°
    np.testing.assert_allclose(second.x, first.x)
    assert (first.y[1::2] == 0).all() and (second.y[::2] == 0).all()
    for bars, name in ((first.y[::2], "T-shirt"), (second.y[1::2], "ankle boot")):
        np.testing.assert_allclose(bars, objects.edge_histograms(objects.images()[name][None], 1)[0])


def test_the_question_has_the_answer_of_the_shares():
    at = objects.BINS.predict.at
    shares = objects.shares(*objects.pair(at["first"], at["second"], at["bins"])[1:])
    needed = {name: int(np.sum(np.cumsum(np.sort(part)[::-1]) < 0.9)) + 1 for name, part in shares.items()}
    assert (needed["linear"], needed["Hellinger"]) == (1, 3)
    assert objects.BINS.predict.answer == "one and three"


def test_the_bins_stack_to_one_and_the_chosen_one_keeps_its_place():
    shares = objects.shares(*objects.pair("T-shirt", "ankle boot", 9)[1:])
    for k in range(9):
        chosen, others = objects.contributions("T-shirt", "ankle boot", 9, 20 * k + 5).values()
        for place, share in enumerate(shares.values()):
            assert chosen.y[place] - chosen.low[place] == pytest.approx(share[k])
            own = others.x == place
            lows = np.sort([*others.low[own], chosen.low[place]])
            assert lows == pytest.approx(np.cumsum(share) - share)
            assert max(chosen.y[place], others.y[own].max()) == pytest.approx(1)


def test_an_edge_lights_in_the_bin_of_its_gradient_alone():
    image = np.zeros((28, 28))
    image[:, 14:] = 1  # a vertical edge, whose gradient is horizontal
    objects.images()["edge"] = image
    lit = {angle: objects.edges("edge", 9, angle)["edges of this bin"] for angle in (5, 25, 95)}
    del objects.images()["edge"]
    assert set(lit[5].x) == {13, 14} and len(lit[5].y) == 56
    assert len(lit[25].x) == len(lit[95].x) == 0
