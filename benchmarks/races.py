"""The races: each row of the design's table, the same in float32, and what else a user would pick.

A truth is computed apart from both, by a formula written out or in higher precision, so that speed at the
price of accuracy can't pass for a gain. Data are normal, of ijcnn1's dimensions, or Letter Recognition.
"""

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import svds
from scipy.spatial.distance import cdist
from sklearn.decomposition import KernelPCA as ScikitLearnKernelPCA
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.kernel_ridge import KernelRidge as ScikitLearnKernelRidge
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from benchmarks.race import Race
from kernlib.datasets import load_letters
from kernlib.duality import representer
from kernlib.fourier import FourierFeatures
from kernlib.kernel_pca import KernelPCA
from kernlib.kernels import Gaussian, Laplace
from kernlib.low_rank import truncation_errors
from kernlib.nystrom import NystromFeatures, NystromRidge
from kernlib.ridge import KernelRidge, ridge_path
from kernlib.streaming import StreamingRidge
from kernlib.strings import AllSubsequences, all_subsequences

__all__ = ["RACES"]

P = 22  # columns of ijcnn1
GAMMA = 1 / P
F64, F32 = "f64", "f32"
ALL_DTYPES = [(F64, F64), (F32, F64), (F32, F32)]  # ours against theirs


def normal(n, p=P, seed=0):
    """Give n rows of p standard normal numbers."""
    return np.random.default_rng(seed).normal(size=(n, p))


def cast(A, dtype):
    """Give A in "f32" or "f64"."""
    return A.astype({F64: np.float64, F32: np.float32}[dtype])


def letters():
    """Give Letter Recognition, standardised: training rows and labels, test rows and labels."""
    data = load_letters()
    scaler = StandardScaler().fit(data.train.X)
    parts = (scaler.transform(data.train.X), data.train.y, scaler.transform(data.test.X), data.test.y)
    return tuple(part.astype(np.float64) for part in parts)


def distance(truth):
    """Give the error of an array: its largest difference from the truth."""
    return lambda result: np.abs(result - truth).max()


def rms(truth):
    """Give the error of predictions: their root mean square difference from the targets."""
    return lambda predictions: np.sqrt(np.mean((predictions - truth) ** 2))


def fourier_features(modules):
    """RFF, 60,000 × 22 → 300."""
    X, few = normal(60_000), slice(0, 500)
    G = np.exp(-GAMMA * cdist(X[few], X[few], "sqeuclidean"))

    def error(Z):
        return np.sqrt(np.mean((Z[few].astype(float) @ Z[few].T.astype(float) - G) ** 2))

    work, measure = "random Fourier features, 60,000 × 22 → 300", "rms error of ZZᵀ, 500 rows"
    for (ours, theirs), goal in zip(ALL_DTYPES, (None, 16, 2.4), strict=True):
        A, B = cast(X, ours), cast(X, theirs)
        mine = FourierFeatures(Gaussian(GAMMA), n_components=300, random_state=0).fit(A)
        sampler = RBFSampler(gamma=GAMMA, n_components=300, random_state=0).fit(B)
        yield Race(
            work,
            "scikit-learn RBFSampler",
            lambda mine=mine, A=A: mine.transform(A),
            lambda sampler=sampler, B=B: sampler.transform(B),
            error,
            measure,
            (ours, theirs),
            goal,
            slack=0.01,  # other draws
        )
    if "torch" in modules:
        torch = modules["torch"]
        Omega = np.sqrt(2 * GAMMA) * normal(P, 150, 1)
        for dtype in (F64, F32):
            A = cast(X, dtype)
            T, W = torch.from_numpy(A), torch.from_numpy(cast(Omega, dtype))

            def by_torch(T=T, W=W):
                angles = T @ W
                return torch.cat([torch.cos(angles), torch.sin(angles)], 1).mul_((1 / 150) ** 0.5).numpy()

            mine = FourierFeatures(Gaussian(GAMMA), n_components=300, random_state=0).fit(A)
            yield Race(
                work,
                "torch, the same formula",
                lambda mine=mine, A=A: mine.transform(A),
                by_torch,
                error,
                measure,
                (dtype, dtype),
                slack=0.01,  # other draws
            )


