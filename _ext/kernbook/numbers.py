"""What explorers draw with, beside their page: a script of their numbers, their plain figures as pictures.

Both are up to two thirds of a page, and what is read first needs neither. A page from a file may load scripts
and pictures, not data: so the numbers are a script that puts them where each explorer looks for its own. It
runs when the page is read, before the script that draws. An explorer on the first screen keeps its numbers in
the page, and the script that draws stands right behind it, or the page would jump.
"""

import base64
import re
import zlib
from pathlib import Path

from kernbook.explorers import ASSETS

FIRST_SCREEN = 2000  # letters, on a wide one
NUMBERS = re.compile(r'(<kernlib-explorer\b.*?<script type="application/json">)(.*?)(?=</script>)', re.DOTALL)
FIGURE = re.compile(r'(?<=src=")data:image/svg\+xml;base64,([^"]+)')
PUT = """[
%s
].forEach((numbers, i) => {
  document.querySelectorAll("kernlib-explorer > script")[i].textContent = numbers;
});
"""


def setup(app):
    """Part them as pages are written."""
    app.connect("html-page-context", part)


def part(app, pagename, templatename, context, doctree):
    """Give a page with explorers their style and scripts, and what it need not hold files of its own."""
    before, explorer, after = context.get("body", "").partition("<kernlib-explorer")
    script = Path(app.confdir, ASSETS, "explore.js")
    if not explorer or not script.is_file():  # small books, as in tests, have no package beside them
        return
    app.add_css_file("explore.css")
    draw = address(context, "_static/explore.js", script.read_bytes())
    explorers = without_figures(app, pagename, context, explorer + after)
    if len(re.sub(r"<[^>]+>", "", before)) < FIRST_SCREEN:
        first, end, rest = explorers.partition("</kernlib-explorer>")
        explorers = f'{first}{end}<script src="{draw}"></script>{rest}'
    else:
        explorers, numbers = without_numbers(explorers)
        write(app, f"{pagename}.js", numbers)
        own = address(context, f"{pagename}.js", numbers)
        context["metatags"] += f'<script defer src="{own}"></script><script defer src="{draw}"></script>'
    context["body"] = before + explorers


def without_figures(app, pagename, context, html):
    """Write the plain figures as files, and in their places where those are."""
    written = []

    def take(found):
        path = f"_images/{pagename.replace('/', '-')}-explorer-{len(written)}.svg"
        written.append(path)
        write(app, path, base64.b64decode(found[1]))
        return context["pathto"](path, 1)

    return FIGURE.sub(take, html)


def without_numbers(html):
    """Take the numbers out; give the rest, and the script that puts them back."""
    numbers = []

    def take(found):
        quoted = found[2].replace("\\", "\\\\").replace("'", "\\'")
        numbers.append(f"'{quoted}'")
        return found[1]

    rest = NUMBERS.sub(take, html)
    return rest, (PUT % ",\n".join(numbers)).encode()


def write(app, path, content):
    """Write a file of the book."""
    file = Path(app.outdir, path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def address(context, path, content):
    """Say where a script is, seen from the page, and which version of it."""
    return f"{context['pathto'](path, 1)}?v={zlib.crc32(content):x}"
