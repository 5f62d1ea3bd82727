"""c, k, γ, rules and draws of landmarks: where they are, the error, the reconstructed Gram matrix.

`DECAY` compares Nyström's method with random features as the spectrum changes.

Chapter: Nyström.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore.controls import Choice, Slider
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.marks import Dots, Line
from kernlib.book.explore.panels import Heat, Plot, Readout
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian, Laplace
from kernlib.low_rank import relative_error, truncation_errors
from kernlib.nystrom import NystromFeatures, select_landmarks

__all__ = [
    "COLUMNS",
    "DECAY",
    "EXPLORER",
    "RULES",
    "best_errors",
    "data",
    "error_over_c",
    "errors",
    "errors_of_draws",
    "finds_small_group",
]

SIZES = 140, 50, 10  # of the groups, so that a uniform draw easily misses the last
CENTERS = (0, 0), (4, 0), (2.5, 4)
WIDTHS = 0.8, 0.5, 0.25
N = sum(SIZES)
RULES = {
    "uniform": "uniform",
    "k-means": "kmeans",
    "leverage scores": "leverage",
    "randomly pivoted Cholesky": "rpcholesky",
}
SHOWN = np.r_[0:140:20, 140:190:10, 190:200:3]  # points of the heat map, some of each group
C_STOPS = (4, 8, 16, 32)
DRAWS_SHOWN = 3  # of landmarks, to step through
DRAWS_COUNTED = 50  # of which the median and the band are drawn
KERNELS = {"Gaussian": Gaussian, "Laplace": Laplace}
COLUMNS = (2, 4, 8, 16, 32, 64, 128)
DRAWS = 3  # of each method in `DECAY`, whose median is drawn
LEAST_SHARE = 1e-12  # of the trace: rounding moves an eigenvalue by up to 200ε of the largest
LEAST_ERROR = 1e-6  # eigenvalues of W that are cut, or not, move an entry by up to √(cε)


def data() -> NDArray:
    """200 points of the plane in the order of their groups."""
    noise = np.random.default_rng(0).normal(size=(N, 2))
    return np.repeat(CENTERS, SIZES, axis=0) + np.repeat(WIDTHS, SIZES)[:, None] * noise


def choose_landmarks(c, gamma, rule, seed):
    """Choose c landmarks by a rule."""
    if rule == "k-means":
        return choose_centers(c, seed)
    return select_landmarks(data(), c, method=RULES[rule], kernel=Gaussian(gamma), random_state=seed).points


@lru_cache(maxsize=1024)
def choose_centers(c, seed):
    """Choose c landmarks by k-means, which uses no kernel and is the slowest rule here."""
    return select_landmarks(data(), c, method="kmeans", random_state=seed).points


def features(c: int, gamma: float, rule: str, seed: int) -> NDArray:
    """Compute Z = C V Σ^{−1/2}, whose first k columns give the approximation C W_k⁺ Cᵀ."""
    points = choose_landmarks(c, gamma, rule, seed)
    return NystromFeatures(Gaussian(gamma), landmarks=points, rank=c).fit(data()).transform(data())


def errors(c: int, gamma: float, rule: str, seed: int) -> NDArray:
    """Compute ‖G − Z_kZ_kᵀ‖_F / ‖G‖_F for k = 1, …, c."""
    Z, G = features(c, gamma, rule, seed), Gaussian(gamma)(data())
    # ‖G − Z_kZ_kᵀ‖² = ‖G‖² − 2 tr Z_kᵀGZ_k + ‖Z_kᵀZ_k‖²
    squares = (Z.T @ Z) ** 2
    own = np.diag(squares.cumsum(axis=0).cumsum(axis=1))
    crossed = np.cumsum(np.sum(Z * (G @ Z), axis=0))
    total = np.sum(G**2)
    return np.sqrt((total - 2 * crossed + own).clip(0) / total)


@lru_cache(maxsize=64)
def errors_of_draws(c: int, gamma: float, rule: str, draws: int = DRAWS_COUNTED) -> NDArray:
    """Compute the errors for k = 1, …, c of many draws: a row for each."""
    return np.array([errors(c, gamma, rule, seed) for seed in range(draws)])


def nearest_groups(points):
    """Find for each point the group whose center is nearest: 0, 1 or 2."""
    return np.linalg.norm(points[:, None] - np.array(CENTERS), axis=2).argmin(axis=1)


def finds_small_group(c: int, gamma: float, rule: str, seed: int) -> bool:
    """Decide whether a landmark is in the group of ten."""
    return bool((nearest_groups(choose_landmarks(c, gamma, rule, seed)) == 2).any())


@lru_cache(maxsize=64)
def best_errors(kernel: str, gamma: float) -> NDArray:
    """Compute Eckart and Young's error, the least that rank k allows, for k = 0, …, 200."""
    return truncation_errors(KERNELS[kernel](gamma)(data()))


