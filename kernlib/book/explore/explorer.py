"""An explorer: controls, panels that depend on them, perhaps a question to answer first.

This is the one definition that the book and a live session share; `kernlib.book.explore.page` writes it into
the book with its numbers, `kernlib.book.explore.live` shows it with Python behind it.
"""

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kernlib.book.explore.controls import Control, Slider, TextBox
from kernlib.book.explore.hands import PlotControl
from kernlib.book.explore.look import LOOK
from kernlib.book.explore.panels import Panel, kinds
from kernlib.book.explore.script import computed_names
from kernlib.numerics.validation import describe

__all__ = ["Explorer", "Predict", "pack"]

LARGEST_PANEL = 400_000  # characters of JSON
SHORT = 4  # numbers, below which a list is not worth a place in the pool


@dataclass(frozen=True)
class Predict:
    """A question that the reader commits to, or skips, before the controls unlock.

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
    shows : sequence of str or tuple
        What the question needs: titles of panels, or pairs of a panel's title and the label of one of its
        series. Until the reader commits or skips, all else is hidden but points to drag or to switch.
    at : dict, optional
        The values of some controls in the state that the question is about: they are set when the reader
        commits or skips.

    Raises
    ------
    TypeError, ValueError
        If the options are a text, there are both options and a marker, or neither, or the answer is not
        among the options.
    """

    question: str
    answer: object
    reason: str
    options: tuple = ()
    marker: str | None = None
    shows: tuple = ()
    at: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self):
        if isinstance(self.options, str):  # a tuple of one text without its comma
            raise TypeError(f"options must be a list of texts, got {describe(self.options)}.")
        if bool(self.options) == bool(self.marker):
            raise ValueError("a prediction needs options to choose from or a marker to place, and not both.")
        if self.options and self.answer not in self.options:
            raise ValueError(f"the answer must be one of the options, got {describe(self.answer)}.")

    @property
    def needs(self) -> list[tuple[str, str | None]]:
        """What `shows` says, as pairs of a panel's title and the label of a series, or None for all."""
        return [(one, None) if isinstance(one, str) else tuple(one) for one in self.shows]

    def spec(self) -> dict[str, Any]:
        """Describe the question to the renderer, ready for JSON."""
        return {
            "question": self.question,
            "options": list(self.options),
            "marker": self.marker,
            "answer": self.answer,
            "reason": self.reason,
            "shows": [list(pair) for pair in self.needs],
            "at": dict(self.at),
        }


