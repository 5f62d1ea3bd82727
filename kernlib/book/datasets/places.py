"""Where a file may be that kernlib doesn't carry: a folder of the user's, a cache, the network.

pooch speaks HTTP and knows the cache's folder. Its `retrieve` would know a file by the hash of the packed
bytes, which differ between mirrors, throw a good download away where the cache can't be written, and has
neither bound nor deadline; its `Decompress` takes on trust what an earlier call, killed half way, unpacked.

Everything read has a bound that is known beforehand: bytes by the file's size, time by a deadline. So no
archive, server or disk can fill the memory or hang the reader.
"""

import io
import os
from contextlib import suppress
from multiprocessing import TimeoutError as TookTooLong
from multiprocessing.pool import ThreadPool
from pathlib import Path
from threading import get_ident
from urllib.parse import urlsplit

import pooch

from kernlib.book.datasets.files import ROOT, read, unpack
from kernlib.numerics.browser import HAS_THREADS

__all__ = ["find"]

TIMEOUT = (4, 10)  # seconds: to connect to one address, and to wait for the next bytes
DEADLINE = 60  # seconds, for all that one address has to say


def find(file):
    """
    Find a file's content in the first place that has it: the user's folder, the cache, the network.

    Give the content, checked, and the place's name. If no place has it, or the one in the user's folder is
    damaged or can't be read, the OSError's sentence says what was tried.
    """
    tried = []
    if folder := os.environ.get("KERNLIB_DATA"):
        bases = [base / os.path.expanduser(folder) for base in (Path(), ROOT)]  # ~nobody stays as it is
        for path in (base / name for base in bases for name in (f"{file.name}.bz2", file.name)):
            if path.is_file():
                return unpack(read(path, file), file, path), "the folder named by KERNLIB_DATA"
        a_file = any(base.is_file() for base in bases)
        fault = "a file: name the folder that holds it" if a_file else "no such file"
        tried.append(f"the folder {folder} named by KERNLIB_DATA ({fault})")

    try:
        return from_cache(file), "kernlib's cache"
    except OSError as error:
        tried.append(f"kernlib's cache ({error})")

    for url in file.urls:
        host = urlsplit(url).hostname
        try:
            packed = download(url, file.longest)
            content = unpack(packed, file, "its answer")
        except OSError as error:
            tried.append(f"{host} ({error})")
            continue
        try:
            store(packed, file)
            kept = "into kernlib's cache"
        except OSError as error:
            kept = f"for this time only: kernlib's cache can't be written ({error})"
        print(f"downloaded {file.name}.bz2 ({len(packed) / 1e6:.1f} MB) from {host} {kept}")
        return content, host
    raise OSError(f"{file.name} is in none of its places: {', '.join(tried)}")


def cached(file):
    """Where the cache has a file, or would have it."""
    folder = os.environ.get("KERNLIB_CACHE") or pooch.os_cache("kernlib")
    try:
        return Path(folder).expanduser() / f"{file.name}.bz2"
    except RuntimeError:  # a ~ of nobody's
        raise OSError(f"no home for {folder}") from None


def from_cache(file):
    """A file's content from the cache; one that is damaged leaves it."""
    path = cached(file)
    if not path.is_file():
        raise OSError("no such file")
    packed = read(path, file)
    try:
        return unpack(packed, file, path)
    except OSError:
        fault = "damaged"
        with suppress(OSError):  # a cache that is read only
            path.unlink()
            fault = "damaged, now removed"
        raise OSError(fault) from None


def store(packed, file):
    """Write a file into the cache, whole or not at all."""
    path = cached(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}.{get_ident()}.part")  # of this loader alone
    try:
        partial.write_bytes(packed)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


class Bounded(io.BytesIO):
    """A buffer that refuses more than so many bytes."""

    def __init__(self, longest):
        super().__init__()
        self.longest = longest

    def write(self, chunk):
        if self.tell() + len(chunk) > self.longest:
            raise OSError(f"more than {self.longest:,} bytes")
        return super().write(chunk)


def download(url, longest):
    """The bytes at an address, held in memory, so that a broken download leaves nothing on disk."""
    if not HAS_THREADS:
        raise OSError("Python in a browser downloads nothing")
    # In a thread that is left alone after the deadline, since every byte that comes renews a time-out; the
    # closed buffer ends it at the next chunk.
    with Bounded(longest) as buffer, ThreadPool(1) as thread:
        work = thread.apply_async(pooch.HTTPDownloader(timeout=TIMEOUT), (url, buffer, None))
        try:
            work.get(DEADLINE)
        except TookTooLong:
            raise OSError(f"longer than {DEADLINE} seconds") from None
        except (OSError, ValueError) as error:
            # the name of an error of requests is clear, and its text runs over lines
            ours = type(error) is OSError
            raise OSError(str(error) if ours else type(error).__name__) from None
        return buffer.getvalue()
