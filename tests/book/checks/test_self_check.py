"""Every self-check passes right answers, names usual mistakes, and meets all else with one sentence."""

import _thread
import gc
import inspect
import json
import pkgutil
import re
import sys
import threading
import time
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from answers.duality import hinge

from kernlib.book import checks
from kernlib.book.checks import FUNCTIONS, GRADING, NOT_DONE, _calls, expect_right, hint
from kernlib.book.checks._calls import Answer, as_numbers
from kernlib.book.checks._expect import advice
from kernlib.book.checks.strings import gap_features, positions

CHECKS = [
    (module.name, name)
    for module in pkgutil.iter_modules(checks.__path__)
    if not module.name.startswith("_")
    for name in import_module(f"kernlib.book.checks.{module.name}").__all__
    if name.startswith("check_")
]
every_check = pytest.mark.parametrize(("module", "name"), CHECKS)
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # wrong answers divide by zero


def check_of(module, name):
    return getattr(import_module(f"kernlib.book.checks.{module}"), name)


def sentence_of(check, *answer):
    with pytest.raises(AssertionError) as caught:
        check(*answer)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def arguments(answer):
    """What to call a check with: a tuple holds several arguments."""
    return answer if isinstance(answer, tuple) else (answer,)


@every_check
def test_a_right_answer_passes_with_one_line(module, name, capsys):
    answers = import_module(f"answers.{module}").RIGHT[name]
    for answer in answers:
        check_of(module, name)(*arguments(answer))
        printed = capsys.readouterr().out
        assert printed.startswith("✓ ") and printed.count("\n") == 1 and "?" not in printed
    assert answers


@every_check
def test_a_wrong_answer_gets_the_sentence_that_fits(module, name, capsys):
    answers = import_module(f"answers.{module}").WRONG[name]
    told = {words: sentence_of(check_of(module, name), *arguments(answers[words])) for words in answers}
    fits = {words: [other for other in answers if re.search(other, told[words])] for words in answers}
    assert {told[words]: fit for words, fit in fits.items() if fit != [words]} == {}  # its own and no other's
    assert told and capsys.readouterr().out == ""


def raising(*args, **kwargs):
    raise KeyError("gamma")


DEEDS = {
    "returns nothing": (lambda *args, **kwargs: dict().get(0), "got None. Hint: is its return missing"),
    "raises": (raising, "it raised KeyError: 'gamma'"),
    "exits": (lambda *args, **kwargs: sys.exit(), "it raised SystemExit"),
    "returns words": (lambda *args, **kwargs: "Gram", ""),
    "returns rows of several lengths": (lambda *args, **kwargs: [[1.0], [1.0, 2.0]], ""),
    "returns a tuple of nothing": (lambda *args, **kwargs: (None, None), ""),
    "returns words in an array": (lambda *args, **kwargs: np.array(["G", "K"]), ""),
    "returns a generator": (lambda *args, **kwargs: (i for i in range(3)), ""),
    "returns complex numbers": (lambda *args, **kwargs: 1j * np.ones((2, 2)), ""),
    "returns NaN": (lambda *args, **kwargs: np.nan, ""),
    "returns an array of another shape": (lambda *args, **kwargs: np.zeros((3, 1, 2)), ""),
    "is none": (None, "should be a function, got NoneType"),
    "was called already": (np.eye(3), "pass the function itself, without calling it"),
}
NO_ANSWERS = {
    "nothing": (None, ""),
    "words": ("three", ""),
    "rows of several lengths": ([[1.0], [1.0, 2.0]], ""),
    "complex numbers": ([1j, 2, 3], ""),
}


@every_check
def test_any_answer_whatever_it_is_or_does_gets_a_sentence(module, name):
    check = check_of(module, name)
    parameters = inspect.signature(check).parameters
    right = arguments(import_module(f"answers.{module}").RIGHT[name][0])
    for what, (answer, words) in (DEEDS if parameters.keys() & FUNCTIONS else NO_ANSWERS).items():
        given = [[answer] * len(parameters)]  # and beside right ones
        given += [[*right[:i], answer, *right[i + 1 :]] for i in range(len(right)) if len(right) > 1]
        for answers in given:
            sentence = sentence_of(check, *answers)
            assert words in sentence, what
            assert "could not be checked" not in sentence, what  # Python's and numpy's words


def endless():
    while True:
        try:
            sum(range(100))
        except Exception:
            continue


def endless_though_all_is_caught():
    while True:
        try:
            sum(range(100))
        except:  # noqa: E722
            continue


