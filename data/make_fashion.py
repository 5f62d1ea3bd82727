"""Make fashion.txt.bz2 from Debian's dataset-fashion-mnist.

It needs numpy. In any folder:

    apt-get download dataset-fashion-mnist
    dpkg-deb -x dataset-fashion-mnist_*.deb fashion
    python make_fashion.py fashion/usr/share/datasets/fashion-mnist

The result does not depend on the day or the machine: the draw has a fixed seed, bzip2 stores neither a date
nor a name, and the hash is checked. Each line is one image: its label, then its 784 pixels from the top left,
row by row, a hexadecimal digit each.
"""

import bz2
import gzip
import hashlib
import sys
from pathlib import Path

import numpy as np

PER_CLASS = 200
SHA256 = "b7c3c77ee9304c3b77fabe78250e52a4402f03ecc4d6514eda89cc57882d2295"


def read_array(name, shape):
    """Read an array in MNIST's format, whose header has 4 bytes and 4 more for each axis."""
    content = gzip.decompress((Path(sys.argv[1]) / name).read_bytes())
    return np.frombuffer(content, np.uint8, offset=4 + 4 * len(shape)).reshape(shape)


images = read_array("train-images-idx3-ubyte.gz", (60_000, 28, 28)).reshape(60_000, 784)
labels = read_array("train-labels-idx1-ubyte.gz", (60_000,))

# Draw by sorting uniform numbers, whose stream is the same in every version of numpy.
keys = np.random.Generator(np.random.PCG64(2017)).random(len(labels))
order = np.argsort(keys, kind="stable")
kept = np.sort(np.concatenate([order[labels[order] == label][:PER_CLASS] for label in range(10)]))

levels = images[kept] >> 4  # 16 of the 256 gray levels, one hexadecimal digit each
rows = (str(label) + "".join(f"{v:x}" for v in row) for label, row in zip(labels[kept], levels, strict=True))
content = "".join(f"{row}\n" for row in rows).encode("ascii")

found = hashlib.sha256(content).hexdigest()
if found != SHA256:
    sys.exit(f"expected rows of sha256 {SHA256}, found {found}; nothing written")

target = Path(__file__).with_name("fashion.txt.bz2")
target.write_bytes(bz2.compress(content))
print(f"{target.name}: {len(kept):,} images, {target.stat().st_size:,} bytes")