@dataclass(frozen=True)
class Explorer:
    """Panels as functions of controls.

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
    script : str
        The name of a file in ``kernlib/book/explorers/scripts`` without its ending. A function in it, of
        ``(values, data, numeric)``, computes the panel whose function in Python has the same name. Each panel
        that depends on `Points` or `Toggles` needs one.
    data : dict, optional
        Arrays and numbers that the script needs, by name.
    hint : str
        One line above the panels that says what the reader can do.
    presets : dict, optional
        Named states, each a dict of some controls and their values, which become buttons.

    Raises
    ------
    TypeError, ValueError
        If a part is not as described, a function needs a control that is not there, or no panel has a use
        for a control.
    """

    panels: Sequence[Panel]
    controls: Sequence[Control] = ()
    title: str = ""
    name: str = ""
    predict: Predict | None = None
    script: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    hint: str = ""
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self):
        for name, kind, expected in (
            ("panels", Panel, kinds()),
            ("controls", Control, "Slider, Choice or TextBox"),
        ):
            object.__setattr__(self, name, tuple(getattr(self, name)))
            if wrong := [part for part in getattr(self, name) if not isinstance(part, kind)]:
                raise TypeError(f"{name} must be {expected}, got {describe(wrong[0])}.")
        controls = {control.name: control for control in self.controls}
        if len(controls) < len(self.controls):
            raise ValueError("each control must have a name of its own.")
        if self.name and not re.fullmatch(r"[a-z][a-z0-9-]*", self.name):
            raise ValueError(f"name must be small letters, digits and hyphens, got {describe(self.name)}.")
        cursors = [panel.cursor for panel in self.panels if panel.cursor is not None]
        marker = [self.predict.marker] if self.predict and self.predict.marker is not None else []
        if wrong := [name for name in cursors + marker if not isinstance(controls.get(name), Slider)]:
            raise ValueError(f"a cursor or marker must be a slider's name, got {describe(wrong[0])}.")
        for panel in self.panels:
            panel.refuse_controls(controls)
        if idle := sorted(controls.keys() - set(cursors).union(*(panel.parameters for panel in self.panels))):
            raise ValueError(f"no panel depends on {', '.join(idle)}.")
        for values in [*self.presets.values(), self.predict.at if self.predict else {}]:
            self.check(values)
        titles = [panel.title for panel in self.panels]
        needs = self.predict.needs if self.predict else []
        if wrong := [title for title, _ in needs if title not in titles]:
            raise ValueError(f"shows must name panels by their titles, got {describe(wrong[0])}.")

    @property
    def defaults(self) -> dict[str, Any]:
        """The controls' values in the first picture."""
        return {control.name: control.default for control in self.controls}

    def check(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Complete values of some controls by the defaults of the others; check all, give them in order."""
        if unknown := [name for name in values if name not in self.defaults]:
            raise ValueError(f"there is no control {unknown[0]!r}, only {', '.join(self.defaults)}.")
        completed = self.defaults | dict(values)
        return {control.name: control.check(completed[control.name]) for control in self.controls}

    def depends(self, panel: Panel) -> list[Control]:
        """List the controls that a panel depends on, in their order."""
        return [control for control in self.controls if control.name in panel.parameters]

    def in_page(self, panel: Panel) -> bool:
        """Whether the page computes a panel: the script has its function, or its controls have no stops."""
        scripted = bool(self.script) and panel.compute.__name__ in computed_names(self.script)
        return scripted or any(isinstance(control, PlotControl) for control in self.depends(panel))

    def takes_any(self, control: Control) -> bool:
        """Whether the page takes any text in a box, as it computes all panels that depend on it."""
        panels = [panel for panel in self.panels if control.name in panel.parameters]
        return isinstance(control, TextBox) and all(map(self.in_page, panels))

    def frames(self, values: Mapping[str, Any]) -> list:
        """Compute every panel for these values of some or all controls: a list of frames."""
        values = self.check(values)
        return [panel.frame(values) for panel in self.panels]

    def spec(self, *, live: bool) -> dict[str, Any]:
        """Describe the explorer to the renderer, live or for the book, ready for JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "look": LOOK,
            "controls": [control.spec(live=live or self.takes_any(control)) for control in self.controls],
            "panels": [
                panel.spec()
                | {"depends": [control.name for control in self.depends(panel)]}
                | {"computed": panel.compute.__name__ if self.in_page(panel) else None}
                for panel in self.panels
            ],
            "script": self.script,
            "data": {name: np.asarray(array).tolist() for name, array in self.data.items()},
            "hint": self.hint,
            "presets": {label: dict(values) for label, values in self.presets.items()},
            "predict": self.predict.spec() if self.predict else None,
        }

    def grid(self) -> tuple[list[list], list]:
        """Compute every panel at every stop of its controls, the last one fastest; frames refer to a pool."""
        pool: dict[Any, int] = {}
        frames: list[list] = []
        functions = computed_names(self.script) if self.script else []
        for panel in self.panels:
            frames.append([])
            if self.in_page(panel):
                if (function := panel.compute.__name__) not in functions:
                    raise ValueError(
                        f"{panel.called}: the book needs a function {function} in the explorer's script, got "
                        f"{self.script or 'no script'}."
                    )
                continue
            stops = {control.name: control.stops for control in self.depends(panel)}
            before = len(pool)
            for values in itertools.product(*stops.values()):
                frame = panel.frame(dict(zip(stops, values, strict=True)))
                frames[-1].append(pack(frame, pool))
            added = json.dumps([frames[-1], list(pool)[before:]], ensure_ascii=False)
            if len(added) > LARGEST_PANEL:
                raise ValueError(
                    f"{panel.called}: its pictures must fit in {LARGEST_PANEL:,} characters of the page, got "
                    f"{len(added):,}; draw fewer points or give its controls fewer stops."
                )
        return frames, list(pool)


def pack(value: Any, pool: dict[Any, int]) -> Any:
    """Replace lists of numbers or texts, and long texts, by {"#": place in the pool}, which grows."""
    if isinstance(value, dict):
        return {key: pack(part, pool) for key, part in value.items()}
    if isinstance(value, list) and any(isinstance(part, list | dict) for part in value):
        return [pack(part, pool) for part in value]
    if isinstance(value, list | str) and len(value) > SHORT:
        key = tuple(value) if isinstance(value, list) else value
        return {"#": pool.setdefault(key, len(pool))}
    return value
