"""Launch, edit and issue buttons lead to this repository, or are not there."""

import subprocess

import pytest
from kernbook.repository import git, theme_options, web_address
from small_books import ADDRESS


@pytest.fixture
def checkout(tmp_path):
    """Make a git repository without a remote."""
    subprocess.run(["git", "init", "--quiet", "--initial-branch=trunk", tmp_path], check=True)
    return tmp_path


@pytest.mark.parametrize(
    "remote",
    [
        *(ADDRESS, f"{ADDRESS}.git", "https://user:token@github.com/someone/kernels.git"),
        *("git@github.com:someone/kernels.git", "ssh://git@github.com:22/someone/kernels.git"),
    ],
)
def test_every_form_of_a_remote_gives_one_address(remote):
    assert web_address(remote) == ADDRESS


PATHS = ("", "/srv/git/kernels.git", "../kernels", "file:///srv/github/kernels", "C:/github/kernels")


@pytest.mark.parametrize("remote", [*PATHS, "https://example.org/a/b"])
def test_a_remote_without_a_page_gives_none(remote):
    assert web_address(remote) is None


def test_the_environment_comes_before_the_remote(checkout):
    git(checkout, "remote", "add", "origin", "git@github.com:other/name.git")
    assert theme_options(checkout, {"KERNLIB_REPOSITORY": ADDRESS})["repository_url"] == ADDRESS
    assert theme_options(checkout, {})["repository_url"] == "https://github.com/other/name"
    # CI sets unset variables to nothing.
    assert (
        theme_options(checkout, {"KERNLIB_REPOSITORY": ""})["repository_url"]
        == "https://github.com/other/name"
    )


def test_the_branch_is_the_one_checked_out_unless_the_environment_names_one(checkout):
    git(checkout, "remote", "add", "origin", ADDRESS)
    assert theme_options(checkout, {})["repository_branch"] == "trunk"
    assert theme_options(checkout, {"KERNLIB_BRANCH": "main"})["repository_branch"] == "main"


def test_without_an_address_no_button_is_on(checkout):
    assert theme_options(checkout, {}) == {"repository_url": "", "launch_buttons": {}}


def test_a_copy_inside_another_repository_does_not_take_its_address(checkout):
    git(checkout, "remote", "add", "origin", ADDRESS)
    (checkout / "unpacked").mkdir()
    assert theme_options(checkout / "unpacked", {})["repository_url"] == ""


def test_colab_opens_from_github_only(checkout):
    def launchers(url):
        return theme_options(checkout, {"KERNLIB_REPOSITORY": url})["launch_buttons"]

    assert "colab_url" in launchers(ADDRESS)
    assert "colab_url" not in launchers("https://gitlab.com/someone/kernels")


def links(page):
    return [link["href"] for link in page.select("a[href]")]


def test_buttons_of_a_page_lead_to_the_repository_and_open_the_students_edition(small_page):
    found = links(small_page("chapters/one"))
    assert "https://mybinder.org/v2/gh/someone/kernels/student?urlpath=lab/tree/one.ipynb" in found
    assert "https://colab.research.google.com/github/someone/kernels/blob/student/one.ipynb" in found
    assert f"{ADDRESS}/edit/main/chapters/one.ipynb" in found and "../student/one.ipynb" in found
    assert any(link.startswith(f"{ADDRESS}/issues/new") for link in found)


def test_a_page_built_without_an_address_has_no_button(history):
    found = links(history["mended"].page("chapters/works"))
    outside = [link for link in found if link.startswith("http")]
    assert outside == ["https://creativecommons.org/licenses/by/4.0/"] and "../student/works.ipynb" in found
