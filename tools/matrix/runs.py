"""Run notebooks and unit tests on machines, several at once, and keep each result in a small file."""

import functools
import hashlib
import json
import os
import re
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from matrix.environments import HOME, ROOT, Broken, Unavailable
from matrix.margins import NOTES

RESULTS = HOME / "results"
UNIT_TESTS = "tests"
SETTINGS = ["conftest.py", "pyproject.toml"]
OF_NOTEBOOKS = ["kernlib", "data", "tools/matrix", "chapters/book.mplstyle", *SETTINGS]
OF_UNIT_TESTS = [
    *("kernlib", "data", "tests", "tools", "chapters", "benchmarks", "_ext", "Makefile", ".ci", ".github"),
    *SETTINGS,
]
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
COLOURS = re.compile(r"(?:\x1b|#x1B)\[[0-9;]*m")
ARROW = re.compile(r"^-+> *(\d+) (.*)$", re.MULTILINE)  # IPython's, at the line of the cell that failed


def sources(item):
    """One hash for all files that decide how an item runs."""
    places = OF_UNIT_TESTS if item == UNIT_TESTS else [item, *OF_NOTEBOOKS]
    digest = hashlib.sha256()
    for place in places:
        for path in sorted([ROOT / place, *(ROOT / place).rglob("*")]):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{os.path.relpath(path, ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def variables(machine, features_off=()):
    """The variables of a process on this machine."""
    own = dict(os.environ)
    if machine.needs != "KERNLIB_DATA":
        own.pop("KERNLIB_DATA", None)
    if features_off:
        own["NPY_DISABLE_CPU_FEATURES"] = " ".join(features_off)
    if machine.cores:
        own["LD_PRELOAD"] = str(compiled_cores())
    own["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "tools")])
    return own | machine.variables()


@functools.cache
def compiled_cores():
    """The library that tells a process how many cores there are."""
    library = HOME / "cores.so"
    HOME.mkdir(parents=True, exist_ok=True)
    source = Path(__file__).with_name("cores.c")
    try:
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"], check=True, capture_output=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unavailable("needs Linux and a C compiler, to change the number of cores") from error
    return library


def ask(machine, own):
    """The witness of a process that did a little work on this machine."""
    command = machine.environment.command("-m", "matrix.witness")
    asked = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True)
    if asked.returncode == -signal.SIGILL:
        raise Unavailable("this processor has not all instructions of these kernels")
    if machine.core_type and asked.returncode == -signal.SIGSEGV:  # OpenBLAS 0.3.34 on Zen 4, its issue 6021
        raise Unavailable("this BLAS with these kernels crashes on this processor in a plain product")
    if asked.returncode:
        raise Broken(f"a first product fails ({asked.returncode}): {last_line(asked.stderr)}")
    return json.loads(asked.stdout)


@dataclass
class Prepared:
    """A machine whose environment is there, and was seen to be what it is meant to be."""

    machine: object
    variables: dict
    witness: dict

    @classmethod
    def of(cls, machine):
        """Make the environment and try it; Unavailable says why there is none to be had."""
        if machine.needs and not os.environ.get(machine.needs):
            raise Unavailable(f"{machine.needs} is not set")
        machine.environment.prepare()
        own = variables(machine)
        witness = ask(machine, own)
        if machine.features_off:
            own = variables(machine, machine.features_on(witness))
            if own.get("NPY_DISABLE_CPU_FEATURES") == os.environ.get("NPY_DISABLE_CPU_FEATURES"):
                raise Unavailable("this processor, or this numpy, has no such features to switch off")
            witness = ask(machine, own)
        if strange := machine.strangeness(witness):
            raise Unavailable(strange)
        return cls(machine, own, witness)

    def path(self, item, suffix):
        return RESULTS / self.machine.name / f"{Path(item).stem}{suffix}"

    def key(self, item):
        """Changes with the sources, with any version and with the processor."""
        words = [sources(item), repr(self.machine), json.dumps(self.witness, sort_keys=True)]
        return hashlib.sha256("\0".join(words).encode()).hexdigest()

    def kept(self, item):
        """The result of an earlier run if nothing has changed since, or None."""
        path = self.path(item, ".json")
        result = json.loads(path.read_text()) if path.exists() else {}
        return result if result.get("key") == self.key(item) else None


def pytest_command(prepared, item, report):
    """What runs an item: the book's own tests need its build and a browser, and stay out."""
    chosen = [UNIT_TESTS, "--ignore=tests/site"] if item == UNIT_TESTS else ["--nbval", item]
    options = ["-c", "pyproject.toml", "-q", "--color=no", "-p", "no:cacheprovider", f"--junitxml={report}"]
    return prepared.machine.environment.command("-m", "pytest", *options, *chosen)


class Runner:
    """Runs items, as many at once as there are cores. A Ctrl-C ends those under way; results stay."""

    def __init__(self):
        self.under_way = set()  # process ids

    def run(self, prepared, item):
        """Run one item on one machine, and keep its result."""
        notes, report, words = (prepared.path(item, suffix) for suffix in (".notes", ".xml", ".txt"))
        report.parent.mkdir(parents=True, exist_ok=True)
        for old in (notes, report):
            old.unlink(missing_ok=True)
        own = prepared.variables
        if item != UNIT_TESTS:
            own = own | {NOTES: str(notes), "IPYTHONDIR": str(ipython_folder())}
        key = prepared.key(item)  # of the sources as they are now, should they change meanwhile
        began = time.monotonic()
        with words.open("w") as log:
            process = subprocess.Popen(
                pytest_command(prepared, item, report),
                cwd=ROOT,
                env=own,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
            self.under_way.add(process.pid)
            print(f"begun: {prepared.machine.name}  {item}", flush=True)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.under_way.remove(process.pid)
        failures = failures_of(report, item) if report.exists() else []
        if process.returncode and not failures:
            failures = [{"where": "pytest", "what": last_line(words.read_text())}]
        found = json.loads(notes.read_text()) if notes.exists() else {"asserts": [], "witness": {}}
        if "features" in found["witness"]:  # a notebook may hold BLAS to one thread: that is no strangeness
            seen = found["witness"] | {"blas_threads": prepared.witness["blas_threads"]}
            if strange := prepared.machine.strangeness(seen):
                failures.append({"where": "the notebook's process", "what": strange})
        result = {
            "key": key,
            "failures": failures,
            "asserts": found["asserts"],
            "seconds": round(time.monotonic() - began, 1),
            "cpu_seconds": round(used.ru_utime + used.ru_stime, 1),
        }
        fresh = prepared.path(item, ".fresh")
        fresh.write_text(json.dumps(result, indent=1))
        fresh.replace(prepared.path(item, ".json"))
        return result

    def run_all(self, work):
        """Run pairs of a prepared machine and an item; yields each with its result when it ends."""
        with ThreadPoolExecutor(CORES) as pool:
            waiting = {pool.submit(self.run, *pair): pair for pair in work}
            try:
                for done in as_completed(waiting):
                    yield *waiting[done], done.result()
            except BaseException:
                for future in waiting:
                    future.cancel()
                for process in list(self.under_way):
                    os.killpg(process, signal.SIGINT)  # pytest then ends its kernels
                raise


@functools.cache
def ipython_folder():
    """A profile of IPython whose kernels measure asserts, and lie about the time where they are asked to."""
    profile = HOME / "ipython" / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    extension = "c.InteractiveShellApp.extensions = ['matrix.clock', 'matrix.margins']\n"
    (profile / "ipython_kernel_config.py").write_text(extension + "c.HistoryManager.enabled = False\n")
    return profile.parent


def last_line(text):
    return next((line for line in reversed(text.splitlines()) if line.strip()), "nothing was said")


def failures_of(report, item):
    """Each failed cell or test of pytest's report: where it is, and in one line what went wrong."""
    cells = {}
    if item != UNIT_TESTS:
        code = (
            cell for cell in json.loads((ROOT / item).read_text())["cells"] if cell["cell_type"] == "code"
        )
        cells = {f"Cell {i}": f"cell [{cell['execution_count']}] {cell['id']}" for i, cell in enumerate(code)}
    failures = []
    for case in ElementTree.parse(report).iter("testcase"):
        for failure in [*case.iter("failure"), *case.iter("error")]:
            where = cells.get(case.get("name"), f"{case.get('classname')}::{case.get('name')}")
            what = cell_story(COLOURS.sub("", failure.text)) if cells else failure.get("message")
            failures.append({"where": where, "what": " ".join(what.split())[:400]})
    return failures


def cell_story(text):
    """What nbval says of a cell, briefly: the line that failed and its error, or how outputs differ."""
    said, _, traceback = text.partition("Traceback:")
    if arrow := ARROW.search(traceback):
        return f"line {arrow[1]}: {arrow[2]}  {last_line(traceback)}"
    if timeout := re.search(r"Timeout of .*? exceeded", said):
        return timeout[0]
    return traceback or last_line(said)
