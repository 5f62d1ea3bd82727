"""What a pass over n rows costs on m workers: reading, sums and traffic, in a model with round constants."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernlib.book.explore import Bars, Choice, Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explorers.kernels_cost import BYTES, FLOPS, SECONDS, in_units
from kernlib.streaming.cluster import FAN

__all__ = ["EXPLORER", "INPUTS", "ROWS", "SOURCES", "parts", "pass_seconds"]

DISKS = 0.2, 0.5, 2, 5  # GB a second of a disk
GIGABIT = 1.25e8  # bytes a second of a link of 1 Gbit/s
INPUTS = 20  # p
ROWS = 100_000  # of a block
WORKERS = (1, 2, 4, 8, 16, 64, 256, 1024)
SOURCES = LAPTOP, SERVER, OWN = "one local disk", "one server", "a disk for each worker"
N_DRAWN = (*(digit * 10.0**power for power in range(5, 10) for digit in (1, 3)), 1e10)


def pass_seconds(
    n: ArrayLike, c: int, m: int, rate: float = FLOPS, link: float = 1
) -> tuple[NDArray, NDArray, NDArray]:
    """Compute the seconds of one pass: n(2pc + 2c²)/(mF) + 7·⌈log₈ n/b⌉·4c(c + 3)/B + c³/(3F), term by term.

    The terms are features and sums on m workers of one core with F operations a second (`rate`), of which
    those beyond the number of blocks are idle; the transport of sums over links of B = `link` Gbit/s, none on
    one worker, with half of the symmetric ZᵀZ; and the solution.
    """
    n = np.asarray(n, dtype=np.float64)
    blocks = np.ceil(n / ROWS)
    compute = n * (2 * INPUTS * c + 2 * c**2) / (np.minimum(m, blocks) * rate)
    levels = np.ceil(np.log(blocks) / np.log(FAN) - 1e-9) if m > 1 else np.zeros_like(blocks)
    merge = levels * (FAN - 1) * 4 * c * (c + 3) / (link * GIGABIT)
    return compute, merge, np.full_like(compute, c**3 / (3 * rate))


def reading_seconds(n: ArrayLike, m: int, source: str, link: float, disk: float) -> NDArray:
    """Compute the seconds to read 8(p + 1) bytes a row: from one disk, over one link, or from m disks."""
    n = np.asarray(n, dtype=np.float64)
    disks = np.minimum(m, np.ceil(n / ROWS)) * 1e9 * disk
    speed = {LAPTOP: np.asarray(1e9 * disk), SERVER: np.asarray(link * GIGABIT), OWN: disks}[source]
    return 8.0 * (INPUTS + 1) * n / speed


def parts(n: ArrayLike, c: int, m: int, source: str, link: float, disk: float = 0.5) -> dict[str, NDArray]:
    """Compute the seconds of each part of a pass, by name."""
    compute, merge, solve = pass_seconds(n, c, m, link=link)
    return {
        "reading": reading_seconds(n, m, source, link, disk),
        "features and sums": compute,
        "sums in transit": merge,
        "the solution": solve,
    }


@Plot.panel(
    "Where the time goes", x="workers m", y="share of the time", ylim=(0, 1.1), names=tuple(map(str, WORKERS))
)
def share_over_m(n, c, m, source, link, disk):
    """For each number of workers a bar of height 1, made of the shares of reading, features and sums, sums in
    transit and the solution.
    """
    every = np.array([list(parts(n, c, k, source, link, disk).values()) for k in WORKERS]).T
    tops = np.cumsum(every / every.sum(axis=0), axis=0)
    lows, places = np.vstack([np.zeros(len(WORKERS)), tops[:-1]]), range(len(WORKERS))
    names = parts(n, c, m, source, link, disk)
    stacks = {name: Bars(places, tops[i], "", lows[i]) for i, name in enumerate(names)}
    return stacks | {"your m": Dots([WORKERS.index(m)], [1.05], "large")}


@Plot.panel("Time of a pass", x="rows n", y="seconds", log="xy", cursor="n")
def time_over_n(c, m, source, link, disk):
    """Seconds against rows on logarithmic axes: all, and its parts. Reading and the sums grow like the rows,
    the transport of sums in steps.
    """
    found = parts(N_DRAWN, c, m, source, link, disk)
    return {
        "reading": Line(N_DRAWN, found["reading"], style="dashed"),
        "features and sums": Line(N_DRAWN, found["features and sums"], style="dotted"),
        "sums in transit": Line(N_DRAWN, found["sums in transit"], style="dashed"),
        "all": Line(N_DRAWN, sum(found.values())),
    }


@Plot.panel("How many times faster", x="workers m", y="times one worker", log="xy", cursor="m")
def speedup_over_m(n, c, source, link, disk):
    """The gain over one worker against the number of workers: first along the diagonal, then flat."""
    totals = [sum(parts(n, c, m, source, link, disk).values()) for m in WORKERS]
    return {
        "model": Line(WORKERS, [totals[0] / total for total in totals]),
        "m times": Line(WORKERS, WORKERS, style="reference"),
    }


def summary(n, c, m, source, link, disk):
    """Describe the time, the gain over one worker, the largest part, the traffic and the memory."""
    found = {name: float(seconds) for name, seconds in parts(n, c, m, source, link, disk).items()}
    total, largest = sum(found.values()), max(found, key=found.get)
    alone = sum(parts(n, c, 1, source, link, disk).values())
    gain = in_units(float(alone) / total, ((1, "times"),))
    of_sums = (m > 1) * np.ceil(n / ROWS) * 4.0 * c * (c + 3)
    sums, rows, kept = (in_units(size, BYTES) for size in (of_sums, 8.0 * (INPUTS + 1) * n, 16 * (c**2 + c)))
    return (
        f"{in_units(total, SECONDS)}, {gain} as fast as one worker. The largest part is {largest}, "
        f"{in_units(found[largest], SECONDS)}. Rows to read: {rows}; sums in transit: {sums}. A worker keeps "
        f"two sets of sums, {kept} in all, whatever n is."
    )


EXPLORER = Explorer(
    title="Disk, network or processor?",
    name="beyond",
    hint="Play the workers: whose share of the time grows?",
    script="beyond",
    data={
        "inputs": INPUTS,
        "rows": ROWS,
        "flops": FLOPS,
        "fan": FAN,
        "gigabit": GIGABIT,
        "sources": SOURCES,
        "workers": WORKERS,
        "drawn": N_DRAWN,
    },
    controls=(
        Slider("n", tuple(10.0**power for power in range(5, 11)), "rows n", 1e9),
        Slider("c", (100, 300, 1000, 3000, 10_000), "features c", 300),
        Slider("m", WORKERS, "workers m", 16, play=2),
        Choice("source", SOURCES, "the rows are on", SERVER),
        Slider("link", (1, 10, 100), "network (Gbit/s)", 1),
        Slider("disk", DISKS, "speed of a disk (GB/s)", 0.5),
    ),
    presets={
        "a laptop": {"n": 1e9, "c": 300, "m": 8, "source": LAPTOP, "link": 1},
        "waiting for the server": {"n": 1e9, "c": 300, "m": 256, "source": SERVER, "link": 1},
        "a cluster with disks": {"n": 1e9, "c": 300, "m": 256, "source": OWN, "link": 1},
        "sums larger than rows": {"n": 1e6, "c": 10_000, "m": 16, "source": OWN, "link": 1},
    },
    panels=(speedup_over_m, share_over_m, time_over_n, Readout(summary)),
    predict=Predict(
        "A billion rows are on one server, behind a link of 1 Gbit/s, and 16 workers fit 300 features. "
        "How many times faster are 256 workers?",
        options=("about sixteen times", "about four times", "less than twice"),
        answer="less than twice",
        at={"n": 1e9, "c": 300, "m": 256, "source": SERVER, "link": 1},
        reason="The rows are 168 GB, which take 22 minutes over that link, however many workers wait for "
        "them. With a disk for each worker, 256 workers are 16 times as fast as 16.",
    ),
)
