"""The lab's explorer shows what the lab measured."""

import numpy as np
import pytest

from kernlib.explorers.lab import synthesis


def test_the_labs_explorer_shows_what_was_measured():
    rng = np.random.default_rng(0)
    sweep = {name: rng.uniform(0.1, 0.9, (3, 3, 5)) for name in ("random features", "Nyström")}
    explorer = synthesis((20, 70, 120), sweep, {"Gaussian SVM": [0.0, 1.0, 2.0, 0.98, 0.9]})
    scores, times, said = explorer.frames({"c": 70, "score": "balanced accuracy"})
    line = scores["series"][0]
    assert line["y"][1] == pytest.approx(np.median(sweep["random features"][1, :, 4]), rel=1e-3)
    assert line["low"][1] == pytest.approx(sweep["random features"][1, :, 4].min(), rel=1e-3)
    assert times["series"][-1]["y"] == [3, 3, 3]
    assert f"{np.median(sweep['random features'][1, :, 4]):.3f}" in said
