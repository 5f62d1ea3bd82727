"""Kernel methods at scale: the mathematics that the book's chapters call.

``plain`` has every algorithm in about ten lines; read it first. The rooms ``kernels``, ``duality``,
``ridge``, ``low_rank``, ``fourier``, ``nystrom``, ``kernel_pca``, ``strings`` and ``streaming`` compute the
same, faster and safer; ``numerics`` is what several of them stand on. ``compare`` chooses among them for a
table of your own, and ``book`` serves the pages. A bad argument raises an error that names it.
"""

from importlib import import_module

__version__ = "0.1.0"

HOMES = {
    "kernels": [
        *("AdditiveChiSquared", "ChiSquared", "Gaussian", "Hellinger", "Intersection", "Laplace", "Linear"),
        *("Matern", "Polynomial"),
    ],
    "duality": ["KernelLogisticRegression"],
    "ridge": ["KernelRidge"],
    "low_rank": ["rank_trunc"],
    "fourier": ["FourierFeatures", "random_features"],
    "nystrom": ["NystromFeatures", "NystromRidge", "select_landmarks"],
    "kernel_pca": ["KernelPCA"],
    "strings": ["AllSubsequences", "FixedLength", "GapWeighted", "Spectrum", "StringGram"],
    "streaming": ["StreamingClassifier", "StreamingRidge", "dask_statistics", "ridge_statistics"],
}
HOME_OF = {name: home for home, names in HOMES.items() for name in names}
__all__ = ["__version__", *HOME_OF]


def __getattr__(name):
    """Import a public name from its room when it is first used, so that ``import kernlib`` is instant."""
    if name not in HOME_OF:
        raise AttributeError(f"module 'kernlib' has no attribute {name!r}")
    return getattr(import_module(f"kernlib.{HOME_OF[name]}"), name)


def __dir__():
    """List the public names for tab completion."""
    return __all__
