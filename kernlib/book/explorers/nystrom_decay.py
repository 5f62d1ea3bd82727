"""Nyström's method against random features as the spectrum changes."""

from functools import lru_cache

import numpy as np

from kernlib.book.explore import Choice, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.book.explorers.nystrom_draws import KERNELS, best_errors, data
from kernlib.fourier import FourierFeatures
from kernlib.low_rank import relative_error
from kernlib.nystrom import NystromFeatures

__all__ = ["COLUMNS", "DECAY", "error_over_c"]

COLUMNS = (2, 4, 8, 16, 32, 64, 128)
DRAWS = 20  # of each method, whose median is drawn
LEAST_SHARE = 1e-12  # of the trace: rounding moves an eigenvalue by up to 200ε of the largest
LEAST_ERROR = 1e-6  # eigenvalues of W that are cut, or not, move an entry by up to √(cε)


@lru_cache(maxsize=64)
def eigenvalues(kernel, gamma):
    """Those of G on the 200 points, largest first."""
    return np.linalg.eigvalsh(KERNELS[kernel](gamma)(data()))[::-1]


@Plot.panel(
    "Spectrum of G",
    x="index of the eigenvalue, i",
    y="λᵢ / n",
    log="xy",
    ylim=(LEAST_SHARE, 1.2),
    cursor="columns",
)
def spectrum(kernel, gamma):
    """Eigenvalues as parts of their sum, largest first: the larger gamma is, the slower they fall."""
    shares = eigenvalues(kernel, gamma) / len(data())
    return Line(np.arange(1, len(shares) + 1), np.where(shares > LEAST_SHARE, shares, np.nan))


@lru_cache(maxsize=64)
def both_errors(kernel, gamma):
    """Relative errors of Nyström and of random features: a row for each number of columns, by draws."""
    X, law = data(), KERNELS[kernel](gamma)
    G = law(X)

    def errors_of(features):
        maps = [[features(law, n_components=c, random_state=draw) for draw in range(DRAWS)] for c in COLUMNS]
        return np.array([[relative_error(one.fit_transform(X), G) for one in row] for row in maps])

    return {"Nyström": errors_of(NystromFeatures), "random features": errors_of(FourierFeatures)}


@Plot.panel("Error over c", x="columns, c", y="‖G − ZZᵀ‖ / ‖G‖", log="xy", cursor="columns")
def error_over_c(kernel, gamma):
    """Random features fall slowly for every kernel, Nyström's error like the spectrum."""
    found = {name: np.median(e, axis=1) for name, e in both_errors(kernel, gamma).items()}
    found["best of rank c"] = best_errors(kernel, gamma)[list(COLUMNS)]
    styles = {"best of rank c": "reference"}
    return {
        name: Line(COLUMNS, np.where(errors > LEAST_ERROR, errors, np.nan), style=styles.get(name, ""))
        for name, errors in found.items()
    }


def decay_summary(kernel, gamma, columns):
    """Both errors at one number of columns, and the share of the trace in as many eigenvalues."""
    found = [np.median(e[COLUMNS.index(columns)]) for e in both_errors(kernel, gamma).values()]
    found.append(best_errors(kernel, gamma)[columns])
    nystroem, fourier, best = (show(e, 2) if e > LEAST_ERROR else "below 10⁻⁶" for e in found)
    share = eigenvalues(kernel, gamma)[:columns].sum() / len(data())
    return (
        f"With {columns} columns the relative error is {nystroem} for Nyström and {fourier} for random "
        f"features. The best matrix of rank {columns} has {best}, and the {columns} largest eigenvalues hold "
        f"{share:.1%} of the trace."
    )


DECAY = Explorer(
    title="Nyström and random features, by the decay of the spectrum",
    name="nystrom-decay",
    controls=(
        Choice("kernel", KERNELS, "kernel"),
        Slider("gamma", (0.01, 0.1, 1.0, 10.0, 100.0), "γ", 1.0, log=True),
        Slider("columns", COLUMNS, "columns c", 16),
    ),
    presets={
        "falls fast": {"kernel": "Gaussian", "gamma": 0.1, "columns": 16},
        "falls slowly": {"kernel": "Gaussian", "gamma": 10.0, "columns": 16},
    },
    panels=(spectrum, error_over_c, Readout(decay_summary)),
    predict=Predict(
        "γ grows a hundredfold: the kernel becomes narrower, and its spectrum falls more slowly. Which error "
        "then falls much more slowly as c grows?",
        answer="Nyström's",
        options=("Nyström's", "that of random features", "both"),
        shows=("Spectrum of G",),
        reason="Random features average over independent draws, so the mean of their squared error falls "
        "like 1/c with any kernel. No approximation of rank c has a smaller error than the best one, and for "
        "large γ even the best error falls slowly.",
        at={"gamma": 100.0},
    ),
)
