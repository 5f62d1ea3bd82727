"""A laptop's memory that fills with a Gram matrix, row by row, or with c columns, and the time of a fit."""

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Explorer, Heat, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.book.explorers.kernels_cost import (
    BYTES,
    FLOPS,
    SECONDS,
    exact_work,
    in_units,
    work_on_columns,
)

__all__ = ["LAPTOP", "MEMORY", "ROWS", "filled", "gram_bytes"]

LAPTOP = 16e9  # bytes
SIDE = 16  # cells of a picture, down and across; a row of them is a gigabyte
ROWS = tuple(sorted({*range(2_500, 60_001, 2_500), 44_700}))  # where the laptop is full
COLUMNS = 30, 100, 300, 1000, 3000


def gram_bytes(n: int) -> int:
    """n² numbers in float64."""
    return 8 * n**2


def filled(size: float) -> NDArray:
    """Fill the cells of the laptop from the bottom: 1 where a cell is full, a share in the last one."""
    cells = np.clip(size / LAPTOP * SIDE**2 - np.arange(SIDE**2), 0, 1)
    return cells.reshape(SIDE, SIDE)[::-1]


@Heat.panel("The Gram matrix, 8n² bytes", limits=(0, 1))
def gram_matrix(n):
    """A square of 256 cells, 16 gigabytes, which the Gram matrix fills from the bottom."""
    return filled(gram_bytes(n))


@Heat.panel("c columns, 8nc bytes", limits=(0, 1))
def columns(n, c):
    """The same square, of which the matrix of c columns fills a few cells."""
    return filled(8 * n * c)


@Plot.panel("Memory against rows", x="rows n", y="GB", xlim=(0, 65_000), ylim=(0, 30), cursor="n")
def wall(c):
    """The memory of the Gram matrix is a parabola, which crosses the 16 gigabytes of the laptop. That of the
    columns is a line near zero.
    """
    rows = np.array(ROWS)
    return {
        "G": Line(rows, gram_bytes(rows) / 1e9),
        f"{show(c)} columns": Line(rows, 8 * rows * c / 1e9),
        "the laptop": Line([0, 65_000], [LAPTOP / 1e9] * 2, style="reference"),
    }


def summary(n, c):
    """The bytes of both, how much of the laptop G takes, and the time of a fit with each."""
    size, seconds = gram_bytes(n), [work / FLOPS for work in (sum(exact_work(n)), work_on_columns(n, c))]
    exact, on_columns = (in_units(part, SECONDS) for part in seconds)
    share = f"{100 * size / LAPTOP:.0f}% of the laptop" if size <= LAPTOP else "more than the laptop has"
    return (
        f"{show(n)} rows: G takes {in_units(size, BYTES)}, {share}. "
        f"{show(c)} columns take {in_units(8 * n * c, BYTES)}. At 2·10¹⁰ operations a second, a ridge fit "
        f"takes {exact} with G, and {on_columns} with the columns."
    )


MEMORY = Explorer(
    title="Memory that fills a laptop",
    name="kernels-memory",
    hint="Each picture is a memory of 16 GB, and a row of cells is 1 GB. The color of a cell shows which "
    "fraction of it is used: yellow is full.",
    controls=(
        Slider("n", ROWS, "rows n", 15_000, play=4),
        Slider("c", COLUMNS, "columns c", 300),
    ),
    panels=(gram_matrix, columns, wall, Readout(summary)),
    predict=Predict(
        "For about how many rows does the Gram matrix fit into 16 GB?",
        answer="45,000",
        options=("4,500", "45,000", "450,000"),
        reason="It has n² entries of 8 bytes, and 8n² is 16 · 10⁹ near n = 45,000.",
        shows=("The Gram matrix, 8n² bytes", "c columns, 8nc bytes"),
        at={"n": 44_700},
    ),
)
