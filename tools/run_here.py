"""Add "Run here" to a built book: a button opens a page's notebook, and Python runs in the reader's browser.

    python tools/run_here.py [folder]

The folder is the project's, with the book and its students' edition in `_build`. What was added stays until
it changes; pages that `make book` has written again get their button again.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "_ext"))

BUTTONS = '<div class="article-header-buttons">'
BUTTON = (
    '<a class="btn btn-sm run-here" href="../run.html#{name}" title="Run this page\'s code in your browser">'
    "Run&nbsp;here</a>"
)


def main(folder=ROOT):
    """Write what is missing, and print what there is."""
    from kernbook.jupyterlite import write_site

    book, student = Path(folder, "_build", "html"), Path(folder, "_build", "student")
    for path in book, student:
        if not path.is_dir():
            sys.exit(f"{path} is missing: make book writes it")
    write_site(book, student, Path(folder))
    pages = book / "chapters"
    count = sum(add_button(pages / f"{path.stem}.html", path.name) for path in student.glob("*.ipynb"))
    size = sum(path.stat().st_size for path in Path(book, "lite").rglob("*") if path.is_file()) / 1e6
    print(f"Run here: {count} pages have the button, which needs {size:.0f} MB. It works on a served book:")
    print(f"python -m http.server --directory {book}")


def add_button(page, name):
    """Put the button before the page's others, once; return whether the page has it."""
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    if "run-here" not in text and BUTTONS in text:
        text = text.replace(BUTTONS, BUTTONS + BUTTON.format(name=name), 1)
        page.write_text(text, encoding="utf-8")
    return "run-here" in text


if __name__ == "__main__":
    main(*sys.argv[1:])
