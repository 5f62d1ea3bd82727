"""Write a page's doctree as the Markdown that every notebook program reads: no directive, no role, no target.

What Markdown lacks becomes a block quote (theorems, exercises, boxes, margins) or a fold of HTML (proofs,
answers), which JupyterLab, Colab, VS Code, GitHub and nbconvert all know.
"""

import re
from html import escape
from itertools import pairwise

from docutils import nodes
from sphinx.util.math import get_node_equation_number

from kernbook.formulas import align_lines

SPECIAL = re.compile(r"([\\*_`\[\]<$])")
BLOCK_START = re.compile(r"^(?=[#>+-])|(?<=^\d)(?=[.)] )")  # what would start another kind of block
CELL = "\x00{}\x00"  # the place of a code cell, in a line of its own
BREAK = "\x01"  # where a new cell of text starts
CELLS = re.compile(r"^[> ]*\x00(\d+)\x00$", re.MULTILINE)


class NoMarkdown(Exception):
    """A kind of node that cannot be written as Markdown."""


class MarkdownWriter:
    """Write the text of a page as Markdown, without nodes that are `dropped`.

    The builder has the numbers of figures, formulas and theorems, `sections` those of sections by anchor.
    """

    def __init__(self, builder, sections, page, dropped):
        self.builder, self.sections, self.page, self.dropped = builder, sections, page, dropped

    def blocks(self, parts, level=1):
        """Write blocks one below the other, with headings of this level."""
        return "\n\n".join(filter(None, (self.block(part, level) for part in parts)))

    def section_blocks(self, parts, level):
        """Write a section's blocks; what follows a fold starts a cell, or it would touch the fold."""
        written = [block for part in parts if (block := self.block(part, level))]
        for i, (above, below) in enumerate(pairwise(written), start=1):
            if above.endswith("</details>") and not below.startswith(("<details>", CELL[0])):
                written[i] = BREAK + below
        return "\n\n".join(written)

    def block(self, node, level):
        """Write one block, with the method for its class or for a base class of it."""
        if self.dropped(node):
            return ""
        kinds = (kind.__name__ for kind in type(node).__mro__)
        write = next((found for kind in kinds if (found := getattr(self, f"write_{kind}", None))), None)
        if write is None:
            raise NoMarkdown(f"there is no Markdown for {node.tagname}: {node.astext()[:60]!r}")
        return write(node, level)

    def write_nothing(self, node, level):
        return ""

    # raw is HTML of the book's own; a title is written by the block that it belongs to
    write_Invisible = write_compound = write_raw = write_target = write_title = write_nothing
    write_ExplorerNode = write_exercise_end_node = write_nothing

    def write_children(self, node, level):
        return self.blocks(node, level)

    write_document = write_definition_list = write_proof_node = write_children

    def write_section(self, node, level):
        """Write a heading with its number, and what is below it; the section of a theorem has no heading."""
        body = self.section_blocks(node, level + 1)
        if not isinstance(node.children[0], nodes.title) or not body:
            return body
        anchors = [""] if level == 1 else [f"#{anchor}" for anchor in node["ids"]]
        number = next(filter(None, map(self.sections.get, anchors)), ())
        heading = "".join(f"{part}." for part in number) + " " + self.inline(node.children[0])
        return f"{BREAK}{'#' * level} {heading.strip()}\n\n{body}"

    def write_paragraph(self, node, level):
        return BLOCK_START.sub(r"\\", self.inline(node), count=1)

    def write_rubric(self, node, level):
        return f"**{self.inline(node)}**"

    def write_bullet_list(self, node, level):
        return self.items(node, ["- " for _ in node], level)

    def write_enumerated_list(self, node, level):
        first = node.get("start", 1)
        return self.items(node, [f"{first + i}. " for i in range(len(node))], level)

    def items(self, node, marks, level):
        """Write a list, each item indented below its mark."""
        items = [
            mark + self.blocks(item, level).replace("\n", "\n" + " " * len(mark))
            for mark, item in zip(marks, node, strict=True)
        ]
        return ("\n\n" if any("\n\n" in item for item in items) else "\n").join(items)

    def write_definition_list_item(self, node, level):
        return f"**{self.inline(node.children[0])}**: {self.blocks(node.children[-1], level)}"

    def write_literal_block(self, node, level):
        language = {"default": "python", "none": ""}.get(name := node.get("language", "default"), name)
        return f"```{language}\n{node.astext().rstrip()}\n```"

    def write_math_block(self, node, level):
        """Write a formula and its number in one line: JupyterLab finds formulas before quotations."""
        tex = re.sub(r"\{(align|gather|alignat)\*?\}", r"{\1ed}", node.astext())
        tex = plain_tex(tex if node.get("nowrap") else align_lines(tex)).replace("{split}", "{aligned}")
        tag = rf" \tag{{{get_node_equation_number(self, node)}}}" if node.get("number") else ""
        return f"$${tex}{tag}$$"

    def write_block_quote(self, node, level):
        return quote(self.blocks(node, level))

    write_sidebar = write_block_quote

    def write_table(self, node, level):
        """Write a table; the paragraphs of a cell share one line."""
        rows = [
            [self.blocks(entry, level).replace("\n\n", "<br>").replace("\n", " ") for entry in row]
            for row in node.findall(nodes.row)
        ]
        if next(node.findall(nodes.thead), None) is None:
            rows.insert(0, ["" for _ in rows[0]])
        rows.insert(1, ["---" for _ in rows[0]])
        return "\n".join("| " + " | ".join(row) + " |" for row in rows)

    def write_figure(self, node, level):
        """Write a figure's number and caption; its picture appears when the cell runs."""
        number = self.number("figure", node)
        caption = next(self.inline(part) for part in node if isinstance(part, nodes.caption))
        return f"**Figure {number}.** {caption}"

    def write_Admonition(self, node, level):
        """Write a box, an exercise or a theorem as a quotation, below its name, number and title."""
        title = next((part for part in node if isinstance(part, nodes.title)), None)
        if title is None:  # a proof's, which is folded
            return self.blocks(node, level)
        kind = node.get("realtype") or ("exercise" if node.tagname.startswith("exercise") else "")
        number = self.number(node.get("countertype", kind), node) if kind else ""
        heading = " ".join(filter(None, [kind.capitalize(), number, self.inline(title)]))
        return quote(f"**{heading.rstrip('.')}.**\n\n{self.blocks(node, level)}")

    def write_container(self, node, level):
        """Write a code cell's place below what it checks, and its captions; or a fold; or a plain box."""
        if node.get("nb_element") == "cell_code":
            checks = [self.span(nodes.Text(f"Check: {text}.")) for text in node.get("statements", [])]
            figures = [self.write_figure(figure, level) for figure in node.findall(nodes.figure)]
            return "\n\n".join([*checks, CELL.format(node["cell_index"]), *figures])
        if node.get("design_component") == "dropdown":
            return self.fold(node, level)
        return self.blocks(node, level)

    def fold(self, node, level):
        """Write a title that opens what is below it; blank lines make programs read Markdown inside."""
        title = "".join(map(as_html, node.children[0])).strip()
        return (
            f"<details>\n<summary>{title}</summary>\n\n{self.blocks(node.children[1:], level)}\n\n</details>"
        )

    write_Disclosure = fold

    def number(self, counter, node):
        """Give the number of a figure, a theorem or an exercise, as 5.2."""
        numbers = self.builder.fignumbers.get(counter, {})
        return ".".join(str(part) for anchor in node["ids"] for part in numbers.get(anchor, ()))

    def inline(self, node):
        """Write what is inside a line."""
        return "".join(map(self.span, node.children)).strip()

    def marked(self, node, mark):
        """Put marks around the words; with a space before the last mark, Markdown would not see it."""
        words = "".join(map(self.span, node.children))
        return f"{mark}{words.strip()}{mark}{' ' if words.endswith(' ') else ''}"

    def span(self, node):
        """Write one part of a line."""
        match node:
            case nodes.Text():
                return SPECIAL.sub(r"\\\1", re.sub(r"\s+", " ", node.astext()))
            case nodes.math():
                return f"${plain_tex(node.astext())}$"
            case nodes.literal():
                ticks = "``" if "`" in node.astext() else "`"
                return f"{ticks}{node.astext()}{ticks}"
            case nodes.strong():
                return self.marked(node, "**")
            case nodes.emphasis() | nodes.title_reference():
                return self.marked(node, "*")
            case nodes.reference():
                address = node.get("refuri", "#")
                if "explorer-state" in node["classes"] and address.startswith("#"):
                    address = self.page + address
                words = self.inline(node)
                return words if address.startswith("#") else f"[{words}]({address})"
            case nodes.raw() | nodes.Invisible():
                return ""
            case nodes.image():
                return f"*{node.get('alt', '')}*"
            case nodes.TextElement():
                return "".join(map(self.span, node.children))
        raise NoMarkdown(f"there is no Markdown in a line for {node.tagname}: {node.astext()[:60]!r}")


def as_html(node):
    """Write one part of a line as HTML, where programs do not read Markdown."""
    match node:
        case nodes.Text():
            return escape(node.astext())
        case nodes.math():
            return f"${plain_tex(node.astext())}$"
    inside = "".join(map(as_html, node.children))
    name = {"literal": "code", "strong": "strong", "emphasis": "em"}.get(node.tagname)
    return f"<{name}>{inside}</{name}>" if name else inside


def plain_tex(tex):
    """Write a formula in one line, without the signs of HTML."""
    return " ".join(tex.replace("<", r"\lt ").replace(">", r"\gt ").split())


def quote(text):
    """Start each line with Markdown's sign for a quotation."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())
