"""The machines are the book's own, and take no more memory than was counted."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import balanced_accuracy_score, r2_score
from sklearn.svm import SVC

from kernlib.compare.machines import exact, features_for, memory_of, on_features, run, standard_error
from kernlib.kernels import Gaussian, Linear, Polynomial

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 4))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 3


def test_one_c_means_one_lambda_in_every_regression():
    kernel, C = Gaussian(0.2), 50.0
    peer = KernelRidge(kernel=kernel, alpha=1 / C).fit(X, Y - Y.mean())  # its alpha is nλ
    expected = peer.predict(X) + Y.mean()
    for machine in (
        exact("regression", kernel, C, 150),
        on_features("regression", "Nyström", kernel, C, 150, 150, 0),  # all rows are landmarks
    ):
        # λ is rounded to three digits: relatively 5e-3, which moves no prediction further than that
        assert (
            np.abs(machine.fit(X, Y).predict(X) - expected).max() < 5e-3 * np.abs(expected - Y.mean()).max()
        )


def test_the_exact_classifier_is_svc_with_the_kernel():
    y = np.where(Y > 3, "high", "low")
    machine = exact("classification", Gaussian(0.2), 10.0, 150).fit(X, y)
    assert np.array_equal(machine.predict(X), SVC(kernel="rbf", gamma=0.2, C=10.0).fit(X, y).predict(X))


def test_a_run_scores_the_test_rows_and_says_whether_the_solver_came_to_its_end():
    y = np.where(Y > 3, 1, 0)
    machine = on_features("classification", "random features", Gaussian(0.2), 10.0, 40, 100, 3)
    _, found, predicted = run(
        machine, "random features", 40, 3, (X[:100], y[:100]), (X[100:], y[100:]), "accuracy"
    )
    assert found.score == np.mean(predicted == y[100:]) and found.converged
    short = clone(machine).set_params(machine__max_iter=1)
    assert not run(short, "", 0, 0, (X, y), (X, y), "accuracy")[1].converged


def test_a_kernel_without_a_spectral_law_has_no_random_features_and_says_why():
    assert features_for(Gaussian(1.0), 4) == (["random features", "Nyström"], [])
    names, (note,) = features_for(Polynomial(2, 1.0), 4)
    assert names == ["Nyström"] and "no spectral law" in note
    assert features_for(Linear(), 4)[0] == ["Nyström"]


@pytest.mark.parametrize("scoring", ["accuracy", "balanced_accuracy", "r2"])
def test_the_standard_error_is_the_spread_over_other_test_rows(scoring):
    """400 test sets of 300 rows: their spread is known to 1/√800, 4 %; four times that is 14 %."""
    rng = np.random.default_rng(1)
    scores, errors = [], []
    for _ in range(400):
        if scoring == "r2":
            y = rng.normal(size=300)
            predicted = y + 0.5 * rng.normal(size=300)
            scores.append(r2_score(y, predicted))
        else:
            y = np.repeat([0, 1], [240, 60])
            predicted = np.where(rng.random(300) < np.where(y == 0, 0.95, 0.7), y, 1 - y)
            score = (
                balanced_accuracy_score if scoring == "balanced_accuracy" else lambda a, b: np.mean(a == b)
            )
            scores.append(score(y, predicted))
        errors.append(standard_error(scoring, y, predicted))
    assert np.mean(errors) == pytest.approx(np.std(scores), rel=0.14)


def test_a_perfect_score_is_known_to_a_row():
    assert standard_error("accuracy", np.arange(50), np.arange(50)) == 1 / 50


GROWTH = """
import resource, sys, warnings
import numpy as np
from kernlib.kernels import Gaussian
from kernlib.compare.machines import exact, memory_of, on_features
task, name, n, c = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
X = np.random.default_rng(0).normal(size=(n, 20))
y = X[:, 0] + X[:, 1] * X[:, 2]
y = np.where(y > 0, 1, 0) if task == "classification" else y
def build(n, c):
    if name == "exact":
        return exact(task, Gaussian(0.05), 1.0, n)
    return on_features(task, name, Gaussian(0.05), 1.0, c, n, 0)
build(300, 20).fit(X[:300], y[:300])
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
before = peak()
machine = build(n, c)
if name != "exact" and task == "classification":
    machine.set_params(machine__max_iter=1)  # as much memory, less time
warnings.simplefilter("ignore")
machine.fit(X, y)
print(peak() - before, memory_of(name, task, n, c, 20))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs the module resource")
@pytest.mark.parametrize(
    ("task", "name", "n", "c"),
    [
        ("classification", "exact", 4000, 0),
        ("regression", "exact", 4000, 0),
        ("classification", "Nyström", 20_000, 200),
        ("regression", "Nyström", 30_000, 400),
    ],
)
def test_a_fit_takes_no_more_memory_than_was_counted(task, name, n, c):
    """What the process grows by, in which its allocator and threads have a part, too: 30 MB are allowed."""
    command = [sys.executable, "-c", GROWTH, task, name, str(n), str(c)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    grown, counted = map(int, done.stdout.split())
    assert grown < counted + 30e6
    assert memory_of(name, task, n, c, 20) == counted > 60e6  # the allowance is the lesser part
