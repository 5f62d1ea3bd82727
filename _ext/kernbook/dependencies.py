"""Find what the outputs of a notebook depend on, so that a change executes only the notebooks it can affect.

These are the notebook's own code, the modules of kernlib that it imports, directly or through others, the
data files that the code or these modules name, and the versions of Python and of the libraries.
"""

import ast
import hashlib
import json
import os
import platform
import re
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path

import grimp
import nbformat

PACKAGE = "kernlib"
AROUND_THE_CORE = ("kernlib.book", "kernlib.compare")
LIBRARIES = "anywidget dask matplotlib numpy pooch scikit-image scikit-learn scipy threadpoolctl".split()
DATA = ("data/*", "benchmarks/*.json")
NO_DATA = {".css", ".js", ".md", ".py", ".pyc"}  # the script of the explorers runs in the reader's browser


def notebook_keys(root, paths, environ=os.environ):
    """Hash what the outputs of each notebook depend on; `paths` are the notebooks of a book by name."""
    modules = Modules()
    candidates = [path for pattern in DATA for path in root.glob(pattern)]
    candidates += modules.folder.rglob("*")
    data = [path for path in candidates if path.is_file() and path.suffix not in NO_DATA]
    files = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in data}
    versions = sorted(f"{found.name} {found.version}" for found in distributions() if found.name in LIBRARIES)
    keys = {}
    for name, path in paths.items():
        cells = code_cells(path)
        code = "\n".join(cells)
        sources = {module: modules.sources[module] for module in modules.needed_by(code)}
        text = "\n".join([code, *sources.values()])
        named = [(file.name, files[file]) for file in files if file.name.removesuffix(".bz2") in text]
        downloads = downloaded_files(root, environ) if "KERNLIB_DATA" in text else []
        state = [cells, sources, sorted(named), downloads, versions, platform.python_version()]
        keys[name] = hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()[:16]
    return keys


def code_cells(path):
    """List the sources of a notebook's code cells."""
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def downloaded_files(root, environ):
    """List names and sizes in the folder KERNLIB_DATA; the loaders check the contents themselves."""
    if not (folder := environ.get("KERNLIB_DATA")):
        return []
    # A relative folder is one of the chapters, or of the root.
    places = [base / os.path.expanduser(folder) for base in (root / "chapters", root)]
    place = next((place for place in places if place.is_dir()), places[-1])
    files = (path for path in place.rglob("*") if path.is_file())
    return sorted([path.relative_to(place).as_posix(), path.stat().st_size] for path in files)


class Modules:
    """The modules of the installed package kernlib: the source of each, and which of them import which."""

    def __init__(self):
        self.folder = Path(find_spec(PACKAGE).origin).parent
        self.sources = {}
        for path in self.folder.rglob("*.py"):
            parts = path.relative_to(self.folder.parent).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            self.sources[name] = path.read_text(encoding="utf-8")
        self.graph = grimp.build_graph(PACKAGE, exclude_type_checking_imports=True, cache_dir=None)

    def needed_by(self, code):
        """Name the modules that code imports, directly or through others; all if that cannot be told."""
        try:
            waiting = self.imported_by(code)
        except SyntaxError:
            return set(self.sources)
        found = set()
        while waiting:
            module = waiting.pop()
            if not module or module in found:
                continue
            found.add(module)
            imported = self.graph.find_modules_directly_imported_by(module)
            if PACKAGE in imported:
                imported |= self.imported_by(self.sources[module])
            waiting |= imported | {module.rpartition(".")[0]}  # Python runs the package's __init__ first
        return found

    def imported_by(self, code):
        """Name the modules that Python code imports directly; IPython's own commands import none."""
        found = set()
        for node in ast.walk(ast.parse(re.sub(r"^(\s*)[%!].*", r"\1pass", code, flags=re.MULTILINE))):
            match node:
                case ast.Import(names=names):
                    taken = [alias.name for alias in names]
                case ast.ImportFrom(module=module, names=names, level=0):
                    taken = [f"{module}.{alias.name}" for alias in names]
                case _:
                    continue
            found.update(*map(self.homes_of, taken))
        return found

    def homes_of(self, name):
        """Name the modules that contain what a full name stands for, such as kernlib.ridge.KernelRidge."""
        module = name
        while module and module not in self.sources:
            module = module.rpartition(".")[0]
        if module != PACKAGE:
            return {module} - {""}
        # kernlib itself only passes on what its modules offer, and imports a module when its name is used.
        core = {found for found in self.sources if not found.startswith(AROUND_THE_CORE)}
        homes = {found for found in core if name.rpartition(".")[2] in offered_names(self.sources[found])}
        return (homes or core) | {PACKAGE}


def offered_names(source):
    """List the names in a module's ``__all__``."""
    for node in ast.parse(source).body:
        match node:
            case ast.Assign(targets=[ast.Name("__all__")], value=ast.List() | ast.Tuple() as names):
                return [name.value for name in names.elts if isinstance(name, ast.Constant)]
    return []
