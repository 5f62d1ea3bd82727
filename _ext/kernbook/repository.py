"""The repository's address, from one place, for the theme's buttons and for the students' edition.

A fork's Binder button must open the fork, so _config.yml contains no address: it is KERNLIB_REPOSITORY, or
the git remote `origin`. With neither, or on a host that the theme has no buttons for, there is no button. The
branch is KERNLIB_BRANCH, or the one checked out, or main. A hub with nbgitpuller is KERNLIB_JUPYTERHUB.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

HOSTS = ("github", "gitlab")  # for which the theme can write edit, issue and Binder links
# git@host:owner/name, as scp writes it; a colon before any slash, and no Windows drive
SCP_FORM = re.compile(r"(?:[^@/:]+@)?(?P<host>[^@/:]{2,}):(?!//)(?P<path>.+)")


def add_buttons(app, config):
    """Turn the buttons on where there is an address, before the theme reads its options."""
    config.html_theme_options.update(theme_options(Path(app.confdir)))


def theme_options(root, environ=os.environ):
    """Choose the theme's options that depend on the repository: no buttons without an address."""
    url = web_address(environ.get("KERNLIB_REPOSITORY") or git(root, "remote", "get-url", "origin"))
    if url is None:
        return {"repository_url": "", "launch_buttons": {}}
    launchers = {"notebook_interface": "jupyterlab", "binderhub_url": "https://mybinder.org"}
    if urlsplit(url).hostname == "github.com":
        launchers["colab_url"] = "https://colab.research.google.com"
    if hub := environ.get("KERNLIB_JUPYTERHUB"):
        launchers["jupyterhub_url"] = hub.rstrip("/")
    return {
        "repository_url": url,
        "repository_branch": environ.get("KERNLIB_BRANCH") or git(root, "branch", "--show-current") or "main",
        "launch_buttons": launchers,
        "use_repository_button": True,
        "use_edit_page_button": True,
        "use_issues_button": True,
    }


def web_address(remote):
    """Rewrite a git remote as ``https://host/owner/name``; None for a path or a host without buttons."""
    if scp := SCP_FORM.fullmatch(remote):
        host, path = scp["host"], scp["path"]
    else:
        parts = urlsplit(remote)
        host, path = parts.hostname or "", parts.path
    path = path.strip("/").removesuffix(".git")
    if "/" not in path or not any(name in host for name in HOSTS):
        return None
    return f"https://{host}/{path}"


def issues_address(url):
    """Give the page where readers report a fault, from the repository's page; None without one."""
    if not url:
        return None
    return f"{url}/issues" if "github" in urlsplit(url).hostname else f"{url}/-/issues"


def site_address(repository):
    """Give the address of the published book: KERNLIB_SITE, or its pages on GitHub or GitLab, or ""."""
    parts = urlsplit(repository)
    owner, _, name = parts.path.strip("/").partition("/")  # on GitLab, a name may contain groups
    domain = {"github.com": "github.io", "gitlab.com": "gitlab.io"}.get(parts.hostname)
    host = f"{owner}.{domain}"
    pages = f"https://{host}/" + (f"{name}/" if name != host else "") if domain else ""
    return os.environ.get("KERNLIB_SITE") or pages


def source_address(url, branch):
    """Write pip's requirement for the package in the repository; empty without a repository."""
    if not url:
        return ""
    name = url.rpartition("/")[2]
    github = f"{url}/archive/refs/heads/{branch}.zip"
    gitlab = f"{url}/-/archive/{branch}/{name}-{branch}.zip"
    return f"kernlib[colab] @ {github if 'github' in urlsplit(url).hostname else gitlab}"


def git(root, *arguments):
    """Ask git about the checkout at `root`; an empty answer where there is no checkout or no git."""
    if not (program := shutil.which("git")):
        return ""
    # The ceiling keeps git from answering for a repository that merely contains an unpacked copy of the book.
    ceiling = {"GIT_CEILING_DIRECTORIES": str(root.resolve().parent)}
    answer = subprocess.run(
        [program, "-C", root, *arguments], capture_output=True, text=True, env=os.environ | ceiling
    )
    return answer.stdout.strip() if answer.returncode == 0 else ""
