"""The students' edition: each notebook once more, for any program, with the questions, without the solutions.

It is written when the book is, from what Sphinx has read and resolved, so numbers, references and citations
are the book's; the pages' buttons lead to it (`launch`). Links lead to the published book, whose address is
KERNLIB_SITE or that of the repository's pages. Code stays as it is, without outputs. Left out is what solves
an exercise: the section "Solutions", the cells tagged `answer` and the boxes of that class; and any later
cell that needs what only such cells define.
"""

import os
import shutil
from fnmatch import fnmatch
from pathlib import Path

import nbformat
from docutils import nodes
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from sphinx.builders import Builder
from sphinx.util import logging
from sphinx.util.parallel import ParallelTasks, SerialTasks, parallel_available

from kernbook.markdown import BREAK, CELLS, Unwritable, Writer
from kernbook.markup import ancestors
from kernbook.names import without
from kernbook.repository import pages_address, source_address

PYTHON = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
FIRST_CELL = """\
# Run this first: it brings the course's package where it is missing, as in Colab.
import importlib.util
import os
import shutil
from importlib.resources import files
from pathlib import Path

if importlib.util.find_spec("kernlib") is None:
    source = os.environ.get("KERNLIB_SOURCE", "{source}")
    %pip install --quiet "$source"
if not Path("book.mplstyle").exists():
    shutil.copy(files("kernlib.book") / "book.mplstyle", "book.mplstyle")"""
LOG = logging.getLogger(__name__)


def setup(app):
    """Register the builder, and the setting that names the notebooks that students have no use for."""
    app.add_builder(StudentBuilder)
    app.add_config_value("kernbook_not_for_students", [], "", list)
    app.connect("write-started", begin_edition)
    app.connect("build-finished", end_edition)


def begin_edition(app, builder):
    """Let a process of its own write the edition while this one writes the book's pages."""
    if builder.name == "html":
        app.kernbook_edition = (ParallelTasks if parallel_available else SerialTasks)(1)
        app.kernbook_edition.add_task(write_edition, app)


def write_edition(app):
    """Let a second builder write what the book's has read."""
    book, app.builder = app.builder, app.registry.create_builder(app, "student", app.env)
    try:
        app.builder.write_all(folder_of(app))
    finally:
        app.builder = book


def end_edition(app, exception):
    """Give the book's pages a copy to download."""
    if exception is not None or not hasattr(app, "kernbook_edition"):
        return
    app.kernbook_edition.join()
    copies = Path(app.outdir, "student")
    copies.mkdir(exist_ok=True)
    for path in folder_of(app).iterdir():
        if path.is_file():
            shutil.copy(path, copies)


def folder_of(app):
    """Where the edition is, beside the book."""
    return Path(app.outdir).with_name("student")


