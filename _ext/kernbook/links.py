"""Links to explorers' states, explorers of other pages, and anchors that moved.

The role ``{state}`text <explorer?control=value&control=value>` `` links to an explorer's state, on whichever
page it is, and without values to the explorer, which then asks its question. ``{projector}`` links to the
explorer alone on the screen. The directive ```` ```{explorer} name ```` shows an explorer of another page.

A page lists the anchors and the explorers ("name:") of the pages below it. When an address names one of them,
`_assets/page.js` goes on to the right page, so that what moved is still found.
"""

import json
import re
from urllib.parse import quote, unquote

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

from kernbook.explorers import explorers_by_page, find_explorer

STATE = re.compile(r"(?P<text>.+?)\s*<(?P<name>[^<>?]+)(?:\?(?P<settings>[^<>]+))?>", re.DOTALL)
logger = logging.getLogger(__name__)


class StateLink(nodes.Inline, nodes.TextElement):
    """A link to an explorer's state, until all pages are read; its children are its text."""


class ExplorerPlace(nodes.General, nodes.Element):
    """The place of another page's explorer, until all pages are read."""


class StateRole(SphinxRole):
    """A link to a state, on its page or alone on the screen."""

    def __init__(self, full_screen=False):
        self.full_screen = full_screen

    def run(self):
        found = STATE.fullmatch(self.text.strip())
        if not found:
            syntax = "a state is written text <explorer?control=value&control=value>, got %r."
            logger.warning(syntax, self.text, location=self.get_location())
            return [nodes.Text(self.text)], []
        link = StateLink(name=found["name"], settings=found["settings"] or "", full_screen=self.full_screen)
        for i, part in enumerate(re.split(r"\$(.+?)\$", found["text"])):
            link += nodes.math(part, part) if i % 2 else nodes.Text(part)
        self.set_source_info(link)
        return [link], []


class ExplorerDirective(SphinxDirective):
    """The explorer of this name, from the page that computes it."""

    required_arguments = 1

    def run(self):
        place = ExplorerPlace(name=self.arguments[0])
        self.set_source_info(place)
        return [place]


def fill_places(app, doctree, docname):
    """Copy explorers from the pages that compute them."""
    for place in list(doctree.findall(ExplorerPlace)):
        name = place["name"]
        _, node = find_explorer(app.env, name)
        if node is None:
            logger.warning("no page has an explorer called %r.", name, location=place)
        place.replace_self(node or [])


def resolve_links(app, doctree, docname):
    """Make each state a link to the page that holds its explorer; to this page if it does."""
    for node in list(doctree.findall(StateLink)):
        try:
            page, state = find_state(explorers_by_page(app.env), docname, node["name"], node["settings"])
        except LookupError as error:
            logger.warning(error.args[0], location=node)
            node.replace_self(node.children)
            continue
        path = "" if page == docname else app.builder.get_relative_uri(docname, page)
        query = "?full" if node["full_screen"] else ""
        link = nodes.reference("", "", *node.children, refuri=f"{path}{query}#{state}", internal=True)
        link["classes"].append("explorer-state")
        node.replace_self(link)


def find_state(explorers, docname, name, settings):
    """Find an explorer's page; write a state, "gamma=2&lam=0.1", as in an address, "name:gamma=2,lam=0.1"."""
    from kernlib.book.explore.marks import show  # a book without explorers needs no kernlib

    pages = [page for page in sorted(explorers) if name in explorers[page]]
    if not pages:
        names = sorted({name for page in explorers.values() for name in page} - {""})
        raise LookupError(f"no page has an explorer called {name!r}, only {', '.join(names) or 'none'}.")
    page = docname if docname in pages else pages[0]
    controls, parts = explorers[page][name], []
    for setting in settings.split("&") if settings else ():
        control, equals, text = (unquote(part.strip()) for part in setting.partition("="))
        if control not in controls or not equals:
            raise LookupError(
                f"the explorer {name!r} has no control {control!r}, only {', '.join(controls)}."
            )
        same = [value for value in controls[control] if is_shown_as(value, text)]
        if not same:
            values = ", ".join(show(value) for value in controls[control])
            raise LookupError(f"{control} of the explorer {name!r} is never {text!r}, only {values}.")
        state = f"{quote(control)}={quote(str(same[0]), safe='')}"
        parts.append(controls[control][same[0]] if control == "preset" else state)
    return page, f"{name}:{','.join(parts)}"


def is_shown_as(value, text):
    """Tell whether a control at this value shows the text, or the number that the text is."""
    from kernlib.book.explore.marks import show

    if isinstance(value, str) or text == show(value):
        return text == show(value)
    try:
        return show(float(text.replace("−", "-").replace(",", ""))) == show(float(value))
    except ValueError:
        return False


def list_anchors_below(app, pagename, templatename, context, doctree):
    """Append {anchor or explorer: page} for the pages below, without what the page has itself."""
    below = app.env.toctree_includes.get(pagename, ())
    if doctree is None or not below or pagename == app.config.root_doc:
        return
    own = anchors(app.env, pagename, doctree)
    places = {
        anchor: app.builder.get_relative_uri(pagename, child)
        for child in below
        for anchor in sorted(anchors(app.env, child, app.env.get_doctree(child)) - own)
    }
    text = json.dumps(places, separators=(",", ":")).replace("<", "\\u003c")
    context["body"] += f'<script type="application/json" id="moved">{text}</script>'


def anchors(env, page, doctree):
    """Give the ids of a page, and how the states of its explorers begin."""
    ids = {anchor for node in doctree.findall(nodes.Element) for anchor in node["ids"]}
    return ids | {f"{name}:" for name in explorers_by_page(env).get(page, ())}
