"""A program that imports what notebooks import and then forks a kernel for each line that it reads.

A line is JSON: the arguments of the kernel, its environment, its folder. The answer is its process's number.
kernlib is not imported here: each kernel reads it afresh. The program ends when its input does.
"""

import json
import os
import signal
import sys
from contextlib import suppress
from importlib import import_module

LIBRARIES = (
    "ipykernel.kernelapp",
    "matplotlib.backends.backend_agg",
    "matplotlib.pyplot",
    "scipy.integrate",
    "scipy.stats",
    "sklearn.datasets",
    "sklearn.decomposition",
    "sklearn.model_selection",
    "sklearn.svm",
)


def main():
    """Serve until the input ends; return in each fork what its line says."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a kernel prints by itself is not an answer
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # ipykernel reads it when it is imported
    for library in LIBRARIES:
        with suppress(ImportError):  # the affair of the notebook that needs it
            import_module(library)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system itself buries the kernels
    for line in sys.stdin:
        if pid := os.fork():
            print(pid, file=answers, flush=True)
        else:
            answers.close()
            return json.loads(line)
    return None


def become_kernel(argv, environ, folder):
    """Be what `python -m ipykernel_launcher` is: a session of its own that ends with the process above it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = open(0)
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(folder)
    sys.argv = ["ipykernel_launcher", *argv]
    sys.modules["ipykernel.kernelapp"].launch_new_instance()


if __name__ == "__main__":
    del sys.path[0]  # this file's folder, which no kernel sees
    if request := main():
        become_kernel(*request)
