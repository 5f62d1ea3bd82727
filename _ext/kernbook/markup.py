"""What HTML has and docutils has not: a disclosure, that is a title that opens what it stands above.

And a class for tables of so many columns that they fit the page in small print only.
"""

from html import escape

from docutils import nodes

MANY = 8  # columns


def setup(app):
    """Teach the nodes to the builder of HTML."""
    app.connect("doctree-read", mark_wide_tables)
    app.add_node(Disclosure, html=(open_details, close_details))
    app.add_node(Summary, html=(open_summary, close_summary))


def mark_wide_tables(app, doctree):
    """Let the style sheet know the tables of many columns."""
    for group in doctree.findall(nodes.tgroup):
        if group["cols"] >= MANY:
            group.parent["classes"].append("wide")


class Disclosure(nodes.General, nodes.Element):
    """``<details>``, with its `name` if only one of that name is open; its first child is a `Summary`."""


class Summary(nodes.General, nodes.TextElement):
    """``<summary>``: the title of a disclosure."""


def open_details(translator, node):
    name = f' name="{escape(node["name"])}"' if "name" in node else ""
    translator.body.append(f'<details class="{" ".join(node["classes"])}"{name}>')


def close_details(translator, node):
    translator.body.append("</details>\n")


def open_summary(translator, node):
    translator.body.append("<summary>")


def close_summary(translator, node):
    translator.body.append("</summary>\n")


def ancestors(node):
    """Give the nodes around a node, from the inside out."""
    while (node := node.parent) is not None:
        yield node


def is_dropdown(node):
    """Whether sphinx-design or sphinx-togglebutton folds this node."""
    return "dropdown" in node.get("classes", []) or node.get("design_component") == "dropdown"
