"""The solutions of the exercises, read from the pages once for all tests."""

import ast
import json
from pathlib import Path

CHAPTERS = Path(__file__).parents[3] / "chapters"


def nodes_of(page):
    """Give the top-level nodes of a page's programs."""
    for cell in json.loads(page.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            yield from ast.parse("".join(cell["source"])).body


def solutions():
    """Give each check of a function with its module, its solution, and the page's imports and functions."""
    for page in sorted(set(CHAPTERS.glob("[01]?_*.ipynb")) - set(CHAPTERS.glob("07_*"))):
        nodes = list(nodes_of(page))
        imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
        # a later function of a name is the solution, an earlier one the stub
        functions = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
        for call in (call for node in nodes for call in ast.walk(node) if is_check(call)):
            if len(call.args) == 1 and getattr(call.args[0], "id", None) in functions:
                (module,) = (node.names[0].name for node in imports if node.names[0].asname == "check")
                yield call.func.attr, (module, call.args[0].id, imports, functions)


def is_check(node):
    """Return whether a node is a call of check.check_…; to unparse all calls would take a second."""
    function = node.func if isinstance(node, ast.Call) else None
    return (
        isinstance(function, ast.Attribute)
        and function.attr.startswith("check_")
        and getattr(function.value, "id", "") == "check"
    )


SOLUTIONS = dict(solutions())
