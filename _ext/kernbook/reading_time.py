"""How long a page takes: counted on the page by a stated rule, never typed.

    ```{reading-time}
    ```

shows the minutes of its page; ``{minutes}`chapters/01_kernels chapters/02_bochner` `` what other pages take
together; ``{study}`chapters/*` `` the same with all that is folded and with the exercises.
"""

import math
from fnmatch import fnmatch

from docutils import nodes
from sphinx.util.docutils import SphinxDirective, SphinxRole

from kernbook.disclosures import Disclosure, ancestors, is_dropdown
from kernbook.explorers import ExplorerNode

# The rule, in seconds, for a first reading. Three groups of readers estimated the minutes of all 37 pages: in
# all it gives 2%, 6% and 4% more than they do; it is within 25% of theirs on 37, 36 and 33 pages.
WORD, INLINE_FORMULA, FORMULA, LINE_OF_CODE, FIGURE, EXPLORER, QUESTION = 0.55, 7, 60, 3, 60, 420, 60
LINE_IN_TEXT = 7  # of code that is not a cell: an algorithm, which is read line by line
EXERCISE = 15 * 60
RULE = (
    "For a first reading: 110 words a minute, 7 seconds for a formula in a line, 60 for one by itself, 3 for "
    "a line of a code cell, 7 for one of code in the text, 60 for a figure, 420 for an explorer, 60 for a "
    "question of the quiz; exercises apart."
)
EXERCISES = ("exercise_node", "exercise_enumerable_node")
NOT_COUNTED = ("Exercises", "Solutions")


class TimePlace(nodes.Inline, nodes.Element):
    """The place of a time, until all pages are counted: that of its page, or that of its `pages`."""


class ReadingTime(SphinxDirective):
    """The time of the page itself."""

    def run(self):
        return [nodes.paragraph("", "", nodes.strong("", "Time"), nodes.Text(": "), TimePlace())]


class MinutesRole(SphinxRole):
    """The time for what is visible on some pages; to `study` takes what is folded and the exercises too."""

    def __init__(self, study=False):
        self.study = study

    def run(self):
        return [TimePlace(pages=self.text.split(), study=self.study)], []


def count_seconds(app, doctree):
    """Note the seconds for what is visible on a page and for what is folded, and its number of exercises."""
    seconds = {False: 0.0, True: 0.0}
    for node in doctree.findall():
        sections = (parent for parent in ancestors(node) if isinstance(parent, nodes.section))
        if (cost := seconds_for(node)) and not any(one[0].astext() in NOT_COUNTED for one in sections):
            seconds[is_folded(node)] += cost
    exercises = sum(1 for node in doctree.findall() if node.tagname in EXERCISES)
    app.env.metadata[app.env.docname]["reading"] = (seconds[False], seconds[True], exercises)


def seconds_for(node):
    """Give the seconds that a node takes by itself."""
    match node:
        case nodes.Text():
            skipped = nodes.math | nodes.math_block | nodes.literal_block | nodes.raw
            return 0 if isinstance(node.parent, skipped) else WORD * len(node.split())
        case nodes.math():
            return INLINE_FORMULA
        case nodes.container() if "quiz" in node["classes"]:
            return QUESTION
        case nodes.literal_block() if not any("nb_element" in parent for parent in ancestors(node)):
            return LINE_IN_TEXT * len(node.astext().splitlines())
    return weigh_block(node, FORMULA, LINE_OF_CODE, FIGURE, EXPLORER)


def weigh_block(node, formula, line_of_code, figure, explorer):
    """Give the weight of a block that is not text, from the weights of each kind; 0 for other nodes."""
    match node:
        case nodes.math_block():
            return formula
        case nodes.literal_block():
            return line_of_code * len(node.astext().splitlines())
        case nodes.image():
            return figure
        case ExplorerNode():
            return explorer
    return 0


def is_folded(node):
    """Tell whether a node is visible only when something is opened."""
    below = node
    for parent in ancestors(node):
        mode = parent.get("hide_mode")
        hidden = mode == "all" or (mode == "input" and below is parent.children[0])
        if hidden or isinstance(parent, Disclosure) or is_dropdown(parent):
            return True
        below = parent
    return False


def fill_in_times(app, doctree, docname):
    """Write the times in their places."""
    readings = {page: data["reading"] for page, data in app.env.metadata.items() if "reading" in data}
    for place in list(doctree.findall(TimePlace)):
        if "pages" in place:
            chosen = [page for page in readings if any(fnmatch(page, name) for name in place["pages"])]
            if not chosen:
                raise ValueError(f"none of these pages has a reading time: {' '.join(place['pages'])}")
            seconds = sum(stated_seconds(*readings[page], place["study"]) for page in chosen)
            in_table = any(isinstance(parent, nodes.entry) for parent in ancestors(place))
            place.replace_self(nodes.Text(in_words(seconds, short=in_table)))
        else:
            place.replace_self(describe_page(*readings[docname]))


def stated_seconds(visible, folded, exercises, study):
    """Return the time that a page states, so that sums are those which a reader would add up."""
    seconds = visible + folded if study else visible
    return 60 * round_minutes(seconds) + (EXERCISE * exercises if study else 0)


def round_minutes(seconds):
    """Round to minutes; from a quarter of an hour on to steps of five."""
    minutes = math.ceil(seconds / 60)
    return minutes if minutes < 15 else 5 * round(minutes / 5)


def in_words(seconds, short=False):
    """Write minutes, rounded, from two hours on half hours; the short form, "40 min", does not break."""
    minutes = round_minutes(seconds)
    if minutes >= 120:
        hours, half = divmod(round(minutes / 30), 2)
        return f"{hours}{'½' * half} hours"
    if short:
        return f"{minutes}\N{NO-BREAK SPACE}min"
    return f"{minutes} minutes" if minutes > 1 else "1 minute"


def describe_page(visible, folded, exercises):
    """Write the line at the top of a page."""
    main, whole = in_words(visible), in_words(visible + folded)
    parts = [f"{main} to read"]
    if whole != main:
        parts.append(f"{whole} with all that is folded")
    if exercises:
        parts.append(f"{exercises} exercises" if exercises > 1 else "one exercise")
    return [nodes.abbreviation("", ", ".join(parts), explanation=RULE), nodes.Text(".")]
