"""Turn the blocks of a section into slides: figures, explorers, statements, code, tables, and the text."""

import re
from copy import copy
from dataclasses import dataclass, field
from itertools import chain

from slides.text import cut, has_class, length, new_tag, sentences, take, visible_text

TEXT, LEAD, CAPTION, POINT = 480, 240, 260, 240  # characters
WITH_IDEA = 620  # of a statement and the idea of its proof on one slide
LEAST = 120  # of a slide of text alone
LINES, FEWEST = 12, 3  # lines of code
TALL = 0.75  # height by width of a figure whose caption goes beside it
# What is left out first has the highest rank; a section's second figure is left out before another's first.
FIRST, PLAY, MAIN, RECAP, FAILURE = 0, 0.5, 1, 1.1, 1.2
NORMAL, WORDS, MINOR, EXTRA = 2, 2.5, 3, 4
REPEATED, IDEA = 0.4, 0.9  # added to a rank
CONSOLE = "highlight-console"  # commands, which belong to the text
LABEL = re.compile(r"^The idea( of the proof( of [\w ]+)?)?[:.] *")
STATEMENTS = {"theorem": MAIN, "definition": NORMAL, "algorithm": NORMAL, "proposition": NORMAL}


@dataclass
class Slide:
    """A slide: its heading, the nodes under it, the speaker's notes, and the place that it comes from."""

    heading: str
    body: list
    rank: float = FIRST
    notes: list = field(default_factory=list)
    kind: str = "text"
    page: str = ""
    anchor: str = ""
    seconds: float = 0

    @property
    def explorer(self):
        """Give the name of the slide's explorer, or an empty text."""
        return self.body[-1].get("data-name", "") if self.kind == "explorer" else ""


class Parts:
    """Goes through the blocks of a section; text waits for what it leads to, or becomes a slide."""

    def __init__(self, heading, opening=False):
        self.heading, self.opening = heading, opening
        self.slides, self.waiting, self.counts = [], [], {}

    def read(self, section):
        """Give the slides of a section, without those below it."""
        if "Where it fails" in self.heading and (points := self.split_points(section)):
            self.add("text", [new_tag("ul", points)], FAILURE)
        for node in section.find_all(is_block, recursive=False):
            self.read_block(node)
        self.flush(WORDS)
        complete = self.opening or "Recap" in self.heading or "Where it fails" in self.heading
        if len(self.slides) == 1 and self.slides[0].kind == "text" and not complete:
            self.waiting, self.slides[0].notes = self.slides[0].notes, []
            self.flush(MINOR, least=TEXT / 2, again=True)
        return self.slides

    def read_block(self, node):
        """Make a slide of a block, or put it with what came before."""
        last = self.slides[-1] if self.slides else None
        if figure := node.select_one("figure:not(.plain)"):
            if self.opening:
                self.flush(FIRST)
            lead = self.take_lead(0 if not self.slides else -1)
            self.add("figure", [*lead, figure], NORMAL)
            self.slides[-1].notes += shorten_caption(figure)
        elif explorer := node.select_one("kernlib-explorer"):
            if self.opening:
                self.flush(FIRST)
            self.add("explorer", [explorer], PLAY)
        elif has_class(node, "proof"):
            self.flush(MINOR)
            self.add("statement", [node], STATEMENTS.get(node["class"][1], MINOR))
        elif has_class(node, "folded-proof"):
            if last and last.kind == "statement" and len(last.body) == 1:
                self.add_idea(last, node)
        elif last and last.kind == "explorer" and is_question_or_answer(node):
            last.notes.append(node)
        elif code := code_to_show(node, last):
            if self.opening:
                self.flush(FIRST)
            rank = MINOR if has_class(node, "highlight-default") else EXTRA
            self.add("code", [*self.take_lead(-1), *code], rank)
        elif has_class(node, "pst-scrollable-table-container"):
            self.add("table", [*self.take_lead(-1), node], EXTRA)
        elif node.name in ("p", "ul", "ol", "dl") or has_class(node, "math") or has_class(node, CONSOLE):
            self.waiting.append(node)

    def add(self, kind, body, rank):
        """Add a slide; the text that still waits is for the speaker."""
        self.counts[kind] = self.counts.get(kind, -1) + 1
        self.slides.append(Slide(self.heading, body, rank + REPEATED * self.counts[kind], self.waiting, kind))
        self.waiting = []

    def flush(self, rank, least=LEAST, again=False):
        """Make a slide of the text that waits, if it is the section's first; else it is for the speaker."""
        if self.slides and not again:
            self.slides[-1].notes += self.waiting
        elif length(*self.waiting) > (0 if self.opening else least):
            body, rest = take(self.waiting, TEXT)
            if self.opening or length(*body) > least:
                self.waiting = rest
                self.add("text", body, rank)
        self.waiting = []

    def take_lead(self, place):
        """Take the sentences that lead to what follows, if they can stand by themselves."""
        block = self.waiting[place] if self.waiting else None
        if block is None or block.name != "p" or visible_text(block)[:1].islower():
            return []
        lead, rest = take([block], LEAD)
        self.waiting = [one for one in self.waiting if one is not block] + rest
        return lead

    def split_points(self, section):
        """Make a point of each paragraph that begins in bold; what it leaves waits."""
        points = []
        for node in section.find_all("p", recursive=False):
            if getattr(node.contents[0], "name", "") == "strong":
                head, tail = cut(node.extract(), POINT)
                end = head.contents[-1]
                if isinstance(end, str) and end.rstrip().endswith(":"):
                    end.replace_with(f"{end.rstrip()[:-1]}.")  # what it leads to is not on the slide
                points.append(new_tag("li", list(head.children)))
                self.waiting += [tail] if tail else []
        return points

    def add_idea(self, slide, proof):
        """Put the idea of a proof below its statement, or on a slide of its own if the statement is long."""
        pairs = [split_idea(block) for block in self.waiting]
        named = [idea for _, idea in pairs if idea]
        self.waiting = [before for before, _ in pairs if before]
        left = WITH_IDEA - length(*slide.body)
        body, rest = take(named or proof.div.find_all(True, recursive=False), left if left > LEAST else TEXT)
        name = "Idea of the proof" if named else "The proof begins" if rest else "Proof"
        label = new_tag("p", [name], {"class": "label"})
        if left > LEAST:
            slide.body.append(new_tag("div", [label, *body], {"class": "idea"}))
            slide.notes += rest + self.waiting
        else:
            title = visible_text(slide.body[0].select_one(".admonition-title")).strip()
            label.string = f"{name}: {title}"
            idea = new_tag("div", [label, *body], {"class": "idea"})
            self.slides.append(Slide(self.heading, [idea], slide.rank + IDEA, rest + self.waiting))
        self.waiting = []


