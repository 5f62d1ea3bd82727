"""What is refused, in one sentence that names the argument; and what numbers and kernels are taken as."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.metrics.pairwise import pairwise_kernels

from kernlib.kernels import Gaussian, as_kernel
from kernlib.validation import check_count, check_positive


@pytest.mark.parametrize("name", ["rbf", "laplacian", "poly", "polynomial", "linear", "chi2"])
def test_a_name_of_scikit_learns_means_its_kernel(name):
    X = np.random.default_rng(0).random((20, 3))
    # each value is of size at most 8, from sums of 3 products and a third power
    np.testing.assert_allclose(as_kernel(name, 3)(X), pairwise_kernels(X, metric=name), rtol=1e-14)


def test_a_kernel_is_itself_and_none_the_gaussian_with_one_over_p():
    kernel = Gaussian(2.0)
    assert as_kernel(kernel, 5) is kernel
    assert as_kernel(None, 5) == Gaussian(1 / 5)
    assert as_kernel("precomputed", 5, precomputed=True) == "precomputed"


@pytest.mark.parametrize("kernel", ["sigmoid", "precomputed", 3, Gaussian, np.dot, np.eye(2), ["rbf"]])
def test_what_is_no_kernel_is_refused_by_name(kernel):
    with pytest.raises(TypeError, match=r"^kernel must be a Kernel such as .* one of 'chi2'.*, got "):
        as_kernel(kernel, 5)


def test_a_kernels_class_is_told_to_be_called():
    with pytest.raises(TypeError, match=r"got the class Gaussian: call it, as in Gaussian\(\)"):
        as_kernel(Gaussian, 5)


@pytest.mark.parametrize("value", [np.uint8(3), np.int64(3)])
def test_a_count_is_given_back_as_an_int(value):
    assert type(check_count("k", value, 1)) is int


@pytest.mark.parametrize("value", [np.int8(3), np.float16(0.5), np.float32(0.5), Fraction(1, 2), 2])
def test_a_positive_number_is_given_back_as_a_float(value):
    number = check_positive("lam", value)
    assert type(number) is float
    assert number == value


@pytest.mark.parametrize("value", [10**400, Fraction(1, 10**400), 0, -1, float("nan"), float("inf")])
def test_a_number_that_float64_does_not_hold_as_positive_and_finite_is_refused(value):
    with pytest.raises(ValueError, match=r"^lam must be positive and finite, got"):
        check_positive("lam", value)
