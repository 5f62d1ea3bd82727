"""The emulated machines, and how to see that a process runs on one of them."""

import re
import sys
from dataclasses import dataclass

from matrix.environments import DEBIAN_LIBRARIES, Debian, Here, Uv
from matrix.probe import CLOCK_SEED

AVX512 = ("AVX512", "X86_V4")  # how the names of these features begin, in all versions of numpy
AVX = ("AVX", "F16C", "FMA", "X86_V3", *AVX512)
REPORTED_AS = {"Prescott": "Katmai"}  # OpenBLAS reports the oldest core type that shares the kernels


@dataclass(frozen=True)
class Machine:
    """A name, and how the machine differs from the one that the tool runs on."""

    name: str
    what: str
    core_type: str | None = None  # OpenBLAS runs the kernels of this processor
    features_off: tuple = ()  # numpy features whose names begin like this are off
    cores: int | None = None  # how many cores a process sees, and how many threads its BLAS has
    clock_seed: int | None = None  # clocks return random times
    blas: str | None = None  # the folder of Debian's libraries that holds the BLAS
    environment: object = Here()

    def variables(self):
        """Return the variables of a process; those for features and cores are set in `matrix.runs`."""
        values = {
            "OPENBLAS_CORETYPE": self.core_type,
            "OPENBLAS_NUM_THREADS": self.cores,
            "EMULATED_CORES": self.cores,
            CLOCK_SEED: self.clock_seed,
        }
        if self.blas:
            values["LD_LIBRARY_PATH"] = f"{DEBIAN_LIBRARIES}/{self.blas}:{DEBIAN_LIBRARIES}/lapack"
        if self.blas == "mkl":
            values["MKL_CBWR"] = "AUTO,STRICT"  # otherwise rounding depends on the addresses of arrays
        return {name: str(value) for name, value in values.items() if value is not None}

    def features_to_disable(self, process):
        """List the numpy features that are on in a process and should be off."""
        return [name for name, on in process["features"].items() if on and name.startswith(self.features_off)]

    def find_mismatch(self, process):
        """Say why a process, described by `matrix.probe`, does not run on this machine; None if it does."""
        expected = [[self.core_type], [REPORTED_AS.get(self.core_type)]]
        if self.core_type and process["architectures"] not in expected:
            return f"OpenBLAS has no kernels for {self.core_type}, it took {process['architectures']}"
        if self.cores and (process["cores"], process["blas_threads"]) != (self.cores, [self.cores]):
            return f"there are {process['cores']} cores, and BLAS has {process['blas_threads']} threads"
        if self.clock_seed is not None and not process["random_clock"]:
            return "its clocks are not random"
        blas_file = re.compile(rf"/{self.blas}/libblas|/lib{self.blas}_rt")
        if self.blas and not any(map(blas_file.search, process["blas_files"])):
            return f"BLAS is {', '.join(process['blas_files'])}"
        if features := self.features_to_disable(process):
            return f"numpy uses {', '.join(features)}"
        return None


DEBIAN_BLAS = Debian("blas")
DEBIAN_OPENBLAS = {"blas": "openblas-pthread", "environment": DEBIAN_BLAS}
OWN_PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
MACHINES = [
    Machine("here", "this machine as it is"),
    *(
        Machine(name.lower(), f"OpenBLAS with its kernels for {name}", name)
        for name in ("Prescott", "Nehalem", "Sandybridge", "Haswell", "SkylakeX")
    ),
    *(  # the OpenBLAS in pip's numpy runs Haswell's kernels on Zen and SkylakeX's on Cooperlake
        Machine(name.lower(), f"Debian's OpenBLAS with its kernels for {name}", name, **DEBIAN_OPENBLAS)
        for name in ("Zen", "Cooperlake")
    ),
    Machine("no-avx512", "numpy without AVX-512", features_off=AVX512),
    Machine("no-avx", "numpy without AVX-512, AVX2, FMA3 and AVX", features_off=AVX),
    Machine("one-thread", "one core", cores=1),
    Machine("two-threads", "two cores", cores=2),
    Machine("sixteen-threads", "sixteen cores", cores=16),
    Machine("lying-clock", "random clocks", clock_seed=1),
    Machine("oldest", "Prescott's kernels, no AVX, one core, random clocks", "Prescott", AVX, 1, 2),
    Machine("laptop", "Haswell's kernels, no AVX-512, random clocks", "Haswell", AVX512, clock_seed=3),
    Machine("reference-blas", "the reference BLAS", blas="blas", environment=DEBIAN_BLAS),
    Machine("blis", "BLIS", blas="blis-pthread", environment=DEBIAN_BLAS),
    # MKL's complex functions return values in another way than Debian's scipy expects.
    Machine("mkl", "Intel's MKL", blas="mkl", environment=DEBIAN_BLAS),
    Machine("lowest", "the lowest versions allowed", environment=Uv("3.11", "lowest-direct")),
    *(
        Machine(f"python-{version}", f"Python {version}, newest versions", environment=Uv(version, "highest"))
        for version in ("3.11", "3.12", "3.13", "3.14")
        if version != OWN_PYTHON
    ),
]
