"""Key the cache of executed notebooks on everything that their outputs depend on.

jupyter-cache recognises a notebook by its code cells alone: after an edit in kernlib it would serve the old
outputs for ever, and Sphinx would not even open a notebook whose own file is unchanged. So each state of the
package, the data and the installed versions has a cache folder of its own, named by its hash, and Sphinx is
told to read the executed documents again when that hash is another one than in the last build.
"""

import hashlib
import os
import platform
import shutil
from importlib.metadata import distributions
from pathlib import Path

PACKAGES = {
    "numpy",
    "scipy",
    "scikit-learn",
    "scikit-image",
    "matplotlib",
    "ipywidgets",
    "pooch",
    "threadpoolctl",
    "dask",
}
WATCHED = ("kernlib/**/*", "data/**/*", "benchmarks/record.json", "chapters/*.mplstyle")
NO_EFFECT = {".md", ".pyc"}  # words about the data, Python's own by-products
KEPT = 3  # caches: the present state and the two used before it, so that switching back costs nothing


def setup(app):
    """Choose the cache when myst-nb has its own settings ready; then say what must be read again."""
    app.connect("builder-inited", use_keyed_cache, priority=600)
    app.connect("env-get-outdated", executed_documents_when_key_changed)
    app.connect("build-finished", forget_a_build_with_warnings)


def cache_key(root, environ=os.environ):
    """
    Hash what the outputs of the notebooks under `root` depend on, their own code apart.

    Parameters
    ----------
    root : Path
        The book's folder.
    environ : mapping
        Where KERNLIB_DATA stands, the folder that kernlib's loaders look in first; ``~`` is the
        home, a relative one starts at the chapters, then at the root, as they see it. Its files are
        downloads which the loaders check by hash, so their names and sizes are enough.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    digest = hashlib.sha256()
    for path in files_below(root, *WATCHED):
        digest.update(f"{path.relative_to(root).as_posix()} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    if folder := environ.get("KERNLIB_DATA"):
        places = [base / os.path.expanduser(folder) for base in (root / "chapters", root)]
        seen = next((place for place in places if place.is_dir()), places[-1])
        for path in files_below(seen, "**/*"):
            digest.update(f"{path.relative_to(seen).as_posix()} {path.stat().st_size}\n".encode())
    versions = sorted(f"{d.name} {d.version}" for d in distributions() if d.name in PACKAGES)
    digest.update("\n".join([platform.python_version(), *versions]).encode())
    return digest.hexdigest()[:16]


def files_below(root, *patterns):
    """List in a fixed order the files that match, without those that have no effect on an output."""
    found = {path for pattern in patterns for path in root.glob(pattern)}
    return sorted(path for path in found if path.is_file() and path.suffix not in NO_EFFECT)


def use_keyed_cache(app):
    """Point myst-nb to the cache of the present state, and remove the caches least recently used."""
    # Set on the environment, not in Sphinx's configuration: a changed configuration makes Sphinx read every
    # page again, and only those that execute must be.
    app.kernbook_key = cache_key(Path(app.srcdir))
    caches = Path(app.outdir).parent / ".jupyter_cache"
    cache = caches / app.kernbook_key
    cache.mkdir(parents=True, exist_ok=True)
    os.utime(cache)
    app.env.mystnb_config = app.env.mystnb_config.copy(execution_cache_path=str(cache))
    newest_first = sorted(caches.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in newest_first[KEPT:]:
        shutil.rmtree(old)


def executed_documents_when_key_changed(app, env, added, changed, removed):
    """Name the documents that myst-nb executed in the last build, if that build had another key."""
    last_key, env.kernbook_key = getattr(env, "kernbook_key", None), app.kernbook_key
    if last_key in (None, app.kernbook_key):
        return []
    return [docname for docname, data in env.nb_metadata.items() if "exec_data" in data]


def forget_a_build_with_warnings(app, exception):
    """Drop Sphinx's memory of a build that warned, as Sphinx itself does for one that failed."""
    # Otherwise the second `make book` reads nothing again, sees no warning and passes.
    if exception is None and app._warncount:
        (Path(app.doctreedir) / "environment.pickle").unlink()
