"""Tables of a module's public names, and vertical bars in docstrings.

Sphinx's autosummary needs every name written out. The directive ``public-names`` takes them from the module's
``__all__``, so that a new name appears by itself; the names link to where ``automodule`` describes them. With
``:modules:`` it goes on to the modules of a package, which the directive ``each-module`` describes.
"""

import pkgutil
import re
from importlib import import_module

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.ext.autodoc import FunctionDocumenter
from sphinx.ext.autosummary import Autosummary
from sphinx.util.docutils import SphinxDirective


def escape_bars(app, what, name, obj, options, lines):
    """Escape | outside of code: |s| is a length or a value here, and a substitution in reStructuredText."""
    lines[:] = [re.sub(r"(``.*?``)|\|", lambda match: match[1] or r"\|", line) for line in lines]


def leave_out_fields(app, what, name, obj, skip, options):
    """Leave out a named tuple's fields, which are among its Parameters, and requests of metadata."""
    field = str(getattr(obj, "__doc__", "")).startswith("Alias for field number")
    return True if field or (name.startswith("set_") and name.endswith("_request")) else None


def public_modules(package):
    """Name the modules of a package that are for readers."""
    names = (module.name for module in pkgutil.iter_modules(package.__path__))
    return [f"{package.__name__}.{name}" for name in names if not name.startswith("_")]


class CheckDocumenter(FunctionDocumenter):
    """Describe a self-check, an object that is called, as a function."""

    objtype = "check"
    directivetype = "function"

    @classmethod
    def can_document_member(cls, member, membername, isattr, parent):
        """Take the self-checks."""
        from kernlib.book.checks._check import Check  # a build that describes nothing needs no kernlib

        return isinstance(member, Check)


class PublicNames(Autosummary):
    """List a module's public names, each with the first line of its docstring."""

    required_arguments = 1
    has_content = False
    option_spec = Autosummary.option_spec | {"modules": directives.flag}

    def run(self):
        module = import_module(self.arguments[0])
        modules = [module.__name__, *(public_modules(module) if "modules" in self.options else ())]
        names = [f"~{name}.{public}" for name in modules for public in import_module(name).__all__]
        self.content = StringList(names, module.__file__)
        return super().run()


class EachModule(SphinxDirective):
    """Describe the modules of a package, each as automodule does, below the name of its chapter."""

    required_arguments = 1

    def run(self):
        package = import_module(self.arguments[0])
        lines = []
        for name in public_modules(package):
            chapter = re.search(r"^Chapter: (.*)\.$", import_module(name).__doc__, re.MULTILINE)[1]
            lines += [f".. rubric:: {chapter}", "", f".. automodule:: {name}", "   :members:", ""]
        described = nodes.Element()
        self.state.nested_parse(StringList(lines, package.__file__), self.content_offset, described)
        return described.children
