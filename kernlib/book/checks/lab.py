"""Self-checks of the lab's eight questions.

They check what holds whatever was drawn: with the shirts or ijcnn1, and with any random generator.

Chapter: The large-scale lab.
"""

from functools import partial

import numpy as np
from scipy.stats import spearmanr
from sklearn.base import clone
from sklearn.svm import SVC, LinearSVC

from kernlib.book.checks._check import Check, function_check, public_names, self_check
from kernlib.book.checks._compare import Comparison, expect, expect_numbers, expect_real
from kernlib.book.checks._random import (
    GAUSSIAN_MISTAKES,
    Averages,
    average_gram,
    explain_inexact,
    explain_power,
    gaussian,
    map_both,
    map_rows,
    measure_loss,
    seeded,
)
from kernlib.kernels import Gaussian
from kernlib.low_rank import truncation_errors
from kernlib.nystrom import NystromFeatures

C = 20_000  # columns that are averaged
SCORED = 4000  # test rows that questions 1 and 7 look at: the exact SVM then needs a second, not ten
normal = np.random.default_rng(0).normal
ROWS = [normal(size=(30, p)) for p in (1, 2, 5, 22)]


def expect_rows(name, X):
    """Expect a matrix of finite numbers, and return it."""
    X = expect_real(name, X)
    expect(X.ndim == 2, f"{name} should have two dimensions, one row an observation, got {X.shape}.")
    return expect_numbers(name, X, X.shape)


def expect_fitted(model, kind, columns):
    """Expect a model of this kind, fitted on that many columns."""
    name = kind.__name__
    expect(isinstance(model, kind), f"The model should be a {name}, got {type(model).__name__}.")
    expect(hasattr(model, "n_features_in_"), f"The {name} should be fitted, and it is not.")
    fitted = model.n_features_in_
    expect(fitted == columns, f"The {name} should be fitted on {columns} columns, got {fitted}.")


@self_check("question 1: γ = 1/p, the same C, and the Gaussian SVM beats the linear one and a constant")
def check_baselines(linear, rbf, X_test, y_test):
    """Check the two exact SVMs: γ = 1/p, the same C, and the scores that standardized rows give."""
    X_test = expect_rows("X_test", X_test)
    n, p = X_test.shape
    y_test = expect_numbers("y_test", y_test, (n,))
    expect_fitted(linear, LinearSVC, p)
    expect_fitted(rbf, SVC, p)
    expect(linear.dual in (False, "auto"), f"LinearSVC should have dual=False, got dual={linear.dual!r}.")
    expect(rbf.kernel == "rbf", f"SVC should have kernel='rbf', got {rbf.kernel!r}.")
    expect(linear.C == rbf.C, f"Both models should have the same C, got {linear.C:.3g} and {rbf.C:.3g}.")
    is_right = rbf.gamma == "auto" or (rbf.gamma != "scale" and np.isclose(rbf.gamma, 1 / p))
    expect(is_right, f"gamma should be 1/p with p = {p}, got {rbf.gamma}.", "SVC has another default")
    start = "should be fitted on training rows, but"
    on_test = np.allclose(clone(linear).fit(X_test, y_test).coef_, linear.coef_, rtol=1e-3)
    expect(not on_test, f"LinearSVC {start} it is the model that X_test and y_test give.")
    own = {row.tobytes() for row in X_test.astype(float)}
    share = np.mean([row.tobytes() in own for row in rbf.support_vectors_])
    expect(share < 0.5, f"SVC {start} {share:.0%} of its support vectors are rows of X_test.")
    X, y = X_test[:SCORED], y_test[:SCORED]
    majority = np.unique(y, return_counts=True)[1].max() / len(y)
    linear_score, rbf_score = linear.score(X, y), rbf.score(X, y)
    # if one class is rare, a line may do no better than a constant
    least = majority - 3 * np.sqrt(majority * (1 - majority) / len(y))
    got = f"got {linear_score:.3f} and {rbf_score:.3f}"
    goal = f"come near to the majority's {majority:.3f} and the Gaussian one exceed both"
    hint = "were both fitted, and tested, on standardized rows?"
    is_better = least <= linear_score < rbf_score and majority < rbf_score
    expect(is_better, f"The linear SVM should {goal}, {got}.", hint)


