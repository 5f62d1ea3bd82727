"""Python's packages for the browser: wheels of those installed here, and the lock file that lists them all.

No network is needed. A package in pure Python is packed again from the list of files that pip keeps; one that
is compiled or not installed comes from Pyodide. What Pyodide does not have is packed without its compiled
files, if their sources are beside them. `pyodide.json` is the part of Pyodide's lock file that the book
needs; its files stay on Pyodide's host, or are copied from a folder that has them.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

BROWSER = {
    "sys_platform": "emscripten",
    "platform_system": "Emscripten",
    "platform_machine": "wasm32",
    "os_name": "posix",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
}
# The parts of ipywidgets that JupyterLite has as scripts.
LEFT_OUT = {"jupyterlab-widgets", "widgetsnbextension"}
COMPILED = {".so", ".pyd", ".dylib"}


def pyodide():
    """Read our part of Pyodide's lock file: its version, its Python, its packages."""
    return json.loads(Path(__file__).with_name("pyodide.json").read_text(encoding="utf-8"))


def write_lock(folder, package, extras, wheels, names, host, own=None):
    """Write wheels and ``pyodide-lock.json`` into a folder; return the lock file's entries, by name.

    Pyodide's own packages come from its `host`, or from the folder `own` if they are there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    its = pyodide()
    entries = {}

    def add(name):
        name = canonicalize_name(name)
        if name in entries or name in LEFT_OUT:
            return
        found = installed(name, sources=name not in its["packages"])
        if found is None and name not in its["packages"]:
            raise LookupError(f"{name} is needed, and is neither installed nor one of Pyodide's")
        if found is None:
            entries[name] = dict(its["packages"][name])
            if own is not None and (own / entries[name]["file_name"]).is_file():
                wheel = Path(shutil.copy(own / entries[name]["file_name"], folder))
                entries[name]["sha256"] = hashlib.sha256(wheel.read_bytes()).hexdigest()
            else:
                entries[name]["file_name"] = f"{host}/{entries[name]['file_name']}"
        else:
            entries[name] = lock_entry(pack(found, folder), requirements(found.requires, set(), its))
        for needed in entries[name]["depends"]:
            add(needed)

    pack_project = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
    subprocess.run(pack_project, cwd=package, check=True, capture_output=True)
    wheel = next(folder.glob("kernlib-*.whl"))
    asked = requirements(distribution("kernlib").requires, extras, its)
    for path, needed in [(wheel, asked), *((path, []) for path in wheels)]:
        entry = lock_entry(path, needed)
        entry["file_name"] = Path(os.path.relpath(path, folder)).as_posix()
        entries[entry["name"]] = entry
    for name in [*asked, *names]:
        add(name)
    lock = {"info": its["info"], "packages": entries}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock, indent=1, sort_keys=True), encoding="utf-8")
    return entries


def installed(name, *, sources=False):
    """Give the installed package if it is pure Python, or, with `sources`, has its sources; else None."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return None
    if "Root-Is-Purelib: true" in (found.read_text("WHEEL") or ""):
        return found
    # mypyc leaves the sources of compiled modules beside them.
    compiled = [path for path in found.files if path.suffix in COMPILED and "__mypyc" not in path.name]
    beside = [path.with_name(f"{path.name.partition('.')[0]}.py") for path in compiled]
    return found if sources and all(path in found.files for path in beside) else None


def requirements(lines, extras, its):
    """Name what a package requires in the browser, with these extras."""
    environment = BROWSER | {
        "python_full_version": its["info"]["python"],
        "python_version": its["info"]["python"].rpartition(".")[0],
    }
    needed = map(Requirement, lines or [])
    names = {
        canonicalize_name(one.name)
        for one in needed
        if one.marker is None or any(one.marker.evaluate(environment | {"extra": e}) for e in ["", *extras])
    }
    return sorted(names - LEFT_OUT)


def pack(found, folder):
    """Pack an installed package as a wheel, without compiled files and what pip added; give its path."""
    wheel = folder / f"{found.name.replace('-', '_')}-{found.version}-py3-none-any.whl"
    left_out = {"..", "__pycache__", "INSTALLER", "REQUESTED", "direct_url.json"} | COMPILED
    kept = [path for path in found.files if not left_out & {*path.parts, path.suffix}]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(kept):
            member = zipfile.ZipInfo(path.as_posix())  # without a date: the same package gives the same wheel
            archive.writestr(member, path.locate().read_bytes(), zipfile.ZIP_DEFLATED)
    return wheel


def lock_entry(wheel, needed):
    """Describe a wheel as the lock file does."""
    name, version, *_ = wheel.name.split("-")
    with zipfile.ZipFile(wheel) as archive:
        roots = {path.partition("/")[0].removesuffix(".py") for path in archive.namelist()}
    return {
        "name": canonicalize_name(name),
        "version": version,
        "file_name": wheel.name,
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "imports": sorted(root for root in roots if root.isidentifier()),
        "depends": needed,
        "install_dir": "site",
        "package_type": "package",
        "unvendored_tests": False,
    }
