"""Sphinx extension: what every page carries besides its text.

At its foot a link to report an error and the ways to cite it; in its head what a preview elsewhere shows; in its text
no line that begins with the comma after a formula; and the page that a server sends when an address does not exist.

The book's public address is the environment variable SITE, else it follows from the repository as GitHub Pages has it.
Without one, addresses are left out.
"""

import json
import os
import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from landing import parts, read_chapter
from repository_links import repository_url
from tools.contents import is_chapter

FONTS = ("source-serif-4", "source-serif-4-italic")
# From file:// a browser loads no font ahead, and says so; on a page that is opened for print, by tools/pdf.py, Chromium
# leaves out the text in fonts that came ahead.
LOAD_FONTS = """
if (location.protocol !== "file:" && !matchMedia("print").matches) for (const href of %s)
  document.head.append(Object.assign(document.createElement("link"),
    {rel: "preload", as: "font", type: "font/woff2", crossOrigin: "", href}));
"""
COVER_ALT = (
    "Two walls of a thousand squares, lit where a stranger guesses a hidden label right: nearly all on a board that "
    "shows every score, about half on the Ladder."
)


def site_url() -> str | None:
    """Return the address at which the book is published, with a slash at its end, or None."""
    value = os.environ.get("SITE", "").strip()
    if value:
        if not re.fullmatch(r"https?://[\w.:-]+(/[\w./~-]*)?", value):
            raise ValueError(f"SITE must be an address such as https://example.org/book/, got {value!r}")
        return value.rstrip("/") + "/"
    github = re.fullmatch(r"https://github\.com/([\w-]+)/([\w.-]+)", repository_url() or "")
    if github is None:
        return None
    host = f"{github[1].lower()}.github.io"
    return f"https://{host}/" if github[2].lower() == host else f"https://{host}/{github[2]}/"


def report_url(repository: str, title: str, where: str) -> str:
    """Return the address of the form for a new issue, with the page filled in."""
    body = f"Page: {where}\n\nWhat is wrong, and where on the page?\n"
    return f"{repository}/issues/new?" + urlencode({"title": f"Error in: {title}", "body": body})


def latex(text: str) -> str:
    """Escape what BibTeX would not print."""
    return re.sub(r"([&%#_$])", r"\\\1", text)


def citation(book: dict[str, Any], title: str | None, url: str | None) -> dict[str, str]:
    """Return how to cite the book, or its page of this title, as a sentence and for BibTeX."""
    authors = " and ".join(author["name"] for author in book["authors"])
    year, version = str(book["date-released"])[:4], str(book["version"])
    whole = f"{book['title']}, version {version}, {year}."
    sentence = f"{authors}. {whole}" if title is None else f"{authors}. “{title}”. In: {whole}"
    names = " and ".join(f"{{{latex(author['name'])}}}" for author in book["authors"])
    fields = {"author": names, "title": latex(title or book["title"])}
    if title is not None:
        fields["booktitle"] = latex(book["title"])
    fields |= {"year": year, "note": f"Version {version}"} | ({"url": url} if url else {})
    kind, key = ("book", "") if title is None else ("incollection", "-" + re.sub(r"\W+", "-", title).strip("-").lower())
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return {
        "sentence": f"{sentence} {url}" if url else sentence,
        "bibtex": f"@{kind}{{reliable-leaderboards{key},\n{lines}}}",
    }


def description(doctree: nodes.document, stated: str | None) -> str:
    """Return what a page is about: as stated in its metadata, else the beginning of its first paragraph."""
    first = next(doctree.findall(nodes.paragraph), None)
    text = " ".join((stated or (first.astext() if first else "")).split())
    return text if len(text) <= 200 else text[:200].rsplit(" ", 1)[0] + " …"


def preview_tags(name: str, title: str, text: str, site: str | None, page: str) -> str:
    """Return the Open Graph tags of a page; those that need an absolute address only if there is one."""
    tags = {"og:title": title, "og:type": "article", "og:site_name": name, "og:description": text}
    if site:
        tags |= {"og:url": site + page, "og:image": f"{site}_static/cover.png", "og:image:alt": COVER_ALT}
    lines = [f'<meta property="{tag}" content="{escape(value)}" />' for tag, value in tags.items() if value]
    lines += [f'<meta name="description" content="{escape(text)}" />'] if text else []
    return "\n".join(lines) + "\n"


def font_tags(pathto: Callable[..., str], doctree: nodes.document | None) -> str:
    """Return what loads the fonts at once: one that comes after the first picture of the page moves its lines."""
    formulas = doctree is not None and next(doctree.findall(is_formula), None) is not None
    links = [pathto(f"_static/fonts/{name}.woff2", 1) for name in [*FONTS, *(["stix-two-math"] if formulas else [])]]
    return f"<script>{LOAD_FONTS % json.dumps(links)}</script>\n"


def is_formula(node: nodes.Node) -> bool:
    """Say whether a node is a formula."""
    return isinstance(node, nodes.math | nodes.math_block)


def fill_page(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Hand the templates and the head of a page what they show."""
    site, repository = site_url(), repository_url()
    if page == "404":
        context["site_path"] = urlsplit(site).path if site else None
        context["parts"] = parts(Path(app.srcdir))
    context["metatags"] = context.get("metatags", "") + font_tags(context["pathto"], doctree)
    if doctree is None:
        return
    title, address = app.env.titles[page].astext(), app.builder.get_target_uri(page)
    is_book = page == app.config.root_doc
    book = yaml.safe_load((Path(app.srcdir) / "CITATION.cff").read_text(encoding="utf-8"))
    url = site if is_book and site else site and site + address
    context["citation"] = citation(book, None if is_book else title, url)
    context["report_url"] = repository and report_url(repository, title, url or address)
    root = Path(app.srcdir)
    stated = read_chapter(root, page).description if is_chapter(page, root) else None
    context["metatags"] += preview_tags(app.config.html_title, title, description(doctree, stated), site, address)


def keep_together(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Let no line break part a formula in the text from the punctuation around it, or a number from its per cent."""
    for text in list(doctree.findall(nodes.Text)):
        if re.search(r"\d %", text) and not isinstance(text.parent, nodes.literal_block | nodes.literal | nodes.raw):
            text.parent.replace(text, nodes.Text(re.sub(r"(?<=\d) %", "\u00a0%", text)))
    for formula in list(doctree.findall(nodes.math)):
        parent, at = formula.parent, formula.parent.index(formula)
        before = parent[at - 1] if at > 0 and isinstance(parent[at - 1], nodes.Text) else nodes.Text("")
        after = parent[at + 1] if at + 1 < len(parent) and isinstance(parent[at + 1], nodes.Text) else nodes.Text("")
        opening = re.search(r"[(\[“‘]*$", before.astext())[0]
        closing = re.match(r"[.,;:!?)\]”’%]*", after.astext())[0]
        if not opening and not closing:
            continue
        together = nodes.inline(
            "", "", nodes.Text(opening), formula.deepcopy(), nodes.Text(closing), classes=["no-break"]
        )
        if closing:
            parent[at + 1] = nodes.Text(after.astext().removeprefix(closing))
        parent[at] = together
        if opening:
            parent[at - 1] = nodes.Text(before.astext().removesuffix(opening))


def set_address(app: Sphinx, config: Config) -> None:
    """Tell Sphinx the address, for the canonical link of each page."""
    config.html_baseurl = site_url() or ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("config-inited", set_address)
    app.connect("doctree-resolved", keep_together)
    app.connect("html-page-context", fill_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
