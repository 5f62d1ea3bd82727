"""Show a cell that fails where its output would be, in a marked box that says what to do about it.

A page must not be withheld for one cell whose numbers come out otherwise on this machine. The cells after it
run too; where they fail in turn, their boxes name the first as the likely reason.
"""

import os
import platform
import re
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from docutils import nodes
from threadpoolctl import threadpool_info

from kernbook.repository import issues_address

ANSI = re.compile(r"\x1b\[[0-9;]*m")
LONGEST = 24  # lines of a traceback; of a longer one its ends are shown
FIRST = (
    "This cell gives another result here than on the machines where the book was tested. What follows from "
    "it on this page may be missing or wrong; the other pages are not affected. "
)
LATER = "An earlier cell of this page failed, which may be the only reason."


def setup(app):
    """Box the errors as soon as a page is read."""
    app.connect("doctree-read", box_errors)


def runs(cell):
    """Whether a cell holds code."""
    return cell.cell_type == "code" and bool(cell.source.strip())


def errors(cell):
    """List the errors among a cell's outputs, unless the cell is there to raise one."""
    if "raises-exception" in cell.metadata.get("tags", []):
        return []
    return [output for output in cell.get("outputs", []) if output.output_type == "error"]


def failures(notebook):
    """List number and error, in a line, of each cell that failed; Jupyter counts cells with code, from 1."""
    code = enumerate(filter(runs, notebook.cells), start=1)
    return [(number, in_a_line(error)) for number, cell in code for error in errors(cell)]


def in_a_line(error):
    """Put an error in the words of its last line."""
    first, *_ = error.evalue.strip().splitlines() or [""]
    return f"{error.ename}: {first}" if first else error.ename


def make_readable(notebook, root):
    """Rid the tracebacks, in place, of colours, of this machine's folders and of all but their two ends."""
    for cell in filter(runs, notebook.cells):
        for error in errors(cell):
            error.evalue = without_folders(error.evalue, root)
            text = without_folders(ANSI.sub("", "\n".join(error.traceback)), root)
            lines = [line.rstrip() for line in text.splitlines() if line.strip()]
            if len(lines) > LONGEST:
                lines[LONGEST // 2 : -LONGEST // 2] = ["  …"]
            error.traceback = lines


def without_folders(text, root):
    """Name files as Python imports them: from the book's folder on, or from that of the packages."""
    for folder in sorted({str(root), *filter(None, sys.path)}, key=len, reverse=True):
        text = text.replace(folder + os.sep, "")
    return text.replace(str(Path.home()), "~")


def box_errors(app, doctree):
    """Put each traceback of the page into a box."""
    for n_before, traceback in enumerate(list(doctree.findall(is_failure))):
        box = nodes.admonition("", classes=["danger", "failed-cell"])
        box += nodes.title("", "This cell failed when the page was built")
        traceback.replace_self(box)
        box += traceback
        box += (
            nodes.paragraph("", "", nodes.Text(LATER))
            if n_before
            else nodes.paragraph("", "", nodes.Text(FIRST), *report(app))
        )


def is_failure(node):
    """Whether myst-nb made this node from an error, in a cell that isn't there to raise one."""
    if not isinstance(node, nodes.literal_block) or "traceback" not in node["classes"]:
        return False
    return "tag_raises-exception" not in node.parent.parent["classes"]  # its output's cell


def report(app):
    """Ask for a report, with a link where the book knows its repository, and say what it must tell."""
    address = issues_address(app.config.html_theme_options.get("repository_url"))
    link = nodes.reference("", "report it", refuri=address) if address else nodes.Text("report it")
    return [nodes.Text("Please "), link, nodes.Text(f", with the lines above and this one: {machine()}.")]


def machine():
    """Describe what the numbers depend on: processor, versions, the kernels that BLAS chose."""
    import_module("numpy")  # only a library that is loaded can be asked
    packages = [f"{name} {version(name)}" for name in ("numpy", "scipy")]
    blas = {f"{pool['internal_api']} {pool.get('architecture') or ''}".strip() for pool in threadpool_info()}
    python = f"Python {platform.python_version()}"
    return ", ".join([f"{platform.system()} {platform.machine()}", python, *packages, *sorted(blas)])
