"""A comparison, from the table to the pipeline."""

import pickle
import re

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from kernlib.compare import compare, comparing
from kernlib.kernels import Gaussian, Polynomial

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 3))
TRUTH = np.sin(2 * X[:, 0]) + X[:, 1] ** 2
ENOUGH = {"budget": 600, "verbose": False}  # seconds, of which little tables need a few


def table():
    """Two numbers, one of them missing, a town and a column of one value."""
    T = np.empty((400, 4), dtype=object)
    T[:, :2], T[:, 2], T[:, 3] = X[:, :2], np.where(X[:, 2] > 0, "Lyon", "Kazan"), 1
    T[7, 0] = None
    return T


@pytest.fixture(scope="module")
def classes():
    return compare(table(), np.where(TRUTH > 1, "high", "low"), **ENOUGH)


@pytest.fixture(scope="module")
def numbers():
    return compare(X, TRUTH, kernel=Gaussian, seeds=2, **ENOUGH)


@pytest.mark.parametrize("name", ["classes", "numbers"])
def test_the_pipeline_is_fitted_scores_as_its_line_says_pickles_and_prints_as_code(name, request):
    found = request.getfixturevalue(name)
    rows, y = (table(), np.where(TRUTH > 1, "high", "low")) if name == "classes" else (X, TRUTH)
    test = found.test_rows
    train = np.setdiff1d(np.arange(400), test)
    assert len(test) == 100
    predicted = found.pipeline.predict(rows[test])
    score = (
        np.mean(predicted == y[test])
        if name == "classes"
        else 1 - np.var(predicted - y[test]) / np.var(y[test])
    )
    assert found.score == pytest.approx(score, abs=1e-3)  # R² has the bias in it, too
    assert found.chosen.lowest <= found.score <= found.chosen.highest
    assert np.array_equal(
        pickle.loads(pickle.dumps(found.pipeline)).predict(rows), found.pipeline.predict(rows)
    )
    made = {}
    exec(found.code(), made)
    again = made["pipeline"].fit(rows[train], y[train]).score(rows[test], y[test])
    assert again == pytest.approx(clone(found.pipeline).fit(rows[train], y[train]).score(rows[test], y[test]))


def test_the_table_holds_every_machine_up_to_all_rows(classes):
    sizes = {machine: [] for machine in ("linear", "exact", "random features", "Nyström")}
    for rung in classes.table:
        sizes[rung.machine].append(rung.size)
    assert sizes["linear"] == [4] and sizes["exact"] == [300]
    assert sizes["Nyström"] == sizes["random features"] == [16, 32, 64, 128, 300]
    assert "Constant, and left out: 3." in classes.notes
    assert "Missing, and filled with the median: 0 (1)." in classes.notes


def test_a_kernel_finds_what_no_linear_machine_can(numbers):
    scores = {rung.machine: rung.score for rung in numbers.table}
    assert scores["linear"] < 0.4 < 0.95 < scores["exact"]  # the noiseless TRUTH is smooth
    assert numbers.chosen.machine != "linear" and numbers.forecast.text.startswith(
        "Exact machine on 300 rows"
    )


def test_all_landmarks_are_the_exact_machine_of_a_regression(numbers):
    scores = {(rung.machine, rung.size): rung.score for rung in numbers.table}
    assert scores["Nyström", 300] == pytest.approx(scores["exact", 300], abs=1e-3)


def test_a_gram_matrix_beyond_the_memory_is_announced_and_not_made():
    y = RNG.integers(0, 3, 3000)
    found = compare(RNG.normal(size=(3000, 2)), y, memory=30e6, **ENOUGH | {"budget": 20})
    assert (
        found.forecast.text
        == "Exact machine on 2,250 rows: Gram matrix 40.5 MB: not on this machine, where 30 MB are free."
    )
    assert all(rung.size < 2250 for rung in found.table if rung.machine == "exact")
    assert "by more than chance" in found.recommendation


def test_a_kernel_that_stays_and_has_no_spectral_law_is_compared_without_random_features():
    X, y = load_iris(return_X_y=True)
    found = compare(X, y, kernel=Polynomial(2, 1.0), scoring="balanced_accuracy", seeds=1, **ENOUGH)
    assert {rung.machine for rung in found.table} == {"linear", "exact", "Nyström"}
    assert any(note.startswith("No random features: Polynomial") for note in found.notes)
    assert found.scoring == "balanced_accuracy" and found.chosen.score > 0.9


@pytest.mark.parametrize("y", [[0] * 9 + [1], list("abcde") * 2, np.arange(10) / 7])
def test_ten_rows_are_enough_for_an_answer(y):
    found = compare(X[:10], y, **ENOUGH)
    assert found.recommendation and len(found.test_rows) == 3


def test_it_prints_the_forecast_first_and_the_table_with_the_reason(capsys, numbers):
    compare(X[:40], TRUTH[:40], budget=600, seeds=1)
    assert capsys.readouterr().out.startswith("Exact machine on 30 rows: Gram matrix 7.2 kB, about ")
    lines = repr(numbers).splitlines()
    assert " ".join(lines[len(numbers.table) + 2 :]) == numbers.recommendation
    assert re.match(r"machine +c or rows +r2 +lowest–highest +fit +predict$", lines[0])


def test_the_plot_has_a_line_for_each_machine(numbers):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    axes = numbers.plot()
    labels = [line.get_label() for line in axes.lines]
    assert labels == ["exact", "random features", "Nyström", "linear", "constant guess", "recommended"]
    of_nystrom = [rung for rung in numbers.table if rung.machine == "Nyström"]
    assert np.array_equal(axes.lines[2].get_ydata(), [rung.score for rung in of_nystrom])
    assert np.array_equal(axes.lines[2].get_xdata(), [rung.seconds for rung in of_nystrom])


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ({"budget": 0}, "budget must be positive"),
        ({"memory": 1000}, "memory must be larger: 1 kB hold no machine"),
        ({"seeds": 0}, "seeds must be at least 1"),
        ({"scoring": "r2"}, "scoring must be one of 'accuracy', 'balanced_accuracy', got 'r2'"),
        ({"task": "ranking"}, "task must be 'auto', 'classification' or 'regression'"),
        ({"kernel": "sigmoid"}, "kernel must be 'rbf' or 'laplacian'"),
        ({"random_state": None}, "random_state must be an integer"),
    ],
)
def test_a_wrong_argument_is_named(argument, sentence):
    with pytest.raises((TypeError, ValueError), match=re.escape(sentence)):
        compare(X, TRUTH > 1, **ENOUGH | argument)


def test_without_time_there_is_an_answer_all_the_same():
    found = compare(X, TRUTH, budget=1e-6, verbose=False)
    assert [rung.machine for rung in found.table] == ["linear"] and "only the linear machine" in found.notes[
        -1
    ]
    assert found.pipeline.predict(X).shape == (400,)


def test_half_of_what_is_free_is_taken_and_no_more_than_a_server_allows(monkeypatch):
    free = comparing.as_memory(None)
    assert 0 < free < 1e15
    monkeypatch.setenv("MEM_LIMIT", "2000000")
    assert comparing.as_memory(None) == 1e6
    assert comparing.as_memory(5) == 5
