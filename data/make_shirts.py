"""Make shirts.txt.bz2 from Debian's dataset-fashion-mnist.

It needs numpy. In any folder:

    apt-get download dataset-fashion-mnist
    dpkg-deb -x dataset-fashion-mnist_*.deb fashion
    python make_shirts.py fashion/usr/share/datasets/fashion-mnist

It writes the first 22 principal components of 60,000 images, each at 256 levels from its smallest to its
largest value, and whether the image shows a shirt. Each line is one row: + for a shirt and - for anything
else, then two hexadecimal digits for each component.

The result does not depend on the day or the machine. Sums of pixels are integers below 2⁵³, which are exact
in any order; the directions are rounded to multiples of 2⁻¹⁴, which is far more than machines differ; all
later steps use integers. The hash is checked.
"""

import bz2
import gzip
import hashlib
import sys
from pathlib import Path

import numpy as np

SHIRT = 6
COMPONENTS = 22
FINE = 2**14  # directions are rounded to multiples of 1 / FINE
SHA256 = "3acdb46c422d3ace33fc657cacc3281105e87d3a4334bba605c58cc6c7869068"


def read_array(name, shape):
    """Read an array in MNIST's format, whose header has 4 bytes and 4 more for each axis."""
    content = gzip.decompress((Path(sys.argv[1]) / name).read_bytes())
    return np.frombuffer(content, np.uint8, offset=4 + 4 * len(shape)).reshape(shape)


images = read_array("train-images-idx3-ubyte.gz", (60_000, 28, 28)).reshape(60_000, 784).astype(float)
labels = read_array("train-labels-idx1-ubyte.gz", (60_000,))

total = images.sum(axis=0)
covariance = images.T @ images - np.outer(total, total) / len(images)
directions = np.linalg.eigh(covariance)[1][:, : -COMPONENTS - 1 : -1]
# The sign of a direction is arbitrary: make its largest coordinate positive.
directions *= np.sign(directions[np.abs(directions).argmax(axis=0), range(COMPONENTS)])
scores = (images @ np.rint(FINE * directions)).astype(np.int64)

low, high = scores.min(axis=0), scores.max(axis=0)
nearest = (255 * (scores - low) + (high - low) // 2) // (high - low)
levels, signs = nearest.astype(np.uint8), np.where(labels == SHIRT, "+", "-")
rows = (f"{sign}{bytes(row).hex()}\n" for sign, row in zip(signs, levels, strict=True))
content = "".join(rows).encode("ascii")

found = hashlib.sha256(content).hexdigest()
if found != SHA256:
    sys.exit(f"expected rows of sha256 {SHA256}, found {found}; nothing written")

target = Path(__file__).with_name("shirts.txt.bz2")
target.write_bytes(bz2.compress(content))
print(f"{target.name}: {len(labels):,} rows, {target.stat().st_size:,} bytes")
