"""String kernels as a step of a scikit-learn Pipeline.

Chapter: The all-subsequences kernel.
"""

from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from kernlib.numerics.validation import describe
from kernlib.strings.base import StringKernel
from kernlib.strings.kernels import AllSubsequences
from kernlib.strings.symbols import as_strings

__all__ = ["StringGram"]


class StringGram(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """
    From strings to rows of the Gram matrix, (κ(s, s₁), …, κ(s, sₙ)) with s₁, …, sₙ the training strings.

    In front of any estimator with ``kernel="precomputed"`` it makes that one take plain lists of strings:
    ``make_pipeline(StringGram(), SVC(kernel="precomputed"))``, also in GridSearchCV, whose grid may hold
    kernels: ``{"stringgram__kernel": [AllSubsequences(0.5), Spectrum(3)]}``.

    Parameters
    ----------
    kernel : StringKernel, optional
        κ; ``AllSubsequences()`` where it is not given.
    normalised : bool
        Whether to divide by √(κ(s, s)κ(sᵢ, sᵢ)): κ grows exponentially with the lengths, so a classifier
        sees little else without it.

    Attributes
    ----------
    strings_ : list of tuple
        The training strings, each as its symbols.
    kernel_ : StringKernel
        κ.

    Notes
    -----
    Chapter: The all-subsequences kernel.
    """

    def __init__(self, kernel=None, *, normalised=True):
        self.kernel = kernel
        self.normalised = normalised

    def fit(self, X, y=None):
        """Keep n ≥ 1 training strings, the iterable X; y is not used."""
        kernel = AllSubsequences() if self.kernel is None else self.kernel
        if not isinstance(kernel, StringKernel):
            raise TypeError(
                f"kernel must be a kernel on strings such as AllSubsequences(), got {describe(kernel)}."
            )
        strings = as_strings(X, "X")
        if not strings:
            raise ValueError("X must hold at least one string to compare others with, got none.")
        self.kernel_, self.strings_ = kernel, strings
        return self

    def transform(self, X):
        """Compute the block κ(xᵢ, sⱼ), of shape (m, n), between m strings and the training strings."""
        check_is_fitted(self)
        gram = self.kernel_.normalised if self.normalised else self.kernel_
        return gram(as_strings(X, "X"), self.strings_)

    def fit_transform(self, X, y=None):
        """Keep the training strings and compute their Gram matrix, of shape (n, n), each pair once."""
        self.fit(X)
        gram = self.kernel_.normalised if self.normalised else self.kernel_
        return gram(self.strings_)

    @property
    def _n_features_out(self):
        """Number of columns, for `get_feature_names_out`."""
        return len(self.strings_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = True, False
        return tags
