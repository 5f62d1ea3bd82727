"""What a page holds of an explorer, as a test reads it."""

import json
import re


def data_of(html):
    """The description, the packed frames and the pool of the page's explorer."""
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)[1])


def unpack(value, pool):
    """Undo `kernlib.book.explore.explorer.pack`, as the script does."""
    if isinstance(value, dict):
        if "#" in value:
            stored = pool[value["#"]]
            return stored if isinstance(stored, str) else list(stored)
        return {key: unpack(part, pool) for key, part in value.items()}
    return [unpack(part, pool) for part in value] if isinstance(value, list) else value


def place_of(explorer, panel, values):
    """Give the place of a panel's frame at these values among those that its page holds."""
    place = 0
    for control in explorer.depends(panel):
        place = place * len(control.stops) + control.stops.index(values[control.name])
    return place
