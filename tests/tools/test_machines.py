"""`make machines` measures asserts without a change in meaning, checks emulations and lists failures."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys

import machines
import nbformat
import numpy as np
import pytest
from execute_notebooks import PYTHON
from matrix import margins, report, runs
from matrix.environments import ROOT
from matrix.machines import AVX512, MACHINES, Machine


def measure(source, **names):
    """Run a cell with its asserts measured; return the worst (actual, bound, upper) of each comparison."""
    margins.sites.clear()
    margins.worst.clear()
    tree = margins.Measure().visit(ast.parse(source))
    exec(compile(tree, "cell", "exec"), {"np": np, margins.HOOK: margins} | names)
    return [margins.worst[place][1:] for place in sorted(margins.worst)]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("assert 3e-16 < 1e-13", [(1e-13, 3e-16, False)]),  # two numbers: the left one is the bound
        ("x = 3e-16\nassert x < 1e-13", [(3e-16, 1e-13, True)]),
        ("x = 3\ny = 5\nassert x < y < 7", [(3, 5, True), (5, 7, True)]),
        ("x = np.array([1, 6, 3])\nassert np.all((x < 7) & (x > 0.1))", [(6, 7, True), (1, 0.1, False)]),
        ("x = np.array([10, 1])\nassert (x < np.array([100, 2])).all()", [(1, 2, True)]),  # worst by ratio
        ("assert all(x < 7 for x in [1, 6, 3])", [(6, 7, True)]),
        ("def check(x):\n    assert x < 7\ncheck(2)\ncheck(3)", [(3, 7, True)]),
        ("holds = bool\nfor x in [1, 6, 3]:\n    holds(x < 7)", [(6, 7, True)]),  # kernlib.book.claims
    ],
)
def test_a_comparison_records_its_worst_actual_value_and_the_bound(source, found):
    assert measure(source) == found


def test_other_asserts_are_not_measured():
    for test in ("x == 3", "not x > 5", "x > 5 or x < 4", "s < 'b'", "x < np.inf"):
        assert measure(f"assert {test}", x=3, s="a") == []


def test_an_expression_is_evaluated_once_in_order_and_no_further_than_before():
    seen = []

    def value(number):
        seen.append(number)
        return number

    measure("assert value(1) < value(2) < value(3) and value(4) > value(0)", value=value)
    assert seen == [1, 2, 3, 4, 0]
    seen.clear()
    with pytest.raises(AssertionError, match="the message"):
        measure("assert value(2) < value(1) < value(3) and value(4) > 0, 'the message'", value=value)
    assert seen == [2, 1]


def results(**values):
    """The results of machines that measured one assert, `x < bound`: machine = (actual, bound)."""

    def result(actual, bound):
        worst = [(bound - actual) / abs(bound), actual, bound, True]
        asserts = [{"cell": 3, "line": 1, "source": "x < bound", "comparisons": {"1": worst}}]
        failures = [] if actual < bound else [{"where": "cell [3]", "what": "no"}]
        return {"chapters/01_a.ipynb": {"asserts": asserts, "failures": failures}}

    return {machine: result(*pair) for machine, pair in values.items()}


@pytest.mark.parametrize(
    ("actual", "bound", "margin"),
    [
        (
            (1e-16, 1e-15),
            1e-13,
            (1 - 0.01) / (0.01 - 0.001),
        ),  # an error: about its bound over its largest value
        ((0.984, 0.988), 0.99, 0.5),  # a score: its spread counts, and not its size
        ((0.5, 1.5), 1.0, -0.5),  # it fails on one machine
    ],
)
def test_a_margin_is_the_smallest_slack_over_the_range_of_slacks(actual, bound, margin):
    found = results(a=(actual[0], bound), b=(actual[1], bound))
    assert report.compute_margins(found)[0][0] == pytest.approx(margin)
    assert report.format_margins(found)[2].startswith("!" if margin < 10 else " ")
    assert report.compute_margins(results(a=(actual[0], bound), b=(actual[0] + 1e-12 * bound, bound))) == []


def test_the_table_shows_what_passed_what_failed_and_what_is_unavailable():
    found = results(a=(0.5, 1.0), b=(1.5, 1.0))
    table = report.format_table(found, ["chapters/01_a.ipynb", "tests"], {"zen": "no Zen"})
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
    assert (
        json.loads(subprocess.check_output(command, cwd=ROOT))
        == [machine.name for machine in MACHINES]
        == list(machines.BY_NAME)
    )
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


def test_a_run_lists_failed_cells_measures_asserts_and_keeps_good_results(monkeypatch, tmp_path):
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
        found = [(each["cell"], each["comparisons"]["1"][1:]) for each in results[bad]["asserts"]]
        assert found == [(1, [1e-16, 1e-13, True]), (2, [1e-16, 1e-13, False])]
        assert prepared.kept(good) == results[good] and prepared.kept(bad) is None
        (ROOT / good).write_text((ROOT / good).read_text().replace("1e-13", "1e-12"))
        assert prepared.kept(good) is None
    finally:
        shutil.rmtree(folder)
