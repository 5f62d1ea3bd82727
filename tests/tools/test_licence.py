"""The licence page names all software that a built book serves, with its licence and holder.

The files are those of the installed packages: a new extension that serves some, or a theme that brings
another library, fails here until the page names it.
"""

import importlib.util
import json
import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "chapters" / "licence.md").read_text(encoding="utf-8")
ENTRIES = dict(re.findall(r"^(\S.*)\n: ((?:.*\n(?!\n))*.*)", PAGE.partition("## Software")[2], re.MULTILINE))
PACKAGES = {
    "sphinx": "Sphinx",
    "sphinx_book_theme": "Sphinx Book Theme",
    "pydata_sphinx_theme": "PyData Sphinx Theme",
    "sphinx_copybutton": "sphinx-copybutton",
    "sphinx_togglebutton": "sphinx-togglebutton",
    "sphinx_design": "sphinx-design",
    "myst_nb": "MyST-NB",
    "sphinx_proof": "sphinx-proof",
    "sphinx_exercise": "sphinx-exercise",
}
BUNDLED = {
    "bootstrap": "Bootstrap",
    "@popperjs/core": "Popper",
    "compare-versions": "compare-versions",
    "@fortawesome/fontawesome-free": "Font Awesome Free",
}


def served(package):
    """The files of a package that its extension or theme copies into a book."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return []
    files = Path(spec.submodule_search_locations[0]).rglob("*.*")
    return [
        path
        for path in files
        if {"static", "_static", "assets"} & set(path.parts) and ".py" not in path.suffix
    ]


def extensions():
    """The packages of the book's extensions, and the themes below."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    return {name.partition(".")[0] for name in config["sphinx"]["config"]["extensions"]} | PACKAGES.keys()


def test_each_entry_names_a_licence_and_a_holder():
    assert len(ENTRIES) > 10
    for name, text in ENTRIES.items():
        assert re.search(r"(Apache\s+License\s+2\.0|BSD\s+[23]-Clause|MIT),\s+\w", text), name


def test_every_extension_that_serves_files_is_named():
    serving = {name for name in extensions() - {"kernbook"} if served(name)}
    assert {PACKAGES[name] for name in serving} <= ENTRIES.keys()


def test_every_library_inside_the_themes_scripts_and_styles_is_named():
    maps = [path for name in PACKAGES for path in served(name) if path.suffix == ".map"]
    sources = [source for path in maps for source in json.loads(path.read_text(encoding="utf-8"))["sources"]]
    libraries = {
        found[1] for source in sources if (found := re.search(r"node_modules/((@[^/]+/)?[^/]+)", source))
    }
    assert "bootstrap" in libraries
    assert {BUNDLED[library] for library in libraries} <= ENTRIES.keys()


def test_every_library_that_says_its_name_in_a_served_file_is_named():
    files = [path for name in PACKAGES for path in served(name) if path.suffix in (".js", ".txt", ".css")]
    banner = re.compile(r"\A\s*/\*!\s*\*?\s*([A-Z][\w. ]*?|[a-z.]+) v?\d+\.\d")
    named = {found[1] for path in files if (found := banner.match(path.read_text(encoding="utf-8")))}
    assert {"Bootstrap", "clipboard.js", "Font Awesome Free"} <= named <= ENTRIES.keys()


def test_the_katex_that_is_served_is_the_one_that_sets_and_the_one_that_is_named():
    style = (ROOT / "_assets" / "katex" / "katex.min.css").read_text(encoding="utf-8")
    script = (ROOT / "_ext" / "kernbook" / "katex.min.js").read_text(encoding="utf-8")
    (version,) = re.findall(r'\.katex-version:after\{content:"([\d.]+)"\}', style)
    assert f'version:"{version}"' in script
    assert f"KaTeX {version}" in ENTRIES
    fonts = set(re.findall(r"url\((fonts/[^)]+)\)", style))
    served = {f"fonts/{path.name}" for path in (ROOT / "_assets" / "katex" / "fonts").iterdir()}
    assert fonts == served
