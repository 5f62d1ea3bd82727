"""The all-subsequences Gram matrix."""

from functools import partial

import numpy as np

from benchmarks.race import Race
from benchmarks.races.steps import sums_of_cells
from kernlib.strings import AllSubsequences, all_subsequences

__all__ = ["STRINGS", "dna"]


def dna(n, length):
    """Give n random strings of four letters."""
    rng = np.random.default_rng(0)
    return ["".join(rng.choice(list("ACGT"), length)) for _ in range(n)]


def gram(n, length, dtype):
    S = dna(n, length)
    return lambda: AllSubsequences()(S)


def pair_by_pair(n, length, dtype):
    S = dna(n, length)

    def work():
        G = np.zeros((n, n))
        for i, s in enumerate(S):
            for j, t in enumerate(S[: i + 1]):
                G[i, j] = G[j, i] = all_subsequences(s, t, weight=1.0)
        return G

    return work


def by_mklpy(n, length, dtype):
    from MKLpy.metrics.pairwise import all_subsequences_kernel

    S = dna(n, length)
    return lambda: np.asarray(all_subsequences_kernel(S, S))


def error(n, length, G):
    """The largest relative error, 20 strings, against integers."""
    S = dna(n, length)[:20]
    return np.abs(G[:20, :20] / [[float(all_subsequences(s, t)) for t in S] for s in S] - 1).max()


STRINGS = [
    Race(
        f"all-subsequences Gram matrix, {n} strings × {length}",
        peer,
        partial(gram, n, length),
        partial(theirs, n, length),
        partial(error, n, length),
        "largest relative error, 20 strings",
        goal=goal,
        slack=1e-12,
        needs=needs,
        floor="3 * n**2 / 2 * L**2 / add",
        sizes={"n": n, "L": length},
        because=(
            "of each cell numpy's look-up, product and two sums alone",
            partial(sums_of_cells, n, length),
        ),
    )
    for n, length, peer, theirs, goal, needs in (
        (300, 60, "pure Python, the same recurrence", pair_by_pair, 100, None),
        (60, 12, "MKLpy all_subsequences_kernel (exponential)", by_mklpy, None, "MKLpy"),
    )
]
