"""Features are fitted on rows like all the others, or a warning says that they are not."""

import warnings
from functools import reduce
from operator import add

import numpy as np
import pytest
from sklearn.metrics import r2_score
from streamed import chunked, delayed

import kernlib.streaming.blocks
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian
from kernlib.nystrom import NystromFeatures
from kernlib.streaming import StreamingClassifier, StreamingRidge
from kernlib.streaming.blocks import draw_rows

rng = np.random.default_rng(0)
X = np.sort(rng.uniform(0, 6, (4000, 1)), axis=0)
y = np.sin(3 * X[:, 0])
BLOCKS = [(X[i : i + 200], y[i : i + 200]) for i in range(0, 4000, 200)]
LANDMARKS = NystromFeatures(Gaussian(4.0), n_components=30, random_state=0)
UNLIKE = r"which is unlike the rest: column 0 has a mean of 0\.1\d+ there and of 2\.(98|84) in all"


def test_sorted_rows_are_warned_of_and_a_sample_of_all_blocks_mends_the_fit():
    labeled = [(rows, targets > 0) for rows, targets in BLOCKS]
    for model, blocks, low, high in (
        (StreamingRidge(LANDMARKS, verbose=False), BLOCKS, 0.6, 0.99),
        (StreamingClassifier(LANDMARKS, verbose=False), labeled, 0.7, 0.98),
    ):
        for fit, data in ((model.fit, blocks), (model.fit_dask, delayed(*blocks))):
            with pytest.warns(UserWarning, match=UNLIKE) as caught:
                fit(data)
            assert caught[0].filename == __file__ and model.score(blocks) < low
        model.set_params(sample="all")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            landmarks = model.fit(lambda blocks=blocks: iter(blocks)).features_.components_
            assert model.score(blocks) > high
            model.fit_dask(delayed(*blocks))
            np.testing.assert_array_equal(model.features_.components_, landmarks)
            rows, column = map(np.concatenate, zip(*blocks, strict=True))
            assert model.fit_dask(chunked(rows, 300), chunked(column, 500)).score(blocks) > high


def test_nobody_is_warned_of_rows_in_random_order_of_random_features_and_of_an_array():
    shuffled = np.split(rng.permutation(4000), 20)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        StreamingRidge(LANDMARKS, verbose=False).fit([(X[i], y[i]) for i in shuffled])
        StreamingRidge(FourierFeatures(Gaussian(4.0)), verbose=False).fit(BLOCKS)
        StreamingRidge(LANDMARKS, verbose=False).fit(X, y)
    assert [str(warning.message) for warning in caught] == []


@pytest.mark.parametrize(("mean", "deviation"), [(2.1, 0), (1e9, 1)])
def test_nobody_is_warned_of_a_column_whose_variance_is_lost_in_rounding(mean, deviation):
    rows = np.random.default_rng(1).normal(size=(600, 2)) * (1, deviation) + (0, mean)
    blocks = [(rows[:170], rows[:170, 0]), (rows[170:], rows[170:, 0])]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        StreamingRidge(NystromFeatures(n_components=10, random_state=0), lam=0.1, verbose=False).fit(blocks)
    assert [str(warning.message) for warning in caught] == []


def test_later_calls_are_compared_with_the_first():
    model = StreamingRidge(LANDMARKS, verbose=False).fit(BLOCKS[:1])
    with pytest.raises(ValueError, match="of block 19 must have shape"):
        model.partial_fit([*BLOCKS[1:], (X, y[:, None])])  # of which nothing counts
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.partial_fit(BLOCKS[:1])
    with pytest.warns(UserWarning, match=UNLIKE):
        model.partial_fit(BLOCKS[1:])


def test_every_row_is_as_likely_in_the_sample_and_keeps_its_target(monkeypatch):
    monkeypatch.setattr(kernlib.streaming.blocks, "SAMPLE", 400)
    counts = np.zeros(4000)
    for name in range(100):  # which changes the numbers that the rows get
        blocks = enumerate(np.split(np.arange(4000), 20))
        rows, targets = reduce(add, (draw_rows((X[i], i), number, f"{name}") for number, i in blocks)).rows
        assert rows.shape == (400, 1) and np.array_equal(rows, X[targets])
        assert len(set(targets % 200)) > 100  # of 200 places in a block, 173 are expected
        counts[targets] += 1
    assert counts.sum() == 100 * 400 and counts.max() < 40  # ten, and ten standard deviations
    assert abs(counts[:2000].sum() - 20_000) < 5 * np.sqrt(40_000 / 4)  # five standard deviations


def test_predictions_and_scores_of_blocks_are_those_of_the_rows():
    model = StreamingRidge(LANDMARKS, sample="all", verbose=False).fit(BLOCKS)
    np.testing.assert_array_equal(model.predict(BLOCKS), model.predict(X))
    weights = rng.uniform(size=4000)
    weighted = [(*block, weights[i * 200 : (i + 1) * 200]) for i, block in enumerate(BLOCKS)]
    expected = r2_score(y, model.predict(X), sample_weight=weights)
    for score in (model.score(iter(weighted)), model.score(X, y, weights)):
        np.testing.assert_allclose(score, expected, rtol=1e-12)
    labeled = [(rows, targets > 0) for rows, targets in BLOCKS]
    classifier = StreamingClassifier(LANDMARKS, sample="all", verbose=False).fit(labeled)
    assert classifier.score(labeled) == classifier.score(X, y > 0) > 0.98


def test_a_sample_of_all_blocks_needs_blocks_that_can_be_read_twice():
    with pytest.raises(
        TypeError, match="or a function that gives them anew for each pass, got list_iterator"
    ):
        StreamingRidge(LANDMARKS, sample="all").fit(iter(BLOCKS))
    with pytest.raises(ValueError, match="sample must be one of 'first', 'all', got 'some'"):
        StreamingRidge(LANDMARKS, sample="some").fit(BLOCKS)
