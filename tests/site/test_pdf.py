"""The book as one PDF: outline, page numbers, solutions at the end, paper and fonts."""

import json
import re
import subprocess
import sys
import unicodedata

import pdf
import pytest
import small_books
import yaml
from pypdf import PdfReader
from pypdf.generic import DictionaryObject

# All pages take minutes to print. What is linked but not printed loses its link.
PRINTED = "intro chapters/03_duality chapters/09_strings chapters/11_beyond chapters/glossary"
# Without answers that hold formulas, whose letters the PDF has in another order, and checks, which it lacks.
READ = """(html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  const all = (selector) => [...page.querySelectorAll(selector)];
  const answers = all(".solution :not(.admonition-title) > p, .quiz details > p, .question details > p");
  const written = answers.filter((one) => !one.querySelector(".math") && !one.closest(".claims"));
  const headings = all("article :is(h1, h2, h3, h4, h5, h6)");
  const captions = all("figure:not(.plain) .caption-text").map((one) => one.firstChild); // up to a formula
  const texts = (nodes) => nodes.map((one) => one.textContent);
  return { headings: texts(headings), answers: texts(written), captions: texts(captions) };
}"""


def letters(text):
    """Keep the letters and digits of a text: what is between them depends on how lines break."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).lower()


def words(title):
    """List the words of a title, without its formulas, whose letters a PDF has in another order."""
    return re.findall(r"\w{3,}", unicodedata.normalize("NFKC", title).lower())


def same(title, other):
    """Tell whether two titles are the same, however their lines break."""
    return letters(title) == letters(other) or words(title) == words(other)


def fonts_of(page):
    return page["/Resources"].get("/Font", DictionaryObject())


def format_of(reader):
    """List the sizes of the pages, and the fonts that are not embedded."""
    fonts = [font.get_object() for page in reader.pages for font in fonts_of(page).values()]
    descriptors = {
        font["/BaseFont"]: font["/DescendantFonts"][0].get_object()["/FontDescriptor"] for font in fonts
    }
    bare = [name for name, keys in descriptors.items() if not any(key[:9] == "/FontFile" for key in keys)]
    assert descriptors
    return sorted({tuple(map(round, page.mediabox[2:])) for page in reader.pages}), bare


def print_book(folder):
    """Print the book of a folder; give what was printed if that fails."""
    command = [sys.executable, small_books.ROOT / "tools" / "pdf.py", "a4", folder]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def outline_of(reader, entries):
    """List the entries of an outline, each with its title and its page."""
    for entry in entries:
        if isinstance(entry, list):
            yield from outline_of(reader, entry)
        else:
            yield entry.title.strip(), reader.get_destination_page_number(entry) + 1


def read_pages(browser, paths):
    """Read headings, answers and captions; a browser parses pages a hundred times as fast as Python."""
    page, headings, answers, captions = browser.new_page(), [], [], []
    for path in paths:
        found = page.evaluate(READ, path.read_text(encoding="utf-8"))
        headings += found["headings"]
        answers += map(letters, found["answers"])
        captions += map(letters, found["captions"])
    page.close()
    answers = [answer for answer in answers if len(answer) > 40]
    return {"headings": headings, "answers": answers, "captions": captions}


def short_contents():
    """Read the table of contents; leave in it what is printed here, chapters with all their pages."""
    toc = yaml.safe_load((small_books.ROOT / "_toc.yml").read_text(encoding="utf-8"))
    for part in toc["parts"]:
        part["chapters"] = [chapter for chapter in part["chapters"] if chapter["file"] in PRINTED.split()]
    return toc


@pytest.fixture(scope="session")
def documents():
    """Give the documents that are printed."""
    return [name for _, names in pdf.listed_parts(short_contents()) for name in names]


@pytest.fixture(scope="session")
def printed(browser, book, documents, once):
    """Print a part of the book on A4; give each page's text, the outline, and what the HTML pages hold."""

    def read(folder):
        (folder / "_toc.yml").write_text(yaml.safe_dump(short_contents()), encoding="utf-8")
        for name in ("_config.yml", "CITATION.cff"):
            (folder / name).symlink_to(small_books.ROOT / name)
        (folder / "_build").mkdir()
        (folder / "_build" / "html").symlink_to(book)
        if fault := print_book(folder):
            return fault
        reader = PdfReader(folder / "_build" / "book-a4.pdf")
        found = {
            "texts": [page.extract_text() for page in reader.pages],
            "format": format_of(reader),
            "outline": list(outline_of(reader, reader.outline)),
        }
        found |= read_pages(browser, [book / f"{name}.html" for name in documents])
        (folder / "printed.json").write_text(json.dumps(found), encoding="utf-8")
        return ""

    return json.loads((once("pdf", read) / "printed.json").read_text(encoding="utf-8"))


