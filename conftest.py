"""nbval compares what `make notebooks` keeps: a picture or table that was stripped is no difference."""

from execute_notebooks import is_text
from nbval.plugin import IPyNbFile


class Uncompared(tuple):
    """The fields that nbval skips by itself, and every mimetype that isn't text."""

    def __contains__(self, field):
        return super().__contains__(field) or ("/" in field and not is_text(field))


def pytest_collection_modifyitems(items):
    for notebook in {item.parent for item in items if isinstance(item.parent, IPyNbFile)}:
        notebook.skip_compare = Uncompared(notebook.skip_compare)
