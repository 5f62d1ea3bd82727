"""The explorers of the chapters: modules whose names begin with the topic of their chapter's file.

A module looks like this: the data, drawn with a seed; then for each explorer its panels, and the `Explorer`
itself, which names them. A panel is a function that takes some of the controls by name, below a decorator
with its title and axes. Its docstring says what there is to see, for those who cannot see it. The function
returns what `kernlib.book.explore.marks` or a panel can draw. It calls kernlib for its mathematics, and only
turns arrays into pictures and words. The book calls each function at all stops of its controls, so it must
take milliseconds. `scripts` has the functions of explorers that a page computes itself. `__all__` lists the
explorers, and what a chapter's cells import beside them.
"""

__all__ = []
