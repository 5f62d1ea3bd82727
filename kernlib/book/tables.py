"""Tables of results as Markdown, which a page, a print and JupyterLab all set in their own style."""

from collections.abc import Sequence

from IPython.display import Markdown

__all__ = ["markdown_table"]

RULES = {"l": "---", "r": "--:"}


def markdown_table(head: Sequence[str], *rows: Sequence[str], align: str = "lr") -> Markdown:
    """Return a table of text; `align` is l or r for each column, and its last letter for all that follow."""
    rule = [RULES[side] for side in align.ljust(len(head), align[-1])]
    return Markdown("\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows)))
