"""Explorers in the book: figures with sliders that draw numbers computed while the book was built.

While a notebook executes, an environment variable makes `kernlib.book.explore` return an explorer's parts
under a MIME type of its own. myst-nb finds `ExplorerRenderer` through the entry point in the folder
`kernbook-0.dist-info` beside this package.

The first screen needs neither numbers nor pictures, up to two thirds of a page. So the pictures are files.
A page that was opened from a file may load scripts but no data, so the numbers are a script. If the first
explorer is on the first screen, the page keeps its numbers, or it would jump.
"""

import json
import os
import re
import zlib
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from docutils import nodes
from sphinx.util.logging import getLogger
from sphinx.util.osutil import relative_uri

logger = getLogger(__name__)
MIME_TYPE = "application/vnd.kernlib.explorer+json"
STYLESHEET = Path(find_spec("kernlib").origin).parent / "book" / "explore" / "assets" / "explore.css"
SCRIPT = "_static/explore.js"
FIRST_SCREEN = 2000  # characters, on a wide one
FILL_IN = """[
%s
].forEach((numbers, i) => {
  document.querySelectorAll("kernlib-explorer > script")[i + %d].textContent = numbers;
});
"""


class ExplorerNode(nodes.General, nodes.Element):
    """An explorer, with its `parts`."""


class ExplorerRenderer:
    """Make an explorer's output a node; myst-nb calls this for each MIME type that a cell's output has."""

    mime_priority_overrides = (("html", MIME_TYPE, 1),)

    @staticmethod
    def handle_mime(renderer, data, inline):
        """Make the node, of this type alone."""
        return [ExplorerNode(parts=data.content)] if data.mime_type == MIME_TYPE else None


def ask_for_pages(app, config):
    """Make kernlib return explorers for the book, and copy their style to it."""
    os.environ["KERNLIB_BOOK"] = "1"
    config.html_static_path.append(str(STYLESHEET))


def note_explorers(app, doctree):
    """Keep the names of the explorers of a page, the values of their controls, and their presets."""
    parts = [node["parts"] for node in doctree.findall(ExplorerNode)]
    names = [explorer["name"] for explorer in parts if explorer["name"]]
    for name in sorted({name for name in names if names.count(name) > 1}):
        logger.warning("two explorers of this page are called %r.", name, location=app.env.docname)
    noted = {explorer["name"]: dict(explorer["controls"]) | presets_of(explorer) for explorer in parts}
    app.env.metadata[app.env.docname]["explorers"] = noted


def presets_of(explorer):
    """Give the presets as a control would have values, each with its state as in an address."""
    presets = json.loads(explorer["data"])["spec"].get("presets", {})
    states = {
        label: ",".join(
            f"{quote(name)}={quote(address_text(value), safe='')}" for name, value in values.items()
        )
        for label, values in presets.items()
    }
    return {"preset": states} if states else {}


def address_text(value):
    """Write a value as an address does: points as x_y~x_y, switches as i~j."""
    if not isinstance(value, list):
        return str(value)
    return "~".join("_".join(map(str, part)) if isinstance(part, list) else str(part) for part in value)


def explorers_by_page(env):
    """Give for each page its explorers, and for each explorer the values of each control."""
    return {page: found["explorers"] for page, found in env.metadata.items() if "explorers" in found}


def find_explorer(env, name):
    """Find the page that computes an explorer, and its node there; None twice if no page does."""
    page = next((page for page, held in sorted(explorers_by_page(env).items()) if name in held), None)
    if page is None:
        return None, None
    return page, next(
        node for node in env.get_doctree(page).findall(ExplorerNode) if node["parts"]["name"] == name
    )


def write_explorer(translator, node):
    """Write an explorer as HTML."""
    from kernlib.book.explore.page import element  # a book without explorers needs no kernlib

    builder, parts = translator.builder, node["parts"]
    page = builder.current_docname
    explorers = list(translator.document.findall(ExplorerNode))
    number = explorers.index(node)
    if number == 0:
        above = re.sub(r"<[^>]+>", "", "".join(translator.body))
        translator.document["keeps_numbers"] = len(above) < FIRST_SCREEN
    keeps_numbers = number == 0 and translator.document["keeps_numbers"]
    picture = f"{page.replace('/', '-')}-explorer-{number}.svg"
    if parts["picture"]:
        write_file(builder, f"_images/{picture}", parts["picture"].encode())
    data = parts["data"] if keeps_numbers else ""
    # The link "Skip to the first explorer" in templates/layout.html leads to this id.
    attributes = ' id="first-explorer"' if number == 0 else ""
    html = element(parts, f"{builder.imgpath}/{picture}", data, attributes)
    if keeps_numbers:
        html += f'<script src="{write_script(builder, page)}"></script>'
    if keeps_numbers and parts["script"]:  # before the script that draws
        html = f'<script src="{write_script(builder, page, parts["script"])}"></script>{html}'
    kinds = [panel["kind"] for panel in json.loads(parts["data"])["spec"]["panels"]]
    # Several pictures stand beside each other where there is room.
    wide = " full-width" if sum(kind not in ("readout", "pick") for kind in kinds) > 1 else ""
    translator.body.append(f'<div class="output text_html{wide}">{html}</div>')
    raise nodes.SkipNode


def add_scripts(app, pagename, templatename, context, doctree):
    """Load on a page with explorers their style, their numbers, and the script that draws."""
    explorers = list(doctree.findall(ExplorerNode)) if doctree else []
    if not explorers:
        return
    app.add_css_file("explore.css")
    kept = int(doctree["keeps_numbers"])  # of the first explorer, whose scripts are in the page
    if not explorers[kept:]:
        return
    quoted = [node["parts"]["data"].replace("\\", "\\\\").replace("'", "\\'") for node in explorers[kept:]]
    numbers = (FILL_IN % (",\n".join(f"'{data}'" for data in quoted), kept)).encode()
    write_file(app.builder, f"{pagename}.js", numbers)
    first = address_of(app.builder, pagename, f"{pagename}.js", numbers)
    before = {node["parts"]["script"] for node in explorers[:kept]} | {""}
    own = {node["parts"]["script"] for node in explorers} - before
    scripts = [write_script(app.builder, pagename, name) for name in (*sorted(own), *([] if kept else [""]))]
    for address in (first, *scripts):
        context["metatags"] += f'<script defer src="{address}"></script>'


def write_script(builder, page, name=""):
    """Write the script that draws, or an explorer's own, into the book; return its address for a page."""
    from kernlib.book.explore.script import join_explorer_script, join_script  # only books with explorers

    path = f"_static/explore-{name}.js" if name else SCRIPT
    content = (join_explorer_script(name) if name else join_script()).encode()
    write_file(builder, path, content)
    return address_of(builder, page, path, content)


def write_file(builder, path, content):
    """Write a file of the book."""
    file = Path(builder.outdir, path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def address_of(builder, page, path, content):
    """Give the address of a file, seen from a page, with a hash that tells browsers when it has changed."""
    return f"{relative_uri(builder.get_target_uri(page), path)}?v={zlib.crc32(content):x}"