def landmarks_on_data(c, gamma, rule, draw):
    """Mark the landmarks of one draw among the data."""
    chosen = choose_landmarks(c, gamma, rule, draw - 1)
    return {"data": Dots(*data().T), "landmarks": Dots(*chosen.T, "large")}


def error_over_k(c, gamma, rule, draw):
    """Draw the error against k for one draw, for the middle 80% of fifty, and the least possible one."""
    ranks = np.arange(1, C_STOPS[-1] + 1)
    low, middle, high = np.quantile(errors_of_draws(c, gamma, rule), (0.1, 0.5, 0.9), axis=0)
    return {
        "fifty draws": Line(ranks[:c], middle, low, high, "dashed"),
        "this draw": Line(ranks[:c], errors(c, gamma, rule, draw - 1)),
        "best of rank k": Line(ranks, best_errors("Gaussian", gamma)[ranks], style="reference"),
    }


def reconstructed(c, k, gamma, rule, draw):
    """Compute ZZᵀ of rank k on 16 of the points, in the order of the groups; a k above c is c."""
    Z = features(c, gamma, rule, draw - 1)[SHOWN, :k]
    return np.round(20 * Z @ Z.T) / 20  # with more shades the page would be too heavy


def summary(c, k, gamma, rule, draw):
    """Report the error of one draw and of fifty, and the landmarks nearest to each group's center."""
    groups = nearest_groups(choose_landmarks(c, gamma, rule, draw - 1))
    counts = np.bincount(groups, minlength=3)
    kept = min(k, c)
    beyond = f" (k = {k} is more than c)" if k > c else ""
    low, middle, high = np.quantile(errors_of_draws(c, gamma, rule)[:, kept - 1], (0.1, 0.5, 0.9))
    return (
        f"Rank {kept}{beyond}: relative error {errors(c, gamma, rule, draw - 1)[kept - 1]:.3f}. "
        f"Fifty draws: median {middle:.3f}, the middle 80% from {low:.3f} to {high:.3f}. "
        f"The least possible is {best_errors('Gaussian', gamma)[kept]:.3f}. "
        f"Landmarks in the groups of 140, 50 and 10 points: {counts[0]}, {counts[1]}, {counts[2]}."
    )


@lru_cache(maxsize=64)
def eigenvalues(kernel, gamma):
    """Those of G on the 200 points, largest first."""
    return np.linalg.eigvalsh(KERNELS[kernel](gamma)(data()))[::-1]


def spectrum(kernel, gamma):
    """The eigenvalues of G as parts of their sum against their rank; the line ends at rounding's level."""
    shares = eigenvalues(kernel, gamma) / N
    return Line(np.arange(1, N + 1), np.where(shares > LEAST_SHARE, shares, np.nan))


@lru_cache(maxsize=64)
def both_errors(kernel, gamma):
    """Relative errors of Nyström and of random features: a row for each number of columns, by draws."""
    X, law = data(), KERNELS[kernel](gamma)
    G = law(X)

    def errors_of(features):
        maps = [[features(law, n_components=c, random_state=draw) for draw in range(DRAWS)] for c in COLUMNS]
        return np.array([[relative_error(one.fit_transform(X), G) for one in row] for row in maps])

    return {"Nyström": errors_of(NystromFeatures), "random features": errors_of(FourierFeatures)}


