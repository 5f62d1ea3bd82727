"""Panels that are text: tables and readouts. On the plain page they are text too."""

import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from kernlib.book.explore.marks import Cells, show
from kernlib.book.explore.panels.base import Panel

__all__ = ["Readout", "Table"]


@dataclass(frozen=True)
class Table(Panel):
    """Texts and numbers in rows and columns.

    Parameters
    ----------
    compute : callable
        Returns `Cells`.
    title : str
        Stands above it.
    alt : str
        What there is to see, for those who cannot; the title where it is empty.
    """

    kind = "table"

    @classmethod
    def suits(cls, result: Any) -> bool:
        return isinstance(result, Cells)

    def encode(self, result: Any) -> dict[str, Any]:
        if not isinstance(result, Cells):
            raise TypeError(f"a table needs Cells, got {type(result).__name__}.")
        values, columns, rows, marked, lit = result
        try:
            wide = {len(row) for row in values} | ({len(columns)} if columns is not None else set())
            fits = len(wide) == 1 and (rows is None or len(rows) == len(values))
        except TypeError:  # one of them is no list
            fits = False
        if not fits:
            raise ValueError(
                "a table needs rows of one length, and a name for all columns or rows or for none."
            )
        marked = None if marked is None else np.asarray(marked).tolist()
        texts = [["" if cell is None else show(cell) for cell in row] for row in values]
        names = {
            key: list(map(show, v)) for key, v in (("columns", columns), ("rows", rows)) if v is not None
        }
        more = {"lit": np.asarray(lit).tolist()} if lit else {}
        return {"values": texts, **names, "marked": marked, **more}

    def html(self, frame: Any) -> str:
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in frame.get("columns", []))
        names = frame.get("rows") or [None] * len(frame["values"])
        lines = [f"<tr>{'<td></td>' if 'rows' in frame else ''}{head}</tr>"] if head else []
        for name, row in zip(names, frame["values"], strict=True):
            first = "" if name is None else f'<th scope="row">{escape(name)}</th>'
            lines.append(f"<tr>{first}{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>")
        return f"<table><caption>{escape(self.title)}</caption>{''.join(lines)}</table>"


@dataclass(frozen=True)
class Readout(Panel):
    """One or two sentences with the numbers of the picture.

    Parameters
    ----------
    compute : callable
        Returns a str, a number, or a dict from names to numbers.
    title : str
        Stands above it.
    alt : str
        What there is to see, for those who cannot; the title where it is empty.

    Notes
    -----
    Every reader sees it, and a screen reader speaks it when it changes.
    """

    kind = "readout"
    titled = False

    @classmethod
    def suits(cls, result: Any) -> bool:
        parts = result.values() if isinstance(result, Mapping) else [result]
        return all(isinstance(part, str | numbers.Real) for part in parts)

    def encode(self, result: Any) -> str:
        if isinstance(result, Mapping):
            return ", ".join(f"{name} = {show(value)}" for name, value in result.items())
        return show(result)

    def caption(self, frame: Any) -> str:
        return frame
