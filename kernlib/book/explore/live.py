"""An explorer as a widget, for Jupyter: each move of a control asks Python for the picture.

The front end keeps one question under way at a time. What the reader does meanwhile replaces what waits, so
that a fast hand never builds a queue, and the last value always wins.

Chapter: Explorers.
"""

from typing import Any

import anywidget
import traitlets

from kernlib.book.explore.explorer import Explorer
from kernlib.book.explore.page import describe
from kernlib.book.explore.script import join_module, stylesheet

__all__ = ["Live"]


class Live(anywidget.AnyWidget):
    """A widget that shows an explorer, to display, to put into an HBox, to link and to observe.

    Parameters
    ----------
    explorer : Explorer
        Its first picture is computed at once, so that an error in it is raised here.

    Notes
    -----
    ``values`` is a dict of all controls, which follows the reader's hand and can be observed, linked and set;
    `set` changes some of them. An error in a later picture is shown in its place, with its message.
    """

    _esm = join_module()
    _css = stylesheet()

    spec = traitlets.Dict().tag(sync=True)
    values = traitlets.Dict().tag(sync=True)
    picture = traitlets.Dict().tag(sync=True)

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self._computed: dict[int, tuple] = {}  # for each panel the values it was computed for, and its frame
        values = explorer.defaults
        picture = {"tick": 0, "values": values, "panels": self._frames(values)}
        super().__init__(spec=explorer.spec(live=True), values=values, picture=picture)
        self.observe(self._compute, "values")

    def set(self, **values: Any) -> None:
        """Move controls from Python.

        Parameters
        ----------
        **values : int, float or str
            For each control to move, its new value.

        Raises
        ------
        ValueError
            If there is no such control, or it has no such value.
        """
        self.values = self._explorer.check(self.values | values)

    def __repr__(self):
        return describe(self._explorer, self.values)

    def _compute(self, change):
        """Answer new values with a picture, or with what went wrong; the tick makes each answer a new one."""
        answer = {"tick": self.picture["tick"] + 1, "values": self.values}
        try:
            answer["panels"] = self._frames(self._explorer.check(self.values))
        except Exception as error:  # shown to the reader, whose function it may be
            answer["error"] = f"{type(error).__name__}: {error}"
        self.picture = answer

    def _frames(self, values):
        """Compute the panels whose controls moved; keep the others."""
        for i, panel in enumerate(self._explorer.panels):
            own = {control.name: values[control.name] for control in self._explorer.depends(panel)}
            if i not in self._computed or self._computed[i][0] != own:
                self._computed[i] = own, panel.frame(own)
        return [self._computed[i][1] for i in range(len(self._explorer.panels))]
