"""The libraries that kernlib is raced against beside scikit-learn: which import, and why others don't."""

import importlib
import warnings

__all__ = ["available"]

NAMES = {  # module, and what a user would get it by
    "sklearnex": "scikit-learn-intelex",
    "torch": "torch",
    "pykeops.numpy": "pykeops",
    "MKLpy.metrics.pairwise": "MKLpy",
    "sklearn_extra.kernel_methods": "scikit-learn-extra",
    "falkon": "falkon",
    "eigenpro": "eigenpro",
}
ABSENT = {
    "falkon": "not on PyPI; its own index needs a build of torch with CUDA",
    "eigenpro": "not on PyPI; scikit-learn-extra has the method",
    "scikit-learn-extra": "its last release, 0.3.0 of 2023, is built for numpy 1",
}


def available():
    """Import what is there: modules by the name of their package, and why the other packages are missing."""
    modules, missing = {}, {}
    for module, package in NAMES.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                modules[package] = importlib.import_module(module)
        except (ImportError, ValueError) as error:  # a ValueError is a binary built for another numpy
            reason = str(error).splitlines()[0]
            missing[package] = ABSENT.get(package, f"pip install {package}") + f" ({reason})"
    return modules, missing
