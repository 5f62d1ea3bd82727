"""The checks catch every small change of the book's own solutions, except those that change nothing."""

import ast
import contextlib
import itertools
import json
import math
import signal
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from mutants import mutants_of
from scipy import linalg
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from kernlib.duality import Duality, Logistic
from kernlib.nystrom import inverse_root
from kernlib.streaming import RidgeStatistics

CHAPTERS = Path(__file__).parents[3] / "chapters"
KNOWN = {
    "np": np,
    "linalg": linalg,
    "math": math,
    "combinations": itertools.combinations,
    "combinations_with_replacement": itertools.combinations_with_replacement,
    "EPS": np.finfo(float).eps,
    "Duality": Duality,
    "Logistic": Logistic,
    "RidgeStatistics": RidgeStatistics,
    "inverse_root": inverse_root,
    "cross_val_score": cross_val_score,
    "make_pipeline": make_pipeline,
    "StandardScaler": StandardScaler,
    "SVC": SVC,
}
STEP = "another step below twice the safe one comes to the same gap"
EQUIVALENT = {
    "check_certified_alpha": {
        "lam / (lam + np.linalg.norm(G, 2) / (4 * n)) → lam * (lam + np.linalg.norm(G, 2) / (4 * n))"
        " in line 3": STEP,
        "lam + np.linalg.norm(G, 2) / (4 * n) → np.linalg.norm(G, 2) / (4 * n) in line 3": STEP,
        "np.linalg.norm(G, 2) / (4 * n) → np.linalg.norm(G, 2) in line 3": STEP,
        "4 * n → 4 in line 3": STEP,
        "4 → 5 in line 3": STEP,
    },
    "check_project": {
        "lam > np.sqrt(len(G)) * EPS * np.linalg.norm(G) → lam >= np.sqrt(len(G)) * EPS * np.linalg.norm(G)"
        " in line 4": "no eigenvalue is just as large as the cut"
    },
    "check_kernel": {"1 → 2 in line 2": "the row begins with an entry too many, which is never read"},
    "check_additive_chi2": {"1 → 2 in line 4": "0 divided by any positive number is 0"},
    "check_preimage": {"50 → 51 in line 4": "the fiftieth half of a step is no step in float64"},
}


def sources(page):
    """The source of each cell with a program."""
    cells = json.loads(page.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def solutions():
    """Each check of a function with the solution that the book prints, and what that program knows."""
    for page in sorted(set(CHAPTERS.glob("[01]?_*.ipynb")) - set(CHAPTERS.glob("07_*"))):
        trees = [ast.parse(source) for source in sources(page)]
        functions = {}  # a later one of a name is the solution, an earlier one the stub
        for tree in trees:
            functions |= {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        module = next((node for tree in trees for node in tree.body if is_import_of_check(node)), None)
        calls = {
            ast.unparse(call.func): call.args for tree in trees for call in ast.walk(tree) if is_check(call)
        }
        for check, arguments in calls.items():
            if len(arguments) == 1 and getattr(arguments[0], "id", None) in functions:
                yield module.names[0].name, check.removeprefix("check."), arguments[0].id, functions


def is_import_of_check(node):
    return isinstance(node, ast.ImportFrom) and node.module == "kernlib.book.checks"


def is_check(node):
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith("check.check_")


def known_to(functions):
    """A namespace with the functions in it whose defaults are constants."""
    names = dict(KNOWN)
    for tree in functions.values():
        defaults = [*tree.args.defaults, *filter(None, tree.args.kw_defaults)]
        if all(isinstance(default, ast.Constant) for default in defaults):
            exec(compile(ast.Module([tree], []), "<solution>", "exec"), names)
    return names


class Endless(BaseException):
    """A call computes for too long. No `except Exception` catches it."""


def interrupt(*_):
    raise Endless


def limit(mutant, seconds=0.5):
    """Interrupt calls of a mutant after so long a computation; a solution takes hundredths of a second."""

    def limited(*args, **kwargs):
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        try:
            return mutant(*args, **kwargs)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    return limited


@pytest.fixture
def alarm():
    before = signal.signal(signal.SIGVTALRM, interrupt)
    yield
    signal.signal(signal.SIGVTALRM, before)


SOLUTIONS = {check: (module, name, functions) for module, check, name, functions in solutions()}


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::scipy.linalg.LinAlgWarning")
@pytest.mark.usefixtures("alarm")
@pytest.mark.parametrize("check", SOLUTIONS)
def test_every_change_of_a_solution_is_caught_or_changes_nothing(check, capsys):
    module, name, functions = SOLUTIONS[check]
    verdict = getattr(import_module(f"kernlib.book.checks.{module}"), check)
    names = known_to(functions)
    verdict(names[name])  # the solution itself
    missed = []
    for change, mutant in half(mutants_of(functions[name], names)):
        with contextlib.suppress(AssertionError, Endless):
            verdict(limit(mutant))
            missed.append(change)
    assert set(missed) == set(EQUIVALENT.get(check, {}))  # those that are none, each with its reason


def half(mutants):
    """Every second change: 230 in all, in half the time."""
    return itertools.islice(mutants, 0, None, 2)


def test_there_are_two_hundred_changes():
    counts = [len([*half(mutants_of(f[name], known_to(f)))]) for _, name, f in SOLUTIONS.values()]
    assert sum(counts) > 200
