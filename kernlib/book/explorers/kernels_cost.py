"""The cost wall: bytes and seconds of an exact fit, and of a fit on c columns.

Chapter: Kernels.
"""

from collections.abc import Sequence

import numpy as np

from kernlib.book.explore.controls import Slider
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.marks import Line, show
from kernlib.book.explore.panels import Plot, Readout

__all__ = ["BYTES", "COST_WALL", "FLOPS", "SECONDS", "N", "exact_work", "in_units", "work_on_columns"]

N = 100, 300, 1000, 3000, 5000, 10_000, 20_000, 40_000, 60_000, 100_000, 300_000, 10**6, 3 * 10**6, 10**7
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


def memory(c):
    """Bytes of what must be held against n, in float64."""
    n = np.array(N, dtype=float)
    return {
        "G, 8n²": Line(n, 8 * n**2),
        "Z, 8nc": Line(n, 8 * n * c, style="dashed"),
        "X, 8np": Line(n, 8 * n * P, style="dotted"),
        "16 GB": Line(n, np.full(len(N), 16e9), style="reference"),
    }


def operations(c):
    """Multiplications and additions of a ridge fit against n, exactly and on c columns."""
    n = np.array(N, dtype=float)
    fill, solve = exact_work(n)
    return {
        "solve, n³/3": Line(n, solve),
        "fill G, 2pn²": Line(n, fill, style="dashed"),
        "on Z": Line(n, work_on_columns(n, c), style="dotted"),
    }


def cost(n, c):
    """Bytes and seconds of the exact fit against those of the fit on Z."""
    exact, on_columns = sum(exact_work(n)), work_on_columns(n, c)
    return (
        f"n = {show(n)}: G takes {in_units(8 * n**2, BYTES)}, and the exact ridge fit "
        f"{in_units(exact / FLOPS, SECONDS)}; c = {c} columns take {in_units(8 * n * c, BYTES)} and "
        f"{in_units(on_columns / FLOPS, SECONDS)} (at 2·10¹⁰ operations a second)."
    )


COST_WALL = Explorer(
    title="The cost wall",
    name="kernels-cost",
    hint="Each row has p = 22 numbers, as in the lab.",
    controls=(
        Slider("n", N, "n", 100_000, between=True, log=True),
        Slider("c", (30, 100, 300, 1000, 3000), "c", 300),
    ),
    panels=(
        Plot(
            memory,
            "Bytes",
            "Bytes against n on logarithmic axes: G rises with slope two, Z and the data with slope one.",
            "observations n",
            "bytes (float64)",
            log="xy",
            cursor="n",
        ),
        Plot(
            operations,
            "Operations of a ridge fit",
            "Operations against n on logarithmic axes: slopes three, two and one.",
            "observations n",
            "operations",
            log="xy",
            cursor="n",
        ),
        Readout(cost),
    ),
    predict=Predict(
        "With enough memory, the exact ridge fit of 100,000 rows takes 4.6 hours. How long does a fit of ten "
        "million rows on c = 300 columns take?",
        answer="a minute",
        options=("19 days", "4.6 hours", "a minute"),
        reason=(
            "It takes about c²n = 9·10¹¹ operations, the exact fit n³/3 = 3.3·10¹⁴: a hundred times as many "
            "rows are still less work."
        ),
        shows=("Bytes",),
        at={"n": 10_000_000},
    ),
)
