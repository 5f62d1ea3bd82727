"""`make machines`: asserts are measured and mean what they meant, emulations take effect, runs are told."""

import ast
import math
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
from matrix.clock import lying_clock
from matrix.environments import ROOT, Here
from matrix.machines import MACHINES, Machine


def measured(source, **names):
    """Run a cell with its asserts measured; the worst (actual, bound, upper) of each comparison."""
    margins.sites.clear()
    margins.noted.clear()
    tree = margins.Measure().visit(ast.parse(source))
    exec(compile(tree, "cell", "exec"), {"np": np, "math": math, margins.HOOK: margins} | names)
    return [margins.noted[place][1:] for place in sorted(margins.noted)]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("assert 3e-16 < 1e-13", [(1e-13, 3e-16, False)]),  # two numbers: the left one is the bound
        ("x = 3e-16\nassert x < 1e-13", [(3e-16, 1e-13, True)]),
        ("x = 3\nassert x > 2.5 and x <= 7", [(3, 2.5, False), (3, 7, True)]),
        ("x = 3\nassert 0.5 * 2 < x <= 7", [(3, 1, False), (3, 7, True)]),
        ("x = 3\ny = 5\nassert x < y < 7", [(3, 5, True), (5, 7, True)]),
        ("x = np.array([1, 6, 3])\nassert (x < 7).all()", [(6, 7, True)]),
        ("x = np.array([1, 6, 3])\nassert np.all(x < 7)", [(6, 7, True)]),
        ("x = np.array([1, 6, 3])\nassert ((x < 7) & (x > 0.1)).all()", [(6, 7, True), (1, 0.1, False)]),
        ("x = np.array([10, 1])\nassert (x < np.array([100, 2])).all()", [(1, 2, True)]),  # worst by ratio
        ("assert all(x < 7 for x in [1, 6, 3])", [(6, 7, True)]),
        ("for x in [1, 6, 3]:\n    assert x < 7", [(6, 7, True)]),
        ("def check(x):\n    assert x < 7\ncheck(2)\ncheck(3)", [(3, 7, True)]),
        ("x = 3.0\nassert np.allclose(x, 2, rtol=0, atol=4)", [(1, 4, True)]),
        ("x = 3.0\nassert np.isclose(x, [2, 4], 0, 4).all()", [(1, 4, True)]),
        ("x = 3.0\nnp.testing.assert_allclose(x, 2, rtol=0.75)", [(1, 1.5, True)]),
        ("x = 3.0\nassert math.isclose(x, 2, rel_tol=0.5)", [(1, 1.5, True)]),
        ("x = -1e-16\nassert x > -1e-13", [(-1e-16, -1e-13, False)]),
        ("holds = bool\nx = 3\nholds(x < 7)", [(3, 7, True)]),  # kernlib.book.claims
    ],
)
def test_a_comparison_tells_its_worst_actual_value_and_the_bound(source, found):
    assert measured(source) == found


@pytest.mark.parametrize(
    "source",
    ["assert x == 3", "assert not x > 5", "assert x > 5 or x < 4", "assert s < 'b'", "assert x < np.inf"],
)
def test_what_has_no_margin_is_left_alone(source):
    assert measured(source, x=3, s="a") == []


def test_an_expression_is_evaluated_once_in_order_and_no_further_than_before():
    seen = []

    def value(number):
        seen.append(number)
        return number

    measured("assert value(1) < value(2) < value(3) and value(4) > value(0)", value=value)
    assert seen == [1, 2, 3, 4, 0]
    seen.clear()
    with pytest.raises(AssertionError, match="said why"):
        measured("assert value(2) < value(1) < value(3) and value(4) > 0, 'said why'", value=value)
    assert seen == [2, 1]


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("assert 2 < 1", AssertionError),
        ("assert (np.arange(3) < 2).all()", AssertionError),
        ("assert np.arange(3) < 5", ValueError),  # the truth of an array
        ("assert 1 < 'a'", TypeError),
        ("assert np.allclose(1, 2)", AssertionError),
        ("np.testing.assert_allclose(1, 2)", AssertionError),
        ("assert np.nan < 1", AssertionError),
        ("assert unknown < 1", NameError),
    ],
)
def test_a_measured_assert_fails_as_it_did(source, error):
    with pytest.raises(error):
        exec(source, {"np": np})
    with pytest.raises(error):
        measured(source)


