"""What a reader sees: plots, heat maps, tables and a readout, each the picture of one pure function.

Chapter: Explorers.
"""

from kernlib.explore.panels.base import Panel, kinds
from kernlib.explore.panels.pictures import Heat, Plot
from kernlib.explore.panels.texts import Readout, Table

__all__ = ["Heat", "Panel", "Plot", "Readout", "Table", "kinds"]
