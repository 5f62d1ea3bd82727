"""What a reader's hand does with an element of a page."""

import re


def middle(element):
    box = element.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, element, dx, dy):
    """Drag an element by the mouse; give the box in which it was."""
    element.scroll_into_view_if_needed()
    box, (x, y) = element.bounding_box(), middle(element)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=5)
    page.mouse.up()
    return box


def open_folds(page):
    """Open the folds that hold an explorer."""
    folds = page.locator("details:has(kernlib-explorer)")
    folds.evaluate_all("folds => folds.forEach((fold) => { fold.open = true; })")


def skip_questions(part):
    """Skip the questions of all explorers in a page or in a part of it."""
    skip = part.locator(".question button:visible", has_text=re.compile("^Skip$"))
    while skip.count():
        # a mouse would take seconds
        skip.evaluate_all("buttons => buttons.forEach((button) => button.click())")
