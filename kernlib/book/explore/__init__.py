"""Sliders on a function: in the book without Python, in Jupyter with Python behind every move.

One call does it, with a function of your own too::

    import numpy as np
    from kernlib.book.explore import explore

    def wave(c, gamma):
        x = np.linspace(-3, 3, 200)
        return {f"{c} waves": (x, np.cos(c * x) * np.exp(-gamma * x**2))}

    explore(wave, c=[1, 3, 10], gamma=(0.01, 10, "log"))

A list holds the stops of a slider, a tuple a range. What the function returns decides what is drawn: curves,
a matrix, a table, a number. `Plot`, `Heat`, `Table` and `Readout` say more about it; several of them make
several panels. The chapters' explorers are in `kernlib.book.explorers`, one module a chapter.

Chapter: Explorers.
"""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kernlib.book.explore.controls import Choice, Slider, TextBox
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.hands import Points, Toggles
from kernlib.book.explore.marks import Bars, Cells, Dots, Field, Line
from kernlib.book.explore.page import Page
from kernlib.book.explore.panels import Fill, Heat, Panel, Pick, Plot, Readout, Table
from kernlib.book.explore.shorthand import as_control, as_panel

if TYPE_CHECKING:
    from kernlib.book.explore.live import Live

__all__ = [
    "Bars",
    "Cells",
    "Choice",
    "Dots",
    "Explorer",
    "Field",
    "Fill",
    "Heat",
    "Line",
    "Panel",
    "Pick",
    "Plot",
    "Points",
    "Predict",
    "Readout",
    "Slider",
    "Table",
    "TextBox",
    "Toggles",
    "explore",
]

BUILDING_THE_BOOK = "KERNLIB_BOOK"  # set by the book's extension while it executes the chapters


def explore(
    *panels: Callable | Panel | Explorer,
    title: str = "",
    name: str = "",
    predict: Predict | None = None,
    **controls: Any,
) -> "Live | Page":
    """Show functions of a few values, with a slider, a list or a text box for each value.

    Parameters
    ----------
    *panels : callable or Panel, or one Explorer
        Each function depends on the controls that its parameters name.
    title, name : str
        As of `Explorer`.
    predict : Predict, optional
        A question to answer before the controls unlock.
    **controls : list, tuple, str or Control
        ``c=[10, 30, 100]`` is a slider with these stops, ``gamma=(0.01, 10, "log")`` one over a range,
        ``form=["phase", "pair"]`` a list, ``s="banana"`` a text box.

    Returns
    -------
    Live or Page
        The widget, or while the book is built its HTML; end a cell with it.

    Raises
    ------
    ValueError
        If a control is none of these, or a function needs one that is not there.
    Exception
        Whatever a function raises at the first picture; while the book is built, at any stop.

    Examples
    --------
    >>> explore(lambda c, gamma: c * gamma, c=[10, 30, 100], gamma=(0.01, 10, "log"))
    Explorer: c = 30, gamma = 0.32
    """
    if len(panels) == 1 and isinstance(panels[0], Explorer):
        explorer = panels[0]
    else:
        given = [as_control(control, what) for control, what in controls.items()]
        first = {control.name: control.default for control in given}
        explorer = Explorer([as_panel(panel, first) for panel in panels], given, title, name, predict)
    if os.environ.get(BUILDING_THE_BOOK):
        return Page(explorer)
    from kernlib.book.explore.live import Live  # only here: the book is built without widgets

    return Live(explorer)
