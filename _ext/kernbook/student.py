"""The students' edition: each notebook once more, for any program, with exercises but without solutions.

It is written from what Sphinx has read and resolved, so numbers, references and citations are the book's.
Links lead to the published book. What solves an exercise is left out: the section "Solutions", the cells
tagged `answer`, the boxes of that class, and any later cell that needs what only such cells define.
"""

import ast
import shutil
import subprocess
import symtable
import sys
from fnmatch import fnmatch
from importlib.metadata import version
from pathlib import Path

import nbformat
from docutils import nodes
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from sphinx.builders import Builder
from sphinx.util import logging
from sphinx.util.parallel import ParallelTasks, SerialTasks, parallel_available

from kernbook.disclosures import ancestors
from kernbook.markdown import BREAK, CELLS, MarkdownWriter, NoMarkdown
from kernbook.repository import site_address, source_address

PYTHON = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
FOLDED = {"jupyter": {"source_hidden": True}, "cellView": "form"}
FIRST_CELL = Path(__file__).with_name("templates") / "first_cell.ipy"
logger = logging.getLogger(__name__)


def start_edition(app, builder):
    """Start a process that writes the edition while this one writes the book's pages."""
    if builder.name == "html":
        app.kernbook_edition = (ParallelTasks if parallel_available else SerialTasks)(1)
        app.kernbook_edition.add_task(write_edition, app)


def write_edition(app):
    """Let a second builder write what the book's builder has read."""
    book, app.builder = app.builder, app.registry.create_builder(app, "student", app.env)
    try:
        app.builder.write_all(folder_of(app))
    finally:
        app.builder = book


def finish_edition(app, exception):
    """Copy the edition to the book's pages, which offer it for download."""
    if exception is not None or not hasattr(app, "kernbook_edition"):
        return
    app.kernbook_edition.join()
    copies, no_folders = Path(app.outdir, "student"), shutil.ignore_patterns("binder")
    shutil.copytree(folder_of(app), copies, ignore=no_folders, dirs_exist_ok=True)


def folder_of(app):
    """Give the folder of the edition, beside the book."""
    return Path(app.outdir).with_name("student")


class StudentBuilder(Builder):
    """Write the notebooks into one folder, which becomes the branch that Colab and Binder open."""

    name = "student"
    format = "markdown"
    supported_image_types = ("image/png",)

    def write_all(self, folder):
        """Write the folder from scratch."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.folder = folder
        options = self.config.html_theme_options
        self.site = site_address(options["repository_url"])
        self.source = source_address(options["repository_url"], options.get("repository_branch"))
        self.entries = self.citations()
        for docname in sorted(self.env.found_docs):
            if is_for_students(self.env, self.config, docname):
                self.write_notebook(docname, self.env.get_and_resolve_doctree(docname, self))
        # What the notebooks need beside them: kernlib, and what Binder installs.
        source = Path(self.srcdir)
        if is_package := (source / "pyproject.toml").is_file():
            pack = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
            subprocess.run(pack, cwd=source, check=True, capture_output=True)
        if is_package and self.source and (source / "binder").is_dir():
            shutil.copytree(source / "binder", self.folder / "binder")
            install = f'#!/bin/sh\npython -m pip install --no-cache-dir --no-deps "{self.source}"\n'
            (self.folder / "binder" / "postBuild").write_text(install, encoding="utf-8")

    def get_target_uri(self, docname, typ=None):
        """Give a page's address in the published book; without a published book, its notebook, or nothing."""
        if self.site:
            return f"{self.site.rstrip('/')}/{docname}.html"
        return notebook_name(docname) if is_for_students(self.env, self.config, docname) else ""

    def get_relative_uri(self, from_, to, typ=None):
        """Give the same for a link from any page; nothing within a page."""
        return "" if from_ == to else self.get_target_uri(to)

    def citations(self):
        """Collect the entries that citations link to, by anchor."""
        pages = {key.docname for key in self.env.get_domain("cite").bibliographies}
        trees = [self.env.get_and_resolve_doctree(page, self) for page in sorted(pages)]
        found = [entry for tree in trees for entry in tree.findall(nodes.citation)]
        return {anchor: entry for entry in found for anchor in entry["ids"]}

    def write_notebook(self, docname, doctree):
        """Write the notebook of a page."""
        self.fignumbers = self.env.toc_fignumbers.get(docname, {})
        cells = nbformat.read(self.env.doc2path(docname), as_version=4).cells
        places = {node["cell_index"]: node for node in doctree.findall(is_cell)}
        solved = {i for i, node in places.items() if any(map(is_solution, [node, *ancestors(node)]))}
        left_out = with_dependents(solved, {i: cells[i].source for i in places})
        writer = MarkdownWriter(
            self,
            self.env.toc_secnumbers.get(docname, {}),
            page=self.get_target_uri(docname),
            dropped=lambda node: is_solution(node) or (is_cell(node) and node["cell_index"] in left_out),
        )
        try:
            words = writer.block(doctree, 1) + self.references(doctree, writer)
        except NoMarkdown as error:
            logger.warning("%s; the students' edition lacks this page", error, location=docname)
            return
        text = FIRST_CELL.read_text(encoding="utf-8").rstrip()
        install = text.format(source=self.source, version=version("kernlib"))
        first = new_code_cell(install, id="package", metadata=FOLDED | {"tags": ["package"]})
        notebook = new_notebook(metadata=PYTHON, cells=[first])
        for i, part in enumerate(CELLS.split(words)):
            if i % 2:
                notebook.cells.append(without_outputs(cells[int(part)], places[int(part)]))
                continue
            for text in filter(None, map(trim_lines, part.split(BREAK))):
                notebook.cells.append(new_markdown_cell(text, id=f"text-{len(notebook.cells)}"))
        nbformat.write(notebook, self.folder / notebook_name(docname))

    def references(self, doctree, writer):
        """Write the entries that a page cites, as a section at its end."""
        links = (link.get("refuri", "").partition("#") for link in doctree.findall(nodes.reference))
        cited = [self.entries[anchor] for _, _, anchor in links if anchor in self.entries]
        # bibtex appends the text once more each time that its page is resolved
        entries = sorted({writer.write_paragraph(next(entry.findall(nodes.paragraph)), 1) for entry in cited})
        return "\n\n".join(["", f"{BREAK}## References", *entries]) if entries else ""


