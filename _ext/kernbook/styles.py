"""One style sheet for all pages, of the rules that they can use.

A page shows nothing before its styles are there. The theme, with Bootstrap inside, and a dozen extensions
bring 15 sheets of 0.6 MB, most of it for what no page of this book has. When the pages are written, their
sheets become one, in their order, without the rules for elements, classes and ids that occur in no page and
in no script.
"""

import os
import re
import zlib
from pathlib import Path

import tinycss2
from sphinx.util import logging

SHEET = "style.css"
RECORDS = "search-records.js"  # a script of data
LINK = re.compile(r'[ \t]*<link [^>]*?href="((?:\.\./)*_static/[^"?]+\.css)[^"]*"[^>]*>\n?')
IMPORT = re.compile(r'@import "([^"]+)";')
ADDRESS = re.compile(r"url\((?![\"']?(?:data:|#))[\"']?([^\"')]+)[\"']?\)")
MARKUP = re.compile(r'<([a-z][\w-]*)|\b(?:class|id)=["\']([^"\']*)')
SCRIPT = re.compile(r'<script\b(?![^>]*/json)(?:[^>]*?\bsrc="([^"?]+)[^"]*")?[^>]*>(.*?)</script>', re.DOTALL)
NAME = re.compile(r"[A-Za-z_][\w-]*")
BUILT = re.compile(r"([\w-]+-)\$\{|\}(-[\w-]+)")  # in a script, names of which a part is computed
NO_NAME = re.compile(r"\\|\[[^\]]*\]|::?[\w-]+(\((?:[^()]|\([^()]*\))*\))?")  # of a selector
logger = logging.getLogger(__name__)


def setup(app):
    """Join the sheets when all pages are written."""
    app.connect("build-finished", join_sheets, priority=900)  # the theme writes colours of code at 500


def join_sheets(app, exception):
    """Give all pages the one sheet, if any was written with its many."""
    if exception is not None or app.builder.name != "html":
        return
    static = Path(app.outdir, "_static")
    files = [path for path in sorted(static.parent.rglob("*.html")) if static not in path.parents]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    pages = {path: [link.split("_static/")[1] for link in LINK.findall(text)] for path, text in texts.items()}
    order = max(pages.values(), key=len, default=[])
    if len(order) < 2:
        return
    rules = tinycss2.parse_stylesheet("".join(read(static / sheet, static) for sheet in order), True, True)
    style = "\n".join(kept(rules, Names(texts)))
    (static / SHEET).write_text(style, encoding="utf-8")
    for path, links in pages.items():
        if links not in ([sheet for sheet in order if sheet in links], [SHEET], []):
            logger.warning("%s has other style sheets, or in another order, than most pages", path)
        elif links:
            above = "../" * (len(path.relative_to(static.parent).parts) - 1)
            link = f'<link rel="stylesheet" href="{above}_static/{SHEET}?v={zlib.crc32(style.encode()):x}">\n'
            before = LINK.search(texts[path]).start()
            rest = LINK.sub("", texts[path])
            path.write_text(rest[:before] + link + rest[before:], encoding="utf-8")


def read(sheet, folder):
    """Read a sheet and those that it imports; its addresses become relative to the folder."""

    def moved(address):
        return f"url({os.path.relpath(sheet.parent / address[1], folder)})"

    text = ADDRESS.sub(moved, sheet.read_text(encoding="utf-8"))
    return IMPORT.sub(lambda other: read(sheet.parent / other[1], folder), text) + "\n"


class Names:
    """The names of elements, classes and ids in some pages, and all words of the scripts that they run."""

    def __init__(self, texts):
        self.all = set()
        scripts, files = set(), set()
        for path, text in texts.items():
            for element, names in set(MARKUP.findall(text)):
                self.all.update([element, *names.split()])
            for source, script in SCRIPT.findall(text):
                scripts.add(script)
                files.add(path.parent / source)
        files = {file.resolve() for file in files if file.is_file() and file.name != RECORDS}
        scripts |= {file.read_text(encoding="utf-8") for file in files}
        self.all.update(name for script in scripts for name in NAME.findall(script))
        built = [part for script in scripts for part in BUILT.findall(script)]
        self.begins = tuple({begin for begin, _ in built if begin})
        self.ends = tuple({end for _, end in built if end})

    def __contains__(self, name):
        return name in self.all or name.startswith(self.begins) or name.endswith(self.ends)


def kept(rules, names):
    """Write the rules whose selectors ask for these names only, and of a rule's selectors those."""
    for rule in rules:
        if rule.type == "qualified-rule":
            used = [one for one in split(rule.prelude) if all(name in names for name in asked(one))]
            if used:
                yield f"{','.join(used)}{{{tinycss2.serialize(rule.content).strip()}}}"
        elif rule.type == "at-rule" and rule.lower_at_keyword in ("media", "supports"):
            inner = list(kept(tinycss2.parse_rule_list(rule.content, True, True), names))
            if inner:
                yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{' '.join(inner)}}}"
        elif rule.type == "at-rule":
            yield rule.serialize()


def split(prelude):
    """Part a list of selectors at its commas; those in brackets are tokens within tokens."""
    selectors = [[]]
    for token in prelude:
        if token == ",":
            selectors.append([])
        else:
            selectors[-1].append(token)
    return [tinycss2.serialize(selector).strip() for selector in selectors]


def asked(selector):
    """Name what an element and those around it must have, not what they must not have, nor one of several."""
    return NAME.findall(NO_NAME.sub("", selector))
