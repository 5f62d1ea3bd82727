"""The images, the histogram of one of them against skimage, and its edges."""

import itertools

import numpy as np
from skimage.feature import hog

from kernlib.book.datasets import load_fashion
from kernlib.book.explorers import objects_bins as objects


def test_each_name_is_that_of_the_image():
    data = load_fashion()
    for name, row in objects.IMAGES.items():
        assert data.target_names[data.y[row]].split("/")[0] == name.removeprefix("another ")
        for draw in (objects.first_image, objects.second_image):
            np.testing.assert_array_equal(draw(name, 9, 5)["picture"].values, data.images[row][::-1])


def test_the_histogram_is_that_of_scikit_image_in_one_cell():
    for image, bins in itertools.product(load_fashion().images[:30], (4, 9, 18)):
        theirs = hog(
            image, orientations=bins, pixels_per_cell=(28, 28), cells_per_block=(1, 1), block_norm="L1"
        )
        found = objects.orientation_histogram(image, bins)
        # it sums 784 lengths in float32
        np.testing.assert_allclose(found, theirs / theirs.sum(), atol=784 * np.finfo(np.float32).eps)


def test_an_edge_lights_in_the_bin_of_its_gradient_alone():
    image = np.zeros((28, 28))
    image[:, 14:] = 1  # a vertical edge, whose gradient is horizontal
    objects.images()["edge"] = image
    lit = {angle: objects.edges("edge", 9, angle)["edges of this bin"] for angle in (5, 25, 95)}
    del objects.images()["edge"]
    assert set(lit[5].x) == {13, 14} and len(lit[5].y) == 56
    assert len(lit[25].x) == len(lit[95].x) == 0
