"""Gram matrices, their spectra and prices, against their formulas and limits."""

import itertools

import numpy as np
import pytest
from sklearn.svm import SVC

from kernlib.book.explorers import kernels
from kernlib.book.explorers import kernels_mercer as mercer
from kernlib.book.explorers import kernels_points as triples
from kernlib.book.explorers import kernels_powers as powers
from kernlib.book.explorers import kernels_rules as ruled
from kernlib.book.explorers import kernels_support as support
from kernlib.book.explorers.kernels_cost import BYTES, SECONDS, exact_work, in_units, work_on_columns
from kernlib.book.explorers.kernels_degree import (
    FORMS,
    dimension,
    distance_from_wave,
)
from kernlib.book.explorers.kernels_lift import (
    COUNT,
    START,
    features,
    lifted,
    most_right,
    points,
    projected,
)
from kernlib.book.explorers.kernels_lift import summary as lift_summary
from kernlib.book.explorers.kernels_memory import LAPTOP, filled, gram_bytes, summary, wall

UP_TO, ONLY = FORMS


def test_the_gram_matrix_has_trace_n_and_both_limits():
    for kernel in kernels.KERNELS:
        assert np.trace(kernels.gram(kernel, 1.0)) == pytest.approx(32)
        assert kernels.gram(kernel, 1e-9).min() > 0.999
        assert kernels.gram(kernel, 1e6) == pytest.approx(np.eye(32), abs=1e-6)
    lam = kernels.spectrum("Gaussian", 1.0)["eigenvalues of G"].y
    assert np.nansum(lam) == pytest.approx(32)
    assert (np.diff(lam[np.isfinite(lam)]) <= 0).all()
    assert "with about 1.0 equal eigenvalues" in kernels.summary("Gaussian", 1e-9)
    assert "with about 32.0 equal eigenvalues" in kernels.summary("Gaussian", 1e6)


def test_the_dimension_counts_monomials():
    for p, r in itertools.product((1, 2, 5), (1, 2, 4)):
        exponents = [a for a in itertools.product(range(r + 1), repeat=p) if sum(a) <= r]
        assert dimension(p, r, UP_TO) == len(exponents)
        assert dimension(p, r, ONLY) == sum(sum(a) == r for a in exponents)
    assert dimension(22, 5, UP_TO) == 80_730  # the answer to the question


BOX, CAP, TENT, GAUSSIAN, SQUARED = triples.SIMILARITIES


def test_three_points_refute_what_is_no_kernel_and_no_kernel():
    least = {
        similarity: min(
            np.linalg.eigvalsh(triples.similarities(similarity, x, y))[0]
            for x in triples.ACROSS
            for y in triples.UP
        )
        for similarity in triples.SIMILARITIES
    }
    assert least[BOX] == pytest.approx(1 - np.sqrt(2))
    assert least[CAP] == pytest.approx(1 - 0.75 * np.sqrt(2))  # x₃ in the middle
    assert least[SQUARED] < -1
    assert min(least[TENT], least[GAUSSIAN]) > -1e-15


def test_the_witness_is_a_vector_that_no_kernel_could_have():
    for similarity in (BOX, CAP, SQUARED):
        said = triples.witness(similarity, 0.1, 0.1) if similarity != BOX else triples.witness(BOX, 0.8, 0)
        a = np.array([float(part.replace("−", "-")) for part in said.split("(")[1].split(")")[0].split(",")])
        place = (0.8, 0) if similarity == BOX else (0.1, 0.1)
        assert a @ triples.similarities(similarity, *place) @ a < 0
        assert said.endswith("not a kernel.")
    assert "negative: these points do not refute it" in triples.witness(GAUSSIAN, 0.8, 0)


def test_a_quantity_is_written_in_the_largest_unit_of_which_there_is_one():
    texts = {
        0.5: "500 ms",
        61: "1 minute",
        1e8: "3.2 years",
        99.6e-3: "100 ms",
    }
    assert {seconds: in_units(seconds, SECONDS) for seconds in texts} == texts
    assert in_units(1.5e3, BYTES) == "1.5 kB" and in_units(2e18, BYTES) == "2,000 PB"


