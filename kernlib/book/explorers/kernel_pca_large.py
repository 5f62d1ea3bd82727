"""Kernel PCA of 2,000 letters through c columns: how far components turn, how much variance they lose."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.sparse.linalg import eigsh

from kernlib.book.datasets import load_letters
from kernlib.book.explore import Dots, Explorer, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.book.explorers.components import draw_range
from kernlib.fourier import FourierFeatures
from kernlib.kernel_pca import KernelPCA, center_gram
from kernlib.kernels import Gaussian
from kernlib.nystrom import NystromFeatures

__all__ = ["COLUMNS", "CS", "METHODS", "MOST", "Errors", "exact", "measure"]

N = 2000
CS = (25, 50, 100, 200, 400, 800)
RUNS = 9
MOST = 12  # components
ITERATED = 200  # rows, from which an iteration for 12 eigenvalues is faster
METHODS: dict[str, Callable] = {"Nyström": NystromFeatures, "random features": FourierFeatures}
STYLES = {"Nyström": "", "random features": "dashed"}


class Errors(NamedTuple):
    """The errors of approximate components: a row for each draw, a column for each k = 1, …, 12.

    `sines` are those of the largest angles to the exact subspaces, `lost` the shares of their variance that
    are not captured.
    """

    sines: NDArray
    lost: NDArray


class Exact(NamedTuple):
    """HGH of the letters, and its first 13 eigenvalues and 12 eigenvectors."""

    HGH: NDArray
    lam: NDArray
    V: NDArray


@cache
def letters() -> NDArray:
    """Return the first 2,000 letters, standardized by all of them."""
    data = load_letters()
    X = np.concatenate([data.train.X, data.test.X])
    return ((X - X.mean(axis=0)) / X.std(axis=0))[:N]


@cache
def exact() -> Exact:
    """Compute the exact components, with γ = 1/p."""
    X = letters()
    kernel = Gaussian(1 / X.shape[1])
    model = KernelPCA(kernel, n_components=MOST + 1, random_state=0).fit(X)
    lam = model.eigenvalues_
    return Exact(center_gram(kernel(X)), lam, (model.dual_coef_ * np.sqrt(lam))[:, :MOST])


def largest(A: NDArray) -> tuple[NDArray, NDArray]:
    """Compute the 12 largest eigenvalues and their eigenvectors, largest first."""
    if len(A) < ITERATED:
        lam, U = linalg.eigh(A, subset_by_index=[len(A) - MOST, len(A) - 1])
    else:
        lam, U = eigsh(A, MOST, which="LA", v0=np.ones(len(A)))
    order = np.argsort(-lam)
    return lam[order], U[:, order]


@cache
def measure(method: str, c: int) -> Errors:
    """Compute the errors of the first k components of c features, for each k and draw."""
    X, (HGH, lam, V) = letters(), exact()
    sines, lost = np.empty((RUNS, MOST)), np.empty((RUNS, MOST))
    for run in range(RUNS):
        features = METHODS[method](Gaussian(1 / X.shape[1]), n_components=c, random_state=run)
        Z = features.fit_transform(X)
        Z = Z - Z.mean(axis=0)
        size, U = largest(Z.T @ Z)
        V_hat = Z @ U / np.sqrt(size)
        captured = np.cumsum(np.sum(V_hat * (HGH @ V_hat), axis=0))
        lost[run] = 1 - captured / np.cumsum(lam[:MOST])
        inner = V_hat.T @ V
        for k in range(1, MOST + 1):
            cosines = linalg.svdvals(inner[:k, :k])
            sines[run, k - 1] = np.sqrt(max(0, 1 - cosines[-1] ** 2))
    return Errors(sines, lost)


def draw_seven(x, errors, style):
    """Draw the median of the nine draws, one a row, and the range of the middle seven as a band."""
    return draw_range(x, np.sort(errors, axis=0)[1:-1], style)


@Plot.panel(
    "Angle to the exact subspace", x="components k", y="sine of the angle", ylim=(0, 1.03), cursor="k"
)
def angles(c):
    """The sine of the largest angle between exact and approximate subspace, against the number of components:
    it is large where two eigenvalues nearly agree.
    """
    k = np.arange(1, MOST + 1)
    return {name: draw_seven(k, measure(name, c).sines, style) for name, style in STYLES.items()}


@Plot.panel(
    "Variance lost", x="components k", y="share of the variance lost", log="y", ylim=(1e-6, 1), cursor="k"
)
def losses(c):
    """The share of the variance of the exact components that the approximate ones do not capture, against the
    number of components.
    """
    k = np.arange(1, MOST + 1)
    return {name: draw_seven(k, measure(name, c).lost, style) for name, style in STYLES.items()}


@Plot.panel("Exact eigenvalues", x="component", y="share of the variance", log="y", cursor="k")
def eigenvalues(k):
    """The share of the variance of each exact component, which falls; some neighbors nearly agree."""
    HGH, lam, _ = exact()
    shares, pair = lam / np.trace(HGH), slice(k - 1, k + 1)
    number = np.arange(1, MOST + 2)
    return {
        "all": Dots(number, shares),
        "λₖ and λₖ₊₁": Dots(number[pair], shares[pair], "large"),
    }


@Plot.panel(
    "Variance lost against c",
    x="columns c",
    y="share of the variance lost",
    log="xy",
    ylim=(1e-6, 1),
    cursor="c",
)
def losses_over_c(k):
    """The share of the variance that is lost against the number of columns on logarithmic axes: that of
    Nyström is far below that of random features.
    """
    return {
        name: draw_seven(CS, np.array([measure(name, c).lost[:, k - 1] for c in CS]).T, style)
        for name, style in STYLES.items()
    }


def summary(c, k):
    """Report both errors of both methods, and the gap between the eigenvalues."""
    lam = exact().lam
    gap = (lam[k - 1] - lam[k]) / lam[k - 1]
    found = []
    for name in METHODS:
        errors = measure(name, c)
        sine, lost = (np.median(part[:, k - 1]) for part in (errors.sines, errors.lost))
        found.append(f"{name} {show(sine, 2)} and {show(100 * lost, 2)}%")
    first = "The first component" if k == 1 else f"The first {k} components"
    return (
        f"{first} through {c} columns, sine of the angle and variance lost: {', '.join(found)} (medians of "
        f"{RUNS} draws). Eigenvalue {k + 1} is {show(100 * gap, 2)}% smaller than eigenvalue {k}."
    )


COLUMNS = Explorer(
    title="Angle and lost variance, by number of components",
    name="kernel-pca-columns",
    controls=(
        Slider("c", CS, "columns c", 800),
        Slider("k", range(1, MOST + 1), "components k", 4, play=2),
    ),
    presets={
        "a clear gap": {"c": 800, "k": 4},
        "two that nearly agree": {"c": 800, "k": 10},
        "few columns": {"c": 50, "k": 4},
    },
    panels=(angles, losses, eigenvalues, losses_over_c, Readout(summary)),
    predict=Predict(
        "You compute ten components of 2,000 letters through 800 random features. One of the ten directions "
        "is far off: the sine of its angle to the exact subspace is 0.93. How much of the variance of "
        "the ten exact components is lost?",
        answer="about 2%",
        options=("most of it", "about a third", "about 2%"),
        shows=("Exact eigenvalues",),
        at={"c": 800, "k": 10},
        reason="The tenth and the eleventh eigenvalue nearly agree. A mixture of the two components captures "
        "nearly the same variance as the tenth alone, and can make a large angle with it.",
    ),
)
