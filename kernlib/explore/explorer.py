"""An explorer: controls, panels that depend on them, perhaps a question to answer first.

This is the one definition that the book and a live session share; `kernlib.explore.page` writes it into the
book with its numbers, `kernlib.explore.live` shows it with Python behind it.

Chapter: Explorers.
"""

import itertools
import re
from dataclasses import dataclass

from kernlib.explore.controls import Control, Slider
from kernlib.explore.panels import Panel, Plot
from kernlib.validation import shown

__all__ = ["Explorer", "Predict", "pack", "unpack"]

LARGEST_HEAT = 32  # rows and columns of a heat map in the book
SHORT = 4  # numbers, below which a list is not worth a place in the pool


@dataclass(frozen=True)
class Predict:
    """
    A question that the reader commits to, or skips, before the controls unlock.

    Parameters
    ----------
    question : str
        What will happen?
    answer : str, int or float
        One of the options, or a value of the marker's slider.
    reason : str
        Why that is the answer; shown with it.
    options : sequence of str
        The answers to choose from.
    marker : str, optional
        In place of options, the slider on whose scale the reader places a marker; panels with this cursor
        show it.

    Raises
    ------
    ValueError
        If there are both options and a marker, or neither, or the answer is not among the options.

    Notes
    -----
    Chapter: Explorers.
    """

    question: str
    answer: object
    reason: str
    options: tuple = ()
    marker: str | None = None

    def __post_init__(self):
        if bool(self.options) == bool(self.marker):
            raise ValueError("a prediction needs options to choose from or a marker to place, and not both.")
        if self.options and self.answer not in self.options:
            raise ValueError(f"the answer must be one of the options, got {shown(self.answer)}.")

    def spec(self):
        """
        Describe the question to the renderer.

        Returns
        -------
        dict
            Ready for JSON.
        """
        return {
            "question": self.question,
            "options": list(self.options),
            "marker": self.marker,
            "answer": self.answer,
            "reason": self.reason,
        }


