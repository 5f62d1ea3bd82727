"""The templates of an explorer and of a chapter, copied as CONTRIBUTING says, make a page of the book."""

import re
import shutil
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "tools" / "templates"


def test_the_templates_make_a_page(small_book, build):
    folder = small_book("1", intro="(kernels)=\n# Kernels\n\n```{bibliography}\n```")
    chapters = folder / "chapters"
    shutil.copy(TEMPLATES / "explorer.py", chapters / "half_way.py")
    shutil.copy(ROOT / "chapters" / "book.mplstyle", chapters)
    template = (TEMPLATES / "chapter.ipynb").read_text(encoding="utf-8")
    moved = template.replace("kernlib.book.explorers.half_way", "half_way")
    assert moved != template
    (chapters / "one.ipynb").write_text(moved, encoding="utf-8")
    outcome = build(folder)
    assert outcome.returncode == 0, outcome.stdout
    page = (folder / "_build" / "html" / "chapters" / "one.html").read_text(encoding="utf-8")
    html = BeautifulSoup(page, "html.parser")
    assert html.find("kernlib-explorer", attrs={"data-name": "half-way"})
    assert re.match(r"Theorem \d", html.select_one(".theorem .admonition-title").text)
    assert "dropdown" in html.select_one(".admonition.solution")["class"]
    cells = nbformat.reads(template, as_version=4).cells
    printed = [output.text for cell in cells for output in cell.get("outputs", []) if "text" in output]
    assert printed and all(text in html.text for text in printed)
