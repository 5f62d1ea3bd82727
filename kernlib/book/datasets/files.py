"""Files that are known by their content, and those of them that kernlib carries.

No file is trusted by its name or place: it must have the expected rows and the expected sha256 of the
*unpacked* content (mirrors compress apart), or it is refused. Nor is one read to its end to find that out:
the known size is the most that is ever held.
"""

import bz2
import hashlib
import io
from pathlib import Path
from typing import NamedTuple

__all__ = ["ROOT", "RawFile", "embedded", "read", "unpack"]

ROOT = Path(__file__).resolve().parents[3]


class RawFile(NamedTuple):
    """A text file of one row a line, stored as ``name`` + ``.bz2``; size and hash are its content's."""

    name: str
    rows: int
    size: int  # in bytes
    sha256: str
    urls: tuple[str, ...] = ()  # where else it is

    @property
    def longest(self):
        """The most bytes of the file, packed or not: bzip2 promises to add at most 1 % and 600 bytes."""
        return self.size + self.size // 100 + 600


def embedded(file):
    """Read the checked content of a file that kernlib carries, from the folder ``data``."""
    packed = f"{file.name}.bz2"
    # a clone, an installed wheel
    places = (ROOT / "data" / packed, Path(__file__).resolve().parents[1] / "data" / packed)
    path = next(filter(Path.is_file, places), None)
    remedy = "run git checkout data, or install kernlib again"
    if path is None:
        raise FileNotFoundError(
            f"{packed} is missing: expected it in the folder data of the clone or of the installed package, "
            f"found it in neither; {remedy}"
        )
    try:
        return unpack(read(path, file), file, path)
    except OSError as error:
        raise OSError(f"{error}; {remedy}") from None


def read(path, file):
    """Read a file from disk, packed or not, no further than shows that it is too long."""
    with path.open("rb") as stream:
        return stream.read(file.longest + 1)


def unpack(data, file, where):
    """
    Unpack bytes, if they are packed with bzip2, and check that they are the ones expected.

    Any others are refused, ``where`` being the name of their place in the sentence; no more than
    ``file.size + 1`` of them are unpacked.
    """
    packed = data.startswith(b"BZh")
    try:
        content = bz2.open(io.BytesIO(data)).read(file.size + 1) if packed else data
    except (OSError, EOFError):  # a broken stream, a stream that ends too early
        found = f"{len(data):,} bytes of bzip2 that do not unpack"
    else:
        rows = content.count(b"\n")
        found = f"{rows:,} rows of sha256 {hashlib.sha256(content).hexdigest()}"
        if len(content) > file.size:
            found = f"more than {file.size:,} bytes"
    expected = f"{file.rows:,} rows of sha256 {file.sha256}"
    if found != expected:
        raise OSError(f"{where} is damaged: expected {expected}, found {found}")
    return content
