"""Losses and their conjugates, the primal and the dual problem, and kernel logistic regression.

With g(u) = (1/n) Σ ℓ(yᵢ, uᵢ), convex duality turns min_w g(Φw) + (λ/2)wᵀw into
max_α −g*(−λα) − (λ/2)αᵀGα, where w = Φᵀα and G = ΦΦᵀ: only G. Chapter: Representer theorem and duality.
"""

from kernlib.duality.logistic import KernelLogisticRegression
from kernlib.duality.problems import Duality, Logistic, Loss, Squared

__all__ = ["Duality", "KernelLogisticRegression", "Logistic", "Loss", "Squared"]
