"""The rules that hold for every chapter's explorer; each finds the explorers by itself."""

import json
import pkgutil
import random
import runpy
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from v8 import Script

from kernlib.book import explorers
from kernlib.book.explore import Explorer, Points, TextBox, Toggles
from kernlib.book.explore.script import join_explorer_script, read
from kernlib.book.explorers.lab import price_of_a_second, read_record, synthesis

MODULES = sorted({module.name for module in pkgutil.iter_modules(explorers.__path__)} - {"lab"})
IN_MODULES = [
    what for name in MODULES for what in vars(import_module(f"kernlib.book.explorers.{name}")).values()
]
LAB, PRICE = synthesis(read_record()), price_of_a_second(read_record())
TEMPLATE = runpy.run_path(Path(__file__).resolve().parents[3] / "tools" / "templates" / "explorer.py")
EVERY = [*IN_MODULES, LAB, PRICE, TEMPLATE["EXPLORER"]]
EXPLORERS = {explorer.name: explorer for explorer in EVERY if isinstance(explorer, Explorer)}
IN_PAGE = {name: explorer for name, explorer in EXPLORERS.items() if explorer.script}
TOLERANCE = 1e-8  # relative


@pytest.fixture(params=EXPLORERS)
def explorer(request):
    return EXPLORERS[request.param]


def test_a_live_move_finds_a_value_at_every_position_and_a_picture(explorer):
    sliders = [control for control in explorer.controls if control.stops]
    for control in sliders:
        for value in control.fine[:: max(1, len(control.fine) // 5)]:
            assert control.check(value) == value
    choose = random.Random(0).choice
    for _ in range(2):
        values = {control.name: choose(control.fine) for control in sliders}
        assert len(explorer.frames(values)) == len(explorer.panels)


def test_every_picture_has_words():
    for explorer in EXPLORERS.values():
        assert explorer.title
        for panel in explorer.panels:
            assert panel.kind == "readout" or len(panel.alt) > 20, panel.title


def moved(control, seed):
    """Choose a value of a control: dragged points stay within 3 of the origin."""
    rng = random.Random(seed)
    if isinstance(control, Points):
        return tuple((rng.uniform(-3, 3), rng.uniform(-3, 3)) for _ in control.groups)
    if isinstance(control, Toggles):
        return tuple(rng.sample(range(control.count), rng.randint(0, control.count)))
    if isinstance(control, TextBox):
        return "".join(rng.choice("abñ") for _ in range(rng.randint(0, control.longest)))
    return rng.choice(control.stops)


def plain_of(result):
    """Write what a panel's function returned as its function in the script does."""
    if isinstance(result, dict):
        return {name: plain_of(part) for name, part in result.items()}
    if hasattr(result, "_asdict"):
        given = {name: part for name, part in result._asdict().items() if np.size(part) and str(part)}
        parts = {name: plain_of(part) for name, part in given.items() if part is not None}
        return {"mark": type(result).__name__.lower()} | parts
    return np.asarray(result).tolist() if not isinstance(result, str) else result


def agree(found, expected):
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        return all(agree(found[name], part) for name, part in expected.items())
    if isinstance(expected, str):
        return found == expected
    found, expected = (np.array(part, dtype=float) for part in (found, expected))  # NaN for a gap
    assert found.shape == expected.shape
    assert (np.isnan(found) == np.isnan(expected)).all()
    scale = np.abs(np.nan_to_num(expected)).max(initial=1e-300)
    return np.abs(np.nan_to_num(found - expected)).max(initial=0) <= TOLERANCE * scale


@pytest.mark.parametrize("name", IN_PAGE)
def test_the_script_of_an_explorer_computes_what_python_computes(name):
    explorer = IN_PAGE[name]
    # it may use only what its functions are given
    script = Script(f"{read('frames.js')}\n{{ let numeric; {join_explorer_script(explorer.script)} }}")
    data = json.loads(json.dumps(explorer.spec(live=False)["data"]))
    for seed in [None, *range(5)]:
        values = explorer.defaults
        if seed is not None:
            values = {control.name: moved(control, f"{seed} {control.name}") for control in explorer.controls}
        for panel in explorer.panels:
            if explorer.in_page(panel):
                name = panel.compute.__name__
                call = (
                    f'((values, data) => KernlibScripts["{explorer.script}"].{name}(values, data, numeric))'
                )
                if panel.kind in ("table", "answers"):
                    shown = f"((values, data) => FRAMES.{panel.kind}({call}(values, data)))"
                    assert script.call(shown, values, data) == panel.frame(values), (panel.title, values)
                    continue
                expected = plain_of(panel.result(values))
                assert agree(script.call(call, values, data), expected), (panel.title, values)
