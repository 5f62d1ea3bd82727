"""String kernels in scikit-learn's ways: rows of the Gram matrix, a Pipeline, a grid search over kernels."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from kernlib.strings import AllSubsequences, FixedLength, GapWeighted, StringGram


def dna(n, length, seed, spread):
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list("ACGT"), length + rng.integers(spread + 1))) for _ in range(n)]


def words_with_or_without_a_motif(n):
    """Strings and whether "GAT" stands in order somewhere in them."""
    strings = dna(n, 6, 5, spread=6)
    y = [any(s[i] + s[j] + s[k] == "GAT" for i, j, k in combinations(range(len(s)), 3)) for s in strings]
    return strings, np.array(y)


def test_grid_search_over_kernels_takes_plain_lists_of_strings():
    X, y = words_with_or_without_a_motif(240)
    pipeline = make_pipeline(StringGram(), SVC(kernel="precomputed"))
    grid = {"stringgram__kernel": [AllSubsequences(0), FixedLength(3)], "svc__C": [1, 10]}
    search = GridSearchCV(pipeline, grid, cv=3, error_score="raise").fit(X[:160], y[:160])
    assert search.best_params_["stringgram__kernel"] == FixedLength(3)
    assert search.score(X[160:], y[160:]) > max(y.mean(), 1 - y.mean()) + 0.1
    by_hand = SVC(kernel="precomputed", C=search.best_params_["svc__C"])
    by_hand.fit(FixedLength(3).normalised(X[:160]), y[:160])
    expected = by_hand.decision_function(FixedLength(3).normalised(X[160:], X[:160]))
    np.testing.assert_allclose(search.decision_function(X[160:]), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("normalised", [True, False])
def test_the_transformer_gives_rows_of_the_gram_matrix(normalised):
    kernel = GapWeighted(3, 0.6)
    train, test = dna(20, 3, 1, spread=9), dna(7, 3, 2, spread=9)
    transformer = StringGram(kernel, normalised=normalised).fit(train)
    gram = kernel.normalised if normalised else kernel
    np.testing.assert_allclose(transformer.transform(test), gram(test, train), rtol=1e-13)
    np.testing.assert_allclose(transformer.fit_transform(train), transformer.transform(train), rtol=1e-12)
    for row, s in zip(transformer.transform(test), test, strict=True):
        np.testing.assert_allclose(transformer.transform([s])[0], row, rtol=1e-12)
    assert transformer.transform([]).shape == (0, 20)
    assert list(transformer.get_feature_names_out())[:2] == ["stringgram0", "stringgram1"]


def test_the_transformer_is_cloned_with_its_kernel_and_keeps_parameters_apart():
    copy = clone(StringGram(GapWeighted(4, 0.7), normalised=False))
    assert copy.get_params() == {"kernel": GapWeighted(4, 0.7), "normalised": False}
    assert StringGram().fit(["a"]).kernel_ == AllSubsequences() and StringGram().kernel is None
    train = ["ab", "ba"]
    fitted = StringGram().fit(train)
    train[0] = "zz"
    np.testing.assert_array_equal(
        fitted.transform(["ab"]), AllSubsequences().normalised(["ab"], ["ab", "ba"])
    )


@pytest.mark.parametrize(
    ("error", "sentence", "call"),
    [
        (
            TypeError,
            "kernel must be a kernel on strings .* 'spectrum'",
            lambda: StringGram("spectrum").fit(["a"]),
        ),
        (ValueError, "X must hold at least one string .* got none", lambda: StringGram().fit([])),
        (TypeError, r"X\[1\] must be a sequence of symbols, got 1", lambda: StringGram().fit(["a", 1])),
        (ValueError, "is not fitted yet", lambda: StringGram().transform(["a"])),
    ],
)
def test_bad_input_gets_one_sentence(error, sentence, call):
    with pytest.raises(error, match=sentence) as caught:
        call()
    assert "\n" not in str(caught.value)
