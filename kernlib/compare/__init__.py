"""Compare kernel methods with other models on your own table, within a budget of time and memory.

Chapter: Your own data.
"""

from kernlib.compare.comparing import compare
from kernlib.compare.models import BalancedClassifier, LeastSquaresClassifier
from kernlib.compare.result import Comparison
from kernlib.compare.rungs import Forecast, Rung

__all__ = ["BalancedClassifier", "Comparison", "Forecast", "LeastSquaresClassifier", "Rung", "compare"]
