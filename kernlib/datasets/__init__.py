"""Every data set that the chapters use, each from a loader that says where its rows came from.

``ijcnn1`` states no licence, so kernlib never carries it; the others may be shared, are small, and come with
kernlib. A file must have the expected rows and the expected sha256, or it is refused.
"""

from kernlib.datasets.tables import Dataset, Part, load_ijcnn1, load_letters

__all__ = ["Dataset", "Part", "load_ijcnn1", "load_letters"]
