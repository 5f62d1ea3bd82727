"""Every self-check answers in one sentence, whatever a student's function returns or does."""

import inspect
import json
import pkgutil
import re
import sys
import threading
import time
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from kernlib import exercises
from kernlib.exercises import FUNCTIONS, Answer, as_numbers

CHECKS = {
    f"{module.name}.{name}": getattr(import_module(f"kernlib.exercises.{module.name}"), name)
    for module in pkgutil.iter_modules(exercises.__path__)
    for name in import_module(f"kernlib.exercises.{module.name}").__all__
    if name.startswith("check_")
}
OF_FUNCTIONS = [
    name for name, check in CHECKS.items() if set(inspect.signature(check).parameters) & FUNCTIONS
]


def raising(*args, **kwargs):
    raise KeyError("gamma")


DEEDS = {
    "returns nothing": (lambda *args, **kwargs: None, "got None. Hint: is its return missing"),
    "raises": (raising, "it raised KeyError: 'gamma'"),
    "exits": (lambda *args, **kwargs: sys.exit(), "it raised SystemExit"),
    "returns words": (lambda *args, **kwargs: "Gram", ""),
    "returns rows of several lengths": (lambda *args, **kwargs: [[1.0], [1.0, 2.0]], ""),
    "returns a tuple of nothing": (lambda *args, **kwargs: (None, None), ""),
    "is none": (None, "should be a function, got NoneType"),
    "was called already": (np.eye(3), "pass the function itself, without calling it"),
}


def sentence_of(check, *answer):
    with pytest.raises(AssertionError) as caught:
        check(*answer)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", OF_FUNCTIONS)
def test_a_check_answers_in_a_sentence_whatever_the_function_does(name):
    for deed, (answer, words) in DEEDS.items():
        assert words in sentence_of(CHECKS[name], answer), deed


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", sorted(CHECKS.keys() - OF_FUNCTIONS))
def test_a_check_answers_in_a_sentence_whatever_the_answer_is(name):
    for answer in (None, "three", [[1.0], [1.0, 2.0]], [1j, 2, 3]):
        sentence_of(CHECKS[name], *[answer] * len(inspect.signature(CHECKS[name]).parameters))


def endless():
    while True:
        try:
            sum(range(100))
        except Exception:
            continue


def test_an_endless_loop_is_ended_with_a_sentence(monkeypatch):
    monkeypatch.setattr(exercises, "SECONDS", 0.2)
    assert "within 0.2 seconds" in sentence_of(Answer(endless))


def test_waiting_for_a_busy_machine_is_no_computing(monkeypatch):
    monkeypatch.setattr(exercises, "SECONDS", 0.1)
    assert Answer(lambda: time.sleep(0.3) or 3)() == 3
    monkeypatch.setattr(exercises, "PATIENCE", 2)
    assert "within 0.1 seconds" in sentence_of(Answer(lambda: time.sleep(60)))


def test_away_from_the_main_thread_a_call_has_no_limit_and_works():
    found = []
    thread = threading.Thread(target=lambda: found.append(Answer(lambda: 3)()))
    thread.start()
    thread.join()
    assert found == [3]


def test_a_function_that_changes_an_argument_is_told_so_and_does_not_reach_it():
    X = np.ones(3)

    def halve(X):
        X /= 2
        return X

    assert "leave its arguments as they were" in sentence_of(Answer(halve), X)
    assert "leave its arguments as they were" in sentence_of(lambda: Answer(halve)(X=X))
    assert (X == 1).all()


def test_a_function_that_seeds_numpy_leaves_the_global_generator_alone():
    before = np.random.get_state()[1]  # noqa: NPY002
    Answer(lambda: np.random.seed(0) or 1)()  # noqa: NPY002
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_lists_of_numbers_become_arrays_and_nothing_else_does():
    first, words, (one, two) = as_numbers(([[1, 2], [3, 4]], ["a"], [[1], [1, 2]]))
    assert first.shape == (2, 2) and words == ["a"] and one.shape == (1,) and two.shape == (2,)


@pytest.mark.parametrize("module", sorted({name.partition(".")[0] for name in CHECKS}))
def test_a_chapter_has_one_way_to_its_checks_and_names_them_all(module):
    """Its notebook, and that of its solutions, carry the module's name behind a number."""
    paths = Path(__file__).parents[2].glob(f"chapters/??_{module}*.ipynb")
    cells = [cell for path in paths for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]
    said = "\n".join("".join(cell["source"]) for cell in cells)
    assert set(re.findall("kernlib.exercises import ([^`\n]+)", said)) == {f"{module} as check"}
    named = set(re.findall(r"(\w+)\.(check_\w+)", said))
    assert named == {("check", name.partition(".")[2]) for name in CHECKS if name.startswith(f"{module}.")}
