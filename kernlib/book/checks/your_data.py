"""Self-checks of the exercises on comparing models: ladders, forecasts, one standard error.

Chapter: Your own data.
"""

from functools import cache

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from kernlib.book.checks._check import function_check, public_names, self_check
from kernlib.book.checks._compare import Number, expect, expect_numbers
from kernlib.book.datasets import load_letters


@function_check(
    "share_before: what starting small costs at most",
    "share_before",
    [(2, 1), (2, 2), (10, 1), (10, 2), (1.5, 3), (1.1, 1)],
    {
        "bᵃ is a power, not a product": lambda b, a: 1 / (b * a - 1),
        "the time grows like cᵃ, not like c": lambda b, a: 1 / (b - 1),
        "leave out the last rung": lambda b, a: b**a / (b**a - 1),
        "that is only the rung before the last, or the share of the whole time": lambda b, a: 1 / b**a,
        "divide by the time of the last rung, not the other way around": lambda b, a: b**a - 1,
    },
)
def check_share_before(b, a):
    """Check 1/(bᵃ − 1), what all rungs before the last take at most, for factors b and powers a."""
    return 1 / (b**a - 1)


SCORE_TABLES = [  # in eighths, which are exact
    ([0.5, 1.0, 0.875], [1, 9, 4], 0.125),
    ([0.75, 0.25, 0.875, 0.625, 0.625], [8, 1, 9, 5, 3], 0.125),
    ([0.25, 0.625, 0.75, 0.875], [1, 3, 3, 8], 0.25),
    ([0.875, 0.75, 0.5], [2, 5, 1], 0.25),
    ([0.75, 0.875, 0.5], [1, 5, 2], 0.25),
    ([0.25, 0.5, 0.625, 0.75, 0.875], [1, 2, 3, 4, 5], 0.125),
]


@function_check(
    "one_standard_error: the fastest of those that scores cannot tell from the best",
    "one_standard_error",
    [(np.array(scores), np.array(seconds, float), error) for scores, seconds, error in SCORE_TABLES],
    {
        "that is the best score, whatever it costs": {"near": lambda gap: gap == 0},
        "that is the fastest of all, however bad": {"near": lambda gap: gap >= 0},
        "these are an error or more below the best: the sign is wrong": {"near": lambda gap: gap >= 1},
        "one standard error, not two": {"near": lambda gap: gap <= 2},
        "a score exactly one standard error below the best counts": {"near": lambda gap: gap < 1},
        "of equally fast models, take the best": {"order": lambda keys: np.argsort(keys[1], kind="stable")},
        "that is the slowest of them": {"order": lambda keys: np.argsort(-keys[1])},
        "give the place in the whole table, not among the near ones": {"table": False},
        "places are counted from 0": lambda *case: check_one_standard_error.right(*case) + 1,
    },
)
def check_one_standard_error(
    scores, seconds, error, *, near=lambda gap: gap <= 1, order=np.lexsort, table=True
):
    """Check the index of the fastest model at most one standard error below the best score."""
    chosen = np.flatnonzero(near((scores.max() - scores) / error))
    first = order((-scores[chosen], seconds[chosen]))[0]
    return chosen[first] if table else first


@function_check(
    "seconds_for: a forecast from two small fits",
    "seconds_for",
    [(200, 100, 1.0, 5.0), (800, 200, 2.0, 3.0), (600, 200, 0.5, 8.0), (900, 300, 0.25, 1.5)],
    {
        "hold the exponent between 2 and 3": {"low": -np.inf, "high": np.inf},
        "take 3 for an exponent above 3": {"high": np.inf},
        "take 2 for an exponent below 2": {"low": -np.inf},
        "full / half is 2^q: take the logarithm to base 2": {"log": np.log},
        "full / half is 2^q, not q": {"log": float},
        "(n/m)^q is a power, not a product": {"power": np.multiply},
        "m rows took full seconds; half is the time of m/2 rows": (
            lambda n, m, half, full: check_seconds_for.right(n, m, half, full, start=half),
            lambda n, m, half, full: check_seconds_for.right(2 * n, m, half, full),
        ),
        "that is the factor alone: multiply by full": {"start": 1},
        "the ratio is n/m, not m/n": {"power": lambda ratio, q: ratio**-q},
    },
)
def check_seconds_for(n, m, half, full, *, start=None, low=2, high=3, log=np.log2, power=np.power):
    """Check full·(n/m)^q, where q is log₂(full/half), held between 2 and 3."""
    q = min(max(log(full / half), low), high)
    return (start or full) * power(n / m, q)


