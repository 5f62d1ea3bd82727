"""Ridge regression on features in one pass over the data, which may be larger than the memory.

(P) on features z = φ̂(x) ∈ ℝᶜ is (1/2n) Σ (yᵢ − wᵀzᵢ)² + (λ/2)‖w‖². Its solution (ZᵀZ + nλI)⁻¹Zᵀy needs of the
data nothing but n, ZᵀZ and Zᵀy: sums over the rows, in whatever order, on however many machines.

Three rooms: the sums; the estimator that gathers them block by block; and the same sums on a Dask cluster.

Chapter: Beyond one machine.
"""

from kernlib.normal_equations import RidgeStatistics, ridge_statistics
from kernlib.streaming.cluster import dask_statistics
from kernlib.streaming.estimator import StreamingRidge

__all__ = ["RidgeStatistics", "StreamingRidge", "dask_statistics", "ridge_statistics"]
