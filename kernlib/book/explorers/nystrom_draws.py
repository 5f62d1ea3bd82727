"""Two hundred points in three groups, and what each rule for landmarks makes of them in 200 draws.

``python -m kernlib.book.explorers.nystrom_draws`` writes the record that the explorer shows: k-means alone
takes a minute for it.
"""

import json
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlib.kernels import Gaussian, Laplace
from kernlib.low_rank import truncation_errors
from kernlib.nystrom import NystromFeatures, select_landmarks

__all__ = [
    *("CENTERS", "C_STOPS", "DRAWS_SHOWN", "GAMMAS", "KERNELS", "K_STOPS", "RULES"),
    *(
        "best_errors",
        "choose_landmarks",
        "data",
        "errors",
        "errors_of_draws",
        "finds_small_group",
        "nearest_groups",
    ),
    *("read_record", "root"),
]

RECORD = Path(__file__).with_name("nystrom.json")
SIZES = 140, 50, 10  # of the groups, so that a uniform draw easily misses the last
CENTERS = (0, 0), (4, 0), (2.5, 4)
WIDTHS = 0.8, 0.5, 0.25
KERNELS = {"Gaussian": Gaussian, "Laplace": Laplace}
RULES = {
    "uniform": "uniform",
    "k-means": "kmeans",
    "leverage scores": "leverage",
    "randomly pivoted Cholesky": "rpcholesky",
}
BLIND = "uniform", "k-means"  # to the kernel: the same landmarks for every γ
C_STOPS = (4, 8, 12, 16, 24, 32)
K_STOPS = (2, 4, 8, 16, 32)
GAMMAS = (0.1, 0.5, 2.0)
DRAWS = 200  # of which the median and the middle 80% are drawn
DRAWS_SHOWN = 10  # to step through
LEVELS = 0.1, 0.5, 0.9  # of the quantiles


@cache
def data() -> NDArray:
    """200 points of the plane in the order of their groups."""
    noise = np.random.default_rng(0).normal(size=(sum(SIZES), 2))
    points = np.repeat(CENTERS, SIZES, axis=0) + np.repeat(WIDTHS, SIZES)[:, None] * noise
    return points.round(3)  # as the page has them


@lru_cache(maxsize=64)
def best_errors(kernel: str, gamma: float) -> NDArray:
    """Compute Eckart and Young's error, the least that rank k allows, for k = 0, …, 200."""
    return truncation_errors(KERNELS[kernel](gamma)(data()))


def draw_landmarks(c, gamma, rule, seed):
    """Draw c landmarks by a rule: numbers of rows, or the centers of k-means."""
    found = select_landmarks(data(), c, method=RULES[rule], kernel=Gaussian(gamma), random_state=seed)
    return found.points.round(3) if found.indices is None else found.indices


@lru_cache(maxsize=8192)
def choose_landmarks(c: int, gamma: float, rule: str, seed: int) -> NDArray:
    """Choose c landmarks by a rule; their coordinates."""
    if rule in BLIND and gamma != GAMMAS[0]:
        return choose_landmarks(c, GAMMAS[0], rule, seed)
    found = draw_landmarks(c, gamma, rule, seed)
    return found if found.ndim == 2 else data()[found]


def root(points: NDArray, gamma: float) -> NDArray:
    """Compute Z = C V Σ^{−1/2} for these landmarks; its first k columns give C W_k⁺ Cᵀ."""
    return NystromFeatures(Gaussian(gamma), landmarks=points, rank=len(points)).fit_transform(data())


@cache
def gram(gamma):
    return Gaussian(gamma)(data())


def errors(c: int, gamma: float, rule: str, seed: int) -> NDArray:
    """Compute ‖G − Z_kZ_kᵀ‖_F / ‖G‖_F for k = 1, …, c."""
    Z, G = root(choose_landmarks(c, gamma, rule, seed), gamma), gram(gamma)
    # ‖G − Z_kZ_kᵀ‖² = ‖G‖² − 2 tr Z_kᵀGZ_k + ‖Z_kᵀZ_k‖²
    squares = (Z.T @ Z) ** 2
    own = np.diag(squares.cumsum(axis=0).cumsum(axis=1))
    crossed = np.cumsum(np.sum(Z * (G @ Z), axis=0))
    total = np.sum(G**2)
    return np.sqrt((total - 2 * crossed + own).clip(0) / total)


@lru_cache(maxsize=64)
def errors_of_draws(c: int, gamma: float, rule: str, draws: int = DRAWS) -> NDArray:
    """Compute the errors for k = 1, …, c of many draws: a row for each."""
    return np.array([errors(c, gamma, rule, seed) for seed in range(draws)])


def nearest_groups(points: NDArray) -> NDArray:
    """Find for each point the group whose center is nearest: 0, 1 or 2."""
    return np.linalg.norm(points[:, None] - np.array(CENTERS), axis=2).argmin(axis=1)


def finds_small_group(c: int, gamma: float, rule: str, seed: int) -> bool:
    """Decide whether a landmark is in the group of ten."""
    return bool((nearest_groups(choose_landmarks(c, gamma, rule, seed)) == 2).any())


def quantiles_of(rule: str, gamma: float) -> list:
    """Compute the quantiles of the errors of 200 draws, for each rank k and each c; k above c is c."""
    of_c = [np.quantile(errors_of_draws(c, gamma, rule), LEVELS, axis=0) for c in C_STOPS]
    return [
        [
            [float(f"{q[level, min(k, c) - 1]:.4g}") for c, q in zip(C_STOPS, of_c, strict=True)]
            for level in range(3)
        ]
        for k in K_STOPS
    ]


def measure(rule: str) -> dict[str, Any]:
    """Measure what the record holds of a rule.

    ``landmarks``: by γ (one for a rule that is blind to it) and draw, those of all c one after the other.
    ``quantiles``: of the errors, by γ, k, level and c.
    ``finds``: by γ (or one) and c, the number of draws with a landmark in the group of ten.
    """
    gammas = GAMMAS[: 1 if rule in BLIND else None]
    of_draws = [
        [
            np.concatenate([draw_landmarks(c, gamma, rule, seed) for c in C_STOPS]).tolist()
            for seed in range(DRAWS_SHOWN)
        ]
        for gamma in gammas
    ]
    finds = [
        [sum(finds_small_group(c, gamma, rule, seed) for seed in range(DRAWS)) for c in C_STOPS]
        for gamma in gammas
    ]
    return {
        "landmarks": of_draws,
        "quantiles": [quantiles_of(rule, gamma) for gamma in GAMMAS],
        "finds": finds,
    }


@cache
def read_record() -> dict[str, Any]:
    """The landmarks of the draws that can be shown, and the errors of all."""
    return json.loads(RECORD.read_text(encoding="utf-8"))


if __name__ == "__main__":
    RECORD.write_text(
        json.dumps({rule: measure(rule) for rule in RULES}, separators=(",", ":")) + "\n", encoding="utf-8"
    )
