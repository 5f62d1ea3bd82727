"""The license page names all software that a built book serves, with its license and holder.

The files are those of the installed packages: a new extension that serves some, or a theme with another
library, fails here until the page names it.
"""

import importlib.util
import json
import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "chapters" / "license.md").read_text(encoding="utf-8")
ENTRIES = dict(re.findall(r"^(\S.*)\n: ((?:.*\n(?!\n))*.*)", PAGE.partition("## Software")[2], re.MULTILINE))
PACKAGES = (
    "sphinx sphinx_book_theme pydata_sphinx_theme sphinx_copybutton sphinx_togglebutton sphinx_design "
    "sphinx_proof sphinx_exercise myst_nb"
).split()


def simplify(name):
    """Drop case and signs: sphinx_book_theme and Sphinx Book Theme are the same."""
    return re.sub(r"[\W_]", "", name).lower()


NAMED = set(map(simplify, ENTRIES))


def served_files(package):
    """List the files of a package that its extension or theme copies into a book."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return []
    folders = {"static", "_static", "assets"}
    files = Path(spec.submodule_search_locations[0]).rglob("*.*")
    return [path for path in files if folders & set(path.parts) and ".py" not in path.suffix]


def test_each_entry_names_a_license_and_a_holder():
    assert len(ENTRIES) > 10
    for name, text in ENTRIES.items():
        assert re.search(r"(Apache\s+License\s+2\.0|BSD\s+[23]-Clause|MIT|SIL\s+OFL\s+1\.1),\s+\w", text), (
            name
        )


def test_every_extension_that_serves_files_is_named():
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    extensions = {name.partition(".")[0] for name in config["sphinx"]["config"]["extensions"]}
    extensions -= {"kernbook", "sphinxext"}  # ours; and sphinxext-opengraph's font is only for cards it draws
    assert "ogp_image" in config["sphinx"]["config"]  # so it draws none
    assert {simplify(name) for name in extensions | {*PACKAGES} if served_files(name)} <= NAMED


def test_every_library_inside_the_scripts_and_styles_of_the_themes_is_named():
    maps = [path for name in PACKAGES for path in served_files(name) if path.suffix == ".map"]
    sources = "\n".join(s for path in maps for s in json.loads(path.read_text(encoding="utf-8"))["sources"])
    libraries = set(re.findall(r"node_modules/((?:@[^/\n]+/)?[^/\n]+)", sources))
    assert "bootstrap" in libraries
    names = ("Popper" if library == "@popperjs/core" else library.rpartition("/")[2] for library in libraries)
    assert set(map(simplify, names)) <= NAMED


def test_every_library_that_states_its_name_in_a_served_file_is_named():
    files = [
        path for name in PACKAGES for path in served_files(name) if path.suffix in (".js", ".txt", ".css")
    ]
    banner = re.compile(r"\A\s*/\*!\s*\*?\s*([A-Z][\w. ]*?|[a-z.]+) v?\d+\.\d")
    names = {found[1] for path in files if (found := banner.match(path.read_text(encoding="utf-8")))}
    assert {"Bootstrap", "clipboard.js", "Font Awesome Free"} <= names <= ENTRIES.keys()


def test_the_served_katex_is_the_one_that_the_build_uses_and_the_page_names():
    style = (ROOT / "_assets" / "katex" / "katex.min.css").read_text(encoding="utf-8")
    script = (ROOT / "_ext" / "kernbook" / "katex.min.js").read_text(encoding="utf-8")
    (version,) = re.findall(r'\.katex-version:after\{content:"([\d.]+)"\}', style)
    assert f'version:"{version}"' in script and f"KaTeX {version}" in ENTRIES
    fonts = {f"fonts/{path.name}" for path in (ROOT / "_assets" / "katex" / "fonts").iterdir()}
    assert set(re.findall(r"url\((fonts/[^)]+)\)", style)) == fonts
