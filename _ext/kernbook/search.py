"""Search by section: one record for each, with other names of its terms from the glossary.

Sphinx's own index has one entry for a page, needs words as they are spelled, and lists the API first. These
records are a script, since a page that was opened from a file may not load data; `_assets/search.js` searches
them.
"""

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

RECORDS = "_static/search-records.js"
GLOSSARY = "chapters/glossary"
NOT_WORDS = (nodes.math_block, nodes.raw, nodes.literal_block, nodes.comment, nodes.image, nodes.abbreviation)
OTHER_RECORDS = (nodes.section, addnodes.desc, nodes.title, addnodes.desc_signature, *NOT_WORDS)
SHORT = re.compile(r"\w+( ?[=<>+,] ?\w+)*")  # a formula that reads as it is written: c, n = 20
NAMES = re.compile(r"\s*[·,()]\s*|\s+and\s+")


def add_search_page(app, config):
    """Make templates/search.html a page."""
    config.html_additional_pages["search"] = "search.html"


def replace_index(app):
    """Keep Sphinx from writing an index and a page that nothing would read."""
    app.builder.search = False
    app.kernbook_records = []


def add_records(app, doctree, docname):
    """Add the records of a page that is about to be written."""
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
                "at": f"{docname}.html" if is_page else f"{docname}.html#{anchor}",
                "page": page,
                "title": title,
                "text": plain_text(around),
                "api": docname.startswith("api/"),
            }
        )


def plain_text(node):
    """Join the words of a node with one space between them."""
    return " ".join("".join(words_of(node)).split())


def words_of(node):
    """Give the text of a section or an object, without its head and the sections or objects in it."""
    for child in node.children:
        if isinstance(child, nodes.Text):
            yield child
        elif isinstance(child, nodes.math):
            yield child.astext() if SHORT.fullmatch(child.astext()) else "…"
        elif not isinstance(child, OTHER_RECORDS):
            yield from words_of(child)
            if isinstance(child, nodes.Body):
                yield " "


def write_records(app, exception):
    """Write the records of a book whose pages were written."""
    if exception is None and getattr(app, "kernbook_records", None):
        glossary = app.env.get_doctree(GLOSSARY) if GLOSSARY in app.env.found_docs else nodes.Element()
        terms = [NAMES.split(plain_text(term)) for term in glossary.findall(nodes.term)]
        for record in app.kernbook_records:
            for field in ("title", "text"):
                record[f"{field}_also"] = other_names(record[field], terms)
        records = json.dumps(app.kernbook_records, ensure_ascii=False, separators=(",", ":"))
        Path(app.outdir, RECORDS).write_text(f"const SEARCH_RECORDS = {records};\n", encoding="utf-8")


def other_names(text, terms):
    """List the other names of those terms that a text mentions under one of their names."""
    text, found = text.lower(), []

    def is_mentioned(name):  # as the start of a word; the first half is quick
        return name.lower() in text and re.search(rf"\b{re.escape(name.lower())}", text)

    for names in terms:
        if any(map(is_mentioned, filter(None, names))):
            found += [name for name in filter(None, names) if not is_mentioned(name)]
    return " ".join(found)
