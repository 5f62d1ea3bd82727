"""c, k, γ and the choice of landmarks: where they lie, the error, the reconstructed Gram matrix.

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

__all__ = ["DECAY", "EXPLORER", "data"]

SIZES = 140, 50, 10  # of the groups, so that a uniform draw easily misses the last
CENTERS = (0, 0), (4, 0), (2.5, 4)
WIDTHS = 0.8, 0.5, 0.25
N = sum(SIZES)
RULES = {
    "uniform": "uniform",
    "k-means": "kmeans",
    "leverage scores": "leverage",
    "pivoted Cholesky": "rpcholesky",
}
SHOWN = np.r_[0:140:14, 140:190:7, 190:200:2]  # points of the heat map, some of each group
C_STOPS = (2, 4, 8, 16, 32)
KERNELS = {"Gaussian": Gaussian, "Laplace": Laplace}
COLUMNS = (2, 4, 8, 16, 32, 64, 128)
DRAWS = 3  # whose median is drawn
LEAST_SHARE = 1e-12  # of the trace: rounding moves an eigenvalue by up to 200ε of the largest
LEAST_ERROR = 1e-6  # eigenvalues of W that are cut, or not, move an entry by up to √(cε)


def data() -> NDArray:
    """200 points of the plane in the order of their groups."""
    noise = np.random.default_rng(0).normal(size=(N, 2))
    return np.repeat(CENTERS, SIZES, axis=0) + np.repeat(WIDTHS, SIZES)[:, None] * noise


@lru_cache(maxsize=64)  # the panels of one picture ask for the same
def features(c, gamma, rule):
    """The landmarks, and Z = C V Σ^{−1/2}, whose first k columns are the features of rank k."""
    X, kernel = data(), Gaussian(gamma)
    points, _ = select_landmarks(X, c, method=RULES[rule], kernel=kernel, random_state=0)
    return points, NystromFeatures(kernel, landmarks=points).fit(X).transform(X)


def landmarks_on_data(c, gamma, rule):
    """The data, and the landmarks among them."""
    return {"data": Dots(*data().T), "landmarks": Dots(*features(c, gamma, rule)[0].T, "large")}


def errors(c, gamma, rule):
    """‖G − Z_kZ_kᵀ‖_F / ‖G‖_F for k = 1, …, c, taking away one column's product after the other."""
    Z, rest = features(c, gamma, rule)[1], Gaussian(gamma)(data())
    norm, found = np.linalg.norm(rest), []
    for z in Z.T:
        rest -= np.outer(z, z)
        found.append(np.linalg.norm(rest) / norm)
    return np.array(found)


@lru_cache(maxsize=64)
def best_errors(kernel, gamma):
    """Eckart and Young's error, the least that rank k allows, for k = 0, …, 200."""
    return truncation_errors(KERNELS[kernel](gamma)(data()))


def error_over_k(c, gamma, rule):
    """The error of Nyström's approximation against k, which ends at c, and the least possible one."""
    ranks = np.arange(1, C_STOPS[-1] + 1)
    return {
        "Nyström": Line(ranks[:c], errors(c, gamma, rule)),
        "best of rank k": Line(ranks, best_errors("Gaussian", gamma)[ranks], style="reference"),
    }


def reconstructed(c, k, gamma, rule):
    """ZZᵀ of rank k on 23 of the points, in the order of the groups; a k beyond c is c."""
    Z = features(c, gamma, rule)[1][SHOWN, :k]
    return Z @ Z.T


def summary(c, k, gamma, rule):
    """The error, and the landmarks of each group: those that lie nearest to its center."""
    points, _ = features(c, gamma, rule)
    nearest = np.linalg.norm(points[:, None] - np.array(CENTERS), axis=2).argmin(axis=1)
    counts = np.bincount(nearest, minlength=3)
    kept = min(k, c)
    beyond = f" (k = {k} is beyond c)" if k > c else ""
    return (
        f"Rank {kept}{beyond}: relative error {errors(c, gamma, rule)[kept - 1]:.3f}; "
        f"the least possible is {best_errors('Gaussian', gamma)[kept]:.3f}. "
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


def error_over_c(kernel, gamma):
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
        Slider("k", (1, 2, 4, 8, 16, 32), "rank k", 4, between=True, log=True),
        Slider("gamma", (0.1, 0.5, 2.0), "γ", 0.5, between=True, log=True),
        Choice("rule", RULES, "rule"),
    ),
    panels=(
        Plot(
            landmarks_on_data,
            "Landmarks on the data",
            "Points in a large, a middle and a small group, and the landmarks among them.",
            "x₁",
            "x₂",
            equal=True,
        ),
        Plot(
            error_over_k,
            "Error over k",
            "The error of Nyström's approximation falls with k and stays above the best of rank k.",
            "rank kept, k",
            "‖G − Ĝ‖ / ‖G‖",
            log="xy",
            ylim=(1e-3, 1.2),
            cursor="k",
        ),
        Heat(
            reconstructed,
            "Reconstructed Gram matrix",
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
