"""Search by section: one record for each, with other names of its terms from the glossary.

Sphinx's own index has one entry for a page, needs words as they are spelled, and lists the API first. These
records are a script, since a page that was opened from a file may not load data; `_assets/search.js` searches
them. `chapters/keywords.yml` says which section comes first for what students type.
"""

import json
import re
from pathlib import Path

import yaml
from docutils import nodes
from sphinx import addnodes
from sphinx.util import logging

from kernbook.formulas import display_source
from kernbook.spelling import spell_formula

RECORDS = "_static/search-records.js"
KEYWORDS = Path("chapters", "keywords.yml")
GLOSSARY = "chapters/glossary"
NOT_WORDS = (nodes.raw, nodes.literal_block, nodes.comment, nodes.image, nodes.abbreviation)
OTHER_RECORDS = (nodes.section, addnodes.desc, nodes.title, addnodes.desc_signature, *NOT_WORDS)
CHAPTER = re.compile(r"chapters/\d\d_(?!.*solutions)")
BESIDE = {"Quiz", "Exercises", "Recap", "Solutions"}  # sections that come after the others
NAMES = re.compile(r"\s*[·,()]\s*|\s+and\s+")
logger = logging.getLogger(__name__)


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
            title, anchor = plain_text(head, app.kernbook_katex), around["ids"][0]
        else:
            continue
        is_page = isinstance(around.parent, nodes.document)
        app.kernbook_records.append(
            {
                "at": f"{docname}.html" if is_page else f"{docname}.html#{anchor}",
                "page": page,
                "title": title,
                "text": plain_text(around, app.kernbook_katex),
                "api": docname.startswith("api/"),
                "beside": not CHAPTER.match(docname) or title in BESIDE,
            }
        )


def plain_text(node, katex):
    """Join the words of a node with one space between them; formulas are spelled as text."""
    return " ".join("".join(words_of(node, katex)).split())


def words_of(node, katex):
    """Give the text of a section or an object, without its head and the sections or objects in it."""
    for child in node.children:
        if isinstance(child, nodes.Text):
            yield child
        elif isinstance(child, nodes.math | nodes.math_block):
            display = isinstance(child, nodes.math_block)
            source = display_source(child) if display else child.astext().strip()
            formula = spell_formula(katex.set(source, display)[0])
            yield f" {formula} " if display else formula
        elif not isinstance(child, OTHER_RECORDS):
            yield from words_of(child, katex)
            if isinstance(child, nodes.Body):
                yield " "


def write_records(app, exception):
    """Write the records of a book whose pages were written."""
    if exception is None and getattr(app, "kernbook_records", None):
        glossary = app.env.get_doctree(GLOSSARY) if GLOSSARY in app.env.found_docs else nodes.Element()
        terms = [NAMES.split(plain_text(term, app.kernbook_katex)) for term in glossary.findall(nodes.term)]
        for record in app.kernbook_records:
            for field in ("title", "text"):
                record[f"{field}_also"] = other_names(record[field], terms)
        add_keywords(Path(app.srcdir, KEYWORDS), app.kernbook_records)
        records = json.dumps(app.kernbook_records, ensure_ascii=False, separators=(",", ":"))
        Path(app.outdir, RECORDS).write_text(f"const SEARCH_RECORDS = {records};\n", encoding="utf-8")


def add_keywords(path, records):
    """Give the records their keywords, and warn of keywords for a section that is not there."""
    keywords = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}
    by_address = {record["at"].replace(".html", ""): record for record in records}
    for address, phrases in keywords.items():
        if (record := by_address.get(f"chapters/{address}")) is None:
            logger.warning("%s: there is no section %s", path.name, address)
            continue
        record["keywords"] = [phrase.strip() for phrase in phrases.split(",")]
        record["title_also"] += f" {phrases}"


def other_names(text, terms):
    """List the other names of those terms that a text mentions under one of their names."""
    text, found = text.lower(), []

    def is_mentioned(name):  # as the start of a word; the first half is quick
        return name.lower() in text and re.search(rf"\b{re.escape(name.lower())}", text)

    for names in terms:
        if any(map(is_mentioned, filter(None, names))):
            found += [name for name in filter(None, names) if not is_mentioned(name)]
    return " ".join(found)
