"""By how much an assert holds: an extension of the kernel that measures a notebook's asserts.

Each assert, and each case of a claim (`holds(...)`), made of comparisons is rewritten, so that a comparison
also notes its worst element: the actual value, its bound, and which of them has to be the larger. Expressions
are evaluated once, in their order, and the assert holds or fails as before. `matrix.report` sets the notes of
several machines side by side.

A comparison's bound is its right side, or its left where that is a number (0.5 < slope < 2).
"""

import ast
import json
import operator
import os
import sys
from pathlib import Path

from matrix.witness import witness

NOTES = "MARGINS"  # the environment variable that names the file of notes
HOOK = "__margins__"  # this module's name in the notebook
COMPARISONS = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge}
CLOSE = {"allclose", "isclose", "assert_allclose"}  # numpy's, and math's
NUMPY_TOLERANCES = {"assert_allclose": (1e-7, 0.0)}  # rtol and atol, if not numpy's usual ones
USUAL_TOLERANCES = (1e-5, 1e-8)

sites = {}  # number of an assert -> its cell, line, source, and whether it is measured
noted = {}  # (number of the assert, number of the comparison in it) -> the worst room, actual, bound, upper


def note(place, actual, bound, upper):
    """Keep the worst element of a comparison: that with the least room, the way to the bound ÷ |bound|.

    Where the bound is 0 the room is the way itself; what isn't finite has none.
    """
    import numpy as np

    with np.errstate(all="ignore"):
        actual, bound = np.broadcast_arrays(np.asarray(actual, float), np.asarray(bound, float))
        rooms = (bound - actual if upper else actual - bound) / np.where(bound == 0, 1, np.abs(bound))
    finite = np.flatnonzero(np.isfinite(rooms))
    if len(finite):
        worst = finite[rooms.flat[finite].argmin()]
        actual, bound = float(actual.flat[worst]), float(bound.flat[worst])
        found = (float(rooms.flat[worst]), actual, bound, upper)
        noted[place] = min(noted.get(place, found), found)


class Operand:
    """The left side of a comparison: it compares as its value does, and takes a note."""

    def __init__(self, value, place, bound_is_left):
        self.value, self.place, self.bound_is_left = value, place, bound_is_left

    def compare(self, other, relation):
        value = other.value if isinstance(other, Operand) else other
        held = relation(self.value, value)
        actual, bound = (value, self.value) if self.bound_is_left else (self.value, value)
        left_is_small = relation in (operator.lt, operator.le)
        try:
            note(self.place, actual, bound, upper=left_is_small != self.bound_is_left)
        except (TypeError, ValueError, OverflowError):
            pass  # not numbers that a float holds: such an assert has no margin
        return held

    def __lt__(self, other):
        return self.compare(other, operator.lt)

    def __le__(self, other):
        return self.compare(other, operator.le)

    def __gt__(self, other):
        return self.compare(other, operator.gt)

    def __ge__(self, other):
        return self.compare(other, operator.ge)


def close(function, place):
    """The function, `np.allclose` or its like, which also notes |a − b| and how large that may be."""

    def measured(a, b, *tolerances, **options):
        import numpy as np

        held = function(a, b, *tolerances, **options)
        usual = NUMPY_TOLERANCES.get(function.__name__, USUAL_TOLERANCES)
        rtol, atol = (*tolerances, *usual[len(tolerances) :])[:2]
        try:
            if function.__module__ == "math":
                bound = max(options.get("rel_tol", 1e-9) * max(abs(a), abs(b)), options.get("abs_tol", 0.0))
            else:
                bound = options.get("atol", atol) + options.get("rtol", rtol) * np.abs(b)
            note(place, np.abs(np.subtract(a, b)), bound, upper=True)
        except (TypeError, ValueError, OverflowError):
            pass  # as above
        return held

    return measured


def is_number(node):
    """Whether an expression is written with numbers only, like 5e-3 or -2**-52."""
    inner = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.unaryop, ast.operator)
    return all(isinstance(each, inner) for each in ast.walk(node))


