"""What ``kernel=`` may be: a kernel, None, or one of scikit-learn's names, "precomputed" among them."""

import copy
from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from kernlib.kernels.base import Kernel
from kernlib.kernels.dot_product import Linear, Polynomial
from kernlib.kernels.histogram import ChiSquared
from kernlib.kernels.translation_invariant import Gaussian, Laplace
from kernlib.numerics.psd import as_symmetric
from kernlib.numerics.validation import check_count, check_instance

__all__ = ["KernelLike", "Precomputed", "TakesGram", "as_kernel", "is_precomputed"]

KernelLike = Kernel | str | None  # what `as_kernel` takes

NAMES: dict[str, Callable[[int], Kernel]] = {  # with scikit-learn's defaults, for data of p columns
    "chi2": lambda p: ChiSquared(),
    "laplacian": lambda p: Laplace(1 / p),
    "linear": lambda p: Linear(),
    "poly": lambda p: p**-3.0 * Polynomial(3, p),  # (xᵀx′/p + 1)³
    "polynomial": lambda p: p**-3.0 * Polynomial(3, p),
    "rbf": lambda p: Gaussian(1 / p),
}


class Precomputed:
    """What estimators call instead of a kernel if the caller passes Gram matrices instead of data."""

    def gram(self, X: NDArray) -> NDArray:
        """Return G, which is X itself; raise an error if it is not symmetric."""
        return as_symmetric(X, "X")

    def matmul(self, X: NDArray, Y: None, B: NDArray) -> NDArray:
        """Compute κ(X, Y) B, where X is κ(X, Y) already."""
        return X @ B


class TakesGram:
    """Mixin of estimators that tells scikit-learn whether `fit` takes a Gram matrix."""

    kernel: Any

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = is_precomputed(self.kernel)
        return tags


def is_precomputed(kernel: Any) -> bool:
    """Whether a parameter `kernel` says that the caller passes Gram matrices instead of data."""
    return isinstance(kernel, str) and kernel == "precomputed"


def as_kernel(kernel: Any, p: int, *, precomputed: bool = False) -> Any:
    """Return the kernel that an argument `kernel` stands for; for None the Gaussian with γ = 1/p.

    Parameters
    ----------
    kernel : Kernel, str or None
        A kernel; or what ``pairwise_kernels`` of scikit-learn computes by that name and its defaults: "rbf"
        and "laplacian" with γ = 1/p, "poly" and "polynomial", (xᵀx′/p + 1)³, "linear", "chi2" with γ = 1.
    p : int
        Number of columns of the data.
    precomputed : bool
        Whether "precomputed" is allowed, as in methods that need no other kernel values.

    Returns
    -------
    Kernel or Precomputed
        A copy of the kernel, or the one of that name.
    """
    if isinstance(kernel, Kernel):
        return copy.deepcopy(kernel)  # so that `set_params` does not change what was fitted with it
    p = check_count("p", p, 1)
    name = "rbf" if kernel is None else kernel
    if isinstance(name, str) and name in NAMES:
        return NAMES[name](p)
    if precomputed and is_precomputed(kernel):
        return Precomputed()
    advice = ", but this method must evaluate the kernel itself" if is_precomputed(kernel) else ""
    names = ", ".join(map(repr, [*NAMES, "precomputed"] if precomputed else NAMES))
    check_instance("kernel", kernel, Kernel, f"Gaussian(0.5), None, or one of {names}", advice)
