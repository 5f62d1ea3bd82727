"""Choose the slides of a chapter from its pages, by rule: nothing is marked in a chapter."""

from copy import copy

from bs4 import BeautifulSoup

from slides.parts import FIRST, MAIN, RECAP, Parts, Slide
from slides.text import fold_formulas, length, new_tag, visible_text

MOST = 30  # slides of a deck
TOGETHER = 600  # characters of recaps on one slide
LEFT_OUT = ("Quiz", "Exercises", "Solutions")
NOT_SHOWN = ".headerlink, .open-proofs, .claims, .toctree-wrapper, aside.margin, .tag_stub, .claim"
ABOUT_PAGE = ("You will", "You need", "Time")


def choose_slides(pages):
    """Give the slides of a chapter, those of the lowest rank of each page, from its pages' HTML by name."""
    slides, recaps = [], []
    for name, text in pages.items():
        main, recap = slides_of_page(name, text, later=bool(slides))
        slides += main
        recaps += recap
    recaps = join_recaps(recaps)
    recaps[-1].rank = FIRST  # a deck ends in a recap
    slides += recaps
    places = {}  # of each slide among its page's, so that no page goes without
    for page in pages:
        own = sorted(
            (i for i, slide in enumerate(slides) if slide.page == page), key=lambda i: slides[i].rank
        )
        places |= {i: place for place, i in enumerate(own)}
    kept = sorted(places, key=lambda i: (places[i], slides[i].rank))[:MOST]
    return [slides[i] for i in sorted(kept)]


def join_recaps(recaps):
    """Put the recaps of successive pages on one slide while they fit; what is not in a list is said."""
    joined = []
    for slide in recaps:
        lists = [node for node in slide.body if node.name == "ul"]
        if lists:
            slide.notes = [node for node in slide.body if node.name != "ul"] + slide.notes
            slide.body = lists
        last = joined[-1] if joined else None
        if last and length(*last.body, *slide.body) <= TOGETHER:
            last.body += slide.body
            last.notes += slide.notes
        else:
            joined.append(slide)
    return joined


def slides_of_page(name, text, later):
    """Give the slides of a page and, apart, of its recap; a later page's title comes with its problem."""
    article = text[text.index('<article class="bd-article">') : text.index("</article>")]
    soup = BeautifulSoup(fold_formulas(article), "html.parser")
    asked = [node for node in soup.find_all("p") if visible_text(node).startswith("Your comment:")]
    for node in (*soup.select(NOT_SHOWN), *asked):
        node.decompose()
    root = soup.select_one("article > section")
    main, recap = open_page(root, later), []
    for section in root.find_all("section", recursive=False):
        title = visible_text(section.find("h2"))
        if "Recap" in title:
            recap += slides_of_section(section)
        elif not any(word in title for word in LEFT_OUT):
            main += slides_of_section(section)
    for slide in recap:
        slide.rank, slide.kind = RECAP, "recap"
    for slide in main + recap:
        slide.page, slide.anchor = name, slide.anchor or root["id"]
    return main, recap


def open_page(root, later):
    """Give the slides of what is above the first section: aims, problem, questions to commit to."""
    tips = [node for node in root.select(".tip.admonition") if "Commit to an answer" in visible_text(node.p)]
    about = [node for node in root.find_all("p") if visible_text(node).startswith(ABOUT_PAGE)]
    for node in (*tips, *about):
        node.extract()
    blocks = [node for node in root.find_all(True, recursive=False) if node.name not in ("section", "h1")]
    problem = Parts(heading_of(root), opening=True).read(new_tag("div", blocks))
    for slide in problem:
        if slide.kind in ("text", "explorer", "figure"):
            slide.rank = MAIN if slide.kind == "figure" else FIRST
    title = Slide(heading_of(root), about[:1], kind="title", notes=about[1:])
    if later and problem and problem[0].kind == "text":
        first = problem.pop(0)
        title.body, title.notes = first.body, [*first.notes, *about]
    questions = [slide for tip in tips for slide in predictions(tip)]
    for slide in questions:
        slide.kind = "prediction"
    for slide, answer in zip(questions, find_answers(root), strict=False):  # a fork may have fewer
        slide.notes += answer
    return [title, *problem, *questions]


def find_answers(root):
    """Give copies of the paragraphs that answer a page's questions, each with the table that it leads to."""
    answers = []
    for node in root.find_all("p"):
        if (text := visible_text(node)).startswith("The answer"):
            table = [node.find_next_sibling()] if text.endswith(":") else []
            answers.append([copy(part) for part in (node, *table)])
    return answers


def slides_of_section(section):
    """Give the slides of a section and of those below it."""
    slides = Parts(heading_of(section)).read(section)
    for slide in slides:
        slide.anchor = section["id"]
    below = section.find_all("section", recursive=False)
    return slides + [slide for part in below for slide in slides_of_section(part)]


def heading_of(section):
    """Give the inner HTML of a section's heading."""
    return section.find(["h1", "h2", "h3"], recursive=False).decode_contents().strip()


def predictions(tip):
    """Make a slide for each question of a box."""
    title, *blocks = tip.find_all(True, recursive=False)
    heading, questions = visible_text(title), tip.find("ol", recursive=False)
    if questions is None:
        return [Slide(heading, blocks)]
    at = next(i for i, block in enumerate(blocks) if block is questions)
    before, after = blocks[:at], blocks[at + 1 :]
    bodies = (item.find_all(True, recursive=False) for item in questions.find_all("li", recursive=False))
    return [Slide(heading, [*map(copy, before), *body], FIRST, list(map(copy, after))) for body in bodies]
