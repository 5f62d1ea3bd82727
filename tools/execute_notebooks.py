"""Execute the chapters again and keep what reads well in a diff: text outputs and execution counts.

    python tools/execute_notebooks.py [notebook ...]

Pictures, HTML and widget state go: the book makes them afresh when it is built. A notebook's file changes
only after every cell ran without an error and without a word on stderr.
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
    """Whether outputs of this type stay in the notebook; glued ones carry a prefix."""
    return mimetype.removeprefix("application/papermill.record/") in TEXT


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]


def writes_to_stderr(cell):
    return any(output.get("name") == "stderr" for output in cell.outputs)


def authored(metadata):
    return {key: value for key, value in metadata.items() if key in AUTHORED}


def strip(notebook):
    """Remove, in place, all that isn't text or that changes from one run to the next."""
    notebook.metadata = nbformat.from_dict(PYTHON | authored(notebook.metadata))
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(authored(cell.metadata))
    for cell in code_cells(notebook):
        for output in cell.outputs:
            if "data" in output:
                output.data = {kind: value for kind, value in output.data.items() if is_text(kind)}
                output.metadata = nbformat.from_dict({})
        cell.outputs = [output for output in cell.outputs if output.get("data", True)]


def execute(path):
    """Run all cells of the notebook in its own folder, strip it, and only then replace the file."""
    notebook = nbformat.read(path, as_version=4)
    last = len(notebook.cells)

    def show_progress(cell, cell_index):
        first_line = cell.source.strip().splitlines()[0]
        print(f"{path.name}  cell {cell_index + 1} of {last}  {first_line}", flush=True)

    NotebookClient(
        notebook,
        kernel_name="python3",
        resources={"metadata": {"path": path.parent}},
        coalesce_streams=True,  # one output a stream, however the kernel happened to cut it
        record_timing=False,
        extra_arguments=["--log-level=ERROR"],  # at each start ipykernel warns that others could listen in
        on_cell_execute=show_progress,
    ).execute()
    loud = [cell.execution_count for cell in code_cells(notebook) if writes_to_stderr(cell)]
    if loud:
        sys.exit(f"{path}: left as it was, because cells {loud} write to stderr")
    strip(notebook)
    fresh = path.with_suffix(".fresh")
    nbformat.write(notebook, fresh)
    fresh.replace(path)


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Execute notebooks again, keep their text outputs only.")
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: every chapter")
    for path in parser.parse_args(arguments).notebooks or sorted(CHAPTERS.glob("*.ipynb")):
        try:
            execute(path)
        except CellExecutionError as error:
            sys.exit(f"{path}: left as it was, because a cell fails\n{error}")


if __name__ == "__main__":
    main()
