"""The code that is written for an estimator builds one with the same parameters."""

import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from kernlib.compare.columns import preparation
from kernlib.compare.models import build_model
from kernlib.compare.source import source_of
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian, Laplace, Matern

PREPARATION = ColumnTransformer(
    [("numbers", StandardScaler(), [0, 2]), ("towns", OneHotEncoder(sparse_output=False), ["town", "it's"])]
)


@pytest.mark.parametrize(
    "estimator",
    [
        Pipeline([("prepare", PREPARATION), ("machine", SVC(kernel=Gaussian(0.25), C=3.0))]),
        Pipeline([("prepare", ColumnTransformer([("all", StandardScaler(), list(range(300)))]))]),
        FourierFeatures(0.5 * Gaussian(1.0) + Laplace(2.0) * Matern(1.5, 0.25), n_components=7),
        build_model("exact", "regression", kernel=Gaussian((0.3, 1.5)), lam=1e-3),
        build_model("Nyström", "classification", 64, kernel=Gaussian(0.3), lam=1e-3, seed=5, threshold=0.25),
        build_model("boosted trees", "classification", 12),
        preparation(["a"], ["b"], ["c"]),
        build_model("linear", "classification"),
        MLPClassifier(hidden_layer_sizes=(7,)),
    ],
)
def test_the_code_builds_an_estimator_with_the_same_parameters(estimator):
    namespace = {}
    code = source_of(estimator, "built")
    exec(code, namespace)
    assert type(namespace["built"]) is type(estimator)
    assert repr(namespace["built"].get_params()) == repr(clone(estimator).get_params())
    assert max(map(len, code.splitlines())) <= 110
