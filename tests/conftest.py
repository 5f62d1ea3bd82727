"""What tests of several folders share."""

import re
from pathlib import Path

import pytest
from samples import DIMENSIONS
from threadpoolctl import threadpool_limits

import kernlib.numerics.blocks
import kernlib.numerics.rows


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    """Let BLAS use one thread, as on a busy machine several spend most of the time waiting for each other."""
    with threadpool_limits(1, user_api="blas"):
        yield


def read_limit(guide, what):
    """Read the numbers of a row of the guide's table of limits: 600 kB is 600,000."""
    rows = re.findall(rf"^\| {re.escape(what)} \| ([^|]+) \|", guide, re.MULTILINE)
    numbers = re.findall(r"\d[\d,.]*", rows[0]) if len(rows) == 1 else []
    assert numbers, f"CONTRIBUTING.md must state {what!r} with a number in one row of its limits, not {rows}."
    return [float(number.replace(",", "")) * (1000 if "kB" in rows[0] else 1) for number in numbers]


@pytest.fixture(scope="session")
def limit():
    """Give a function that reads a limit from CONTRIBUTING.md."""
    guide = Path(__file__).resolve().parents[1].joinpath("CONTRIBUTING.md").read_text(encoding="utf-8")
    return lambda what: read_limit(guide, what)


@pytest.fixture(params=DIMENSIONS)
def p(request):
    """Each number of columns in turn that the data of a test have."""
    return request.param


@pytest.fixture
def short_slices(monkeypatch):
    """Cut rows into slices as short as a test can afford."""
    monkeypatch.setattr(kernlib.numerics.rows, "SLICE", 16)


@pytest.fixture
def two_threads(monkeypatch):
    """Work in two threads on any number of cores."""
    monkeypatch.setattr(kernlib.numerics.blocks, "CORES", 2)
    with threadpool_limits(2, user_api="blas"):
        yield
