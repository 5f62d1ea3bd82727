"""The directive `quiz`: a question whose options explain themselves; it needs no script.

    ```{quiz}
    Which of these is a kernel?

    - [ ] The squared distance. — Its diagonal is zero, so a matrix of it can't be positive.
    - [x] The product $xx'$. — It is an inner product already.
    ```

`_assets/page.js` remembers in the browser which option was tried first, and writes the score below the last
quiz.
"""

from html import escape

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from kernbook.disclosures import Disclosure, Summary

DASH = " — "
MARKS = {"[x] ": True, "[ ] ": False}
SYNTAX = "write '- [ ] an option. — Why it is wrong.', and [x] for the right one"


class Quiz(SphinxDirective):
    """A question, then a list of options, one of them right, each with its explanation."""

    has_content = True

    def run(self):
        body = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, body)
        *question, options = body.children or [None]
        if not question or not isinstance(options, nodes.bullet_list):
            raise self.error(f"a quiz is a question and a list of options: {SYNTAX}")
        number = self.env.new_serialno("quiz") + 1
        box = nodes.container(classes=["quiz"])
        box += nodes.paragraph("", "", nodes.strong("", f"Question {number}. "), *question[0].children)
        box += question[1:]
        choices = [self.option(item, f"quiz-{number}") for item in options]
        if sum("right" in choice["classes"] for choice in choices) != 1:
            raise self.error(f"a quiz has exactly one right option: {SYNTAX}")
        box += choices
        return [box]

    def option(self, item, name):
        """Make an option a disclosure: its title is what comes before the dash, its inside the rest."""
        paragraph = item.children[0]
        first = paragraph.children[0]
        mark = first.astext()[:4] if isinstance(first, nodes.Text) else ""
        dash = next((n for n in paragraph if isinstance(n, nodes.Text) and DASH in n.astext()), None)
        if mark not in MARKS or dash is None:
            raise self.error(f"an option lacks its mark or its explanation: {SYNTAX}")
        right = MARKS[mark]
        at = paragraph.index(dash)
        before, _, after = dash.astext().partition(DASH)
        head = [*paragraph.children[:at], nodes.Text(before)]
        head[0] = nodes.Text(head[0].astext().removeprefix(mark))
        tail = [nodes.Text(after), *paragraph.children[at + 1 :]]
        verdict = nodes.strong("", "Yes. " if right else "No. ")
        choice = Disclosure("", name=name, classes=["option", "right" if right else "wrong"])
        choice += [Summary("", "", *head), nodes.paragraph("", "", verdict, *tail), *item.children[1:]]
        return choice


def add_score(app, doctree):
    """Put an empty line for the score below the last quiz."""
    boxes = [box for box in doctree.findall(nodes.container) if "quiz" in box["classes"]]
    if boxes:
        line = f'<p class="quiz-score" role="status" data-quiz-page="{escape(app.env.docname)}"></p>'
        boxes[-1].parent.insert(boxes[-1].parent.index(boxes[-1]) + 1, nodes.raw("", line, format="html"))
