"""What a pass over n rows costs on m workers: time and traffic, from a model with round constants.

Chapter: Beyond one machine.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernlib.book.explore.controls import Slider
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.marks import Line
from kernlib.book.explore.panels import Plot, Readout
from kernlib.book.explorers.kernels import BYTES, FLOPS, SECONDS, in_units
from kernlib.streaming.cluster import FAN

__all__ = ["EXPLORER", "INPUTS", "ROWS", "pass_seconds"]

BANDWIDTH = 1.25e8  # bytes a second between two workers: a network of 1 Gbit/s
INPUTS = 20  # p
ROWS = 100_000  # of a block
WORKERS = tuple(2**power for power in range(11))
N_DRAWN = (*(digit * 10.0**power for power in range(5, 10) for digit in (1, 3)), 1e10)


def pass_seconds(n: ArrayLike, c: int, m: int, rate: float = FLOPS) -> tuple[NDArray, NDArray, NDArray]:
    """
    Seconds of one pass by the model n(2pc + 2c²)/(mF) + 7·⌈log₈ n/b⌉·8(c² + c)/B + c³/(3F), term by term.

    Features and sums on m workers of one core each, F operations a second (`rate`), those beyond the number
    of blocks standing idle; sums that wait for sums over a network of B bytes a second, none on one worker;
    the solution.
    """
    n = np.asarray(n, dtype=np.float64)
    blocks = np.ceil(n / ROWS)
    compute = n * (2 * INPUTS * c + 2 * c**2) / (np.minimum(m, blocks) * rate)
    levels = np.ceil(np.log(blocks) / np.log(FAN) - 1e-9) if m > 1 else np.zeros_like(blocks)
    merge = levels * (FAN - 1) * 8 * (c**2 + c) / BANDWIDTH
    return compute, merge, np.full_like(compute, c**3 / (3 * rate))


def pass_traffic(n, c):
    """Bytes of all partial sums, 8(c² + c) a block, and those of the rows, 8(p + 1) a row."""
    n = np.asarray(n, dtype=np.float64)
    return np.ceil(n / ROWS) * 8.0 * (c**2 + c), 8.0 * (INPUTS + 1) * n


def time_over_n(c, m):
    """Seconds against n for m workers and for one."""
    return {
        "m workers": Line(N_DRAWN, sum(pass_seconds(N_DRAWN, c, m))),
        "one worker": Line(N_DRAWN, sum(pass_seconds(N_DRAWN, c, 1)), style="dashed"),
        "sums on their way": Line(N_DRAWN, pass_seconds(N_DRAWN, c, m)[1], style="dotted"),
    }


def speedup_over_m(n, c):
    """How many times faster than one worker, against m."""
    alone = sum(pass_seconds(n, c, 1))
    return {
        "model": Line(WORKERS, [alone / sum(pass_seconds(n, c, m)) for m in WORKERS]),
        "m times": Line(WORKERS, WORKERS, style="reference"),
    }


def summary(n, c, m):
    """Time, its largest part, traffic and memory."""
    parts = [float(part) for part in pass_seconds(n, c, m)]
    names = ("features and sums", "sums on their way", "the solution")
    largest = names[int(np.argmax(parts))]
    sums, rows, kept = (in_units(bytes_, BYTES) for bytes_ in (*pass_traffic(n, c), 16 * (c**2 + c)))
    return (
        f"{in_units(sum(parts), SECONDS)}, most of it for {largest}. Sums that travel: {sums}; the rows "
        f"themselves: {rows}. A worker keeps {kept} of sums, whatever n is."
    )


EXPLORER = Explorer(
    title="One pass over n rows on m workers",
    name="beyond",
    controls=(
        Slider("n", tuple(10.0**power for power in range(5, 11)), "rows n", 1e9),
        Slider("c", (100, 300, 1000, 3000, 10_000), "features c", 300),
        Slider("m", WORKERS, "workers m", 16),
    ),
    panels=(
        Plot(
            time_over_n,
            "Time of a pass",
            "Seconds against rows on logarithmic axes: a line of slope one for one worker, a lower one for "
            "many, which is flat while there are fewer blocks than workers.",
            "rows n",
            "seconds",
            log="xy",
            cursor="n",
        ),
        Plot(
            speedup_over_m,
            "How many times faster",
            "The gain over one worker against the number of workers: first along the diagonal, then flat.",
            "workers m",
            "times one worker",
            log="xy",
            cursor="m",
        ),
        Readout(summary),
    ),
    predict=Predict(
        "A million rows and 300 features. A thousand workers in place of one: how many times faster?",
        options=("about a thousand", "about a hundred", "about ten"),
        answer="about ten",
        reason="A million rows make ten blocks, so nine hundred and ninety workers stand idle, and the "
        "others wait for sums to travel. At a thousand million rows the same workers are worth having.",
    ),
)
