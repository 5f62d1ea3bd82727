"""The races: each task of the course in float64 and float32, against what a user would otherwise call.

A race consists of two functions that a process finds by name (`benchmarks.race`), and a truth that is
computed apart from both, so that a gain in speed with a loss of accuracy is seen.
"""

from benchmarks.races.fourier import FOURIER, STREAMING
from benchmarks.races.gram import GRAM, SVM
from benchmarks.races.nystrom import CLASSIFIER, FALKON, NYSTROM, NYSTROM_RIDGE
from benchmarks.races.ridge import PATH, RIDGE
from benchmarks.races.spectra import KERNEL_PCA, TRUNCATION
from benchmarks.races.strings import STRINGS

RACES = {
    "fourier": FOURIER,
    "gram": GRAM,
    "nystrom": NYSTROM,
    "nystrom-ridge": NYSTROM_RIDGE,
    "falkon": FALKON,
    "classifier": CLASSIFIER,
    "ridge": RIDGE,
    "path": PATH,
    "kernel-pca": KERNEL_PCA,
    "truncation": TRUNCATION,
    "svm": SVM,
    "strings": STRINGS,
    "streaming": STREAMING,
}
