"""The machines: what each one emulates, and how a process that runs on it is recognised."""

import re
import sys
from dataclasses import dataclass

from matrix.clock import SEED
from matrix.environments import DEBIAN_LIBRARIES, Debian, Here, Pip, find_python

AVX512 = ("AVX512", "X86_V4")  # how the names of such features begin, in all versions of numpy
AVX = ("AVX", "F16C", "FMA", "X86_V3", *AVX512)
ALSO_CALLED = {"Prescott": "Katmai"}  # OpenBLAS gives the oldest name of those that share kernels
OWN_PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


@dataclass(frozen=True)
class Machine:
    """A name, and what differs from the machine that the tool runs on."""

    name: str
    what: str
    core_type: str | None = None  # whose kernels OpenBLAS takes
    features_off: tuple = ()  # how the names begin of those of numpy's features that are off
    cores: int | None = None  # how many a process believes in, and how many threads its BLAS has
    clock: int | None = None  # the seed of what its clocks say, where they lie
    blas: str | None = None  # the folder of Debian's libraries that holds it
    environment: object = Here()
    needs: str | None = None  # a variable that the reader has set

    def variables(self):
        """What to set before a process starts; numpy's features and the number of cores come in `runs`."""
        found = {}
        if self.core_type:
            found["OPENBLAS_CORETYPE"] = self.core_type
        if self.cores:
            found |= {"OPENBLAS_NUM_THREADS": str(self.cores), "EMULATED_CORES": str(self.cores)}
        if self.clock is not None:
            found[SEED] = str(self.clock)
        if self.blas:
            found["LD_LIBRARY_PATH"] = f"{DEBIAN_LIBRARIES}/{self.blas}:{DEBIAN_LIBRARIES}/lapack"
        if self.blas == "mkl":
            found["MKL_CBWR"] = "AUTO,STRICT"  # else its rounding hangs on where in memory arrays lie
        return found

    def features_on(self, witness):
        """Those of numpy's features that are on in a process, and are to be off."""
        features = witness["features"]
        return [name for name in features if features[name] and name.startswith(self.features_off)]

    def strangeness(self, witness):
        """Why a process with this witness does not run on this machine, in words; None if it does."""
        names = [[self.core_type], [ALSO_CALLED.get(self.core_type)]]
        if self.core_type and witness["architectures"] not in names:
            return f"OpenBLAS has no kernels for {self.core_type}, it took {witness['architectures']}"
        if self.cores and (witness["cores"], witness["blas_threads"]) != (self.cores, [self.cores]):
            return f"there are {witness['cores']} cores, and BLAS has {witness['blas_threads']} threads"
        if self.clock is not None and not witness["lying_clock"]:
            return "its clocks do not lie"
        if self.blas and not any(
            re.search(rf"/{self.blas}/libblas|/lib{self.blas}_rt", path) for path in witness["blas_files"]
        ):
            return f"BLAS is {', '.join(witness['blas_files'])}"
        if on := self.features_on(witness):
            return f"numpy uses {', '.join(on)}"
        return None


def newest(version):
    """The newest of everything that resolves on this Python; 3.14 comes with Debian where it isn't here."""
    if version == "3.14" and not find_python(version):
        return Debian("python-3.14")
    return Pip(f"python-{version}", version, "highest")


DEBIAN_BLAS = Debian("blas", system_packages=True)
MACHINES = [
    Machine("here", "this machine as it is"),
    *(
        Machine(name.lower(), f"OpenBLAS's kernels for {name}", name)
        for name in ("Prescott", "Nehalem", "Sandybridge", "Haswell", "SkylakeX")
    ),
    *(  # the OpenBLAS in pip's numpy has Haswell's kernels for Zen and SkylakeX's for Cooperlake
        Machine(
            name.lower(),
            f"Debian's OpenBLAS with its kernels for {name}",
            name,
            blas="openblas-pthread",
            environment=DEBIAN_BLAS,
        )
        for name in ("Zen", "Cooperlake")
    ),
    Machine("no-avx512", "numpy without AVX-512", features_off=AVX512),
    Machine("no-avx", "numpy without AVX-512, AVX2, FMA3 and AVX", features_off=AVX),
    Machine("one-thread", "one core", cores=1),
    Machine("two-threads", "two cores", cores=2),
    Machine("sixteen-threads", "sixteen cores", cores=16),
    Machine("lying-clock", "clocks that say anything", clock=1),
    Machine("oldest", "Prescott's kernels, numpy without AVX, one core, lying clocks", "Prescott", AVX, 1, 2),
    Machine("laptop", "Haswell's kernels, no AVX-512, lying clocks", "Haswell", AVX512, clock=3),
    Machine("reference-blas", "the reference BLAS", blas="blas", environment=DEBIAN_BLAS),
    Machine("blis", "BLIS", blas="blis-pthread", environment=DEBIAN_BLAS),
    Machine("mkl", "Intel's MKL", blas="mkl", environment=DEBIAN_BLAS),
    Machine("lowest", "the lowest versions allowed", environment=Pip("lowest", "3.11", "lowest-direct")),
    *(
        Machine(f"python-{version}", f"Python {version}, newest versions", environment=newest(version))
        for version in ("3.11", "3.12", "3.13", "3.14")
        if version != OWN_PYTHON
    ),
    Machine("ijcnn1", "the lab's own data instead of the embedded", needs="KERNLIB_DATA"),
]