def truncate_svd(keep):
    """Truncate with a mistake in the factors of the SVD."""
    return lambda G, k, *, method: keep(*np.linalg.svd(G), k)


def truncation_cases(*Gs):
    """Give each matrix with some ranks and both methods."""
    return [(G, k, way) for G in Gs for k in (1, 2, 5, len(G) - 1) if k < len(G) for way in ("fast", "slow")]


A, B = normal(size=(12, 12)), normal(size=(40, 40))
SMALL = truncation_cases(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([[1.0, 3.0], [3.0, -1.5]]))


@function_check(
    "question 2: both methods give rank k and the least possible error",
    "G_k",
    truncation_cases(A @ A.T, A + A.T, B @ B.T, B + B.T),
    {
        "keep the k largest in magnitude, also negative ones": {"order": lambda lam: -lam},
        "these are the k smallest: eigh sorts in ascending order": {"order": np.array},
        "these are the k smallest in magnitude": {"order": np.abs},
        "UΣUᵀ loses the signs of negative eigenvalues: use UΣVᵀ": {"weigh": np.abs},
        "reverse the vectors too: svds and eigsh sort in ascending order": {"weigh": lambda lam: lam[::-1]},
        "np.linalg.svd returns Vᵀ already": (
            truncate_svd(lambda U, s, Vt, k: (U[:, :k] * s[:k]) @ Vt[:, :k].T),
            truncate_svd(lambda U, s, Vt, k: (U[:, :k] * s[:k]) @ Vt.T[:k]),
        ),
        "this is the matrix itself": lambda G, k, *, method: G,
        "this is what G_k leaves out": lambda G, k, *, method: G - check_rank_trunc.right(G, k),
        "this has rank k + 1": {"more": 1},
        "this has rank k − 1": {"more": -1},
    },
    atol=1e-5,
    again={"cases": SMALL},
)
def check_rank_trunc(G, k, *, method="fast", order=lambda lam: -np.abs(lam), weigh=np.array, more=0):
    """Check that G_k has rank at most k and Eckart–Young's error, for indefinite matrices too."""
    lam, U = np.linalg.eigh(G)
    top = np.argsort(order(lam))[: k + more]
    return (U[:, top] * weigh(lam[top])) @ U[:, top].T


def expect_signal(trace):
    """Expect the trace of G near its mean, 50·20·200 + 100·200."""
    traces = {
        "the factor 50 of the signal is missing": 24_000,
        "50 multiplies the signal's product, not its numbers": 10_020_000,
        "50 multiplies the signal only": 1_200_000,
        "draw numbers from 𝒩(0, 1), not from [0, 1)": 220_000 / 3,
        "draw numbers from 𝒩(0, 1), and multiply the signal by 50": 8_000,
    }
    fits = [hint for hint, value in traces.items() if abs(trace / value - 1) < 0.15]
    sentence = f"The trace of G should be about 220,000, got {trace:,.0f}."
    expect(abs(trace / 220_000 - 1) < 0.15, sentence, *fits[:1])


def predict_errors(G):
    """Compute ‖G_k − G‖_F / ‖G‖_F for k = 1, …, 100 from the eigenvalues, and what mistakes give."""
    every, norm, squares = truncation_errors(G), np.linalg.norm(G), np.sort(np.linalg.eigvalsh(G) ** 2)[::-1]
    right, kept = every[1:101], np.sqrt(np.cumsum(squares))[:100]
    return right, {
        "this is the curve for k = 0 to 99": every[:100],
        "this is the curve for k = 2 to 101": every[2:102],
        "the minus between G_k and G is missing": np.sqrt(np.cumsum(squares**2))[:100] / norm,
        "this is the norm of G_k, not of what it leaves out": kept / norm,
        "divide by the norm of G": right * norm,
        "these are squares": right**2,
        "divide by the norm of G, not of G_k": right * norm / kept,
        "give parts of ‖G‖_F, not percentages": 100 * right,
        "these are spectral norms, not Frobenius norms": np.sqrt(squares[1:101] / squares[0]),
    }


