"""Small changes of a program, one at a time: another operator, constant, comparison, or one term less."""

import ast
import copy

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
