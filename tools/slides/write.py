"""Write the slides of a chapter as a deck: a page for reveal.js with the book's styles and scripts."""

import re
from html import escape
from pathlib import Path
from posixpath import normpath
from string import Template
from urllib.parse import urlsplit

from bs4 import BeautifulSoup

from slides.text import fold_formulas, new_tag, unfold_formulas, visible_text

TEMPLATE = Template(Path(__file__).with_name("deck.html").read_text(encoding="utf-8"))
SCRIPT = re.compile(r'<script\b[^>]*?\bsrc="([^"]*/explore(?:-[\w-]+)?\.js[^"]*)"')
STYLE = re.compile(r'<link rel="stylesheet"[^>]*>')
STORES = re.compile(r'<script id="stores">.*?</script>', re.DOTALL)
NUMBERS = re.compile(r"^'(.*)',?$", re.MULTILINE)
MINUTES = re.compile(r"(\d+) (minute|hour)")
# seconds; the last one of every slide, for what is said beside it
WORD, FORMULA, FIGURE, EXPLORER, LEAST = 0.4, 5, 40, 220, 90


SAYING = {"what-to-show": "Ask: {} Show: {}. Move: {}.", "misconceptions": "Students say: {} Answer: {}"}


def read_advice(teaching):
    """Read what to show and the usual misconceptions, in triples: chapter, explorer or "", text."""
    soup, found = BeautifulSoup(fold_formulas(teaching), "html.parser"), []
    for section, saying in SAYING.items():
        for row in soup.select(f"#{section} tbody tr"):
            chapter, *cells = row.find_all("td")
            link = row.select_one("a.explorer-state")
            explorer = urlsplit(link["href"]).fragment.partition(":")[0] if link else ""
            text = f"<p>{saying.format(*map(plain, cells))}</p>"
            found.append((visible_text(chapter).strip(), explorer, BeautifulSoup(text, "html.parser")))
    return found


def plain(node):
    """Give the HTML of a node as the speaker's window can show it: no links, formulas in MathML alone."""
    for unwanted in node.select("script, img, summary"):
        unwanted.decompose()
    for tag in node.find_all(["a", "span", "details"] + (["p"] if node.name == "td" else [])):
        tag.unwrap()
    html = node.decode_contents() if node.name in ("td", "details") else str(node)
    return unfold_formulas(html, only_mathml=True)


def write_deck(number, pages, slides, advice, numbers):
    """Return the HTML of a deck; by the names of its pages, `pages` and the scripts with `numbers`."""
    add_advice(slides, advice, number)
    share_minutes(pages, slides)
    place_numbers(slides, numbers)  # last: numbers take no time to read
    scripts = dict.fromkeys(address for text in pages.values() for address in SCRIPT.findall(text))
    # The script that draws comes after those that it calls.
    scripts = sorted(scripts, key=lambda address: "/explore.js" in address)
    return TEMPLATE.substitute(
        title=escape(visible_text(BeautifulSoup(slides[0].heading, "html.parser"))),
        stores=STORES.search(next(iter(pages.values())))[0],
        style=STYLE.search(next(iter(pages.values())))[0],
        slides="\n".join(map(write_slide, slides)),
        scripts="\n".join(f'<script src="{address}"></script>' for address in scripts),
    )


def place_numbers(slides, numbers):
    """Put the numbers of each explorer into it: a page has those of most in a script."""
    for slide in slides:
        if slide.kind != "explorer":
            continue
        place = slide.body[-1].find("script", type="application/json")
        if not place.get_text():
            found = (decode(text) for text in NUMBERS.findall(numbers[slide.page]))
            place.string = next(
                text for text in found if text.startswith(f'{{"spec":{{"name":"{slide.explorer}"')
            )


def decode(text):
    """Undo the escapes of a JavaScript string between single quotes."""
    return text.replace("\\'", "'").replace("\\\\", "\\")


def add_advice(slides, advice, number):
    """Give each line about a chapter to the slide of its explorer, or else to the title."""
    for chapter, explorer, text in reversed(advice):
        named = [slide for slide in slides if explorer and slide.explorer == explorer]
        if chapter == number:
            (named or slides)[0].notes.insert(0, text)


def share_minutes(pages, slides):
    """Share the reading time of each page among its slides, in proportion to what they and the notes show."""
    for page, text in pages.items():
        own = [slide for slide in slides if slide.page == page]
        number, unit = MINUTES.search(text[text.index("<strong>Time</strong>") :]).groups()
        total = int(number) * (60 if unit == "minute" else 3600)
        weights = [LEAST + sum(map(seconds_for, [*slide.body, *slide.notes])) for slide in own]
        for slide, weight in zip(own, weights, strict=True):
            slide.seconds = total * weight / sum(weights)


def seconds_for(node):
    """Estimate how long a node takes, by the book's rule."""
    formulas = len(node.find_all("x-formula"))
    figures = len(node.select("figure:not(.plain)")) + (node.name == "figure")
    explorers = node.name == "kernlib-explorer"
    return (
        WORD * len(visible_text(node).split()) + FORMULA * formulas + FIGURE * figures + EXPLORER * explorers
    )


def write_slide(slide):
    """Return the HTML of a slide."""
    page = f"../chapters/{slide.page}.html"
    body = new_tag("div", slide.body)
    for tag in body.find_all(id=True):
        del tag["id"]
    for section in body.find_all("section"):
        section.name = "div"  # reveal.js would take it for a slide
    for image in body.find_all("img", loading=True):
        del image["loading"]  # the deck measures its slides when it opens
    for link in body.select("a[href]"):
        link["href"] = address_from_deck(slide.page, link["href"])
        link["target"] = "_blank"
    level = "h1" if slide.kind == "title" else "h2"
    title = f'<{level}><a href="{page}#{slide.anchor}" target="_blank">{slide.heading}</a></{level}>'
    minutes = max(1, round(slide.seconds / 60))
    notes = "".join(map(plain, slide.notes))
    return (
        f'<section class="is-{slide.kind}" data-timing="{slide.seconds:.0f}">'
        f'<div class="content">\n{unfold_formulas(title + body.decode_contents())}\n</div>\n'
        f'<aside class="notes"><p>{minutes} minute{"s" * (minutes > 1)}.</p>{notes}</aside></section>'
    )


def address_from_deck(page, address):
    """Give the address that a link of a page has when it is in a deck."""
    parts = urlsplit(address)
    if parts.scheme:
        return address
    path = normpath(f"../chapters/{parts.path or page + '.html'}")
    return parts._replace(path=path).geturl()
