"""Execute the notebooks whose outputs may have changed, side by side, before Sphinx reads the first page.

The outputs are kept beside the book, by the notebook's name and its key (`dependencies`), and put into the
page when Sphinx reads it. Each notebook runs to its end, also after a cell that fails; one with an error is
executed again by the next build.
"""

import os
from base64 import b64decode, b64encode
from concurrent.futures import ThreadPoolExecutor, as_completed
from io import BytesIO
from pathlib import Path

import nbformat
import psutil
from joblib import cpu_count
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from PIL import Image
from sphinx.util import logging

from kernbook.dependencies import notebook_keys
from kernbook.failures import code_cells, failures, make_readable
from kernbook.progress import Progress

MEMORY = 2**30  # bytes for each kernel; the hungriest chapter takes 0.75 GB
STARTS = 3  # of a kernel, at most
KEPT = 3  # states of each notebook, so that nothing runs when a change is taken back
# At each start ipykernel warns that others on this machine could listen in. Plain tracebacks show one line of
# code for each call, not five.
KERNEL_ARGUMENTS = ["--log-level=ERROR", "--InteractiveShell.xmode=Plain"]
logger = logging.getLogger(__name__)


def find_outdated(app, env, added, changed, removed):
    """Name the notebooks whose key is not the one of the last build."""
    last = getattr(env, "kernbook_keys", {})
    paths = {docname: Path(env.doc2path(docname)) for docname in env.found_docs}
    notebooks = {docname: path for docname, path in paths.items() if path.suffix == ".ipynb"}
    env.kernbook_keys = notebook_keys(Path(app.srcdir), notebooks)
    return [docname for docname, key in env.kernbook_keys.items() if last.get(docname) not in (None, key)]


def stored_notebook(app, docname):
    """Name the file that keeps the executed notebook of the present key."""
    return Path(app.outdir).with_name("executed") / docname / f"{app.env.kernbook_keys[docname]}.ipynb"


