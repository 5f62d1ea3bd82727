"""The checks catch every small change of the book's own solutions, except those that change nothing."""

import ast
import contextlib
import contextvars
import signal
from importlib import import_module

import numpy as np
import pytest
from mutants import mutants_of
from solutions import SOLUTIONS

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


def names_in(imports, functions):
    """Run the imports of a page and its functions whose defaults are constants, and give their names."""
    names = {"EPS": np.finfo(float).eps}
    for function in functions.values():
        defaults = [*function.args.defaults, *filter(None, function.args.kw_defaults)]
        if all(isinstance(default, ast.Constant) for default in defaults):
            imports = [*imports, function]
    exec(compile(ast.Module(imports, []), "<solution>", "exec"), names)
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


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::scipy.linalg.LinAlgWarning")
@pytest.mark.usefixtures("alarm")
@pytest.mark.parametrize("check", SOLUTIONS)
def test_every_change_of_a_solution_is_caught_or_changes_nothing(check, capsys):
    module, name, imports, functions = SOLUTIONS[check]
    verdict = getattr(import_module(f"kernlib.book.checks.{module}"), check)
    names = names_in(imports, functions)
    verdict(names[name])  # the solution itself
    missed = []
    for change, mutant in list(mutants_of(functions[name], names))[::2]:  # half of them, in half the time
        with contextlib.suppress(AssertionError, Endless):
            # in a context of its own, as an interrupt can leave numpy's error state changed
            contextvars.copy_context().run(verdict, limit(mutant))
            missed.append(change)
    assert set(missed) == set(EQUIVALENT.get(check, {}))  # each with its reason
