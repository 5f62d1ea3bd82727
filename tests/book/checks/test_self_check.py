"""Every self-check passes right answers, names usual mistakes, and answers anything else in one sentence."""

import inspect
import json
import pkgutil
import re
import sys
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from solutions import SOLUTIONS

from kernlib.book import checks
from kernlib.book.checks._check import GRADING, NOT_DONE, Answer, Check
from kernlib.book.checks._compare import Comparison, Number, as_array, format_apart, format_hint
from kernlib.book.checks._random import Averages
from kernlib.book.checks.duality import check_hinge_conjugate
from kernlib.book.checks.objects import check_jensen_shannon
from kernlib.book.checks.strings import gap_features

MODULES = [module.name for module in pkgutil.iter_modules(checks.__path__) if module.name[0] != "_"]
CHECKS = [
    (module, name)
    for module in MODULES
    for name in import_module(f"kernlib.book.checks.{module}").__all__
    if name.startswith("check_")
]
every_check = pytest.mark.parametrize(("module", "name"), CHECKS)
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # wrong answers divide by zero


def check_of(module, name):
    return getattr(import_module(f"kernlib.book.checks.{module}"), name)


def answers_to(module, name, kind):
    """Give the answers in the tables; the book's own solutions are run by the test of mutants."""
    return getattr(import_module(f"answers.{module}"), kind).get(name, ())


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
    answers = answers_to(module, name, "RIGHT")
    for answer in answers:
        check_of(module, name)(*arguments(answer))
        printed = capsys.readouterr().out
        assert printed.startswith("✓ ") and printed.count("\n") == 1 and "?" not in printed
    assert answers or name in SOLUTIONS


@every_check
def test_a_wrong_answer_gets_the_sentence_that_fits(module, name, capsys):
    answers = answers_to(module, name, "WRONG")
    got = {words: sentence_of(check_of(module, name), *arguments(answers[words])) for words in answers}
    fits = {words: [other for other in answers if re.search(other, got[words])] for words in answers}
    assert {got[words]: fit for words, fit in fits.items() if fit != [words]} == {}  # its own and no other's
    assert capsys.readouterr().out == ""


def mistakes_of(step):
    """Give each hint of a step with a call that makes its mistake."""
    if isinstance(step, Comparison):
        for hint, wrong in step.functions():
            yield hint, step, wrong
    elif isinstance(step, Number):
        for hint, wrong in step.values()[1].items():
            yield hint, step, wrong
    elif isinstance(step, Averages):
        for hint, wrong in step.mistakes.items():
            yield hint, replace(step, average=lambda _, *case, wrong=wrong: wrong(*case)), None


@every_check
def test_each_mistake_that_a_check_declares_gets_its_own_hint(module, name):
    got = {
        hint: sentence_of(step, wrong)
        for part in check_of(module, name).steps
        for hint, step, wrong in mistakes_of(part)
    }
    assert {hint: words for hint, words in got.items() if not words.endswith(format_hint(hint))} == {}


def raising(*args, **kwargs):
    raise KeyError("gamma")


