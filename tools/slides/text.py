"""Measure the text of a page and cut it at the end of a sentence; a formula counts by what it shows."""

import copy
import re
from base64 import b64decode, b64encode
from itertools import chain

from bs4 import NavigableString, Tag

SENTENCE_END = re.compile(r"(?<!^\d)[.?!][)”’\"]?$")  # but not "1.", which begins a step
AFTER_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[A-Z“(0-9]|$)|(?<=[.?!][)”])\s+(?=[A-Z“(0-9]|$)")
KATEX, SPAN = '<span class="katex">', re.compile(r"</?span\b")
ANNOTATION = re.compile(r"<annotation\b.*?</annotation>", re.DOTALL)
MATHML, MARKUP = re.compile(r"<math\b.*?</math>", re.DOTALL), re.compile(r"<[^>]+>")
FOLDED = re.compile(r'<x-formula code="([^"]+)">.*?</x-formula>', re.DOTALL)
FORMULA = 140  # a formula on a line of its own counts as so many characters at least
SHORTEST = 80  # characters of a paragraph that is worth beginning
INDIVISIBLE = 1.5  # a block that cannot be cut may exceed what is left by this factor


def fold_formulas(html):
    """Put one element in place of each formula, which is hundreds of them as KaTeX sets it."""
    parts, done = [], 0
    while (start := html.find(KATEX, done)) >= 0:
        depth = 0
        for tag in SPAN.finditer(html, start):
            depth += 1 if tag[0] == "<span" else -1
            if depth == 0:
                break
        end = tag.end() + 1
        formula = ANNOTATION.sub("", html[start:end])
        code = b64encode(formula.encode()).decode()
        text = MARKUP.sub("", MATHML.search(formula)[0])
        parts += [html[done:start], f'<x-formula code="{code}">{text}</x-formula>']
        done = end
    return "".join([*parts, html[done:]])


def unfold_formulas(html, only_mathml=False):
    """Put the formulas back; where KaTeX's style sheet is missing, in MathML alone."""

    def unfold(found):
        formula = b64decode(found[1]).decode()
        return MATHML.search(formula)[0] if only_mathml else formula

    return FOLDED.sub(unfold, html)


def visible_text(node):
    """Join the text that a reader sees."""
    return node.get_text() if isinstance(node, Tag) else str(node)


def length(*nodes):
    """Count the characters that some nodes show."""
    return sum(
        max(len(visible_text(node).strip()), FORMULA if has_class(node, "math") and node.name == "div" else 0)
        for node in nodes
    )


def has_class(node, name):
    """Tell whether a node has a class."""
    return isinstance(node, Tag) and name in node.get("class", [])


def sentences(paragraph):
    """Split the children of a paragraph into sentences, each a list of nodes; the paragraph is emptied."""
    found, current = [], []

    def close():
        if "".join(map(visible_text, current)).strip():
            found.append(list(current))
        elif found:
            found[-1] += current
        current.clear()

    for child in list(paragraph.children):
        child.extract()
        if isinstance(child, Tag):
            current.append(child)
            continue
        text = str(child)
        if text[:1].isspace() and ends_sentence(*current):
            close()
        *whole, rest = AFTER_SENTENCE.split(text)
        for part in whole:
            current.append(NavigableString(f"{part} "))
            close()
        if rest:
            current.append(NavigableString(rest))
    close()
    return found


def ends_sentence(*nodes):
    """Tell whether the text of some nodes ends with a full stop, a question mark or an exclamation mark."""
    return bool(SENTENCE_END.search("".join(map(visible_text, nodes)).strip()))


def cut(paragraph, limit):
    """Split a paragraph into one of at most about `limit` characters and the rest; that may be None."""
    parts, taken = sentences(copy.copy(paragraph)), []
    while parts and (not taken or length(*taken, *parts[0]) <= limit):
        taken += parts.pop(0)
    rest = list(chain(*parts))
    head = new_tag(paragraph.name, taken, paragraph.attrs)
    return head, new_tag(paragraph.name, rest, paragraph.attrs) if rest else None


def new_tag(name, contents, attributes=None):
    """Make an element."""
    tag = Tag(name=name, attrs=dict(attributes or {}))
    tag.extend(contents)
    return tag


def take(blocks, limit):
    """Take from a list of blocks what fits into `limit` characters; return it and the rest.

    Paragraphs are cut between sentences. What is taken ends with a sentence, or with the formula or list that
    the sentence leads to; if it goes on after the formula, its end is taken too.
    """
    taken, rest = [], list(blocks)
    while rest:
        block, left = rest[0], limit - length(*taken)
        leads_on = bool(taken) and taken[-1].name == "p" and not ends_sentence(taken[-1])
        if block.name == "p":
            if leads_on:
                drop_last_sentence(taken)
            if taken and left < SHORTEST:
                break
            head, tail = cut(block, max(left, SHORTEST))
            taken.append(head)
            rest[:1] = [tail] if tail else []
            if tail:
                break
        elif leads_on or not taken or length(block) <= left * INDIVISIBLE:
            taken.append(rest.pop(0))
        else:
            break
    while taken and rest and goes_on(taken[-1]):
        head, tail = cut(rest[0], 0) if rest[0].name == "p" else (rest[0], None)
        taken.append(head)
        rest[:1] = [tail] if tail else []
    if taken and taken[-1].name == "p" and not ends_sentence(taken[-1]):
        drop_last_sentence(taken)
    return taken, rest


def goes_on(block):
    """Tell whether a sentence goes on after a formula on a line of its own: it ends with a comma."""
    formula = block.select_one("x-formula") if has_class(block, "math") else None
    return formula is not None and visible_text(formula).rstrip().endswith(",")


def drop_last_sentence(blocks):
    """Leave out the end of the last paragraph, which leads to something that is not there."""
    whole = sentences(blocks.pop())[:-1]
    if whole:
        blocks.append(new_tag("p", chain(*whole)))