def error_over_c(kernel: str, gamma: float) -> dict[str, Line]:
    """Medians of both errors over c, and the least possible one; they end where rounding decides."""
    found = {name: np.median(e, axis=1) for name, e in both_errors(kernel, gamma).items()}
    found["best of rank c"] = best_errors(kernel, gamma)[list(COLUMNS)]
    styles = {"best of rank c": "reference"}
    return {
        name: Line(COLUMNS, np.where(errors > LEAST_ERROR, errors, np.nan), style=styles.get(name, ""))
        for name, errors in found.items()
    }


def decay_summary(kernel, gamma, columns):
    """Both errors at one number of columns, and the share of the trace in as many eigenvalues."""
    nystroem, fourier = (np.median(e[COLUMNS.index(columns)]) for e in both_errors(kernel, gamma).values())
    share = eigenvalues(kernel, gamma)[:columns].sum() / N
    return (
        f"With {columns} columns the relative error is {nystroem:.3f} for Nyström and {fourier:.3f} for "
        f"random features. The {columns} largest eigenvalues hold {share:.1%} of the trace."
    )


EXPLORER = Explorer(
    title="Nyström: a few landmarks for all points",
    name="nystrom",
    controls=(
        Slider("c", C_STOPS, "landmarks c", 4, between=True, log=True),
        Slider("k", (2, 4, 8, 16, 32), "rank k", 4, between=True, log=True),
        Slider("gamma", (0.1, 0.5, 2.0), "γ", 0.5, between=True, log=True),
        Choice("rule", RULES, "rule"),
        Slider("draw", tuple(range(1, DRAWS_SHOWN + 1)), "draw", 1),
    ),
    panels=(
        Plot(
            landmarks_on_data,
            "Landmarks of this draw",
            "Points in a large, a middle and a small group, and the landmarks among them.",
            "x₁",
            "x₂",
            equal=True,
        ),
        Plot(
            error_over_k,
            "Error over k",
            "The error of one draw of landmarks and the band of fifty fall with k, above the best of rank k.",
            "rank kept, k",
            "‖G − Ĝ‖ / ‖G‖",
            log="xy",
            ylim=(1e-3, 1.2),
            cursor="k",
        ),
        Heat(
            reconstructed,
            "Reconstructed Gram matrix of this draw",
            "Blocks along the diagonal, one for each group that has a landmark.",
            (0, 1),
        ),
        Readout(summary),
    ),
    predict=Predict(
        "Four landmarks are drawn uniformly from groups of 140, 50 and 10 points. How often does the group "
        "of 10 get none?",
        answer="four times in five",
        options=("one time in five", "every other time", "four times in five"),
        reason=(
            "Each draw misses it with probability about 190/200, and 0.95⁴ = 0.81. Without a landmark near "
            "them, those points look orthogonal to everything, themselves included."
        ),
    ),
)

DECAY = Explorer(
    title="Nyström and random features, by the decay of the spectrum",
    name="nystrom-decay",
    controls=(
        Choice("kernel", KERNELS, "kernel"),
        Slider("gamma", (0.01, 0.1, 1.0, 10.0, 100.0), "γ", 1.0, log=True),
        Slider("columns", COLUMNS, "columns c", 16),
    ),
    panels=(
        Plot(
            spectrum,
            "Spectrum of G",
            "Eigenvalues as parts of their sum, largest first: the larger gamma is, the slower they fall.",
            "rank of the eigenvalue",
            "λᵢ / n",
            log="xy",
            ylim=(LEAST_SHARE, 1.2),
            cursor="columns",
        ),
        Plot(
            error_over_c,
            "Error over c",
            "Random features fall with one slope whatever the kernel; Nyström falls as the spectrum does.",
            "columns, c",
            "‖G − ZZᵀ‖ / ‖G‖",
            log="xy",
            ylim=(LEAST_ERROR, 10),
            cursor="columns",
        ),
        Readout(decay_summary),
    ),
    predict=Predict(
        "γ grows a hundredfold, and the kernel looks less far. Which of the two errors loses its slope in c?",
        answer="Nyström's",
        options=("Nyström's", "that of random features", "both"),
        reason=(
            "Random features average c draws, and that gives 1/√c with any kernel. No c columns can do "
            "better than the c largest eigenvalues, and with a large γ all of them are about the same."
        ),
    ),
)
