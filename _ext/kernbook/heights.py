"""How tall each section is on a phone, guessed from its source.

A phone lays a section out only when it is near the screen (`content-visibility` in `_assets/book.css`). Until
then it has the guessed height, so that the scroll bar hardly changes while one reads.
"""

import re

from docutils import nodes

from kernbook.disclosures import Disclosure, is_dropdown
from kernbook.reading_time import is_folded, weigh_block

# In pixels, fitted to 302 sections at a width of 390: nine of ten are within a quarter of the sum.
LETTER, SYMBOL, PARAGRAPH, FORMULA, LINE_OF_CODE, FIGURE, EXPLORER, FOLD = 0.75, 0.45, 5, 95, 31, 170, 520, 70
CARD = 150  # beside the words of its explorer
SECTION = re.compile(r'<section id="([^"]+)">')


def guess_heights(app, doctree):
    """Note the guessed height of each section right below the page's title, by its anchors."""
    heights = app.env.metadata[app.env.docname]["heights"] = {}
    for section in (part for title in doctree.children for part in title.children):
        if not isinstance(section, nodes.section):
            continue
        pixels = sum(pixels_for(node) for node in section.findall() if not is_folded(node))
        heights |= dict.fromkeys(section["ids"], round(pixels))


def pixels_for(node):
    """Give the pixels that a node takes by itself."""
    match node:
        case nodes.Text():
            if isinstance(node.parent, nodes.math_block | nodes.literal_block | nodes.raw):
                return 0
            return len(node) * (SYMBOL if isinstance(node.parent, nodes.math) else LETTER)
        case nodes.paragraph() | nodes.title() | nodes.list_item():
            return PARAGRAPH
        case nodes.container() if "explorer-cards" in node["classes"]:
            return CARD * len(list(node.findall(nodes.row)))
        case nodes.Element() if isinstance(node, Disclosure) or is_dropdown(node):
            return FOLD
    return weigh_block(node, FORMULA, LINE_OF_CODE, FIGURE, EXPLORER)


def state_heights(app, pagename, templatename, context, doctree):
    """State the heights where the style sheet finds them."""
    heights = app.env.metadata.get(pagename, {}).get("heights", {})

    def complete(section):
        height = heights.get(section[1])
        return section[0] if height is None else f'<section id="{section[1]}" data-height="{height}">'

    if "body" in context:
        context["body"] = SECTION.sub(complete, context["body"])