def execute_notebooks(app, env, docnames):
    """Execute those of the documents that are notebooks and not stored; warn of each cell that fails."""
    waiting = {}
    for docname in docnames:
        if docname in env.kernbook_keys:
            stored = stored_notebook(app, docname)
            if not stored.is_file() or failures(nbformat.read(stored, as_version=4)):
                waiting[docname] = nbformat.read(env.doc2path(docname), as_version=4)
            else:
                stored.touch()  # for `store`, which keeps what was used last
    app.kernbook_failures = []
    if not waiting:
        return

    at_once = max(1, min(len(waiting), cpu_count(), psutil.virtual_memory().available // MEMORY))
    weights = {docname: app.config.kernbook_weights.get(docname, 1) for docname in waiting}
    sizes = {docname: len(code_cells(notebook)) for docname, notebook in waiting.items()}
    # The longest start first, so that none of them is left over at the end, alone on its core.
    order = sorted(waiting, key=lambda docname: weights[docname] * sizes[docname], reverse=True)
    logger.info("%d notebooks to execute, %d at a time", len(waiting), at_once)
    progress = Progress(sizes, weights)
    # More threads than cores would wait for each other.
    share = str(max(1, cpu_count() // at_once))
    environ = {"OMP_NUM_THREADS": share, "LOKY_MAX_CPU_COUNT": share} | os.environ

    def run(docname):
        notebook = waiting[docname]
        own_settings = notebook.metadata.get("mystnb", {})
        timeout = own_settings.get("execution_timeout", app.config.nb_execution_timeout)
        progress.start(docname)
        folder = Path(env.doc2path(docname)).parent
        execute(notebook, folder, timeout, environ, lambda **_: progress.count_cell(docname))
        progress.end(docname)
        return docname

    for docname in run_side_by_side(run, order, at_once):
        notebook = waiting[docname]
        make_readable(notebook, Path(app.srcdir))
        shrink_pictures(notebook)
        store(notebook, stored_notebook(app, docname))
        app.kernbook_failures += [(docname, *failure) for failure in failures(notebook)]
    progress.close()
    app.kernbook_failures.sort()
    for docname, number, error in app.kernbook_failures:
        logger.warning("cell %d fails: %s", number, error, location=docname)


def shrink_pictures(notebook):
    """Give each opaque picture 256 colors, in place: a third of its bytes, and no color moves visibly."""
    data = [output.get("data", {}) for cell in code_cells(notebook) for output in cell.outputs]
    for pictures in (one for one in data if "image/png" in one):
        picture = Image.open(BytesIO(b64decode(pictures["image/png"]))).convert("RGBA")
        if picture.getextrema()[3] == (255, 255):
            lean = picture.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, dither=0)
            lean.save(file := BytesIO(), "png", optimize=True)
            pictures["image/png"] = b64encode(file.getvalue()).decode()


def store(notebook, path):
    """Store an executed notebook; remove the states of it that have not been used for longest."""
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
    states = sorted(path.parent.iterdir(), key=lambda state: state.stat().st_mtime, reverse=True)
    for state in states[KEPT:]:
        state.unlink()


def insert_outputs(app, docname, content):
    """Give Sphinx, which has read a notebook's source, the notebook with its outputs."""
    if docname in app.env.kernbook_keys:
        notebook = nbformat.reads(content[0], as_version=4)
        executed = nbformat.read(stored_notebook(app, docname), as_version=4)
        for cell, with_outputs in zip(code_cells(notebook), code_cells(executed), strict=True):
            cell.outputs, cell.execution_count = with_outputs.outputs, with_outputs.execution_count
        notebook.metadata["language_info"] = executed.metadata["language_info"]  # it colors the code
        content[0] = nbformat.writes(notebook)


def run_side_by_side(run, order, at_once):
    """Call `run` for each, that many at a time in threads; give the results as they come."""
    with ThreadPoolExecutor(at_once) as pool:
        tasks = [pool.submit(run, docname) for docname in order]
        try:
            for task in as_completed(tasks):
                yield task.result()
        except BaseException:  # Ctrl-C above all: threads end only when their kernels do
            pool.shutdown(wait=False, cancel_futures=True)
            for process in psutil.Process().children(recursive=True):
                process.kill()
            raise


def execute(notebook, folder, timeout, environ, on_cell):
    """Run all cells in a new kernel, also after one that fails; a cell that ends its kernel gets an error."""
    for cell in code_cells(notebook):
        cell.outputs = []
    started = []
    client = NotebookClient(
        notebook,
        timeout=timeout,
        allow_errors=True,
        coalesce_streams=True,  # however the kernel happened to cut them
        record_timing=False,
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=KERNEL_ARGUMENTS,
        shutdown_kernel="immediate",  # with its processes; waiting for its end takes a second
        on_cell_execute=lambda cell, cell_index: started.append(cell),
        on_cell_executed=on_cell,
    )
    try:
        start_and_execute(client, started, environ)
    except (CellTimeoutError, DeadKernelError) as error:
        name, reason = "KernelDied", "its Python ended, perhaps because memory ran out"
        if isinstance(error, CellTimeoutError):
            name, reason = "Timeout", f"it ran for {timeout} seconds"
        value = f"{reason}; the cells after it did not run"
        output = nbformat.v4.new_output("error", ename=name, evalue=value, traceback=[f"{name}: {value}"])
        started[-1].outputs = [one for one in started[-1].outputs if one.output_type != "error"] + [output]


def start_and_execute(client, started, environ):
    """Run the cells; start the kernel again if another program took a port that was chosen for it."""
    for left in reversed(range(STARTS)):
        try:
            client.execute(env=environ)
            return
        except RuntimeError:
            if started or not left:
                raise


def forget_build_with_warnings(app, exception):
    """Drop Sphinx's memory of a build that warned, as Sphinx itself does for one that failed."""
    # Otherwise the next build reads nothing again, sees no warning and passes.
    if exception is None and app._warncount:
        (Path(app.doctreedir) / "environment.pickle").unlink()
