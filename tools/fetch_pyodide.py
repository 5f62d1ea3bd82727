"""Fetch Pyodide, Python for the browser, so that a site needs no other host; or note what the book needs.

    python tools/fetch_pyodide.py fetch FOLDER    # then: KERNLIB_PYODIDE=FOLDER make here
    python tools/fetch_pyodide.py lock FOLDER     # after a new version of jupyterlite-pyodide-kernel

The core comes by npm, pure Python by pip, and what is compiled from Pyodide's own host. What cannot be had is
named, and stays at that host's addresses.
"""

import hashlib
import json
import subprocess
import sys
import tarfile
import urllib.request
from pathlib import Path

from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL

ROOT = Path(__file__).resolve().parents[1]
PART = ROOT / "_ext" / "kernbook" / "pyodide.json"
WANTED = [  # by the book and by the kernel, with all that they need in turn
    *("numpy", "scipy", "scikit-learn", "matplotlib", "scikit-image", "pandas"),
    *("joblib", "threadpoolctl", "tqdm", "requests", "ipython", "jedi", "micropip"),
]
KEPT = ["name", "version", "file_name", "sha256", "imports", "depends"]


def fetch(folder):
    """Put into the folder what can be had; give the names of what cannot."""
    folder.mkdir(parents=True, exist_ok=True)
    its = json.loads(PART.read_text(encoding="utf-8"))
    if not (folder / "pyodide.mjs").is_file():
        fetch_core(its["version"], folder)
    missing = []
    for entry in its["packages"].values():
        path = folder / entry["file_name"]
        if path.is_file():
            continue
        print(entry["name"], flush=True)
        if not (path.name.endswith("none-any.whl") and by_pip(entry, folder)) and not by_address(
            f"{PYODIDE_CDN_URL}/{path.name}", entry["sha256"], path
        ):
            missing.append(entry["name"])
    return missing


def fetch_core(version, folder):
    """Unpack npm's package, which holds Python, its standard library, and no other package."""
    command = ["npm", "pack", f"pyodide@{version}", "--silent", "--pack-destination", folder.resolve()]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    archive = folder / f"pyodide-{version}.tgz"
    with tarfile.open(archive) as packed:
        for member in packed.getmembers():
            member.name = Path(member.name).name
            packed.extract(member, folder, filter="data")
    archive.unlink()


def by_pip(entry, folder):
    """Ask pip for a wheel of the same version."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary=:all:", "--python-version=3.14", "--platform=any", "--implementation=py"]
    command += ["--dest", folder, f"{entry['name']}=={entry['version']}"]
    return (
        not subprocess.run(command, capture_output=True).returncode
        and (folder / entry["file_name"]).is_file()
    )


def by_address(address, sha256, path):
    """Ask Pyodide's host."""
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            found = answer.read()
    except OSError as error:
        print(f"  {address}: {error}")
        return False
    if hashlib.sha256(found).hexdigest() != sha256:
        sys.exit(f"{address} is not the file that {PART.name} names")
    path.write_bytes(found)
    return True


def lock(folder):
    """Write the part of the lock file that the book needs."""
    whole = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))
    version = json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"]
    by_name = {name.lower().replace("_", "-").replace(".", "-"): e for name, e in whole["packages"].items()}
    part, waiting = {}, list(WANTED)
    while waiting:
        name = waiting.pop().lower().replace("_", "-").replace(".", "-")
        if name not in part:
            part[name] = {key: by_name[name][key] for key in KEPT}
            part[name]["depends"] = [d.lower().replace("_", "-") for d in part[name]["depends"]]
            waiting += part[name]["depends"]
    entries = ",\n".join(f"  {json.dumps(name)}: {json.dumps(part[name])}" for name in sorted(part))
    head = f'{{\n "version": "{version}",\n "info": {json.dumps(whole["info"])},\n'
    PART.write_text(f'{head} "packages": {{\n{entries}\n }}\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    what, folder = sys.argv[1], Path(sys.argv[2])
    if what == "lock":
        lock(folder)
    elif missing := fetch(folder):
        print(f"Not to be had from here: {', '.join(missing)}")
