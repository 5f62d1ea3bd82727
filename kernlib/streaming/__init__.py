"""Ridge and logistic regression on features, by passes over data that may be larger than the memory.

(P) on features z = φ̂(x) ∈ ℝᶜ is (1/2n) Σ (yᵢ − wᵀzᵢ)² + (λ/2)‖w‖². Its solution (ZᵀZ + nλI)⁻¹Zᵀy depends on
the data only through n, ZᵀZ and Zᵀy: sums over the rows, in any order, on any number of machines. One pass
is enough; logistic regression needs one for each Newton step. Chapter: Beyond one machine.
"""

from kernlib.numerics.normal_equations import RidgeStatistics, ridge_statistics
from kernlib.streaming.classifier import StreamingClassifier
from kernlib.streaming.cluster import dask_statistics
from kernlib.streaming.estimator import StreamingRidge

__all__ = ["RidgeStatistics", "StreamingClassifier", "StreamingRidge", "dask_statistics", "ridge_statistics"]
