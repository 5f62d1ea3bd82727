"""Kernels that start with their libraries imported: forks of one process, fork.py, that imported them once.

To start Python and to import NumPy, SciPy, scikit-learn and matplotlib takes seconds of a core, for each of
two dozen notebooks.
"""

import json
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import psutil
from jupyter_client import AsyncKernelManager
from jupyter_client.provisioning import LocalProvisioner

LAUNCHED = [sys.executable, "-m", "ipykernel_launcher"]


class Forks:
    """
    Start kernels by forking.

    Parameters
    ----------
    environ : dict
        The environment in which the libraries are imported: their numbers of threads, say.
    """

    can_be = sys.platform == "linux"  # elsewhere the system's libraries may not outlive a fork

    def __init__(self, environ):
        self.lock = threading.Lock()
        self.process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("fork.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"MPLBACKEND": "module://matplotlib_inline.backend_inline"} | environ,  # as a kernel sets it
            start_new_session=True,  # Ctrl-C is the build's affair
        )

    def fork(self, argv, environ, folder):
        """Start a kernel with these arguments and return its process; None if there is nothing to fork."""
        with self.lock, suppress(BrokenPipeError):
            print(json.dumps([argv, environ, str(folder)]), file=self.process.stdin, flush=True)
            if number := self.process.stdout.readline():
                return Fork(int(number))
        return None

    def manager(self):
        """Make what manages one kernel for a client."""
        manager = AsyncKernelManager(kernel_name="python3")
        manager.provisioner = Provisioner(parent=manager, kernel_spec=manager.kernel_spec, forks=self)
        return manager

    def close(self):
        """End the process, once its kernels have ended."""
        self.process.communicate()


class Fork(psutil.Process):
    """A kernel's process, with what Jupyter asks of a Popen besides."""

    stdin = stdout = stderr = None

    def poll(self):
        """Tell that it ended; how, only its parent knows."""
        return None if self.is_running() else 1

    def send_signal(self, number):
        """Send it, unless nobody is left to receive it."""
        with suppress(psutil.NoSuchProcess):
            super().send_signal(number)


class Provisioner(LocalProvisioner):
    """Fork a kernel where Jupyter would start this Python's own; else start it as Jupyter does."""

    def __init__(self, forks, **kwargs):
        super().__init__(**kwargs)
        self.forks = forks

    async def launch_kernel(self, cmd, *, env, cwd, **kwargs):
        """Launch it as its command says."""
        if cmd[:3] == LAUNCHED:
            self.process = self.forks.fork(cmd[3:], env, cwd)
        if self.process is None:
            return await super().launch_kernel(cmd, env=env, cwd=cwd, **kwargs)
        self.pid = self.pgid = self.process.pid
        self.cwd = cwd
        return self.connection_info
