"""The built pages load nothing from another host, and no more than a phone connection carries."""

import gzip
import hashlib
import re
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup
from chapters import CHAPTERS, HTML, parsed

# Links to pages, not to something that is loaded with this one.
LINKS_ONLY = {"alternate", "author", "canonical", "help", "index", "license", "me", "next", "prev", "search", "up"}
LOADS = {
    "audio": ["src"],
    "embed": ["src"],
    "iframe": ["src"],
    "image": ["href", "xlink:href"],
    "img": ["src", "srcset"],
    "input": ["src"],
    "link": ["href", "imagesrcset"],
    "object": ["data"],
    "script": ["src"],
    "source": ["src", "srcset"],
    "track": ["src"],
    "use": ["href", "xlink:href"],
    "video": ["src", "poster"],
}
ELSEWHERE = re.compile(r"(?:[a-z][a-z+.-]*:)?//", re.IGNORECASE)

# Addresses in scripts that are names or links, or that no reader can make the script load.
NOT_LOADED = {
    "http://www.w3.org": "the names of SVG and MathML",
    "https://clipboardjs.com": "in a comment",
    "https://developer.mozilla.org": "in a comment",
    "https://pydata-sphinx-theme.readthedocs.io": "in a message about a switcher of versions, which the book has not",
}

LARGEST_PAGE = 200_000  # bytes, compressed as a server sends them, what all pages share apart
LARGEST_FIGURE = 300_000  # not compressed


def leads_elsewhere(address):
    """Say whether an address names a host."""
    return bool(ELSEWHERE.match(address.strip())) and not address.strip().startswith("data:")


def styles_elsewhere(css):
    """Return what a style sheet loads from other hosts."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    named = re.findall(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""", css)
    return [address for pair in named for address in pair if address and leads_elsewhere(address)]


def loads_elsewhere(page):
    """Return what a parsed page loads, or prepares to load, from other hosts."""
    found = []
    for tag in page.find_all(LOADS):
        if tag.name == "link" and set(tag.get("rel", [])) <= LINKS_ONLY:
            continue
        values = [tag.get(name, "") for name in LOADS[tag.name]]
        found += [part for value in values for part in re.split(r",\s+|\s+", value) if leads_elsewhere(part)]
    found += [tag["href"] for tag in page.select("base[href]") if leads_elsewhere(tag["href"])]
    for tag in page.select("style"):
        found += styles_elsewhere(tag.get_text())
    for tag in page.select("[style]"):
        found += styles_elsewhere(tag["style"])
    return found + [tag["content"] for tag in page.select('meta[http-equiv="refresh" i]') if "//" in tag["content"]]


def hosts_in_script(text):
    """Return the hosts that a script names, with their scheme."""
    return set(re.findall(r"(?:https?|wss?)://[\w.-]+", text))


def scripts(page):
    """Return the scripts that stand in a parsed page itself, data apart."""
    return [tag.get_text() for tag in page.select("script:not([src])") if "json" not in tag.get("type", "")]


def files(ending):
    """Return the files of the site with this ending, JupyterLite apart, which starts Python from a public host."""
    return [path for path in sorted(HTML.rglob(f"*{ending}")) if "lite" not in path.relative_to(HTML).parts]


def pages():
    """Return the pages of the site, each parsed."""
    return {path: parsed(path) for path in files(".html") if "_static" not in path.parts}


def parse(html):
    """Return the parsed page."""
    return BeautifulSoup(html, "html.parser")


def paths_of(path, tags):
    """Return the files of the site from which these tags of a page load."""
    addresses = [urlsplit(tag["src"]) for tag in tags]
    return {(path.parent / unquote(address.path)).resolve() for address in addresses if address.scheme != "data"}


def compressed(data):
    """Return how many bytes a server sends for these."""
    return len(gzip.compress(data))