def is_for_students(env, config, docname):
    """Tell whether the edition contains this document."""
    left_out = any(fnmatch(docname, name) for name in config.kernbook_not_for_students)
    return env.doc2path(docname).endswith(".ipynb") and not left_out


def notebook_name(docname):
    """Name a document's notebook."""
    return docname.rpartition("/")[2] + ".ipynb"


def is_cell(node):
    """Tell whether myst-nb made this node from a cell with code."""
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def is_solution(node):
    """Tell whether this node solves an exercise."""
    if isinstance(node, nodes.section):
        return node.children[0].astext() == "Solutions"
    # a dropdown keeps the classes of its box apart until HTML is written
    classes = [*node.get("classes", []), *node.get("container_classes", [])]
    return node.tagname == "solution_node" or not {"answer", "tag_answer"}.isdisjoint(classes)


def without_outputs(cell, place):
    """Copy a cell's code; what the book folds, JupyterLab and Colab fold too."""
    folded = FOLDED if place.get("hide_mode") else {}
    tags = {"tags": cell.metadata.tags} if cell.metadata.get("tags") else {}
    return new_code_cell(cell.source, id=cell.id, metadata=folded | tags)


def trim_lines(text):
    """Remove empty lines at the ends of a text, also those of a quotation that a cell has cut in two."""
    lines = text.splitlines()
    full = [i for i, line in enumerate(lines) if line.strip("> ")]
    return "\n".join(lines[full[0] : full[-1] + 1]) if full else ""


def defined_and_used(source):
    """Give the names that code binds at its top level, and those that it uses without binding them there."""
    code = ast.unparse(Generators().visit(ast.parse(source)))
    table = symtable.symtable(code, "cell", "exec")
    symbols = table.get_symbols()
    defined = {symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported()}
    return defined, set(global_names(table)) - defined


class Generators(ast.NodeTransformer):
    """Make every comprehension a generator, the only one that has a scope of its own from Python 3.12 on."""

    def visit_ListComp(self, node):
        return self.generic_visit(ast.GeneratorExp(node.elt, node.generators))

    visit_SetComp = visit_ListComp

    def visit_DictComp(self, node):
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return self.generic_visit(ast.GeneratorExp(pair, node.generators))


def global_names(table):
    """Name what this scope and those inside it use of the top level."""
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module"):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from global_names(inner)


def with_dependents(left_out, sources):
    """Add to the cells that are left out, by number, those that need a name which then no cell defines."""
    left_out, missing = set(left_out), set()
    for number, source in sources.items():
        defined, used = defined_and_used(source)
        if used & missing:
            left_out.add(number)
        missing = missing | defined if number in left_out else missing - defined
    return left_out
