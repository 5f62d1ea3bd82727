"""Self-checks of the exercises on comparing machines: ladders, forecasts, one standard error.

Chapter: Your own data.
"""

from functools import cache

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from kernlib.book.checks import expect, expect_number, expect_numbers, expect_right, self_check
from kernlib.book.checks._expect import advice

__all__ = [
    "check_leads",
    "check_leak",
    "check_one_standard_error",
    "check_seconds_for",
    "check_share_before",
]


@self_check
def check_share_before(function):
    """
    Check 1/(bᵃ − 1), what all rungs before the last take at most, for factors b and powers a.

    Parameters
    ----------
    function : callable
        Takes b and a.
    """
    cases = [(2, 1), (2, 2), (10, 1), (10, 2), (1.5, 3), (1.1, 1)]

    def right(b, a):
        return 1 / (b**a - 1)

    mistakes = {
        "bᵃ is a power, not a product": lambda b, a: 1 / (b * a - 1),
        "the time grows like cᵃ, not like c": lambda b, a: 1 / (b - 1),
        "the last rung is not one of those before it": lambda b, a: b**a / (b**a - 1),
        "that is the rung before the last alone, or the part of all the time": lambda b, a: 1 / b**a,
        "that is the last rung in parts of the others": lambda b, a: b**a - 1,
    }
    expect_right("share_before", function, right, cases, mistakes)
    print("✓ share_before: what starting small costs at most")


@self_check
def check_one_standard_error(function):
    """
    Check the index of the fastest machine at most one standard error below the best score.

    Parameters
    ----------
    function : callable
        Takes scores, seconds and error; of machines equally fast the one with the best score counts.
    """
    cases = [  # in eighths, which are exact
        ([0.5, 1.0, 0.875], [1, 9, 4], 0.125),
        ([0.75, 0.25, 0.875, 0.625, 0.625], [8, 1, 9, 5, 3], 0.125),
        ([0.25, 0.625, 0.75, 0.875], [1, 3, 3, 8], 0.25),
        ([0.875, 0.75, 0.5], [2, 5, 1], 0.25),
        ([0.75, 0.875, 0.5], [1, 5, 2], 0.25),
        ([0.25, 0.5, 0.625, 0.75, 0.875], [1, 2, 3, 4, 5], 0.125),
    ]

    def by(near, preferred=lambda scores, seconds: np.lexsort((-scores, seconds))):
        """The first in an order of preference of those whose gap to the best, in errors, is near."""

        def chosen(scores, seconds, error):
            order = preferred(scores, seconds)
            return int(next(i for i in order if near((scores.max() - scores[i]) / error)))

        return chosen

    def right(scores, seconds, error):
        return by(lambda gap: gap <= 1)(scores, seconds, error)

    def among_the_near(scores, seconds, error):
        return int(np.argmin(seconds[scores >= scores.max() - error]))

    mistakes = {
        "that is the best score, whatever it costs": by(lambda gap: gap == 0),
        "that is the fastest of all, however bad": by(lambda gap: True),
        "these are an error or more below the best: the sign is turned round": by(lambda gap: gap >= 1),
        "one standard error, not two": by(lambda gap: gap <= 2),
        "a score just one standard error below the best counts": by(lambda gap: gap < 1),
        "of machines equally fast, the one with the best score": by(
            lambda gap: gap <= 1, lambda scores, seconds: np.argsort(seconds, kind="stable")
        ),
        "that is the slowest of them": by(lambda gap: gap <= 1, lambda scores, seconds: np.argsort(-seconds)),
        "that is its place among the near ones, not in the whole table": among_the_near,
        "places are counted from 0": lambda *case: right(*case) + 1,
    }
    tables = [(np.array(scores), np.array(seconds, float), error) for scores, seconds, error in cases]
    expect_right("one_standard_error", function, right, tables, mistakes)
    print("✓ one_standard_error: the fastest of those that scores cannot tell from the best")


