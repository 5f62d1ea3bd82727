"""The machine of a record: what it is, and how much of it other programs used during a measurement."""

import platform
import time
from pathlib import Path

import numpy as np
import psutil
from joblib import cpu_count
from threadpoolctl import threadpool_info

QUIET = 0.1  # the share of the machine that others, or the host, may take before a measurement is repeated
TRIES = 3  # at most


def describe_machine():
    """Return the processor, as ``/proc/cpuinfo`` or Python names it, its cores, and Python's version."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "processor": names[0] if names else platform.processor(),
        "cpus": cpu_count(),
        "architecture": platform.machine(),
        "python": platform.python_version(),
    }


def list_libraries():
    """Return each BLAS and OpenMP that is loaded: its owner, version, core type and threads."""
    import scipy.linalg  # noqa: F401  so that both are loaded
    import sklearn.cluster  # noqa: F401

    return [
        {
            "owner": Path(pool["filepath"]).parent.name.partition(".")[0],
            "name": pool["internal_api"],
            "version": pool["version"],
            "core": pool.get("architecture"),
            "threads": pool["num_threads"],
        }
        for pool in threadpool_info()
    ]


class OtherLoad:
    """Measures, from its creation on, which share of all cores' time other programs and the host take."""

    def __init__(self, *pids):
        self.processes = [psutil.Process(pid) for pid in (None, *pids)]  # None: this one
        self.start, self.before, self.own = time.perf_counter(), read_all_work(), self.read_own_work()

    def shares(self):
        """Return the share of others' work and the share that the host took."""
        work, steal = np.subtract(read_all_work(), self.before)
        whole = (time.perf_counter() - self.start) * cpu_count()
        return float(max(0.0, work - (self.read_own_work() - self.own)) / whole), float(steal / whole)

    def read_own_work(self):
        """Add up the seconds of all cores that our processes have spent."""
        running = [process.cpu_times() for process in self.processes if process.is_running()]
        return sum(times.user + times.system for times in running)


def largest_share(shares):
    """Return the larger of the shares that others and the host took."""
    return max(shares)


def is_busy(shares):
    """Return whether others took so much that a measurement has to be repeated."""
    return largest_share(shares) > QUIET


def read_all_work():
    """Read the seconds that all cores have worked, and those that the host took, which Linux alone counts."""
    times = psutil.cpu_times()._asdict()
    worked = sum(times.get(kind, 0) for kind in ("user", "nice", "system", "irq", "softirq"))
    return worked, times.get("steal", 0)
