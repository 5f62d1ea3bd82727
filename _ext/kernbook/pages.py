"""Write every page again when one was read, or when a file beside the pages changed.

Every page carries the others' titles in its sidebar, yet Sphinx writes only the pages whose own source
changed: a new chapter would be missing from the navigation of all the others. And with no page to write it
does not copy style sheets and scripts either. Writing is quick; reading and executing are what takes time.
"""

import hashlib
from pathlib import Path


def setup(app):
    """Make the folder of the assets; note whether anything is read; say afterwards what to write."""
    app.connect("builder-inited", make_static_folder)
    app.connect("env-before-read-docs", note_what_is_read)
    app.connect("env-updated", pages_to_write)


def make_static_folder(app):
    """Make the folder that the theme copies the logo into, even at the end of a build that failed early."""
    # Where the folder isn't there yet, that copy becomes a file of its name, and every later build fails.
    Path(app.outdir, "_static").mkdir(parents=True, exist_ok=True)


def note_what_is_read(app, env, docnames):
    """Remember whether this build reads any document."""
    app.kernbook_reads = bool(docnames)


def pages_to_write(app, env):
    """Name all pages, if something was read or the assets are others than in the last build."""
    last_assets, env.kernbook_assets = getattr(env, "kernbook_assets", None), assets(app)
    changed = app.kernbook_reads or env.kernbook_assets != last_assets
    return sorted(env.found_docs) if changed else []


def assets(app):
    """Hash the files of ``html_static_path``."""
    digest = hashlib.sha256()
    for folder in app.config.html_static_path:
        for path in sorted(Path(app.confdir, folder).rglob("*")):
            if path.is_file():
                digest.update(f"{path.name}\n".encode() + path.read_bytes())
    return digest.hexdigest()
