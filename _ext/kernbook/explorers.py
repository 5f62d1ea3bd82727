"""Explorers in the book: tell kernlib that it is the book, and give pages with an explorer their script.

While a chapter executes, an environment variable makes `kernlib.explore` write HTML with all its numbers in
place of a widget. Its one script and its style lie in the package, where a live session reads them too; a
page without explorers does not load them.
"""

import os
from pathlib import Path

ASSETS = Path("kernlib/explore/assets")


def setup(app):
    """Set the variable before any chapter executes, and watch what is written."""
    os.environ["KERNLIB_BOOK"] = "1"
    app.connect("config-inited", add_assets)
    app.connect("html-page-context", load_where_needed)


def add_assets(app, config):
    """Copy the script and the style beside the book's own."""
    folder = Path(app.confdir) / ASSETS
    if folder.is_dir():  # small books, as in tests, have no package beside them
        config.html_static_path.append(str(ASSETS))


def load_where_needed(app, pagename, templatename, context, doctree):
    """Load them on the pages that hold an explorer."""
    if "<kernlib-explorer" in context.get("body", ""):
        app.add_css_file("explore.css")
        app.add_js_file("explore.js", loading_method="defer")
