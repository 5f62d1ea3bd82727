"""Where a machine's Python comes from: the one that runs here, a folder of pip packages, a Debian of its own.

Environments live in `_build/machines`, are made when a machine first needs them, and made anew after a change
of requirements.txt or pyproject.toml.
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
    "python3 python3-venv python3-numpy python3-scipy ca-certificates "
    "libblas3 liblapack3 libblis4-pthread libopenblas0-pthread"
)
DEBIAN_LIBRARIES = "/usr/lib/x86_64-linux-gnu"
INTERFACES = ("libblas", "liblapack")
MKL = ("mkl",)  # from pip; its complex functions return values in another way than Debian's scipy expects


class Unavailable(Exception):
    """A machine that can't be had here; its text says why."""


class Broken(Unavailable):
    """A machine that should be had here, but whose installation or first steps fail."""


def run(command, log):
    """Run a command of an installation, its words in a file that is named where it fails."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a") as words:
        if subprocess.run(command, cwd=ROOT, stdout=words, stderr=words, stdin=subprocess.DEVNULL).returncode:
            raise Broken(f"`{shlex.join(map(str, command[:4]))} …` failed: {log.relative_to(ROOT)}")


def requirements():
    """What decides which packages an environment holds."""
    texts = [(ROOT / name).read_bytes() for name in ("requirements.txt", "pyproject.toml")]
    return hashlib.sha256(b"".join(texts)).hexdigest()


def find_python(version):
    """An interpreter of this version: this one, one on the PATH, one of pyenv's; or None."""
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        return getattr(sys, "_base_executable", sys.executable)
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    installed = [str(path) for path in sorted(pyenv.glob(f"versions/{version}.*/bin/python"), reverse=True)]
    return next(iter(installed), None) or shutil.which(f"python{version}")


@dataclass(frozen=True)
class Here:
    """The Python that runs this tool."""

    def prepare(self):
        """Nothing to do."""

    def command(self, *arguments):
        return [sys.executable, *arguments]


@dataclass(frozen=True)
class Pip:
    """The book's requirements, on one Python, resolved to their highest or lowest versions by uv."""

    name: str
    version: str
    resolution: str

    @property
    def folder(self):
        return HOME / "env" / self.name

    def prepare(self):
        """Install what is missing."""
        stamp = self.folder / "requirements"
        if stamp.exists() and stamp.read_text() == requirements():
            return
        if not (python := find_python(self.version)):
            raise Unavailable(f"no Python {self.version} here")
        print(f"{self.name}: installing into {self.folder.relative_to(ROOT)}", flush=True)
        log = HOME / "logs" / f"{self.name}.txt"
        uv = HOME / "env" / "uv" / "bin" / "python"
        if not uv.exists():
            run([sys.executable, "-m", "venv", uv.parents[1]], log)
            run([uv, "-m", "pip", "install", "uv"], log)
        run([python, "-m", "venv", "--clear", "--without-pip", self.folder], log)
        install = ["--resolution", self.resolution, "--python", self.folder / "bin" / "python"]
        run([uv, "-m", "uv", "pip", "install", *install, "-r", "requirements.txt"], log)
        stamp.write_text(requirements())

    def command(self, *arguments):
        return [str(self.folder / "bin" / "python"), *arguments]


@dataclass(frozen=True)
class Debian:
    """The book's requirements on the Python of a newer Debian, installed below `_build` by debootstrap.

    With `system_packages`, numpy and scipy are Debian's, which load whichever BLAS the library path names.
    Needs root. The repository shows in that Debian under its own path, but for the one process only: a mount
    that others saw would let `rm -rf _build` reach the repository itself.
    """

    name: str
    system_packages: bool = False

    def prepare(self):
        """Install what is missing."""
        stamp = DEBIAN / "env" / self.name / "requirements"
        if stamp.exists() and stamp.read_text() == requirements():
            return
        if os.geteuid() or not shutil.which("debootstrap") or not shutil.which("unshare"):
            raise Unavailable("needs root, debootstrap and unshare")
        print(f"{self.name}: installing into {DEBIAN.relative_to(ROOT)}", flush=True)
        log = HOME / "logs" / f"{self.name}.txt"
        if not (DEBIAN / "env").exists():
            packages = f"--include={','.join(DEBIAN_PACKAGES.split())}"
            script = "/usr/share/debootstrap/scripts/sid"  # whichever suites this debootstrap has heard of
            own_mirror = ""  # debootstrap's
            run(["debootstrap", "--variant=minbase", packages, SUITE, DEBIAN, own_mirror, script], log)
            (DEBIAN / "env").mkdir()
        for file in ("/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt"):
            if Path(file).exists():
                shutil.copyfile(file, f"{DEBIAN}{file}")
        options = ["--system-site-packages"] if self.system_packages else []
        run(self.inside("python3", "-m", "venv", "--clear", *options, f"/env/{self.name}"), log)
        run(self.command("-m", "pip", "install", "-r", "requirements.txt", *MKL * self.system_packages), log)
        if self.system_packages:
            library, found = f"{DEBIAN_LIBRARIES}/mkl", f"/env/{self.name}/lib"
            link = f"mkdir -p {library}; ln -sf {found}/libmkl_* {found}/libiomp5.so {library}"
            link += "".join(f"; ln -sf {found}/libmkl_rt.so.* {library}/{name}.so.3" for name in INTERFACES)
            run(self.inside("sh", "-c", link), log)
        stamp.write_text(requirements())

    def inside(self, *command):
        """The command, as a process of that Debian."""
        shown = (str(ROOT), "/proc", "/dev", "/sys")  # the last tells joblib of the cores
        for folder in shown:
            Path(f"{DEBIAN}{folder}").mkdir(parents=True, exist_ok=True)
        mounts = [shlex.join(["mount", "--rbind", folder, f"{DEBIAN}{folder}"]) for folder in shown]
        enter = shlex.join(["exec", "chroot", str(DEBIAN), "env", "-C", str(ROOT), *command])
        return ["unshare", "--mount", "sh", "-c", " && ".join([*mounts, enter])]

    def command(self, *arguments):
        return self.inside(f"/env/{self.name}/bin/python", *map(str, arguments))