class Measure(ast.NodeTransformer):
    """Rewrites asserts, wherever they stand in a cell."""

    cell = 0  # how many have begun: nbval runs them without a history, so the shell doesn't count

    def begin_cell(self, info=None):
        self.cell += 1

    def visit_Assert(self, node):
        source = ast.unparse(node.test)
        return self.rewritten(node, source, lambda: setattr(node, "test", self.measured(node.test)))

    def visit_Expr(self, node):
        match node.value:
            case ast.Call(func=ast.Attribute(attr="assert_allclose")):
                source = ast.unparse(node.value)
                return self.rewritten(node, source, lambda: setattr(node, "value", self.measured(node.value)))
            case ast.Call(func=ast.Name("holds"), args=[case]):  # of kernlib.book.claims
                args = node.value.args
                return self.rewritten(
                    node, ast.unparse(case), lambda: args.__setitem__(0, self.measured(case))
                )
        return self.generic_visit(node)

    def rewritten(self, node, source, rewrite):
        self.site, self.comparisons = len(sites), 0
        rewrite()
        sites[self.site] = (self.cell, node.lineno, source, self.comparisons > 0)
        return ast.fix_missing_locations(node)

    def call(self, function, *arguments):
        """Code that calls a function of this module; numbers among the arguments are constants."""
        values = [each if isinstance(each, ast.AST) else ast.Constant(each) for each in arguments]
        return ast.Call(ast.Attribute(ast.Name(HOOK, ast.Load()), function, ast.Load()), values, [])

    def place(self):
        self.comparisons += 1
        return ast.Tuple([ast.Constant(self.site), ast.Constant(self.comparisons)], ast.Load())

    def measured(self, node):
        """The expression with all comparisons measured that have to hold for it to hold."""
        match node:
            case ast.BoolOp(op=ast.And()):
                node.values = [self.measured(value) for value in node.values]
            case ast.BinOp(op=ast.BitAnd()):
                node.left, node.right = self.measured(node.left), self.measured(node.right)
            case ast.Compare() if all(type(op) in COMPARISONS for op in node.ops):
                self.measure_comparison(node)
            case ast.Call(func=ast.Attribute(attr="all"), args=[]) if not node.keywords:
                node.func.value = self.measured(node.func.value)
            case ast.Call(func=ast.Name("all") | ast.Attribute(attr="all"), args=[_]) if not node.keywords:
                node.args = [self.measured(node.args[0])]
            case ast.GeneratorExp() | ast.ListComp():
                node.elt = self.measured(node.elt)
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(name)) if name in CLOSE:
                node.func = self.call("close", node.func, self.place())
        return node

    def measure_comparison(self, node):
        """Wrap each left operand; the last one is nobody's left."""
        operands = [node.left, *node.comparators]
        for i, operand in enumerate(operands[:-1]):
            operands[i] = self.call("Operand", operand, self.place(), is_number(operand))
        node.left, *node.comparators = operands


def write_notes(path):
    """Write all that was noted so far, in one go, for the kernel may be killed at any moment."""
    asserts = [
        {"cell": cell, "line": line, "source": source, "measured": measured}
        | {"comparisons": {str(place[1]): noted[place] for place in noted if place[0] == site}}
        for site, (cell, line, source, measured) in sites.items()
    ]
    fresh = Path(f"{path}.fresh")
    fresh.write_text(json.dumps({"witness": witness(), "asserts": asserts}))
    fresh.replace(path)


def load_ipython_extension(shell):
    """Rewrite the asserts of all cells to come, and write the notes after each cell."""
    measure = Measure()
    shell.ast_transformers.append(measure)
    shell.events.register("pre_run_cell", measure.begin_cell)
    shell.user_ns[HOOK] = shell.user_ns_hidden[HOOK] = sys.modules[__name__]
    shell.events.register("post_run_cell", lambda result: write_notes(os.environ[NOTES]))
