"""The one style sheet of all pages: what it contains, and in which order."""

import types

from kernbook.stylesheet import join_sheets

PAGE = """<html><head>
<link rel="icon" href="_static/logo.svg">
<link rel="stylesheet" href="_static/theme/one.css?v=1" />
<link href="_static/two.css" rel="stylesheet">
<link rel="stylesheet" href="_static/three.css">
</head><body class="page"><p id="here">.prose</p>
<script type="application/json">{"panel": ".data"}</script>
<script src="_static/draw.js?v=2"></script><script>open("dialog")</script></body></html>"""
SHEETS = {
    "base.css": "p { color: red } .prose { color: blue }",
    "theme/one.css": '@import "../base.css";@font-face{src:url(fonts/a.woff2)}.page,.no:not(.page){margin:0}',
    "two.css": ".is-plot { top: 0 } .drawn :is(.x, .y) {top: 1px} [lang] #here > p::before, #no {top: 2px}",
    "three.css": "@media print { .data {top: 0} dialog {top: 3px} } @media screen { .no { top: 0 } }",
}
STYLE = """p{color: red}
@font-face{src:url(theme/fonts/a.woff2)}
.page{margin:0}
.is-plot{top: 0}
.drawn :is(.x, .y){top: 1px}
[lang] #here > p::before{top: 2px}
@media print {dialog{top: 3px}}"""


def test_the_sheets_of_a_page_become_one_of_what_its_pages_and_scripts_name(tmp_path):
    for name, text in SHEETS.items():
        sheet = tmp_path / "_static" / name
        sheet.parent.mkdir(parents=True, exist_ok=True)
        sheet.write_text(text)
    (tmp_path / "_static" / "draw.js").write_text("element({ class: `drawn is-${kind}` });")
    (tmp_path / "below").mkdir()
    pages = [tmp_path / "page.html", tmp_path / "below" / "page.html"]
    pages[0].write_text(PAGE)
    pages[1].write_text('<link href="../_static/two.css?v=3" rel="stylesheet"><p>')
    app = types.SimpleNamespace(outdir=tmp_path, builder=types.SimpleNamespace(name="html"))
    join_sheets(app, None)
    assert (tmp_path / "_static" / "style.css").read_text() == STYLE
    once = [page.read_text() for page in pages]
    assert once[0].count(".css") == 1 and '<link rel="stylesheet" href="_static/style.css?v=' in once[0]
    assert once[1].startswith('<link rel="stylesheet" href="../_static/style.css?v=')
    join_sheets(app, None)  # as after a build in which no page was written
    assert [page.read_text() for page in pages] == once
