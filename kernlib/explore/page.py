"""An explorer as HTML, with its numbers inside, for the book: no Python, no network.

The custom element holds the first picture as a plain figure, for print and until the script runs, and
everything that the script needs as JSON.

Chapter: Explorers.
"""

import base64
import json
from html import escape

from kernlib.explore.figure import first_figure
from kernlib.explore.marks import show

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
    """
    Write an explorer as one HTML element.

    Parameters
    ----------
    explorer : Explorer
        Any.

    Returns
    -------
    str
        The element ``kernlib-explorer``.

    Raises
    ------
    Exception
        Whatever a compute function raises.
    """
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
    """
    Write the state at the defaults as a figure with a caption, and the question with its answer.

    Parameters
    ----------
    explorer : Explorer
        Any.

    Returns
    -------
    str
        HTML that needs no script.
    """
    values, frames = explorer.defaults, explorer.frames({})
    parts, words = [], []
    for panel, frame in zip(explorer.panels, frames, strict=True):
        if panel.kind == "table":
            parts.append(table_html(panel, frame))
        elif panel.kind == "readout":
            words.append(escape(frame))
    if svg := first_figure(explorer.panels, frames, values):
        alt = " ".join(panel.words for panel in explorer.panels if panel.kind in ("plot", "heat"))
        encoded = base64.b64encode(svg.encode()).decode()
        parts.insert(0, f'<img alt="{escape(alt)}" src="data:image/svg+xml;base64,{encoded}">')
    title = f"<strong>{escape(explorer.title)}.</strong> " if explorer.title else ""
    state = ", ".join(f"{control.label} = {show(values[control.name])}" for control in explorer.controls)
    caption = f"<figcaption>{title}{escape(state)}. {' '.join(words)}</figcaption>"
    return f'<figure class="plain">{question_html(explorer.predict)}{"".join(parts)}{caption}</figure>'


def table_html(panel, frame):
    """
    Write a table without a script.

    Parameters
    ----------
    panel : Table
        Its title is the caption.
    frame : dict
        The cells.

    Returns
    -------
    str
        HTML.
    """
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in frame.get("columns", []))
    names = frame.get("rows") or [None] * len(frame["values"])
    lines = [f"<tr>{'<td></td>' if 'rows' in frame else ''}{head}</tr>"] if head else []
    for name, row in zip(names, frame["values"], strict=True):
        first = "" if name is None else f'<th scope="row">{escape(name)}</th>'
        lines.append(f"<tr>{first}{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>")
    return f"<table><caption>{escape(panel.title)}</caption>{''.join(lines)}</table>"


def question_html(predict):
    """
    Write a question, its options, and its answer folded; print shows the answer below.

    Parameters
    ----------
    predict : Predict or None
        The question.

    Returns
    -------
    str
        HTML; empty where there is no question.
    """
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
    """
    Name an explorer and its state in one line, the same in every session.

    Parameters
    ----------
    explorer : Explorer
        Any.
    values : dict
        Of all controls.

    Returns
    -------
    str
        For example "Explorer Ridge: lam = 0.01, gamma = 2".
    """
    state = ", ".join(f"{name} = {value!r}" for name, value in values.items())
    return f"Explorer {explorer.title}: {state}".replace(" :", ":").rstrip(": ")
