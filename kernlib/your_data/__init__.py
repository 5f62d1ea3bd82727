"""Your own data: the lab's comparison on any table, within a budget of time and memory.

Chapter: Your own data.
"""

from kernlib.your_data.comparing import compare
from kernlib.your_data.result import Comparison, Forecast, Rung

__all__ = ["Comparison", "Forecast", "Rung", "compare"]