def weight(path, page):
    """Return the compressed size of a page with the pictures in its text."""
    pictures = paths_of(path, page.select("article [src]"))
    return sum(compressed(file.read_bytes()) for file in {path, *pictures} if "_static" not in file.parts)


def figure_weights(page):
    """Return the size of each figure of a parsed page."""
    return [len(str(tag).encode()) for tag in page.select(".interactive-figure, .static-figure")]


def test_nothing_is_loaded_from_elsewhere(built):
    """No page, no style sheet; a link that a reader follows may lead anywhere."""
    assert {path: found for path, page in pages().items() if (found := loads_elsewhere(page))} == {}
    assert {path: found for path in files(".css") if (found := styles_elsewhere(path.read_text()))} == {}


def test_no_script_names_a_host(built):
    """The exceptions are listed, and each is still needed."""
    texts = [text for page in pages().values() for text in scripts(page)]
    loaded = set().union(*(paths_of(path, page.select("script[src]")) for path, page in pages().items()))
    texts += [path.read_text(encoding="utf-8") for path in loaded]
    assert set().union(*map(hosts_in_script, texts)) == set(NOT_LOADED)


def test_pages_are_light(built):
    """The heaviest chapter and the heaviest figure."""
    assert {path: size for path, page in pages().items() if (size := weight(path, page)) > LARGEST_PAGE} == {}
    figures = {path: figure_weights(page) for path, page in pages().items()}
    assert {path: sizes for path, sizes in figures.items() if max(sizes, default=0) > LARGEST_FIGURE} == {}
    assert all(figures[HTML / f"{chapter}.html"] for chapter in CHAPTERS)


@pytest.mark.parametrize(
    "html",
    [
        '<script src="//cdn.example.org/a.js"></script>',
        '<link rel="stylesheet" href="https://example.org/a.css">',
        '<img src="a.png" srcset="a.png 1x, https://example.org/b.png 2x">',
        "<style>@import 'https://example.org/a.css';</style>",
        '<p style="background: url(//example.org/a.png)">x</p>',
        '<svg><image href="https://example.org/a.png"/></svg>',
        '<meta http-equiv="Refresh" content="0; url=https://example.org/">',
    ],
)
def test_planted_address_is_found(html):
    """Each of these asks another host, and each is found in its own way."""
    assert loads_elsewhere(parse(f"<!doctype html><body>{html}"))


def test_own_address_passes():
    """A link, data, and files of the site."""
    html = """<a href="https://example.org">x</a><link rel="canonical" href="https://example.org/page.html">
        <img src="data:image/png;base64,AA//BB"><script src="../_static/a.js?v=1"></script>
        <style>.a { background: url("../a.png") } /* url(https://example.org) */</style>"""
    assert loads_elsewhere(parse(f"<!doctype html><body>{html}")) == []


def test_planted_host_in_a_script_is_found():
    """In a script of the page, not in the data of a figure."""
    html = (
        '<script>const URL = "https://unpkg.com/thebe"</script><script type="application/json">"http://x.org"</script>'
    )
    assert [host for text in scripts(parse(html)) for host in hosts_in_script(text)] == ["https://unpkg.com"]


def test_weight_counts_pictures(tmp_path):
    """The page, its pictures once each, and nothing of the theme."""
    noise = b"".join(hashlib.sha256(bytes([number])).digest() for number in range(99))
    for name in ("_static/theme.png", "_images/a b.png"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(noise)
    path = tmp_path / "page.html"
    pictures = ["_images/a%20b.png", "_images/a%20b.png?v=1", "_static/theme.png", "data:,"]
    path.write_text("<article>" + "".join(f'<img src="{picture}">' for picture in pictures) + "</article>")
    assert weight(path, parse(path.read_text())) == compressed(path.read_bytes()) + compressed(noise)
    (size,) = figure_weights(parse(f'<div class="interactive-figure">{noise.hex()}</div>'))
    assert size > 2 * len(noise)