@self_check("question 3: the 100 errors are those that the eigenvalues predict")
def check_truncation_curve(errors, G):
    """Check ‖G_k − G‖_F / ‖G‖_F for k = 1, …, 100 against √(Σ_{i>k} λᵢ²) / √(Σᵢ λᵢ²)."""
    G = expect_numbers("G", G, (200, 200))
    rank = np.linalg.matrix_rank(G, hermitian=True)
    expect(rank == 120, f"G should have rank 120, 20 from the signal and 100 from the noise, got {rank}.")
    expect_signal(np.trace(G))
    right, mistakes = predict_errors(G)
    constant = {hint: lambda wrong=wrong: wrong for hint, wrong in mistakes.items()}
    Comparison("the relative errors for k = 1 to 100", lambda: right, [()], constant)(lambda: errors)


def map_small(function, seed, **parameters):
    """Map 30 rows in two dimensions."""
    return map_both(function, ROWS[1], ROWS[1][:20], gamma=0.5, random_state=seed, **parameters)[0]


def has_bounded_entries(function):
    """Expect entries up to √(2/c)."""
    bound, largest = np.sqrt(2 / C), np.abs(map_rows(function, ROWS[1], columns=C, c=C, gamma=0.2)).max()
    sentence = f"Entries should not exceed √(2/c) = {bound:.3g}, got {largest:.3g}."
    expect(largest <= bound * (1 + 1e-4), sentence, "look at the factor")


def shift_phase(mean):
    """Give the mean of ZZᵀ if cos 2b has this mean."""
    return lambda gamma, X: Gaussian(gamma)(X) + mean * Gaussian(gamma)(X, -X)


def suspect_phase(function):
    """Look at the features of x = 0, which are √(2/c) cos b."""
    Z = map_both(function, np.zeros((2, 2)), np.zeros((2, 2)), c=10, gamma=1.0, random_state=0)[0]
    return "draw a phase for each column" if np.ptp(Z) < 1e-6 else ""


check_random_features = Check(
    "Check that ZZᵀ is the Gaussian kernel on average, to six standard errors, in p = 1, 2, 5 and 22.",
    "question 4: one draw for both sets, and ZZᵀ is the kernel on average",
    has_bounded_entries,
    Averages(
        "ZZᵀ",
        gaussian,
        [(0.4 / X.shape[1], X) for X in ROWS],  # γ = 1/p would hide a mistake
        partial(average_gram, columns=C),
        6 * np.sqrt(1.5 / C),  # the largest variance is 1.5/c
        {
            "the factor is √(2/c), not √(1/c)": lambda gamma, X: Gaussian(gamma)(X) / 2,
            "the factor is √(2/c), not 2/c": lambda gamma, X: Gaussian(gamma)(X) * 2 / C,
            "the phase b seems to be missing": shift_phase(1),
            "the phase b is uniform on [0, 2π], not on [0, 1]": shift_phase(np.sin(2) / 2),
            "the phase b is uniform on [0, 2π], not normal": shift_phase(np.exp(-2)),
        }
        | GAUSSIAN_MISTAKES,
        suspect_phase,
    ),
    seeded("features", partial(map_small, c=10)),
)


def expect_better(model, Z_test, y_test, linear_score):
    """Expect a linear SVM on 300 columns that beats the one on X, and return the squared row lengths."""
    expect_numbers("linear_score", linear_score, ())
    sentence = f"linear_score should be from 0 to 1, got {linear_score:.3g}."
    expect(0 <= linear_score <= 1, sentence, "it is a share, not a percentage")
    n = expect_real("y_test", y_test).size
    expect_numbers("y_test", y_test, (n,))
    Z_test = expect_numbers("Z_test", Z_test, (n, 300))
    expect_fitted(model, LinearSVC, 300)
    score = model.score(Z_test, y_test)
    sentence = f"The score should be above the linear SVM's {linear_score:.3f}, got {score:.3f}."
    expect(score > linear_score, sentence, "did Z_train and Z_test come from one call?")
    return np.sum(Z_test**2, axis=1)


@self_check("question 5: 300 random features beat the linear SVM on X")
def check_fourier_svm(model, Z_test, y_test, linear_score):
    """Check that a LinearSVC fitted on c = 300 random features beats the linear SVM of question 1."""
    length = np.mean(expect_better(model, Z_test, y_test, linear_score))
    sentence = f"Rows of Z_test should have ‖φ̂(x)‖² ≈ κ(x, x) = 1, got {length:.2f} on average."
    expect(abs(length - 1) < 0.2, sentence)


