"""How long a page takes: counted on the page by a stated rule, never typed.

    ```{reading-time}
    ```

shows the minutes of its page; ``{minutes}`chapters/01_kernels chapters/02_bochner` `` what two others take
together; ``{study}`chapters/*` `` the same with all that is folded and with the exercises.
"""

import math
from fnmatch import fnmatch

from docutils import nodes
from sphinx.util.docutils import SphinxDirective, SphinxRole

from kernbook.markup import Disclosure, ancestors, is_dropdown

# The rule, in seconds. Words are read at 180 a minute, which is slow, as mathematics is.
WORD, INLINE_FORMULA, FORMULA, LINE_OF_CODE, FIGURE, EXPLORER, QUESTION = 1 / 3, 2, 12, 2, 20, 90, 30
EXERCISE = 15 * 60
RULE = (
    "Counted: a word a third of a second, a formula in a line 2 seconds and one by itself 12, a line of "
    "code 2, a figure 20, an explorer 90, a question of the quiz 30; exercises apart."
)
EXERCISES = ("exercise_node", "exercise_enumerable_node")
APART = ("Exercises", "Solutions")


def setup(app):
    """Register the directive and the roles; count when a page is read, fill in when all are."""
    app.add_directive("reading-time", ReadingTime)
    app.add_role("minutes", Minutes())
    app.add_role("study", Study())
    app.add_node(Pending)
    app.connect("doctree-read", count, priority=900)  # after the folds
    app.connect("doctree-resolved", fill_in)


class Pending(nodes.Inline, nodes.Element):
    """The place of a time: of the page itself, or of all `pages` with or without `study`."""


class ReadingTime(SphinxDirective):
    """The time of the page itself."""

    def run(self):
        """Keep the place."""
        return [nodes.paragraph("", "", nodes.strong("", "Time"), nodes.Text(": "), Pending())]


class Minutes(SphinxRole):
    """What the main lines of some pages take."""

    study = False

    def run(self):
        """Keep the place."""
        return [Pending(pages=self.text.split(), study=self.study)], []


class Study(Minutes):
    """What some pages take with all that is folded and with their exercises."""

    study = True


def count(app, doctree):
    """Note the seconds of the page, of what is seen and of what is folded, and the number of exercises."""
    seen = folded = 0.0
    for node in doctree.findall():
        seconds = cost(node)
        if not seconds or is_apart(node):
            continue
        if is_folded(node):
            folded += seconds
        else:
            seen += seconds
    exercises = sum(1 for node in doctree.findall() if node.tagname in EXERCISES)
    app.env.metadata[app.env.docname]["reading"] = (seen, folded, exercises)


def cost(node):
    """The seconds that a node takes by itself."""
    match node:
        case nodes.Text() if not isinstance(
            node.parent, nodes.math | nodes.math_block | nodes.literal_block | nodes.raw
        ):
            return WORD * len(node.split())
        case nodes.math():
            return INLINE_FORMULA
        case nodes.math_block():
            return FORMULA
        case nodes.literal_block():
            return LINE_OF_CODE * len(node.astext().splitlines())
        case nodes.image():
            return FIGURE
        case nodes.raw() if "<kernlib-explorer" in node.astext():
            return EXPLORER
        case nodes.container() if "quiz" in node["classes"]:
            return QUESTION
    return 0


def is_apart(node):
    """Whether a node stands in a part that is not counted."""
    return any(
        isinstance(parent, nodes.section) and parent.children[0].astext() in APART
        for parent in ancestors(node)
    )


def is_folded(node):
    """Whether a node is seen only when something is opened."""
    below = node
    for parent in ancestors(node):
        hidden = parent.get("hide_mode") == "input" and below is parent.children[0]
        if hidden or isinstance(parent, Disclosure) or is_dropdown(parent):
            return True
        below = parent
    return False


def in_words(seconds):
    """Minutes, from a quarter of an hour on in steps of five, from two hours on whole hours."""
    minutes = math.ceil(seconds / 60)
    if minutes >= 120:
        return f"{round(minutes / 60)} hours"
    minutes = minutes if minutes < 15 else 5 * round(minutes / 5)
    return f"{minutes} minute{'s' * (minutes > 1)}"


def fill_in(app, doctree, docname):
    """Write the times where they stand."""
    readings = {page: data["reading"] for page, data in app.env.metadata.items() if "reading" in data}
    for place in list(doctree.findall(Pending)):
        if "pages" in place:
            chosen = [page for page in readings if any(fnmatch(page, name) for name in place["pages"])]
            seen, folded, exercises = map(sum, zip(*(readings[page] for page in chosen), strict=True))
            more = place["study"] * (folded + EXERCISE * exercises)
            place.replace_self(nodes.Text(in_words(seen + more)))
        else:
            place.replace_self(of_the_page(*readings[docname], runtime(app.env, docname)))


def of_the_page(seen, folded, exercises, runtime):
    """The line at the head of a page."""
    main, whole = in_words(seen), in_words(seen + folded)
    parts = [f"{main} to read"]
    if whole != main:
        parts.append(f"{whole} with all that is folded")
    if exercises:
        parts.append(f"{exercises} exercises" if exercises > 1 else "one exercise")
    time = [nodes.abbreviation("", ", ".join(parts), explanation=RULE), nodes.Text(".")]
    if runtime:
        time.append(nodes.Text(f" Its cells took {runtime:.0f} s when this page was built."))
    return time


def runtime(env, docname):
    """The seconds that a notebook took, None for another page."""
    return env.nb_metadata.get(docname, {}).get("exec_data", {}).get("runtime")
