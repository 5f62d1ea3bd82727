"""The examples in the docstrings of the estimators run and print what they show."""

import doctest
from importlib import import_module

import pytest
from sklearn.base import BaseEstimator

import kernlib

ESTIMATORS = [
    thing
    for thing in (getattr(kernlib, name) for name in kernlib.HOME_OF)
    if isinstance(thing, type) and issubclass(thing, BaseEstimator)
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_the_docstring_of_an_estimator_has_an_example_that_runs(estimator):
    module = import_module(estimator.__module__)
    (example,) = doctest.DocTestFinder(recurse=False).find(estimator, estimator.__name__, module, globs={})
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0
