"""c, k, γ and the choice of landmarks: where they lie, the error, the reconstructed Gram matrix.

Chapter: Nyström.
"""

from functools import lru_cache

import numpy as np

from kernlib.explore.controls import Choice, Slider
from kernlib.explore.explorer import Explorer, Predict
from kernlib.explore.marks import Dots, Line
from kernlib.explore.panels import Heat, Plot, Readout
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian, Laplace
from kernlib.low_rank import truncation_errors
from kernlib.nystrom import NystromFeatures, select_landmarks

__all__ = [
    "DECAY",
    "EXPLORER",
    "decay_summary",
    "error_over_c",
    "error_over_k",
    "features",
    "landmarks_on_data",
    "reconstructed",
    "spectrum",
    "summary",
]

SIZES = 140, 50, 10  # of the groups, so that a uniform draw easily misses the last
CENTRES = (0, 0), (4, 0), (2.5, 4)
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


def data():
    """
    Draw 200 points in three groups of 140, 50 and 10, in the order of the groups.

    Returns
    -------
    ndarray of shape (200, 2)
        The same in every call.
    """
    noise = np.random.default_rng(0).normal(size=(N, 2))
    return np.repeat(CENTRES, SIZES, axis=0) + np.repeat(WIDTHS, SIZES)[:, None] * noise


@lru_cache(maxsize=64)  # the panels of one picture ask for the same
def features(c, gamma, rule):
    """
    Choose the landmarks and compute Z = C V Σ^{−1/2}, whose first k columns are the features of rank k.

    Parameters
    ----------
    c : int
        Number of landmarks.
    gamma : float
        γ > 0 of the Gaussian kernel.
    rule : {"uniform", "k-means", "leverage scores", "pivoted Cholesky"}
        How they are chosen.

    Returns
    -------
    landmarks : ndarray of shape (c, 2)
        Points of the plane.
    Z : ndarray of shape (200, c)
        Columns in the order of W's eigenvalues, largest first.
    """
    X, kernel = data(), Gaussian(gamma)
    points, _ = select_landmarks(X, c, method=RULES[rule], kernel=kernel, random_state=0)
    return points, NystromFeatures(kernel, landmarks=points).fit(X).transform(X)


def landmarks_on_data(c, gamma, rule):
    """
    Give the data and the landmarks for the plot.

    Parameters
    ----------
    c, gamma, rule : int, float, str
        As of `features`.

    Returns
    -------
    dict of str to Dots
        Points of the plane.
    """
    return {"data": Dots(*data().T), "landmarks": Dots(*features(c, gamma, rule)[0].T, "large")}


def errors(c, gamma, rule):
    """
    Compute ‖G − Z_kZ_kᵀ‖_F / ‖G‖_F for k = 1, …, c.

    Parameters
    ----------
    c, gamma, rule : int, float, str
        As of `features`.

    Returns
    -------
    ndarray of shape (c,)
        Takes away one column's product after the other.
    """
    Z, rest = features(c, gamma, rule)[1], Gaussian(gamma)(data())
    norm, found = np.linalg.norm(rest), []
    for z in Z.T:
        rest -= np.outer(z, z)
        found.append(np.linalg.norm(rest) / norm)
    return np.array(found)


@lru_cache(maxsize=64)
def best_errors(gamma):
    """
    Compute Eckart and Young's error, the least that rank k allows.

    Parameters
    ----------
    gamma : float
        γ > 0.

    Returns
    -------
    ndarray of shape (32,)
        For k = 1, …, 32.
    """
    return truncation_errors(Gaussian(gamma)(data()))[1 : C_STOPS[-1] + 1]


def error_over_k(c, gamma, rule):
    """
    Give the error of Nyström's approximation, and the least possible one, for the plot.

    Parameters
    ----------
    c, gamma, rule : int, float, str
        As of `features`.

    Returns
    -------
    dict of str to Line
        Against k; Nyström's ends at c.
    """
    ranks = np.arange(1, C_STOPS[-1] + 1)
    return {
        "Nyström": Line(ranks[:c], errors(c, gamma, rule)),
        "best of rank k": Line(ranks, best_errors(gamma), style="reference"),
    }