def gram_matrices(modules):
    """Gaussian and Laplace Gram matrices, 4000²."""
    X = normal(4000)
    kernels = {
        "Gaussian": (Gaussian(GAMMA), "sqeuclidean", lambda A: rbf_kernel(A, gamma=GAMMA), (3.5, 6, None)),
        "Laplace": (
            Laplace(GAMMA),
            "cityblock",
            lambda A: laplacian_kernel(A, gamma=GAMMA),
            (2.8, None, None),
        ),
    }
    for name, (kernel, metric, peer, goals) in kernels.items():
        truth = np.exp(-GAMMA * cdist(X, X, metric))
        for (ours, theirs), goal in zip(ALL_DTYPES, goals, strict=True):
            A, B = cast(X, ours), cast(X, theirs)
            yield Race(
                f"{name} Gram matrix, 4000²",
                f"scikit-learn {'rbf' if name == 'Gaussian' else 'laplacian'}_kernel",
                lambda kernel=kernel, A=A: kernel(A),
                lambda peer=peer, B=B: peer(B),
                distance(truth),
                "largest error of an entry",
                (ours, theirs),
                goal,
                slack=1e-10 if ours == F64 else 1e-5,
                rounds=11,
            )
        if "torch" in modules:
            torch = modules["torch"]
            for dtype in (F64, F32):
                A = cast(X, dtype)
                T, order = torch.from_numpy(A), 2 if name == "Gaussian" else 1

                def by_torch(torch=torch, T=T, order=order):
                    return torch.cdist(T, T, order).pow_(order).mul_(-GAMMA).exp_().numpy()

                yield Race(
                    f"{name} Gram matrix, 4000²",
                    "torch, cdist and exp",
                    lambda kernel=kernel, A=A: kernel(A),
                    by_torch,
                    distance(truth),
                    "largest error of an entry",
                    (dtype, dtype),
                    slack=1e-10 if dtype == F64 else 1e-5,
                    rounds=11,
                )
    if "pykeops" in modules:
        points, v = normal(20_000), normal(20_000, 1, 1)
        rows = slice(0, 300)
        some = np.exp(-GAMMA * cdist(points[rows], points, "sqeuclidean")) @ v
        lazy = modules["pykeops"].LazyTensor
        for dtype in (F64, F32):
            A, b = cast(points, dtype), cast(v, dtype)
            x, y = lazy(A[:, None, :]), lazy(A[None, :, :])

            def by_keops(x=x, y=y, b=b):
                return (-GAMMA * ((x - y) ** 2).sum(-1)).exp() @ b

            yield Race(
                "Gaussian kernel times a vector, n = 20,000",
                "pykeops LazyTensor",
                lambda A=A, b=b: Gaussian(GAMMA).gram_product(A, b),
                by_keops,
                lambda result, some=some: np.abs(result[rows] - some).max() / np.abs(some).max(),
                "largest relative error, 300 rows",
                (dtype, dtype),
                slack=1e-9 if dtype == F64 else 1e-3,
                rounds=3,
            )


