"""γ, λ and the scales of the columns are found where the best is known, within rows, time and memory."""

import itertools

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

import kernlib.compare.scales
from kernlib.compare.choice import Chooser, as_family, best_threshold
from kernlib.compare.scales import loo_and_gradient, loo_path
from kernlib.kernels import Gaussian, Laplace, Matern

RNG = np.random.default_rng(0)
X = RNG.normal(size=(1000, 4))
Y = (np.sin(3 * X[:, :1]) + 0.1 * RNG.normal(size=(1000, 1))) / 0.7


def chooser(X=X, Y=Y, *, weights=None, clock=lambda: 0.0, deadline=1.0, memory=np.inf):
    return Chooser(X, Y, weights, clock, deadline, memory)


@pytest.fixture(scope="module")
def raced():
    """Choose γ and λ with all the time there is."""
    return chooser().race(Gaussian)


def race_with(best, **options):
    """Race where the error is the distance to the best power of two for so many rows."""
    choosing = chooser(**options)
    scale = 1 / (4 * choosing.X.var())
    choosing.error = lambda kernel, rows: (0.1, abs(np.log2(kernel.gamma / scale) - best(rows)))
    rounds = choosing.race(Gaussian).rounds
    return {
        rows: [round(np.log2(gamma / scale), 1) for _, gamma, *_ in some]
        for rows, some in itertools.groupby(rounds, key=lambda one: one[0])
    }


def test_a_round_on_twice_the_rows_begins_at_the_best_and_ends_when_no_neighbor_is_better():
    best = {200: 2, 400: 2, 800: -1, 1000: 0}
    assert race_with(best.get) == {
        200: [-4, -2, 0, 2, 4],
        400: [2, 1, 3],
        800: [2, 1, 3, 0, -1, -2],
        1000: [-1, -2, 0, 1],
    }


@pytest.mark.parametrize(("best", "tried"), [(8, [6, 8, 10]), (-30, [-6, -8, -10, -12])])
def test_gamma_may_move_by_a_factor_of_4096_and_no_further(best, tried):
    assert race_with(lambda rows: best)[200] == [-4, -2, 0, 2, 4, *tried]


def test_the_choice_is_the_best_of_the_last_round(raced):
    last = [one for one in raced.rounds if one[0] == 1000]
    errors = [
        np.mean(loo_path(Gaussian(gamma), [lam], X, Y, None).loo_residuals ** 2) for _, gamma, lam, _ in last
    ]
    _, gamma, lam, error = last[np.argmin(errors)]
    assert (raced.gamma, raced.lam, min(errors)) == (gamma, lam, pytest.approx(error))


def test_copies_of_rows_do_not_give_each_other_away():
    noise = RNG.normal(size=(500, 1))
    alone = chooser(X[:500], noise).race(Gaussian)
    twice = chooser(np.repeat(X[:500], 2, axis=0), np.repeat(noise, 2, axis=0)).race(Gaussian)
    assert twice.rounds[-1][3] == pytest.approx(alone.rounds[-1][3], rel=0.1)


@pytest.mark.parametrize(("deadline", "rows"), [(0.5, 1), (28, 5), (30, 8), (2000, 14)])
def test_no_round_is_begun_that_would_end_after_the_deadline(deadline, rows):
    now = 0.0
    choosing = chooser(clock=lambda: now, deadline=deadline)
    scale = 1 / (4 * choosing.X.var())

    def timed(kernel, rows):
        nonlocal now
        now += (rows / 200) ** 3  # a round on 400 rows takes 24 s
        return 0.1, abs(np.log2(kernel.gamma / scale) - 2)

    choosing.error = timed
    assert len(choosing.race(Gaussian).rounds) == rows
    assert now <= max(1, deadline)


def test_steps_end_at_the_deadline(monkeypatch):
    ticks, start = itertools.count(), np.zeros(5)
    after_one = chooser(clock=lambda: next(ticks), deadline=0).descend(start, 100)
    monkeypatch.setattr(kernlib.compare.scales, "ITERATIONS", 1)
    assert np.array_equal(chooser().descend(start, 100), after_one)


