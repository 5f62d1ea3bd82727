"""The Nu Html Checker of the W3C finds no error in any page."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

VERSION = "26.9.27"  # of npm's package vnu-jar
# KaTeX writes these two, and browsers pass over them.
OF_KATEX = ("CSS: “height”: ", "Attribute “width” not allowed on element “mtd” at this point.")


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


def test_every_page_is_valid_html(checker, book, documents):
    pages = [book / f"{name}.html" for name in (*documents, "index", "search", "404")]
    command = ["java", "-jar", checker, "--errors-only", "--format", "json", "--exit-zero-always", *pages]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    faults = [
        fault for fault in json.loads(done.stderr)["messages"] if not fault["message"].startswith(OF_KATEX)
    ]
    assert not [(fault["url"].rpartition("/")[2], fault["lastLine"], fault["message"]) for fault in faults]
