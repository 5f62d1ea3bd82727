"""Print the built book as one PDF, ``_build/book-a4.pdf`` or ``_build/book-letter.pdf``.

    python tools/pdf.py [a4|letter]

`tools/print/book.js` makes one document of the built pages, and Chromium prints it. Chromium doesn't number
the lines of a table of contents. So the pages of all targets are read from the PDF and written into the
document, and it is printed again, until no number changes. The first time that is done only for the numbers,
and two browsers print one half each. Nothing is laid out for the screen: a second print would start from its
breaks, and a heading near the foot of a page would go back and forth.
"""

import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from html import escape
from importlib.util import find_spec
from pathlib import Path

import yaml
from playwright.sync_api import sync_playwright
from pypdf import PdfReader

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "_ext"))
from kernbook.repository import site_address, theme_options  # noqa: E402

ASSETS = Path(__file__).with_name("print")
# The first one has no windows: it starts faster, and tests take a seventh less time.
BROWSERS = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"
STUB = """<!DOCTYPE html>
<html lang="en" data-theme="light" data-mode="light">
<meta charset="utf-8"><title>{title}</title>
<link rel="stylesheet" href="html/_static/katex/katex.min.css">
<link rel="stylesheet" href="html/_static/pygments.css">
<style>{fonts}</style>
<style>@media screen {{ body {{ display: none; }} }}</style>
<body></body></html>
"""
PAPERS = {"a4": ("210mm", "297mm"), "letter": ("8.5in", "11in")}
BOLD, ITALIC = "font-weight: bold", "font-style: italic"
FONTS = {
    "Book Serif": {
        "STIXGeneral": "",
        "STIXGeneralBol": BOLD,
        "STIXGeneralItalic": ITALIC,
        "STIXGeneralBolIta": f"{BOLD}; {ITALIC}",
    },
    "Book Sans": {"DejaVuSans": "", "DejaVuSans-Bold": BOLD, "DejaVuSans-Oblique": ITALIC},
    "Book Mono": {"DejaVuSansMono": "", "DejaVuSansMono-Bold": BOLD, "DejaVuSansMono-Oblique": ITALIC},
}


def listed_parts(toc):
    """List the parts of a table of contents, each with its caption and the names of its pages."""

    def below(entry):
        yield entry["file"]
        for section in entry.get("sections", []):
            yield from below(section)

    yield "", [toc["root"]]
    for part in toc.get("parts", [{"caption": "", **toc}]):
        yield part["caption"], [name for chapter in part["chapters"] for name in below(chapter)]


def font_faces():
    """Write the style rules that load the text's fonts, which matplotlib brings."""
    folder = Path(find_spec("matplotlib").origin).parent / "mpl-data" / "fonts" / "ttf"
    for family, styles in FONTS.items():
        for file, look in styles.items():
            source = (folder / f"{file}.ttf").as_uri()
            yield f'@font-face {{font-family: "{family}"; src: url("{source}"); {look}}}'


def page_rules(heads, title, size):
    """Write the style rules of the pages: their size, and running heads with the chapter's name."""
    yield f"@page {{size: {' '.join(size)}}}"
    for number, head in enumerate(heads):
        for side, name, corner in (("left", title, "left"), ("right", head, "right")):
            quoted = name.replace("\\", "\\\\").replace('"', '\\"')
            yield f'@page sheet-{number}:{side} {{@top-{corner} {{content: "{quoted}"}}}}'


