"""How far off random Fourier features can be: what the theorems guarantee, with a given probability."""

import math

from scipy.special import lambertw

from kernlib.numerics.validation import check_positive

__all__ = ["entropy_error", "uniform_error"]


def uniform_error(c: float, p: int, spread: float, constant: float, chance: float = 0.5) -> float:
    """Solve constant · (σℓ/ε)² exp(−cε²/(8(p + 2))) = chance for ε, the largest error on a whole domain.

    Source: Rahimi and Recht (2007); Sutherland and Schneider (2015). Chapter: Random Fourier features.

    Parameters
    ----------
    c, p : float, int
        Number of columns of "cos-sin" features, and dimension of the inputs.
    spread : float
        σℓ with σ² = E‖ω‖² and ℓ the diameter of the domain.
    constant : float
        2⁸ in Rahimi and Recht's theorem, 66 in Sutherland and Schneider's.
    chance : float
        The probability of a larger error, between 0 and 1.

    Returns
    -------
    float
        ε; above 1 it says nothing.
    """
    check_bounded(c=c, p=p, spread=spread, constant=constant, chance=chance)
    rate = c / (8 * (p + 2))  # ε² exp(rate ε²) = constant (σℓ)² / chance
    return math.sqrt(lambertw(rate * constant * spread**2 / chance).real / rate)


def entropy_error(c: float, p: int, sigma: float, diameter: float, chance: float = 0.5) -> float:
    """Compute (h + √(2τ))/√m, the largest error on a whole domain for m = c/2 frequencies.

    h = 32√(2p log(2ℓ + 1)) + 32√(2p log(σ + 1)) + 16√(2p/log(2ℓ + 1)), and e^{−τ} is the chance. Source:
    Sriperumbudur and Szabó (2015), theorem 1. Chapter: Random Fourier features.

    Parameters
    ----------
    c, p, sigma, diameter, chance : float, int, float, float, float
        As in `uniform_error`, with σ, the root of E‖ω‖², and ℓ apart.

    Returns
    -------
    float
        ε; above 1 it says nothing.
    """
    check_bounded(c=c, p=p, sigma=sigma, diameter=diameter, chance=chance)
    size = math.log1p(2 * diameter)
    h = 32 * math.sqrt(2 * p * size) + 32 * math.sqrt(2 * p * math.log1p(sigma))
    h += 16 * math.sqrt(2 * p / size)
    return (h + math.sqrt(-2 * math.log(chance))) / math.sqrt(c / 2)


def check_bounded(*, chance, **numbers):
    """Raise an error unless the arguments of a bound are positive and its chance is below 1."""
    for name, value in numbers.items():
        check_positive(name, value)
    if not check_positive("chance", chance) < 1:
        raise ValueError(f"chance must be below 1, got {chance}.")
