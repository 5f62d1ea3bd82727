"""Run notebooks and unit tests on a machine, and keep each result in a small file."""

import functools
import hashlib
import json
import os
import re
import signal
import subprocess
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

from matrix.environments import HOME, ROOT, Broken, Unavailable
from matrix.machines import Machine

RESULTS = HOME / "results"
UNIT_TESTS = "tests"
FOR_NOTEBOOKS = "kernlib data tools/matrix conftest.py pyproject.toml".split()
FOR_UNIT_TESTS = [*FOR_NOTEBOOKS, *"tests tools chapters benchmarks _ext Makefile .ci .github".split()]
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
COLORS = re.compile(r"(?:\x1b|#x1B)\[[0-9;]*m")
ARROW = re.compile(r"^-+> *(\d+) (.*)$", re.MULTILINE)  # IPython's, at the line of a cell that failed


@functools.cache
def compiled_cores():
    """Compile the library that changes how many cores a process sees."""
    library, source = HOME / "cores.so", Path(__file__).with_name("cores.c")
    HOME.mkdir(parents=True, exist_ok=True)
    command = ["cc", "-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unavailable("needs Linux and a C compiler, to change the number of cores") from error
    return library


def variables(machine, features_off=()):
    """Return the environment variables of a process on this machine."""
    found = dict(os.environ) | machine.variables()
    found["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "tools")])
    found.pop("KERNLIB_DATA", None)  # the data are the same everywhere, so that only rounding differs
    if features_off:
        found["NPY_DISABLE_CPU_FEATURES"] = " ".join(features_off)
    if machine.cores:
        found["LD_PRELOAD"] = str(compiled_cores())
    return found


def probe(machine, variables):
    """Describe a process on this machine, after it has called BLAS."""
    command = machine.environment.command("-m", "matrix.probe")
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)
    if done.returncode == -signal.SIGILL:
        raise Unavailable("this processor lacks instructions of these kernels")
    if machine.core_type and done.returncode == -signal.SIGSEGV:  # OpenBLAS 0.3.34 on Zen 4, its issue 6021
        raise Unavailable("this BLAS with these kernels crashes on this processor in a plain product")
    if done.returncode:
        raise Broken(f"the first products fail ({done.returncode}): {last_line(done.stderr)}")
    return json.loads(done.stdout)


@functools.cache
def ipython_folder():
    """Write an IPython profile whose kernels have random clocks on some machines."""
    profile = HOME / "ipython" / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    extension = "c.InteractiveShellApp.extensions = ['matrix.probe']\n"
    (profile / "ipython_kernel_config.py").write_text(extension + "c.HistoryManager.enabled = False\n")
    return profile.parent


@dataclass
class Prepared:
    """A machine whose environment is installed, and whose emulation was seen to take effect."""

    machine: Machine
    variables: dict
    process: dict  # as `matrix.probe` describes it

    @classmethod
    def prepare(cls, machine):
        """Install the environment and try it; raise `Unavailable` if that is not possible here."""
        machine.environment.prepare()
        own = variables(machine)
        process = probe(machine, own)
        if machine.features_off:
            if not (features := machine.features_to_disable(process)):
                raise Unavailable("this processor, or this numpy, has no such features to disable")
            own = variables(machine, features)
            process = probe(machine, own)
        if mismatch := machine.find_mismatch(process):
            raise Unavailable(mismatch)
        return cls(machine, own, process)

    def path(self, item, suffix):
        """Return the path of a file about this item."""
        return RESULTS / self.machine.name / f"{Path(item).stem}{suffix}"

    def key(self, item):
        """Return a hash that changes with the sources, with any version and with the processor."""
        digest = hashlib.sha256(f"{self.machine!r} {json.dumps(self.process, sort_keys=True)}".encode())
        for place in FOR_UNIT_TESTS if item == UNIT_TESTS else [item, *FOR_NOTEBOOKS]:
            for path in sorted([ROOT / place, *(ROOT / place).rglob("*")]):
                if path.is_file() and "__pycache__" not in path.parts:
                    digest.update(f"{os.path.relpath(path, ROOT)}\0".encode() + path.read_bytes())
        return digest.hexdigest()

    def kept(self, item):
        """Return the result of an earlier run if it is good and nothing has changed since, otherwise None."""
        path = self.path(item, ".json")
        result = json.loads(path.read_text()) if path.exists() else {}
        return result if result.get("key") == self.key(item) and not result["failures"] else None

    def run(self, items):
        """Run notebooks, or the unit tests, as many at once as there are cores; return item -> result."""
        keys = {item: self.key(item) for item in items}  # of the sources before the run
        report, own = self.path("report", ".xml"), self.variables
        report.parent.mkdir(parents=True, exist_ok=True)
        report.unlink(missing_ok=True)
        if items == [UNIT_TESTS]:
            # The site needs the book and a browser, the tools compute nothing, and the notebooks run the
            # explorers, the self-checks and `compare`.
            left_out = "tests/site", "tests/tools", "tests/book", "tests/compare", "tests/benchmarks"
            chosen = ["--dist=worksteal", *(f"--ignore={folder}" for folder in left_out)]
        else:
            chosen = ["--dist=loadfile", "--nbval"]
            own = own | {"IPYTHONDIR": str(ipython_folder())}
            if not self.machine.cores:  # more threads than cores would wait for each other
                own["OMP_NUM_THREADS"] = "1"
        options = ["-c", "pyproject.toml", "-q", "-p", "no:cacheprovider", f"--numprocesses={CORES}"]
        command = [*options, f"--junitxml={report}", *chosen, *items]
        done = subprocess.run(self.machine.environment.command("-m", "pytest", *command), cwd=ROOT, env=own)
        cases = list(ElementTree.parse(report).iter("testcase")) if report.exists() else []
        results = {}
        for item in items:
            of_item = [c for c in cases if item == UNIT_TESTS or c.get("classname") == item.replace("/", ".")]
            failures = read_failures(item, of_item)
            if done.returncode not in (0, 1) or not of_item:  # 1: tests failed
                failures.append({"where": "pytest", "what": f"exit code {done.returncode}"})
            results[item] = {"key": keys[item], "failures": failures}
            self.path(item, ".json").write_text(json.dumps(results[item], indent=1))
        return results


def read_failures(item, cases):
    """List the failures among an item's cases: where each is, and in one line what went wrong."""
    cells, failures = {}, []
    if item != UNIT_TESTS:
        notebook = json.loads((ROOT / item).read_text())
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        cells = {f"Cell {i}": f"cell [{cell['execution_count']}] {cell['id']}" for i, cell in enumerate(code)}
    for case in cases:
        for failure in [*case.iter("failure"), *case.iter("error")]:
            where = cells.get(case.get("name"), f"{case.get('classname')}::{case.get('name')}")
            what = summarize_failure(COLORS.sub("", failure.text)) if cells else failure.get("message")
            failures.append({"where": where, "what": " ".join(what.split())[:400]})
    return failures


def summarize_failure(text):
    """Shorten nbval's text on a cell to the line that failed and its error, or how the outputs differ."""
    words, _, traceback = text.partition("Traceback:")
    if arrow := ARROW.search(traceback):
        return f"line {arrow[1]}: {arrow[2]}  {last_line(traceback)}"
    if timeout := re.search(r"Timeout of .*? exceeded", words):
        return timeout[0]
    return traceback or last_line(words)


def last_line(text):
    """Return the last line that is not blank."""
    return next((line for line in reversed(text.splitlines()) if line.strip()), "there is no output")
