"""The law of a translation-invariant kernel's frequencies, as Bochner's theorem has it.

Chapter: Bochner's theorem.
"""

import numpy as np

from kernlib.numerics.validation import as_generator, check_count

__all__ = ["SpectralLaw"]


class SpectralLaw:
    """
    κ(x, x′) = q(x − x′) = q(0) E cos ωᵀ(x − x′), for the kernels that are translation invariant.

    The law is a map from uniform numbers to frequencies, so that the same map serves independent and
    quasi-random draws. The others have none, and say so.
    """

    isotropic = False  # whether the law is the same in every direction

    @property
    def amplitude(self):
        """q(0), the mass of the spectral measure."""
        raise TypeError(f"{self} has no spectral law: it is not translation invariant.")

    def spectral_dim(self, p):
        """Count the uniform numbers that one frequency in p dimensions is made of: p, or more."""
        raise TypeError(f"{self} has no spectral law: it is not translation invariant.")

    def spectral_map(self, U, p):
        """Turn U of shape (n, spectral_dim(p)), uniform between 0 and 1, into n frequencies (p, n)."""
        raise TypeError(f"{self} has no spectral law: it is not translation invariant.")

    def sample_frequencies(self, n, p, rng=None):
        """
        Draw ω₁, …, ωₙ independently from the spectral law: κ(x, x′) = q(0) E cos ωᵀ(x − x′).

        Parameters
        ----------
        n, p : int
            How many frequencies, and the dimension of the inputs.
        rng : None, int, Generator or RandomState
            Where the draws come from.

        Returns
        -------
        ndarray of shape (p, n)
            Ω, one frequency a column, in radians per unit of x.

        Raises
        ------
        TypeError
            If the kernel is not translation invariant.

        Notes
        -----
        Chapter: Bochner's theorem.
        """
        n, p = check_count("n", n, 1), check_count("p", p, 1)
        U = as_generator(rng, "rng").random((n, self.spectral_dim(p)))
        return self.spectral_map(np.maximum(U, 2.0**-54), p)  # a quantile at 0 would be −∞
