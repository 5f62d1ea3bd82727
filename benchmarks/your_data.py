"""`compare` against what GridSearchCV finds in ten times its budget: ``python -m benchmarks.your_data``.

Both see the same training rows and are scored on the same test rows. The search has SVC or scikit-learn's
KernelRidge over 25 values of γ and C, on rows that double until its forecast for the next round passes the
budget; the best of the last round is then fitted on all rows, if that fits.
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
GRID = np.array([1 / 16, 1 / 4, 1, 4, 16]), np.array([0.1, 1.0, 10.0, 100.0, 1000.0])


def whole(data):
    """Give both parts of a data set as one table."""
    return np.vstack([data.train.X, data.test.X]), np.concatenate([data.train.y, data.test.y])


DATA = {
    "wine": lambda: load_wine(return_X_y=True),
    "diabetes": lambda: load_diabetes(return_X_y=True),
    "breast cancer": lambda: load_breast_cancer(return_X_y=True),
    "digits": lambda: load_digits(return_X_y=True),
    "friedman1": lambda: make_friedman1(10_000, noise=1.0, random_state=0),
    "letters": lambda: whole(load_letters()),
    "shirts": lambda: whole(load_shirts()),
}


def search(X, y, regression, seconds):
    """Give the best that GridSearchCV finds in so many seconds, and the rows of its choice and of its fit."""
    start, rows, chosen = perf_counter(), min(len(X), 500), None
    gammas, weights = GRID
    while True:
        before = perf_counter()
        scale = 1 / X.shape[1]  # the columns are standardised
        if regression:
            machine, grid = KernelRidge(kernel="rbf"), {"gamma": scale * gammas, "alpha": 1 / weights}
        else:
            machine, grid = SVC(), {"gamma": scale * gammas, "C": weights}
        grid = {f"machine__{name}": values for name, values in grid.items()}
        pipeline = Pipeline([("scale", StandardScaler()), ("machine", machine)])
        found, chosen = GridSearchCV(pipeline, grid, cv=3).fit(X[:rows], y[:rows]), rows
        took, left = perf_counter() - before, seconds - (perf_counter() - start)
        if rows == len(X):
            return found, chosen, rows
        more = min(len(X), 2 * rows)
        if took * (more / rows) ** 2.5 > left:
            break
        rows = more
    while rows < len(X) and found.refit_time_ * (min(len(X), 2 * rows) / rows) ** 2.5 < left:
        rows, before = min(len(X), 2 * rows), perf_counter()
        found.refit_time_ = -before
        found.best_estimator_.fit(X[:rows], y[:rows])
        found.refit_time_ += perf_counter()
        left -= found.refit_time_
    return found, chosen, rows


def main():
    """Print a line for each data set."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.your_data", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"some of: {', '.join(DATA)}; all, if none")
    parser.add_argument(
        "--budget", type=float, default=6, help="seconds of compare; the search has ten times"
    )
    arguments = parser.parse_args()
    print("| table | n × p | compare | s | GridSearchCV | s | chosen on, fitted on | recommended |")
    print("|---|---|---|---|---|---|---|---|")
    for name in arguments.names or DATA:
        X, y = DATA[name]()
        found = compare(X, y, budget=arguments.budget, verbose=False)
        train = np.setdiff1d(np.arange(len(X)), found.test_rows)
        np.random.default_rng(0).shuffle(train)
        start = perf_counter()
        regression = found.task == "regression"
        best, chosen, fitted = search(X[train], y[train], regression, TIMES * arguments.budget)
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
