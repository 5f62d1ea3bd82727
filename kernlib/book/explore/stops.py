"""The stops of a slider: round numbers from one end of a range to the other.

Chapter: Explorers.
"""

import math
import numbers
from typing import Any

import numpy as np

__all__ = ["plain", "spread"]


def spread(low: float, high: float, n: int, log: bool, digits: int) -> tuple:
    """
    Spread about n round numbers from low to high, both kept, in ascending order; integers if both ends are.

    In equal ratios where log, with so many significant digits; otherwise in steps of 1, 2 or 5 times a power
    of ten. Those that round to the same are one.
    """
    whole = isinstance(low, numbers.Integral) and isinstance(high, numbers.Integral)
    if log:
        between = np.geomspace(low, high, n).tolist()
        rounded = {round(v) if whole else float(f"{v:.{digits}g}") for v in between}
    else:
        rough = (high - low) / n
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough * (1 - 1e-9))
        step = max(1, round(step)) if whole else step
        multiples = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        rounded = {i * step if whole else float(f"{i * step:.10g}") for i in multiples}
    return tuple(sorted({low, high} | {v for v in rounded if low < v < high}))


def plain(value: Any) -> Any:
    """Give a number of numpy as Python's own int or float, and leave the rest."""
    return value.item() if isinstance(value, np.generic) else value