def test_the_sharpness_gives_labels_that_are_wrong_for_a_fifth_their_probability():
    labels = np.sign(X[:, :1]) * np.where(RNG.random((1000, 1)) < 0.2, -1, 1)
    noisy = chooser(Y=labels)
    found = noisy.decide(noisy.race(Gaussian), False).decision["sharpness"]
    assert 1 <= found <= 1.6  # with f = ±0.6, 2 · 0.6 · sharpness is log 4, or 1.26 or 0.79 times that


def test_no_round_takes_a_gram_matrix_beyond_the_memory():
    assert chooser(memory=17 * 400**2).race(Gaussian).rows == 400  # G, its factor, targets


def test_the_gradient_of_the_leave_one_out_error_is_that_of_differences():
    theta, rows = np.log([0.3, 0.2, 0.1, 0.4, 0.5]), (X[:60], np.hstack([Y, Y**2])[:60])
    error, gradient = loo_and_gradient(theta, *rows)
    residuals = loo_path(Gaussian((0.3, 0.2, 0.1, 0.4)), [0.5 / 60], *rows, None).loo_residuals
    assert error == pytest.approx((residuals**2).sum() / 60, rel=0.2)  # there with an intercept
    steps = 1e-5 * np.eye(5)
    differences = [
        (loo_and_gradient(theta + h, *rows)[0] - loo_and_gradient(theta - h, *rows)[0]) / 2e-5 for h in steps
    ]
    assert gradient == pytest.approx(differences, rel=1e-6)


def test_the_only_column_that_counts_gets_almost_all_of_the_distance(raced):
    choice = chooser().scales(raced, ["hour", "b", "b", "c"])
    assert next(iter(choice.scales)) == "hour" and choice.scales["hour"] > 0.95
    assert sum(choice.scales.values()) == pytest.approx(1) and set(choice.scales) == {"hour", "b", "c"}
    assert "hour 9" in choice.notes[-1] or "hour 100%" in choice.notes[-1]


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        (np.tile([1.0, -0.8], 20), 0.0, False),  # better by 0.1 ± 0.14
        (np.tile([1.0, -0.8], 200), 0.0, True),  # better by 0.1 ± 0.045
        (np.full(100, 1.0), 0.99, False),  # by less than two percent
    ],
)
def test_scales_are_kept_if_they_predict_better_by_more_than_a_standard_error(before, after, kept, raced):
    chosen, errors = chooser(), iter([before, np.full(len(before), after)])
    chosen.test_error = lambda *_: next(errors)
    chosen.descend = lambda start, m: start
    assert (chosen.scales(raced, list("abcd")) is not raced) == kept


@pytest.mark.parametrize(("deadline", "rows"), [(20, 0), (22, 250), (113, 250), (115, 500)])
def test_scales_are_chosen_on_as_many_rows_as_the_time_allows(deadline, rows, raced):
    chosen = chooser(deadline=deadline)
    chosen.clock = iter([0, 1, 1]).__next__  # 250 rows take a second, 500 rows 5.7, and that twenty times
    assert chosen.rows_in_time(raced, 500) == rows


def test_the_threshold_is_moved_only_by_more_than_a_standard_error():
    f, positive = np.linspace(-1, 1, 200), np.linspace(-1, 1, 200) > 0.5
    threshold = best_threshold(f, positive)
    assert threshold == pytest.approx(0.5, abs=0.02)
    assert balanced_accuracy_score(positive, f > threshold) > 0.97
    assert best_threshold(f, f > 0) == 0


def test_a_kernel_is_a_family_a_function_or_itself():
    assert as_family("rbf")[0](0.5) == Gaussian(0.5) and as_family("laplacian")[0](2) == Laplace(2)
    family, free = as_family(lambda gamma: Matern(1.5, gamma**-0.5))
    assert free and family(4.0) == Matern(1.5, 0.5)
    family, free = as_family(Gaussian(3.0))
    assert not free and family(1.0) == Gaussian(3.0)
    for wrong in ("sigmoid", 3, None):
        with pytest.raises(TypeError, match="kernel must be 'rbf' or 'laplacian'"):
            as_family(wrong)
    with pytest.raises(TypeError, match="kernel, a function, must return a kernel"):
        as_family(np.exp)
