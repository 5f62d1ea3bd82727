"""`make machines` checks emulations and lists failures."""

import json
import os
import re
import shutil
import subprocess
import sys

import machines
import nbformat
import pytest
from execute_notebooks import PYTHON
from matrix import runs
from matrix.environments import ROOT
from matrix.machines import AVX512, MACHINES, Machine


def test_the_table_shows_what_passed_what_failed_and_what_is_unavailable():
    failures = {"a": [], "b": [{"where": "cell [3]", "what": "no"}]}
    found = {machine: {"chapters/01_a.ipynb": {"failures": those}} for machine, those in failures.items()}
    table = machines.format_table(found, ["chapters/01_a.ipynb", "tests"], {"zen": "no Zen"})
    heading, *rows, last, _ = table.splitlines()
    assert heading.split() == ["01", "tests"]
    assert [row.split() for row in rows] == [["a", "·", "-"], ["b", "1", "-"]]
    assert last.split(maxsplit=1) == ["zen", "not run: no Zen"]


PROCESS = {
    "architectures": ["Haswell"],
    "cores": 2,
    "blas_threads": [2],
    "blas_files": ["/env/mkl/lib/sklearn/_cython_blas.so", "/usr/lib/blas/libblas.so.3"],
    "features": {"X86_V3": True, "X86_V4": False, "AVX512F": False},
    "random_clock": False,
}


def test_an_emulation_without_effect_is_found():
    effective = [{"core_type": "Haswell"}, {"cores": 2}, {"blas": "blas"}, {"features_off": AVX512}]
    without_effect = [
        *({"core_type": "Zen"}, {"cores": 16}, {"clock_seed": 1}, {"features_off": ("X86_V3",)}),
        *({"blas": "blis-pthread"}, {"blas": "mkl"}),
    ]
    assert not any(Machine("a", "", **differences).find_mismatch(PROCESS) for differences in effective)
    assert all(Machine("a", "", **differences).find_mismatch(PROCESS) for differences in without_effect)


def test_every_machine_is_listed_and_those_of_the_whole_check_exist():
    command = [sys.executable, "tools/machines.py", "--list"]
    names = [machine.name for machine in MACHINES]
    assert json.loads(subprocess.check_output(command, cwd=ROOT)) == names == list(machines.BY_NAME)
    named = re.findall(r'(?:MACHINES="?|--shell )(\w+)', (ROOT / ".ci/run").read_text())
    assert len(set(named) & set(machines.BY_NAME)) == 2


@pytest.mark.skipif(
    sys.platform != "linux" or not shutil.which("cc"), reason="needs Linux and gcc: apt-get install gcc"
)
@pytest.mark.parametrize("cores", [1, 16])
def test_a_process_and_its_blas_see_the_emulated_cores(cores):
    code = "import os, joblib, numpy, threadpoolctl as t; print(os.cpu_count(), joblib.cpu_count(), "
    code += "*{pool['num_threads'] for pool in t.threadpool_info()})"
    env = runs.variables(Machine("a", "", cores=cores))
    printed = subprocess.check_output([sys.executable, "-c", code], env=env, text=True)
    assert printed.split() == 3 * [str(cores)]


CELLS = [
    ("import time\nimport numpy as np\nx = 1e-16\nassert x < 1e-13", None),
    ("print(time.perf_counter.__module__)\nassert np.float64(x) > 1e-13", "matrix.probe\n"),
    ("print(2)", "3\n"),
]


def test_a_run_lists_failed_cells_and_keeps_good_results(monkeypatch, tmp_path):
    folder = ROOT / "_build" / f"planted-{os.getpid()}"
    folder.mkdir(parents=True)
    monkeypatch.setattr(runs, "RESULTS", tmp_path)
    machine = Machine("here", "", clock_seed=1)
    prepared = runs.Prepared(machine, runs.variables(machine), PROCESS)
    notebook = nbformat.v4.new_notebook(metadata=PYTHON)
    for count, (source, printed) in enumerate(CELLS, start=1):
        outputs = [nbformat.v4.new_output("stream", text=printed)] if printed else []
        cell = nbformat.v4.new_code_cell(source, execution_count=count, outputs=outputs, id=f"cell-{count}")
        notebook.cells.append(cell)
    bad, good = (str((folder / f"{name}.ipynb").relative_to(ROOT)) for name in ("09_bad", "10_good"))
    try:
        nbformat.write(notebook, bad)
        del notebook.cells[1:]
        nbformat.write(notebook, good)
        results = prepared.run([bad, good])
        assertion, output = (f"{each['where']}: {each['what']}" for each in results[bad]["failures"])
        assert assertion.startswith("cell [2] cell-2: line 2: assert np.float64(x) > 1e-13 AssertionError")
        assert output.startswith("cell [3] cell-3:") and re.search(r"stdout.*3.*2", output)
        assert prepared.kept(good) == results[good] and prepared.kept(bad) is None
        (ROOT / good).write_text((ROOT / good).read_text().replace("1e-13", "1e-12"))
        assert prepared.kept(good) is None
    finally:
        shutil.rmtree(folder)
