"""Exact kernel ridge regression: by one decomposition, by conjugate gradients, and as an estimator.

For the squared loss, (P) is (1/2n)‖y − Gα‖² + (λ/2)αᵀGα. One solution is α = (G + nλI)⁻¹y, the only one of
(D); others give the same predictions. Chapter: Representer theorem and duality.
"""

from kernlib.ridge.direct import RidgePath, dual_ridge, primal_ridge, ridge_path
from kernlib.ridge.estimator import KernelRidge

__all__ = ["KernelRidge", "RidgePath", "dual_ridge", "primal_ridge", "ridge_path"]
