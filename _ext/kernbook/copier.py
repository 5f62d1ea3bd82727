"""Import what chapters import, then copy this process for each kernel: a line of JSON in, its number out.

`kernels.py` runs this file, on Linux. Nothing of kernlib is imported here, so nothing of it can be outdated.
"""

import json
import os
import runpy
import signal
import sys
from importlib import import_module

# pyplot is missing: it connects itself to the kernel in which it is imported.
IMPORTS = [
    *("IPython.core.completer", "anywidget", "ipykernel.ipkernel", "ipykernel.kernelapp", "ipywidgets"),
    *("matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg", "matplotlib.figure"),
    *("scipy.linalg", "scipy.optimize", "scipy.spatial.distance", "scipy.stats", "threadpoolctl"),
    *("sklearn.datasets", "sklearn.decomposition", "sklearn.gaussian_process", "sklearn.model_selection"),
    *("sklearn.pipeline", "sklearn.preprocessing", "sklearn.svm"),
]


def main():
    """Copy this process for each line; return the line's request in the copy, None at the end."""
    del sys.path[0]  # the folder of this file
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # a kernel ends with the process above it
    for name in IMPORTS:
        import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no copy stays as a zombie
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    for line in sys.stdin:
        # A copy has only the thread that copies, and others might hold a lock.
        alone = len(os.listdir("/proc/self/task")) == 1
        pid = os.fork() if alone else 0
        if alone and not pid:
            answers.close()
            return json.loads(line)
        print(pid, file=answers)
    return None


def become_kernel(command, cwd, env):
    """Run in a copy what `python -m module arguments` would run in a new process."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = command[2:]
    runpy.run_module(command[2], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    if request := main():
        become_kernel(**request)
