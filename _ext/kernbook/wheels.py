"""Python's packages for the browser: those installed here as wheels, and the lock file that lists them all.

No network is asked. A package in pure Python is packed again from the list of files that pip keeps; what is
compiled, and what isn't installed, is Pyodide's own. What Pyodide has not is packed without what is compiled
of it, where that has its source beside it. `pyodide.json` is the part of Pyodide's lock file that the book
needs; each of its files stays on Pyodide's host, or is copied from a folder that has it.
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
    """Read the part of Pyodide's lock file: its version, its Python, its packages."""
    return json.loads(Path(__file__).with_name("pyodide.json").read_text(encoding="utf-8"))


def write_lock(folder, package, extras, wheels, names, host, own=None):
    """
    Write wheels and the lock file that names them, and Pyodide's packages by their addresses.

    Parameters
    ----------
    folder : Path
        Of the site; it gets the wheels and ``pyodide-lock.json``.
    package : Path
        The folder with the project, which is packed as it stands.
    extras : set of str
        What else of its requirements comes along when it is imported.
    wheels : list of Path
        Further ones, which the site has already.
    names : list of str
        Further packages.
    host : str
        The address of Pyodide's files.
    own : Path, optional
        A folder with some of them, which are copied.

    Returns
    -------
    dict
        The lock file's entries, by name.
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
            entries[name] = described(pack(found, folder), requirements(found.requires, set(), its))
        for needed in entries[name]["depends"]:
            add(needed)

    wheel = pack_project(package, folder)
    asked = requirements(distribution("kernlib").requires, extras, its)
    for path, needed in [(wheel, asked), *((path, []) for path in wheels)]:
        entry = described(path, needed)
        entry["file_name"] = Path(os.path.relpath(path, folder)).as_posix()
        entries[entry["name"]] = entry
    for name in [*asked, *names]:
        add(name)
    lock = {"info": its["info"], "packages": entries}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock, indent=1, sort_keys=True), encoding="utf-8")
    return entries


def installed(name, *, sources=False):
    """Give the installed package, if it is pure Python, or its sources are wanted and there; else None."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return None
    pure = "Root-Is-Purelib: true" in (found.read_text("WHEEL") or "")
    return found if pure or (sources and has_sources(found)) else None


def has_sources(found):
    """Whether a package's compiled modules have their sources beside them, as mypyc leaves them."""
    compiled = [path for path in found.files if path.suffix in COMPILED and "__mypyc" not in path.name]
    return all(path.with_name(f"{path.name.partition('.')[0]}.py") in found.files for path in compiled)


def requirements(lines, extras, its):
    """Give the names of what a package needs in the browser, with these extras."""
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
    """Pack an installed package as a wheel again, without what is compiled or was added; give its path."""
    wheel = folder / f"{found.name.replace('-', '_')}-{found.version}-py3-none-any.whl"
    left_out = {"..", "__pycache__", "INSTALLER", "REQUESTED", "direct_url.json"} | COMPILED
    kept = [path for path in found.files if not left_out & {*path.parts, path.suffix}]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(kept):
            member = zipfile.ZipInfo(path.as_posix())  # of no date: the same package, the same wheel
            archive.writestr(member, path.locate().read_bytes(), zipfile.ZIP_DEFLATED)
    return wheel


def pack_project(package, folder):
    """Pack the project itself."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
    subprocess.run(command, cwd=package, check=True, capture_output=True)
    return next(folder.glob("kernlib-*.whl"))


def described(wheel, needed):
    """Give a wheel's entry in the lock file."""
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
