"""Kernel ridge regression, exact: dual and primal route, the path in λ, leave-one-out, and large n.

(P) for the squared loss is (1/2n)‖y − Gα‖² + (λ/2)αᵀGα. Its solutions are α = (G + nλI)⁻¹y, which alone
solves (D) as well, plus anything in Ker G; all of them predict the same.

Chapter: Representer theorem and duality.
"""

from kernlib.ridge.conjugate_gradients import ConjugateRidge, conjugate_ridge
from kernlib.ridge.direct import RidgePath, dual_ridge, primal_ridge, ridge_path
from kernlib.ridge.estimator import KernelRidge
from kernlib.ridge.gap import PrimalDualPath, primal_dual_path

__all__ = [
    "ConjugateRidge",
    "KernelRidge",
    "PrimalDualPath",
    "RidgePath",
    "conjugate_ridge",
    "dual_ridge",
    "primal_dual_path",
    "primal_ridge",
    "ridge_path",
]
