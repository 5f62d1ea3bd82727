"""What would be looked up time and again is looked up once.

A reference to a numbered figure opens the whole page that the figure is on, a citation the entry points of
all packages; and a build in which nothing changed opens all pages, to count their figures again.
"""

from functools import cached_property, lru_cache

from pybtex.backends import plaintext
from pybtex.plugin import register_plugin
from sphinx.domains.std import StandardDomain

PAGES = 4  # kept at a time: most references stay on their page


def setup(app):
    """Put the domain in the place of Sphinx's, and the plugin where pybtex looks first."""
    app.add_domain(NumberedDomain, override=True)
    register_plugin("pybtex.backends", "plaintext", plaintext.Backend, force=True)
    app.connect("env-get-outdated", note_removed)
    app.connect("env-before-read-docs", keep_numbers)


def note_removed(app, env, added, changed, removed):
    """Keep what only this event tells."""
    app.kernbook_removed = removed
    return []


def keep_numbers(app, env, docnames):
    """Where no page comes, changes or goes, let nobody count anew: the environment holds the numbers."""
    if not docnames and not app.kernbook_removed:
        app.events.listeners["env-get-updated"].clear()


class NumberedDomain(StandardDomain):
    """Sphinx's domain, with the pages that numbered references lead to kept for a while."""

    @cached_property
    def keeping(self):
        """The environment as such references see it."""
        return Keeping(self.env)

    def resolve_xref(self, env, fromdocname, builder, typ, *rest):
        """Resolve as Sphinx does."""
        seen = self.keeping if typ == "numref" else env
        return super().resolve_xref(seen, fromdocname, builder, typ, *rest)


class Keeping:
    """An environment that hands out the same page twice: to those who only read it."""

    def __init__(self, env):
        self.env = env
        self.get_doctree = lru_cache(PAGES)(env.get_doctree)

    def __getattr__(self, name):
        return getattr(self.env, name)
