"""The chapters' explorers: their numbers against kernlib and oracles, and the rules that hold for each."""

import gzip
import importlib
import json
import pkgutil
import random
import re
import runpy
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest
from packed import unpack

from kernlib import explorers
from kernlib.duality import Duality, Squared
from kernlib.explore import Explorer
from kernlib.explore.page import page_html
from kernlib.explorers import (
    bochner,
    duality,
    fourier,
    kernel_pca,
    kernels,
    nystrom,
    rank_truncation,
    strings,
)
from kernlib.explorers.lab import synthesis
from kernlib.kernels import Gaussian

TEMPLATE = runpy.run_path(Path(__file__).resolve().parents[2] / "tools" / "templates" / "explorer.py")
MODULES = sorted({module.name for module in pkgutil.iter_modules(explorers.__path__)} - {"lab"})


def measured_sweep(c_grid=(20, 70, 120)):
    rng = np.random.default_rng(0)
    shape = len(c_grid), 3, 5
    sweep = {name: rng.uniform(0.1, 0.9, shape) for name in ("random features", "Nyström")}
    return c_grid, sweep, {"Gaussian SVM": [0.0, 1.0, 2.0, 0.98, 0.9]}


EXPLORERS = {
    explorer.name: explorer
    for module in MODULES
    for explorer in vars(importlib.import_module(f"kernlib.explorers.{module}")).values()
    if isinstance(explorer, Explorer)
} | {"lab": synthesis(*measured_sweep()), "template": TEMPLATE["EXPLORER"]}


@pytest.fixture(scope="module", params=EXPLORERS)
def explorer(request):
    return EXPLORERS[request.param]


@pytest.fixture(scope="module")
def html(explorer):
    return page_html(explorer)


def random_stops(explorer, seed):
    choose = random.Random(seed).choice
    return {control.name: choose(control.stops) for control in explorer.controls}


def test_the_numbers_in_the_page_are_those_computed_live(explorer, html):
    data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)[1])
    for seed in range(10):
        values = random_stops(explorer, seed)
        live = json.loads(json.dumps(explorer.frames(values)))
        for i, panel in enumerate(explorer.panels):
            place = 0
            for control in explorer.depends(panel):
                place = place * len(control.stops) + control.stops.index(values[control.name])
            assert unpack(data["frames"][i][place], data["pool"]) == live[i], (panel.title, values)


def test_a_live_move_between_the_stops_has_a_picture(explorer):
    choose = random.Random(0).choice
    for _ in range(9):
        values = {control.name: choose(control.fine) for control in explorer.controls}
        assert len(explorer.frames(values)) == len(explorer.panels)


