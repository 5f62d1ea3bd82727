"""The explorers' renderer as one text, for the book and for Jupyter.

Its parts are files in the folder ``assets``, each about one thing. They share one scope and no module system,
because a page that was opened from a file may load classic scripts and not modules.
"""

import re
from functools import cache
from importlib.resources import files

__all__ = ["computed_names", "join_explorer_script", "join_module", "join_script", "stylesheet"]

ASSETS = files("kernlib.book.explore") / "assets"
SCRIPTS = files("kernlib.book.explorers") / "scripts"
PARTS = (
    *("numbers", "numeric", "elements", "axes", "fields", "marks", "dragging", "plot", "panels"),
    *("frames", "controls", "question", "state", "address", "book", "live"),
)
BEGIN = 'var KernlibExplore = (() => {\n"use strict";\n\n'
END = """
return { BookExplorer, followLink, widget };
})();

if (!customElements.get("kernlib-explorer")) {
  customElements.define("kernlib-explorer", KernlibExplore.BookExplorer);
  document.addEventListener("click", KernlibExplore.followLink);
}
"""


def read(name: str) -> str:
    """Read a file of the folder."""
    return (ASSETS / name).read_text(encoding="utf-8")


@cache
def join_script() -> str:
    """Join the parts, without comments, into the classic script, which defines the element and one name."""
    parts = "\n".join(read(f"{part}.js") for part in PARTS)
    return BEGIN + re.sub(r"^ *//.*\n", "", parts, flags=re.M) + END


def join_module() -> str:
    """Join the parts into the module that anywidget loads."""
    return f"{join_script()}\nexport default KernlibExplore.widget;\n"


@cache
def computed_names(script: str) -> list[str]:
    """List the functions of an explorer's own script."""
    return re.findall(r"^function (\w+)\(", (SCRIPTS / f"{script}.js").read_text(encoding="utf-8"), re.M)


def join_explorer_script(script: str) -> str:
    """Wrap an explorer's own script so that the element finds its functions under the script's name."""
    text = (SCRIPTS / f"{script}.js").read_text(encoding="utf-8")
    found = f"return {{ {', '.join(computed_names(script))} }};"
    begin = f'(globalThis.KernlibScripts ||= {{}})["{script}"] = (() => {{\n"use strict";\n\n'
    return f"{begin}{text}\n{found}\n}})();\n"


def stylesheet() -> str:
    """Read the stylesheet."""
    return read("explore.css")
