"""What others see of the book: search engines, previews of links, and readers whose address leads nowhere.

sphinxext-opengraph writes each page's description and what a preview of its link shows. It and the map of the
site need the address where the book is published: KERNLIB_SITE, or the pages of the repository's host.
"""

from pathlib import Path
from urllib.parse import urljoin, urlsplit
from xml.sax.saxutils import escape

from docutils import nodes

from kernbook.repository import site_address
from kernbook.spelling import spell_formula

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
FRONT = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={first}">
<title>{title}</title>
</head>
<body><p><a href="{first}">{title}</a></p></body>
</html>
"""


def set_site(app, config):
    """Derive the site's address from that of the repository, and give it to those who need it."""
    config.html_baseurl = site_address(config.html_theme_options["repository_url"])
    config.ogp_site_url = config.html_baseurl


def spell_formulas(app, pagename, templatename, context, doctree):
    """Write the formulas of a page as text, for its description; the page itself is written already."""
    for node in doctree.findall(nodes.math) if doctree else ():
        node.children = [nodes.Text(spell_formula(app.kernbook_katex.set(node.astext().strip(), False)[0]))]


def describe(app, pagename, templatename, context, doctree):
    """Drop the second viewport of docutils, and what needs a site where there is none; say where it is."""
    dropped = ['name="viewport"', *([] if app.config.html_baseurl else ['"og:url"', '"og:image'])]
    lines = context.get("metatags", "").splitlines(keepends=True)
    context["metatags"] = "".join(line for line in lines if not any(part in line for part in dropped))
    context["site_path"] = urlsplit(app.config.html_baseurl).path


def write_entrances(app, exception):
    """Write the page that leads to the first one, and the map of the site if its address is known."""
    if exception is not None or app.builder.name != "html":
        return
    first = app.builder.get_target_uri(app.config.root_doc)
    front = FRONT.format(first=first, title=escape(app.config.html_title or app.config.project))
    Path(app.outdir, "index.html").write_text(front, encoding="utf-8")
    if site := app.config.html_baseurl:
        pages = sorted(app.builder.get_target_uri(name) for name in app.env.found_docs)
        urls = "".join(f"<url><loc>{escape(urljoin(site, page))}</loc></url>\n" for page in pages)
        text = f'<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="{SITEMAP}">\n{urls}</urlset>\n'
        Path(app.outdir, "sitemap.xml").write_text(text, encoding="utf-8")
