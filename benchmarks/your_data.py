"""`compare` against GridSearchCV with ten times its budget: ``python -m benchmarks.your_data``.

Both see the same training rows and are scored on the same test rows. The search fits SVC or scikit-learn's
KernelRidge for 25 values of γ and C, on rows that double until its forecast for the next round exceeds the
budget; the best of the last round is then fitted on all rows, if the forecast allows it.
"""

import argparse
from time import perf_counter

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine, make_friedman1
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from kernlib.book.datasets import load_letters, load_shirts
from kernlib.compare import compare

TIMES = 10  # the budget of the search, in budgets of compare
GAMMAS, WEIGHTS = np.array([1 / 16, 1 / 4, 1, 4, 16]), np.array([0.1, 1.0, 10.0, 100.0, 1000.0])


def merge_parts(data):
    """Return both parts of a data set as one table."""
    return np.vstack([data.train.X, data.test.X]), np.concatenate([data.train.y, data.test.y])


DATA = {
    "wine": lambda: load_wine(return_X_y=True),
    "diabetes": lambda: load_diabetes(return_X_y=True),
    "breast cancer": lambda: load_breast_cancer(return_X_y=True),
    "digits": lambda: load_digits(return_X_y=True),
    "friedman1": lambda: make_friedman1(10_000, noise=1.0, random_state=0),
    "letters": lambda: merge_parts(load_letters()),
    "shirts": lambda: merge_parts(load_shirts()),
}


def search(X, y, regression, seconds):
    """Return the best model that GridSearchCV finds in time, and the rows of its choice and of its fit."""
    start, rows = perf_counter(), min(len(X), 500)
    gammas = GAMMAS / X.shape[1]  # the columns are standardized
    if regression:
        model, grid = KernelRidge(kernel="rbf"), {"gamma": gammas, "alpha": 1 / WEIGHTS}
    else:
        model, grid = SVC(), {"gamma": gammas, "C": WEIGHTS}
    pipeline = Pipeline([("scale", StandardScaler()), ("model", model)])
    grid = {f"model__{name}": values for name, values in grid.items()}
    while True:
        before = perf_counter()
        found, chosen = GridSearchCV(pipeline, grid, cv=3).fit(X[:rows], y[:rows]), rows
        took, left = perf_counter() - before, seconds - (perf_counter() - start)
        if rows == len(X):
            return found, chosen, rows
        more = min(len(X), 2 * rows)
        if took * (more / rows) ** 2.5 > left:
            break
        rows = more
    took = found.refit_time_
    while rows < len(X) and took * (min(len(X), 2 * rows) / rows) ** 2.5 < left:
        rows, before = min(len(X), 2 * rows), perf_counter()
        found.best_estimator_.fit(X[:rows], y[:rows])
        took = perf_counter() - before
        left -= took
    return found, chosen, rows


def main():
    """Print a line for each data set."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.your_data", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"some of: {', '.join(DATA)}; by default, all")
    budget = "seconds of compare; the search has ten times as many"
    parser.add_argument("--budget", type=float, default=6, help=budget)
    options = parser.parse_args()
    print("| table | n × p | compare | s | GridSearchCV | s | chosen on, fitted on | recommended |")
    print("|---|---|---|---|---|---|---|---|")
    for name in options.names or DATA:
        X, y = DATA[name]()
        found = compare(X, y, budget=options.budget, verbose=False)
        train = np.setdiff1d(np.arange(len(X)), found.test_rows)
        np.random.default_rng(0).shuffle(train)
        start = perf_counter()
        best, chosen, fitted = search(X[train], y[train], found.task == "regression", TIMES * options.budget)
        spent = perf_counter() - start
        score = best.score(X[found.test_rows], y[found.test_rows])
        print(
            f"| {name} | {len(X):,} × {X.shape[1]} | {found.score:.3f} ± {found.error:.3f} "
            f"| {found.seconds:.1f} | {score:.3f} | {spent:.0f} | {chosen:,}, {fitted:,} "
            f"| {found.recommendation} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