def split_idea(block):
    """Split a paragraph before the sentence that begins "The idea", whose label the slide shows already."""
    parts = sentences(copy(block)) if block.name == "p" else []
    starts = ["".join(map(visible_text, part)).startswith("The idea") for part in parts]
    if not any(starts):
        return block, None
    at = starts.index(True)
    before, idea = (new_tag("p", chain(*some)) for some in (parts[:at], parts[at:]))
    first = idea.find(string=True)
    rest = LABEL.sub("", first)
    first.replace_with(rest[:1].upper() + rest[1:])
    return before if at else None, idea


def is_block(node):
    """Tell whether a node may hold something for a slide; other sections and what is folded do not."""
    folded = node.name == "details" and not has_class(node, "folded-proof")
    return node.name != "section" and (not folded or is_question_or_answer(node))


def is_question_or_answer(node):
    """Tell whether a node holds an explorer's questions or their answers."""
    return node.name == "ol" or (
        node.name == "details" and visible_text(node.summary).startswith(("Answer", "Question"))
    )


def shorten_caption(figure):
    """Cut a figure's caption between sentences, and give what is left."""
    if int(figure.img["height"]) > TALL * int(figure.img["width"]):
        figure["class"] = "tall"
    text = figure.select_one(".caption-text")
    if text is None or length(text) <= CAPTION:
        return []
    head, tail = cut(text, CAPTION)
    text.replace_with(head)
    return [new_tag("p", list(tail.children))] if tail else []


def code_to_show(node, last):
    """Give short code and what it prints: that of an algorithm, or of a cell; of a folded cell the output."""
    folded = has_class(node, "tag_hide-input")
    if has_class(node, "highlight-default") and last and last.kind in ("statement", "code"):
        parts = [node]
    elif has_class(node, "cell") and not has_class(node, "tag_answer"):
        parts = node.select(".output.stream" if folded else ".cell_input > *, .output.stream")
    else:
        return []
    lines = [len(part.get_text().strip().splitlines()) for part in parts]
    fits = all(count <= LINES for count in lines) and sum(lines) <= 1.5 * LINES
    return parts if fits and sum(lines) >= FEWEST else []