def reconstructed(c, k, gamma, rule):
    """
    Compute ZZᵀ of rank k on 23 of the points, in the order of the groups.

    Parameters
    ----------
    c, k, gamma, rule : int, int, float, str
        As of `features`; a k beyond c is c.

    Returns
    -------
    ndarray of shape (23, 23)
        Comes near to G where the landmarks are.
    """
    Z = features(c, gamma, rule)[1][SHOWN, :k]
    return Z @ Z.T


def summary(c, k, gamma, rule):
    """
    Put the error, and the landmarks of each group, in words.

    Parameters
    ----------
    c, k, gamma, rule : int, int, float, str
        As of `features`; a k beyond c is c.

    Returns
    -------
    str
        Each landmark counts for the group whose centre is nearest.
    """
    points, _ = features(c, gamma, rule)
    nearest = np.linalg.norm(points[:, None] - np.array(CENTRES), axis=2).argmin(axis=1)
    counts = np.bincount(nearest, minlength=3)
    kept = min(k, c)
    beyond = f" (k = {k} is beyond c)" if k > c else ""
    return (
        f"Rank {kept}{beyond}: relative error {errors(c, gamma, rule)[kept - 1]:.3f}; "
        f"the least possible is {best_errors(gamma)[kept - 1]:.3f}. "
        f"Landmarks in the groups of 140, 50 and 10 points: {counts[0]}, {counts[1]}, {counts[2]}."
    )


@lru_cache(maxsize=64)
def eigenvalues(kernel, gamma):
    """
    Compute the spectrum of G on the 200 points.

    Parameters
    ----------
    kernel : {"Gaussian", "Laplace"}
        The family.
    gamma : float
        γ > 0.

    Returns
    -------
    ndarray of shape (200,)
        Largest first.
    """
    return np.linalg.eigvalsh(KERNELS[kernel](gamma)(data()))[::-1]


def spectrum(kernel, gamma):
    """
    Give the eigenvalues of G, as parts of their sum, for the plot.

    Parameters
    ----------
    kernel, gamma : str, float
        As of `eigenvalues`.

    Returns
    -------
    Line
        Against their rank; ends where they reach rounding.
    """
    shares = eigenvalues(kernel, gamma) / N
    return Line(np.arange(1, N + 1), np.where(shares > LEAST_SHARE, shares, np.nan))


@lru_cache(maxsize=64)
def both_errors(kernel, gamma):
    """
    Compute ‖G − ZZᵀ‖_F / ‖G‖_F of Nyström and of random features with the same numbers of columns.

    Parameters
    ----------
    kernel, gamma : str, float
        As of `eigenvalues`.

    Returns
    -------
    dict of str to ndarray of shape (7, 3)
        For each number of columns and each draw.
    """
    X, law = data(), KERNELS[kernel](gamma)
    G, found = law(X), {}
    maps = {"Nyström": NystromFeatures, "random features": FourierFeatures}
    for name, features_of in maps.items():
        found[name] = np.empty((len(COLUMNS), DRAWS))
        for i, j in np.ndindex(found[name].shape):
            Z = features_of(law, n_components=COLUMNS[i], random_state=j).fit_transform(X)
            found[name][i, j] = np.linalg.norm(G - Z @ Z.T) / np.linalg.norm(G)
    return found


def error_over_c(kernel, gamma):
    """
    Give both errors over the number of columns, and the least possible one, for the plot.

    Parameters
    ----------
    kernel, gamma : str, float
        As of `eigenvalues`.

    Returns
    -------
    dict of str to Line
        Medians of three draws; they end where rounding would decide them.
    """
    squares = np.cumsum(eigenvalues(kernel, gamma)[::-1] ** 2)[::-1]
    best = np.sqrt(squares[list(COLUMNS)] / squares[0])
    medians = {name: np.median(e, axis=1) for name, e in both_errors(kernel, gamma).items()}
    drawn = {
        name: Line(COLUMNS, np.where(errors > LEAST_ERROR, errors, np.nan))
        for name, errors in (medians | {"best of rank c": best}).items()
    }
    return drawn | {"best of rank c": drawn["best of rank c"]._replace(style="reference")}


def decay_summary(kernel, gamma, columns):
    """
    Put both errors at one number of columns in words.

    Parameters
    ----------
    kernel, gamma : str, float
        As of `eigenvalues`.
    columns : int
        c, one of the stops.

    Returns
    -------
    str
        Medians of three draws, and what share of the trace the c largest eigenvalues hold.
    """
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
            "them, those "
            "points look orthogonal to everything, themselves included."
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
