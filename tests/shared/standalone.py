"""An explorer as one HTML element that needs no other file."""

import base64

from kernlib.book.explore.page import element, parts_of
from kernlib.book.explore.script import join_explorer_script


def page_html(explorer):
    """Write an explorer with its picture and its own script."""
    parts = parts_of(explorer)
    encoded = base64.b64encode(parts["picture"].encode()).decode()
    html = element(parts, f"data:image/svg+xml;base64,{encoded}", parts["data"])
    script = explorer.script and f"<script>{join_explorer_script(explorer.script)}</script>\n"
    return script + html
