"""One look for three: the script, the stylesheet and the plain figure; and one kind of panel for two."""

import gzip
import re

import matplotlib.pyplot as plt
from colors import contrast
from matplotlib import font_manager

from kernlib.book.explore import Panel
from kernlib.book.explore.look import LOOK, line_of
from kernlib.book.explore.script import ASSETS, PARTS, join_script, stylesheet
from kernlib.book.figures import use_book_style

SCRIPT, STYLESHEET = join_script(), stylesheet()
DARK_PAGE = "#222832"  # the lightest ground of the theme's dark pages


def test_each_kind_of_panel_has_a_function_in_the_script_and_each_function_a_kind():
    (table,) = re.findall(r"const DRAW = \{(.*?)\};", SCRIPT, re.DOTALL)
    assert sorted(table.replace(" ", "").split(",")) == sorted(kind.kind for kind in Panel.__subclasses__())


def test_the_script_and_the_stylesheet_hold_no_color_dash_or_size_of_a_series():
    colors = [color for series in LOOK["series"] for color in series.values()]
    colors += [LOOK["guess"][theme] for theme in ("light", "dark")]
    patterns = [dashes for line in LOOK["lines"].values() for dashes in line["dashes"]]
    dashes = [" ".join(map(str, pattern)) for pattern in [*patterns, LOOK["guess"]["dashes"]]]
    rules = re.findall(r"stroke-dasharray: .*|stroke-width: .*", STYLESHEET)
    assert [text for text in colors if text in SCRIPT + STYLESHEET] == []
    assert [text for text in dashes if text and f'"{text}"' in SCRIPT] == []
    assert rules == []


def test_colors_stand_out_from_the_page_and_are_the_books_own_on_paper():
    for series in LOOK["series"]:
        assert contrast(series["light"], "#ffffff") >= 3
        assert contrast(series["dark"], DARK_PAGE) >= 3
    assert contrast(LOOK["guess"]["light"], "#ffffff") >= 4.5  # it colors words, too
    assert contrast(LOOK["guess"]["dark"], DARK_PAGE) >= 4.5
    with plt.rc_context():
        use_book_style()
        assert [series["paper"] for series in LOOK["series"]] == plt.rcParams["axes.prop_cycle"].by_key()[
            "color"
        ]


def test_figures_have_the_typeface_of_the_pages():
    with plt.rc_context():
        use_book_style()
        assert font_manager.get_font(font_manager.findfont("Page Sans")).family_name == "Page Sans"
        assert plt.rcParams["font.family"][0] == "Page Sans"


def test_lines_of_one_style_differ_by_dashes_and_several_references_by_color_too():
    plot = [{"mark": "line", "style": style} for style in ("reference", "dotted", "reference", "", "dotted")]
    looks = [line_of(plot, i) for i in range(len(plot))]
    assert len({tuple(look["dashes"]) for look in looks}) == len(plot)
    assert not any(look["gray"] for look in looks) and line_of(plot[:2], 0)["gray"]


def test_the_script_has_every_file_of_the_folder_and_each_fits_on_four_screens():
    files = {path.stem: path.read_text(encoding="utf-8") for path in ASSETS.iterdir() if path.suffix == ".js"}
    assert sorted(PARTS) == sorted(files)
    assert [name for name, text in files.items() if text.count("\n") > 250] == []


def test_the_renderer_is_light_and_depends_on_nothing(limit):
    assert [len(gzip.compress(SCRIPT.encode()))] <= limit("explore.js, compressed")
    assert not re.search(r"\b(import|require|fetch|XMLHttpRequest|eval)\b\s*\(?['\"(]", SCRIPT)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", SCRIPT)
