"""The longest files begin first, and nbval ignores the pictures and tables that `make notebooks` strips."""

import pytest
from execute_notebooks import is_text
from joblib import cpu_count
from nbval.plugin import IPyNbFile

# Each file runs in one process. If one of these began last, the other processes would wait for it.
LONGEST = (
    "test_book_building test_book_each_page test_live_explorers test_slides test_pdf test_comparing "
    "test_book_browser test_explorer_numbers test_explorer_script test_explorer_hands test_fourier"
).split()


@pytest.hookimpl(optionalhook=True)  # without xdist there are no workers
def pytest_xdist_auto_num_workers():
    """Start one process more than there are cores: tests wait for two fifths of the time."""
    return cpu_count() + 1


class Uncompared(tuple):
    """The fields that nbval skips by itself, and every mimetype that isn't text."""

    def __contains__(self, field):
        return super().__contains__(field) or ("/" in field and not is_text(field))


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: [*LONGEST, item.path.stem].index(item.path.stem))
    for notebook in {item.parent for item in items if isinstance(item.parent, IPyNbFile)}:
        notebook.skip_compare = Uncompared(notebook.skip_compare)
