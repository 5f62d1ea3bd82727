"""Kernel PCA: principal components in feature space, from the centered Gram matrix alone, and the way back.

Chapter: Kernel PCA.
"""

from kernlib.kernel_pca.centering import center_gram, center_rows
from kernlib.kernel_pca.estimator import KernelPCA

__all__ = ["KernelPCA", "center_gram", "center_rows"]
