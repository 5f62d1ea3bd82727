"""The all-subsequences Gram matrix."""

from functools import partial

import numpy as np

from benchmarks.race import F64, make_races
from benchmarks.races.steps import sums_of_cells
from kernlib.strings import AllSubsequences, all_subsequences


def dna(n, length):
    """Return n random strings of four letters."""
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
    """Return the largest relative error for 20 strings, against integers."""
    S = dna(n, length)[:20]
    return np.abs(G[:20, :20] / [[float(all_subsequences(s, t)) for t in S] for s in S] - 1).max()


def string_races(n, length, peer, theirs, goal, *package):
    """Race a Gram matrix of so many strings."""
    return make_races(
        f"all-subsequences Gram matrix, {n} strings × {length}",
        partial(gram, n, length),
        partial(error, n, length),
        "largest relative error, 20 strings",
        [(peer, partial(theirs, n, length), {F64: goal}, *package)],
        slack=(1e-12, 1e-12),
        floor=lambda dtype: {"3·n² / 2·L² / add": 3 * n**2 / 2 * length**2},
        because=("numpy's look-up, product and two sums for each cell", partial(sums_of_cells, n, length)),
    )


STRINGS = [
    *string_races(300, 60, "pure Python, the same recurrence", pair_by_pair, 100),
    *string_races(60, 12, "MKLpy all_subsequences_kernel (exponential)", by_mklpy, None, "MKLpy"),
]
