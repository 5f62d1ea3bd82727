"""What this book needs from Sphinx beyond _config.yml: one module for each wish, connected here."""

import hashlib
from pathlib import Path

from myst_nb.sphinx_ import HideCodeCellNode, depart_HideCellInput
from sphinx.highlighting import PygmentsBridge

from kernbook import (
    api,
    cards,
    citation,
    disclosures,
    execution,
    explorers,
    failures,
    folds,
    formulas,
    heights,
    launch_buttons,
    links,
    pages,
    quiz,
    reading_time,
    repository,
    search,
    sharing,
    student,
    stylesheet,
)

# Who listens to which event of Sphinx: events in the order of a build, the listeners of each in their order.
# A number is the priority among those of other extensions, where the usual 500 is too early or too late.
EVENTS = {
    "config-inited": [
        repository.add_buttons,
        sharing.set_site,
        explorers.ask_for_pages,
        citation.register_backend,
    ],
    "builder-inited": [pages.make_static_folder, formulas.open_cache, search.replace_index],
    "env-get-outdated": [execution.find_outdated],
    "env-before-read-docs": [execution.execute_notebooks],
    "source-read": [execution.insert_outputs],
    "autodoc-skip-member": [api.leave_out_fields],
    "autodoc-process-docstring": [(api.escape_bars, 100)],  # before numpydoc
    "doctree-read": [
        failures.box_errors,
        disclosures.mark_wide_tables,
        folds.fold,
        quiz.add_score,
        explorers.note_explorers,
        reading_time.count_seconds,
        heights.guess_heights,
    ],
    "env-updated": [pages.list_pages_to_write],
    "env-get-updated": [pages.letter_second_pages],  # after Sphinx has numbered the sections
    "write-started": [student.start_edition],
    "doctree-resolved": [
        folds.drop_shared_ids,
        folds.gather_claims,
        folds.put_code_below,
        folds.name_proofs,
        folds.trim_solution_links,
        reading_time.fill_in_times,
        formulas.keep_together,
        cards.make_cards,
        links.resolve_links,
        links.fill_places,
        search.add_records,
    ],
    "html-page-context": [
        citation.add_citation,
        links.list_anchors_below,
        formulas.load_katex_style,
        heights.state_heights,
        pages.state_image_sizes,
        pages.make_entries_items,
        (sharing.spell_formulas, 400),  # before sphinxext-opengraph reads the page
        (sharing.describe, 600),  # once sphinxext-opengraph has added its lines
        explorers.add_scripts,
        (pages.defer_scripts, 900),  # those of all extensions
        (pages.number_printed_title, 900),  # once the theme has set it
        (launch_buttons.lead_to_student_edition, 900),  # once the theme has made the buttons
    ],
    "build-finished": [
        execution.forget_build_with_warnings,
        formulas.save_cache,
        pages.spare_layouts,
        student.finish_edition,
        search.write_records,
        sharing.write_entrances,
        (stylesheet.join_sheets, 900),  # the theme writes the colors of code at 500
    ],
}
DIRECTIVES = {
    "each-module": api.EachModule,
    "explorer": links.ExplorerDirective,
    "public-names": api.PublicNames,
    "quiz": quiz.Quiz,
    "reading-time": reading_time.ReadingTime,
}
ROLES = {
    "minutes": reading_time.MinutesRole(),
    "projector": links.StateRole(full_screen=True),
    "state": links.StateRole(),
    "study": reading_time.MinutesRole(study=True),
}
# How nodes are written as HTML.
NODES = {
    disclosures.Disclosure: (disclosures.open_disclosure, disclosures.writer("</details>\n")),
    disclosures.Summary: (disclosures.writer("<summary>"), disclosures.writer("</summary>\n")),
    explorers.ExplorerNode: (explorers.write_explorer, None),
    HideCodeCellNode: (folds.open_folded_cell, depart_HideCellInput),
}


def setup(app):
    """Connect everything; Jupyter Book calls this."""
    for event, listeners in EVENTS.items():
        for listener in listeners:
            function, priority = listener if isinstance(listener, tuple) else (listener, 500)
            app.connect(event, function, priority)
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    for name, role in ROLES.items():
        app.add_role(name, role)
    for node, visitors in NODES.items():
        app.add_node(node, override=True, html=visitors)
    PygmentsBridge.html_formatter = pages.LeanFormatter
    app.add_js_file(None, priority=0, body=pages.OPTIONS)
    app.add_autodocumenter(api.CheckDocumenter)
    app.add_builder(student.StudentBuilder)
    app.add_html_math_renderer("katex", (formulas.visit_inline, None), (formulas.visit_block, None))
    app.add_config_value("kernbook_weights", {}, "", dict)
    app.add_config_value("kernbook_not_for_students", [], "", list)
    # With another version Sphinx reads every page again: what a page contains depends on these modules too.
    return {"env_version": own_hash(), "parallel_read_safe": True, "parallel_write_safe": True}


def own_hash():
    """Hash this package's files."""
    files = sorted(path for path in Path(__file__).parent.rglob("*") if path.suffix not in {"", ".pyc"})
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
