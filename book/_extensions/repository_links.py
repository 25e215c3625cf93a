"""Sphinx extension: links to Binder, to the source and for reporting an error (every_page.py) come from one value.

That value is the environment variable REPOSITORY, else the git remote `origin`, when it is a public
https address. Without one the links are left out.

On a page, a path marked as `book/…/name.ipynb`{.student-notebook} is followed by its own link to Binder.
"""

import os
import re
import subprocess

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config


def repository_url() -> str | None:
    """Return the public address of the repository, such as https://github.com/owner/name, or None."""
    value = os.environ.get("REPOSITORY")
    if value is None:
        git = subprocess.run(["git", "remote", "get-url", "origin"], capture_output=True, text=True, check=False)
        value = git.stdout
    value = re.sub(r"^(?:ssh://)?git@([^:/]+)[:/]", r"https://\1/", value.strip()).removesuffix(".git").rstrip("/")
    return value if re.fullmatch(r"https://[\w.-]+/[\w./-]+", value) else None


def add_links(app: Sphinx, config: Config) -> None:
    """Give the theme the repository's address and switch its buttons on, or leave them all off."""
    url = repository_url()
    options = config.html_theme_options
    if url is None:
        for option in ("launch_buttons", "repository_url"):  # jupyter-book sets its own repository here
            options.pop(option, None)
        return
    options["repository_url"] = url
    options["repository_branch"] = os.environ.get("REPOSITORY_BRANCH", "main")
    options["path_to_docs"] = ""
    options["use_repository_button"] = options["use_source_button"] = True
    options.setdefault("launch_buttons", {})["binderhub_url"] = "https://mybinder.org"


def link_student_notebooks(app: Sphinx, doctree: nodes.document) -> None:
    """Put a link to Binder after each path of a student notebook, when the repository is known."""
    url, branch = app.config.html_theme_options.get("repository_url"), os.environ.get("REPOSITORY_BRANCH", "main")
    github = re.fullmatch(r"https://github\.com/([^/]+/[^/]+)", url or "")
    if not github:
        return
    for path in list(
        doctree.findall(lambda node: "student-notebook" in getattr(node, "attributes", {}).get("classes", []))
    ):
        target = f"https://mybinder.org/v2/gh/{github[1]}/{branch}?urlpath=lab/tree/{path.astext()}"
        link = nodes.reference("", "open it in Binder", refuri=target)
        path.parent.insert(path.parent.index(path) + 1, [nodes.Text(" ("), link, nodes.Text(")")])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension; it must see the configuration before the theme does."""
    app.connect("config-inited", add_links, priority=100)
    app.connect("doctree-read", link_student_notebooks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