def draw_table(columns, place, *, rows=120, by_distance=False, scale=1.0):
    """Draw noise in which one column gives nine labels in ten, by its sign or its distance from 0."""
    rng = np.random.default_rng(columns + place)
    y = rng.permutation(np.repeat([-1.0, 1.0], rows // 2))
    X = scale * rng.normal(size=(rows, columns))
    label = np.where(rng.permutation(rows) < 0.9 * rows, y, -y)
    X[:, place] = rng.choice([-1.0, 1.0], rows) * (1.5 + label) if by_distance else label
    return X, y


def finds_hidden(function):
    """Expect the column where the others have large scales, or where its sign says nothing."""
    for columns, place, options, hint in (
        (4, 2, {}, "leave out each column in turn"),
        (6, 1, {"scale": 1000}, "on what scales are the columns?"),
        (6, 4, {"scale": 1000}, "on what scales are the columns?"),
        (3, 0, {"by_distance": True}, "no plane separates labels that depend on the distance from 0"),
    ):
        X, y = draw_table(columns, place, **options)
        found = function(X, y)
        expect_numbers("leak", found, ())
        expect(found == place, f"leak should be {place} on a table of shape {X.shape}, got {found}.", hint)


@function_check(
    "leak: the column that knows the answer",
    "leak",
    [draw_table(2, 0), draw_table(2, 1)],
    {
        "columns are counted from 0": {"first": 1},
        "that is the column without which the score is highest": {"place": -1},
    },
    finds_hidden,
)
def check_leak(X, y, *, place=0, first=0):
    """Check the column without which the score falls most, on tables where one gives nine labels in ten."""
    return np.argsort(-np.abs(y @ X))[place] + first


TABLES = {
    "tumors": lambda: load_breast_cancer(return_X_y=True),
    "digits": lambda: load_digits(return_X_y=True),
    "letters": lambda: (load_letters().train.X[:2000], load_letters().train.y[:2000]),
}


@cache
def score(name):
    """Score a linear SVM and a Gaussian one on every fourth row; count these rows and the others."""
    X, y = TABLES[name]()
    test = np.arange(len(y)) % 4 == 0
    scores = []
    for kernel in ("linear", "rbf"):
        pipeline = make_pipeline(StandardScaler(), SVC(kernel=kernel, C=10)).fit(X[~test], y[~test])
        scores.append(pipeline.score(X[test], y[test]))
    return *scores, test.sum(), np.sum(~test)


def lead(name):
    """Compute the gap between the scores in standard errors of the better one, and what mistakes give."""
    linear, kernel, m, others = score(name)
    best, worse, gap = max(linear, kernel), min(linear, kernel), kernel - linear
    variance = best * (1 - best)
    return gap / np.sqrt(variance / m), {
        "subtract the linear score from that of the Gaussian kernel": -gap / np.sqrt(variance / m),
        "that is the gap itself; how many standard errors is it?": gap,
        "take the standard error of the better score": gap / np.sqrt(worse * (1 - worse) / m),
        "m is the number of test rows": gap / np.sqrt(variance / others),
        "a standard error is a square root": gap / (variance / m),
        "divide by m before you take the square root": gap / np.sqrt(variance),
    }


@self_check("leads: where the kernel pays, and where it does not")
def check_leads(tumors, digits, letters):
    """Check by how many standard errors of the better score the Gaussian kernel leads, on three tables."""
    for name, found in zip(TABLES, (tumors, digits, letters), strict=True):
        expect_numbers(name, found, ())
        what = f"the gap between the scores on {name}, in standard errors of the better one"
        Number(what, lambda name=name: lead(name), 0.01)(found)


__all__ = public_names(globals())
