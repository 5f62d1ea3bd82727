"""What search engines, previews of links and dead links get."""

import xml.etree.ElementTree as ElementTree

import pytest
import small_books
from bs4 import BeautifulSoup
from kernbook.repository import site_address


def meta(page):
    """List the names and contents of a page's meta elements."""
    return [(tag.get("name") or tag.get("property"), tag.get("content")) for tag in page.select("meta")]


@pytest.mark.parametrize(
    ("repository", "address"),
    [
        (small_books.ADDRESS, "https://someone.github.io/kernels/"),
        ("https://gitlab.com/someone/kernels", "https://someone.gitlab.io/kernels/"),
        ("https://github.com/someone/someone.github.io", "https://someone.github.io/"),
        ("", ""),
    ],
)
def test_a_repository_on_a_known_host_has_its_pages(repository, address):
    assert site_address(repository) == address


def test_each_page_has_a_description_of_its_own_and_one_viewport(book, documents):
    descriptions = []
    for name in documents:
        head = (book / f"{name}.html").read_text(encoding="utf-8").partition("</head>")[0]
        found = meta(BeautifulSoup(head, "html.parser"))
        assert [key for key, _ in found].count("viewport") == 1
        assert ("og:site_name", "Kernel methods at scale") in found
        descriptions += [content for key, content in found if key == "description"]
    assert len(set(descriptions)) == len(documents)
    assert not [text for text in descriptions if "\\" in text]  # formulas are text, not TeX
    assert min(map(len, descriptions)) > 40


def test_with_a_site_links_and_pictures_of_previews_and_its_map_are_whole_addresses(small_book, small_page):
    site = site_address(small_books.ADDRESS)
    found = dict(meta(small_page("chapters/one")))
    assert found["og:url"] == f"{site}chapters/one.html"
    assert found["og:image"] == f"{site}_static/readme.png"
    tree = ElementTree.parse(small_book / "html" / "sitemap.xml")
    urls = [element.text for element in tree.findall(".//{*}loc")]
    assert found["og:url"] in urls
    assert all((small_book / "html" / url.removeprefix(site)).is_file() for url in urls)


def test_the_page_for_dead_links_finds_its_style_and_its_links_at_any_depth(new_context, small_book):
    page = new_context().new_page()
    files = small_book / "html"

    def serve(route):
        path = files / route.request.url.split("/kernels/")[1].split("?")[0]
        route.fulfill(path=path if path.is_file() else files / "404.html")

    page.route("https://someone.github.io/**", serve)
    page.goto("https://someone.github.io/kernels/chapters/old/gone.html")
    assert page.locator("h1").inner_text() == "This page does not exist"
    assert page.locator("h1").evaluate("node => getComputedStyle(node).fontSize") != "32px"  # a browser's own
    page.click("text=Begin at the first page")
    assert page.url == "https://someone.github.io/kernels/intro.html"
