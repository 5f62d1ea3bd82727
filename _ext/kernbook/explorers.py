"""Explorers in the book: tell kernlib that it is the book, copy the script that draws, link to their states.

While a chapter executes, an environment variable makes `kernlib.book.explore` write HTML with all its
numbers in place of a widget. Its one script and its style lie in the package, where a live session reads
them too.

The role ``{state}`text <explorer?control=value&control=value>` `` links to an explorer's state, on whichever
page it stands; the text may hold formulas between dollars. ``{projector}`` links to the explorer alone on the
screen. What exists is read off the pages themselves, so that a name, a control or a value that no page has is
a warning of the build.
"""

import json
import os
import re
from pathlib import Path
from urllib.parse import quote, unquote

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

ASSETS = Path("kernlib/book/explore/assets")
EXPLORER = re.compile(r'<kernlib-explorer\b.*?<script type="application/json">(.*?)</script>', re.DOTALL)
STATE = re.compile(r"(?P<text>.+?)\s*<(?P<name>[^<>?]+)\?(?P<settings>[^<>]+)>", re.DOTALL)
LOG = logging.getLogger(__name__)


def setup(app):
    """Set the variable before any chapter executes, and watch what is read and written."""
    os.environ["KERNLIB_BOOK"] = "1"
    app.connect("config-inited", add_assets)
    app.add_role("state", State())
    app.add_role("projector", Projector())
    app.connect("env-get-outdated", never_noted)
    app.connect("env-purge-doc", forget)
    app.connect("doctree-read", note_explorers)
    app.connect("env-merge-info", merge)
    app.connect("doctree-resolved", link_states)


def add_assets(app, config):
    """Copy the script and the style beside the book's own."""
    folder = Path(app.confdir) / ASSETS
    if folder.is_dir():  # small books, as in tests, have no package beside them
        config.html_static_path.append(str(ASSETS))


class StateLink(nodes.Inline, nodes.TextElement):
    """A link to an explorer's state, until all pages are read; its children are its text."""


class State(SphinxRole):
    """The role: the text of the link, then the state in pointed brackets."""

    full = False

    def run(self):
        """Keep the state for later; give formulas in the text their nodes."""
        found = STATE.fullmatch(self.text.strip())
        if not found:
            said = f"a state is written text <explorer?control=value&control=value>, got {self.text!r}."
            LOG.warning(said, location=self.get_location())
            return [nodes.Text(self.text)], []
        link = StateLink(name=found["name"], settings=found["settings"], full=self.full)
        for i, part in enumerate(re.split(r"\$(.+?)\$", found["text"])):
            link += nodes.math(part, part) if i % 2 else nodes.Text(part)
        self.set_source_info(link)
        return [link], []


class Projector(State):
    """The role of a link that shows the explorer alone, and large."""

    full = True


def explorers_of(env):
    """For each document its explorers: for each explorer the values of each control."""
    if not hasattr(env, "kernbook_explorers"):
        env.kernbook_explorers = {}
    return env.kernbook_explorers


def never_noted(app, env, added, changed, removed):
    """Name the documents that were read before there were links to states: all are to be read again."""
    return env.found_docs - set(explorers_of(env))


def forget(app, env, docname):
    """Drop what a document held when it was last read."""
    explorers_of(env).pop(docname, None)


def merge(app, env, docnames, other):
    """Take over what another process has read."""
    read = explorers_of(other)
    explorers_of(env).update({docname: read[docname] for docname in docnames if docname in read})


def note_explorers(app, doctree):
    """Find the explorers of a document that was just read."""
    specs = [
        json.loads(data)["spec"]
        for node in doctree.findall(nodes.raw)
        for data in EXPLORER.findall(node.astext())
    ]
    explorers_of(app.env)[app.env.docname] = {
        spec["name"]: {control["name"]: control["values"] for control in spec["controls"]} for spec in specs
    }


def link_states(app, doctree, docname):
    """Turn each state into a link to the page that holds its explorer, this one if it does."""
    for node in list(doctree.findall(StateLink)):
        try:
            page, state = find_state(explorers_of(app.env), docname, node["name"], node["settings"])
        except LookupError as error:
            LOG.warning(error.args[0], location=node)
            node.replace_self(node.children)
            continue
        path = "" if page == docname else app.builder.get_relative_uri(docname, page)
        address = f"{path}{'?full' * node['full']}#{state}"
        link = nodes.reference("", "", *node.children, refuri=address, internal=True)
        link["classes"].append("explorer-state")
        node.replace_self(link)


def find_state(explorers, docname, name, settings):
    """
    Give the document that holds an explorer and the fragment of the state's address, "ridge:gamma=2,lam=0.1".

    Raises
    ------
    LookupError
        With a sentence for the writer, if there is no such explorer, control or value.
    """
    from kernlib.book.explore.marks import show  # a book without explorers needs no kernlib

    pages = [page for page in sorted(explorers) if name in explorers[page]]
    if not pages:
        names = sorted({name for page in explorers.values() for name in page} - {""})
        raise LookupError(f"no page has an explorer called {name!r}, only {', '.join(names) or 'none'}.")
    page = docname if docname in pages else pages[0]
    controls, parts = explorers[page][name], []
    for setting in settings.split("&"):
        control, equals, text = (unquote(part.strip()) for part in setting.partition("="))
        if control not in controls or not equals:
            raise LookupError(
                f"the explorer {name!r} has no control {control!r}, only {', '.join(controls)}."
            )
        same = [value for value in controls[control] if as_shown(value, text)]
        if not same:
            values = ", ".join(show(value) for value in controls[control])
            raise LookupError(f"{control} of the explorer {name!r} is never {text!r}, only {values}.")
        parts.append(f"{quote(control)}={quote(str(same[0]), safe='')}")
    return page, f"{name}:{','.join(parts)}"


def as_shown(value, text):
    """Whether a control at this value shows the text, or the number that the text is."""
    from kernlib.book.explore.marks import show

    if isinstance(value, str) or text == show(value):
        return text == show(value)
    try:
        return show(float(text.replace("−", "-").replace(",", ""))) == show(float(value))
    except ValueError:
        return False
