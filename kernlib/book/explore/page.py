"""An explorer as the book's build takes it: its numbers, its first picture, its words."""

import json
import re
from collections.abc import Mapping
from functools import partial
from html import escape
from types import SimpleNamespace
from typing import Any

from kernlib.book.explore.explorer import Explorer
from kernlib.book.explore.figure import first_figure
from kernlib.book.explore.hands import PlotControl
from kernlib.book.explore.look import POINT
from kernlib.book.explore.marks import show
from kernlib.book.explore.panels.drawing import draw_question

__all__ = ["MIME_TYPE", "Page", "describe", "element", "parts_of"]

MIME_TYPE = "application/vnd.kernlib.explorer+json"


class Page:
    """What a cell returns for an explorer in the book: computed at all stops, so an error fails the build."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        self.parts = parts_of(explorer)

    def __repr__(self):
        return describe(self.explorer, self.explorer.defaults)

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {MIME_TYPE: self.parts, "text/plain": repr(self)}


def parts_of(explorer: Explorer) -> dict[str, Any]:
    """Compute everything that a page holds of an explorer.

    Among it are ``data``, what the script draws; ``picture``, the defaults as SVG; ``asking``, the part of it
    that is there before the question is answered; and ``figure``, the two parts of HTML around its address.
    """
    frames, pool = explorer.grid()
    spec = explorer.spec(live=False)
    data = {"spec": spec, "frames": frames, "pool": pool}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    start = explorer.frames({})
    picture, figure = first_picture(explorer, start)
    return {
        "name": explorer.name,
        "controls": [[control["name"], control.get("values", [])] for control in spec["controls"]],
        "script": explorer.script,
        "data": text.replace("<", "\\u003c"),
        "picture": picture,
        "asking": asking_picture(explorer, start) if picture and explorer.predict else "",
        "figure": figure,
    }


def element(parts: Mapping[str, Any], address: str, data: str, attributes: str = "") -> str:
    """Write the parts of an explorer as one HTML element, with this address of the picture and this data."""
    return (
        f'<kernlib-explorer{attributes} class="kernlib-explorer" data-name="{escape(parts["name"])}">\n'
        f"{address.join(parts['figure'])}\n"
        f'<script type="application/json">{data}</script>\n'
        "</kernlib-explorer>"
    )


def first_picture(explorer, frames):
    """Draw the state at the defaults as SVG; write the figure around it, with question and caption."""
    shown = list(zip(explorer.panels, frames, strict=True))
    below = "".join(panel.html(frame) for panel, frame in shown)
    words = " ".join(escape(text) for panel, frame in shown if (text := panel.caption(frame)))
    stop = "" if explorer.title.endswith("?") else "."
    title = f"<strong>{escape(explorer.title)}{stop}</strong> " if explorer.title else ""
    moved = [control for control in explorer.controls if not isinstance(control, PlotControl)]
    state = ", ".join(f"{control.label} = {show(control.default)}" for control in moved)
    start = f'<figure class="plain">{question_html(explorer.predict)}'
    end = f"{below}<figcaption>{title}{escape(state)}{'. ' if state else ''}{words}</figcaption></figure>"
    controls = {control.name: control for control in explorer.controls}
    if not (picture := first_figure(explorer.panels, frames, controls)):
        return "", [start + end]
    alt = " ".join(panel.words for panel in explorer.panels if panel.draw)
    size = re.search(r'<svg[^>]*?width="([\d.]+)pt" height="([\d.]+)pt"', picture).groups()
    width, height = (round(float(points) / POINT) for points in size)
    image = f'<img alt="{escape(alt)}" width="{width}" height="{height}" loading="lazy" decoding="async"'
    return picture, [f'{start}{image} src="', f'">{end}']


def asking_picture(explorer, frames):
    """Draw what there is before the question is answered: a panel that it needs, or a question mark."""
    controls = {control.name: control for control in explorer.controls}
    for panel, frame in zip(explorer.panels, frames, strict=True):
        labels = [label for title, label in explorer.predict.needs if title == panel.title]
        hands = getattr(panel, "handles", None) or getattr(panel, "toggles", None)
        if panel.draw and (labels or hands):
            draw = panel.draw if None in labels else partial(panel.draw, only=labels)
            return first_figure([SimpleNamespace(title="", draw=draw)], [frame], controls)
    first = next(panel for panel in explorer.panels if panel.draw)
    labels = getattr(first, "x", ""), getattr(first, "y", "")
    draw = partial(draw_question, labels=labels)
    return first_figure([SimpleNamespace(title="", draw=draw)], [None], controls)


def question_html(predict):
    """Write a question, its options and its folded answer; nothing without a question."""
    if predict is None:
        return ""
    options = "".join(f"<li>{escape(option)}</li>" for option in predict.options)
    answer = f"<strong>{escape(show(predict.answer))}</strong>. {escape(predict.reason)}"
    return (
        f'<div class="question"><p>{escape(predict.question)}</p>{f"<ol>{options}</ol>" if options else ""}'
        f"<details><summary>Answer</summary><p>{answer}</p></details></div>"
    )


def describe(explorer: Explorer, values: Mapping[str, Any]) -> str:
    """Describe an explorer and its state in one line: "Explorer Ridge: lam = 0.01"."""
    short = {name: value for name, value in values.items() if not isinstance(value, tuple | list)}
    state = ", ".join(f"{name} = {value!r}" for name, value in short.items())
    return f"Explorer {explorer.title}: {state}".replace(" :", ":").rstrip(": ")