class StudentBuilder(Builder):
    """Write the notebooks into one folder, which is also the branch that Colab and Binder open."""

    name = "student"
    format = "markdown"
    supported_image_types = ("image/png",)

    def write_all(self, folder):
        """Write the folder anew."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.folder = folder
        options = self.config.html_theme_options
        self.site = os.environ.get("KERNLIB_SITE") or pages_address(options.get("repository_url"))
        self.source = source_address(options.get("repository_url"), options.get("repository_branch"))
        self.entries = self.citations()
        for docname in sorted(self.env.found_docs):
            if is_for_students(self.env, self.config, docname):
                self.write_notebook(docname, self.env.get_and_resolve_doctree(docname, self))
        self.write_neighbours()

    def get_target_uri(self, docname, typ=None):
        """Give a page's address in the published book; without one, a notebook beside this or nothing."""
        if self.site:
            return f"{self.site.rstrip('/')}/{docname}.html"
        return notebook_name(docname) if is_for_students(self.env, self.config, docname) else ""

    def get_relative_uri(self, from_, to, typ=None):
        """Give the same, from wherever the link starts; nothing within a page."""
        return "" if from_ == to else self.get_target_uri(to)

    def citations(self):
        """Gather the entries that citations lead to, by anchor."""
        pages = {key.docname for key in self.env.get_domain("cite").bibliographies}
        trees = [self.env.get_and_resolve_doctree(page, self) for page in sorted(pages)]
        found = [entry for tree in trees for entry in tree.findall(nodes.citation)]
        return {anchor: entry for entry in found for anchor in entry["ids"]}

    def write_notebook(self, docname, doctree):
        """Write one of them."""
        self.fignumbers = self.env.toc_fignumbers.get(docname, {})
        cells = nbformat.read(self.env.doc2path(docname), as_version=4).cells
        places = {node["cell_index"]: node for node in doctree.findall(is_cell)}
        solved = {i for i, node in places.items() if any(map(is_solution, [node, *ancestors(node)]))}
        left_out = without(solved, {i: cells[i].source for i in places})
        writer = Writer(
            self,
            self.env.toc_secnumbers.get(docname, {}),
            page=self.get_target_uri(docname),
            dropped=lambda node: is_solution(node) or (is_cell(node) and node["cell_index"] in left_out),
        )
        try:
            words = writer.block(doctree, 1) + self.references(doctree, writer)
        except Unwritable as error:
            LOG.warning("%s; the students' edition lacks this page", error, location=docname)
            return
        notebook = new_notebook(metadata=PYTHON, cells=[first_cell(self.source)])
        for i, part in enumerate(CELLS.split(words)):
            if i % 2:
                notebook.cells.append(bare(cells[int(part)], places[int(part)]))
                continue
            for text in filter(None, map(trimmed, part.split(BREAK))):
                notebook.cells.append(new_markdown_cell(text, id=f"text-{len(notebook.cells)}"))
        nbformat.write(notebook, self.folder / notebook_name(docname))

    def references(self, doctree, writer):
        """Write the entries that a page cites, as a section at its end."""
        links = (link.get("refuri", "").partition("#") for link in doctree.findall(nodes.reference))
        cited = [self.entries[anchor] for _, _, anchor in links if anchor in self.entries]
        # bibtex appends the text once more each time that its page is resolved
        entries = sorted({writer.write_paragraph(next(entry.findall(nodes.paragraph)), 1) for entry in cited})
        return "\n\n".join(["", f"{BREAK}## References", *entries]) if entries else ""

    def write_neighbours(self):
        """Add what the notebooks need beside them: the figures' style, and what Binder installs."""
        source = Path(self.srcdir)
        for style in source.glob("chapters/*.mplstyle"):
            shutil.copy(style, self.folder)
        if (source / "binder").is_dir():
            shutil.copytree(source / "binder", self.folder / "binder")
            install = f'#!/bin/sh\npython -m pip install --no-cache-dir --no-deps "{self.source}"\n'
            (self.folder / "binder" / "postBuild").write_text(install, encoding="utf-8")


def is_for_students(env, config, docname):
    """Whether the edition holds this document."""
    left_out = any(fnmatch(docname, name) for name in config.kernbook_not_for_students)
    return env.doc2path(docname).endswith(".ipynb") and not left_out


def notebook_name(docname):
    """What a document's notebook is called."""
    return docname.rpartition("/")[2] + ".ipynb"


def is_cell(node):
    """Whether myst-nb made this node from a cell with code."""
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def is_solution(node):
    """Whether this node solves an exercise."""
    if isinstance(node, nodes.section):
        return node.children[0].astext() == "Solutions"
    return node.tagname == "solution_node" or not {"answer", "tag_answer"}.isdisjoint(node.get("classes", []))


def first_cell(source):
    """The cell that installs the package."""
    return new_code_cell(FIRST_CELL.format(source=source), id="package", metadata={"tags": ["package"]})


def bare(cell, place):
    """A cell's code without outputs; what the book folds, JupyterLab and Colab fold."""
    folded = {"jupyter": {"source_hidden": True}, "cellView": "form"} if place.get("hide_mode") else {}
    tags = {"tags": cell.metadata.tags} if cell.metadata.get("tags") else {}
    return new_code_cell(cell.source, id=cell.id, metadata=folded | tags)


def trimmed(text):
    """A text without empty lines at its ends, those of a quotation that a cell has cut among them."""
    lines = text.splitlines()
    held = [i for i, line in enumerate(lines) if line.strip("> ")]
    return "\n".join(lines[held[0] : held[-1] + 1]) if held else ""
