"""The explorers of the chapters, one module a chapter, named as the chapter's file is.

A module looks like this: the data, drawn with a seed; then for each explorer its compute functions, one a
panel, and the `Explorer` itself, which names them. A compute function takes some of the controls by name and
returns what `kernlib.book.explore.marks` or a panel can draw. Its mathematics is kernlib's, which it calls:
here stands only what turns arrays into pictures and words. The book calls each function at all stops of its
controls, so it takes milliseconds. The first explorer is called EXPLORER; `__all__` lists the explorers, and
what a chapter's cells import beside them.
"""

__all__ = []
