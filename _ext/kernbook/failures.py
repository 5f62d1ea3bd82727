"""Show a cell that fails where its output would be, in a box that says what to do about it.

One cell whose numbers differ on this machine must not withhold the page. The cells after it run too; where
they fail in turn, their boxes name the first one as the likely reason.
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
LONGEST = 24  # lines of a traceback; of a longer one the two ends are shown
FIRST = (
    "This cell gives another result here than on the machines where the book was tested. What follows from "
    "it on this page may be missing or wrong; the other pages are not affected. "
)
LATER = "An earlier cell of this page failed, which may be the only reason."


def code_cells(notebook):
    """List the cells that hold code."""
    return [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]


def errors_of(cell):
    """List the errors among a cell's outputs, unless the cell is there to raise one."""
    if "raises-exception" in cell.metadata.get("tags", []):
        return []
    return [output for output in cell.get("outputs", []) if output.output_type == "error"]


def failures(notebook):
    """List number and error of each cell that failed; Jupyter counts the cells with code, from 1."""
    found = [(i, error) for i, cell in enumerate(code_cells(notebook), 1) for error in errors_of(cell)]
    return [(i, ": ".join([error.ename, *error.evalue.strip().splitlines()[:1]])) for i, error in found]


def make_readable(notebook, root):
    """Remove colors and this machine's folders from the tracebacks, in place, and all but their two ends."""
    for cell in code_cells(notebook):
        for error in errors_of(cell):
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
        explanation = [nodes.Text(LATER)] if n_before else [nodes.Text(FIRST), *ask_for_report(app)]
        box += [traceback, nodes.paragraph("", "", *explanation)]


def is_failure(node):
    """Tell whether myst-nb made this node from an error, in a cell that is not there to raise one."""
    if not isinstance(node, nodes.literal_block) or "traceback" not in node["classes"]:
        return False
    return "tag_raises-exception" not in node.parent.parent["classes"]  # its output's cell


def ask_for_report(app):
    """Ask the reader for a report, with a link if the repository is known, and say what it must contain."""
    address = issues_address(app.config.html_theme_options.get("repository_url"))
    link = nodes.reference("", "report it", refuri=address) if address else nodes.Text("report it")
    import_module("numpy")  # only a library that is loaded can tell which kernels BLAS chose
    blas = {f"{pool['internal_api']} {pool.get('architecture') or ''}".strip() for pool in threadpool_info()}
    machine = [f"{platform.system()} {platform.machine()}", f"Python {platform.python_version()}"]
    machine += [*(f"{name} {version(name)}" for name in ("numpy", "scipy")), *sorted(blas)]
    rest = f", with the lines above and this one: {', '.join(machine)}."
    return [nodes.Text("Please "), link, nodes.Text(rest)]
