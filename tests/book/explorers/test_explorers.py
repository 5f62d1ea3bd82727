"""The rules that hold for every chapter's explorer; each finds the explorers by itself."""

import json
import random
import runpy
from pathlib import Path

import numpy as np
import pytest
from book_explorers import EXPLORERS
from v8 import Script

from kernlib.book.explore import Points, TextBox, Toggles
from kernlib.book.explore.script import join_explorer_script, read

TEMPLATE = runpy.run_path(Path(__file__).resolve().parents[3] / "tools" / "templates" / "explorer.py")
IN_PAGE = {name: explorer for name, explorer in EXPLORERS.items() if explorer.script}
TOLERANCE = 1e-8  # relative


def test_every_picture_has_words():
    for explorer in (*EXPLORERS.values(), TEMPLATE["EXPLORER"]):
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
