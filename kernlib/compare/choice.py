"""Choose γ and λ by leave-one-out on rows that double, then a scale for each column."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from kernlib.compare.models import memory_of, rounded
from kernlib.compare.scales import descend, loo_and_gradient, loo_path
from kernlib.kernels import Gaussian, Kernel, Laplace
from kernlib.numerics.regularization import merge_copies
from kernlib.numerics.validation import describe
from kernlib.ridge import KernelRidge

__all__ = ["Choice", "Chooser", "as_family"]

NAMES = {"rbf": Gaussian, "laplacian": Laplace}
POWERS = (-4, -2, 0, 2, 4)  # of 2, times one over the number of columns and their variance: the first γ
REACH = 12  # the largest power
STEPS = 2, 1  # from a power to its neighbors, in the first round and in later ones
LAMS = 10.0 ** np.arange(-8, 1.1, 0.5)
FIRST, MOST = 200, 2000  # rows of the first round and of the last
SCALED = 1000  # rows on which scales are chosen
ROWS_PER_SCALE = 5  # at least
TIMED, EVALUATIONS = 250, 20  # rows on which one is timed; so many must fit the time, on as many rows as do
GAIN = 0.02  # of the error, at least: less is not worth a kernel that takes longer to describe
SHARPNESS = np.geomspace(0.5, 16, 16)


@dataclass(frozen=True)
class Choice:
    """The kernel that was chosen, and λ for so many rows.

    `rounds` lists (rows, γ, λ, error) of all that was tried; `scales` has the share of each column in the
    squared distances; `decision` are the parameters for classes.
    """

    kernel: Kernel
    gamma: float
    lam: float
    rows: int
    rounds: list = field(default_factory=list)
    scales: dict | None = None
    notes: tuple = ()
    decision: dict = field(default_factory=dict)

    def lam_for(self, n: int) -> float:
        """Return λ for n rows: like the best one of `KernelRidge`, it decreases as 1/√n."""
        return self.lam * np.sqrt(self.rows / n)


def as_family(kernel: Any) -> tuple[Callable[[float], Kernel], bool]:
    """Return the function from γ to a kernel that `kernel` stands for, and whether there is a γ to choose."""
    if isinstance(kernel, Kernel):
        return (lambda gamma: kernel), False
    family = NAMES.get(kernel) if isinstance(kernel, str) else kernel
    if not callable(family):
        raise TypeError(
            f"kernel must be {' or '.join(map(repr, NAMES))}, a kernel of kernlib or a function of γ that "
            f"returns one, got {describe(kernel)}."
        )
    if not isinstance(made := family(1.0), Kernel):
        raise TypeError(
            f"kernel, a function, must return a kernel of kernlib for each γ, got {describe(made)}."
        )
    return family, True


@dataclass
class Chooser:
    """Leave-one-out on the first rows of X and Y, until a deadline of `clock`, within so many bytes."""

    X: NDArray
    Y: NDArray
    weights: NDArray | None
    clock: Callable[[], float]
    deadline: float
    memory: float

    def race(self, family: Callable[[float], Kernel], free: bool = True) -> Choice:
        """Try five values of γ on few rows, then the best and its neighbors on twice as many, and so on.

        While a neighbor is the best of a round, the next one beyond it is tried, too.
        """
        n, rows = len(self.X), min(len(self.X), max(FIRST, 4 * self.Y.shape[1]))
        variance = self.X.var() or 1.0  # a column may be constant in these rows
        scale = 1 / (self.X.shape[1] * variance) if free else 1.0
        powers, step = (list(POWERS), STEPS[0]) if free else ([0], 0)
        rounds: list[tuple[int, float, float, float]] = []
        before = 0.0
        while True:
            tried: dict[int, tuple[float, float, float]] = {}
            times, seconds = [self.clock()], 0.0
            while powers and (not tried or times[-1] + seconds <= self.deadline):
                power = powers.pop(0)
                gamma = rounded(scale * 2.0**power)
                tried[power] = (gamma, *self.error(family(gamma), rows))
                times.append(self.clock())
                seconds = float(np.median(np.diff(times)))
                best = min(tried, key=lambda power: tried[power][2])
                if not powers:
                    near = (best - step, best + step)
                    powers = [power for power in near if power not in tried and abs(power) <= REACH]
            rounds += [(rows, *one) for one in tried.values()]
            more = min(n, 2 * rows, MOST)
            growth = np.clip(seconds / before, 4, 8) if before else 8
            late = self.clock() + (3 if free else 1) * growth * seconds > self.deadline
            if more == rows or late or memory_of("exact", more, 0, 0) > self.memory:
                gamma, lam, _ = tried[best]
                note = f"{family(gamma)}, C = {1 / (rows * lam):.3g}: by leave-one-out on {rows:,} rows."
                return Choice(family(gamma), gamma, lam, rows, rounds, notes=(note,))
            rows, before, powers, step = more, seconds, [best], min(step, STEPS[1])

    def error(self, kernel: Kernel, rows: int) -> tuple[float, float]:
        """Return the best λ for the first rows, and its leave-one-out error."""
        lams = LAMS * np.mean(kernel.diagonal(self.X[:rows]))
        X, Y, weights = self.first(rows)
        single, weights = merge_copies(X, Y, weights)  # a copy would give its row away
        errors = loo_path(kernel, lams, X[single], Y[single], weights).loo_errors(weights)
        errors[np.isnan(errors)] = np.inf
        best = len(errors) - 1 - np.argmin(errors[::-1])  # of equal ones the largest λ
        return float(lams[best]), float(errors[best])

    def first(self, rows: int) -> tuple:
        """Return the first rows of the inputs, the targets and the weights."""
        return self.X[:rows], self.Y[:rows], None if self.weights is None else self.weights[:rows]

    def scales(self, choice: Choice, names: list[str]) -> Choice:
        """Choose one γ for each column by gradient steps on the leave-one-out error of a sample.

        They are kept if they predict as many other training rows better, by 2% and more than a standard
        error. The steps then go on, on all rows of a small table.
        """
        p, n = self.X.shape[1], len(self.X)
        most = min(SCALED, n // 2)
        m = self.rows_in_time(choice, most) if p > 1 else 0
        if m < ROWS_PER_SCALE * p:
            return choice
        theta = self.descend(start_of(choice, p, m), m)
        kernels = ((choice.kernel, choice.lam_for(m)), (with_scales(theta), np.exp(theta[-1]) / m))
        one, many = (self.test_error(kernel, lam, m) for kernel, lam in kernels)
        gain = one - many
        if not gain.mean() > max(gain.std() / np.sqrt(len(gain)), GAIN * one.mean()):
            return choice
        scaled = with_scales(self.descend(theta, min(SCALED, n)) if m == most < SCALED else theta)
        weights = np.array(scaled.gamma) * self.X.var(axis=0)
        shares = dict.fromkeys(names, 0.0)
        for name, weight in zip(names, weights / weights.sum(), strict=True):
            shares[name] += float(weight)
        shares = dict(sorted(shares.items(), key=lambda item: -item[1]))
        largest = ", ".join(f"{name} {share:.0%}" for name, share in list(shares.items())[:5])
        note = (
            f"A scale for each column lowers the squared error on {m:,} other training rows by "
            f"{gain.mean() / one.mean():.0%}. Shares of the squared distances: {largest}."
        )
        lam = self.error(scaled, choice.rows)[0]
        return replace(choice, kernel=scaled, lam=lam, scales=shares, notes=(*choice.notes, note))

    def rows_in_time(self, choice: Choice, most: int) -> int:
        """Return on how many rows, `most` or fewer, the gradient steps fit the time; 0 if on none."""
        p, few = self.X.shape[1], min(most, TIMED)
        begun = self.clock()
        loo_and_gradient(start_of(choice, p, few), self.X[:few], self.Y[:few])
        seconds, m = EVALUATIONS * (self.clock() - begun), most
        left = self.deadline - self.clock()
        while few < m and seconds * (m / few) ** 2.5 > left:
            m = max(few, m // 2)
        return m if seconds <= left else 0

    def descend(self, start: NDArray, m: int) -> NDArray:
        """Lower the leave-one-out error of m rows, until the deadline."""
        Y = (self.Y[:m] - self.Y[:m].mean(axis=0)) / self.Y.std()
        return descend(start, self.X[:m], Y, self.clock, self.deadline)

    def test_error(self, kernel: Kernel, lam: float, m: int) -> NDArray:
        """Fit on the first m rows, and return the squared errors on the next m."""
        model = KernelRidge(kernel, lam=lam, solver="direct").fit(self.X[:m], self.Y[:m])
        return ((self.Y[m : 2 * m] - model.predict(self.X[m : 2 * m])) ** 2).mean(axis=1)

    def decide(self, choice: Choice, balanced: bool) -> Choice:
        """Choose how the outputs for classes are read: their sharpness and, if balanced, the threshold."""
        X, Y, weights = self.first(min(choice.rows, SCALED))
        residuals = loo_path(choice.kernel, [choice.lam_for(len(X))], X, Y, weights).loo_residuals[0]
        f = Y - np.where(np.isfinite(residuals), residuals, Y)
        both, true = (np.hstack([-A, A]) if A.shape[1] == 1 else A for A in (f, Y))
        rows = (np.arange(len(true)), true.argmax(axis=1))
        losses = [-np.log(softmax(s * both, axis=1)[rows]).mean() for s in SHARPNESS]
        decision: dict[str, Any] = {"sharpness": rounded(SHARPNESS[np.argmin(losses)])}
        if balanced:
            decision = {"class_weight": "balanced"}
            if f.shape[1] == 1 and (threshold := best_threshold(f[:, 0], Y[:, 0] > 0)):
                decision["threshold"] = rounded(threshold)
        return replace(choice, decision=decision)


def start_of(choice: Choice, p: int, m: int) -> NDArray:
    """Return log γ₁, …, log γₚ, all equal, and log nλ for m rows."""
    return np.append(np.full(p, np.log(choice.gamma)), np.log(m * choice.lam_for(m)))


def with_scales(theta: NDArray) -> Gaussian:
    """Return the kernel with a γ for each column, from log γ₁, …, log γₚ and another number."""
    return Gaussian(tuple(rounded(scale) for scale in np.exp(theta[:-1])))


def best_threshold(f: NDArray, positive: NDArray) -> float:
    """Return the threshold of the best balanced accuracy; 0 unless it gains more than a standard error."""

    def rates(threshold):
        return np.array([np.mean(f[positive] > threshold), np.mean(f[~positive] <= threshold)])

    thresholds = np.quantile(f, np.linspace(0.01, 0.99, 99))
    best = thresholds[np.argmax([sum(rates(one)) for one in thresholds])]
    counts, plain = np.array([positive.sum(), (~positive).sum()]), rates(0)
    error = np.sqrt(sum(plain * (1 - plain) / counts))
    return float(best) if sum(rates(best)) - sum(plain) > error else 0.0