def results(**values):
    """What machines noted of one assert, `x < bound`, in a notebook: machine = (actual, bound)."""

    def result(actual, bound):
        worst = [(bound - actual) / abs(bound), actual, bound, True]
        noted = {"cell": 3, "line": 1, "source": "x < bound", "comparisons": {"1": worst}}
        return {
            "asserts": [noted],
            "failures": [] if actual < bound else [{"where": "cell [3]", "what": "no"}],
        }

    return {machine: {"chapters/01_a.ipynb": result(*pair)} for machine, pair in values.items()}


def test_an_assert_that_all_machines_agree_on_has_no_margin():
    assert report.margins(results(a=(0.5, 1.0), b=(0.5 + 1e-12, 1.0))) == []


def test_the_margin_of_an_error_is_about_its_bound_by_its_largest_value():
    (found,) = report.margins(results(a=(1e-16, 1e-13), b=(1e-15, 1e-13)))
    assert found["ratio"] == pytest.approx(100)
    assert found["margin"] == pytest.approx((1 - 0.01) / (0.01 - 0.001))
    assert found["machine"] == "b"


def test_the_margin_of_a_score_counts_its_spread_and_not_its_size():
    (found,) = report.margins(results(a=(0.984, 0.99), b=(0.984 + 1e-6, 0.99)))
    assert found["margin"] > 1000
    (thin,) = report.margins(results(a=(0.984, 0.99), b=(0.988, 0.99)))
    assert thin["margin"] == pytest.approx(0.5)


def test_an_assert_that_fails_somewhere_has_a_margin_below_zero():
    (found,) = report.margins(results(a=(0.5, 1.0), b=(1.5, 1.0)))
    assert found["margin"] < 0
    assert "! " in report.margin_lines(results(a=(0.5, 1.0), b=(1.5, 1.0)))[2]


def test_a_difference_that_other_data_make_is_no_roundings():
    found = results(here=(0.5, 1.0), ijcnn1=(0.9, 1.0))
    assert report.margins(found) and report.margins(machines.of_the_same_data(found)) == []


def test_the_table_shows_what_passed_what_failed_and_what_cannot_be_had():
    text = report.table(
        results(a=(0.5, 1.0), b=(1.5, 1.0)), ["chapters/01_a.ipynb", "tests"], {"zen": "no Zen"}
    )
    heading, *rows, last, _ = text.splitlines()
    assert heading.split() == ["01", "tests"]
    assert [row.split() for row in rows] == [["a", "·", "-"], ["b", "1", "-"]]
    assert last.split(maxsplit=1) == ["zen", "not run: no Zen"]


WITNESS = {
    "architectures": ["Haswell"],
    "cores": 2,
    "blas_threads": [2],
    "blas_files": ["/env/mkl/lib/sklearn/_cython_blas.so", "/usr/lib/blas/libblas.so.3"],
    "features": {"X86_V3": True, "X86_V4": False, "AVX512F": False},
    "lying_clock": False,
}


@pytest.mark.parametrize(
    ("machine", "is_it"),
    [
        (Machine("a", "", core_type="Haswell"), True),
        (Machine("a", "", core_type="Zen"), False),
        (Machine("a", "", cores=2), True),
        (Machine("a", "", cores=16), False),
        (Machine("a", "", clock=1), False),
        (Machine("a", "", blas="blas"), True),
        (Machine("a", "", blas="blis-pthread"), False),
        (Machine("a", "", blas="mkl"), False),
        (Machine("a", "", features_off=("AVX512", "X86_V4")), True),
        (Machine("a", "", features_off=("X86_V3",)), False),
    ],
)
def test_an_emulation_without_effect_is_recognised(machine, is_it):
    assert (machine.strangeness(WITNESS) is None) == is_it


