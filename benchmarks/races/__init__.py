"""The races: each row of the design's table, the same in float32, and what else a user would pick.

A race is two functions that a process finds by name (`benchmarks.race`). A truth is computed apart from both,
by a formula written out or in higher precision, so that speed at the price of accuracy can't pass for a gain.
"""

from benchmarks.races.fourier import FOURIER, STREAMING
from benchmarks.races.gram import GRAM, SVM
from benchmarks.races.nystrom import NYSTROM, NYSTROM_RIDGE
from benchmarks.races.ridge import PATH, RIDGE
from benchmarks.races.spectra import KERNEL_PCA, TRUNCATION
from benchmarks.races.strings import STRINGS

__all__ = ["RACES"]

RACES = {
    "fourier": FOURIER,
    "gram": GRAM,
    "nystrom": NYSTROM,
    "nystrom-ridge": NYSTROM_RIDGE,
    "ridge": RIDGE,
    "path": PATH,
    "kernel-pca": KERNEL_PCA,
    "truncation": TRUNCATION,
    "svm": SVM,
    "strings": STRINGS,
    "streaming": STREAMING,
}
