"""Buttons that open a page's notebook in the students' edition: Binder, Colab, a hub, a download.

The theme would open the book's own notebooks, whose directives only JupyterLab shows, and only with an
extension. The edition is published as a branch of the repository (`.github/workflows/ci.yml`).
"""

from urllib.parse import quote, urlencode, urlsplit

from kernbook.student import is_for_students, notebook_name

BRANCH = "student"


def lead_to_student_edition(app, pagename, templatename, context, doctree):
    """Change the addresses of a notebook's buttons; what the edition leaves out cannot be launched."""
    if doctree is None or not app.env.doc2path(pagename).endswith(".ipynb"):
        return
    groups, options = context["header_buttons"], app.config.html_theme_options
    if not is_for_students(app.env, app.config, pagename):
        groups[:] = [group for group in groups if group.get("label") != "launch-buttons"]
        return
    notebook = notebook_name(pagename)
    addresses = launch_addresses(options.get("repository_url"), options.get("launch_buttons", {}), notebook)
    for group in groups:
        for button in group.get("buttons", []):
            if button.get("label") == "download-source-button":
                button["url"] = context["pathto"](f"student/{notebook}", 1)
            elif group["label"] == "launch-buttons":
                button["url"] = addresses[button["text"]]


def launch_addresses(url, launchers, notebook):
    """Write the addresses that open a notebook, by the theme's names of the buttons."""
    if not url:
        return {}
    host, repository = urlsplit(url).hostname, urlsplit(url).path.strip("/")
    kinds = {"github.com": f"gh/{repository}", "gitlab.com": f"gl/{quote(repository, safe='')}"}
    place = kinds.get(host, f"git/{quote(url, safe='')}")
    pull = {"repo": url, "branch": BRANCH, "urlpath": f"lab/tree/{repository.rpartition('/')[2]}/{notebook}"}
    return {
        "Binder": f"{launchers.get('binderhub_url')}/v2/{place}/{BRANCH}?urlpath=lab/tree/{notebook}",
        "Colab": f"{launchers.get('colab_url')}/github/{repository}/blob/{BRANCH}/{notebook}",
        "JupyterHub": f"{launchers.get('jupyterhub_url')}/hub/user-redirect/git-pull?{urlencode(pull)}",
    }
