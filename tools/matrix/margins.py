"""IPython extension that records how far each claim and each assertion of a notebook is from failing.

It rewrites each assert, and each case of a claim (`holds(...)`), that consists of comparisons, so that a
comparison also records its worst element: the actual value, its bound, and which has to be larger.
Expressions are evaluated once and in their order, and the assert holds or fails as before. The bound is the
right side, or the left if that is a number (0.5 < slope < 2). `matrix.report` compares several machines.
"""

import ast
import json
import operator
import os
import sys
from functools import partialmethod
from pathlib import Path

from matrix.probe import randomize_clocks

NOTES = "MARGINS"  # the environment variable that names the folder to write to
HOOK = "__margins__"  # this module's name in the notebook

sites = {}  # number of an assert -> its cell, line and source
worst = {}  # (number of the assert, number of the comparison in it) -> slack, actual, bound, upper


def record(place, actual, bound, upper):
    """Keep the element of a comparison with the least slack: the distance to the bound, over |bound| ≠ 0."""
    import numpy as np

    try:
        with np.errstate(all="ignore"):
            actual, bound = np.broadcast_arrays(np.asarray(actual, float), np.asarray(bound, float))
            slack = (bound - actual if upper else actual - bound) / np.where(bound == 0, 1, np.abs(bound))
    except (TypeError, ValueError, OverflowError):
        return  # not numbers that a float holds: such an assert has no margin
    finite = np.flatnonzero(np.isfinite(slack))
    if len(finite):
        least = finite[slack.flat[finite].argmin()]
        found = (float(slack.flat[least]), float(actual.flat[least]), float(bound.flat[least]), upper)
        worst[place] = min(worst.get(place, found), found)


class Operand:
    """The left side of a comparison: it compares as its value does, and records the comparison."""

    def __init__(self, value, place, bound_is_left):
        self.value, self.place, self.bound_is_left = value, place, bound_is_left

    def compare(self, relation, other):
        value = other.value if isinstance(other, Operand) else other
        held = relation(self.value, value)
        actual, bound = (value, self.value) if self.bound_is_left else (self.value, value)
        left_is_small = relation in (operator.lt, operator.le)
        record(self.place, actual, bound, upper=left_is_small != self.bound_is_left)
        return held

    __lt__ = partialmethod(compare, operator.lt)
    __le__ = partialmethod(compare, operator.le)
    __gt__ = partialmethod(compare, operator.gt)
    __ge__ = partialmethod(compare, operator.ge)


def is_number(node):
    """Return whether an expression consists of numbers only, like 5e-3 or -2**-52."""
    inner = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.unaryop, ast.operator)
    return all(isinstance(each, inner) for each in ast.walk(node))


class Measure(ast.NodeTransformer):
    """Rewrite the asserts and claims of cells."""

    cell = 0  # how many cells have started: nbval runs them without a history, so the shell doesn't count

    def start_cell(self, info=None):
        self.cell += 1

    def visit_Assert(self, node):
        node.test = self.measure_site(node.test)
        return ast.fix_missing_locations(node)

    def visit_Call(self, node):
        match node:
            case ast.Call(func=ast.Name("holds"), args=[case]):  # of kernlib.book.claims
                node.args = [self.measure_site(case)]
        return ast.fix_missing_locations(self.generic_visit(node))

    def measure_site(self, test):
        """Number an assert, and rewrite its test."""
        self.site, self.comparisons = len(sites), 0
        sites[self.site] = {"cell": self.cell, "line": test.lineno, "source": ast.unparse(test)}
        return self.measure(test)

    def measure(self, node):
        """Rewrite an expression so that all comparisons that have to hold for it are recorded."""
        ordered = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
        match node:
            case ast.BoolOp(op=ast.And()):
                node.values = [self.measure(value) for value in node.values]
            case ast.BinOp(op=ast.BitAnd()):
                node.left, node.right = self.measure(node.left), self.measure(node.right)
            case ast.Compare() if all(isinstance(op, ordered) for op in node.ops):
                *lefts, last = [node.left, *node.comparators]
                node.left, *node.comparators = [*map(self.wrap_operand, lefts), last]
            case ast.Call(func=ast.Attribute(attr="all"), args=[], keywords=[]):
                node.func.value = self.measure(node.func.value)
            case ast.Call(func=ast.Name("all") | ast.Attribute(attr="all"), args=[_], keywords=[]):
                node.args = [self.measure(node.args[0])]
            case ast.GeneratorExp() | ast.ListComp():
                node.elt = self.measure(node.elt)
        return node

    def wrap_operand(self, node):
        """Return code that makes an `Operand` of an expression."""
        self.comparisons += 1
        place = ast.Constant((self.site, self.comparisons))
        operand = ast.Attribute(ast.Name(HOOK, ast.Load()), "Operand", ast.Load())
        return ast.Call(operand, [node, place, ast.Constant(is_number(node))], [])


def write_notes(result=None):
    """Write all records so far at once, because the kernel may be killed at any moment."""
    notebook = Path(os.environ["PYTEST_CURRENT_TEST"].partition("::")[0])  # as the kernel started
    path = Path(os.environ[NOTES], f"{notebook.stem}.notes")
    notes = [
        site | {"comparisons": {str(place[1]): worst[place] for place in worst if place[0] == number}}
        for number, site in sites.items()
    ]
    part = path.with_suffix(".part")
    part.write_text(json.dumps(notes))
    part.replace(path)


def load_ipython_extension(shell):
    """Randomize the clocks if asked, rewrite the asserts of all cells, and write records after each cell."""
    randomize_clocks()
    measure = Measure()
    shell.ast_transformers.append(measure)
    shell.events.register("pre_run_cell", measure.start_cell)
    shell.user_ns[HOOK] = shell.user_ns_hidden[HOOK] = sys.modules[__name__]
    shell.events.register("post_run_cell", write_notes)
