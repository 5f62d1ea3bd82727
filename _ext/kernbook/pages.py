"""Which pages are written, and what they load: nothing that a page does not use, and late what can wait.

Every page has the titles of the others in its sidebar, but Sphinx writes only the pages whose own source
changed: a new chapter would be missing from the navigation of all others. With no page to write it does not
copy style sheets and scripts either. So all pages are written if one was read or a file beside them changed.
Writing is quick; reading and executing are what takes time.
"""

import re
from pathlib import Path

from docutils import nodes
from pygments.formatters import HtmlFormatter
from pygments.token import Name, Punctuation, Text, Whitespace
from sphinx.util import logging
from sphinx.util.images import get_image_size

IMAGE = re.compile(r'<img (?=[^>]*?\bsrc="(?:\.\./)*(_images/[^"]+\.png)")')
# What scripts ask documentation_options.js for; as a file it would hold up the first paint.
OPTIONS = 'const DOCUMENTATION_OPTIONS = {BUILDER: "html", ENABLE_SEARCH_SHORTCUTS: true};'
THEME_SCRIPT = "_static/scripts/pydata-sphinx-theme.js"
SCROLLING = (
    '["pre",".nboutput > .output_area",".cell_output > .output",".jp-RenderedHTMLCommon",'
    '".pst-scrollable-table-container"].join(", ")'
)
NOTHING = '":not(*)"'
logger = logging.getLogger(__name__)


class LeanFormatter(HtmlFormatter):
    """Write code without elements for what has its color anyway: a seventh of all elements of a page."""

    def format_unencoded(self, tokensource, outfile):
        """Take names, punctuation and spaces for plain text."""
        plain = {Name, Punctuation, Whitespace}
        lean = ((Text if kind in plain else kind, text) for kind, text in tokensource)
        super().format_unencoded(lean, outfile)


def make_static_folder(app):
    """Make the folder that the theme copies the logo into, even at the end of a build that failed early."""
    # Where the folder is missing, that copy becomes a file of its name, and every later build fails.
    Path(app.outdir, "_static").mkdir(parents=True, exist_ok=True)


def list_pages_to_write(app, env):
    """Name all pages: each holds the addresses of the assets, and the search has a record of each."""
    return sorted(env.found_docs)


def letter_second_pages(app, env):
    """Number the pages below a chapter's first one 3b, 3c, … and their sections 3b.1 in place of 3.12.1."""
    for first, pages in env.toctree_includes.items():
        chapter = env.titles[first].get("secnumber") if first in env.titles else None
        for place, page in enumerate(pages if chapter else []):
            old = env.titles[page].get("secnumber")
            if old:
                number = (f"{chapter[0]}{'bcdefgh'[place]}",)
                env.titles[page]["secnumber"] = number
                found = env.toc_secnumbers[page]
                env.toc_secnumbers[page] = {
                    anchor: tuple(number) + tuple(part[len(old) :]) if part else part
                    for anchor, part in found.items()
                }
                for link in env.tocs[page].findall(nodes.reference):
                    if part := link.get("secnumber"):
                        link["secnumber"] = tuple(number) + tuple(part[len(old) :])
    return []


def state_image_sizes(app, pagename, templatename, context, doctree):
    """State the size of each image, so that nothing moves when it arrives, and let it load late."""
    files = {f"_images/{name}": source for source, (_, name) in app.env.images.items()}

    def complete(image):
        width, height = get_image_size(Path(app.srcdir, files[image[1]]))
        return f'<img width="{width}" height="{height}" loading="lazy" decoding="async" '

    if "body" in context:
        context["body"] = IMAGE.sub(complete, context["body"])


def make_entries_items(app, pagename, templatename, context, doctree):
    """Make the works of a bibliography items of the list around them; docutils gives an outdated role."""
    if "body" in context:
        context["body"] = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')


def defer_scripts(app, pagename, templatename, context, doctree):
    """Run scripts after the page was read, in their order, without the one in whose place are `OPTIONS`."""
    scripts = [one for one in context["script_files"] if one.filename != "_static/documentation_options.js"]
    for script in scripts:
        if script.filename:
            script.attributes.setdefault("defer", "defer")
    context["script_files"] = scripts


def number_printed_title(app, pagename, templatename, context, doctree):
    """Give the title of a printed page the chapter's number, which the title of its tab has."""
    if doctree is not None:
        context["pagetitle"] = context["title"]


def spare_layouts(app, exception):
    """Give a function of the theme's script a selector that matches nothing; `_assets/wide.js` does its work.

    Without this, a chapter that opens is laid out to its end at once, which takes a slow machine a second,
    and again after each move of an explorer: the function measures which boxes scroll.
    """
    path = Path(app.outdir, THEME_SCRIPT)
    if exception is not None or not path.is_file():
        return
    script = path.read_text(encoding="utf-8")
    if SCROLLING in script:
        path.write_text(script.replace(SCROLLING, NOTHING), encoding="utf-8")
    elif NOTHING not in script:
        logger.warning("%s has changed: does it still measure boxes in a way that pages.py knows?", path)
