"""String kernels in scikit-learn: rows of the Gram matrix, a Pipeline, a grid search over kernels."""

from itertools import combinations

import numpy as np
import pytest
from samples import assert_refused, dna
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from kernlib.strings import AllSubsequences, FixedLength, GapWeighted, StringGram


def test_grid_search_over_kernels_takes_plain_lists_of_strings():
    X = dna(240, 6, 5, spread=6)
    y = np.array([any("".join(u) == "GAT" for u in combinations(s, 3)) for s in X])
    pipeline = make_pipeline(StringGram(), SVC(kernel="precomputed"))
    grid = {"stringgram__kernel": [AllSubsequences(0), FixedLength(3)], "svc__C": [1, 10]}
    search = GridSearchCV(pipeline, grid, cv=3, error_score="raise").fit(X[:160], y[:160])
    assert search.best_params_["stringgram__kernel"] == FixedLength(3)
    assert search.score(X[160:], y[160:]) > max(y.mean(), 1 - y.mean()) + 0.1
    svc = SVC(kernel="precomputed", C=search.best_params_["svc__C"])
    svc.fit(FixedLength(3).normalized(X[:160]), y[:160])
    expected = svc.decision_function(FixedLength(3).normalized(X[160:], X[:160]))
    np.testing.assert_allclose(search.decision_function(X[160:]), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("normalized", [True, False])
def test_the_transformer_gives_rows_of_the_gram_matrix(normalized):
    kernel = GapWeighted(3, 0.6)
    train, test = dna(20, 3, 1, spread=9), dna(7, 3, 2, spread=9)
    transformer = StringGram(kernel, normalized=normalized).fit(train)
    gram = kernel.normalized if normalized else kernel
    np.testing.assert_allclose(transformer.transform(test), gram(test, train), rtol=1e-13)
    np.testing.assert_allclose(transformer.fit_transform(train), transformer.transform(train), rtol=1e-12)
    assert transformer.transform([]).shape == (0, 20)
    assert list(transformer.get_feature_names_out())[:2] == ["stringgram0", "stringgram1"]


def test_a_clone_has_the_same_kernel_and_fit_copies_the_list():
    copy = clone(StringGram(GapWeighted(4, 0.7), normalized=False))
    assert copy.get_params(deep=False) == {"kernel": GapWeighted(4, 0.7), "normalized": False}
    assert StringGram().fit(["a"]).kernel_ == AllSubsequences() and StringGram().kernel is None
    train = ["ab", "ba"]
    fitted = StringGram().fit(train)
    train[0] = "zz"
    expected = AllSubsequences().normalized(["ab"], ["ab", "ba"])
    np.testing.assert_array_equal(fitted.transform(["ab"]), expected)


def test_bad_input_raises_one_sentence():
    for call, error, sentence in [
        (lambda: StringGram("spectrum").fit(["a"]), TypeError, "kernel must be a StringKernel .* 'spectrum'"),
        (lambda: StringGram().fit([]), ValueError, "X must hold at least one string .* got none"),
        (lambda: StringGram().fit(["a", 1]), TypeError, r"X\[1\] must be a sequence of symbols, got 1"),
        (lambda: StringGram().transform(["a"]), ValueError, "is not fitted yet"),
    ]:
        assert_refused(call, sentence, error)
