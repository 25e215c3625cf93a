"""Links to Binder, to the source and for reporting an error are on every chapter, or nowhere without a repository.

Two small books show it, with one page of each kind: the links come from templates and from the name of the page.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup
from chapters import ROOT

REPOSITORY = "https://github.com/example/reliable-leaderboards"
SITE = "https://example.github.io/reliable-leaderboards/"
CHAPTERS = ["book/competitions", "book/boosting_attack"]
BESIDE = ["book/running", "book/notation", "book/bibliography"]
PAGES = ["book/index", *CHAPTERS, *(name.replace("book/", "book/exercises/pages/") for name in CHAPTERS), *BESIDE]


sys.path.append(str(ROOT / "book" / "_extensions"))  # one extension uses another


def load_extension(name="repository_links"):
    """Return an extension of the book as a module."""
    path = ROOT / "book" / "_extensions" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("value", "url"),
    [
        (REPOSITORY, REPOSITORY),
        (f"{REPOSITORY}.git", REPOSITORY),
        (f"{REPOSITORY}/\n", REPOSITORY),
        ("git@github.com:example/reliable-leaderboards.git", REPOSITORY),
        ("ssh://git@github.com/example/reliable-leaderboards.git", REPOSITORY),
        ("../origin.git", None),
        ("/srv/git/origin.git", None),
        ("file:///srv/git/origin.git", None),
        ("https://user:secret@github.com/example/reliable-leaderboards", None),
        ("", None),
    ],
)
def test_repository_url(monkeypatch, tmp_path, value, url):
    """The same address from the variable and from the remote; an address that is not public gives none."""
    extension = load_extension()
    monkeypatch.setenv("REPOSITORY", value)
    assert extension.repository_url() == url
    monkeypatch.delenv("REPOSITORY")
    monkeypatch.chdir(tmp_path)
    subprocess.run(["git", "init", "--quiet"], check=True)
    if value.strip():
        subprocess.run(["git", "remote", "add", "origin", value.strip()], check=True)
    assert extension.repository_url() == url


def start_build(folder, environment):
    """Copy the book and start a build of a few pages without executing anything; return the process."""
    unwanted = shutil.ignore_patterns(".git", ".venv", "_build", "__pycache__", "tests", "*_cache")
    shutil.copytree(ROOT, folder, ignore=unwanted)
    config = yaml.safe_load((folder / "_config.yml").read_text())
    config["execute"]["execute_notebooks"] = "off"
    (folder / "_config.yml").write_text(yaml.safe_dump(config))
    contents = yaml.safe_load((folder / "_toc.yml").read_text())
    for part in contents["parts"]:
        part["chapters"] = [chapter for chapter in part["chapters"] if chapter["file"] in PAGES]
    contents["parts"] = [part for part in contents["parts"] if part["chapters"]]
    (folder / "_toc.yml").write_text(yaml.safe_dump(contents))
    command = [Path(sys.executable).with_name("jupyter-book"), "build", folder]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.fixture(scope="module")
def builds(tmp_path_factory):
    """Return the pages built with a public repository and those built without."""
    without = {name: value for name, value in os.environ.items() if not name.startswith(("REPOSITORY", "SITE"))}
    environments = {"with": without | {"REPOSITORY": REPOSITORY}, "without": without}
    folder = tmp_path_factory.mktemp("builds")
    running = {name: start_build(folder / name, environment) for name, environment in environments.items()}
    for process in running.values():
        output, _ = process.communicate(timeout=600)
        assert process.returncode == 0, output[-3000:]
    return {name: folder / name / "_build" / "html" for name in running}


def links(page):
    """Return where the links of a page lead."""
    return [tag["href"] for tag in BeautifulSoup(page.read_text(), "html.parser").select("a[href]")]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_links_with_a_repository(builds, chapter):
    """Binder opens this very notebook in JupyterLab; the source and the form for errors are one click away."""
    found = links(builds["with"] / f"{chapter}.html")
    repository = re.escape(REPOSITORY)
    assert (ROOT / f"{chapter}.ipynb").is_file()
    assert [
        link
        for link in found
        if link == f"https://mybinder.org/v2/gh/example/reliable-leaderboards/main?urlpath=lab/tree/{chapter}.ipynb"
    ]
    assert [link for link in found if re.fullmatch(rf"{repository}/blob/main/{chapter}\.ipynb(\?plain=1)?", link)]
    assert [link for link in found if re.match(rf"{repository}/issues/new", link)]


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("build", ["with", "without"])
def test_the_lab_beside_the_pages(builds, chapter, build):
    """JupyterLite is one of the launch buttons, with Binder or alone, by a link that needs no repository."""
    page = BeautifulSoup((builds[build] / f"{chapter}.html").read_text(), "html.parser")
    (group,) = page.select(".dropdown-launch-buttons")
    found = [urlsplit(tag["href"]) for tag in group.select("a")]
    assert [link.netloc for link in found] == (["mybinder.org", ""] if build == "with" else [""])
    assert (found[-1].path, found[-1].query) == ("../lite/lab/index.html", f"path={chapter}.ipynb")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_links_without_a_repository(builds, chapter):
    """A button that leads nowhere is worse than none."""
    found = links(builds["without"] / f"{chapter}.html")
    assert found
    assert [link for link in found if "mybinder.org" in link or "issues/new" in link or "/blob/" in link] == []


def test_student_notebook_has_its_own_link(builds):
    """On the page of an exercise set, after the path of the student notebook, and only with a repository."""
    path = "book/exercises/student/boosting_attack/boosting_attack.ipynb"
    page = "book/exercises/pages/boosting_attack.html"
    opens = f"https://mybinder.org/v2/gh/example/reliable-leaderboards/main?urlpath=lab/tree/{path}"
    assert (ROOT / path).is_file()
    assert opens in links(builds["with"] / page)
    assert not [link for link in links(builds["without"] / page) if "mybinder.org" in link]


@pytest.mark.parametrize(
    ("site", "repository", "url"),
    [
        ("", REPOSITORY, SITE),
        ("", "https://github.com/Example/Example.github.io", "https://example.github.io/"),
        ("", "https://git.example.org/group/book", None),
        ("", "", None),
        ("https://book.example.org", REPOSITORY, "https://book.example.org/"),
        ("https://book.example.org/a/b/", "", "https://book.example.org/a/b/"),
    ],
)
def test_site_url(monkeypatch, site, repository, url):
    """The address of GitHub Pages follows from the repository; the variable SITE overrules it."""
    monkeypatch.setenv("SITE", site)
    monkeypatch.setenv("REPOSITORY", repository)
    assert load_extension("every_page").site_url() == url


@pytest.mark.parametrize("site", ["book.example.org", "file:///srv/book", 'https://example.org/"><script>'])
def test_bad_site_is_refused(monkeypatch, site):
    """The message names the variable and echoes its value."""
    monkeypatch.setenv("SITE", site)
    with pytest.raises(ValueError, match="SITE must be an address") as error:
        load_extension("every_page").site_url()
    assert repr(site) in str(error.value)


def report_faults(page, soup, title):
    """Return what is wrong with the link for reporting an error: not there in words, or not about this page."""
    found = soup.select(f'.page-tools a[href^="{REPOSITORY}/issues/new?"]')
    if [link.get_text() for link in found] != ["Report an error on this page"]:
        return [f"{page}: no link for reporting an error"]
    form = parse_qs(urlsplit(found[0]["href"]).query)
    due = {"title": title, "body": SITE if page == PAGES[0] else f"{SITE}{page}.html"}
    return [f"{page}: {field} lacks {text!r}" for field, text in due.items() if text not in form[field][0]]


def preview_faults(page, soup, title, site):
    """Return what is wrong with the tags for previews; without a site none may hold an address."""
    tags = {tag["property"]: tag["content"] for tag in soup.select('meta[property^="og:"]')}
    due = {"og:title": title, "og:site_name": "Reliable Leaderboards", "og:url": None, "og:image": None}
    if site:
        due |= {"og:url": f"{site}{page}.html", "og:image": f"{site}_static/cover.png"}
    faults = [f"{page}: {name} is not {value}" for name, value in due.items() if tags.get(name) != value]
    texts = ("og:description", "og:image:alt") if site else ("og:description",)
    return faults + [f"{page}: no {name}" for name in texts if not tags.get(name)]


@pytest.mark.parametrize("page", PAGES)
def test_report_and_preview(builds, page):
    """With a repository each page has both; without, the preview says what it can and names no address."""
    public, private = ((builds[name] / f"{page}.html").read_text() for name in ("with", "without"))
    soup, head = (BeautifulSoup(html, "html.parser") for html in (public, private.partition("</head>")[0]))
    title = soup.select_one("#jb-print-docs-body h1").get_text()  # without the number of a chapter
    assert report_faults(page, soup, title) == []
    assert preview_faults(page, soup, title, SITE) == []
    assert preview_faults(page, head, title, None) == []
    assert "github.io" not in private


def test_planted_report_and_preview_are_found():
    """A link or a tag that is missing or about another page."""
    link = f'<a href="{REPOSITORY}/issues/new?title=Error+in%3A+A&body={SITE}a.html">Report an error on this page</a>'
    tags = {"title": "A", "site_name": "Reliable Leaderboards", "description": "B", "image:alt": "C."}
    tags |= {"url": f"{SITE}a.html", "image": f"{SITE}_static/cover.png"}
    head = "".join(f'<meta property="og:{name}" content="{value}">' for name, value in tags.items())
    good = f'{head}<div class="page-tools">{link}</div>'

    def faults(html, site=SITE):
        soup = BeautifulSoup(html, "html.parser")
        return report_faults("a", soup, "A") + preview_faults("a", soup, "A", site)

    assert faults(good) == []
    for old, new in (("A&body", "B&body"), ('a.html">R', 'b.html">R'), ("Report an error", ""), ("page-tools", "")):
        assert faults(good.replace(old, new)), old
    for name in tags:
        assert faults(good.replace(f'og:{name}"', 'x"')), name
    assert len(faults(good, None)) == 2


def test_missing_page_knows_the_root(builds):
    """With a known address its links start there, since it is sent for addresses of any depth."""
    for name, base in (("with", ["/reliable-leaderboards/"]), ("without", [])):
        soup = BeautifulSoup((builds[name] / "404.html").read_text(), "html.parser")
        assert [tag["href"] for tag in soup.select("base")] == base
        linked = {tag["href"] for tag in soup.select("a[href]")}
        assert {f"{chapter}.html" for chapter in CHAPTERS} <= linked
        assert soup.select_one('form[action="search.html"] input[name="q"]')


def launch_faults(found, tree):
    """Return the links to Binder and to the repository of an unknown form, or to a path that the tree has not."""
    forms = [
        r"https://mybinder\.org/v2/gh/example/reliable-leaderboards/main\?urlpath=lab/tree/(?P<path>[^?#&]+)",
        rf"{re.escape(REPOSITORY)}/blob/main/(?P<path>[^?#]+)(\?plain=1)?",
        rf"{re.escape(REPOSITORY)}/issues/new\?title=[^ ]+",
        re.escape(REPOSITORY),
    ]
    faults = []
    for link in found:
        if not link.startswith((REPOSITORY, "https://mybinder.org")):
            continue
        form = next(filter(None, (re.fullmatch(form, link) for form in forms)), None)
        path = form.groupdict().get("path") if form else None
        if not form or (path and not (tree / path).is_file()):
            faults.append(link)
    return faults


def test_every_launch_link_resolves(builds):
    """On every page, the exercise sets' among them."""
    pages = [page for page in builds["with"].rglob("*.html") if "_static" not in page.parts]
    assert {page.name: found for page in pages if (found := launch_faults(links(page), ROOT))} == {}
    assert sum(link.startswith("https://mybinder.org") for page in pages for link in links(page)) > len(CHAPTERS)


def test_planted_launch_link_is_found():
    """A path that is not there, another interface, another repository, a form without a title."""
    binder = "https://mybinder.org/v2/gh/example/reliable-leaderboards/main"
    bad = [
        f"{binder}?urlpath=lab/tree/book/none.ipynb",
        f"{binder}?urlpath=tree/book/ladder.ipynb",
        "https://mybinder.org/v2/gh/other/name/main?urlpath=lab/tree/book/ladder.ipynb",
        f"{REPOSITORY}/issues/new",
    ]
    assert launch_faults(bad, ROOT) == bad
    assert launch_faults(["other.html", f"{REPOSITORY}/blob/main/book/ladder.ipynb?plain=1", REPOSITORY], ROOT) == []
