"""Build the book of a folder (by default this one) into its _build/html, and say at the end where it is.

    python tools/build_book.py [folder]

Whatever fails in a page, all pages are written. The cells that fail and Sphinx's warnings are named, and make
the exit code an error; what `jupyter-book build` prints instead hides both. If no file of the folder, no
installed package and no setting has changed since the last build without a fault, there is nothing to do.
"""

import gc
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOT_READ = {"_build", "__pycache__", "course", "tests"}


def build(folder):
    """Run Sphinx as Jupyter Book sets it up, for what changed; return its application."""
    gc.disable()  # the trees of all pages live until the end; looking through them takes a third of the time
    # Imported here, because they take longer than it takes to see that nothing has changed.
    from jupyter_book.config import get_final_config
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    config, _ = get_final_config(
        user_yaml=folder / "_config.yml",
        cli_config={"external_toc_path": "_toc.yml", "nitpicky": True, "latex_individualpages": False},
        sourcedir=folder,
    )
    with patch_docutils(), docutils_namespace():
        app = Sphinx(
            srcdir=folder,
            confdir=None,
            outdir=folder / "_build" / "html",
            doctreedir=folder / "_build" / ".doctrees",
            buildername="html",
            confoverrides=config,
            warningiserror=True,
            keep_going=True,
        )
        app.build()
    return app


def hash_inputs(folder):
    """Hash what a build can read: files, settings, packages, the branch and the remote's address."""
    settings = sorted(f"{name}={value}" for name, value in os.environ.items() if name[:8] == "KERNLIB_")
    packages = sorted(path.name for path in Path(sysconfig.get_path("purelib")).glob("*.dist-info"))
    digest = hashlib.sha256("\n".join([sys.version, *settings, *packages]).encode())
    if git := shutil.which("git"):
        for question in (["branch", "--show-current"], ["remote", "get-url", "origin"]):
            digest.update(subprocess.run([git, *question], cwd=folder, capture_output=True).stdout)
    data = os.environ.get("KERNLIB_DATA") and os.path.expanduser(os.environ["KERNLIB_DATA"])
    for base in [folder, folder / data, folder / "chapters" / data] if data else [folder]:
        for path in files_below(base):
            digest.update(f"{path}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def files_below(folder):
    """List the files in a folder, except tests and what programs write: hidden ones, environments, builds."""
    for root, folders, names in os.walk(folder):
        own = [name for name in sorted(folders) if name not in NOT_READ and not name.startswith(".")]
        folders[:] = [name for name in own if not Path(root, name, "pyvenv.cfg").exists()]
        yield from (Path(root, name) for name in sorted(names) if not name.startswith("."))


def main(folder=ROOT):
    """Build unless nothing has changed, report, and return the exit code."""
    folder = Path(folder).resolve()
    book, stamp = folder / "_build" / "html" / "index.html", folder / "_build" / "inputs.txt"
    # In a log each line appears when it is written, in any locale.
    sys.stdout.reconfigure(line_buffering=True, errors="replace")
    inputs = hash_inputs(folder)
    if book.is_file() and stamp.is_file() and stamp.read_text() == inputs:
        print(f"Nothing has changed.\nThe book: {book}")
        return 0
    stamp.unlink(missing_ok=True)
    try:
        app = build(folder)
    except KeyboardInterrupt:
        print("Interrupted. What has run is kept: the next build continues from there.", flush=True)
        os._exit(1)  # a regular exit would print complaints of nbclient about kernels that are gone
    print()
    failures = app.kernbook_failures
    for docname, number, error in failures:
        print(f"{docname}, cell {number}: {error}")
    if failures:
        print("These cells fail on this machine; their pages show where, and how to report it.")
    if others := app._warncount - len(failures):
        print(f"{others} warnings, above")
    if app.statuscode == 0:
        stamp.write_text(inputs)
    print(f"The book: {book}")
    return app.statuscode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
