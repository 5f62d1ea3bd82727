"""Fold what stands between the reader and the idea: the source of a check, and each proof.

A cell that ends in ``with claim("…") as holds:`` (kernlib.claims) shows its one line of output; its source is
a click away. A proof opens at its title, all of a page's by the button above the first; print opens them.
"""

import ast

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode, depart_HideCellInput, visit_HideCellInput
from sphinx_proof.nodes import proof_node

from kernbook.markup import Disclosure, Summary, ancestors, is_dropdown

OPEN_ALL = '<button type="button" class="open-proofs" aria-pressed="false">Open all proofs</button>'


def setup(app):
    """Fold as soon as a page is read."""
    app.connect("doctree-read", fold)
    app.add_node(HideCodeCellNode, override=True, html=(open_fold, depart_HideCellInput))


def fold(app, doctree):
    """Fold the claims and the proofs of a page."""
    for cell in doctree.findall(is_code_cell):
        if statement := claimed(cell.children[0].astext()):
            cell["hide_mode"] = "input"
            cell["prompt_show"] = cell["prompt_hide"] = f"Check: {statement}"
            cell["classes"] += ["tag_hide-input", "claim"]
    proofs = [proof for proof in doctree.findall(proof_node) if not any(map(is_dropdown, ancestors(proof)))]
    for proof in proofs:
        (body,) = proof.children
        body["ids"] = []  # sphinx-proof gives all proofs the same
        first = next(iter(body.findall(nodes.Text)), None)
        if first is not None and first.startswith("Proof. "):
            first.parent.replace(first, nodes.Text(first.removeprefix("Proof. ")))
        folded = Disclosure("", Summary("", "Proof"), classes=["folded-proof"])
        proof.replace_self(folded)
        folded += proof
    if proofs:
        top = next(doctree.findall(nodes.section))
        top.insert(1, nodes.raw("", OPEN_ALL, format="html"))


def open_fold(translator, node):
    """Begin a fold whose title is read aloud; myst-nb's says "Toggle hidden content" instead."""
    begin = len(translator.body)
    visit_HideCellInput(translator, node)
    translator.body[begin:] = [
        part.replace(' aria-label="Toggle hidden content"', "") for part in translator.body[begin:]
    ]


def is_code_cell(node):
    """Whether myst-nb made this node from a cell whose source is shown."""
    return (
        isinstance(node, nodes.container)
        and node.get("nb_element") == "cell_code"
        and node.children
        and node.children[0].get("nb_element") == "cell_code_source"
    )


def claimed(source):
    """The statement that a cell's source claims, None where there is no claim."""
    if "with claim(" not in source:
        return None
    for node in ast.parse(source).body:
        match node:
            case ast.With(
                items=[ast.withitem(context_expr=ast.Call(func=ast.Name("claim"), args=[text, *_]))]
            ):
                return ast.literal_eval(text)
    return None
