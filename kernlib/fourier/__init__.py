"""Random Fourier features: c columns whose inner products are, on average, the kernel.

Bochner's theorem writes a translation-invariant kernel as q(x − x′) = q(0) E cos ωᵀ(x − x′). Since
cos(a − b) = cos a cos b + sin a sin b, draws of ω give features; with a uniform phase b,
√2cos(ωᵀx + b) does so too. Chapter: Random Fourier features.
"""

from kernlib.fourier.bounds import entropy_error, uniform_error
from kernlib.fourier.features import FourierFeatures, random_features

__all__ = ["FourierFeatures", "entropy_error", "random_features", "uniform_error"]
