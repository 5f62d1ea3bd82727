"""Execute the notebooks that changed, side by side, before Sphinx reads the first page.

myst-nb would execute them one after the other while it reads, and stop the build at the first cell that
fails. Here each notebook that the cache doesn't hold runs in a kernel of its own, to its end. What came out
goes into the cache, errors too, where myst-nb finds it. A notebook with an error doesn't count as executed:
the next build runs it again, and it alone.
"""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, nullcontext
from pathlib import Path

import nbformat
import psutil
from joblib import cpu_count
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from sphinx.util import logging

from kernbook.failures import failures, make_readable, runs
from kernbook.kernels import Forks
from kernbook.progress import Progress

MEMORY = 2**30  # bytes that a kernel may want; the hungriest chapter takes 0.75 GB
# ipykernel warns at each start that others on this machine could listen in: not news for a build's log. Plain
# tracebacks show one line of code for each call, not five.
KERNEL_ARGUMENTS = ["--log-level=ERROR", "--InteractiveShell.xmode=Plain"]
logger = logging.getLogger(__name__)


def setup(app):
    """Execute once Sphinx knows which documents it is going to read."""
    app.add_config_value("kernbook_weights", {}, "", dict)
    app.connect("env-before-read-docs", execute_what_changed)


def execute_what_changed(app, env, docnames):
    """Run those of the documents that are notebooks and not in the cache; warn of each cell that fails."""
    cache = get_cache(env.mystnb_config.execution_cache_path)
    paths = {name: Path(env.doc2path(name)) for name in docnames}
    notebooks = {
        name: nbformat.read(path, as_version=4) for name, path in paths.items() if path.suffix == ".ipynb"
    }
    waiting = {name: notebook for name, notebook in notebooks.items() if not is_executed(notebook, cache)}
    app.kernbook_failures = []
    if not waiting:
        return

    at_once = max(1, min(len(waiting), cpu_count(), psutil.virtual_memory().available // MEMORY))
    sizes = {name: sum(map(runs, notebook.cells)) for name, notebook in waiting.items()}
    # The longest start first, so that none of them is left over at the end, alone on its core.
    weights = {name: app.config.kernbook_weights.get(name, 1) for name in waiting}
    order = sorted(waiting, key=lambda name: weights[name] * sizes[name], reverse=True)
    progress = Progress(sizes, weights, at_once, on_terminal=sys.stdout.isatty())
    timeout, environ = env.mystnb_config.execution_timeout, share_of_cores(at_once)
    pays = Forks.can_be and len(waiting) > at_once
    with closing(Forks(environ)) if pays else nullcontext() as forks:

        def run(docname):
            start = time.monotonic()
            progress.starts(docname)
            execute(
                waiting[docname],
                paths[docname].parent,
                timeout,
                environ,
                lambda **_: progress.cell_ends(docname),
                forks,
            )
            progress.ends(docname)
            return docname, time.monotonic() - start

        for docname, seconds in side_by_side(run, order, at_once):
            notebook = waiting[docname]
            make_readable(notebook, Path(app.srcdir))
            bundle = CacheBundleIn(notebook, str(paths[docname]), data={"execution_seconds": seconds})
            cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
            app.kernbook_failures += [(docname, *failure) for failure in failures(notebook)]
    app.kernbook_failures.sort()
    for docname, number, error in app.kernbook_failures:
        logger.warning("cell %d fails: %s", number, error, location=docname)


def is_executed(notebook, cache):
    """Whether the cache holds this notebook, without an error."""
    try:
        record = cache.match_cache_notebook(notebook)
    except KeyError:
        return False
    return not failures(cache.get_cache_bundle(record.pk).nb)


def side_by_side(run, order, at_once):
    """Call `run` for each, that many at a time in threads; give the results as they come."""
    with ThreadPoolExecutor(at_once) as pool:
        tasks = [pool.submit(run, docname) for docname in order]
        try:
            for task in as_completed(tasks):
                yield task.result()
        except BaseException:  # Ctrl-C above all: threads end only when their kernels do
            pool.shutdown(wait=False, cancel_futures=True)
            for process in reversed(psutil.Process().children(recursive=True)):  # kernels before their parent
                process.kill()
            raise


def share_of_cores(at_once):
    """Set the threads of each kernel: more of them than cores would wait for each other."""
    share = str(max(1, cpu_count() // at_once))
    return {"OMP_NUM_THREADS": share, "LOKY_MAX_CPU_COUNT": share} | os.environ


def execute(notebook, folder, timeout, environ, on_cell, forks=None):
    """Run all cells in a new kernel, also after one that fails; what ends the kernel is its cell's error."""
    for cell in filter(runs, notebook.cells):
        cell.outputs = []
    started = []

    def note(cell, cell_index):
        started.append(cell)

    client = NotebookClient(
        notebook,
        timeout=timeout,
        allow_errors=True,
        record_timing=False,
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=KERNEL_ARGUMENTS,
        on_cell_execute=note,
        on_cell_executed=on_cell,
    )
    if forks:
        client.km = forks.manager()
    try:
        client.execute(env=environ)
    except CellTimeoutError:
        end_with(started[-1], "Timeout", f"it ran for {timeout} seconds")
    except DeadKernelError:
        end_with(started[-1], "KernelDied", "its Python ended, perhaps for want of memory")


def end_with(cell, name, what):
    """Give the cell that took its kernel along an error that says so, in place of the kernel's own."""
    value = f"{what}; the cells after it did not run"
    error = nbformat.v4.new_output("error", ename=name, evalue=value, traceback=[f"{name}: {value}"])
    cell.outputs = [output for output in cell.outputs if output.output_type != "error"] + [error]
