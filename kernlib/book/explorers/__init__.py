"""The explorers of the chapters: modules whose names begin with the topic of their chapter's file.

A module looks like this: the data, drawn with a seed; then for each explorer its compute functions, one a
panel, and the `Explorer` itself, which names them. A compute function takes some of the controls by name and
returns what `kernlib.book.explore.marks` or a panel can draw. It calls kernlib for its mathematics, and
only turns arrays into pictures and words. The book calls each function at all stops of its controls, so it
must take milliseconds. `scripts` has the functions of explorers that a page computes itself. `__all__` lists
the explorers, and what a chapter's cells import beside them.
"""

__all__ = []
