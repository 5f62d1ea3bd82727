"""What blocks of the same data have in common.

Chapter: Beyond one machine.
"""

from typing import NamedTuple

from kernlib.numerics.rows import check_columns

__all__ = ["NO_ROWS", "Layout"]

NO_ROWS = "X must give at least one block (X, y) that has rows, got none."


class Layout(NamedTuple):
    """The number of X's columns, their names (none where they have none), and the shape of a row of y."""

    columns: int
    names: tuple
    outputs: tuple

    @classmethod
    def of(cls, X, y):
        """Look at a block; only texts count as names, as in scikit-learn."""
        names = tuple(getattr(X, "columns", ()))
        return cls(X.shape[1], names if all(isinstance(name, str) for name in names) else (), y.shape[1:])

    def check(self, other, where):
        """Refuse a later block of another layout: columns in another order would pass for each other."""
        check_columns(f"X{where}", other.columns, self.columns, "before")
        names = zip(self.names, other.names, strict=False)  # either may have none
        for number, (name, found) in enumerate(names):
            if name != found:
                raise ValueError(f"column {number} of X{where} must be {name!r} as before, got {found!r}.")
        if other.outputs != self.outputs:
            shape, found = ("(n, {})".format(*q) if q else "(n,)" for q in (self.outputs, other.outputs))
            raise ValueError(f"y{where} must have shape {shape} as before, got {found}.")
