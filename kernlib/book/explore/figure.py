"""The first picture as a plain figure, for print and for readers without scripts.

Its panels draw the frames that the renderer draws, so it shows the same numbers, in the colors for paper.
"""

import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["first_figure"]

STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.titlesize": 10.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e3e3e3",
    "legend.frameon": False,
    "legend.fontsize": 9,
    "legend.title_fontsize": 10.5,
    "svg.fonttype": "none",  # text stays text: smaller, and set in the reader's own font
    "svg.hashsalt": "kernlib",  # the same picture gives the same bytes
    "font.family": "sans-serif",
    "axes.formatter.use_mathtext": False,
}
WIDTH, HEIGHT = 4.1, 3.2  # inches, for each panel
LINE = 0.17  # of a legend


def first_figure(panels: Sequence[Any], frames: Sequence[Any], controls: Mapping[str, Any]) -> str:
    """Draw the panels that are pictures, each with its frame, as an SVG; "" where there are none."""
    from matplotlib.figure import Figure  # no pyplot: no figure stays open in the reader's session
    from matplotlib.style import context

    drawn = [(panel, frame) for panel, frame in zip(panels, frames, strict=True) if panel.draw]
    if not drawn:
        return ""
    columns = 3 if len(drawn) > 4 else min(2, len(drawn))  # on paper more rows would be too small
    rows = math.ceil(len(drawn) / columns)
    with context(STYLE, after_reset=True):  # not in the style of the notebook, whose lines have markers
        figure = Figure(layout="constrained")
        lines = 0
        for place, (panel, frame) in enumerate(drawn, start=1):
            axes = figure.add_subplot(rows, columns, place)
            panel.draw(axes, frame, controls)
            # a legend lies between title and axes, as on the screen, where it covers nothing
            if legend := axes.get_legend():
                legend.set_title(panel.title)
                lines = max(lines, len(legend.get_texts()))
            else:
                axes.set_title(panel.title, loc="left", parse_math=False)
            texts = (legend.get_title(), *legend.get_texts()) if legend else ()
            # these are the page's, which knows no mathtext; the ticks of a logarithmic axis need it
            for text in (axes.xaxis.label, axes.yaxis.label, *texts):
                text.set_parse_math(False)
        figure.set_size_inches(WIDTH * columns, (HEIGHT + LINE * lines) * rows)
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()
