"""The search lists first what a student looks for: in three languages, misspelled, as a symbol."""

import pytest

WANTED = {
    "kernel": "01_kernels",
    "noyau": "01_kernels",
    "psd": "01_kernels#what-a-kernel-is",
    "gram": "01_kernels#what-a-kernel-is",
    "feature space": "01_classics#the-rkhs",
    "Mercer": "01_classics#mercer",
    "rbf_kernel": "02_which#three-spectral-laws",
    "gausian": "02_which#three-spectral-laws",
    "γ": "02_which#what-does",
    "boschner": "02_bochner#the-theorem",
    "теорема Бохнера": "02_bochner#the-theorem",
    "representer theorem": "03_duality#only-n-directions",
    "représentant": "03_duality#only-n-directions",
    "ridge": "03_ridge",
    "leave-one-out": "03_leave_one_out#leave-one-out",
    "regularisation": "03_leave_one_out#the-whole-path",  # codespell:ignore regularisation
    "SVD": "04_rank_truncation#the-nearest",
    "low rank": "04_rank_truncation",
    "random Fourier features": "05_fourier",
    "fourrier": "05_fourier",
    "RBFSampler": "05_fourier",
    "orthogonal random features": "05_draws#orthogonal",
    "Nyström": "06_nystrom",
    "nistrom": "06_nystrom",
    "Nystroem": "06_nystrom",
    "Falkon": "06_task#ten-thousand",
    "SVM": "07_lab#two-exact-baselines",
    "kernel PCA": "08_kernel_pca",
    "ACP à noyau": "08_kernel_pca",
    "string kernel": "09_strings",
    "подстрока": "09_use#related-kernels",
    "Dask": "11_beyond#many-machines",
    "my own data": "12_your_data",
}


@pytest.fixture
def search_page(open_page):
    return open_page("search.html")


def test_the_right_section_comes_first(search_page):
    places = {}
    for words, section in WANTED.items():
        found = search_page.evaluate("words => bookSearch.hits(words).slice(0, 3).map(({id}) => id)", words)
        found = [address.removeprefix("chapters/").replace(".html", "") for address in found]
        right = [address.startswith(section) and ("#" in section) == ("#" in address) for address in found]
        places[words] = right.index(True) if any(right) else found
    late = {words: place for words, place in places.items() if place}
    assert {words: place for words, place in late.items() if isinstance(place, list)} == {}
    assert len(late) <= 3, late


def test_the_api_comes_last(search_page):
    search_page.locator(".bd-search-container input").fill("ridge")
    addresses = "links => links.map((link) => link.getAttribute('href').includes('/api/'))"
    in_api = search_page.locator("#search-results li > a").evaluate_all(addresses)
    assert True in in_api and in_api == sorted(in_api)


def test_an_excerpt_keeps_its_formulas(search_page):
    search_page.locator(".bd-search-container input").fill("gradient vanishes")
    assert "w = (ΦᵀΦ + nλI)⁻¹Φᵀy" in search_page.locator("#search-results").inner_text()


def test_an_empty_result_suggests_words(search_page):
    field = search_page.locator(".bd-search-container input")
    field.fill("bochnre")
    search_page.get_by_role("button", name="bochner", exact=True).click()
    assert field.input_value() == "bochner"
    assert search_page.locator("#search-results li").count() > 3
