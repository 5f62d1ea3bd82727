"""Add JupyterLite with the students' notebooks to a built book: the site behind the button "Run here".

The button opens `run.html`, which fetches Python, shows the progress, and opens the notebook. The site has
JupyterLite, and wheels in pure Python. Pyodide and compiled packages come from its host, or from the site if
KERNLIB_PYODIDE names a folder that has them (`tools/fetch_pyodide.py` fetches one). jupyterlite-sphinx would
make every page of the book ask another host for a font.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urljoin

import nbformat
from jupyter_core.paths import jupyter_path
from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL

from kernbook.wheels import write_lock

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
KERNEL = "@jupyterlite/pyodide-kernel-extension"
EXTENSIONS = (KERNEL, "@jupyter-widgets/jupyterlab-manager", "anywidget")
STUBS = ("ipykernel", "piplite", "pyodide_kernel")  # wheels that the kernel's extension brings
# What the kernel loads when it starts, and what it loads when a cell imports it.
AT_START = ["ipykernel", "comm", "pyodide-kernel", "jedi", "ipython", "micropip", "piplite"]
ON_IMPORT = ["scikit-image", "pandas"]
TEMPLATES = Path(__file__).with_name("templates")
FIRST_CELL = "# Run this first: it brings kernlib, and what that needs, into your browser.\nimport kernlib"
FILES_PLACE = "const FILES = /* name: address */ {};"


def write_site(book, student, source):
    """Add ``lite``, which is JupyterLite, and ``run.html`` to a built book; tell whether anything changed."""
    own = Path(os.environ["KERNLIB_PYODIDE"]).resolve() if os.environ.get("KERNLIB_PYODIDE") else None
    site, made_of = book / "lite", digest(student, source, own)
    stamp = site / "made-of.txt"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == made_of:
        return False
    shutil.rmtree(site, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        build_jupyterlite(Path(folder), student, site)
    files = f"const FILES = {json.dumps(write_python(site, source, own))};"
    notebooks = site / "notebooks"
    for name, folder in (("run.html", book), ("can_it_start.js", notebooks)):
        text = (TEMPLATES / name).read_text(encoding="utf-8")
        (folder / name).write_text(text.replace(FILES_PLACE, files), encoding="utf-8")
    page = (notebooks / "index.html").read_text(encoding="utf-8")
    page = page.replace("</head>", '<script defer src="can_it_start.js"></script></head>')
    (notebooks / "index.html").write_text(page, encoding="utf-8")
    stamp.write_text(made_of, encoding="utf-8")
    return True


def digest(student, source, own):
    """Hash what the site is made of: notebooks, package, versions, this code, and the folder of Pyodide."""
    files = [path for path in sorted(student.iterdir()) if path.is_file()]
    files += [path for name in ("kernlib", "data", "_ext") for path in sorted((source / name).rglob("*.*"))]
    hashed = hashlib.sha256(str(own).encode())
    for name in ("jupyterlite-core", "jupyterlite-pyodide-kernel", "ipython", "ipywidgets", "anywidget"):
        hashed.update(version(name).encode())
    for path in [*files, source / "pyproject.toml"]:
        if path.is_file() and "__pycache__" not in path.parts:
            hashed.update(path.name.encode() + path.read_bytes())
    return hashed.hexdigest()


def build_jupyterlite(folder, student, site):
    """Make JupyterLite write its notebook application, with the notebooks, into the site."""
    contents = folder / "contents"
    contents.mkdir()
    for path in student.iterdir():
        if path.suffix == ".ipynb":
            nbformat.write(for_the_browser(nbformat.read(path, as_version=4)), contents / path.name)
    settings = {
        "LiteBuildConfig": {
            "apps": ["notebooks"],
            "contents": [str(contents)],
            "output_dir": str(site),
            "ignore_sys_prefix": ["federated_extensions"],
            "federated_extensions": [str(extension(name)) for name in EXTENSIONS],
            "no_sourcemaps": True,
            "no_unused_shared_packages": True,
        }
    }
    (folder / "jupyter_lite_config.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "jupyterlite_core", "build"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"JupyterLite could not be built:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def for_the_browser(notebook):
    """Give a notebook a first cell that asks no other host; make cells tagged ``processes`` text."""
    notebook.metadata.kernelspec.name = "python"
    for number, cell in enumerate(notebook.cells):
        tags = cell.metadata.get("tags", [])
        if "package" in tags:
            cell.source = FIRST_CELL
        elif "processes" in tags:
            text = (TEMPLATES / "not_here.md").read_text(encoding="utf-8").format(source=cell.source).rstrip()
            notebook.cells[number] = nbformat.v4.new_markdown_cell(text, id=cell.id)
    return notebook


def extension(name):
    """Find the folder of an installed extension of JupyterLab."""
    found = [path for folder in jupyter_path("labextensions") if (path := Path(folder, name)).is_dir()]
    if not found:
        raise RuntimeError(f"{name} is not installed: make environment")
    return found[0]


def write_python(site, source, own):
    """Add wheels, lock file and Pyodide's files; configure the kernel; give the addresses that it fetches."""
    static = site / "static" / "python"
    stubs = (site / "extensions" / KERNEL / "static" / "pypi").glob("*.whl")
    entries = write_lock(
        static,
        source,
        {"explore"},
        [path for path in sorted(stubs) if path.name.startswith(STUBS)],
        [name for name in AT_START if name.replace("-", "_") not in STUBS] + ON_IMPORT,
        PYODIDE_CDN_URL,
        own,
    )
    core = PYODIDE_CDN_URL
    if own is not None and all((own / name).is_file() for name in CORE):
        core = "./static/python"
        for name in CORE:
            shutil.copy(own / name, static)
    configuration = site / "jupyter-lite.json"
    everything = json.loads(configuration.read_text(encoding="utf-8"))
    settings = everything["jupyter-config-data"].setdefault("litePluginSettings", {})
    settings[f"{KERNEL}:kernel"] = settings.get(f"{KERNEL}:kernel", {}) | {
        "pyodideUrl": f"{core}/pyodide.mjs",
        "loadPyodideOptions": {"lockFileURL": "./static/python/pyodide-lock.json", "packages": AT_START},
    }
    configuration.write_text(json.dumps(everything, indent=1), encoding="utf-8")
    here = "" if core != PYODIDE_CDN_URL else f"{core}/"
    files = {name: f"{here}{name}" for name in CORE}
    files |= {name: entries[name]["file_name"] for name in with_requirements([*AT_START, "kernlib"], entries)}
    return {name: urljoin("lite/static/python/", file) for name, file in files.items()}


def with_requirements(names, entries):
    """List packages of the lock file and everything that they require, in order."""
    found, waiting = set(), list(names)
    while waiting:
        if (name := waiting.pop()) not in found:
            found.add(name)
            waiting += entries[name]["depends"]
    return sorted(found)
