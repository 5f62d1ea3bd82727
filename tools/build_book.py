"""Build the book of a folder (by default this one) into its _build/html, and say at the end where it is.

    python tools/build_book.py [folder]

Whatever fails in a page, all pages are written: cells that fail and Sphinx's warnings are named, and make the
exit code an error. What `jupyter-book build` prints in their place hides both.
"""

import os
import sys
from pathlib import Path

# with it jsonschema would build a grammar of addresses, for a second and more, that no schema here asks for
sys.modules["rfc3987_syntax"] = None

from jupyter_book.config import get_final_config  # noqa: E402
from sphinx.application import Sphinx  # noqa: E402
from sphinx.util.docutils import docutils_namespace, patch_docutils  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]


def build(folder):
    """Let Sphinx, set up as Jupyter Book does it, read and write what changed; return its application."""
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


def main(folder=ROOT):
    """Build, report, and return the exit code."""
    folder = Path(folder).resolve()
    # In a log each line appears when it is written, in any locale.
    sys.stdout.reconfigure(line_buffering=True, errors="replace")
    try:
        app = build(folder)
    except KeyboardInterrupt:
        print("Interrupted. What has run is kept: the next build goes on from there.", flush=True)
        os._exit(1)  # at an exit, nbclient would complain of kernels that are gone
    print()
    failures = app.kernbook_failures
    for docname, number, error in failures:
        print(f"{docname}, cell {number}: {error}")
    if failures:
        print("These cells fail on this machine; their pages show where, and how to report it.")
    if others := app._warncount - len(failures):
        print(f"{others} warnings, above")
    print(f"The book: {folder / '_build' / 'html' / 'index.html'}")
    return app.statuscode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
