"""What an exact fit costs, and a fit on c columns: operations, and units to write them in."""

from collections.abc import Sequence

__all__ = ["BYTES", "FLOPS", "SECONDS", "exact_work", "in_units", "work_on_columns"]

P = 22  # ijcnn1's
FLOPS = 2e10  # operations a second of one core: what large matrix products reach
BYTES = (1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")
SECONDS = (3.156e7, "years"), (86_400, "days"), (3600, "hours"), (60, "minutes"), (1, "s"), (1e-3, "ms")


def in_units(value: float, units: Sequence[tuple[float, str]]) -> str:
    """Two digits at least, in the largest unit of which there is one; one of a unit is "1 minute"."""
    size, name = next(((size, name) for size, name in units if value >= size), units[-1])
    share = value / size
    text = f"{share:,.0f}" if share >= 99.5 else f"{share:.2g}"
    return f"{text} {name.removesuffix('s') if text == '1' and len(name) > 2 else name}"


def exact_work(n: float) -> tuple[float, float]:
    """Operations of an exact ridge fit: 2pn² fill G, n³/3 solve."""
    return 2 * P * n**2, n**3 / 3


def work_on_columns(n: float, c: float) -> float:
    """Operations of a ridge fit on c columns Z: 2pcn for Z, c²n for ZᵀZ, c³/3 to solve."""
    return 2 * P * c * n + c**2 * n + c**3 / 3
