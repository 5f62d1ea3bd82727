"""What ``kernel=`` may be: a kernel, nothing, or a name that scikit-learn gives one.

Chapter: Kernels.
"""

from kernlib.kernels.base import Kernel
from kernlib.kernels.dot_product import Linear, Polynomial
from kernlib.kernels.histogram import ChiSquared
from kernlib.kernels.translation_invariant import Gaussian, Laplace
from kernlib.numerics.validation import check_count, describe

__all__ = ["as_kernel", "is_precomputed"]

NAMES = {  # with scikit-learn's defaults, for data of p columns
    "chi2": lambda p: ChiSquared(),
    "laplacian": lambda p: Laplace(1 / p),
    "linear": lambda p: Linear(),
    "poly": lambda p: p**-3.0 * Polynomial(3, p),  # (xᵀx′/p + 1)³
    "polynomial": lambda p: p**-3.0 * Polynomial(3, p),
    "rbf": lambda p: Gaussian(1 / p),
}


def is_precomputed(kernel):
    """Tell whether a parameter `kernel` says that the caller brings Gram matrices in place of data."""
    return isinstance(kernel, str) and kernel == "precomputed"


def as_kernel(kernel, p, *, precomputed=False):
    """
    Give the kernel that an argument `kernel` stands for; the Gaussian with γ = 1/p where it is None.

    Parameters
    ----------
    kernel : Kernel, str or None
        A kernel; or what ``pairwise_kernels`` of scikit-learn computes by that name and its defaults: "rbf"
        and "laplacian" with γ = 1/p, "poly" and "polynomial", (xᵀx′/p + 1)³, "linear", "chi2" with γ = 1.
    p : int
        Number of columns of the data.
    precomputed : bool
        Whether the caller takes "precomputed" too, which is then given back.

    Returns
    -------
    Kernel or str
        The kernel; or "precomputed".

    Raises
    ------
    TypeError, ValueError
        If it is none of these, or p no count.

    Notes
    -----
    Chapter: Kernels.
    """
    if isinstance(kernel, Kernel):
        return kernel
    p = check_count("p", p, 1)
    if kernel is None:
        return NAMES["rbf"](p)
    if isinstance(kernel, str) and kernel in NAMES:
        return NAMES[kernel](p)
    if precomputed and is_precomputed(kernel):
        return kernel
    names = ", ".join(map(repr, [*NAMES, "precomputed"] if precomputed else NAMES))
    got = describe(kernel)
    if isinstance(kernel, type) and issubclass(kernel, Kernel):
        got = f"the class {kernel.__name__}: call it, as in {kernel.__name__}()"
    raise TypeError(f"kernel must be a Kernel such as Gaussian(0.5), None, or one of {names}, got {got}.")
