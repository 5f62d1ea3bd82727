"""In a browser, kernlib does without threads, processes and Dask."""

import os
import subprocess
import sys

# Takes from this Python what Pyodide 314 lacks, once the libraries are loaded.
AS_IN_A_BROWSER = """
import _thread, multiprocessing, os, pkgutil, signal, subprocess, sys, threading, time, warnings
from importlib import import_module
import anywidget, joblib, matplotlib.pyplot, numpy as np, scipy.linalg, sklearn.svm, threadpoolctl, tqdm

def refuse(*_, **__):
    raise RuntimeError("can't start new thread")

sys.platform = "emscripten"
_thread.start_new_thread = refuse
threading.Thread.start = os.fork = subprocess.Popen.__init__ = multiprocessing.Process.start = refuse
del signal.setitimer, time.thread_time
sys.modules["dask"] = sys.modules["distributed"] = None
warnings.simplefilter("error")
warnings.filterwarnings("ignore", category=DeprecationWarning, module="(?!kernlib)")
"""
EVERYTHING = """
import kernlib
for module in pkgutil.walk_packages(kernlib.__path__, "kernlib."):
    import_module(module.name)
"""
COMPUTING = """
from kernlib.numerics.blocks import count_threads
from kernlib.book.datasets import load_ijcnn1, load_letters
from kernlib.book.checks import strings
from kernlib.book.explore.live import Live
from kernlib.book.explorers.fourier import EXPLORER
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian
from kernlib.nystrom import NystromRidge
from kernlib.numerics.progress import progress_bar
from kernlib.streaming import StreamingRidge
from kernlib.strings import AllSubsequences, all_subsequences

letters = load_letters()
X, y = letters.train
assert len(y) == len(letters.test.y) == 4000 and count_threads() == 1
G = Gaussian(0.05)(X[:1200])
assert np.allclose(G[3, 5], np.exp(-0.05 * ((X[3] - X[5]) ** 2).sum()))
model = NystromRidge(n_components=50, random_state=0).fit(X[:3000], y[:3000])
assert model.score(X[3000:], y[3000:]) > 0
model = StreamingRidge(FourierFeatures(n_components=64, random_state=0))
assert model.fit(X, y).predict(X).shape == (4000,)
assert AllSubsequences()(["gatta", "cata"])[0, 1] == all_subsequences("gatta", "cata") == 14
strings.check_kernel(lambda s, t, weight: all_subsequences(s, t, weight=weight))
Live(EXPLORER)
list(progress_bar(range(3), mininterval=0))
try:
    load_ijcnn1()
except OSError as error:
    assert "a browser" in str(error)
else:
    raise AssertionError("ijcnn1 came from somewhere")
"""


def test_everything_is_imported_and_computes_without_threads_processes_and_dask(tmp_path):
    nowhere = {"KERNLIB_DATA": "", "KERNLIB_CACHE": str(tmp_path), "KERNLIB_ROWS": ""}
    environ = os.environ | nowhere | {"OPENBLAS_NUM_THREADS": "2"}
    code = AS_IN_A_BROWSER + EVERYTHING + COMPUTING
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environ)
    assert not done.returncode, done.stderr[-2000:]
    assert "letters: 4,000 of 16,000 train rows" in done.stdout
    assert "letters: 4,000 of 4,000" not in done.stdout
