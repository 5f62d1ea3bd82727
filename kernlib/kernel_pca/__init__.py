"""Kernel PCA: principal components in feature space, from the centered Gram matrix alone.

``centering``: HGH, its rows for new points, and its largest eigenvalues. ``estimator``: the projections.
``pre_images``: the way back to the space of the data. A bad argument raises a TypeError or a ValueError that
names it. Chapter: Kernel PCA.
"""

from kernlib.kernel_pca.centering import center_gram, center_rows
from kernlib.kernel_pca.estimator import KernelPCA

__all__ = ["KernelPCA", "center_gram", "center_rows"]
