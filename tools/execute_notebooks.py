"""Execute the chapters again, and keep what is readable in a diff: text outputs and execution counts.

    python tools/execute_notebooks.py [notebook ...]

Pictures, HTML and widget state are removed: the book makes them again when it is built. A notebook's file
changes only if every cell runs without an error and without output on stderr.
"""

import argparse
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

CHAPTERS = Path(__file__).resolve().parents[1] / "chapters"
PYTHON = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},  # no version: it would change with each reader's Python
}
AUTHORED = {"mystnb", "tags"}  # the metadata that a person wrote; editors and kernels add the rest
TEXT = {"text/plain", "text/markdown", "text/latex"}


def is_text(mimetype):
    """Return whether outputs of this type stay in the notebook; those of `glue` have a prefix."""
    return mimetype.removeprefix("application/papermill.record/") in TEXT


def code_cells(notebook):
    """List the code cells that are not empty."""
    return [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]


def writes_to_stderr(cell):
    """Return whether a cell has output on stderr."""
    return any(output.get("name") == "stderr" for output in cell.outputs)


def strip(notebook):
    """Remove, in place, everything that isn't text or that changes from one run to the next."""
    for owner, added in ((notebook, PYTHON), *((cell, {}) for cell in notebook.cells)):
        authored = {key: value for key, value in owner.metadata.items() if key in AUTHORED}
        owner.metadata = nbformat.from_dict(added | authored)
    for cell in code_cells(notebook):
        for output in cell.outputs:
            if "data" in output:
                output.data = {kind: value for kind, value in output.data.items() if is_text(kind)}
                output.metadata = nbformat.from_dict({})
        cell.outputs = [output for output in cell.outputs if output.get("data", True)]


def execute(path):
    """Run all cells of the notebook in its own folder, strip it, and only then replace the file."""
    notebook = nbformat.read(path, as_version=4)

    def show_progress(cell, cell_index):
        first_line = cell.source.strip().splitlines()[0]
        print(f"{path.name}  cell {cell_index + 1} of {len(notebook.cells)}  {first_line}", flush=True)

    NotebookClient(
        notebook,
        kernel_name="python3",
        resources={"metadata": {"path": path.parent}},
        coalesce_streams=True,  # one output per stream, however the kernel happened to cut it
        record_timing=False,
        extra_arguments=["--log-level=ERROR"],  # ipykernel warns at each start that others could listen
        on_cell_execute=show_progress,
    ).execute()
    if loud := [cell.execution_count for cell in code_cells(notebook) if writes_to_stderr(cell)]:
        sys.exit(f"{path}: left as it was, because cells {loud} write to stderr")
    strip(notebook)
    part = path.with_suffix(".part")
    nbformat.write(notebook, part)
    part.replace(path)


def main(arguments=None):
    """Execute the notebooks that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="by default, every chapter")
    for path in parser.parse_args(arguments).notebooks or sorted(CHAPTERS.glob("*.ipynb")):
        try:
            execute(path)
        except CellExecutionError as error:
            sys.exit(f"{path}: left as it was, because a cell fails\n{error}")


if __name__ == "__main__":
    main()
