"""Disclosures, which HTML has and docutils has not: a title that opens what is below it.

Also a class for tables with so many columns that they fit the page in small print only.
"""

from html import escape

from docutils import nodes

MANY = 8  # columns


class Disclosure(nodes.General, nodes.Element):
    """``<details>``; of those with the same `name` one is open at a time. Its first child is a `Summary`."""


class Summary(nodes.General, nodes.TextElement):
    """``<summary>``: the title of a disclosure."""


def open_disclosure(translator, node):
    """Write the start of a disclosure."""
    name = f' name="{escape(node["name"])}"' if "name" in node else ""
    translator.body.append(f'<details class="{" ".join(node["classes"])}"{name}>')


def writer(html):
    """Make a function that writes this HTML, whatever the node."""
    return lambda translator, node: translator.body.append(html)


def mark_wide_tables(app, doctree):
    """Give tables of many columns a class."""
    for group in doctree.findall(nodes.tgroup):
        if group["cols"] >= MANY:
            group.parent["classes"].append("wide")


def ancestors(node):
    """Give the nodes around a node, from the inside out."""
    while (node := node.parent) is not None:
        yield node


def is_dropdown(node):
    """Tell whether sphinx-design or sphinx-togglebutton folds this node."""
    return "dropdown" in node.get("classes", []) or node.get("design_component") == "dropdown"
