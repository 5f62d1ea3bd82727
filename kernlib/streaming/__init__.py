"""Ridge regression on features in one pass over the data, which may be larger than the memory.

(P) on features z = φ̂(x) ∈ ℝᶜ is (1/2n) Σ (yᵢ − wᵀzᵢ)² + (λ/2)‖w‖². Its solution (ZᵀZ + nλI)⁻¹Zᵀy needs of the
data nothing but n, ZᵀZ and Zᵀy: sums over the rows, in whatever order, on however many machines.

The sums themselves stand in ``kernlib.numerics.normal_equations``. ``estimator`` gathers them block by block,
``cluster`` on Dask; ``layout`` says what the blocks of the same data must have in common.

Chapter: Beyond one machine.
"""

from kernlib.numerics.normal_equations import RidgeStatistics, ridge_statistics
from kernlib.streaming.cluster import dask_statistics
from kernlib.streaming.estimator import StreamingRidge

__all__ = ["RidgeStatistics", "StreamingRidge", "dask_statistics", "ridge_statistics"]
