"""What this book asks of Sphinx beyond _config.yml: one module for each wish.

execution   re-execute a chapter when the package, the data or a version changed, not only its own text
notebooks   execute them side by side before the pages are read, and say how far they are
kernels     their kernels are forks of one process that has imported the libraries
failures    a cell that fails costs its page a box, not the reader the book
repository  launch, edit and issue buttons, from the repository's one address
pages       the same navigation and the present style on every page
markup      what HTML folds with, and docutils doesn't know
folds       checks and proofs, a click away
quiz        questions whose options explain themselves
reading     how long a page takes, counted
about       how to cite a page, and when it changed
moved       old anchors of what is now on a chapter's second page
once        what would be looked up time and again
api         a table of all public names of a module
formulas    set at build time, by KaTeX
light       what a page does not load, or not yet
explorers   the figures with sliders, and links to their states
numbers     what they draw with, in files beside their page
elsewhere   an explorer of another page, shown on this one
styles      one sheet for all pages, of the rules that they use
search      one record a section, searched without a server
student     the students' edition: notebooks without directives and without solutions
launch      buttons that open them
"""

import hashlib
from pathlib import Path

from kernbook import (
    about,
    api,
    elsewhere,
    execution,
    explorers,
    failures,
    folds,
    formulas,
    launch,
    light,
    markup,
    moved,
    notebooks,
    numbers,
    once,
    pages,
    quiz,
    reading,
    repository,
    search,
    student,
    styles,
)

MODULES = (
    execution,
    notebooks,
    failures,
    repository,
    pages,
    markup,
    folds,
    quiz,
    reading,
    about,
    moved,
    once,
    api,
    formulas,
    light,
    explorers,
    numbers,
    elsewhere,
    styles,
    search,
    student,
    launch,
)


def setup(app):
    """Connect them all; Jupyter Book calls this."""
    for module in MODULES:
        module.setup(app)
    # With another version Sphinx reads every page again: what a page holds depends on these modules too.
    return {"env_version": own_hash(), "parallel_read_safe": True, "parallel_write_safe": True}


def own_hash():
    """Hash this package's files."""
    files = sorted(path for path in Path(__file__).parent.rglob("*") if path.suffix not in {"", ".pyc"})
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
