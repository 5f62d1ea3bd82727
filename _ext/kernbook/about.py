"""What each page says of itself at its end: how to cite it, and when its source last changed."""

import re
import subprocess
from html import escape
from pathlib import Path

CITED = re.compile(r"intro$|chapters/(?!explorers|speed|references|licence)")
BIBTEX = """\
@incollection{{{key},
  title     = {{{title}}},
  author    = {{{{{author}}}}},
  booktitle = {{{book}}},
  year      = {{{year}}},{url}
}}"""


def setup(app):
    """Add it to the body of a page when it is written."""
    app.connect("html-page-context", add)


def add(app, pagename, templatename, context, doctree):
    """Append the entry and the date to the pages that one cites."""
    if doctree is None or not CITED.match(pagename):
        return
    changed = last_change(app.env.doc2path(pagename))
    entry = BIBTEX.format(
        key="kernels-" + pagename.rpartition("/")[2].replace("_", "-"),
        title=app.env.titles[pagename].astext(),
        author=app.config.author,
        book=app.config.project,
        year=(changed or app.config.copyright)[:4],
        url=address(app, pagename),
    )
    when = f"<p>Changed on <time>{changed}</time>.</p>" if changed else ""
    context["body"] += (
        f'<footer class="about-page"><details><summary>Cite this page</summary>'
        f"<pre>{escape(entry)}</pre></details>{when}</footer>"
    )


def last_change(path):
    """The day of the last commit that changed a file, as 2026-11-22; None where git doesn't know."""
    command = ["git", "log", "-1", "--format=%cs", "--", Path(path).name]
    try:
        found = subprocess.run(command, cwd=Path(path).parent, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return found.stdout.strip() or None


def address(app, pagename):
    """The field with the page's own address, where the book knows its own."""
    base = app.config.html_baseurl
    return f"\n  url       = {{{base.rstrip('/')}/{pagename}.html}}," if base else ""
