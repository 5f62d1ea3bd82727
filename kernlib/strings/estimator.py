"""String kernels as a step of a scikit-learn Pipeline."""

import copy
from dataclasses import KW_ONLY, dataclass
from typing import Self

from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from kernlib.numerics.validation import check_instance
from kernlib.strings.base import StringKernel
from kernlib.strings.kernels import AllSubsequences
from kernlib.strings.symbols import Strings, as_strings

__all__ = ["StringGram"]


@dataclass(eq=False, repr=False)
class StringGram(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Map a string s to its row (κ(s, s₁), …, κ(s, sₙ)) of the Gram matrix, for the training strings sᵢ.

    Any estimator with ``kernel="precomputed"`` then takes lists of strings: ``make_pipeline(StringGram(),
    SVC(kernel="precomputed"))``, also in GridSearchCV. Chapter: The all-subsequences kernel at work.

    Parameters
    ----------
    kernel : StringKernel, optional
        κ; by default ``AllSubsequences()``.
    normalized : bool
        Whether to divide by √(κ(s, s)κ(sᵢ, sᵢ)), as κ grows exponentially with the lengths.

    Attributes
    ----------
    strings_, kernel_ : list of tuple, StringKernel
        The training strings, each as its symbols, and κ.

    Examples
    --------
    >>> from kernlib import Spectrum, StringGram
    >>> StringGram(Spectrum(2)).fit_transform(["banana", "ananas"]).shape
    (2, 2)
    """

    kernel: StringKernel | None = None
    _: KW_ONLY
    normalized: bool = True

    def fit(self, X: Strings, y: object = None) -> Self:
        """Keep the training strings, an iterable X of at least one."""
        kernel = AllSubsequences() if self.kernel is None else self.kernel
        check_instance("kernel", kernel, StringKernel, "AllSubsequences()")
        strings = as_strings(X, "X")
        if not strings:
            raise ValueError("X must hold at least one string to compare others with, got none.")
        self.kernel_ = copy.deepcopy(kernel)  # so that `set_params` does not change what was fitted with it
        self.strings_ = strings
        self._n_features_out = len(strings)  # for `get_feature_names_out`
        return self

    def transform(self, X: Strings) -> NDArray:
        """Compute κ(xᵢ, sⱼ), of shape (m, n), for m strings and the training strings."""
        check_is_fitted(self)
        gram = self.kernel_.normalized if self.normalized else self.kernel_
        return gram(as_strings(X, "X"), self.strings_)

    def fit_transform(self, X: Strings, y: object = None) -> NDArray:
        """Keep the training strings and compute their Gram matrix, of shape (n, n), each pair once."""
        self.fit(X)
        gram = self.kernel_.normalized if self.normalized else self.kernel_
        return gram(self.strings_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = True, False
        return tags
