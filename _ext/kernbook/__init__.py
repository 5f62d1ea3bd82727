"""What this book asks of Sphinx beyond _config.yml: one module for each wish.

execution   re-execute a chapter when the package, the data or a version changed, not only its own text
notebooks   execute them side by side before the pages are read, and say how far they are
failures    a cell that fails costs its page a box, not the reader the book
repository  launch, edit and issue buttons, from the repository's one address
pages       the same navigation and the present style on every page
api         a table of all public names of a module
explorers   the figures with sliders: their numbers in the page, their script beside it
"""

from kernbook import api, execution, explorers, failures, notebooks, pages, repository


def setup(app):
    """Connect them all; Jupyter Book calls this."""
    for module in (execution, notebooks, failures, repository, pages, api, explorers):
        module.setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
