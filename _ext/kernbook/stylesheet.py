"""One style sheet for all pages, with the rules that they can use.

A page shows nothing before its styles have arrived. The theme, with Bootstrap inside, and a dozen extensions
bring 15 sheets of 0.6 MB, most of it for what no page of this book has. When the pages are written, their
sheets become one, in the same order, without the rules for elements, classes and ids that occur in no page
and in no script.
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
COMPUTED = re.compile(r"([\w-]+-)\$\{|\}(-[\w-]+)")  # the fixed part of a name that a script computes
NO_NAME = re.compile(r"\\|\[[^\]]*\]|::?[\w-]+(\((?:[^()]|\([^()]*\))*\))?")  # attributes, pseudo-classes
logger = logging.getLogger(__name__)


def join_sheets(app, exception):
    """Give all pages the one sheet, if a page was written with its many."""
    if exception is not None or app.builder.name != "html":
        return
    static = Path(app.outdir, "_static")
    files = [path for path in sorted(static.parent.rglob("*.html")) if static not in path.parents]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    pages = {path: [link.split("_static/")[1] for link in LINK.findall(text)] for path, text in texts.items()}
    order = max(pages.values(), key=len, default=[])
    if len(order) < 2:
        return
    text = "".join(read_sheet(static / sheet, static) for sheet in order)
    rules = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    style = "\n".join(used_rules(rules, Names(texts)))
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


def read_sheet(sheet, folder):
    """Read a sheet and those that it imports; addresses become relative to the folder."""

    def relative(address):
        return f"url({os.path.relpath(sheet.parent / address[1], folder)})"

    text = ADDRESS.sub(relative, sheet.read_text(encoding="utf-8"))
    return IMPORT.sub(lambda other: read_sheet(sheet.parent / other[1], folder), text) + "\n"


class Names:
    """The names of elements, classes and ids in some pages, and all words in the scripts of these pages."""

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
        computed = [part for script in scripts for part in COMPUTED.findall(script)]
        self.starts = tuple({start for start, _ in computed if start})
        self.ends = tuple({end for _, end in computed if end})

    def __contains__(self, name):
        return name in self.all or name.startswith(self.starts) or name.endswith(self.ends)


def used_rules(rules, names):
    """Write the rules that can apply where only these names occur, each with the selectors that can."""
    for rule in rules:
        if rule.type == "qualified-rule":
            used = [
                one
                for one in split(rule.prelude)
                if all(name in names for name in NAME.findall(NO_NAME.sub("", one)))
            ]
            if used:
                yield f"{','.join(used)}{{{tinycss2.serialize(rule.content).strip()}}}"
        elif rule.type == "at-rule" and rule.lower_at_keyword in ("media", "supports"):
            inner = list(used_rules(tinycss2.parse_rule_list(rule.content, True, True), names))
            if inner:
                yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{' '.join(inner)}}}"
        elif rule.type == "at-rule":
            yield rule.serialize()


def split(prelude):
    """Split a list of selectors at its commas; commas in brackets are tokens within tokens."""
    selectors = [[]]
    for token in prelude:
        if token == ",":
            selectors.append([])
        else:
            selectors[-1].append(token)
    return [tinycss2.serialize(selector).strip() for selector in selectors]