def nystrom(modules):
    """Nyström features and predictions, c = 500."""
    X, c = normal(60_000), 500
    few = slice(20_000, 20_500)
    G = np.exp(-GAMMA * cdist(X[few], X[few], "sqeuclidean"))

    def error(Z):
        Z = Z[:500].astype(float)
        return np.sqrt(np.mean((Z @ Z.T - G) ** 2))

    for (ours, theirs), (fit, transform, predict) in zip(
        ALL_DTYPES, [(7.6, 1.8, 12), (None, None, 21), (None, 3.5, None)], strict=True
    ):
        A, B = cast(X[:20_000], ours), cast(X[:20_000], theirs)
        new_a, new_b = cast(X[20_000:], ours), cast(X[20_000:], theirs)
        landmarks = Nystroem(gamma=GAMMA, n_components=c, random_state=0).fit(B).components_
        slack = 1e-8 if ours == F64 else 1e-3

        def fit_ours(A=A):
            return NystromFeatures(Gaussian(GAMMA), n_components=c, random_state=0).fit(A)

        def fit_theirs(B=B):
            return Nystroem(gamma=GAMMA, n_components=c, random_state=0).fit(B)

        mine = NystromFeatures(Gaussian(GAMMA), landmarks=cast(landmarks, ours)).fit(A)
        other = fit_theirs()
        yield Race(
            "Nyström fit, 20,000 × 22, c = 500",
            "scikit-learn Nystroem",
            fit_ours,
            fit_theirs,
            lambda model, new=new_b: error(model.transform(new[:500])),
            "rms error of ZZᵀ, 500 rows",
            (ours, theirs),
            fit,
            slack=1e-2,  # the landmarks are drawn apart
        )
        yield Race(
            "Nyström transform, 40,000 × 500",
            "scikit-learn Nystroem",
            lambda mine=mine, new=new_a: mine.transform(new),
            lambda other=other, new=new_b: other.transform(new),
            error,
            "rms error of ZZᵀ, 500 rows",
            (ours, theirs),
            transform,
            slack=slack,
        )
        w = np.random.default_rng(1).normal(size=c)
        a = (mine.normalization_.T.astype(float) @ (mine.normalization_ @ w)).astype(A.dtype)
        exact = np.exp(-GAMMA * cdist(X[few], landmarks, "sqeuclidean")) @ a.astype(float)
        theirs_w = linalg.solve(other.normalization_.T.astype(float), a.astype(float))
        theirs_w = theirs_w.astype(B.dtype)
        yield Race(
            "Nyström prediction, 40,000 rows, c = 500",
            "scikit-learn Nystroem, then Z @ w",
            lambda mine=mine, a=a, new=new_a: representer(mine.kernel_, new, mine.components_, a),
            lambda other=other, w=theirs_w, new=new_b: other.transform(new) @ w,
            lambda f, exact=exact: np.abs(f[:500] - exact).max() / np.abs(exact).max(),
            "largest relative error, 500 rows",
            (ours, theirs),
            predict,
            slack=slack,
        )


def ridge_by_landmarks(modules):
    """Nyström ridge, c = 1000, on Letter Recognition."""
    X, y, new, truth = letters()
    gamma, c, lam = 1 / X.shape[1], 1000, 1e-6
    peers = {"scikit-learn Nystroem + Ridge": Ridge}
    if "scikit-learn-intelex" in modules:
        from sklearnex.linear_model import Ridge as IntelRidge

        peers["Nystroem + scikit-learn-intelex Ridge"] = IntelRidge
    for ours, theirs in ALL_DTYPES:
        for peer, model in peers.items():
            A, B = cast(X, ours), cast(X, theirs)
            new_a, new_b = cast(new, ours), cast(new, theirs)

            def fit_ours(A=A, new=new_a):
                model = NystromRidge(Gaussian(gamma), n_components=c, lam=lam, random_state=0)
                return model.fit(A, y).predict(new)

            def fit_theirs(B=B, new=new_b, model=model):
                steps = (
                    Nystroem(gamma=gamma, n_components=c, random_state=0),
                    model(alpha=len(B) * lam, fit_intercept=False),
                )
                return make_pipeline(*steps).fit(B, y.astype(B.dtype)).predict(new)

            yield Race(
                f"Nyström ridge, {len(X):,} × 16, c = 1000, fit and predict",
                peer,
                fit_ours,
                fit_theirs,
                rms(truth),
                "rms error on the test part",
                (ours, theirs),
                4.4 if (ours, peer) == (F64, "scikit-learn Nystroem + Ridge") else None,
                slack=0.01,  # the landmarks are drawn apart
                rounds=5,
            )


