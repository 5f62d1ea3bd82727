"""The directive `explorer`: show on this page an explorer that another page computes.

```{explorer} lab
```
"""

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from kernbook.explorers import explorers_of

LOG = logging.getLogger(__name__)


def setup(app):
    """Register the directive; fill its places when all pages are read."""
    app.add_directive("explorer", Elsewhere)
    app.add_node(Place)
    app.connect("doctree-resolved", fill_in)


class Place(nodes.General, nodes.Element):
    """Where the explorer called `name` will stand."""


class Elsewhere(SphinxDirective):
    """The explorer of this name."""

    required_arguments = 1

    def run(self):
        """Keep the place."""
        place = Place(name=self.arguments[0])
        self.set_source_info(place)
        return [place]


def fill_in(app, doctree, docname):
    """Copy each explorer from the page that holds it."""
    for place in list(doctree.findall(Place)):
        name = place["name"]
        pages = [page for page, held in explorers_of(app.env).items() if name in held]
        if not pages:
            LOG.warning("no page has an explorer called %r.", name, location=place)
            place.replace_self([])
            continue
        mark = f'data-name="{name}"'
        found = app.env.get_doctree(pages[0]).findall(nodes.raw)
        place.replace_self(next(node for node in found if mark in node.astext()).deepcopy())
