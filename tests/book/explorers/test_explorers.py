"""The rules that hold for every chapter's explorer; each finds the explorers by itself."""

import gzip
import json
import pkgutil
import random
import runpy
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from packed import data_of, unpack

from kernlib.book import explorers
from kernlib.book.explore import Explorer
from kernlib.book.explore.page import page_html
from kernlib.book.explorers.lab import read_record, synthesis

MODULES = sorted({module.name for module in pkgutil.iter_modules(explorers.__path__)} - {"lab"})
IN_MODULES = [
    what for name in MODULES for what in vars(import_module(f"kernlib.book.explorers.{name}")).values()
]
LAB = synthesis(read_record())
TEMPLATE = runpy.run_path(Path(__file__).resolve().parents[3] / "tools" / "templates" / "explorer.py")
EVERY = [*IN_MODULES, LAB, TEMPLATE["EXPLORER"]]
EXPLORERS = {explorer.name: explorer for explorer in EVERY if isinstance(explorer, Explorer)}


@pytest.fixture(params=EXPLORERS)
def explorer(request):
    return EXPLORERS[request.param]


@cache
def html_of(name):
    return page_html(EXPLORERS[name])


def test_the_numbers_in_the_page_are_those_computed_live(explorer):
    data = data_of(html_of(explorer.name))
    for seed in range(4):
        choose = random.Random(seed).choice
        values = {control.name: choose(control.stops) for control in explorer.controls}
        live = json.loads(json.dumps(explorer.frames(values)))
        for i, panel in enumerate(explorer.panels):
            place = 0
            for control in explorer.depends(panel):
                place = place * len(control.stops) + control.stops.index(values[control.name])
            assert unpack(data["frames"][i][place], data["pool"]) == live[i], (panel.title, values)


def test_a_live_move_finds_a_value_at_every_position_and_a_picture(explorer):
    for control in explorer.controls:
        for value in control.fine[:: max(1, len(control.fine) // 5)]:
            assert control.check(value) == value
    choose = random.Random(0).choice
    for _ in range(9):
        values = {control.name: choose(control.fine) for control in explorer.controls}
        assert len(explorer.frames(values)) == len(explorer.panels)


def test_an_explorer_fits_into_a_page(limit):
    (most,) = limit("HTML of a page with explorers, compressed")
    assert [name for name in EXPLORERS if len(gzip.compress(html_of(name).encode())) > most] == []


def test_every_picture_has_words():
    for explorer in EXPLORERS.values():
        assert explorer.title
        for panel in explorer.panels:
            assert panel.kind == "readout" or len(panel.alt) > 20, panel.title