DEEDS = {
    "returns nothing": (lambda *args, **kwargs: dict().get(0), "got None. Hint: is a return missing"),
    "raises": (raising, "it raised KeyError: 'gamma'"),
    "exits": (lambda *args, **kwargs: sys.exit(), "it raised SystemExit"),
    "returns words": (lambda *args, **kwargs: "Gram", ""),
    "returns rows of several lengths": (lambda *args, **kwargs: [[1.0], [1.0, 2.0]], ""),
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
    right = arguments([*answers_to(module, name, "RIGHT"), None][0])
    for what, (answer, words) in (DEEDS if "function" in parameters else NO_ANSWERS).items():
        given = [[answer] * len(parameters)]  # and beside right ones
        given += [[*right[:i], answer, *right[i + 1 :]] for i in range(len(right)) if len(right) > 1]
        for answers in given:
            sentence = sentence_of(check, *answers)
            assert words in sentence, what
            assert "could not be checked" not in sentence, what  # Python's and numpy's words


def untouched(X, gamma):
    """Do the task."""
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


def test_an_interrupt_ends_the_check():
    def interrupted(*case):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_jensen_shannon(interrupted)


def halve(X):
    X /= 2
    return X


def empty(X):
    return len([X.pop() for _ in range(len(X))])


@pytest.mark.parametrize(("function", "argument"), [(halve, np.ones(3)), (empty, [np.ones(3), "words"])])
def test_a_function_that_changes_an_argument_does_not_reach_it_and_gets_a_sentence(function, argument):
    assert "should not change its arguments" in sentence_of(Answer(function), argument)
    assert "should not change its arguments" in sentence_of(lambda: Answer(function)(X=argument))
    assert len(argument) and (argument[0] == 1).all()


def test_a_function_that_seeds_numpy_leaves_the_global_generator_alone():
    before = np.random.get_state()[1]  # noqa: NPY002
    Answer(lambda: np.random.seed(0) or 1)()  # noqa: NPY002
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_a_replaced_function_of_numpy_is_put_back_before_a_check_and_after_a_call(monkeypatch):
    def replace_allclose(omega):
        np.allclose = np.linalg.norm = lambda *args, **options: True
        return omega

    own = np.allclose, np.linalg.norm
    monkeypatch.setattr(np, "allclose", lambda *args, **options: True)
    assert "should be" in sentence_of(check_jensen_shannon, np.abs)
    got = sentence_of(check_jensen_shannon, replace_allclose)
    assert "it replaced numpy.allclose, numpy.linalg.norm." in got
    assert (np.allclose, np.linalg.norm) == own


def test_lists_sparse_matrices_and_exact_numbers_are_arrays_of_floats():
    assert (
        as_array([Fraction(1, 2), 2]).tolist()
        == as_array(sparse.csr_array([[0.5, 2]]))[0].tolist()
        == [0.5, 2]
    )
    assert as_array([[1], [1, 2]]).dtype == as_array(["a", None]).dtype == object


def test_a_sentence_shows_as_many_digits_as_it_takes_to_tell_two_numbers_apart():
    assert format_apart(1.5, 1.25) == ("1.5", "1.25")
    assert format_apart(np.array([[1.5]]), np.array([[1.500001]])) == ("[[1.5]]", "[[1.500001]]")


def test_a_hint_fits_all_answers_and_numbers_count_more_than_shapes():
    mistakes = {"the shape alone": lambda x: np.ones(2), "is it two?": lambda x: 2 * np.ones(2)}
    step = Comparison("x", lambda x: x, [(1.0,), (3.0,)], mistakes | {"half": lambda x: x / 2})
    assert sentence_of(step, lambda x: 2 * np.ones(2)).endswith(
        "x should be one number, got an array of shape (2,). Hint: is it two?"
    )
    assert sentence_of(step, lambda x: 5 * np.ones(2)).endswith("shape (2,). Hint: the shape alone.")
    assert sentence_of(step, lambda x: 0.5).endswith("With x = 1, x should be 1, got 0.5.")
    step(lambda x: np.float32(x))


def test_a_number_may_be_rounded_and_is_not_given_away():
    step = Number("a share", lambda: (0.302, {"that is the rest": 0.698}), 0.005)
    step(Fraction(3, 10) + Fraction(1, 1000))
    assert sentence_of(step, 0.7).endswith("The answer should be a share, got 0.7. Hint: that is the rest.")
    assert sentence_of(step, 30.2).endswith("Hint: give a share from 0 to 1, not a percentage.")
    assert sentence_of(step, 0.4).endswith("got 0.4.")


def test_the_hinge_conjugate_is_the_supremum_over_a_fine_grid():
    u = np.linspace(-50, 50, 4001)  # the corner is on it
    for y in (-1.0, 1.0):
        for s in (0.0, 0.3, 1.0):
            brute = np.max(u * (-y * s) - np.maximum(0, 1 - y * u))
            found = check_hinge_conjugate.right(np.array([y]), np.array([-y * s]))[0]
            assert found == pytest.approx(brute, abs=1e-12)


def test_the_density_of_jensen_and_shannon_has_their_signature_as_its_transform():
    omega, u = np.arange(-15, 15.01, 0.05), np.linspace(0, 8, 17)
    transform = 0.05 * np.cos(np.outer(u, omega)) @ check_jensen_shannon.right(omega)
    signature = sum(np.exp(v / 2) * np.log2(1 + np.exp(-v)) / 2 for v in (u, -u))
    np.testing.assert_allclose(transform, signature, rtol=0, atol=1e-12)


def test_gap_features_are_those_of_the_definition():
    quarter, eighth = Fraction(1, 4), Fraction(1, 8)
    assert gap_features("cat", 2, Fraction(1, 2)) == {"ca": quarter, "at": quarter, "ct": eighth}
    assert gap_features("aab", 2, 1, combine=len) == {"aa": 1, "ab": 2}


@every_check
def test_a_check_says_in_one_sentence_what_it_checks(module, name):
    check = check_of(module, name)
    assert isinstance(check, Check)
    assert re.fullmatch(r"Check [^\n]+\.", check.__doc__)


@pytest.mark.parametrize("module", MODULES)
def test_a_chapter_has_one_way_to_its_checks_and_names_them_all(module):
    """Its notebook carries the module's name behind a number; its other pages carry the number."""
    (first,) = Path(__file__).parents[3].glob(f"chapters/??_{module}.ipynb")
    paths = first.parent.glob(f"{first.name[:3]}*.ipynb")
    cells = [cell for path in paths for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    assert set(re.findall("kernlib.book.checks import ([^`\n]+)", text)) == {f"{module} as check"}
    named = set(re.findall(r"(\w+)\.(check_\w+)", text))
    assert named == {("check", name) for home, name in CHECKS if home == module}
