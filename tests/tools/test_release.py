"""A release has its changes, its version and its data, or is not made."""

import zipfile

import pytest
import release

CHANGES = "# Log\n\n## [Unreleased]\n\n## [0.2.0] - 2027-01-01\n\n### Added\n- Two.\n\n## [0.1.0]\n- One.\n"


def test_the_notes_are_the_section_of_the_version():
    assert release.section_of(CHANGES, "0.2.0") == "### Added\n- Two.\n"
    assert release.section_of(CHANGES, "0.1.0") == "- One.\n"


@pytest.mark.parametrize("name", ["Unreleased", "0.3.0", "0.2"])
def test_a_version_without_changes_is_not_released(name):
    with pytest.raises(SystemExit, match=rf"must have a section \[{name}\] with the changes"):
        release.section_of(CHANGES, name)


def test_the_tag_must_be_the_version(monkeypatch):
    monkeypatch.setattr("sys.argv", ["release.py", "--tag", "v99.0.0"])
    with pytest.raises(SystemExit, match=r"the tag must be v\d+\.\d+\.\d+, .* got v99\.0\.0"):
        release.main()


@pytest.mark.parametrize(("without", "extra"), [("letters.csv.bz2", None), (None, "make_letters.py")])
def test_a_wheel_with_other_files_than_the_data_is_refused(tmp_path, without, extra):
    names = {path.name for path in (release.ROOT / "data").glob("*.bz2")}
    with zipfile.ZipFile(tmp_path / "whole.whl", "w") as archive:
        for name in names:
            archive.writestr(f"kernlib/book/data/{name}", "")
    release.check_data(tmp_path / "whole.whl")
    with zipfile.ZipFile(tmp_path / "other.whl", "w") as archive:
        for name in (names | {extra}) - {without, None}:
            archive.writestr(f"kernlib/book/data/{name}", "")
    with pytest.raises(SystemExit, match="the wheel must hold the data files"):
        release.check_data(tmp_path / "other.whl")
