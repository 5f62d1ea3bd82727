"""Make splice.csv.bz2 and surnames.csv.bz2 from Debian's r-cran-mlbench and PyPI's faker.

It needs the packages rdata and faker, which nothing else here needs: pip install rdata faker==40.54.0. Then,
in any folder:

    apt-get download r-cran-mlbench
    dpkg-deb -x r-cran-mlbench_*.deb mlbench
    python make_sequences.py mlbench/usr/lib/R/site-library/mlbench/data/DNA.rda

The results do not depend on the day or the machine: bzip2 stores neither a date nor a name.
"""

import bz2
import hashlib
import sys
import unicodedata
from collections import Counter
from importlib import import_module, metadata
from pathlib import Path

import rdata

SHA256 = {
    "splice.csv": "9412c4578e002de47a2a41f4ef5183e070f328ace5ed0f756ab81a17af127a52",
    "surnames.csv": "0daf7a0949e239825fcd73a9bd7acd764224db2c4906af19249acf7da0aaac1b",
}
FAKER = "40.54.0"

CLASSES = {"ei": "donor", "ie": "acceptor", "n": "neither"}
NUCLEOTIDES = {(1, 0, 0): "A", (0, 1, 0): "C", (0, 0, 1): "G", (0, 0, 0): "T"}

LANGUAGES = {
    "English": ("en_GB", "last_names"),
    "Finnish": ("fi_FI", "last_names"),
    "French": ("fr_FR", "last_names"),
    "German": ("de_DE", "last_names"),
    "Italian": ("it_IT", "last_names"),
    "Polish": ("pl_PL", "unisex_last_names"),
    "Spanish": ("es_ES", "last_names"),
}
LETTERS = str.maketrans({"ł": "l", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o"})
MOST_NAMES = 400  # of a language


def splice_rows(path):
    """Yield a line for each sequence, in the table's order: the class, then 60 letters."""
    table = rdata.read_rda(path, default_encoding="ascii")["DNA"].to_numpy()
    for *indicators, label in table:
        bits = [int(indicator) for indicator in indicators]
        codes = zip(bits[::3], bits[1::3], bits[2::3], strict=True)
        yield f"{CLASSES[label]},{''.join(NUCLEOTIDES[code] for code in codes)}"


def remove_accents(name):
    """Write a name in the letters a to z, so that no accent gives its language away."""
    decomposed = unicodedata.normalize("NFKD", name.lower().translate(LETTERS))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def surname_rows():
    """Yield a line for each name: the language, then the name; leave out names that two languages share."""
    names = {}
    for language, (locale, attribute) in LANGUAGES.items():
        provider = import_module(f"faker.providers.person.{locale}").Provider
        folded = {remove_accents(name) for name in getattr(provider, attribute)}
        names[language] = sorted(name for name in folded if name.isascii() and name.isalpha())
    languages = Counter(name for same_language in names.values() for name in same_language)
    for language, same_language in names.items():
        own = [name for name in same_language if languages[name] == 1]
        kept = min(MOST_NAMES, len(own))
        yield from (f"{language},{own[i * len(own) // kept]}" for i in range(kept))


if metadata.version("faker") != FAKER:
    sys.exit(f"expected faker {FAKER}, found {metadata.version('faker')}; nothing written")

contents = {
    "splice.csv": "".join(f"{row}\n" for row in splice_rows(sys.argv[1])).encode("ascii"),
    "surnames.csv": "".join(f"{row}\n" for row in surname_rows()).encode("ascii"),
}
for name, content in contents.items():
    found = hashlib.sha256(content).hexdigest()
    if found != SHA256[name]:
        sys.exit(f"expected rows of sha256 {SHA256[name]} in {name}, found {found}; nothing written")
for name, content in contents.items():
    target = Path(__file__).with_name(f"{name}.bz2")
    target.write_bytes(bz2.compress(content))
    print(f"{target.name}: {len(content.splitlines()):,} rows, {target.stat().st_size:,} bytes")
