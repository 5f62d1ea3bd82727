"""The end of each page: how to cite it, and when its source last changed; and what citations need."""

import re
from functools import cache
from html import escape
from pathlib import Path

from pybtex.backends.plaintext import Backend
from pybtex.plugin import register_plugin

from kernbook.repository import git

CITED = re.compile(r"intro$|chapters/(?!explorers|speed|references|license)")
BIBTEX = """\
@incollection{{{key},
  title     = {{{title}}},
  author    = {{{{{author}}}}},
  booktitle = {{{book}}},
  year      = {{{year}}},{url}
}}"""


def register_backend(app, config):
    """Register what pybtex would look up among all installed packages for each citation."""
    register_plugin("pybtex.backends", "plaintext", Backend, force=True)


def add_citation(app, pagename, templatename, context, doctree):
    """Append the BibTeX entry and the date to the pages that one cites."""
    if doctree is None or not CITED.match(pagename):
        return
    source = Path(app.env.doc2path(pagename)).relative_to(app.srcdir).as_posix()
    changed = last_changes(Path(app.srcdir)).get(source)
    base = app.config.html_baseurl
    entry = BIBTEX.format(
        key="kernels-" + pagename.rpartition("/")[2].replace("_", "-"),
        title=app.env.titles[pagename].astext(),
        author=app.config.author,
        book=app.config.html_title,
        year=(changed or app.config.copyright)[:4],
        url=f"\n  url       = {{{base.rstrip('/')}/{pagename}.html}}," if base else "",
    )
    when = f"<p>Changed on <time>{changed}</time>.</p>" if changed else ""
    context["body"] += (
        f'<footer class="about-page"><details><summary>Cite this page</summary>'
        f"<pre>{escape(entry)}</pre></details>{when}</footer>"
    )


@cache
def last_changes(root):
    """Give the day of the last commit that changed each file, as 2026-11-22; nothing without git."""
    days = {}
    for commit in git(root, "log", "--format=%x00%cs", "--name-only", "--relative").split("\0")[1:]:
        day, *files = commit.split("\n")
        for file in files:
            days.setdefault(file, day)
    return days
