"""The explorers of degree and cost: dimensions, ranks and prices against their formulas."""

import gzip
import itertools
import json
import re

import numpy as np
import pytest
from packed import unpack

from kernlib.explore.page import page_html
from kernlib.explorers.kernels import (
    COST_WALL,
    DEGREE,
    FORMS,
    MANY,
    cost,
    dimension,
    memory,
    noisy_curve,
    operations,
    polynomial_eigenvalues,
    polynomial_fit,
)

UP_TO, ONLY = FORMS


@pytest.mark.parametrize(("p", "r"), [*itertools.product((1, 2, 5), (1, 2, 4))])
def test_the_dimension_counts_monomials(p, r):
    exponents = [a for a in itertools.product(range(r + 1), repeat=p) if sum(a) <= r]
    assert dimension(p, r, UP_TO) == len(exponents)
    assert dimension(p, r, ONLY) == sum(sum(a) == r for a in exponents)


@pytest.mark.parametrize(("p", "r", "form"), [*itertools.product((1, 2, 3), (1, 2, 3, 4), FORMS)])
def test_the_rank_of_the_gram_matrix_is_the_dimension(p, r, form):
    lam = polynomial_eigenvalues(p, r, form)
    assert (lam > MANY * np.finfo(float).eps).sum() == min(MANY, dimension(p, r, form))


@pytest.mark.parametrize(("r", "form"), [*itertools.product((1, 3, 5), FORMS)])
def test_the_fit_is_that_of_weighted_monomials(r, form):
    x, y = noisy_curve()
    fit = polynomial_fit(r, form)["fit"]
    powers = np.arange(r + 1) if FORMS[form] else np.array([r])
    w = np.array([float(np.prod(np.arange(r, r - a, -1)) / np.prod(np.arange(1, a + 1))) for a in powers])
    w = np.sqrt(w if FORMS[form] else np.ones(1))
    phi, new = x[:, None] ** powers * w, fit.x[:, None] ** powers * w
    beta = np.linalg.solve(phi.T @ phi + 3e-5 * np.eye(len(powers)), phi.T @ y)
    assert fit.y == pytest.approx(new @ beta, abs=1e-6)


def test_a_hundred_thousand_rows_take_80_gigabytes():
    assert "G takes 80 GB" in cost(100_000, 300)
    assert "c = 300 columns take 240 MB" in cost(100_000, 300)
    assert "4.6 hours" in cost(100_000, 300)


def test_slopes_are_two_three_and_one():
    for lines, slopes in ((memory(300), (2, 1, 1, 0)), (operations(300), (3, 2, 1))):
        for line, slope in zip(lines.values(), slopes, strict=True):
            found = np.polyfit(np.log(line.x[3:]), np.log(line.y[3:]), 1)[0]
            assert found == pytest.approx(slope, abs=0.02)


@pytest.mark.parametrize("explorer", [DEGREE, COST_WALL], ids=["degree", "cost"])
def test_the_page_holds_the_live_numbers_and_stays_light(explorer):
    html = page_html(explorer)
    assert len(gzip.compress(html.encode())) <= 60_000
    data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)[1])
    rng = np.random.default_rng(0)
    for _ in range(10):
        values = {c.name: c.stops[rng.integers(len(c.stops))] for c in explorer.controls}
        live = json.loads(json.dumps(explorer.frames(values)))
        for i, panel in enumerate(explorer.panels):
            place = 0
            for control in explorer.depends(panel):
                place = place * len(control.stops) + control.stops.index(values[control.name])
            assert unpack(data["frames"][i][place], data["pool"]) == live[i], (panel.title, values)


def test_the_questions_have_the_right_answers():
    assert dimension(22, 5, UP_TO) == 80_730
    assert np.sqrt(16e9 / 8) == pytest.approx(44_721, abs=1)
