"""What a reader sees: plots, heat maps, tables and a readout, each the picture of one pure function."""

from kernlib.book.explore.panels.base import Panel, kinds
from kernlib.book.explore.panels.buttons import Fill, Pick
from kernlib.book.explore.panels.pictures import Heat, Plot
from kernlib.book.explore.panels.texts import Readout, Table

__all__ = ["Fill", "Heat", "Panel", "Pick", "Plot", "Readout", "Table", "kinds"]
