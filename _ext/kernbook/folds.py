"""Fold what is between the reader and the idea: the source of a check, and each proof.

A cell with ``with claim("…") as holds:`` (kernlib.book.claims) shows its statement, and a click its source.
The checks of a section are one line at its end, which opens to the list. Other folded code stands below what
it draws. A proof opens at its title, which says what it proves, or all do by a button and in print.
"""

import ast
import re
from html import escape

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.addnodes import pending_xref
from sphinx_exercise.nodes import solution_node
from sphinx_proof.nodes import proof_node

from kernbook.disclosures import Disclosure, Summary, ancestors, is_dropdown

PROVED = {"theorem", "lemma", "proposition", "corollary"}
SHARED = {"proof", "proof-content", "exercise-content", "solution-content"}  # given by extensions of Sphinx
PRINTED = re.compile(r"^(✓ )?(?=holds|not checked here)", re.MULTILINE)  # by a claim
OPEN_ALL = '<button type="button" class="open-proofs">Open all proofs</button>'


def fold(app, doctree):
    """Fold the claims and the proofs of a page that was just read."""
    for source in doctree.findall(nodes.container):
        is_code = source.get("nb_element") == "cell_code_source"
        if statements := claimed_statements(source.astext()) if is_code else []:
            cell = source.parent
            several = len(statements) > 1 and name_outputs(cell, statements)
            title = f"{len(statements)} statements" if several else statements[0]
            cell["hide_mode"] = "input"
            cell["prompt_show"] = cell["prompt_hide"] = f"Check: {title}"
            cell["classes"] += ["tag_hide-input", "claim"]
            cell["statements"] = statements
    proofs = [proof for proof in doctree.findall(proof_node) if not any(map(is_dropdown, ancestors(proof)))]
    for proof, proved in zip(proofs, list(proved_labels(doctree, proofs)), strict=True):
        (body,) = proof.children
        first = next(iter(body.findall(nodes.Text)), None)
        if first is not None and first.startswith("Proof. "):
            first.parent.replace(first, nodes.Text(first.removeprefix("Proof. ")))
        folded = Disclosure("", Summary("", "Proof", proved=proved), classes=["folded-proof"])
        proof.replace_self(folded)
        folded += proof
    if proofs:
        first = proofs[0].parent
        first.parent.insert(first.parent.index(first), nodes.raw("", OPEN_ALL, format="html"))


def drop_shared_ids(app, doctree, docname):
    """Drop identifiers that many elements of a page have; the contents of the page needed them until here."""
    for node in doctree.findall(nodes.Element):
        if SHARED.issuperset(node["ids"]):
            node["ids"] = []


def gather_claims(app, doctree, docname):
    """Move the claims of each section that hold to its end into one fold; notebooks keep their order."""
    for section in list(doctree.findall(nodes.section)) if app.builder.format == "html" else []:
        claims = [cell for cell in section.children if "claim" in cell.get("classes", [])]
        held = [cell for cell in claims if "✓" in cell[-1].astext()]
        for cell in held:
            section.remove(cell)
        if held:
            count = sum(cell[-1].astext().count("✓") for cell in held)
            title = "1 statement" if count == 1 else f"{count} statements"
            inner = section.first_child_matching_class(nodes.section)
            gathered = Disclosure("", Summary("", f"{title} checked ✓"), *held, classes=["claims"])
            section.insert(len(section) if inner is None else inner, gathered)


def put_code_below(app, doctree, docname):
    """Put folded code below the figure that it makes, in one fold with the folded code just before it."""
    if app.builder.format != "html":
        return
    for cell in list(doctree.findall(is_folded_cell)):
        fold, *outputs = cell.children
        if not outputs or "claim" in cell["classes"]:
            continue
        siblings, place, before = cell.parent.children, cell.parent.index(cell), []
        while place and is_folded_cell(siblings[place - 1]) and len(siblings[place - 1].children) == 1:
            place -= 1
            before = siblings[place][0].children + before
            cell.parent.remove(siblings[place])
        fold.insert(0, before)
        cell.remove(fold)
        cell += fold


def is_folded_cell(node):
    """Tell whether this is a code cell whose source is folded, after myst-nb has folded it."""
    return isinstance(node, nodes.container) and node.children and isinstance(node[0], HideCodeCellNode)


def proved_labels(doctree, proofs):
    """Give the label of what each proof proves, "" where nothing tells.

    It is the statement before it, the first time; then what the sentence before it refers to, or else the
    statement before that one: a theorem, its lemma, the lemma's proof, the theorem's.
    """
    before = ["", ""]
    for node in doctree.findall(nodes.Element):
        if node.get("realtype") in PROVED:
            before.append(node["label"])
        elif node in proofs:
            sentence = node.parent[node.parent.index(node) - 1]
            links = [link for link in sentence.findall(pending_xref) if link["refdomain"] == "prf"]
            yield before.pop() or ([link["reftarget"] for link in links] or before)[-1]
            before.append("")


def name_proofs(app, doctree, docname):
    """Say in a proof's title what it proves, now that all statements have their numbers."""
    for title in doctree.findall(Summary):
        label = title.get("proved")
        if label and not (statement := app.env.proof_list[label])["nonumber"]:
            numbers = app.env.toc_fignumbers[statement["docname"]][statement["countertype"]][label]
            title[0] = nodes.Text(f"Proof of {statement['realtype'].title()} {'.'.join(map(str, numbers))}")


def trim_solution_links(app, doctree, docname):
    """Move the blank at the start of the link in a solution's title out of the link, which is underlined."""
    for solution in doctree.findall(solution_node):
        for link in list(solution[0].findall(nodes.reference)):
            link[0] = nodes.Text(link[0].lstrip())
            link.parent.insert(link.parent.index(link), nodes.Text(" "))


def open_folded_cell(translator, node):
    """Begin the fold of a code cell, whose title is the same open and closed."""
    classes = " ".join(node["classes"])
    translator.body.append(f'<details class="admonition hide {classes}">\n<summary>')
    translator.body.append(f'<span class="code-title">{escape(node["prompt_show"])}</span></summary>\n')


def claimed_statements(source):
    """List the statements that a cell's source claims, in its order."""
    if "with claim(" not in source:
        return []
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    claims = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "claim"]
    return [ast.literal_eval(call.args[0]) for call in sorted(claims, key=lambda call: call.lineno)]


def name_outputs(cell, statements):
    """Put each statement into the line that its claim printed; tell whether there is a line for each."""
    text = next(
        (text for output in cell[1:] for text in output.findall(nodes.Text) if PRINTED.search(text)), ""
    )
    if len(PRINTED.findall(text)) != len(statements):
        return False
    rest = iter(statements)
    named = PRINTED.sub(lambda mark: f"{mark[0]}{next(rest)}: ", text)
    block = text.parent
    block.replace(text, nodes.Text(named))
    block.rawsource = named  # or it would not be written as an output
    return True