def find_browser():
    """Name the Chromium that KERNLIB_BROWSER names or that is on the PATH; None without one."""
    return os.environ.get("KERNLIB_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)


def target_pages(path):
    """Read from a PDF on which page each target of a link is."""
    reader = PdfReader(path)
    numbers = {page.indirect_reference.idnum: number for number, page in enumerate(reader.pages, 1)}
    return {name.lstrip("/"): numbers[dest.page.idnum] for name, dest in reader.named_destinations.items()}


@contextmanager
def open_book(program, stub, book, rules):
    """Open the whole book as one document in a browser of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(offline=True)
        page.set_default_timeout(0)
        page.goto(stub.as_uri())
        for script in ("book.js", "lists.js"):
            page.add_script_tag(path=ASSETS / script)
        heads = page.evaluate("assemble", book)
        page.add_style_tag(path=ASSETS / "book.css")
        page.add_style_tag(content="\n".join(page_rules(heads, *rules)))
        page.evaluate("ready()")
        yield page
        browser.close()


def count_pages(page, half, path):
    """Print a half, without letters and tags, which take time; return the targets' pages, and the last."""
    path = path.with_suffix(f".{half}.pdf")
    page.evaluate("showHalf", half)
    page.pdf(path=path, prefer_css_page_size=True, print_background=True)
    page.evaluate("showHalf", None)
    found = target_pages(path), len(PdfReader(path).pages)
    path.unlink()
    return found


def count_second_half(document, path):
    """Do that with the second half, in a browser of its own."""
    with open_book(*document) as page:
        return count_pages(page, 1, path)[0]


def write_pdf(page, path, numbers, most=3):
    """Print the page until the numbers on it, at first these, are those of the PDF."""
    page.evaluate("fillPages", numbers)
    for _ in range(most):
        page.pdf(path=path, prefer_css_page_size=True, print_background=True, outline=True, tagged=True)
        if not page.evaluate("fillPages", target_pages(path)):
            return len(PdfReader(path).pages)
    raise RuntimeError(f"the page numbers still change after {most} prints")


def read_parts(folder):
    """Read the built pages of a book, part by part."""
    toc = yaml.safe_load((folder / "_toc.yml").read_text(encoding="utf-8"))
    for caption, names in listed_parts(toc):
        paths = {name: folder / "_build" / "html" / f"{name}.html" for name in names}
        pages = [{"name": name, "html": path.read_text(encoding="utf-8")} for name, path in paths.items()]
        yield {"caption": caption, "pages": pages}


def read_edition(folder):
    """Name the version that the citation file of a folder names, and its date; nothing without one."""
    path = folder / "CITATION.cff"
    cited = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}
    known = [str(cited[name]) for name in ("version", "date-released") if name in cited]
    return f"Version {', '.join(known)}" if known else ""


def main(paper="a4", folder=ROOT):
    """Print the book of a folder, and say where the PDF is."""
    if paper not in PAPERS:
        sys.exit(f"PAPER must be {' or '.join(PAPERS)}, got {paper!r}.")
    if (program := find_browser()) is None:
        sys.exit("No Chromium found: install it (apt-get install chromium) or name it in KERNLIB_BROWSER.")
    folder = Path(folder).resolve()
    config = yaml.safe_load((folder / "_config.yml").read_text(encoding="utf-8"))
    site = site_address(theme_options(folder)["repository_url"])
    book = {
        "title": config["title"],
        "author": config["author"],
        "edition": read_edition(folder),
        "site": site,
        "parts": list(read_parts(folder)),
    }
    stub, path = folder / "_build" / "book.html", folder / "_build" / f"book-{paper}.pdf"
    stub.write_text(
        STUB.format(title=escape(config["title"]), fonts="\n".join(font_faces())), encoding="utf-8"
    )
    document = program, stub, book, (config["title"], PAPERS[paper])
    with ThreadPoolExecutor(1) as pool:
        second = None if path.is_file() else pool.submit(count_second_half, document, path)
        with open_book(*document) as page:
            if second is None:  # the numbers of the last PDF are nearly right
                numbers = target_pages(path)
            else:
                numbers, before = count_pages(page, 0, path)
                numbers |= {name: before + number for name, number in second.result().items()}
            count = write_pdf(page, path, numbers)
    print(f"The book on paper, {count} pages: {path}")


if __name__ == "__main__":
    main(*sys.argv[1:])
