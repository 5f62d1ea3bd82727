"""Make a folder the Python environment that the book needs, unless it is that already.

    python3 tools/environment.py FOLDER

It is made anew when it was moved, when this Python is another than the one it was made with, and after an
interrupted installation; if requirements.txt or pyproject.toml changed, what they ask for is installed again.
A stamp in the folder, written last, tells. Where the stamp is right, nothing is asked of the network.

Even an old Python must be able to read this file, to say that it is too old: no f-strings here.
"""

import hashlib
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OLDEST = (3, 11)  # as in pyproject.toml
STEPS = {  # how pip's line for a step begins, and what is said of it
    "Collecting ": "Downloading packages, or taking them from pip's cache: a minute or two, the first time",
    "Installing collected packages": "Installing them",
}
LAST_WORDS = 20  # lines of pip's that are shown when it fails


def main(folder):
    """Check this Python, then bring the environment up to date; exit with a sentence where that fails."""
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        sys.exit(
            "The book needs Python " + oldest + " or newer, and " + sys.executable + " is " + version + ". "
            "Name a newer one: make PYTHON=python3.12 book"
        )
    folder = os.path.abspath(folder)
    stamp = os.path.join(folder, ".ready")
    # Within an activated environment this Python is only a link to the one that lasts.
    made_with = [folder, os.path.realpath(sys._base_executable), version]
    installed = [ROOT, digest("requirements.txt", "pyproject.toml")]
    found = lines_of(stamp)
    if found == made_with + installed:
        return
    if os.path.isdir(folder) and os.listdir(folder) and not is_ours(folder, found):
        sys.exit(folder + " was not made by this project: name another folder, make VENV=... book")
    if found[: len(made_with)] != made_with:
        make(folder, made_with[1])
    else:
        os.remove(stamp)  # until the installation has ended
    install(os.path.join(folder, "bin", "python"))
    with open(stamp, "w", encoding="utf-8") as file:
        file.write("\n".join(made_with + installed))


def is_ours(folder, found):
    """Whether the folder may be cleared: an environment within the project, or one whose stamp names it."""
    within = folder.startswith(os.path.join(ROOT, "")) and os.path.exists(os.path.join(folder, "pyvenv.cfg"))
    return within or ROOT in found


def digest(*names):
    """Hash the project's files of these names."""
    contents = []
    for name in names:
        with open(os.path.join(ROOT, name), "rb") as file:
            contents.append(file.read())
    return hashlib.sha256(b"\0".join(contents)).hexdigest()


def lines_of(path):
    """Read a file's lines; a file that isn't there has none."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def say(words):
    """Print a line at once, into a log too."""
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def make(folder, python):
    """Make an empty environment; what a former one left there goes."""
    say("Making the environment " + folder + " with " + python)
    run([python, "-m", "venv", "--clear", folder])


def install(python):
    """Install what requirements.txt names; of pip's lines show the steps only."""
    run(
        [python, "-m", "pip", "install", "--disable-pip-version-check", "-r", "requirements.txt"], dict(STEPS)
    )


def run(command, steps=()):
    """Run a command in the project's folder and say its steps; if it fails, end with its last words."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=dict(os.environ, PYTHONUNBUFFERED="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    said = []
    for line in process.stdout:
        said.append(line)
        for beginning in [step for step in steps if line.startswith(step)]:
            say(steps.pop(beginning))
    if process.wait():
        sys.exit("".join(said[-LAST_WORDS:]) + "The installation failed, for the reason above.")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit("Interrupted: the next run starts the installation again")
