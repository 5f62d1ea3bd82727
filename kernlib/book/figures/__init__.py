"""The look of the book's figures: the pages' typeface, and matplotlib's settings in `book.mplstyle`."""

from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib import font_manager

__all__ = ["use_book_style"]
FOLDER = Path(__file__).parent


def use_book_style() -> None:
    """Draw as the book does, from this figure on."""
    font_manager.fontManager.addfont(FOLDER / "page-sans-regular.ttf")
    plt.style.use(FOLDER / "book.mplstyle")
