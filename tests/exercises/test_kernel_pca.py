"""The self-checks on kernel PCA let right answers pass and tell each usual wrong one what is wrong."""

import numpy as np
import pytest
from scipy import linalg

from kernlib.exercises import kernel_pca as check


def centred(K, G):
    rows = K - G.mean(axis=0)
    return rows - rows.mean(axis=1, keepdims=True)


def projecting(power=0.5, cut=True, rows=centred, columns=centred, order=-1):
    """A student's kernel PCA, with mistakes to choose from."""

    def project(G, K, k):
        lam, V = linalg.eigh(columns(G, G))
        lam, V = lam[::-1][:k], V[:, ::-1][:, :k]
        kept = lam > 1e-10 * lam[0] if cut else lam != 0
        alpha = np.zeros_like(V)
        alpha[:, kept] = V[:, kept] / np.abs(lam[kept]) ** power
        return (rows(K, G) @ alpha)[:, ::-order]

    return project


def placing(factor=-0.5, root=0.5, centre=True):
    def place(D, k):
        lam, V = linalg.eigh(factor * (centred(D, D) if centre else D))
        lam, V = np.maximum(lam[::-1][:k], 0), V[:, ::-1][:, :k]
        return np.pad(V * lam**root, ((0, 0), (0, k - V.shape[1])))

    return place


def stepping(halve=True, weight=lambda w, terms: terms, divide=True):
    def preimage(z, X, w, gamma, steps):
        def nearness(point):
            return w * np.exp(-gamma * np.sum((X - point) ** 2, axis=1))

        for _ in range(steps):
            part = weight(w, nearness(z))
            candidate = part @ X / (part.sum() if divide else 1)
            for _ in range(50 * halve):
                if nearness(candidate).sum() >= nearness(z).sum():
                    break
                candidate = (z + candidate) / 2
            z = candidate
        return z

    return preimage


def in_place(K, G):
    K -= G.mean(axis=0)
    K -= K.mean(axis=1, keepdims=True)
    return K


@pytest.mark.parametrize(
    ("function", "answer", "line"),
    [
        (check.check_centred, centred, "✓ exercise 1"),
        (check.check_project, projecting(), "✓ exercise 2"),
        (check.check_project, lambda G, K, k: -projecting()(G, K, k), "✓ exercise 2"),
        (check.check_place, placing(), "✓ exercise 3"),
        (check.check_place, lambda D, k: placing()(D, k).tolist(), "✓ exercise 3"),
        (check.check_preimage, stepping(), "✓ exercise 4"),
    ],
)
def test_a_right_answer_passes_with_one_line(function, answer, line, capsys):
    function(answer)
    printed = capsys.readouterr().out
    assert printed.startswith(line)
    assert printed.count("\n") == 1


WRONG = [
    (check.check_centred, lambda K, G: K - G.mean(axis=0), "what is left has row means"),
    (check.check_centred, lambda K, G: K - K.mean(axis=1, keepdims=True), "training means are missing"),
    (check.check_centred, lambda K, G: centred(K, K), "those of the new rows"),
    (
        check.check_centred,
        lambda K, G: K - G.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean(),
        "the mean of all entries belongs to the training matrix",
    ),
    (check.check_centred, in_place, "should leave its arguments as they were"),
    (check.check_centred, lambda K, G: centred(K, G).T, "should have shape"),
    (check.check_project, projecting(power=0), "not divided by the root"),
    (check.check_project, projecting(power=1), "not by its root"),
    (check.check_project, projecting(rows=lambda K, G: K), "the rows of K are not centred"),
    (check.check_project, projecting(rows=lambda K, G: K - K.mean(axis=0)), "by their own means"),
    (check.check_project, projecting(rows=lambda K, G: K, columns=lambda K, G: K), "G is not centred"),
    (check.check_project, projecting(order=1), "should fall"),
    (check.check_project, projecting(cut=False), "should be zeros"),
    (check.check_place, placing(factor=-1), "the factor one half is missing"),
    (check.check_place, placing(root=0), "should be scaled by the roots"),
    (check.check_place, placing(centre=False), "should have the squared distances"),
    (check.check_preimage, stepping(halve=False), "halve a step that lowers S"),
    (check.check_preimage, stepping(divide=False, halve=False), "the denominator is missing"),
    (check.check_preimage, stepping(weight=lambda w, terms: w, halve=False), "the kernel values are missing"),
    (
        check.check_preimage,
        stepping(weight=lambda w, terms: terms / w, halve=False),
        "the weights w are missing",
    ),
    (check.check_preimage, lambda z, X, w, gamma, steps: z, "z does not move"),
]


@pytest.mark.parametrize(("function", "answer", "words"), WRONG, ids=[words for _, _, words in WRONG])
def test_a_wrong_answer_is_told_what_is_wrong_with_it(function, answer, words):
    with pytest.raises(AssertionError) as refusal:
        function(answer)
    assert words in str(refusal.value)


def test_a_map_without_room_for_its_points_must_keep_the_largest_eigenvalues():
    def place(D, k):
        lam, V = linalg.eigh(-0.5 * centred(D, D))
        order = np.argsort(-lam)[:k] if k != 2 or len(D) != 4 else [2, 1]
        return V[:, order] * np.sqrt(np.maximum(lam[order], 0))

    with pytest.raises(AssertionError, match="two largest"):
        check.check_place(place)


def test_a_map_of_distances_that_have_no_points_must_be_finite():
    def place(D, k):
        lam, V = linalg.eigh(-0.5 * centred(D, D))
        if len(D) == 15:
            lam = np.maximum(lam, 0)
        with np.errstate(invalid="ignore"):
            return (V * np.sqrt(lam))[:, ::-1][:, :k]

    with pytest.raises(AssertionError, match="finite"):
        check.check_place(place)
