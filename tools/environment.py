"""Create the Python environment that the book needs in a folder, unless it is there.

    python3 tools/environment.py FOLDER

It is created again if the folder was moved or if this Python is another one. If requirements.txt or
pyproject.toml changed, the packages are installed again. The file `.ready`, which is written last, holds what
the environment was made from. An old Python must be able to read this file, to say that it is too old.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)  # as in pyproject.toml


def main(folder):
    """Check this Python, then bring the environment up to date."""
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST:
        sys.exit(
            f"The book needs Python {OLDEST[0]}.{OLDEST[1]} or newer, and {sys.executable} is {version}. "
            "Name a newer one: make PYTHON=python3.12 book"
        )
    folder = Path(folder).resolve()  # a link may lead to the environment of another project
    stamp, inside = folder / ".ready", ROOT in folder.parents and (folder / "pyvenv.cfg").exists()
    # In an activated environment, this Python is a link to the one that the environment was made from.
    python = os.path.realpath(sys._base_executable)
    contents = [(ROOT / name).read_bytes() for name in ("requirements.txt", "pyproject.toml")]
    packages = f"{ROOT} {hashlib.sha256(b' '.join(contents)).hexdigest()}"
    made_from = f"{folder} {python} {version}"
    found = stamp.read_text(encoding="utf-8").splitlines() if stamp.exists() else []
    if found == [made_from, packages]:
        return
    ours = inside or any(line.startswith(f"{ROOT} ") for line in found)
    if folder.is_dir() and any(folder.iterdir()) and not ours:
        sys.exit(f"{folder} was not made by this project: name another folder, make VENV=... book")
    # Python compiles the modules that are used when it first imports them; pip would compile all of them.
    options = "-qq --no-compile --disable-pip-version-check".split()
    install = [folder / "bin" / "python", "-m", "pip", "install", *options]
    if found[:1] != [made_from]:
        print(f"Creating the environment {folder} with {python}", flush=True)
        run(python, "-m", "venv", "--clear", folder)
        run(*install, "--upgrade", "pip")  # that of an old Python takes twice as long for what follows
    else:
        stamp.unlink()  # until the installation has ended
    print("Installing packages: a minute or two, the first time", flush=True)
    run(*install, "-r", "requirements.txt")
    stamp.write_text(f"{made_from}\n{packages}", encoding="utf-8")


def run(*command):
    """Run a command in the project's folder; if it fails, its own message is above ours."""
    if subprocess.call(list(map(str, command)), cwd=str(ROOT)):
        sys.exit("The installation failed, for the reason above.")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit("Interrupted: the next run starts the installation again")
