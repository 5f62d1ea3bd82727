"""Answers to the exercises of Your own data."""

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier


def one_standard_error(scores, seconds, error):
    near = [i for i in range(len(scores)) if scores[i] >= max(scores) - error]
    return min(near, key=lambda i: (seconds[i], -scores[i]))


def seconds_for(n, m, half, full):
    return full * (n / m) ** np.clip(np.log2(full / half), 2, 3)


def leak(machine, place=np.argmin):
    """A right answer with a machine that sees what there is to see."""

    def function(X, y):
        scores = [cross_val_score(machine, np.delete(X, j, axis=1), y).mean() for j in range(X.shape[1])]
        return place(scores)

    return function


def correlated(X, y):
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    return np.argmax(np.abs(y @ Z))


def right_on(load):
    """How many of the test rows each machine has right, and how many there are."""
    X, y = load(return_X_y=True)
    rest = np.ones(len(y), dtype=bool)
    rest[::4] = False
    scaler = StandardScaler().fit(X[rest])
    for machine in (LinearSVC(dual=False), SVC(C=10)):
        machine.fit(scaler.transform(X[rest]), y[rest])
        yield np.count_nonzero(machine.predict(scaler.transform(X[::4])) == y[::4])
    yield len(y[::4])


def lead(load, error=lambda right, m: np.sqrt(right / m * (1 - right / m) / m), better=max):
    linear, kernel, m = right_on(load)
    return (kernel - linear) / m / error(better(linear, kernel), m)


TUMOURS, DIGITS = lead(load_breast_cancer), lead(load_digits)

RIGHT = {
    "check_share_before": [lambda b, a: 1 / (b**a - 1)],
    "check_one_standard_error": [one_standard_error],
    "check_seconds_for": [seconds_for, lambda *case: np.float64(seconds_for(*case))],
    "check_leak": [
        leak(make_pipeline(StandardScaler(), SVC())),
        leak(DecisionTreeClassifier(max_depth=4, random_state=0)),
    ],
    "check_leads": [(TUMOURS, DIGITS), (round(TUMOURS, 2), round(DIGITS, 2))],
}

WRONG = {
    "check_share_before": {
        "power, not a product": lambda b, a: 1 / (b * a - 1),
        "not like c": lambda b, a: 1 / (b - 1),
        "not one of those before it": lambda b, a: 1 / (1 - b**-a),
        "the rung before the last alone": lambda b, a: b**-a,
        "in parts of the others": lambda b, a: b**a - 1,
        r"b = 2, a = 1, share_before should be 1, got 0\.$": lambda b, a: 0,
    },
    "check_one_standard_error": {
        "best score, whatever it costs": lambda scores, seconds, error: np.argmax(scores),
        "fastest of all": lambda scores, seconds, error: np.argmin(seconds),
        "sign is turned round": lambda scores, seconds, error: one_standard_error(
            np.where(scores > scores.max() - error, -1, 1), seconds, 0
        ),
        "not two": lambda scores, seconds, error: one_standard_error(scores, seconds, 2 * error),
        "just one standard error below": lambda *case: one_standard_error(*case[:2], 0.99 * case[2]),
        "of machines equally fast": lambda scores, seconds, error: min(
            np.flatnonzero(scores >= scores.max() - error), key=lambda i: seconds[i]
        ),
        "slowest": lambda scores, seconds, error: one_standard_error(scores, -seconds, error),
        "not in the whole table": lambda scores, seconds, error: np.argmin(
            seconds[scores >= scores.max() - error]
        ),
        "counted from 0": lambda *case: one_standard_error(*case) + 1,
        r"raised ValueError: zero-size array": lambda scores, seconds, error: np.max(
            seconds[scores > scores.max()]
        ),
    },
    "check_seconds_for": {
        "hold the exponent between": lambda n, m, half, full: full * (n / m) ** np.log2(full / half),
        "above 3": lambda n, m, half, full: full * (n / m) ** max(2, np.log2(full / half)),
        "below 2": lambda n, m, half, full: full * (n / m) ** min(3, np.log2(full / half)),
        "base 2": lambda n, m, half, full: full * (n / m) ** np.clip(np.log(full / half), 2, 3),
        "not q": lambda n, m, half, full: full * (n / m) ** np.clip(full / half, 2, 3),
        "a power, not a product": lambda n, m, half, full: full * n / m * np.clip(np.log2(full / half), 2, 3),
        "half is what m/2 rows took": lambda n, m, half, full: half * seconds_for(n, m, half, full) / full,
        "multiply by full": lambda n, m, half, full: seconds_for(n, m, half, full) / full,
        "n/m is turned round": lambda n, m, half, full: seconds_for(m * m / n, m, half, full),
        r"got 1\.$": lambda n, m, half, full: 1,
    },
    "check_leak": {
        "counted from 0": lambda X, y: correlated(X, y) + 1,
        "score is highest": leak(SVC(), np.argmax),
        "each column in turn": lambda X, y: min(correlated(X, y), 1),
        "on what scales": leak(SVC()),
        "which no plane sees": correlated,
    },
    "check_leads": {
        "SVM's score less the linear": (-TUMOURS, DIGITS),
        "how many standard errors": (lead(load_breast_cancer, lambda right, m: 1), 0),
        "that of the better score": (TUMOURS, lead(load_digits, better=min)),
        "number of test rows": (TUMOURS * np.sqrt(426 / 143), DIGITS),
        "is a root": (TUMOURS, lead(load_digits, lambda right, m: right / m * (1 - right / m) / m)),
        "before you take the root": (TUMOURS / np.sqrt(143), DIGITS),
        r"digits should be .*got 0\.$": (TUMOURS, 0),
    },
}
