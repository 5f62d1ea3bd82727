"""Read data files, and accept only those with the expected content.

A file is identified by the sha256 of its *decompressed* content, because mirrors compress differently.
"""

import bz2
import hashlib
import io
import os
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pooch

from kernlib.numerics.blocks import HAS_THREADS

__all__ = ["ROOT", "DataFile", "check_content", "fetch", "read_embedded"]

ROOT = Path(__file__).resolve().parents[3]


class DataFile(NamedTuple):
    """A text file of one row a line, stored as ``name`` or compressed as ``name`` + ``.bz2``."""

    name: str
    sha256: str  # of the decompressed content
    urls: tuple[str, ...] = ()


def check_content(data: bytes, file: DataFile, where: object) -> bytes:
    """Return bytes, decompressed if they are bzip2, or raise an OSError if their sha256 is not the file's."""
    try:
        content = bz2.decompress(data) if data.startswith(b"BZh") else data
    except (OSError, ValueError):  # a broken stream, a stream that ends too early
        raise OSError(f"{where} is damaged: bzip2 cannot decompress its {len(data):,} bytes") from None
    if (found := hashlib.sha256(content).hexdigest()) != file.sha256:
        raise OSError(f"{where} is damaged: expected content of sha256 {file.sha256}, found {found}")
    return content


def read_embedded(file: DataFile) -> bytes:
    """Return the content of a file that kernlib carries in its folder ``data``."""
    compressed, remedy = f"{file.name}.bz2", "run git checkout data, or install kernlib again"
    for folder in (ROOT / "data", Path(__file__).resolve().parents[1] / "data"):  # a clone, a wheel
        if (path := folder / compressed).is_file():
            try:
                return check_content(path.read_bytes(), file, path)
            except OSError as error:
                raise OSError(f"{error}; {remedy}") from None
    raise FileNotFoundError(f"{compressed} is not in the folder data of kernlib; {remedy}")


def fetch(file: DataFile) -> tuple[bytes, str]:
    """Return the content of a file that kernlib does not carry, and the name of the place that had it.

    The folder named by ``KERNLIB_DATA`` comes first; a damaged file there is an error. Then pooch looks into
    its cache, or the folder named by ``KERNLIB_CACHE``, and downloads what is missing or damaged there.
    """
    tried = []
    if folder := os.environ.get("KERNLIB_DATA"):
        for base in (Path(), ROOT):
            for name in (f"{file.name}.bz2", file.name):
                if (path := base / os.path.expanduser(folder) / name).is_file():
                    return check_content(path.read_bytes(), file, path), "the folder named by KERNLIB_DATA"
        tried.append(f"the folder {folder} named by KERNLIB_DATA (no such file)")
    if not HAS_THREADS:
        tried.append("the network (a browser downloads nothing)")

    def download(url, target, _):
        answer = io.BytesIO()
        pooch.HTTPDownloader(timeout=10)(url, answer, None)
        Path(target).write_bytes(check_content(answer.getvalue(), file, "its answer"))

    cache = os.environ.get("KERNLIB_CACHE") or pooch.os_cache("kernlib")
    for url in file.urls if HAS_THREADS else ():
        host = urlsplit(url).hostname or url
        try:
            path, action = pooch.retrieve(
                *(url, file.sha256, file.name, cache),
                downloader=download,
                processor=lambda path, action, _: (path, action),
            )
            return Path(path).read_bytes(), "kernlib's cache" if action == "fetch" else host
        except OSError as error:
            # An error of requests has a text of several lines; its class says enough.
            tried.append(f"{host} ({error if type(error) is OSError else type(error).__name__})")
    raise OSError(f"{file.name} was not found in any of these places: {', '.join(tried)}")
