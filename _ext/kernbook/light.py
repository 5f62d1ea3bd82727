"""What keeps a page light: no script for icons, no index where nothing is searched, what can wait waits.

Templates leave out what the theme would load. Each image says its size, so that nothing moves when it comes,
and comes when it is near the screen. One function of the theme's script lays out the whole page to see which
boxes scroll, again after each move of an explorer; it finds nothing to do here, `_assets/wide.js` does it.
"""

import re
import struct
from pathlib import Path

from sphinx.util import logging

IMAGE = re.compile(r'<img (?=[^>]*?\bsrc="(?:\.\./)*(_images/[^"]+\.png)")')

SCRIPT = "_static/scripts/pydata-sphinx-theme.js"
SCROLLING = (
    '["pre",".nboutput > .output_area",".cell_output > .output",".jp-RenderedHTMLCommon",'
    '".pst-scrollable-table-container"].join(", ")'
)
NOTHING = '":not(*)"'
logger = logging.getLogger(__name__)


def setup(app):
    """Put the templates before the theme's, and complete images as pages are written."""
    app.connect("config-inited", use_templates)
    app.connect("html-page-context", complete_images)
    app.connect("html-page-context", defer_scripts, priority=900)  # those of all extensions
    app.connect("build-finished", calm_the_theme)


def use_templates(app, config):
    """Let Sphinx look for templates here first."""
    config.templates_path.append(str(Path(__file__).with_name("templates")))


def defer_scripts(app, pagename, templatename, context, doctree):
    """Run scripts after the page is read, in their order, but the one that scripts in the page need."""
    for script in context["script_files"]:
        if script.filename and not script.filename.endswith("documentation_options.js"):
            script.attributes.setdefault("defer", "defer")


def complete_images(app, pagename, templatename, context, doctree):
    """Give each image of a page its size, unless it has one, and let it load late."""
    files = {f"_images/{name}": source for source, (_, name) in app.env.images.items()}

    def complete(image):
        width, height = size(Path(app.srcdir, files[image[1]]))
        return f'<img width="{width}" height="{height}" loading="lazy" decoding="async" '

    if "body" in context:
        body = IMAGE.sub(complete, context["body"])
        # Where the second of the links that skip leads, in templates/layout.html.
        context["body"] = body.replace("<kernlib-explorer ", '<kernlib-explorer id="first-explorer" ', 1)


def size(path):
    """Read width and height, in pixels, where a PNG has them."""
    with path.open("rb") as file:
        return struct.unpack(">II", file.read(24)[16:])


def calm_the_theme(app, exception):
    """Give the theme's function a selector that matches nothing."""
    path = Path(app.outdir, SCRIPT)
    if exception is not None or not path.is_file():
        return
    script = path.read_text(encoding="utf-8")
    if SCROLLING in script:
        path.write_text(script.replace(SCROLLING, NOTHING), encoding="utf-8")
    elif NOTHING not in script:
        logger.warning(
            "%s is another than the one that kernbook.light knows: look at what it lays out", SCRIPT
        )
