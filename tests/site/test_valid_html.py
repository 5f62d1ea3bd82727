"""The Nu Html Checker of the W3C finds no error in any page."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from slides.text import FOLDED, fold_formulas

VERSION = "26.9.27"  # of npm's package vnu-jar


@pytest.fixture(scope="session")
def checker(once):
    """Fetch the checker from npm unless KERNLIB_VNU names its file; skip without Java, npm or a network."""
    if shutil.which("java") is None:
        pytest.skip("Java is missing, which the checker of HTML needs: apt-get install default-jre-headless")
    if named := os.environ.get("KERNLIB_VNU"):
        return Path(named)
    if shutil.which("npm") is None:
        pytest.skip("npm, which has the checker of HTML, is missing: install it, or set KERNLIB_VNU")

    def fetch(folder):
        command = ["npm", "pack", f"vnu-jar@{VERSION}", "--silent", "--pack-destination", folder]
        if subprocess.run(command, capture_output=True).returncode == 0:
            shutil.unpack_archive(folder / f"vnu-jar-{VERSION}.tgz", folder, "gztar")

    jar = once("vnu", fetch) / "package" / "build" / "dist" / "vnu.jar"
    if not jar.is_file():
        pytest.skip("npm did not give the checker of HTML: connect to a network, or set KERNLIB_VNU")
    return jar


def test_every_page_is_valid_html_but_for_its_formulas(checker, book, documents, tmp_path):
    pages = []
    for name in (*documents, "index", "search", "404"):
        pages.append(tmp_path / f"{name.replace('/', ' ')}.html")
        formulas = fold_formulas((book / f"{name}.html").read_text(encoding="utf-8"))
        pages[-1].write_text(FOLDED.sub("x", formulas), encoding="utf-8")  # KaTeX writes two thirds of a page
    # it is over before the second compiler would help; the first needs a large stack
    options = "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss4m"
    command = ["java", *options, "-jar", checker, "--errors-only", "--format", "json", "--exit-zero-always"]
    done = subprocess.run([*command, *pages], capture_output=True, text=True, check=True)
    faults = json.loads(done.stderr)["messages"]
    assert not [(fault["url"].rpartition("/")[2], fault["lastLine"], fault["message"]) for fault in faults]
