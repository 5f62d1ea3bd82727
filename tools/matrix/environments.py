"""The environments of machines: the Python that runs here, one made by uv, or a Debian of its own.

They are made in `_build/machines` when a machine first needs them, and made again when requirements.txt or
pyproject.toml changes.
"""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "_build" / "machines"
DEBIAN = HOME / "debian"  # the root of its file system
SUITE = "forky"  # the first Debian with numpy 2.4, scipy 1.17 and Python 3.14
DEBIAN_PACKAGES = (
    "python3,python3-venv,python3-numpy,python3-scipy,ca-certificates,"
    "libblas3,liblapack3,libblis4-pthread,libopenblas0-pthread"
)
DEBIAN_LIBRARIES = "/usr/lib/x86_64-linux-gnu"


class Unavailable(Exception):
    """A machine cannot be emulated here; the text says why."""


class Broken(Unavailable):
    """A machine should be available here, but its installation or its first steps fail."""


def run(command, log, error=Broken):
    """Run a step of an installation with its output in a log file; raise an error that names the file."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a") as output:
        done = subprocess.run(command, cwd=ROOT, stdout=output, stderr=output, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise error(f"`{shlex.join(map(str, command[:4]))} …` failed: {log.relative_to(ROOT)}")


def install_once(folder, install):
    """Call `install` with a log file, unless it was called since the last change of the requirements."""
    files = [(ROOT / name).read_bytes() for name in ("requirements.txt", "pyproject.toml")]
    digest, stamp = hashlib.sha256(b"".join(files)).hexdigest(), folder / "requirements"
    if not stamp.exists() or stamp.read_text() != digest:
        print(f"installing into {folder.relative_to(ROOT)}", flush=True)
        install(HOME / "logs" / f"{folder.name}.txt")
        stamp.write_text(digest)


@dataclass(frozen=True)
class Here:
    """The Python that runs this tool."""

    def prepare(self):
        """Do nothing."""

    def command(self, *arguments):
        return [sys.executable, *arguments]


@dataclass(frozen=True)
class Uv:
    """The book's requirements on one Python version, resolved by uv to their highest or lowest versions."""

    version: str
    resolution: str

    @property
    def folder(self):
        return HOME / "env" / f"{self.version}-{self.resolution}"

    def prepare(self):
        install_once(self.folder, self.install)

    def install(self, log):
        uv = HOME / "env" / "uv" / "bin" / "uv"
        if not uv.exists():
            run([sys.executable, "-m", "venv", uv.parents[1]], log)
            run([uv.with_name("python"), "-m", "pip", "install", "uv"], log)
        run([uv, "venv", "--clear", "--python", self.version, self.folder], log, error=Unavailable)
        resolve = ["--resolution", self.resolution, "--python", self.folder]
        run([uv, "pip", "install", *resolve, "-r", "requirements.txt"], log)

    def command(self, *arguments):
        return [str(self.folder / "bin" / "python"), *arguments]


@dataclass(frozen=True)
class Debian:
    """A newer Debian below `_build`, whose numpy and scipy load the BLAS that the library path names.

    It needs root and debootstrap. The repository is mounted in that Debian under its own path, for one
    process only: if others saw the mount, `rm -rf _build` would reach the repository itself.
    """

    name: str

    def prepare(self):
        if os.geteuid() or not shutil.which("debootstrap") or not shutil.which("unshare"):
            raise Unavailable("needs root, debootstrap and unshare")
        install_once(DEBIAN / "env" / self.name, self.install)

    def install(self, log):
        if not (DEBIAN / "env").exists():
            script = "/usr/share/debootstrap/scripts/sid"  # works for suites that debootstrap does not know
            options = ["--variant=minbase", f"--include={DEBIAN_PACKAGES}"]
            run(["debootstrap", *options, SUITE, DEBIAN, "", script], log)  # "": the usual mirror
            (DEBIAN / "env").mkdir()
        for file in ("/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt"):
            if Path(file).exists():
                shutil.copyfile(file, f"{DEBIAN}{file}")
        environment = f"/env/{self.name}"
        run(self.inside("python3", "-m", "venv", "--clear", "--system-site-packages", environment), log)
        run(self.command("-m", "pip", "install", "-r", "requirements.txt", "mkl"), log)
        library, installed = f"{DEBIAN_LIBRARIES}/mkl", f"{environment}/lib"
        link = f"mkdir -p {library}; ln -sf {installed}/libmkl_* {installed}/libiomp5.so {library}"
        for name in ("libblas", "liblapack"):
            link += f"; ln -sf {installed}/libmkl_rt.so.* {library}/{name}.so.3"
        run(self.inside("sh", "-c", link), log)

    def inside(self, *command):
        """Return the command that runs another one inside that Debian."""
        mounted = (str(ROOT), "/proc", "/dev", "/sys")  # joblib reads the number of cores in /sys
        for folder in mounted:
            Path(f"{DEBIAN}{folder}").mkdir(parents=True, exist_ok=True)
        mounts = [shlex.join(["mount", "--rbind", folder, f"{DEBIAN}{folder}"]) for folder in mounted]
        enter = shlex.join(["exec", "chroot", str(DEBIAN), "env", "-C", str(ROOT), *command])
        return ["unshare", "--mount", "sh", "-c", " && ".join([*mounts, enter])]

    def command(self, *arguments):
        return self.inside(f"/env/{self.name}/bin/python", *arguments)
