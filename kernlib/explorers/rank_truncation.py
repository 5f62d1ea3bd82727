"""k on a spectrum, on the error that it leaves, and on the truncated matrix.

`ELBOW` weighs the signal against the noise: where the cliff in the spectrum goes.

Chapter: Rank truncation.
"""

from functools import cache, lru_cache

import numpy as np

from kernlib.explore.controls import Slider
from kernlib.explore.explorer import Explorer, Predict
from kernlib.explore.marks import Dots, Line, show
from kernlib.explore.panels import Heat, Plot, Readout
from kernlib.low_rank import rank_trunc, truncation_errors

__all__ = [
    "ELBOW",
    "EXPLORER",
    "cliff",
    "error",
    "matrix",
    "parts",
    "spectrum",
    "summary",
    "truncated",
    "weighted_error",
    "weighted_spectrum",
]

SHOWN = 32  # rows and columns of the matrix in the picture
LARGEST = 100


@cache
def parts():
    """
    Draw the two parts of the lab's matrix.

    Returns
    -------
    signal, noise : ndarray of shape (200, 200)
        NₛᵀNₛ of rank 20 and NₙᵀNₙ of rank 100; the same in every call.
    """
    rng = np.random.default_rng(0)
    noise, signal = rng.normal(size=(100, 200)), rng.normal(size=(20, 200))
    return signal.T @ signal, noise.T @ noise


@cache
def matrix():
    """
    Draw the lab's matrix G = 50 NₛᵀNₛ + NₙᵀNₙ, of 20 rows of signal and 100 of noise.

    Returns
    -------
    ndarray of shape (200, 200)
        Of rank 120; the same in every call.
    """
    signal, noise = parts()
    return 50 * signal + noise


@cache
def exact_errors():
    """
    Compute √(Σ_{i>k} λᵢ²) / √(Σ λᵢ²) for every k, once.

    Returns
    -------
    ndarray of shape (201,)
        For k = 0, …, 200.
    """
    return truncation_errors(matrix())


@lru_cache(maxsize=4)  # two panels of one picture ask for the same
def of_rank(k):
    """
    Compute G_k.

    Parameters
    ----------
    k : int
        Rank kept.

    Returns
    -------
    ndarray of shape (200, 200)
        The nearest matrix of rank k.
    """
    return rank_trunc(matrix(), k, "eigh")


def spectrum():
    """
    Compute the eigenvalues of G.

    Returns
    -------
    dict of str to Dots
        The 120 that are not zero, against their rank.
    """
    lam = np.linalg.eigvalsh(matrix())[::-1][:120]
    return {"": Dots(np.arange(1, 121), lam)}


def error(k):
    """
    Compute ‖G − G_k‖_F / ‖G‖_F of the truncated matrix, and the exact tail for every k.

    Parameters
    ----------
    k : int
        Rank kept.

    Returns
    -------
    dict of str to Line or Dots
        Against k.
    """
    G, ranks = matrix(), np.arange(LARGEST + 1)
    measured = np.linalg.norm(G - of_rank(k)) / np.linalg.norm(G)
    return {
        "exact tail": Line(ranks, exact_errors()[: LARGEST + 1]),
        "measured": Dots([k], [measured], "large"),
    }


def truncated(k):
    """
    Compute the first rows and columns of G_k.

    Parameters
    ----------
    k : int
        Rank kept.

    Returns
    -------
    ndarray of shape (32, 32)
        A corner of G_k.
    """
    return of_rank(k)[:SHOWN, :SHOWN]


def summary(k):
    """
    Put the error and the storage in words.

    Parameters
    ----------
    k : int
        Rank kept.

    Returns
    -------
    str
        G_k is stored as k eigenpairs, k(n + 1) numbers; G as n².
    """
    n = len(matrix())
    return (
        f"Rank {k} leaves a relative error of {show(float(f'{exact_errors()[k]:.3g}'))} and stores "
        f"{show(k * (n + 1))} numbers in place of {show(n * n)}."
    )