def test_every_machine_has_a_name_of_its_own_that_the_command_line_knows():
    command = [sys.executable, "tools/machines.py", "--list"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert ast.literal_eval(listed) == [machine.name for machine in MACHINES] == list(machines.BY_NAME)


def test_machines_that_no_process_can_tell_apart_run_once(monkeypatch):
    monkeypatch.setattr(runs, "ask", lambda machine, own: WITNESS | {"data": machine.name == "c"})
    prepared, unavailable, _ = machines.prepare([Machine(name, "") for name in "abc"])
    assert [each.machine.name for each in prepared] == ["a", "c"]
    assert unavailable == {"b": "a process sees the same as on the machine a"}


def test_the_check_runs_machines_that_there_are():
    named = " ".join(re.findall(r'make machines MACHINES="(.*)"', (ROOT / ".ci/run").read_text()))
    assert len(set(named.split()) & set(machines.BY_NAME)) == 2


@pytest.mark.skipif(
    sys.platform != "linux" or not shutil.which("cc"), reason="this needs Linux and a C compiler"
)
@pytest.mark.parametrize("cores", [1, 16])
def test_a_process_believes_in_the_cores_it_is_given_and_so_does_its_blas(cores):
    own = runs.variables(Machine("a", "", cores=cores))
    code = "import os, joblib, numpy, threadpoolctl as t; print(os.cpu_count(), joblib.cpu_count(), "
    code += "*{pool['num_threads'] for pool in t.threadpool_info()})"
    printed = subprocess.run(
        [sys.executable, "-c", code], env=own, capture_output=True, text=True, check=True
    )
    assert printed.stdout.split() == 3 * [str(cores)]


def test_a_lying_clock_runs_on_and_tells_nothing_else():
    clock, again = lying_clock(1), lying_clock(1)
    steps = np.diff([clock() for _ in range(1000)])
    assert steps.min() > 0 and steps.max() > 1e5 * steps.min()
    assert clock() != again()


CELLS = [
    ("import numpy as np\nx = 1e-16\nassert x < 1e-13", None),
    ("print(1)\nassert np.float64(x) > 1e-13", "1\n"),
    ("print(2)", "3\n"),
]


@pytest.fixture
def ran(tmp_path, monkeypatch):
    """A notebook with a failing assert and another output, run without changing the machine."""
    path = tmp_path / "09_planted.ipynb"
    notebook = nbformat.v4.new_notebook(metadata=PYTHON)
    for count, (source, printed) in enumerate(CELLS, start=1):
        outputs = [nbformat.v4.new_output("stream", text=printed)] if printed else []
        cell = nbformat.v4.new_code_cell(source, execution_count=count, outputs=outputs, id=f"cell-{count}")
        notebook.cells.append(cell)
    nbformat.write(notebook, path)
    monkeypatch.setattr(runs, "RESULTS", tmp_path / "results")
    witness = {"features": {}, "cores": os.cpu_count(), "blas_threads": [1]}
    prepared = runs.Prepared(
        Machine("here", "", environment=Here()), runs.variables(Machine("here", "")), witness
    )
    assert prepared.kept(str(path)) is None
    ((*_, result),) = runs.Runner().run_all([(prepared, str(path))])
    return prepared, path, result


def test_a_run_tells_each_failed_cell_in_a_line_measures_asserts_and_is_kept(ran):
    prepared, path, result = ran
    assertion, output = (f"{each['where']}: {each['what']}" for each in result["failures"])
    assert assertion.startswith("cell [2] cell-2: line 2: assert np.float64(x) > 1e-13 AssertionError")
    assert output.startswith("cell [3] cell-3:") and "stdout" in output and "3" in output and "2" in output
    noted = [(each["cell"], each["comparisons"]["1"][1:]) for each in result["asserts"]]
    assert noted == [(1, [1e-16, 1e-13, True]), (2, [1e-16, 1e-13, False])]
    assert prepared.kept(str(path)) == result
    path.write_text(path.read_text().replace("print(2)", "print(4)"))
    assert prepared.kept(str(path)) is None


def test_a_cell_that_took_too_long_is_told_from_one_that_failed():
    said = "failed\nCell 8: Timeout of 600 seconds exceeded while executing cell.\n\nInput:\nf()"
    assert runs.cell_story(said) == "Timeout of 600 seconds exceeded"
