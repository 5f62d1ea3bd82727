"""Make the typeface of pages and figures from Source Sans 3: once, by hand, when its characters change.

    npm pack source-sans && tar xzf source-sans-*.tgz
    python tools/subset_fonts.py package/TTF

It needs fonttools and brotli. The license (OFL) reserves the name "Source" for the whole fonts, so these are
called Page Sans.
"""

import sys
from pathlib import Path

from fontTools import subset

ROOT = Path(__file__).resolve().parents[1]
FOR_PAGES, FOR_FIGURES = ROOT / "_assets" / "fonts", ROOT / "kernlib" / "book" / "figures"
FILES = {  # figures have one face, and matplotlib reads no compressed fonts
    "SourceSans3-Regular": [FOR_PAGES / "page-sans-regular.woff2", FOR_FIGURES / "page-sans-regular.ttf"],
    "SourceSans3-Semibold": [FOR_PAGES / "page-sans-semibold.woff2"],
    "SourceSans3-It": [FOR_PAGES / "page-sans-italic.woff2"],
}
NAME = "Page Sans"
# Latin, Greek, and what formulas in plain text need: arrows, raised and lowered characters, signs
CHARACTERS = (
    "U+20-7E,U+A0-FF,U+11C,U+142,U+2B3,U+302-304,U+308,U+391-3A1,U+3A3-3A9,U+3B1-3C9,U+1D40,U+1D43,U+1D4F,"
    "U+1D56,U+1D57,U+1D5B,U+1D9C,U+1E21,U+2010-2016,U+2018-201E,U+2022,U+2026,U+2032-2033,U+2070-2071,"
    "U+2074-208E,U+20AC,U+2113,U+2122,U+2153-2154,U+2190-2194,U+21D2,U+2202,U+2211,U+2212,U+221A,U+221E,"
    "U+222B,U+2248,U+2260,U+2264-2265,U+25B6,U+25CB,U+25CF,U+2713,U+27E8-27E9"
)
FEATURES = "kern liga mark mkmk ccmp tnum lnum".split()


def main(folder):
    """Write the small files of each face."""
    for source, targets in FILES.items():
        for target in targets:
            flavor = "woff2" if target.suffix == ".woff2" else None
            options = subset.Options(flavor=flavor, hinting=False, layout_features=FEATURES)
            font = subset.load_font(f"{folder}/{source}.ttf", options)
            subsetter = subset.Subsetter(options)
            subsetter.populate(unicodes=subset.parse_unicodes(CHARACTERS))
            subsetter.subset(font)
            face = target.stem.removeprefix("page-sans-")
            for number, text in {1: NAME, 4: f"{NAME} {face}", 6: f"{NAME}-{face}".replace(" ", "")}.items():
                font["name"].setName(text, number, 3, 1, 0x409)
            font["name"].removeNames(nameID=16)
            subset.save_font(font, target, options)


if __name__ == "__main__":
    main(sys.argv[1])