def test_the_lifted_points_have_the_inner_products_of_the_squared_kernel_and_lie_on_a_cone():
    X, inside = points()
    F = features(X)
    assert F @ F.T == pytest.approx((X @ X.T) ** 2, abs=1e-14)
    height = (F[:, 0] + F[:, 2]) / np.sqrt(2)
    assert np.linalg.norm(projected(F, 0), axis=1) == pytest.approx(height)
    assert projected(F, 90)[:, 1] == pytest.approx(height)
    assert ((height < np.sqrt(0.5)) == inside).all()


def test_the_best_line_is_the_best_of_many_lines():
    rng = np.random.default_rng(0)
    angle, shift = rng.uniform(0, 2 * np.pi, size=5_000), rng.uniform(-3, 3, size=5_000)
    across = np.column_stack([np.cos(angle), np.sin(angle)])
    for n in [2, 3, 4] * 20 + [12]:  # few points, so that each way round a line counts
        P, inside = rng.normal(size=(n, 2)), rng.uniform(size=n) < 0.5
        side = across @ P.T > shift[:, None]
        assert most_right(P, inside) == (side == inside).sum(axis=1).max()


def test_all_points_are_right_where_the_plane_is_a_line():
    X, inside = points()
    right = {angle: most_right(projected(features(X), angle), inside) for angle in (0, 80, 90, 100)}
    assert right[90] == COUNT > max(right[0], right[80], right[100])


def test_the_laptop_fills_from_the_bottom_in_proportion_to_the_bytes():
    for n in (0, 2_500, 20_000, 44_721):
        assert filled(gram_bytes(n)).sum() / 256 == pytest.approx(gram_bytes(n) / LAPTOP)
    assert filled(gram_bytes(60_000)).all()
    half = filled(LAPTOP / 2)
    assert (half[:8] == 0).all() and (half[8:] == 1).all()


def test_three_points_near_enough_refute_each_power_above_two_and_none_up_to_two():
    spacings = [(n, s) for n in (3, 4, 5, 6) for s in (0.1, 0.2, 0.3, 0.5, 0.7, 1.0)]
    for beta in powers.BETAS:
        least = [powers.least_eigenvalue(s * np.arange(n), beta) for n, s in spacings]
        assert (min(least) < 0) == (beta > 2) == (powers.least_eigenvalue(0.1 * np.arange(3), beta) < 0)
        assert np.abs(least).min() > powers.ROUNDING > 100 * 6 * np.finfo(float).eps
        assert powers.least_eigenvalue([0.0, 0.5, 0.5], min(beta, 2)) == 0  # two points in one place


def test_the_least_eigenvalue_of_three_points_is_that_of_its_formula():
    for beta, s in ((1.0, 0.5), (3.0, 0.1)):
        near, far = np.exp(-(s**beta)), np.exp(-((2 * s) ** beta))
        even = (
            2 + far - np.sqrt(far**2 + 8 * near**2)
        ) / 2  # eigenvectors (1, t, 1); the odd one has 1 − far
        assert powers.least_eigenvalue(s * np.arange(3), beta) == pytest.approx(min(even, 1 - far))


def test_the_wall_is_the_memory_of_both_in_gigabytes():
    gram_line, columns, laptop = wall(300).values()
    at = gram_line.x.tolist().index(60_000)
    assert (gram_line.y[at], columns.y[at]) == pytest.approx((28.8, 0.144))
    assert laptop.y == [16, 16]


def test_the_words_beside_the_laptop_say_what_fits():
    assert "G takes 14 GB, 90% of the laptop. 300 columns take 102 MB" in summary(42_500, 300)
    assert "G takes 29 GB, more than the laptop has" in summary(60_000, 300)
    assert summary(60_000, 300).endswith("a ridge fit takes 1 hour with G, and 310 ms with the columns.")


def test_a_fit_costs_the_cube_of_the_rows_and_on_columns_the_rows():
    assert exact_work(3000) == (2 * 22 * 3000**2, 3000**3 / 3)
    assert work_on_columns(3000, 3000) > sum(exact_work(3000))  # as many columns as rows gain nothing
    assert work_on_columns(2e9, 300) == pytest.approx(2e5 * work_on_columns(1e4, 300), rel=0.01)


def test_the_wave_is_followed_from_degree_5_on_and_never_by_one_degree_alone():
    assert all((distance_from_wave(r, UP_TO) < 0.15) == (r >= 5) for r in range(1, 11))
    assert all(distance_from_wave(r, ONLY) > 0.5 for r in range(1, 11))


