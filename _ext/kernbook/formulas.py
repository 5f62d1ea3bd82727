"""Formulas set when the book is built, by KaTeX, so that no reader's browser has to.

KaTeX is a script: V8, which the package mini-racer brings, runs it inside this process. What it has set is
kept beside the book, so that the next build sets only what is new. A formula that KaTeX cannot read, or not
within the limit, is named with its document, and the page shows it as it was written. Beside the formula that
is drawn stands MathML, which a screen reader speaks and from which copying takes the TeX.
"""

import hashlib
import html
import json
import re
from pathlib import Path

from docutils import nodes
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

try:
    from py_mini_racer import JSEvalException, MiniRacer
except ImportError:  # an environment from before: the build warns, pages show sources
    MiniRacer = None

KATEX = Path(__file__).with_name("katex.min.js")
MARKS, OPENING = re.compile(r"\A[.,;:?!)\]’”%]+"), re.compile(r"[(\[‘“]+\Z")
LIMIT = 10  # seconds for one formula; the slowest of this book takes 0.03
SET = """
function set(tex, displayMode) {
  try { return [katex.renderToString(tex, {displayMode, strict: "error"}), ""]; }
  catch (error) { return ["", error.rawMessage ?? String(error)]; }
}
"""
logger = logging.getLogger(__name__)


def setup(app):
    """Put KaTeX in the place of MathJax."""
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_block, None))
    app.connect("builder-inited", open_cache)
    app.connect("doctree-resolved", keep_together)
    app.connect("build-finished", close_cache)
    app.connect("html-page-context", load_where_needed)


class Katex:
    """KaTeX, which starts at the first formula that is not in the file of those set before."""

    def __init__(self, path, script=KATEX):
        self.path, self.script = path, script
        self.key = hashlib.sha256(script.read_bytes() + SET.encode()).hexdigest()
        stored = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        self.known = stored["formulas"] if stored.get("key") == self.key else {}
        self.context, self.new = None, False

    def set(self, tex, display=False):
        """Give the formula's HTML and no fault, or no HTML and the fault."""
        name = ("display " if display else "inline ") + tex
        if name in self.known:
            return self.known[name], ""
        if MiniRacer is None:
            return "", "mini-racer is missing"
        if self.context is None:
            self.context = MiniRacer()
            self.context.eval(self.script.read_text(encoding="utf-8") + SET)
        try:
            markup, fault = self.context.call("set", tex, display, timeout_sec=LIMIT)
        except TimeoutError:
            return "", f"it was not set within {LIMIT} seconds"
        except JSEvalException as error:  # out of memory, above all
            return "", str(error).partition("\n")[0]
        if not fault:
            self.known[name], self.new = markup, True
        return markup, fault

    def save(self):
        """Keep what was set."""
        if self.new:
            stored = {"key": self.key, "formulas": self.known}
            self.path.write_text(json.dumps(stored, ensure_ascii=False), encoding="utf-8")


def open_cache(app):
    """Read what earlier builds set."""
    app.kernbook_katex = Katex(Path(app.outdir).parent / "katex.json")
    if MiniRacer is None:
        logger.warning("formulas are not set, the package mini-racer is missing: run `make environment`")


def close_cache(app, exception):
    """Keep it for the next."""
    app.kernbook_katex.save()


def load_where_needed(app, pagename, templatename, context, doctree):
    """Give pages with formulas their style, and the script that copies them as TeX."""
    if 'class="katex' in context.get("body", ""):
        app.add_css_file("katex/katex.min.css", priority=400)
        app.add_js_file("katex/copy-tex.min.js", loading_method="defer")


def keep_together(app, doctree, docname):
    """Keep a comma after a formula, and a bracket before it, on its line: a browser would break there."""
    for math in list(doctree.findall(nodes.math)):
        around = math.parent
        at = around.index(math)
        before, after = around[max(at - 1, 0) : at], around[at + 1 : at + 2]
        head, opening = part(before, OPENING)
        tail, signs = part(after, MARKS)
        if opening or signs:
            kept = nodes.inline("", "", *opening, math.deepcopy(), *signs, classes=["kept"])
            # By places: texts that read alike are equal.
            around[at - len(before) : at + 1 + len(after)] = [*head, kept, *tail]


def part(neighbours, pattern):
    """Part the text beside a formula into what may stand on another line and what may not."""
    text = neighbours[0] if neighbours and isinstance(neighbours[0], nodes.Text) else ""
    if not (found := pattern.search(text)):
        return neighbours, []
    rest = text[: found.start()] + text[found.end() :]
    return [nodes.Text(rest)] * bool(rest), [nodes.Text(found[0])]


def formula(translator, node, tex, display):
    """Set a formula, or warn of it and show its source."""
    markup, fault = translator.builder.app.kernbook_katex.set(tex, display)
    if not fault:
        return markup
    if MiniRacer is not None:
        logger.warning("a formula cannot be set: %s: %s", fault, tex, location=node)
    return f'<code class="unset-formula">{html.escape(tex)}</code>'


def visit_inline(translator, node):
    """Write a formula within a line."""
    markup = formula(translator, node, node.astext().strip(), display=False)
    translator.body.append(
        translator.starttag(node, "span", "", CLASS="math notranslate nohighlight") + markup + "</span>"
    )
    raise nodes.SkipNode


def visit_block(translator, node):
    """Write a formula of its own, which scrolls where it is wider than the page, and its number beside it."""
    tex = unnumbered(node.astext()) if node["nowrap"] else aligned(node.astext())
    translator.body += [
        translator.starttag(node, "div", "", CLASS="math notranslate nohighlight"),
        '<div class="formula">',
        formula(translator, node, tex, display=True),
        "</div>",
    ]
    if node["number"] and not node["nowrap"]:
        translator.body.append(f'<span class="eqno">({get_node_equation_number(translator, node)})')
        translator.add_permalink_ref(node, _("Link to this equation"))
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def aligned(source):
    """Align lines at their &, as Sphinx promises; parts between blank lines stand below each other."""
    parts = [part.strip() for part in re.split(r"\n\s*\n", source) if part.strip()]
    lines = [rf"\begin{{split}}{part}\end{{split}}" if r"\\" in part else part for part in parts]
    return lines[0] if len(lines) == 1 else r"\begin{gathered}" + r"\\".join(lines) + r"\end{gathered}"


def unnumbered(source):
    """Keep KaTeX from counting the lines of an environment by itself: the book's numbers are Sphinx's."""
    return re.sub(r"\\(begin|end)\{(align|alignat|equation|gather)\}", r"\\\1{\2*}", source.strip())
