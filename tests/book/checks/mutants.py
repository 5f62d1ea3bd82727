"""Solutions of exercises, and small changes of a program: another operator, constant, or one term less."""

import ast
import copy
import json
from pathlib import Path

CHAPTERS = Path(__file__).parents[3] / "chapters"
OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.FloorDiv: ast.Mult,
}
COMPARISONS = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
SUMS = ast.Add, ast.Sub


def changes(node):
    """Give what to put in place of a node, each with a word for it."""
    if isinstance(node, ast.BinOp):
        if type(node.op) in OPERATORS:
            yield "operator", ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
        if isinstance(node.op, SUMS):
            yield "no second term", node.left
            yield "no first term", node.right
        if isinstance(node.op, ast.Mult | ast.Div):
            yield "no second factor", node.left
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        yield "comparison", ast.Compare(node.left, [COMPARISONS[type(node.ops[0])]()], node.comparators)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "sign", node.operand
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield "constant", ast.Constant(node.value + 1)


def mutants_of(tree, names):
    """Give every change of a function in words, and the changed function; its program knows these names."""
    for place in range(len(inside(tree))):
        for kind, _ in changes(inside(tree)[place]):
            copied = copy.deepcopy(tree)
            old = inside(copied)[place]
            new = dict(changes(old))[kind]
            change = f"{ast.unparse(old)} → {ast.unparse(new)} in line {old.lineno - tree.lineno + 1}"
            program = ast.Module([Replace(old, new).visit(copied)], [])
            known = dict(names)
            exec(compile(ast.fix_missing_locations(program), "<mutant>", "exec"), known)
            yield change, known[tree.name]


def inside(tree):
    """List the nodes of a function's body."""
    return [node for statement in tree.body for node in ast.walk(statement)]


class Replace(ast.NodeTransformer):
    """Put one node in place of another."""

    def __init__(self, old, new):
        self.old, self.new = old, new

    def visit(self, node):
        """Give the new node for the old one."""
        return self.new if node is self.old else super().generic_visit(node)


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
    """Tell whether a node is a call of check.check_…, without unparsing, which takes a second."""
    function = node.func if isinstance(node, ast.Call) else None
    return (
        isinstance(function, ast.Attribute)
        and function.attr.startswith("check_")
        and getattr(function.value, "id", "") == "check"
    )


SOLUTIONS = dict(solutions())
