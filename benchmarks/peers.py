"""The libraries that kernlib is raced against beside scikit-learn, and why others aren't."""

from importlib.util import find_spec

__all__ = ["ABSENT", "NAMES", "missing"]

NAMES = {  # module, and what a user would get it by
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


def missing():
    """Name the packages that are not installed, and say why, or how to get them."""
    absent = [package for module, package in NAMES.items() if find_spec(module) is None]
    return {package: ABSENT.get(package, f"pip install {package}") for package in absent}
