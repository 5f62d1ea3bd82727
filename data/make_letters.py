"""Make letters.csv.bz2 from Debian's r-cran-mlbench.

It needs the package rdata, which nothing else here needs: pip install rdata. Then, in any folder:

    apt-get download r-cran-mlbench
    dpkg-deb -x r-cran-mlbench_*.deb mlbench
    python make_letters.py mlbench/usr/lib/R/site-library/mlbench/data/LetterRecognition.rda

The result does not depend on the day or the machine: bzip2 stores neither a date nor a name. Its decompressed
content is letter-recognition.data of the UCI repository, byte for byte, as the hash proves.
"""

import bz2
import hashlib
import sys
from pathlib import Path

import rdata

UCI_SHA256 = "2b89f3602cf768d3c8355267d2f13f2417809e101fc2b5ceee10db19a60de6e2"

table = rdata.read_rda(sys.argv[1], default_encoding="ascii")["LetterRecognition"]
rows = (f"{letter}," + ",".join(str(int(value)) for value in values) for letter, *values in table.to_numpy())
content = "".join(f"{row}\n" for row in rows).encode("ascii")

found = hashlib.sha256(content).hexdigest()
if found != UCI_SHA256:
    sys.exit(f"expected rows of sha256 {UCI_SHA256} (UCI's file), found {found}; nothing written")

target = Path(__file__).with_name("letters.csv.bz2")
target.write_bytes(bz2.compress(content))
print(f"{target.name}: {len(table):,} rows, {target.stat().st_size:,} bytes")