@dataclass(frozen=True)
class Explorer:
    """
    Panels as functions of controls.

    Parameters
    ----------
    panels : sequence of Panel
        In the order in which they are drawn.
    controls : sequence of Control
        In the order in which they are shown; each panel depends on those that its function's parameters name.
    title : str
        Stands above it all; also the name for screen readers.
    name : str
        Its name in the page's address, which then says where the controls stand; letters, digits, hyphens.
    predict : Predict, optional
        A question to answer before the controls unlock.

    Raises
    ------
    ValueError
        If a function needs a control that is not there, or no panel has a use for a control.

    Notes
    -----
    Chapter: Explorers.
    """

    panels: tuple
    controls: tuple = ()
    title: str = ""
    name: str = ""
    predict: Predict | None = None

    def __post_init__(self):
        object.__setattr__(self, "panels", tuple(self.panels))
        object.__setattr__(self, "controls", tuple(self.controls))
        if wrong := [control for control in self.controls if not isinstance(control, Control)]:
            raise TypeError(f"controls must be Slider, Choice or TextBox, got {shown(wrong[0])}.")
        if not isinstance(self.predict, Predict | None):
            raise TypeError(f"predict must be a Predict, got {shown(self.predict)}.")
        if not isinstance(self.name, str):
            raise TypeError(f"name must be a text, got {shown(self.name)}.")
        known = {control.name for control in self.controls}
        if len(known) < len(self.controls):
            raise ValueError("each control must have a name of its own.")
        if self.name and not re.fullmatch(r"[a-z][a-z0-9-]*", self.name):
            raise ValueError(f"name must be small letters, digits and hyphens, got {shown(self.name)}.")
        used = set()
        for panel in self.panels:
            if not isinstance(panel, Panel):
                raise TypeError(f"panels must be Plot, Heat, Table or Readout, got {shown(panel)}.")
            panel.refuse_missing(known)
            used |= known & set(panel.parameters) | {getattr(panel, "cursor", None)}
        if idle := sorted(known - used):
            raise ValueError(f"no panel depends on {', '.join(idle)}.")
        sliders = {control.name for control in self.controls if isinstance(control, Slider)}
        markers = {getattr(panel, "cursor", None) for panel in self.panels} | {
            self.predict.marker if self.predict else None
        }
        if wrong := markers - sliders - {None}:
            raise ValueError(f"a cursor or marker must be a slider's name, got {wrong.pop()!r}.")
        for panel in self.panels:
            if isinstance(panel, Plot) and panel.cursor and "x" in panel.log:
                (least,) = (control.stops[0] for control in self.controls if control.name == panel.cursor)
                if least <= 0:
                    raise ValueError(
                        f"{panel.called}: its logarithmic axis can't show {panel.cursor} = {least}."
                    )

    @property
    def defaults(self):
        """The controls' values in the first picture."""
        return {control.name: control.default for control in self.controls}

    def check(self, values):
        """
        Complete and check the values of the controls.

        Parameters
        ----------
        values : dict
            Of some or all controls; the others get their defaults.

        Returns
        -------
        dict
            Of all controls, in their order.

        Raises
        ------
        ValueError
            If there is no such control, or it has no such value.
        """
        if unknown := sorted(values.keys() - self.defaults.keys()):
            raise ValueError(f"there is no control {unknown[0]!r}, only {', '.join(self.defaults)}.")
        completed = self.defaults | dict(values)
        return {control.name: control.check(completed[control.name]) for control in self.controls}

    def depends(self, panel):
        """
        List the controls that a panel depends on.

        Parameters
        ----------
        panel : Panel
            One of the panels.

        Returns
        -------
        list of Control
            In the explorer's order.
        """
        return [control for control in self.controls if control.name in panel.parameters]

    def frames(self, values):
        """
        Compute every panel.

        Parameters
        ----------
        values : dict
            Of some or all controls.

        Returns
        -------
        list
            A frame for each panel.
        """
        values = self.check(values)
        return [panel.frame(values) for panel in self.panels]

    def spec(self, *, live):
        """
        Describe the explorer to the renderer.

        Parameters
        ----------
        live : bool
            Whether Python computes each picture.

        Returns
        -------
        dict
            Ready for JSON.
        """
        return {
            "name": self.name,
            "title": self.title,
            "controls": [control.spec(live=live) for control in self.controls],
            "panels": [
                panel.spec() | {"depends": [control.name for control in self.depends(panel)]}
                for panel in self.panels
            ],
            "predict": self.predict.spec() if self.predict else None,
        }

    def grid(self):
        """
        Compute every panel at every stop of the controls that it depends on, for the book.

        Returns
        -------
        frames : list of list
            For each panel its frames, packed; the last of its controls runs fastest.
        pool : list
            What the frames refer to.

        Raises
        ------
        ValueError
            If a heat map is too large for the book.
        """
        pool, frames = {}, []
        for panel in self.panels:
            stops = {control.name: control.stops for control in self.depends(panel)}
            combinations = (
                dict(zip(stops, values, strict=True)) for values in itertools.product(*stops.values())
            )
            frames.append(
                [pack(fit_for_the_book(panel.frame(values), panel), pool) for values in combinations]
            )
        return frames, list(pool)


def pack(value, pool):
    """
    Replace lists of numbers or texts, and long texts, by references, so that equal ones are stored once.

    Parameters
    ----------
    value : object
        A frame or a part of one.
    pool : dict
        From each stored thing, as a tuple or a str, to its place; it grows.

    Returns
    -------
    object
        The same with {"#": place} where something was stored.
    """
    if isinstance(value, dict):
        return {key: pack(part, pool) for key, part in value.items()}
    if isinstance(value, list) and any(isinstance(part, list | dict) for part in value):
        return [pack(part, pool) for part in value]
    if isinstance(value, list | str) and len(value) > SHORT:
        key = tuple(value) if isinstance(value, list) else value
        return {"#": pool.setdefault(key, len(pool))}
    return value


def unpack(value, pool):
    """
    Undo `pack`, as the renderer does.

    Parameters
    ----------
    value : object
        A packed frame.
    pool : list
        The stored lists and texts.

    Returns
    -------
    object
        The frame.
    """
    if isinstance(value, dict):
        if "#" in value:
            stored = pool[value["#"]]
            return stored if isinstance(stored, str) else list(stored)
        return {key: unpack(part, pool) for key, part in value.items()}
    return [unpack(part, pool) for part in value] if isinstance(value, list) else value


def fit_for_the_book(frame, panel):
    """
    Refuse a heat map that would weigh too much.

    Parameters
    ----------
    frame : dict or str
        Of any panel.
    panel : Panel
        Whose frame it is.

    Returns
    -------
    dict or str
        The frame.

    Raises
    ------
    ValueError
        If it has more than 32 rows or columns.
    """
    if panel.kind == "heat" and max(frame["shape"]) > LARGEST_HEAT:
        raise ValueError(
            f"{panel.called}: in the book a heat map has at most {LARGEST_HEAT} rows and columns, "
            f"got {frame['shape']}; show a part, or means of blocks."
        )
    return frame