def test_the_plane_is_a_line_when_it_is_seen_edge_on():
    assert np.ptp(lifted(90, START)["the plane"].y) < 1e-15
    assert np.ptp(lifted(80, START)["the plane"].y) > 0.5


def test_the_features_of_a_point_cross_the_plane_where_it_crosses_the_circle_and_are_those_of_its_opposite():
    for x1 in (0.1, 0.6, 0.8):
        for radius, side in ((0.99, "below"), (1.01, "above")):
            point = np.array([[x1, np.sqrt(radius**2 - x1**2)]])
            assert f"its features are {side} the plane" in lift_summary(50, point)
            height = lifted(90, point)["yours"].y[0] - np.sqrt(0.5)
            assert (height < 0) == (side == "below")
            same = lifted(30, -point)["yours"], lifted(30, point)["yours"]
            assert np.array_equal(same[0].y, same[1].y) and np.array_equal(same[0].x, same[1].x)


def test_the_words_of_the_powers_say_what_the_points_show():
    far, near = (powers.spaced(s, 3) for s in (0.5, 0.3))
    assert powers.verdict(far, 2.2).endswith("points is 0.032, these points do not refute it.")
    assert powers.verdict(near, 2.2).endswith("points is −0.005, not a kernel.")


def test_the_sines_are_orthogonal_features_whose_sum_misses_the_kernel_by_the_rest_of_the_series():
    t = (np.arange(2000) + 0.5) / 2000  # midpoints: exact for the products of the first sines
    Phi = mercer.sines(t, 5)
    omega = (np.arange(5) + 0.5) * np.pi
    assert Phi.T @ Phi / 2000 == pytest.approx(np.diag(1 / omega**2), abs=1e-12)
    for m, x in itertools.product((3, 20), mercer.PLACES):
        far = (np.arange(m, 200_000) + 0.5) * np.pi
        rest = np.sum(2 * np.sin(far * x) ** 2 / far**2)  # beyond: 2/(π² · 200,000) at most
        at = np.argmin(np.abs(mercer.DRAWN - x))
        assert mercer.error_of(m, x)[at] == pytest.approx(rest, abs=1.1e-6)
    assert "20 features: the largest error is 0.0051, at x = 0.50." in mercer.summary(20, 0.5)
    assert np.abs(mercer.error_of(20, 0.5)).argmax() == 100  # the answer to the question


def test_the_weights_and_the_boundary_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    for gamma, C in ((0.1, 1.0), (0.3, 100.0), (3.0, 0.1)):
        X = rng.uniform(-3, 3, size=(14, 2))
        points = tuple(map(tuple, X))
        alpha, _ = support.machine(points, gamma, C)
        other = SVC(gamma=gamma, C=C, tol=1e-8).fit(X, support.LABELS)
        # LIBSVM keeps the kernel in float32, and many weights have a share in f
        tolerance = 100 * np.finfo(np.float32).eps * (1 + alpha.sum())
        f = support.decision(X, points, gamma, C)
        assert np.abs(f - other.decision_function(X)).max() < tolerance
        assert abs(alpha @ support.LABELS) < 1e-9 * alpha.sum()
        assert support.summary(points, gamma, C).startswith(f"{len(other.support_)} of the 14 rows")


def test_two_rows_at_one_place_end_at_the_largest_weight():
    points = ((0.0, 0.0),) * 14
    alpha, ends = support.machine(points, 1.0, 10.0)
    assert (alpha == 10).all() and ends == (-1, 1)
    assert "Every b from −1.00 to 1.00 is optimal" in support.summary(points, 1.0, 10.0)


def test_a_rule_never_gives_a_negative_eigenvalue_where_its_condition_holds():
    rng = np.random.default_rng(0)
    for rule, first, second in itertools.product(ruled.RULES, ruled.KERNELS, ruled.KERNELS):
        points = tuple((x, 0.0) for x in rng.uniform(-2.5, 2.5, size=6))
        for b in ruled.WEIGHTS:
            least, _ = ruled.eigenvalues(points, rule, first, second, b)
            words = ruled.verdict(points, rule, first, second, b)
            assert (least < 0) == words.endswith("The new κ is not a kernel.")
            if rule in ruled.ANY or (b >= 0 and rule != ruled.NONE):
                assert words.endswith("by the rules.")
