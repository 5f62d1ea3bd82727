"""Fetch Pyodide, Python for the browser, so that a site needs no other host; or update what the book needs.

    python tools/fetch_pyodide.py fetch FOLDER    # then: KERNLIB_PYODIDE=FOLDER make here
    python tools/fetch_pyodide.py lock FOLDER     # after a new version of jupyterlite-pyodide-kernel

npm has the core, pip the packages in pure Python, and Pyodide's own host the compiled ones. What cannot be
fetched is listed, and the site takes it from that host.
"""

import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pooch
from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "_ext" / "kernbook" / "pyodide.json"  # the part of Pyodide's lock file that the book needs
WANTED = (  # by the book and by the kernel; their dependencies are added
    "numpy scipy scikit-learn matplotlib scikit-image pandas "
    "joblib threadpoolctl tqdm requests ipython jedi micropip"
).split()
KEPT = ["name", "version", "file_name", "sha256", "imports", "depends"]


def fetch(folder):
    """Put the files into the folder; return the names of the packages that cannot be fetched."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = json.loads(LOCK.read_text(encoding="utf-8"))
    if not (folder / "pyodide.mjs").is_file():
        fetch_core(lock["version"], folder)
    missing = []
    for package in lock["packages"].values():
        path = folder / package["file_name"]
        if path.name.endswith("none-any.whl") and not path.is_file():
            fetch_with_pip(package, folder)  # whose wheels have other hashes than Pyodide's
        try:
            if not path.is_file():
                pooch.retrieve(f"{PYODIDE_CDN_URL}/{path.name}", package["sha256"], path.name, folder)
        except OSError as error:
            print(f"{path.name}: {type(error).__name__}")
            missing.append(package["name"])
    return missing


def fetch_core(version, folder):
    """Unpack npm's package, which holds Python and its standard library."""
    command = ["npm", "pack", f"pyodide@{version}", "--silent", "--pack-destination", folder.resolve()]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with tarfile.open(archive := folder / f"pyodide-{version}.tgz") as packed:
        for member in packed.getmembers():
            packed.extract(member.replace(name=Path(member.name).name), folder, filter="data")
    archive.unlink()


def fetch_with_pip(package, folder):
    """Download the wheel of the same version, if pip finds it."""
    command = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--only-binary=:all:"]
    command += ["--python-version=3.14", "--platform=any", "--implementation=py", "--dest", folder]
    subprocess.run([*command, f"{package['name']}=={package['version']}"], capture_output=True)


def write_lock(folder):
    """Write the part of a folder's lock file that the book needs."""
    whole = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))
    version = json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"]
    packages = {canonicalize_name(name): package for name, package in whole["packages"].items()}
    found, waiting = {}, list(WANTED)
    while waiting:
        if (name := canonicalize_name(waiting.pop())) not in found:
            found[name] = {key: packages[name][key] for key in KEPT}
            found[name]["depends"] = [canonicalize_name(other) for other in found[name]["depends"]]
            waiting += found[name]["depends"]
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(found))
    head = f'{{\n "version": "{version}",\n "info": {json.dumps(whole["info"])},\n'
    LOCK.write_text(f'{head} "packages": {{\n{lines}\n }}\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    command, folder = sys.argv[1], Path(sys.argv[2])
    if command == "lock":
        write_lock(folder)
    elif missing := fetch(folder):
        print(f"These packages stay on Pyodide's host: {', '.join(missing)}")
