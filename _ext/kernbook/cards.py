"""The list of explorers as cards: each row of a table in a container `explorer-cards` becomes a card.

A row's first cell is a link to a state. Its card shows the explorer's question and a panel, as it is before
the question is answered: a small file, drawn like the picture that stands for the explorer on paper, but
without ticks and words, its numbers rounded. If nothing is known before, the labels of the axes remain, and
paper shows the first panel at the defaults (book.js takes `data-paper`).
"""

import json
import re
from html import escape
from xml.etree import ElementTree

from docutils import nodes
from sphinx.util.osutil import relative_uri

from kernbook.explorers import find_explorer, write_file
from kernbook.links import StateLink

SVG, LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
NUMBER = re.compile(r"-?\d+\.\d+")
MARGIN = 6  # points around the axes


def make_cards(app, doctree, docname):
    """Turn the rows of each such table into a list of cards."""
    if app.builder.format != "html":
        return
    for box in list(doctree.findall(nodes.container)):
        if "explorer-cards" not in box["classes"]:
            continue
        cards = nodes.bullet_list(classes=["explorer-cards"])
        for row in next(box.findall(nodes.tbody)):
            card = nodes.list_item()
            name = next(row.findall(StateLink))["name"]
            page, explorer = find_explorer(app.env, name)  # without one the link warns
            parts = explorer and explorer["parts"]
            spec = json.loads(parts["data"])["spec"] if parts else {}
            if parts:
                card += nodes.raw("", thumbnail(app, docname, parts, spec["panels"]), format="html")
            for kind, cell in zip(("title", "moved", "chapter"), row, strict=True):
                card += nodes.paragraph("", "", *cell[0].children, classes=[f"card-{kind}"])
                if kind == "chapter" and page and (number := app.env.titles[page].get("secnumber")):
                    card[-1].insert(0, nodes.Text(f"{'.'.join(map(str, number))}. "))
                if kind == "title" and spec.get("predict"):
                    card += nodes.paragraph("", spec["predict"]["question"], classes=["card-question"])
            cards += card
        box.replace_self(cards)


def thumbnail(app, docname, parts, panels):
    """Write an explorer's thumbnail as a file; return its image."""
    alt = next(panel["alt"] for panel in panels if panel["kind"] in ("plot", "heat"))
    if parts["asking"]:
        alt = "What the explorer shows before you answer its question."

    def address(picture, suffix=""):
        file = f"_images/explorer-{parts['name']}{suffix}.svg"
        write_file(app.builder, file, picture.encode())
        return relative_uri(app.builder.get_target_uri(docname), file)

    shown = first_panel(parts["asking"] or parts["picture"])
    more = 'width="240" height="168" loading="lazy" decoding="async"'
    if "<text" in shown:  # a question mark: paper shows the answer anyway
        more += f' data-paper="{address(first_panel(parts["picture"]), "-paper")}"'
    return f'<img src="{address(shown)}" alt="{escape(alt)}" {more}>'


def first_panel(picture):
    """Keep of a picture its first axes, without ticks, title and legend, as an SVG."""
    root = ElementTree.fromstring(picture)
    axes = next(part for part in root.iter(f"{SVG}g") if part.get("id") == "axes_1")
    ground = next(part for part in axes if part.get("id", "").startswith("patch_"))
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", ground[0].get("d"))]
    left, right, top, bottom = min(numbers[::2]), max(numbers[::2]), min(numbers[1::2]), max(numbers[1::2])
    for part in list(axes):
        if part.get("id", "").startswith(("matplotlib.axis", "text_", "legend")) or part is ground:
            axes.remove(part)
    names = set(re.findall(r"url\(#([^)]+)\)", ElementTree.tostring(axes, "unicode")))
    clips = [clip for clip in root.iter(f"{SVG}clipPath") if clip.get("id") in names]
    for part in axes.iter():
        if part.tag == f"{SVG}g":
            part.attrib.pop("id", None)
        for key in part.attrib.keys() - {LINK}:
            part.set(
                key, NUMBER.sub(lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), part.get(key))
            )
        part.tail = None
        if part.tag != f"{SVG}text":
            part.text = None
    size = (left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN)
    small = ElementTree.Element(f"{SVG}svg", viewBox=" ".join(f"{number:.0f}" for number in size))
    small.append(axes)
    for clip in clips:
        clip.tail = None
        small.append(clip)
    ElementTree.register_namespace("", SVG[1:-1])
    ElementTree.register_namespace("xlink", LINK[1:].split("}")[0])
    return " ".join(ElementTree.tostring(small, "unicode").split())