def has_nystrom_parts(function):
    """Expect exactness at the landmarks and only there, the largest eigenvalues, and finite numbers."""
    draw, c = np.random.default_rng(0).normal, 20
    for p in (2, 5):
        lost = measure_loss(function, draw(size=(60, p)), c=c, k=c, gamma=2 / p)
        exact = np.count_nonzero(lost < 1e-5)
        goal = f"With k = c = {c} of 60 rows, ZZᵀ should give κ(x, x) exactly at the landmarks only"
        if not c / 2 < exact <= c:
            expect(False, f"{goal}, but does at {exact} training rows.", explain_inexact(function))
    clusters = 0.1 * draw(size=(60, 3)) + 10 * np.eye(3)[np.arange(60) % 3]
    lost = measure_loss(function, clusters, c=30, k=3, gamma=0.5).max()
    if lost >= 0.5:
        hint = explain_power(function)
        hint = hint if "V[:k, :k]" in hint else "are the k eigenvalues that you keep the largest?"
        goal = "Three columns should be enough for three tight clusters"
        expect(False, f"{goal}, but ZZᵀ misses {lost:.2f} of κ(x, x) = 1.", hint)
    measure_loss(function, np.tile(draw(size=(10, 3)), (6, 1)), c=40, k=30, gamma=0.5)
    measure_loss(function, np.ones((60, 3)), c=20, k=5, gamma=0.5)  # W = 11ᵀ: σ₂, σ₃, … are tiny or zero


check_nystrom = Check(
    "Check what Nyström's features have in common, whichever training rows are the landmarks.",
    "question 6: ZZᵀ is Nyström's approximation, repeated landmarks or not",
    has_nystrom_parts,
    seeded("features", partial(map_small, c=10, k=5)),
)


@self_check("question 7: 300 Nyström columns beat the linear SVM on X")
def check_nystrom_svm(model, Z_test, y_test, linear_score, X_train, X_test):
    """Check that a LinearSVC on 300 columns, of 500 landmarks, beats the linear SVM of question 1."""
    lengths = expect_better(model, Z_test, y_test, linear_score)
    longest, kept = lengths.max(), lengths[:SCORED].mean()
    expect(longest < 1.001, f"Rows of Z_test should have ‖φ̂(x)‖² ≤ κ(x, x) = 1, got {longest:.3g}.")
    X_train, X_test = expect_rows("X_train", X_train), expect_rows("X_test", X_test)

    def mean_kept(X, c):
        rule = NystromFeatures(n_components=c, rank=300, landmarks="uniform-replace")  # γ = 1/p
        maps = (clone(rule).set_params(random_state=seed).fit(X) for seed in (0, 1))
        return np.mean([np.mean(np.sum(phi.transform(X_test[:SCORED]) ** 2, axis=1)) for phi in maps])

    means = {
        "": mean_kept(X_train, 500),
        "c should be 500": mean_kept(X_train, 300),
        "are the landmarks rows of X_train?": mean_kept(X_test, min(500, len(X_test))),
    }
    nearest = min(means, key=lambda hint: abs(means[hint] - kept))
    told_apart = nearest and abs(means[nearest] - means[""]) >= 0.004
    goal = f"{means['']:.3f} of κ(x, x) = 1 on average, as 500 landmarks and 300 columns do"
    expect(not told_apart, f"Rows of Z_test should keep {goal}, got {kept:.3f}.", nearest)


@self_check("question 8: scores rise with c on the whole, and every time is positive")
def check_sweep(c, scores, seconds):
    """Check the scores and times of one method at twelve values of c: both rise with c on the whole."""
    sizes = expect_real("c", c).tolist()
    expect(sizes == list(range(20, 600, 50)), f"c should be range(20, 600, 50), got {sizes}.")
    scores, seconds = expect_numbers("scores", scores, (12,)), expect_numbers("seconds", seconds, (12,))
    expect(scores.min() >= 0 and scores.max() <= 1, f"scores should be from 0 to 1, got {scores.max():.3g}.")
    least = seconds.min()
    expect(least > 0, f"seconds should be positive, got {least:.3g}.", "subtract the start from the end")
    # times depend on what else the machine does, so only a reversed order is refused
    for name, values, least in (("scores", scores, 0.5), ("seconds", seconds, -0.9)):
        rises = spearmanr(c, values).statistic
        sentence = f"{name} should rise with c on the whole, got a rank correlation of {rises:.2f}."
        expect(rises > least, sentence)


__all__ = public_names(globals())
