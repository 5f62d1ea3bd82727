"""An explorer as HTML, with its numbers inside, for the book: no Python, no network.

The custom element holds the first picture as a plain figure, for print and until the script runs, and
everything that the script needs as JSON.

Chapter: Explorers.
"""

import base64
import json
import re
from html import escape

from kernlib.book.explore.figure import first_figure
from kernlib.book.explore.look import POINT
from kernlib.book.explore.marks import show

__all__ = ["Page", "describe", "page_html"]


class Page:
    """
    What a cell shows of an explorer while the book is built.

    Parameters
    ----------
    explorer : Explorer
        Computed at once at all its stops, so that an error fails the build.

    Notes
    -----
    Chapter: Explorers.
    """

    def __init__(self, explorer):
        self.explorer = explorer
        self.html = page_html(explorer)

    def __repr__(self):
        return describe(self.explorer, self.explorer.defaults)

    def _repr_html_(self):
        return self.html


def page_html(explorer):
    """Write an explorer as one HTML element, ``kernlib-explorer``; whatever its functions raise goes on."""
    frames, pool = explorer.grid()
    data = {"spec": explorer.spec(live=False), "frames": frames, "pool": pool}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace(
        "<", "\\u003c"
    )
    return (
        f'<kernlib-explorer class="kernlib-explorer" data-name="{escape(explorer.name)}">\n'
        f"{first_picture(explorer)}\n"
        f'<script type="application/json">{text}</script>\n'
        "</kernlib-explorer>"
    )


def first_picture(explorer):
    """Write the state at the defaults as a figure with a caption, and the question with its answer."""
    values, frames = explorer.defaults, explorer.frames({})
    image = ""
    if svg := first_figure(explorer.panels, frames, values):
        alt = " ".join(panel.words for panel in explorer.panels if panel.draw)
        encoded = base64.b64encode(svg.encode()).decode()
        width, height = (
            round(float(size) / POINT)
            for size in re.findall(r'<svg[^>]*?width="([\d.]+)pt" height="([\d.]+)pt"', svg)[0]
        )
        image = (
            f'<img alt="{escape(alt)}" width="{width}" height="{height}" loading="lazy" decoding="async" '
            f'src="data:image/svg+xml;base64,{encoded}">'
        )
    shown = list(zip(explorer.panels, frames, strict=True))
    below = "".join(panel.html(frame) for panel, frame in shown)
    words = " ".join(escape(text) for panel, frame in shown if (text := panel.caption(frame)))
    title = f"<strong>{escape(explorer.title)}.</strong> " if explorer.title else ""
    state = ", ".join(f"{control.label} = {show(values[control.name])}" for control in explorer.controls)
    caption = f"<figcaption>{title}{escape(state)}. {words}</figcaption>"
    return f'<figure class="plain">{question_html(explorer.predict)}{image}{below}{caption}</figure>'


def question_html(predict):
    """Write a question, its options, and its answer folded; print shows the answer below. None is no text."""
    if predict is None:
        return ""
    options = "".join(f"<li>{escape(option)}</li>" for option in predict.options)
    answer = f"<strong>{escape(show(predict.answer))}</strong>. {escape(predict.reason)}"
    return (
        f'<div class="question"><p>{escape(predict.question)}</p>{f"<ol>{options}</ol>" if options else ""}'
        f"<details><summary>Answer</summary><p>{answer}</p></details>"
        f'<p class="print">Answer: {answer}</p></div>'
    )


def describe(explorer, values):
    """Name an explorer and its state in one line, the same in every session: "Explorer Ridge: lam = 0.01"."""
    state = ", ".join(f"{name} = {value!r}" for name, value in values.items())
    return f"Explorer {explorer.title}: {state}".replace(" :", ":").rstrip(": ")