def exact_ridge(modules):
    """Exact ridge, n = 5000 and n = 20,000."""
    X, y, new, truth = letters()
    gamma, lam = 1 / X.shape[1], 1e-6
    for (ours, theirs), goal in zip(ALL_DTYPES, (1.55, None, 3.2), strict=True):
        A, B = cast(X[:5000], ours), cast(X[:5000], theirs)
        new_a, new_b = cast(new, ours), cast(new, theirs)
        yield Race(
            "exact kernel ridge, n = 5000, fit and predict",
            "scikit-learn KernelRidge",
            lambda A=A, t=new_a: KernelRidge(Gaussian(gamma), lam=lam).fit(A, y[:5000]).predict(t),
            lambda B=B, t=new_b: (
                ScikitLearnKernelRidge(kernel="rbf", gamma=gamma, alpha=5000 * lam)
                .fit(B, y[:5000].astype(B.dtype))
                .predict(t)
            ),
            rms(truth),
            "rms error on the test part",
            (ours, theirs),
            goal,
            slack=1e-3,
            rounds=5,
        )
    n = 12_000  # with 16,000 rows and more, scikit-learn's solver ends in a crash of its BLAS here
    X, new = normal(n), normal(2000, seed=1)
    y, truth = waves(X) + 0.1 * normal(n, 1, 2)[:, 0], waves(new)

    def ours():
        model = KernelRidge(Gaussian(GAMMA), lam=1e-5, solver="cg", tol=1e-4, random_state=0, verbose=False)
        return model.fit(X, y).predict(new)

    yield Race(
        f"exact kernel ridge, n = {n:,}, fit and predict",
        "scikit-learn KernelRidge",
        ours,
        lambda: ScikitLearnKernelRidge(kernel="rbf", gamma=GAMMA, alpha=n * 1e-5).fit(X, y).predict(new),
        rms(truth),
        "rms error on the test part",
        goal=17,
        slack=1e-4,
        rounds=2,
    )
    if "scikit-learn-extra" in modules:
        peer = modules["scikit-learn-extra"].EigenProRegressor(kernel="rbf", gamma=GAMMA, random_state=0)
        yield Race(
            f"exact kernel ridge, n = {n:,}, fit and predict",
            "scikit-learn-extra EigenPro",
            lambda: (
                KernelRidge(Gaussian(GAMMA), lam=1e-5, solver="cg", tol=1e-4, verbose=False)
                .fit(X, y)
                .predict(new)
            ),
            lambda: peer.fit(X, y).predict(new),
            rms(truth),
            "rms error on the test part",
            goal=3,
            slack=0.05,
            rounds=2,
        )


def ridge_paths(modules):
    """20 values of λ, n = 2000."""
    X, y, new, truth = letters()
    gamma, lams = 1 / X.shape[1], np.logspace(-8, 0, 20)
    X, y = X[:2000], y[:2000]

    def ours():
        kernel = Gaussian(gamma)
        return kernel(new, X) @ ridge_path(kernel(X), y, lams=lams).dual_coef.T

    def theirs():
        fits = [ScikitLearnKernelRidge(kernel="rbf", gamma=gamma, alpha=2000 * lam).fit(X, y) for lam in lams]
        return np.column_stack([fit.predict(new) for fit in fits])

    yield Race(
        "20 values of λ, n = 2000, fit and predict (ours with leave-one-out)",
        "scikit-learn KernelRidge, a loop",
        ours,
        theirs,
        rms(truth[:, None]),
        "rms error on the test part, all λ",
        goal=4.4,
        slack=1e-6,
        rounds=5,
    )


