"""A table of a module's public names, so that a new one appears by itself; and bars in docstrings.

Sphinx's autosummary wants every name written out. The directive ``public-names`` takes them from the module's
``__all__``; the names link to where ``automodule`` describes them. In reStructuredText |s| asks for a
substitution; in kernlib's docstrings it is a length or an absolute value, so it is escaped.
"""

import re
from importlib import import_module

from docutils.statemachine import StringList
from sphinx.ext.autosummary import Autosummary


def setup(app):
    """Register the directive; escape bars before numpydoc reads the docstring; describe no explorer."""
    app.add_directive("public-names", PublicNames)
    app.connect("autodoc-process-docstring", escape_bars, priority=100)
    app.connect("autodoc-skip-member", skip_explorers)


def escape_bars(app, what, name, obj, options, lines):
    """Escape each bar that stands outside of ``code``."""
    lines[:] = [re.sub(r"(``.*?``)|\|", lambda match: match[1] or r"\|", line) for line in lines]


def skip_explorers(app, what, name, obj, skip, options):
    """Leave out what a chapter shows whole: its pages describe it better than its class's docstring."""
    from kernlib.explore import Explorer  # only where there is something of kernlib's to describe

    return True if isinstance(obj, Explorer) else skip


class PublicNames(Autosummary):
    """List a module's public names, each with the first line of its docstring."""

    required_arguments = 1
    has_content = False

    def run(self):
        """Hand autosummary the names."""
        module = import_module(self.arguments[0])
        names = [f"~{module.__name__}.{name}" for name in module.__all__]
        self.content = StringList(names, module.__file__)
        return super().run()
