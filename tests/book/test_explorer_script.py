"""The explorers' script on its own, without the book: whatever numbers it gets, it draws and goes on.

Python refuses most of these before they reach a page; the script must not rely on it, since a page that
hangs takes the whole tab.
"""

import itertools
import json
import re

import pytest

from kernlib.explore import Explorer, Readout, Slider
from kernlib.explore.live import ASSETS
from kernlib.explore.look import LOOK
from kernlib.explore.page import page_html

SCRIPT = (ASSETS / "explore.js").read_text(encoding="utf-8")
NUMBERS = [None, 0, 1, -1, 5e-324, -1e-310, 1e-200, 0.1, 1e16, 1e16 + 2, 1.7e308, -1.7e308]
LIMITS = [
    *[
        None,
        [0, 1],
        [1, 1],
        [2, 1],
        [-1, -1],
        [-5, 0],
        [0, 1e-310],
        [1e17, 1e17 + 16],
        [1, 1.0000000000000002],
    ],
    *[[-1.7e308, 1.7e308], [None, None], [5e-324, 1e300]],
]
SERIES = [
    {"mark": "line", "style": "", "label": "curve", "x": NUMBERS, "y": NUMBERS},
    {
        "mark": "line",
        "style": "dashed",
        "label": "",
        "x": [1, 1],
        "y": [7, 7],
        "low": [None, -1],
        "high": [0, 0],
    },
    {"mark": "dots", "style": "large", "label": "dots", "x": NUMBERS, "y": NUMBERS[::-1]},
    {"mark": "bars", "style": "", "label": "bars", "x": [None, 1, 1, 0], "y": [1, None, -1e308, 0]},
    {"mark": "bars", "style": "", "label": "one bar", "x": [5e-324], "y": [5e-324]},
    {"mark": "line", "style": "", "label": "nothing", "x": [], "y": []},
]
LINES = [{**SERIES[0], "style": style} for style in LOOK["lines"]]
POINTS = [{**SERIES[2], "style": style} for style in LOOK["dots"] for _ in LOOK["points"]]


def axis(log, limits):
    return {"label": "axis", "log": log, "limits": limits}


def plot(series, x, y, equal=False):
    spec = {
        "kind": "plot",
        "title": "",
        "alt": "",
        "x": x,
        "y": y,
        "cursor": "c",
        "equal": equal,
        "depends": [],
    }
    return spec, {"series": series}


PLOTS = [
    *[plot(series, axis(False, None), axis(False, None)) for series in (LINES, POINTS)],
    *[plot([one], axis(x, None), axis(y, None)) for one in SERIES for x in (0, 1) for y in (0, 1)],
    *[plot([one], axis(False, None), axis(False, None), equal=True) for one in SERIES],
    *[plot(SERIES, axis(log, limits), axis(log, limits)) for limits in LIMITS for log in (False, True)],
    *[
        plot([{**SERIES[0], "x": [a, b], "y": [b, a]}], axis(log, None), axis(log, None))
        for a, b in itertools.combinations(NUMBERS, 2)
        for log in (False, True)
    ],
    plot([], axis(True, [0, 1]), axis(True, None)),
]
HEATS = [
    (
        {"kind": "heat", "title": "", "alt": "", "depends": []},
        {"shape": shape, "low": 0, "high": 0, "cells": ""},
    )
    for shape in ([0, 0], [0, 3], [1, 1])
]


def explorer(panels, value):
    """The element of an explorer with these panels, and a slider that stands at the value."""
    control = {"kind": "slider", "name": "c", "label": "c", "values": [value], "default": value}
    spec = {"name": "", "title": "", "look": LOOK, "controls": [control], "predict": None}
    spec["panels"] = [panel for panel, _ in panels]
    data = {"spec": spec, "frames": [[frame] for _, frame in panels], "pool": []}
    return f'<kernlib-explorer><script type="application/json">{json.dumps(data)}</script></kernlib-explorer>'


@pytest.mark.parametrize("value", [0, -1e308, 5e-324])
def test_any_numbers_are_drawn_without_a_hang_an_error_or_a_nan(browser, value):
    page = browser.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    page.set_content(explorer([*PLOTS, *HEATS], value))
    page.add_script_tag(content=SCRIPT)
    page.wait_for_function(f"document.querySelectorAll('.panel svg[role=img]').length === {len(PLOTS)}")
    panels = page.evaluate(
        """[...document.querySelectorAll(".panel")].map((panel) => ({
          written: [...panel.querySelectorAll("svg *")]
            .flatMap((node) => ["d", "x", "y", "width", "height"].map((name) => node.getAttribute(name)))
            .join(" "),
          ticks: panel.querySelectorAll(".ticks text").length,
        }))"""
    )
    page.close()
    assert len(panels) == len(PLOTS) + len(HEATS)
    for i, panel in enumerate(panels):
        assert not re.search("NaN|Infinity|undefined", panel["written"]), i
        assert panel["ticks"] <= 2 * 50, i
    assert problems == []


def test_an_element_put_back_into_the_page_follows_the_address_again(browser):
    page = browser.new_page()
    page.set_content(page_html(Explorer([Readout(lambda c: c)], [Slider("c", (1, 2, 3))], name="moved")))
    page.add_script_tag(content=SCRIPT)
    said = page.evaluate(
        """async () => {
          const explorer = document.querySelector("kernlib-explorer");
          const said = async (value) => {
            const changed = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
            location.hash = `#moved:c=${value}`;
            await changed;
            return explorer.querySelector("output").textContent;
          };
          const all = [await said(1)];
          explorer.remove();
          all.push(await said(2));
          document.body.append(explorer);
          all.push(await said(3));
          return all;
        }"""
    )
    page.close()
    assert said == ["1", "1", "3"]