@pytest.fixture
def no_collection():
    """Keep the garbage collector, and hypothesis, which listens to it, out of a loop that is interrupted."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("function", [endless, endless_though_all_is_caught])
@pytest.mark.parametrize("where", ["main thread", "another thread"])
def test_an_endless_loop_is_ended_with_a_sentence(function, where, monkeypatch, no_collection):
    monkeypatch.setattr(_calls, "SECONDS", 0.2)
    threads, told = _thread._count(), []

    def call():
        told.append(sentence_of(Answer(function)))

    if where == "main thread":
        call()
    else:
        thread = threading.Thread(target=call)
        thread.start()
        thread.join()
    assert "within 0.2 seconds" in told[0]
    while _thread._count() > threads:  # for a moment: the loop does not go on behind
        time.sleep(0.01)


def test_waiting_for_a_busy_machine_is_no_computing(monkeypatch):
    monkeypatch.setattr(_calls, "SECONDS", 0.1)
    assert Answer(lambda: time.sleep(0.3) or 3)() == 3
    monkeypatch.setattr(_calls, "PATIENCE", 2)
    assert "within 0.1 seconds" in sentence_of(Answer(lambda: time.sleep(2)))


def untouched(X, gamma):
    """Its task."""
    ...


@every_check
def test_an_untouched_stub_is_not_done_yet_and_gets_no_points(module, name, capsys, monkeypatch):
    check = check_of(module, name)
    places = len(inspect.signature(check).parameters)
    check(*[...] * places)
    check(*[untouched] * places)
    assert capsys.readouterr().out == f"{NOT_DONE}\n" * 2
    monkeypatch.setenv(GRADING, "autograde")
    assert sentence_of(check, *[untouched] * places) == NOT_DONE


def test_what_a_function_prints_comes_once_and_its_sentence_is_all_that_a_notebook_shows(capsys):
    answer = Answer(lambda: print("seen") or 3)
    assert [answer() for _ in range(5)] == [3] * 5
    assert capsys.readouterr().out == "seen\n"
    with pytest.raises(AssertionError) as caught:
        Answer(None)
    assert caught.value._render_traceback_() == ["✗ The answer should be a function, got NoneType."]


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


def test_a_hint_is_the_first_mistake_that_fits_in_shape_and_numbers():
    mistakes = {"one": np.ones(3), "is it two?": 2 * np.ones(3), "two again": 2 * np.ones(3)}
    assert hint([1, 1, 1], mistakes, atol=0.1) == " Hint: one."
    assert hint([2, 2, 2], mistakes, atol=0.1) == " Hint: is it two?"
    assert [hint(found, mistakes, atol=0.1) for found in ([3, 3, 3], 2, None, "one")] == [""] * 4


def test_the_hinge_conjugate_is_the_supremum_over_a_fine_grid():
    u = np.linspace(-50, 50, 4001)  # the corner is on it
    for y in (-1.0, 1.0):
        for s in (0.0, 0.3, 1.0):
            brute = np.max(u * (-y * s) - np.maximum(0, 1 - y * u))
            assert hinge(np.array([y]), np.array([-y * s]))[0] == pytest.approx(brute, abs=1e-12)


def test_the_oracle_of_gap_features_is_the_definition():
    quarter, eighth = Fraction(1, 4), Fraction(1, 8)
    assert gap_features("cat", 2, Fraction(1, 2)) == {"ca": quarter, "at": quarter, "ct": eighth}
    assert positions("aab", "ab") == [(0, 2), (1, 2)]


def mistakes_of(check, answer, monkeypatch):
    """Each suspicion of the check about functions, with the functions that make the mistake."""
    found = {}

    def noting(what, function, right, cases, mistakes, **options):
        for text, wrong in mistakes.items():
            found[text] = wrong if isinstance(wrong, tuple) else (wrong,)
        return expect_right(what, function, right, cases, mistakes, **options)

    home = sys.modules[inspect.unwrap(check).__module__]
    monkeypatch.setattr(home, "expect_right", noting, raising=False)
    check(*arguments(answer))
    return found


@every_check
def test_each_mistake_that_a_check_lists_gets_its_own_name(module, name, monkeypatch):
    check = check_of(module, name)
    if name in {"check_monomials", "check_preimage"}:
        return  # their mistakes are of a part of what is returned; WRONG has them
    for text, functions in mistakes_of(
        check, import_module(f"answers.{module}").RIGHT[name][0], monkeypatch
    ).items():
        for function in functions:
            assert advice(text) in sentence_of(check, function)


@pytest.mark.parametrize("module", sorted({module for module, _ in CHECKS}))
def test_a_chapter_has_one_way_to_its_checks_and_names_them_all(module):
    """Its notebook carries the module's name behind a number; its other pages carry the number."""
    (first,) = Path(__file__).parents[3].glob(f"chapters/??_{module}.ipynb")
    paths = first.parent.glob(f"{first.name[:3]}*.ipynb")
    cells = [cell for path in paths for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]
    said = "\n".join("".join(cell["source"]) for cell in cells)
    assert set(re.findall("kernlib.book.checks import ([^`\n]+)", said)) == {f"{module} as check"}
    named = set(re.findall(r"(\w+)\.(check_\w+)", said))
    assert named == {("check", name) for home, name in CHECKS if home == module}
