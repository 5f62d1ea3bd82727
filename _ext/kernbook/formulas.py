"""Set formulas with KaTeX when the book is built, so that no reader's browser has to.

KaTeX is a script, which V8 runs inside this process (the package mini-racer). What it has set is kept beside
the book, so that the next build sets only new formulas. A formula that KaTeX cannot read, or not within the
limit, is a warning, and the page shows its source. Each formula also contains MathML, which screen readers
speak and from which copying takes the TeX.
"""

import hashlib
import html
import json
import re
from pathlib import Path

from docutils import nodes
from py_mini_racer import JSEvalException, MiniRacer, init_mini_racer
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

KATEX = Path(__file__).with_name("katex.min.js")
MARKS, OPENING = re.compile(r"\A[.,;:?!)\]’”%]+"), re.compile(r"[(\[‘“]+\Z")
# "Apply function" beside the parts of an index or exponent, as in a sigma with the index max
APPLIED = re.compile("(<m(?:sub|sup|subsup)>(?:<mi[^>]*>[^<]*</mi>){1,2})<mo>\u2061</mo>")
LIMIT = 10  # seconds for one formula; the slowest of this book takes 0.03
SET = """
function set(tex, displayMode) {
  try { return [katex.renderToString(tex, {displayMode, strict: "error"}), ""]; }
  catch (error) { return ["", error.rawMessage ?? String(error)]; }
}
"""
# V8 protects its code by a key of the processor, which only the thread that starts V8 and threads that begin
# later may use. Any other thread would end the process, so V8 starts here and not at the first formula.
init_mini_racer(ignore_duplicate_init=True)
logger = logging.getLogger(__name__)


class Katex:
    """KaTeX, which starts at the first formula that is not in the file of those set before."""

    def __init__(self, path, script=KATEX):
        self.path, self.script = path, script
        self.key = hashlib.sha256(script.read_bytes() + (SET + APPLIED.pattern).encode()).hexdigest()
        stored = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        self.known = stored["formulas"] if stored.get("key") == self.key else {}
        self.context, self.new = None, False

    def set(self, tex, display=False):
        """Return the formula's HTML and no error, or no HTML and the error's message."""
        name = ("display " if display else "inline ") + tex
        if name in self.known:
            return self.known[name], ""
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
            # The standard does not allow these, and a browser may refuse to draw them.
            self.known[name] = markup = APPLIED.sub(r"\1", markup.replace(' columnspacing=""', ""))
            self.new = True
        return markup, fault

    def save(self):
        """Keep what was set for the next build."""
        if self.new:
            stored = {"key": self.key, "formulas": self.known}
            self.path.write_text(json.dumps(stored, ensure_ascii=False), encoding="utf-8")


def open_cache(app):
    """Read the formulas that earlier builds set."""
    app.kernbook_katex = Katex(Path(app.outdir).parent / "katex.json")


def save_cache(app, exception):
    """Keep the formulas of this build for the next."""
    app.kernbook_katex.save()


def load_katex_style(app, pagename, templatename, context, doctree):
    """Load on pages with formulas their style, and the script that copies them as TeX."""
    if 'class="katex' in context.get("body", ""):
        app.add_css_file("katex/katex.min.css", priority=400)
        app.add_js_file("katex/copy-tex.min.js", loading_method="defer")


def keep_together(app, doctree, docname):
    """Keep a comma after a formula, or a bracket before it, on the formula's line."""
    for math in list(doctree.findall(nodes.math)):
        around = math.parent
        at = around.index(math)
        before, after = around[max(at - 1, 0) : at], around[at + 1 : at + 2]
        head, opening = split_text(before, OPENING)
        tail, signs = split_text(after, MARKS)
        if opening or signs:
            kept = nodes.inline("", "", *opening, math.deepcopy(), *signs, classes=["kept"])
            # By position, because equal texts are equal nodes.
            around[at - len(before) : at + 1 + len(after)] = [*head, kept, *tail]


def split_text(neighbors, pattern):
    """Split the text beside a formula into what may be on another line and what may not."""
    text = neighbors[0] if neighbors and isinstance(neighbors[0], nodes.Text) else ""
    if not (found := pattern.search(text)):
        return neighbors, []
    rest = text[: found.start()] + text[found.end() :]
    return [nodes.Text(rest)] if rest else [], [nodes.Text(found[0])]


def set_formula(translator, node, tex, display):
    """Set a formula, or warn of it and show its source."""
    markup, fault = translator.builder.app.kernbook_katex.set(tex, display)
    if not fault:
        return markup
    logger.warning("a formula cannot be set: %s: %s", fault, tex, location=node)
    return f'<code class="unset-formula">{html.escape(tex)}</code>'


def visit_inline(translator, node):
    """Write a formula within a line, which may break between its parts."""
    markup = set_formula(translator, node, node.astext().strip(), display=False)
    markup = markup.replace('</span><span class="katex-base">', '</span><wbr><span class="katex-base">')
    translator.body.append(
        translator.starttag(node, "span", "", CLASS="math notranslate nohighlight") + markup + "</span>"
    )
    raise nodes.SkipNode


def visit_block(translator, node):
    """Write a formula between paragraphs, which scrolls if it is wider than the page, and its number."""
    tex = display_source(node)
    translator.body += [
        translator.starttag(node, "div", "", CLASS="math notranslate nohighlight"),
        '<div class="formula">',
        set_formula(translator, node, tex, display=True),
        "</div>",
    ]
    if node["number"] and not node["nowrap"]:
        translator.body.append(f'<span class="eqno">({get_node_equation_number(translator, node)})')
        translator.add_permalink_ref(node, _("Link to this equation"))
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def display_source(node):
    """Return the TeX of a formula between paragraphs, as KaTeX takes it."""
    return without_numbers(node.astext()) if node["nowrap"] else align_lines(node.astext())


def align_lines(source):
    """Align lines at their &, as Sphinx promises; parts between blank lines are below each other."""
    parts = [part.strip() for part in re.split(r"\n\s*\n", source) if part.strip()]
    lines = [rf"\begin{{split}}{part}\end{{split}}" if r"\\" in part else part for part in parts]
    return lines[0] if len(lines) == 1 else r"\begin{gathered}" + r"\\".join(lines) + r"\end{gathered}"


def without_numbers(source):
    """Keep KaTeX from numbering the lines of an environment: the book's numbers are Sphinx's."""
    return re.sub(r"\\(begin|end)\{(align|alignat|equation|gather)\}", r"\\\1{\2*}", source.strip())