@lru_cache(maxsize=16)
def eigenvalues(a):
    """
    Compute the eigenvalues of a NₛᵀNₛ + NₙᵀNₙ.

    Parameters
    ----------
    a : float
        Weight of the signal.

    Returns
    -------
    ndarray of shape (120,)
        Those that are not zero, in descending order.
    """
    signal, noise = parts()
    return np.linalg.eigvalsh(a * signal + noise)[::-1][:120]


def weighted_spectrum(a):
    """
    Compute the spectrum at a weight of the signal, with the noise's bound on all but 20 eigenvalues.

    Parameters
    ----------
    a : float
        Weight of the signal.

    Returns
    -------
    dict of str to Dots or Line
        Against the rank.
    """
    bound = np.linalg.eigvalsh(parts()[1])[-1]
    return {
        "eigenvalues": Dots(np.arange(1, 121), eigenvalues(a)),
        "largest of the noise": Line([1, 120], [bound, bound], style="reference"),
    }


def weighted_error(a):
    """
    Compute ‖G − G_k‖_F / ‖G‖_F for k = 0, …, 100 at a weight of the signal.

    Parameters
    ----------
    a : float
        Weight of the signal.

    Returns
    -------
    dict of str to Line
        Against k.
    """
    tails = np.cumsum(eigenvalues(a)[::-1] ** 2)[::-1]
    return {"": Line(np.arange(LARGEST + 1), np.sqrt(tails / tails[0])[: LARGEST + 1])}


def cliff(a):
    """
    Put the height of the cliff in words.

    Parameters
    ----------
    a : float
        Weight of the signal.

    Returns
    -------
    str
        λ₂₀/λ₂₁, and the error at k = 20.
    """
    lam, error = eigenvalues(a), weighted_error(a)[""].y
    ratio, left = (float(f"{value:.3g}") for value in (lam[19] / lam[20], error[20]))
    return f"λ₂₀ is {show(ratio)} times λ₂₁; rank 20 leaves a relative error of {show(left)}."


EXPLORER = Explorer(
    title="Rank truncation: what k keeps and what it loses",
    name="rank",
    controls=(
        Slider(
            "k", (1, 2, 5, 10, 15, 18, 19, 20, 21, 22, 25, 30, 40, 60, 80, 100), "rank k", 5, between=True
        ),
    ),
    panels=(
        Plot(
            spectrum,
            "Spectrum",
            "The eigenvalues on a logarithmic axis: 20 large ones, a cliff, then 100 small ones.",
            "rank i",
            "eigenvalue λᵢ",
            log="y",
            cursor="k",
        ),
        Plot(
            error,
            "Relative error of G_k",
            "The error against k: it falls off a cliff at 20, then slowly. The measured error lies on it.",
            "rank kept, k",
            "‖G_k − G‖ / ‖G‖",
            log="y",
            cursor="k",
        ),
        Heat(
            truncated,
            "A corner of G_k",
            "The first 32 rows and columns of the truncated matrix; from k = 20 on it hardly changes.",
            (-700, 1800),
        ),
        Readout(summary),
    ),
    predict=Predict(
        "G = 50 NₛᵀNₛ + NₙᵀNₙ has 20 rows of signal in Nₛ and 100 rows of noise in Nₙ. Place the marker "
        "where the error "
        "stops falling fast.",
        answer=20,
        marker="k",
        reason=(
            "The signal has rank 20 and, with its factor 50, eigenvalues far above those of the noise. Once "
            "these 20 "
            "are kept, only noise is lost, and it is spread over a hundred directions."
        ),
    ),
)

ELBOW = Explorer(
    title="When does the elbow go?",
    name="elbow",
    controls=(Slider("a", (0.5, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50), "weight a of the signal", 50),),
    panels=(
        Plot(
            weighted_spectrum,
            "Spectrum of a NₛᵀNₛ + NₙᵀNₙ",
            "Twenty eigenvalues above the noise's line at a = 50; as a falls they sink into the noise.",
            "rank i",
            "eigenvalue λᵢ",
            log="y",
            ylim=(10, 2e4),
        ),
        Plot(
            weighted_error,
            "Relative error of G_k",
            "The error against k: a cliff at 20 for large a, a smooth curve for small a.",
            "rank kept, k",
            "‖G_k − G‖ / ‖G‖",
            log="y",
            ylim=(0.02, 1),
        ),
        Readout(cliff),
    ),
)
