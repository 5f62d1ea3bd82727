"""Search by section: one record for each, with the words that the glossary gives for what it speaks of.

Sphinx's own index has one entry for a page, wants a word as it is spelled, and lists the API first. These
records are a script, since a page opened from a file may load no data; `_assets/search.js` searches them.
"""

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

RECORDS = "_static/search-records.js"
GLOSSARY = "chapters/glossary"
NOT_WORDS = (nodes.math_block, nodes.raw, nodes.literal_block, nodes.comment, nodes.image, nodes.abbreviation)
APART = (nodes.section, addnodes.desc, nodes.title, addnodes.desc_signature, *NOT_WORDS)
SHORT = re.compile(r"\w+( ?[=<>+,] ?\w+)*")  # a formula that reads as it is written: c, n = 20
NAMES = re.compile(r"\s*[·,()]\s*|\s+and\s+")


def setup(app):
    """Take the place of Sphinx's search: its page stays, its index goes."""
    app.connect("config-inited", add_page)
    app.connect("builder-inited", leave_out_the_index)
    app.connect("doctree-resolved", note_sections)
    app.connect("build-finished", write_records)


def add_page(app, config):
    """Have templates/search.html made into a page."""
    config.html_additional_pages["search"] = "search.html"


def leave_out_the_index(app):
    """Keep Sphinx from writing an index and a page that nothing would read."""
    app.builder.search = False
    app.kernbook_records = []


def note_sections(app, doctree, docname):
    """Add the records of a page, which is about to be written."""
    page = app.env.titles[docname].astext()
    for head in doctree.findall(lambda node: isinstance(node, nodes.title | addnodes.desc_signature)):
        around, is_object = head.parent, isinstance(head, addnodes.desc_signature)
        if is_object and head["ids"]:
            title = anchor = head["ids"][0]
        elif isinstance(around, nodes.section):
            title, anchor = head.astext(), around["ids"][0]
        else:
            continue
        is_page = isinstance(around.parent, nodes.document)
        app.kernbook_records.append(
            {
                "at": f"{docname}.html" + ("" if is_page else f"#{anchor}"),
                "page": page,
                "title": title,
                "text": plain(around),
                "api": docname.startswith("api/"),
            }
        )


def plain(node):
    """The words of a node, one space between them."""
    return " ".join("".join(words(node)).split())


def words(node):
    """The text of a section or of a described object, without its head and the sections or objects in it."""
    for child in node.children:
        if isinstance(child, nodes.Text):
            yield child
        elif isinstance(child, nodes.math):
            yield child.astext() if SHORT.fullmatch(child.astext()) else "…"
        elif not isinstance(child, APART):
            yield from words(child)
            yield " " * isinstance(child, nodes.Body)


def write_records(app, exception):
    """Write the records of a book whose pages were written."""
    if exception is None and getattr(app, "kernbook_records", None):
        groups = list(synonyms(app.env.get_doctree(GLOSSARY))) if GLOSSARY in app.env.found_docs else []
        for record in app.kernbook_records:
            for field in ("title", "text"):
                record[f"{field}_also"] = also(record[field], groups)
        said = json.dumps(app.kernbook_records, ensure_ascii=False, separators=(",", ":"))
        Path(app.outdir, RECORDS).write_text(f"const SEARCH_RECORDS = {said};\n", encoding="utf-8")


def synonyms(doctree):
    """The names of each term of the glossary, in all languages, its abbreviation too."""
    for term in doctree.findall(nodes.term):
        names = NAMES.split(plain(term))
        yield [name for name in names if name]


def also(text, groups):
    """Other names of the terms that a text speaks of under one of their names."""
    text = text.lower()
    found = []
    for names in groups:
        known = [speaks_of(text, name.lower()) for name in names]
        if any(known):
            found += [name for name, is_known in zip(names, known, strict=True) if not is_known]
    return " ".join(found)


def speaks_of(text, name):
    """Whether a word of the text begins so; most texts hold no such letters at all, which is quick to see."""
    return name in text and re.search(rf"\b{re.escape(name)}", text) is not None
