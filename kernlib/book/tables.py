"""Tables of results as Markdown, which a page, a print and JupyterLab all set in their own style."""

from collections.abc import Sequence

from IPython.display import Markdown

__all__ = ["markdown_table"]


def markdown_table(head: Sequence[str], *rows: Sequence[str]) -> Markdown:
    """Return a table whose first column holds names, and whose others hold formatted numbers."""
    rule = ["---", *["--:"] * (len(head) - 1)]
    return Markdown("\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows)))