def test_a_live_move_finds_a_value_at_every_position(explorer):
    for control in explorer.controls:
        for value in control.fine[:: max(1, len(control.fine) // 5)]:
            assert control.check(value) == value


def test_the_page_stays_light(html):
    assert len(gzip.compress(html.encode())) <= 150_000  # half a page's budget


def test_every_picture_has_words(explorer):
    assert explorer.title
    for panel in explorer.panels:
        assert panel.kind == "readout" or len(panel.alt) > 20, panel.title


def test_the_gram_matrix_has_trace_n_and_both_limits():
    for kernel in kernels.KERNELS:
        assert np.trace(kernels.gram(kernel, 1.0)) == pytest.approx(32)
        assert kernels.gram(kernel, 1e-9).min() > 0.999
        assert kernels.gram(kernel, 1e6) == pytest.approx(np.eye(32), abs=1e-6)
    lam = kernels.spectrum("Gaussian", 1.0)["eigenvalues of G"].y
    assert np.nansum(lam) == pytest.approx(32)
    assert (np.diff(lam[np.isfinite(lam)]) <= 0).all()
    assert "1.0 directions" in kernels.summary("Gaussian", 1e-9)
    assert "32.0 directions" in kernels.summary("Gaussian", 1e6)


@pytest.mark.parametrize("kernel", bochner.KERNELS)
def test_draws_average_to_the_kernel_within_their_standard_error(kernel):
    q, mean = bochner.kernel_and_average(kernel, 0.8, 1000).values()
    assert np.abs(q.y - mean.y).max() < 5 / np.sqrt(1000)
    assert q.y[40] == mean.y[40] == 1


@pytest.mark.parametrize("kernel", bochner.KERNELS)
def test_the_density_and_the_histogram_are_the_same_law(kernel):
    draws, p = bochner.density(kernel, 0.8, 1000).values()
    width = p.x[1] - p.x[0]
    inside = width * (p.y.sum() - (p.y[0] + p.y[-1]) / 2)
    assert inside == pytest.approx(1 if kernel == "Gaussian" else 2 / np.pi * np.arctan(10), abs=0.002)
    height = np.interp(draws.x, p.x, p.y)
    assert np.abs(draws.y - height).max() < 5 * np.sqrt(height.max() / (1000 * 0.5)) + 0.05


def test_a_larger_gamma_stretches_the_same_draws():
    one, four = (bochner.frequencies("Gaussian", gamma, 100) for gamma in (1, 4))
    assert four == pytest.approx(2 * one)


def test_the_fit_solves_the_normal_equations():
    X, y = duality.data()
    lam, gamma = 0.003, 7.0
    G = np.exp(-gamma * (X - X.T) ** 2)
    alpha = np.linalg.solve(G + 30 * lam * np.eye(30), y)
    expected = np.exp(-gamma * (duality.X_DRAWN - X.T) ** 2) @ alpha
    assert duality.fit(lam, gamma)["fit f"].y == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("lam", [1e-6, 1e-3, 1.0])
def test_primal_and_dual_values_enclose_the_optimum_and_the_dual_never_falls(lam):
    primal, dual, best = (line.y for line in duality.values_meeting(lam, 10.0).values())
    assert (primal >= best - 1e-12).all()
    assert (dual <= best + 1e-12).all()
    assert (np.diff(dual) >= -1e-12).all()
    if lam == 1.0:
        assert primal[-1] - dual[-1] < 1e-9


def conjugate_gradients_in_60_digits(A, y, steps):
    """The same recurrences in decimals, which round 10⁻⁴⁴ times as much: α after each step."""
    with localcontext(prec=60):
        A, residual = (np.vectorize(Decimal, otypes=[object])(array) for array in (A, y))
        alpha, direction, path = 0 * residual, residual, []
        for _ in range(steps):
            A_direction, length = A @ direction, residual @ residual
            step = length / (direction @ A_direction)
            alpha, residual = alpha + step * direction, residual - step * A_direction
            direction = residual + (residual @ residual) / length * direction
            path.append(alpha.astype(float))
    return path


@pytest.mark.parametrize("gamma", [0.1, 3.0, 10.0])
def test_the_steps_drawn_are_those_of_exact_arithmetic(gamma):
    X, y = duality.data()
    lam, G = 1e-6, Gaussian(gamma)(X)
    problem = Duality(G, y, lam=lam, loss=Squared())
    primal, dual, _ = (line.y for line in duality.values_meeting(lam, gamma).values())
    # A has a condition number of at most 1 + 1/λ, and the values start at P(0)
    tolerance = 30 * np.finfo(float).eps * (1 + 1 / lam) * primal[0]
    for step, alpha in enumerate(
        conjugate_gradients_in_60_digits(G + 30 * lam * np.eye(30), y, duality.STEPS)
    ):
        assert primal[step + 1] == pytest.approx(problem.primal(alpha), abs=tolerance, rel=tolerance)
        assert dual[step + 1] == pytest.approx(problem.dual(alpha), abs=tolerance, rel=tolerance)


def test_the_leave_one_out_errors_are_those_of_refits():
    X, y = duality.data()
    lam, gamma = duality.LAMS[6], 10.0
    G = np.exp(-gamma * (X - X.T) ** 2)
    residuals = []
    for i in range(30):
        rest = np.arange(30) != i
        alpha = np.linalg.solve(G[np.ix_(rest, rest)] + 30 * lam * np.eye(29), y[rest])
        residuals.append(y[i] - G[i, rest] @ alpha)
    expected = np.sqrt(np.mean(np.square(residuals)))
    assert duality.errors_over_lam(gamma)["leaving one out"].y[6] == pytest.approx(expected)


def test_the_measured_error_of_a_truncation_is_the_tail_of_the_spectrum():
    for k in (1, 19, 20, 100):
        tail, measured = rank_truncation.error(k).values()
        assert measured.y[0] == pytest.approx(tail.y[k], abs=1e-12)
    lam = rank_truncation.spectrum()[""].y
    assert lam[19] > 5 * lam[20]


@pytest.mark.parametrize("form", fourier.FORMS)
def test_the_errors_of_random_features_follow_the_predicted_rate(form):
    measured, theory = fourier.error_over_c(0.1, form).values()
    assert (measured.low < theory.y).all()
    assert (theory.y < measured.high).all()
    assert theory.y[0] / theory.y[-1] == pytest.approx(np.sqrt(512 / 4))
    assert (measured.low <= measured.y).all()
    assert (measured.y <= measured.high).all()


@pytest.mark.parametrize("form", fourier.FORMS)
def test_the_predicted_error_is_the_root_of_the_mean_square_over_draws(form):
    """Within five standard errors of 400 draws."""
    G = fourier.Gaussian(0.1)(fourier.data())
    squares = [fourier.relative_error(fourier.features(16, 0.1, form, draw), G) ** 2 for draw in range(400)]
    standard_error = np.std(squares) / np.sqrt(len(squares))
    assert abs(np.mean(squares) - fourier.expected_error(16, 0.1, form) ** 2) < 5 * standard_error


def test_the_scatter_plot_compares_the_same_entries():
    dots, _ = fourier.against_exact(400, 0.1, "pairs (cos, sin)", 0).values()
    X = fourier.data()
    assert dots.x == pytest.approx(
        [np.exp(-0.1 * np.sum((X[i] - X[i + 1]) ** 2)) for i in range(fourier.SHOWN)]
    )
    assert np.abs(dots.x - dots.y).max() < 6 * np.sqrt(1.5 / 400)


@pytest.mark.parametrize("rule", nystrom.RULES)
def test_nystroms_error_falls_with_k_and_stays_above_the_best(rule):
    found, best = nystrom.error_over_k(16, 0.5, rule).values()
    assert (np.diff(found.y) <= 1e-12).all()
    assert (found.y >= best.y[:16] - 1e-9).all()


def test_nystroms_error_is_that_of_the_block_formula():
    X = nystrom.data()
    points, _ = nystrom.features(8, 0.5, "uniform")
    G = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(-1))
    C = np.exp(-0.5 * ((X[:, None] - points) ** 2).sum(-1))
    W = np.exp(-0.5 * ((points[:, None] - points) ** 2).sum(-1))
    expected = np.linalg.norm(G - C @ np.linalg.solve(W, C.T)) / np.linalg.norm(G)
    assert nystrom.errors(8, 0.5, "uniform")[-1] == pytest.approx(expected, rel=1e-4)
    assert f"{expected:.3f}" in nystrom.summary(8, 8, 0.5, "uniform")


def test_the_uniform_draw_of_the_first_picture_misses_the_small_group():
    """As the question says four in five draws do."""
    assert nystrom.summary(4, 4, 0.5, "uniform").endswith(", 0.")


def test_small_gamma_makes_kernel_pca_ordinary_pca():
    X = kernel_pca.data() - kernel_pca.data().mean(axis=0)
    Z = np.concatenate([np.stack(dots[:2], axis=1) for dots in kernel_pca.projections(1e-4).values()])
    plain = X @ np.linalg.svd(X)[2].T * np.sqrt(2e-4)
    assert np.abs(Z) == pytest.approx(np.abs(plain), abs=1e-3 * np.abs(plain).max())


def test_the_shares_of_the_components_are_those_of_the_centred_gram_matrix():
    X = kernel_pca.data()
    G = np.exp(-((X[:, None] - X) ** 2).sum(-1))
    H = np.eye(100) - 0.01
    lam = np.linalg.eigvalsh(H @ G @ H)[::-1]
    assert kernel_pca.spectrum(1.0)["one component"].y == pytest.approx(lam[:12] / lam.sum())


def test_the_best_split_finds_the_column_that_tells_the_rings_apart():
    Z = np.zeros((100, 3))
    Z[:, 0] = np.random.default_rng(0).normal(size=100)
    Z[:50, 2] = 1
    assert kernel_pca.best_split(Z) == (3, 1.0)


def test_the_table_is_filled_cell_by_cell_to_the_kernel():
    assert strings.table("gatta", "cata", 0).marked is None
    filled = [
        sum(cell is not None for row in strings.table("gatta", "cata", step).values for cell in row)
        for step in range(26)
    ]
    assert filled == [min(10 + step, 30) for step in range(26)]
    assert strings.table("gatta", "cata", 25).values[-1][-1] == 14
    assert "κ(gatta, cata) = 14" in strings.summary("gatta", "cata", 25)


def test_the_bars_add_up_to_the_kernel():
    assert strings.common("aaaa", "aaaa")[""].y.tolist() == [1, 16, 36, 16, 1]
    assert strings.common("gatta", "cata")[""].y.sum() == 14


@pytest.mark.parametrize(("s", "t"), [("", "cata"), ("gatta", ""), ("", "")])
def test_the_empty_string_shares_the_empty_subsequence_alone(s, t):
    assert "= 1, normalised" in strings.summary(s, t, 5)
    assert strings.common(s, t)[""].y.tolist() == [1]
    strings.table(s, t, 5)


def test_the_labs_explorer_shows_what_was_measured():
    c_grid, sweep, exact = measured_sweep()
    scores, times, said = synthesis(c_grid, sweep, exact).frames({"c": 70, "score": "balanced accuracy"})
    line = scores["series"][0]
    assert line["y"][1] == pytest.approx(np.median(sweep["random features"][1, :, 4]), rel=1e-3)
    assert line["low"][1] == pytest.approx(sweep["random features"][1, :, 4].min(), rel=1e-3)
    assert times["series"][-1]["y"] == [3, 3, 3]
    assert f"{np.median(sweep['random features'][1, :, 4]):.3f}" in said
