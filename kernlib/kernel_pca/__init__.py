"""Kernel PCA: principal components in feature space, from the centred Gram matrix alone.

``centring``: HGH, its rows for new points, and its largest eigenvalues; ``estimator``: the projections;
``pre_images``: the way back to the space of the data. Chapter: Kernel PCA.
"""

from kernlib.kernel_pca.centring import center_gram, center_rows
from kernlib.kernel_pca.estimator import KernelPCA

__all__ = ["KernelPCA", "center_gram", "center_rows"]
