"""Keep old links alive: what moved from a page to the page below it in the contents is still found there.

A page lists the anchors of its own sections in the contents; `_assets/page.js` goes on to the right one when
the address names an anchor that the page no longer has.
"""

import json

from docutils import nodes


def setup(app):
    """Add the list to each page that has pages below it."""
    app.connect("html-page-context", add)


def add(app, pagename, templatename, context, doctree):
    """Append {anchor: page} of the pages below, without what the page has itself."""
    below = app.env.toctree_includes.get(pagename, ())
    if doctree is None or not below or pagename == app.config.root_doc:
        return
    own = anchors(doctree)
    places = {
        anchor: app.builder.get_relative_uri(pagename, child)
        for child in below
        for anchor in sorted(anchors(app.env.get_doctree(child)) - own)
    }
    text = json.dumps(places, separators=(",", ":")).replace("<", "\\u003c")
    context["body"] += f'<script type="application/json" id="moved">{text}</script>'


def anchors(doctree):
    """The ids of a page."""
    return {anchor for node in doctree.findall(nodes.Element) for anchor in node["ids"]}
