"""A comparison, from the table to the pipeline."""

import pickle
import re

import numpy as np
import pytest
from clocks import Clock
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.dummy import DummyRegressor

from kernlib.compare import climb, compare, comparing, ladders, models, trial
from kernlib.compare.rungs import curve_of
from kernlib.kernels import Gaussian, Polynomial

RNG = np.random.default_rng(0)
X = RNG.normal(size=(600, 3))
TRUTH = np.sin(2 * X[:, 0]) + X[:, 1] ** 2
ENOUGH = {"budget": 600, "verbose": False}  # seconds, of which little tables need a few
ONCE = ENOUGH | {"seeds": 1, "cv": 1, "refit": False}


def table():
    """Two numbers, one of them missing, a town and a column of one value."""
    T = np.empty((600, 4), dtype=object)
    T[:, :2], T[:, 2], T[:, 3] = X[:, :2], np.where(X[:, 2] > 0, "Lyon", "Kazan"), 1
    T[7, 0] = None
    return T


@pytest.fixture(scope="module", autouse=True)
def few_steps():
    """Boost trees a hundred times at most: more take longest, and `test_trial.py` counts them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ladders, "MORE_STEPS", ())
        yield


@pytest.fixture(scope="module")
def classes():
    return compare(table(), np.where(TRUTH > 1, "high", "low"), cv=1, refit=False, **ENOUGH)


@pytest.fixture(scope="module")
def numbers():
    return compare(X, TRUTH, kernel=Gaussian, seeds=2, cv=1, refit=False, **ENOUGH)


@pytest.mark.parametrize("name", ["classes", "numbers"])
def test_the_pipeline_is_fitted_scores_as_its_line_says_pickles_and_prints_as_code(name, request):
    found = request.getfixturevalue(name)
    rows, y = (table(), np.where(TRUTH > 1, "high", "low")) if name == "classes" else (X, TRUTH)
    test = found.test_rows
    train = np.setdiff1d(np.arange(600), test)
    assert (len(test), found.rows) == (150, 450)
    assert found.score == pytest.approx(found.pipeline.score(rows[test], y[test]))
    assert found.chosen.lowest <= found.score <= found.chosen.highest
    assert np.array_equal(
        pickle.loads(pickle.dumps(found.pipeline)).predict(rows), found.pipeline.predict(rows)
    )
    made = {}
    exec(found.code(), made)
    again = made["pipeline"].fit(rows[train], y[train]).score(rows[test], y[test])
    assert again == pytest.approx(clone(found.pipeline).fit(rows[train], y[train]).score(rows[test], y[test]))


def test_the_table_holds_every_model_up_to_all_rows(classes):
    sizes = {}
    for rung in classes.table:
        sizes.setdefault(rung.model, []).append(rung.size)
    assert sizes["linear"] == sizes["exact"] == [225, 450]
    assert sizes["forest"] == [1, 1, 2, 5]
    assert sizes["Nyström"] == sizes["random features"] == [16, 32, 64, 128, 256, 450]
    assert sizes["boosted trees"] == [6, 25, 50, 100]
    assert "Constant or empty, and left out: 3." in classes.notes
    assert "Missing, and filled with the median: 0 (1)." in classes.notes


def test_a_kernel_finds_what_no_linear_model_can(numbers):
    scores = {rung.model: rung.score for rung in numbers.table}
    assert scores["linear"] < 0.4 < 0.95 < scores["exact"]  # the noiseless TRUTH is smooth
    assert numbers.chosen.model != "linear"
    assert numbers.forecast.text.startswith("Exact model on 450 rows: Gram matrix 1.62 MB, about ")
    assert max(numbers.scales, key=numbers.scales.get) == "0" and numbers.scales["2"] < 0.2


def test_all_landmarks_are_the_exact_model_of_a_regression(numbers):
    scores = {(rung.model, rung.size): rung.score for rung in numbers.table}
    assert scores["Nyström", 450] == pytest.approx(scores["exact", 450], abs=1e-3)


@pytest.mark.parametrize("n", [200, 120])
def test_the_winner_is_fitted_to_all_rows_in_the_end(n):
    found = compare(X[:n], TRUTH[:n], seeds=1, cv=1 if n == 200 else None, **ENOUGH)
    assert found.rows == n and len(found.test_rows) == (50 if n == 200 else n)
    inside = found.pipeline.score(X[:n], TRUTH[:n])
    assert inside > found.score  # the test rows are training rows now
    model = found.pipeline[-1]
    if found.chosen.model == "average":
        model = next(one.estimator for one in model.estimators_ if "lam" in one.estimator.get_params())
    assert n * found.C * getattr(model, "lam_", 0) == pytest.approx(1, rel=0.01)  # λ has three digits
    assert found.kernel == model.kernel_ if hasattr(model, "kernel_") else model.features.kernel


@pytest.mark.parametrize(("power", "budget"), [(0.5, 2), (1, 8), (1.3, 2)])
def test_no_model_ends_after_the_budget_on_any_clock(power, budget, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(comparing, "Budget", lambda *args: climb.Budget(*args, clock=clock))

    def fit(self, name, size, rows, seed):
        seconds = 0.02 * (size * rows / 16e3) ** power
        clock.now += seconds
        output = self.targets + np.random.default_rng(size).normal(size=len(self.targets)) / np.sqrt(size)
        model = DummyRegressor().fit(*self.parts[0].train)
        self.keep((name, size, rows, seed), (seconds, 0.0), model, output)

    monkeypatch.setattr(trial.Trial, "run", fit)
    monkeypatch.setattr(ladders, "MORE_STEPS", (200, 400, 800))
    rows = np.random.default_rng(0).normal(size=(2000, 3))
    options = {"kernel": Gaussian(1.0), "budget": budget, "refit": False, "verbose": False}
    found = compare(rows, np.sin(rows[:, 0]), **options)
    assert found.seconds <= budget
    assert {rung.model for rung in found.table} >= {"linear", "Nyström", "boosted trees"}


def test_no_solver_goes_on_without_a_limit():
    for task in ("classification", "regression"):
        tree = models.build_model("boosted trees", task, 7)
        assert tree.max_iter == 7 and not tree.early_stopping
    assert models.build_model("linear", "classification").max_iter == models.STEPS


def test_a_gram_matrix_beyond_the_memory_is_announced_and_not_made():
    y = RNG.integers(0, 3, 3000)
    found = compare(RNG.normal(size=(3000, 2)), y, memory=30e6, **ENOUGH | {"budget": 6})
    assert found.forecast.text == (
        "Exact model on 2,250 rows: Gram matrix 40.5 MB: more than the 30 MB that may be used."
    )
    assert all(rung.rows < 2250 for rung in found.table if rung.model == "exact")
    assert "by more than chance" in found.recommendation


def test_a_kernel_that_stays_and_has_no_spectral_law_is_compared_without_random_features():
    X, y = load_iris(return_X_y=True)
    found = compare(X, y, kernel=Polynomial(2, 1.0), scoring="balanced_accuracy", **ONCE)
    assert "random features" not in {rung.model for rung in found.table}
    assert any(note.startswith("No random features: Polynomial") for note in found.notes)
    assert found.scoring == "balanced_accuracy" and found.chosen.score > 0.9


@pytest.mark.parametrize("scoring", ["roc_auc", "log_loss"])
def test_probabilities_are_scored(scoring):
    found = compare(X[:300], TRUTH[:300] > 1, scoring=scoring, **ONCE)
    assert found.baseline < found.score and (
        found.score > 0.95 if scoring == "roc_auc" else -0.3 < found.score < 0
    )


def test_groups_and_time_keep_rows_apart():
    group = np.repeat(np.arange(150), 4)
    label = np.random.default_rng(0).permutation(np.repeat([0, 1], 75))[group]  # nothing known of a new group
    near = np.random.default_rng(1).normal(size=(150, 4))[group]
    scores = [compare(near, label, groups=one, **ONCE).score for one in (None, group)]
    assert scores[0] > 0.9 and abs(scores[1] - 0.5) < 4 * np.sqrt(0.25 / 37)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(near, columns=list("abcd")).assign(who=group, day=np.arange(600))
    linear = ONCE | {"budget": 1e-6}
    found = compare(frame, label, groups="who", **linear)
    assert list(found.pipeline[0].feature_names_in_) == ["a", "b", "c", "d", "day"]
    assert min(compare(frame, label, time="day", **linear).test_rows) == 450
    shuffled = frame.sample(frac=1, random_state=0)
    assert np.array_equal(comparing.as_column(shuffled, "groups", frame["who"]), shuffled["who"])
    with pytest.raises(ValueError, match="groups must be a column of X or an array, got 'whom'"):
        compare(frame, label, groups="whom")


def test_times_are_in_their_own_order_and_not_in_that_of_their_letters():
    pandas = pytest.importorskip("pandas")
    months, days = ["Mar", "Jan", "Feb", "Jan"], ["2026-11-02", "2025/12/30", "2026-01-05", "2025-12-31"]
    for times in (
        ["10", "8", "9.5", "8.1"],
        days,
        pandas.to_datetime(days, format="mixed").tz_localize("Asia/Tokyo"),
        pandas.Categorical(months, ["Jan", "Feb", "Mar"], ordered=True),
    ):
        frame = pandas.DataFrame({"when": times})
        order = np.argsort(comparing.as_column(frame, "time", "when"), kind="stable")
        assert list(order) == [1, 3, 2, 0]
    with pytest.raises(
        ValueError, match="time must hold numbers, dates or ordered categories, got texts such"
    ):
        comparing.as_column(np.zeros((4, 1)), "time", months)
    with pytest.raises(ValueError, match="time must have a value for each row of X, got 2 missing values"):
        comparing.as_column(np.zeros((4, 1)), "time", ["nan", "1", "10", "nan"])


@pytest.mark.parametrize("y", [[0] * 9 + [1], np.arange(10) / 7])
def test_ten_rows_are_enough_for_an_answer(y):
    found = compare(X[:10], y, **ENOUGH)
    assert found.recommendation and len(found.test_rows) in (3, 10)


@pytest.mark.parametrize("y", [np.arange(40) % 2, np.arange(40) / 7])
def test_a_column_that_is_constant_in_some_training_rows_is_compared(y):
    column = np.zeros((40, 1))
    column[3] = 1
    assert compare(column, y, **ENOUGH).recommendation


def test_it_prints_the_forecast_and_the_table_with_notes_and_reason(capsys, classes):
    compare(X[:40], TRUTH[:40], budget=600, seeds=1)
    assert capsys.readouterr().out.startswith("Exact model on 32 rows: Gram matrix 8.19 kB, about ")
    lines = repr(classes).splitlines()
    assert re.match(r"model +size +rows +accuracy +lowest–highest +fit +predict$", lines[0])
    rest = " ".join(" ".join(lines[len(classes.table) + 1 :]).split())
    assert rest.endswith(classes.recommendation) and all(note in rest for note in classes.notes)


@pytest.mark.usefixtures("classes", "numbers")
@pytest.mark.parametrize("name", ["classes", "numbers"])
def test_within_all_its_seconds_it_recommends_the_same_and_within_fewer_a_fit_that_is_as_fast(name, request):
    found = request.getfixturevalue(name)
    assert len(found.influences) == len(found.table)
    assert found.within(found.seconds) == (found.chosen, found.recommendation)
    for seconds in np.quantile([rung.seconds for rung in found.table], [0, 0.3, 0.6]):
        chosen, why = found.within(seconds)
        assert chosen.seconds <= seconds and chosen in found.table and why.endswith(".")
    with pytest.raises(ValueError, match="seconds must be at least those of the fastest fit"):
        found.within(0)


def test_the_plot_has_a_line_for_each_model_and_a_notebook_shows_it(numbers):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    axes = numbers.plot()
    labels = [line.get_label() for line in axes.lines]
    names = ["linear", "boosted trees", "forest", "exact", "random features", "Nyström"]
    average = ["average"] * any(rung.model == "average" for rung in numbers.table)
    assert labels == [*names, *average, "constant guess", "recommended"]
    of_nystrom = curve_of("Nyström", numbers.table)
    assert np.array_equal(axes.lines[5].get_ydata(), [rung.score for rung in of_nystrom])
    assert np.array_equal(axes.lines[5].get_xdata(), [rung.seconds for rung in of_nystrom])
    assert all((np.diff(line.get_xdata()) > 0).all() for line in axes.lines[: len(names)])
    assert numbers._repr_html_().startswith('<img src="data:image/png;base64,')


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ({"budget": 0}, "budget must be positive"),
        ({"memory": 1000}, "memory must be larger: 1 kB hold no model"),
        ({"cv": 0}, "cv must be between 1 and 600, got 0"),
        ({"time": [1, 2]}, "time must have a value for each row of X, got shape (2,)"),
        ({"seeds": 0}, "seeds must be at least 1"),
        (
            {"scoring": "r2"},
            "scoring must be one of 'accuracy', 'balanced_accuracy', 'roc_auc', 'log_loss', got 'r2'",
        ),
        ({"task": "ranking"}, "task must be 'auto', 'classification' or 'regression'"),
        ({"kernel": "sigmoid"}, "kernel must be 'rbf' or 'laplacian'"),
        ({"random_state": None}, "random_state must be an integer"),
        ({"random_state": 2**32}, "random_state must be between 0 and 4294967295"),
    ],
)
def test_a_wrong_argument_is_named(argument, sentence):
    with pytest.raises((TypeError, ValueError), match=re.escape(sentence)):
        compare(X, TRUTH > 1, **ENOUGH | argument)


def test_without_time_there_is_an_answer_all_the_same():
    found = compare(X, TRUTH, budget=1e-6, verbose=False)
    assert [rung.model for rung in found.table] == ["linear"]
    assert any("only a linear model" in note for note in found.notes)
    assert "no model with a kernel was fitted" in found.recommendation
    assert "does not pay" not in found.recommendation and found.pipeline.predict(X).shape == (600,)


def test_half_of_what_is_free_is_taken_and_no_more_than_a_server_allows(monkeypatch):
    free = comparing.as_memory(None)
    assert 0 < free < 1e15
    monkeypatch.setenv("MEM_LIMIT", "2000000")
    assert comparing.as_memory(None) == 1e6
    assert comparing.as_memory(5) == 5