@self_check
def check_seconds_for(function):
    """
    Check full·(n/m)^q, where q is log₂(full/half), held between 2 and 3.

    Parameters
    ----------
    function : callable
        Takes n, m, and the seconds that m/2 and m rows took.
    """
    cases = [(200, 100, 1.0, 5.0), (800, 200, 2.0, 3.0), (600, 200, 0.5, 8.0), (900, 300, 0.25, 1.5)]

    def by(power, start=lambda half, full: full):
        return lambda n, m, half, full: start(half, full) * power(np.log2(full / half), n / m)

    def held(q, ratio):
        return ratio ** min(max(q, 2), 3)

    def right(n, m, half, full):
        return by(held)(n, m, half, full)

    mistakes = {
        "hold the exponent between 2 and 3": by(lambda q, ratio: ratio**q),
        "an exponent above 3 is taken for 3": by(lambda q, ratio: ratio ** max(q, 2)),
        "an exponent below 2 is taken for 2": by(lambda q, ratio: ratio ** min(q, 3)),
        "full / half is 2^q: its logarithm has the base 2": by(lambda q, ratio: held(q * np.log(2), ratio)),
        "full / half is 2^q, not q": by(lambda q, ratio: held(2**q, ratio)),
        "(n/m)^q is a power, not a product": by(lambda q, ratio: min(max(q, 2), 3) * ratio),
        "m rows took full seconds; half is what m/2 rows took": (
            by(held, lambda half, full: half),
            lambda n, m, half, full: right(2 * n, m, half, full),
        ),
        "that is the factor alone: multiply by full": by(held, lambda half, full: 1),
        "n/m is turned round": by(lambda q, ratio: held(q, 1 / ratio)),
    }
    expect_right("seconds_for", function, right, cases, mistakes)
    print("✓ seconds_for: a forecast from two small fits")


def _told(columns, place, *, rows=120, by_distance=False, scale=1.0):
    """Noise in which one column tells nine labels in ten, by its sign or by how far out it is; the labels."""
    rng = np.random.default_rng(columns + place)
    y = rng.permutation(np.repeat([-1.0, 1.0], rows // 2))
    X = scale * rng.normal(size=(rows, columns))
    told = np.where(rng.permutation(rows) < 0.9 * rows, y, -y)
    X[:, place] = rng.choice([-1.0, 1.0], rows) * (1.5 + told) if by_distance else told
    return X, y


@self_check
def check_leak(function):
    """
    Check the column without which the score falls most, on tables where one column tells nine labels in ten.

    Parameters
    ----------
    function : callable
        Takes X and y, labels ±1, and gives the column's place.
    """

    def ranked(X, y):
        return np.argsort(-np.abs(y @ X))

    def right(X, y):
        return ranked(X, y)[0]

    mistakes = {
        "columns are counted from 0": lambda X, y: right(X, y) + 1,
        "that is the column without which the score is highest": lambda X, y: ranked(X, y)[-1],
    }
    expect_right("leak", function, right, [_told(2, 0), _told(2, 1)], mistakes)
    for columns, place, changes, suspicion in (
        (4, 2, {}, "leave out each column in turn"),
        (6, 1, {"scale": 1000}, "on what scales are the columns?"),
        (6, 4, {"scale": 1000}, "on what scales are the columns?"),
        (3, 0, {"by_distance": True}, "it tells by its distance from 0, which no plane sees"),
    ):
        X, y = _told(columns, place, **changes)
        found = function(X, y)
        expect_numbers("leak", found, ())
        expect(
            found == place,
            f"leak should be {place} on a table of shape {X.shape}, got {found}.{advice(suspicion)}",
        )
    print("✓ leak: the column that knows the answer")


@cache
def _scores(load):
    """The scores of the machine without a kernel and with one, on every fourth row, and the rows."""
    X, y = load(return_X_y=True)
    test = np.arange(len(y)) % 4 == 0
    scores = []
    for machine in (LinearSVC(dual=False), SVC(C=10)):
        pipeline = make_pipeline(StandardScaler(), machine).fit(X[~test], y[~test])
        scores.append(pipeline.score(X[test], y[test]))
    return *scores, test.sum(), len(y)


@self_check
def check_leads(tumours, digits):
    """
    Check by how many standard errors of the better score a kernel leads, on two tables of scikit-learn.

    Parameters
    ----------
    tumours, digits : float
        Of ``SVC(C=10)`` over ``LinearSVC(dual=False)``, both behind a StandardScaler; every fourth row, from
        row 0 on, is a test row.
    """
    for name, lead, load in (("tumours", tumours, load_breast_cancer), ("digits", digits, load_digits)):
        expect_numbers(name, lead, ())
        linear, kernel, m, n = _scores(load)
        best, gap = max(linear, kernel), kernel - linear
        variance, worse = best * (1 - best), min(linear, kernel)
        mistakes = {
            "it is the SVM's score less the linear one's": -gap / np.sqrt(variance / m),
            "that is the gap itself; how many standard errors is it?": gap,
            "the error is that of the better score": gap / np.sqrt(worse * (1 - worse) / m),
            "m is the number of test rows": gap / np.sqrt(variance / (n - m)),
            "a standard error is a root": gap / (variance / m),
            "divide by m before you take the root": gap / np.sqrt(variance),
        }
        sentence = f"{name} should be the gap between the scores in standard errors of the better one"
        expect_number(sentence, lead, gap / np.sqrt(variance / m), mistakes, rtol=0.01)
    print("✓ leads: where the kernel pays, and where it does not")
