"""The search lists first what a student looks for: in three languages, misspelled, as a symbol."""

import pytest

WANTED = {
    "kernel": "01_kernels",
    "noyau": "01_kernels",
    "ядро": "01_kernels",
    "kernel trick": "01_kernels#the-kernel-trick",
    "positive definite": "01_kernels#what-a-kernel-is",
    "psd": "01_kernels#what-a-kernel-is",
    "Gram matrix": "01_kernels#what-a-kernel-is",
    "gram": "01_kernels#what-a-kernel-is",
    "RKHS": "01_classics#the-rkhs",
    "feature space": "01_classics#the-rkhs",
    "Aronszajn": "01_kernels#aronszajn",
    "Mercer": "01_classics#mercer",
    "polynomial kernel": "01_rules#linear-and-polynomial",
    "RBF": "02_which#three-spectral-laws",
    "rbf_kernel": "02_which#three-spectral-laws",
    "Gaussian": "02_which#three-spectral-laws",
    "Gauß": "01_rules#the-gaussian",
    "gausian": "02_which#three-spectral-laws",
    "bandwidth": "02_which#what-does",
    "γ": "02_which#what-does",
    "Bochner": "02_bochner#the-theorem",
    "boschner": "02_bochner#the-theorem",
    "теорема Бохнера": "02_bochner#the-theorem",
    "densité spectrale": "02_which#three-spectral-laws",
    "representer theorem": "03_duality#only-n-directions",
    "représentant": "03_duality#only-n-directions",
    "duality": "03_dual#the-dual-step",
    "logistic regression": "03_coefficients#the-logistic-loss",
    "ridge": "03_ridge",
    "kernel ridge regression": "03_ridge",
    "leave one out": "03_leave_one_out#leave-one-out",
    "leave-one-out": "03_leave_one_out#leave-one-out",
    "overfitting": "03_leave_one_out#leave-one-out",
    "regularisation": "03_leave_one_out#the-whole-path",  # codespell:ignore regularisation
    "conjugate gradient": "03_ridge#when-g-no-longer-fits",
    "SVD": "04_rank_truncation#the-nearest",
    "Eckart-Young": "04_rank_truncation#the-nearest",
    "low rank": "04_rank_truncation",
    "effective dimension": "04_at_work#what-truncation",
    "random Fourier features": "05_fourier",
    "random features": "05_fourier",
    "RFF": "05_fourier",
    "fourrier": "05_fourier",
    "RBFSampler": "05_fourier",
    "Hoeffding": "05_bounds#how-often",
    "orthogonal random features": "05_draws#orthogonal",
    "double descent": "05_models",
    "Nyström": "06_nystrom",
    "nystrom": "06_nystrom",
    "nistrom": "06_nystrom",
    "Nystroem": "06_nystrom",
    "landmarks": "06_landmarks#six-ways",
    "leverage scores": "06_landmarks#six-ways",
    "Moore-Penrose": "06_nystrom#the-rest-of-a-matrix",
    "Falkon": "06_task#thousands-of-landmarks",
    "eigenvalue decay": "06_bounds#nystrom-against-random",
    "ijcnn1": "07_lab#the-data",
    "SVM": "07_lab#two-exact-baselines",
    "balanced accuracy": "07_lab#two-exact-baselines",
    "kernel PCA": "08_kernel_pca",
    "ACP à noyau": "08_kernel_pca",
    "denoising": "08_components#back-to-the-input-space",
    "Davis-Kahan": "08_large",
    "string kernel": "09_strings",
    "subsequence": "09_strings",
    "normalized string kernel": "09_long",
    "substring kernel": "09_use#related-kernels",
    "подстрока": "09_use#related-kernels",
    "HOG": "10_objects#pictures-as-histograms",
    "Dask": "11_beyond#many-machines",
    "missing values": "12_your_data#the-table",
    "my own data": "12_your_data",
    "successive halving": "12_decides",
}


@pytest.fixture
def search_page(open_page):
    page = open_page("search.html")
    page.evaluate("bookSearch.ready")
    return page


def test_the_right_section_comes_first(search_page):
    places = {}
    for words, section in WANTED.items():
        found = search_page.evaluate("words => bookSearch.hits(words).slice(0, 3).map(({id}) => id)", words)
        found = [address.removeprefix("chapters/").replace(".html", "") for address in found]
        right = [address.startswith(section) and ("#" in section) == ("#" in address) for address in found]
        places[words] = right.index(True) if any(right) else found
    late = {words: place for words, place in places.items() if place != 0}
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