def kernel_pca(modules):
    """Kernel PCA, n = 5000, 20 components."""
    X, n = normal(5000), 5000
    G = rbf_kernel(X, gamma=GAMMA)
    HGH = G - G.mean(axis=0) - G.mean(axis=1)[:, None] + G.mean()
    top = linalg.eigh(HGH, eigvals_only=True, subset_by_index=[n - 20, n - 1])[::-1]

    def error(Z):
        return np.abs(np.sum(Z.astype(float) ** 2, axis=0) / top - 1).max()

    for solver, goals, rounds in (("arpack", (1.2, None, 3.6), 5), ("auto", (18, None, None), 1)):
        for (ours, theirs), goal in zip(ALL_DTYPES, goals, strict=True):
            if solver == "auto" and theirs == F32:
                continue
            A, B = cast(X, ours), cast(X, theirs)
            yield Race(
                "kernel PCA, n = 5000, 20 components",
                f"scikit-learn KernelPCA, eigen_solver={solver!r}",
                lambda A=A: KernelPCA(Gaussian(GAMMA), n_components=20, random_state=0).fit_transform(A),
                lambda B=B, solver=solver: ScikitLearnKernelPCA(
                    20, kernel="rbf", gamma=GAMMA, eigen_solver=solver, random_state=0
                ).fit_transform(B),
                error,
                "largest relative error of an eigenvalue",
                (ours, theirs),
                goal,
                slack=1e-10 if ours == F64 else 1e-4,
                rounds=rounds,
            )


def truncation(modules):
    """The lab's sweep, k = 1…100."""
    rng = np.random.default_rng(0)
    signal, noise = rng.normal(size=(20, 200)), rng.normal(size=(100, 200))
    G = 50 * signal.T @ signal + noise.T @ noise
    lam = np.sort(linalg.eigvalsh(G) ** 2)[::-1]
    truth = np.sqrt(1 - np.cumsum(lam)[:100] / lam.sum())
    start = rng.normal(size=200)

    def sweep(top):
        """The lab's loop: G_k for each k, and its error."""
        errors = []
        for k in range(1, 101):
            U, s, Vt = top(k)
            errors.append(np.linalg.norm((U * s) @ Vt - G) / np.linalg.norm(G))
        return np.array(errors)

    def svd(k):
        U, s, Vt = linalg.svd(G)
        return U[:, :k], s[:k], Vt[:k]

    for peer, top, goal in (
        ("scipy svds for each k", lambda k: svds(G, k, v0=start), 142),
        ("scipy svd for each k", svd, 93),
    ):
        yield Race(
            "error of G_k for k = 1…100, n = 200",
            peer,
            lambda: truncation_errors(G)[1:101],
            lambda top=top: sweep(top),
            distance(truth),
            "largest error",
            goal=goal,
            slack=1e-7,  # the truth, as a difference, is exact to half of the digits
            rounds=5,
        )


def support_vectors(modules):
    """The decision function of an exact SVM, 10,000 rows."""
    X, new = normal(6000), normal(10_000, seed=1)
    y = waves(X) > 0
    models = {"scikit-learn SVC.decision_function": SVC(C=1, gamma=GAMMA).fit(X, y)}
    if "scikit-learn-intelex" in modules:
        from sklearnex.svm import SVC as IntelSVC

        models["scikit-learn-intelex SVC.decision_function"] = IntelSVC(C=1, gamma=GAMMA).fit(X, y)
    for peer, model in models.items():
        S = np.asarray(model.support_vectors_)
        alpha, b = np.asarray(model.dual_coef_)[0], float(np.ravel(model.intercept_)[0])
        truth = np.exp(-GAMMA * cdist(new, S, "sqeuclidean")) @ alpha + b
        for ours, goal in ((F64, 19 if peer.startswith("scikit-learn SVC") else None), (F32, None)):
            A, s, a = cast(new, ours), cast(S, ours), cast(alpha, ours)
            yield Race(
                f"exact SVM decision, 10,000 × {len(S):,} support vectors",
                peer,
                lambda A=A, s=s, a=a, b=b: representer(Gaussian(GAMMA), A, s, a) + b,
                lambda model=model: model.decision_function(new),
                distance(truth),
                "largest error",
                (ours, F64),
                goal,
                slack=1e-9 if ours == F64 else 1e-3,
                rounds=5,
            )


