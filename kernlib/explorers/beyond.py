"""What a pass over n rows costs on m workers: time and traffic, from a model with round constants.

Chapter: Beyond one machine.
"""

import numpy as np

from kernlib.explore.controls import Slider
from kernlib.explore.explorer import Explorer, Predict
from kernlib.explore.marks import Line
from kernlib.explore.panels import Plot, Readout

__all__ = ["BANDWIDTH", "EXPLORER", "FAN", "FLOPS", "INPUTS", "ROWS", "pass_seconds", "pass_traffic"]

FLOPS = 2e10  # operations a second of one worker, one core: what large matrix products reach
BANDWIDTH = 1.25e8  # bytes a second between two workers: a network of 1 Gbit/s
INPUTS = 20  # p
ROWS = 100_000  # of a block
FAN = 8  # partial sums that one task adds up, as in kernlib.streaming.dask_statistics
N_DRAWN = (*(digit * 10.0**power for power in range(5, 10) for digit in (1, 3)), 1e10)


def pass_seconds(n, c, m):
    """
    Compute the seconds of one pass by the model n(2pc + 2c²)/(mF) + 7·⌈log₈ n/b⌉·8(c² + c)/B + c³/(3F).

    Parameters
    ----------
    n : float or ndarray
        Rows, cut into blocks of b = 100,000.
    c : int
        Features.
    m : int
        Workers of F = 2·10¹⁰ operations a second; those beyond the number of blocks stand idle.

    Returns
    -------
    compute, merge, solve : ndarray
        The three terms: features and sums; sums that wait for sums over a network of B = 1.25·10⁸ bytes a
        second, none on one worker; the solution.

    Notes
    -----
    Chapter: Beyond one machine.
    """
    n = np.asarray(n, dtype=np.float64)
    blocks = np.ceil(n / ROWS)
    compute = n * (2 * INPUTS * c + 2 * c**2) / (np.minimum(m, blocks) * FLOPS)
    levels = np.ceil(np.log(blocks) / np.log(FAN) - 1e-9) if m > 1 else np.zeros_like(blocks)
    merge = levels * (FAN - 1) * 8 * (c**2 + c) / BANDWIDTH
    return compute, merge, np.full_like(compute, c**3 / (3 * FLOPS))


def pass_traffic(n, c):
    """
    Compute the bytes of all partial sums, 8(c² + c) a block, against those of the rows, 8(p + 1) a row.

    Parameters
    ----------
    n : float or ndarray
        Rows.
    c : int
        Features.

    Returns
    -------
    sums, rows : ndarray
        Bytes.

    Notes
    -----
    Chapter: Beyond one machine.
    """
    n = np.asarray(n, dtype=np.float64)
    return np.ceil(n / ROWS) * 8.0 * (c**2 + c), 8.0 * (INPUTS + 1) * n


def time_over_n(c, m):
    """
    Draw the model's time against n for m workers and for one.

    Parameters
    ----------
    c, m : int
        As in `pass_seconds`.

    Returns
    -------
    dict of str to Line
        Seconds.
    """
    return {
        "m workers": Line(N_DRAWN, sum(pass_seconds(N_DRAWN, c, m))),
        "one worker": Line(N_DRAWN, sum(pass_seconds(N_DRAWN, c, 1)), style="dashed"),
        "sums on their way": Line(N_DRAWN, pass_seconds(N_DRAWN, c, m)[1], style="dotted"),
    }


def speedup_over_m(n, c):
    """
    Draw how many times faster m workers are than one.

    Parameters
    ----------
    n : float
        Rows.
    c : int
        Features.

    Returns
    -------
    dict of str to Line
        Against m.
    """
    workers = EXPLORER.controls[2].stops
    alone = sum(pass_seconds(n, c, 1))
    return {
        "model": Line(workers, [alone / sum(pass_seconds(n, c, m)) for m in workers]),
        "m times": Line(workers, workers, style="reference"),
    }


def summary(n, c, m):
    """
    Put the cost in words.

    Parameters
    ----------
    n : float
        Rows.
    c, m : int
        Features, workers.

    Returns
    -------
    str
        Time, its largest part, traffic and memory.
    """
    parts = [float(part) for part in pass_seconds(n, c, m)]
    names = ("features and sums", "sums on their way", "the solution")
    largest = names[int(np.argmax(parts))]
    sums, rows = pass_traffic(n, c)
    return (
        f"{duration(sum(parts))}, most of it for {largest}. Sums that travel: {size(sums)}; the rows "
        f"themselves: {size(rows)}. A worker keeps {size(16 * (c**2 + c))} of sums, whatever n is."
    )


def duration(seconds):
    """
    Write a time in a unit that suits it.

    Parameters
    ----------
    seconds : float
        Seconds.

    Returns
    -------
    str
        Two digits and a unit.
    """
    units = (("days", 86_400), ("hours", 3600), ("minutes", 60), ("s", 1), ("ms", 1e-3))
    unit, length = next((u for u in units if seconds >= u[1]), units[-1])
    return f"{float(f'{seconds / length:.2g}'):g} {unit}"


def size(number):
    """
    Write a number of bytes in a unit that suits it.

    Parameters
    ----------
    number : float
        Bytes.

    Returns
    -------
    str
        Two digits and a unit.
    """
    units = (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3))
    unit, length = next((u for u in units if number >= u[1]), units[-1])
    return f"{float(f'{number / length:.2g}'):g} {unit}"


EXPLORER = Explorer(
    title="One pass over n rows on m workers",
    name="beyond",
    controls=(
        Slider("n", tuple(10.0**power for power in range(5, 11)), "rows n", 1e9),
        Slider("c", (100, 300, 1000, 3000, 10_000), "features c", 300),
        Slider("m", (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024), "workers m", 16),
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
