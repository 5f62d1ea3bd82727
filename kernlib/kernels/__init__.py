"""Kernels as small objects: call them, add them, multiply them, sample their frequencies.

A kernel is a frozen dataclass whose ``values`` is the chapter's formula. A translation-invariant one,
κ(x, x′) = q(x − x′), carries its spectral law too, a map from uniform numbers to frequencies. Those of sums
and products follow, a mixture and a sum. Chapters: Kernels; Bochner's theorem; Object recognition.
"""

from kernlib.kernels.algebra import Product, Scaled, Sum
from kernlib.kernels.base import Kernel
from kernlib.kernels.choice import as_kernel
from kernlib.kernels.dot_product import Linear, Polynomial
from kernlib.kernels.histogram import AdditiveChiSquared, ChiSquared, Hellinger, Histogram, Intersection
from kernlib.kernels.spectral import radial_transform
from kernlib.kernels.translation_invariant import Gaussian, Laplace, Matern, TranslationInvariant

__all__ = [
    "AdditiveChiSquared", "ChiSquared", "Gaussian", "Hellinger", "Histogram", "Intersection", "Kernel",
    "Laplace", "Linear", "Matern", "Polynomial", "Product", "Scaled", "Sum", "TranslationInvariant",
    "as_kernel", "radial_transform",
]  # fmt: skip
