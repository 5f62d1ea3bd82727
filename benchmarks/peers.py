"""The libraries that kernlib is raced against besides scikit-learn, and why some are not raced."""

from importlib.util import find_spec

NAMES = {  # module, and the package that a user installs
    "sklearnex": "scikit-learn-intelex",
    "torch": "torch",
    "pykeops": "pykeops",
    "MKLpy": "MKLpy",
    "sklearn_extra": "scikit-learn-extra",
    "falkon": "falkon",
    "eigenpro": "eigenpro",
}
ABSENT = {
    "falkon": "not on PyPI; its own index needs a build of torch with CUDA",
    "eigenpro": "not on PyPI; scikit-learn-extra has the method",
    "scikit-learn-extra": "its last release, 0.3.0 of 2023, is built for numpy 1",
}


def find_missing():
    """Return the packages that are not installed, and why, or how to install them."""
    absent = [package for module, package in NAMES.items() if find_spec(module) is None]
    return {package: ABSENT.get(package, f"pip install {package}") for package in absent}
