"""What explorers compute, live and on the built pages; here alone each sweep is computed once for both."""

import json
import random
import re

import pytest
from book_explorers import EXPLORERS
from packed import place_of, unpack


def sentences(found):
    """All texts of several words in what JSON holds; a matrix in letters has no blank."""
    if isinstance(found, str):
        return [found] if " " in found else []
    parts = found.values() if isinstance(found, dict) else found if isinstance(found, list) else []
    return [text for part in parts for text in sentences(part)]


@pytest.mark.parametrize("name", EXPLORERS)
def test_the_numbers_of_a_page_are_those_computed_live_and_powers_of_ten_are_set(name, numbers):
    explorer, data = EXPLORERS[name], json.loads(numbers[name])
    choose = random.Random(1).choice
    values = {control.name: choose(control.stops or [control.default]) for control in explorer.controls}
    live = json.loads(json.dumps(explorer.frames(values)))
    for i, panel in enumerate(explorer.panels):
        if not explorer.in_page(panel):
            stored = data["frames"][i][place_of(explorer, panel, values)]
            assert unpack(stored, data["pool"]) == live[i], (panel.title, values)
    assert [text for text in sentences([data, live]) if re.search(r"\d[eE][-+−]?\d", text)] == []


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_live_move_finds_a_value_at_every_position_and_a_picture(name):
    explorer = EXPLORERS[name]
    sliders = [control for control in explorer.controls if control.stops]
    for control in sliders:
        for value in control.fine[:: max(1, len(control.fine) // 5)]:
            assert control.check(value) == value
    choose = random.Random(0).choice
    values = {control.name: choose(control.fine) for control in sliders}
    assert len(explorer.frames(values)) == len(explorer.panels)
