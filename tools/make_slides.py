"""Make a deck of slides for each chapter of the built book, and put a button that opens it on its pages.

    python tools/make_slides.py [folder]

The folder is the project's, with the book in `_build/html`. Pages that `make book` has written again get
their button again when this runs again.
"""

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import yaml
from slides.choose import choose_slides
from slides.write import read_advice, write_deck

ROOT = Path(__file__).resolve().parents[1]
OURS = Path(__file__).with_name("slides")
BUTTONS = '<div class="article-header-buttons">'
BUTTON = (
    '<a class="btn btn-sm open-slides" href="../slides/{}.html" title="This chapter\'s slides">Slides</a>'
)


def main(folder=ROOT):
    """Write the decks and the buttons, and print how many slides there are."""
    book = Path(folder, "_build", "html")
    if not book.is_dir():
        sys.exit(f"{book} is missing: make book writes it")
    for name, count in write_decks(book, chapters_of(Path(folder))).items():
        print(f"{name}: {count} slides")
    print(f"The decks: {book / 'slides'}, and a button on each page of a chapter")


def chapters_of(folder):
    """List the pages of each numbered chapter, without those that students do not get."""
    contents = yaml.safe_load((folder / "_toc.yml").read_text(encoding="utf-8"))
    settings = yaml.safe_load((folder / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]
    left_out = settings["kernbook_not_for_students"]
    chapters = [chapter for part in contents["parts"] if part.get("numbered") for chapter in part["chapters"]]
    files = [[entry["file"] for entry in (chapter, *chapter.get("sections", []))] for chapter in chapters]
    return [[Path(file).name for file in pages if file not in left_out] for pages in files]


def write_decks(book, chapters):
    """Write the deck of each chapter into the book; return the number of slides of each."""
    decks = book / "slides"
    shutil.rmtree(decks, ignore_errors=True)
    copy_reveal(decks / "reveal")
    advice = read_advice((book / "chapters" / "teaching.html").read_text(encoding="utf-8"))
    counts = {}
    for names in chapters:
        number = names[0].partition("_")[0].lstrip("0")  # a fork may order the chapters anew
        pages = {name: (book / "chapters" / f"{name}.html").read_text(encoding="utf-8") for name in names}
        scripts = {name: book / "chapters" / f"{name}.js" for name in names}
        numbers = {name: path.read_text(encoding="utf-8") for name, path in scripts.items() if path.exists()}
        slides = choose_slides(pages)
        deck = write_deck(number, pages, slides, advice, numbers)
        (decks / f"{names[0]}.html").write_text(deck, encoding="utf-8")
        for name, text in pages.items():
            add_button(book / "chapters" / f"{name}.html", text, names[0])
        counts[names[0]] = len(slides)
    return counts


def copy_reveal(folder):
    """Copy what a deck needs of reveal.js, and our own style and script."""
    # The package's folder is found without importing the package, which would import all of Sphinx.
    reveal = Path(find_spec("sphinx_revealjs").origin).parent / "_static" / "revealjs"
    for name in ("LICENSE", "dist/reveal.css", "dist/reveal.js", "plugin/notes/notes.js"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(reveal / name, folder / name)
    # An explorer has controls too, which reveal.js must not place.
    style = folder / "dist" / "reveal.css"
    style.write_text(
        style.read_text(encoding="utf-8").replace(".reveal .controls", ".reveal>.controls"), encoding="utf-8"
    )
    for name in ("slides.css", "slides.js"):
        shutil.copyfile(OURS / name, folder / name)


def add_button(path, text, deck):
    """Put the button before the page's others, once."""
    if "open-slides" not in text and BUTTONS in text:
        part = path.with_suffix(".part")  # `make pdf` may read the page at the same time
        part.write_text(text.replace(BUTTONS, BUTTONS + BUTTON.format(deck), 1), encoding="utf-8")
        part.replace(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
