"""Start kernels as copies of one process (`copier.py`), which has imported what would take each 3 seconds."""

import json
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning import LocalProvisioner

COPIER = Path(__file__).with_name("copier.py")


class Copier:
    """The process that is copied; it starts with these variables at the first kernel."""

    def __init__(self, environ):
        self.environ, self.guard, self.process = environ, threading.Lock(), None

    def copy(self, **request):
        """Return a new process that runs a command, or None if that cannot be a copy."""
        with self.guard:
            if self.process is None:
                pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
                # In a session of its own it gets no Ctrl-C.
                self.process = subprocess.Popen(
                    [sys.executable, COPIER], env=self.environ, start_new_session=True, **pipes
                )
            with suppress(BrokenPipeError):
                print(json.dumps(request), file=self.process.stdin, flush=True)
            pid = int(self.process.stdout.readline() or 0)
        return Copy(pid) if pid else None

    def close(self):
        """End the process."""
        if self.process is not None:
            self.process.communicate()


class Copy(psutil.Process):
    """A kernel that is a copy, with what `LocalProvisioner` needs of `subprocess.Popen`."""

    stdin = stdout = stderr = None

    def poll(self):
        """Return None while the kernel runs; its exit code is not known."""
        return None if self.is_running() else 1

    def send_signal(self, number):
        """Send a signal, unless the kernel has ended."""
        with suppress(psutil.NoSuchProcess):
            super().send_signal(number)


class Provisioner(LocalProvisioner):
    """Start a kernel as a copy if it can be one."""

    async def launch_kernel(self, cmd, **options):
        """Start it and say how to reach it."""
        request = {"command": cmd, "cwd": str(options["cwd"]), "env": options["env"]}
        self.process = self.parent.copier.copy(**request) if cmd[:2] == [sys.executable, "-m"] else None
        if self.process is None:
            return await super().launch_kernel(cmd, **options)
        self.pid = self.pgid = self.process.pid
        self.cwd = options["cwd"]
        return self.connection_info


class CopyingManager(AsyncKernelManager):
    """A kernel's manager that asks a copier for its process."""

    copier = None

    async def _async_pre_start_kernel(self, **options):
        self.provisioner = Provisioner(kernel_spec=self.kernel_spec, parent=self)
        return await super()._async_pre_start_kernel(**options)


@contextmanager
def manager_for(kernels, environ):
    """Give the class that starts this many kernels: as copies if that pays, on Linux."""
    # On macOS a copy of a process that has loaded such libraries may die.
    if kernels == 1 or sys.platform != "linux":
        yield AsyncKernelManager
        return
    copier = Copier(environ)
    try:
        yield type("Manager", (CopyingManager,), {"copier": copier})
    finally:
        copier.close()
