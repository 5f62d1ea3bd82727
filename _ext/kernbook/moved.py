"""Keep old links alive: what moved from a page to the page below it in the contents is still found there.

A page lists the anchors of the pages below it in the contents, and their explorers as "name:", with which the
state of one begins; `_assets/page.js` goes on to the right page when the address names one that this page
does not have.
"""

import json

from docutils import nodes

from kernbook.explorers import explorers_of


def setup(app):
    """Add the list to each page that has pages below it."""
    app.connect("html-page-context", add)


def add(app, pagename, templatename, context, doctree):
    """Append {anchor or explorer: page} of the pages below, without what the page has itself."""
    below = app.env.toctree_includes.get(pagename, ())
    if doctree is None or not below or pagename == app.config.root_doc:
        return
    own = anchors(doctree) | states(app.env, pagename)
    places = {
        anchor: app.builder.get_relative_uri(pagename, child)
        for child in below
        for anchor in sorted((anchors(app.env.get_doctree(child)) | states(app.env, child)) - own)
    }
    text = json.dumps(places, separators=(",", ":")).replace("<", "\\u003c")
    context["body"] += f'<script type="application/json" id="moved">{text}</script>'


def anchors(doctree):
    """The ids of a page."""
    return {anchor for node in doctree.findall(nodes.Element) for anchor in node["ids"]}


def states(env, pagename):
    """How the states of a page's explorers begin."""
    return {f"{name}:" for name in explorers_of(env).get(pagename, ())}