def page_of(printed, title):
    """Give the page of an entry of the outline."""
    return next(page for entry, page in printed["outline"] if entry == title)


def test_the_outline_has_each_heading_on_its_page(printed):
    own = [heading for heading in printed["headings"] if not re.search(r"\bSolutions#$", heading)]
    titles = [letters(title) for title, _ in printed["outline"]]
    parts = sum(bool(part["chapters"]) for part in short_contents()["parts"])
    appendix = titles[titles.index("solutionsandanswers") + 1 : titles.index("index")]
    extra = [title for title in appendix if titles.count(title) > 1]
    assert len(titles) == len(own) + parts + len(extra) + len(["Contents", "Solutions and answers", "Index"])
    astray = [
        title
        for title, page in printed["outline"]
        if any(word not in letters(printed["texts"][page - 1]) for word in words(title))
    ]
    assert not astray


def test_each_line_of_the_contents_has_the_page_of_its_heading(printed, documents):
    (_, first), (_, after) = printed["outline"][:2]
    lines = [line for text in printed["texts"][first - 1 : after - 1] for line in text.splitlines()]
    listed = [line for line in lines if re.search(r"\D\d+$", line)]
    pages = printed["outline"][1:]
    entries = iter(pages)
    for line in listed:  # the outline goes deeper than the contents
        title, number = re.fullmatch(r"(.*\D)(\d+)", line).groups()
        assert any(same(entry, title) and page == int(number) for entry, page in entries), line
    assert len(listed) > len(documents)


def test_no_page_is_blank(printed):
    lines = {number: len(text.splitlines()) for number, text in enumerate(printed["texts"], 1)}
    assert not [number for number in lines if number > 1 and lines[number] <= 2]  # running head and number


def test_no_answer_comes_before_the_appendix(printed):
    start = page_of(printed, "Solutions and answers")
    before, after = (
        letters("".join(texts)) for texts in (printed["texts"][: start - 1], printed["texts"][start - 1 :])
    )
    assert len(printed["answers"]) > 20
    assert not [answer for answer in printed["answers"] if answer in before]
    assert not [answer for answer in printed["answers"] if answer not in after]


def test_each_figure_is_printed_also_one_that_is_folded_with_its_code(printed):
    text = letters("".join(printed["texts"]))
    assert len(printed["captions"]) > 5
    assert not [caption for caption in printed["captions"] if caption not in text]


def test_both_papers_have_their_size_and_all_fonts_are_embedded(printed):
    assert printed["format"] == [[[595, 842]], []]  # points
    assert next(pdf.page_rules([], "The book", pdf.PAPERS["letter"])) == "@page {size: 8.5in 11in}"


def test_a_proof_ends_with_its_mark_on_its_last_line(printed):
    lines = [line.strip() for text in printed["texts"] for line in text.splitlines()]
    marks = [line for line in lines if "∎" in line]
    assert len(marks) > 10 and sum(line == "∎" for line in marks) <= len(marks) // 10


def test_what_a_stub_prints_is_not_on_paper(printed):
    assert not [text for text in printed["texts"] if "not done yet: put your answer" in text]


def test_an_unknown_paper_is_an_error():
    with pytest.raises(SystemExit, match="PAPER must be a4 or letter, got 'a5'"):
        pdf.main("a5")
