"""How long a page takes: counted on the page by a stated rule, never typed.

    ```{reading-time}
    ```

shows the minutes of its page; ``{minutes}`chapters/05_fourier` `` those of another one. What is folded counts
apart, exercises and their solutions don't count.
"""

import math

from docutils import nodes
from sphinx.util.docutils import SphinxDirective, SphinxRole

from kernbook.markup import Disclosure

# The rule, in seconds. Words are read at 180 a minute, which is slow, as mathematics is.
WORD, INLINE_FORMULA, FORMULA, LINE_OF_CODE, FIGURE, EXPLORER, QUESTION = 1 / 3, 2, 12, 2, 20, 90, 30
RULE = (
    "Counted: a word a third of a second, a formula in a line 2 seconds and one by itself "
    "12, a line of code 2, a figure 20, an explorer 90, a question of the quiz 30; without exercises."
)
APART = ("Exercises", "Solutions", "Recap")


def setup(app):
    """Register the directive and the role; count when a page is read, fill in when all are."""
    app.add_directive("reading-time", ReadingTime)
    app.add_role("minutes", Minutes())
    app.add_node(Pending)
    app.connect("doctree-read", count, priority=900)  # after the folds
    app.connect("doctree-resolved", fill_in)


class Pending(nodes.Inline, nodes.Element):
    """The place of a time, of the page `docname`; in a sentence where it stands in its own page."""


class ReadingTime(SphinxDirective):
    """The time of the page itself."""

    def run(self):
        """Keep the place."""
        return [
            nodes.paragraph(
                "", "", nodes.strong("", "Time"), nodes.Text(": "), Pending(docname=self.env.docname)
            )
        ]


class Minutes(SphinxRole):
    """The minutes of another page."""

    def run(self):
        """Keep the place."""
        return [Pending(docname=self.text, short=True)], []


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
    exercises = sum(
        1 for node in doctree.findall(lambda n: n.tagname in ("exercise_node", "exercise_enumerable_node"))
    )
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


def ancestors(node):
    while (node := node.parent) is not None:
        yield node


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
        if (
            hidden
            or isinstance(parent, Disclosure)
            or parent.get("design_component") == "dropdown"
            or "dropdown" in parent.get("classes", [])
        ):
            return True
        below = parent
    return False


def in_minutes(seconds):
    """Whole minutes, in steps of five from a quarter of an hour on: the rule knows no better."""
    minutes = math.ceil(seconds / 60)
    return minutes if minutes < 15 else 5 * round(minutes / 5)


def fill_in(app, doctree, docname):
    """Write the times where they stand."""
    for place in list(doctree.findall(Pending)):
        reading = app.env.metadata.get(place["docname"], {}).get("reading")
        seen, folded, exercises = reading or (0, 0, 0)
        main, whole = in_minutes(seen), in_minutes(seen + folded)
        if place.get("short"):
            place.replace_self(nodes.Text(f"{main} min"))
            continue
        parts = [f"{main} minute{'s' * (main > 1)} to read"]
        if whole > main:
            parts.append(f"{whole} with all that is folded")
        if exercises:
            parts.append(f"{exercises} exercises" if exercises > 1 else "one exercise")
        time = [nodes.abbreviation("", ", ".join(parts), explanation=RULE), nodes.Text(".")]
        if runtime := app.env.nb_metadata.get(docname, {}).get("exec_data", {}).get("runtime"):
            time.append(nodes.Text(f" Its cells took {runtime:.0f} s when this page was built."))
        place.replace_self(time)
