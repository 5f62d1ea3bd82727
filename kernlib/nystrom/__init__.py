"""Nyström's approximation Ĝ = C W⁺ Cᵀ of G from c of its columns, its features, and ridge regression on them.

Chapter: Nyström.
"""

from kernlib.numerics.psd import inverse_root
from kernlib.nystrom.features import NystromFeatures, nystrom
from kernlib.nystrom.landmarks import select_landmarks
from kernlib.nystrom.ridge import NystromRidge

__all__ = ["NystromFeatures", "NystromRidge", "inverse_root", "nystrom", "select_landmarks"]
