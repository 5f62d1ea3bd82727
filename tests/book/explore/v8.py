"""The explorers' arithmetic in V8, without a browser."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from py_mini_racer import MiniRacer, init_mini_racer

from kernlib.book.explore.script import read

init_mini_racer(ignore_duplicate_init=True)  # in the main thread, as kernbook.formulas explains


def plain(value):
    """Turn arrays into lists, for JSON."""
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


class Script:
    """A context of V8 that holds the parts that compute, and perhaps an explorer's own script."""

    def __init__(self, more=""):
        self.thread = ThreadPoolExecutor(1)  # mini-racer does not wait where an event loop runs
        self.context = self.thread.submit(MiniRacer).result(60)
        self.run(f"{read('numbers.js')}\n{read('numeric.js')}\n{more}\n0")

    def run(self, code):
        return self.thread.submit(self.context.eval, code).result(60)

    def call(self, name, *arguments):
        """Call a function with these arguments; give its result as Python has it."""
        given = ", ".join(json.dumps(argument, default=plain) for argument in arguments)
        return json.loads(self.run(f"JSON.stringify({name}({given}))"))
