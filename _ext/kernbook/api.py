"""A table of a module's public names, so that a new one appears in the book by itself.

Sphinx's autosummary wants every name written out. The directive ``public-names`` takes them from the module's
``__all__``; the names link to where ``automodule`` describes them.
"""

from importlib import import_module

from docutils.statemachine import StringList
from sphinx.ext.autosummary import Autosummary


def setup(app):
    """Register the directive."""
    app.add_directive("public-names", PublicNames)


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
