"""Files that are known by their content, and those of them that kernlib carries.

No file is trusted by its name or place: it must have the expected rows and the expected sha256 of the
*unpacked* content (mirrors compress apart), or it is refused.
"""

import bz2
import hashlib
from pathlib import Path
from typing import NamedTuple

__all__ = ["ROOT", "RawFile", "embedded", "unpack"]

ROOT = Path(__file__).resolve().parents[2]


class RawFile(NamedTuple):
    """
    A text file of one row a line, stored as ``name`` + ``.bz2``.

    Parameters
    ----------
    name : str
        Without ``.bz2``.
    rows : int
        Its lines.
    sha256 : str
        Of the unpacked content.
    urls : tuple of str
        Where else it is.
    """

    name: str
    rows: int
    sha256: str
    urls: tuple[str, ...] = ()


def embedded(file):
    """
    Read a file that kernlib carries.

    Parameters
    ----------
    file : RawFile
        One of the folder ``data``.

    Returns
    -------
    bytes
        Its checked content.

    Raises
    ------
    OSError
        If it is missing or damaged.
    """
    packed = f"{file.name}.bz2"
    # a clone, an installed wheel
    places = (ROOT / "data" / packed, Path(__file__).resolve().parents[1] / "data" / packed)
    path = next(filter(Path.is_file, places), None)
    if path is None:
        raise FileNotFoundError(
            f"{packed} is missing: expected it in the folder data of the clone or of the installed package, "
            "found it in neither; run git checkout data, or install kernlib again"
        )
    return unpack(path.read_bytes(), file, path)


def unpack(data, file, where):
    """
    Unpack a file's bytes and check that they are the ones expected.

    Parameters
    ----------
    data : bytes
        Packed with bzip2, or not.
    file : RawFile
        What they should be.
    where : object
        What to call their place in the sentence.

    Returns
    -------
    bytes
        The content.

    Raises
    ------
    OSError
        If it has other rows.
    """
    try:
        content = bz2.decompress(data) if data.startswith(b"BZh") else data
    except (OSError, ValueError):  # a broken stream, a stream that ends too early
        found = f"{len(data):,} bytes of bzip2 that do not unpack"
    else:
        rows = content.count(b"\n")
        found = f"{rows:,} rows of sha256 {hashlib.sha256(content).hexdigest()}"
    expected = f"{file.rows:,} rows of sha256 {file.sha256}"
    if found != expected:
        raise OSError(f"{where} is damaged: expected {expected}, found {found}")
    return content