def string_kernels(modules):
    """The all-subsequences Gram matrix."""
    rng = np.random.default_rng(0)

    def strings(n, length):
        return ["".join(rng.choice(list("ACGT"), length)) for _ in range(n)]

    def pair_by_pair(S):
        G = np.zeros((len(S), len(S)))
        for i, s in enumerate(S):
            for j, t in enumerate(S[: i + 1]):
                G[i, j] = G[j, i] = all_subsequences(s, t, weight=1.0)
        return G

    S = strings(300, 60)
    exact = np.array([[float(all_subsequences(s, t)) for t in S[:20]] for s in S[:20]])
    yield Race(
        "all-subsequences Gram matrix, 300 strings × 60",
        "pure Python, the same recurrence",
        lambda: AllSubsequences()(S),
        lambda: pair_by_pair(S),
        lambda G: np.abs(G[:20, :20] / exact - 1).max(),
        "largest relative error, 20 strings",
        goal=60,
        slack=1e-12,
        rounds=2,
    )
    if "MKLpy" in modules:
        short = strings(60, 12)
        truth = np.array([[float(all_subsequences(s, t)) for t in short] for s in short])
        yield Race(
            "all-subsequences Gram matrix, 60 strings × 12",
            "MKLpy all_subsequences_kernel (exponential)",
            lambda: AllSubsequences()(short),
            lambda: np.asarray(modules["MKLpy"].all_subsequences_kernel(short, short)),
            distance(truth),
            "largest error",
            slack=1e-12,
            rounds=2,
        )


def streaming(modules):
    """One-pass ridge on 10⁶ rows, c = 300, constant memory."""
    n, c, lam = 10**6, 300, 1e-6
    X, new = normal(n).astype(np.float32), normal(2000, seed=1)
    y, truth = waves(X) + 0.1 * normal(n, 1, 2)[:, 0], waves(new)
    for (ours, theirs), goal in zip(ALL_DTYPES, (None, 5, 1.07), strict=True):
        A, B = cast(X, ours), cast(X, theirs)

        def one_pass(A=A, ours=ours):
            features = FourierFeatures(Gaussian(GAMMA), n_components=c, random_state=0)
            return StreamingRidge(features, lam=lam, verbose=False).fit(A, y).predict(cast(new, ours))

        def blocks(B=B, theirs=theirs):
            sampler = RBFSampler(gamma=GAMMA, n_components=c, random_state=0).fit(B[:1])
            gram, moment = np.zeros((c, c)), np.zeros(c)
            for start in range(0, n, 10_000):
                Z = sampler.transform(B[start : start + 10_000])
                gram += Z.T @ Z
                moment += Z.T @ y[start : start + 10_000].astype(Z.dtype)
            w = linalg.solve(gram + n * lam * np.eye(c), moment, assume_a="pos")
            return sampler.transform(cast(new, theirs)) @ w

        yield Race(
            "streaming ridge, 10⁶ rows, c = 300",
            "scikit-learn RBFSampler, normal equations",
            one_pass,
            blocks,
            rms(truth),
            "rms error on the test part",
            (ours, theirs),
            goal,
            slack=0.02,  # the frequencies are drawn apart
            rounds=3,
        )


def waves(X):
    """Give a smooth function of the first columns, of values about ±1."""
    return np.sin(X[:, 0] + X[:, 1]) * np.cos(0.5 * X[:, 2])


RACES = {
    "fourier": fourier_features,
    "gram": gram_matrices,
    "nystrom": nystrom,
    "nystrom-ridge": ridge_by_landmarks,
    "ridge": exact_ridge,
    "path": ridge_paths,
    "kernel-pca": kernel_pca,
    "truncation": truncation,
    "svm": support_vectors,
    "strings": string_kernels,
    "streaming": streaming,
}
