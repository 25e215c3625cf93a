"""The theme's icons are drawn in the pages, which load no script for them."""

import sys

import pytest
from bs4 import BeautifulSoup
from chapters import HTML, ROOT, parsed
from sphinx.errors import ExtensionError

sys.path.append(str(ROOT / "book" / "_extensions"))
import icons

SCRIPT = '<script defer src="../_static/scripts/fontawesome.js?digest=1"></script>'


def test_an_icon_is_drawn():
    """With the look and the name that the theme's style and scripts know it by, and no font."""
    page = BeautifulSoup(
        icons.with_icons(f'{SCRIPT}<b><i class="theme-switch fa-solid fa-sun  fa-lg" data-mode="light"></i></b>'),
        "html.parser",
    )
    (drawing,) = page.b.find_all(recursive=False)
    assert (drawing.name, drawing["data-mode"], drawing["aria-hidden"]) == ("svg", "light", "true")
    assert set(drawing["class"]) == {"svg-inline--fa", "theme-switch", "fa-sun", "fa-lg"}
    assert drawing.path["d"].startswith("M")
    assert not page.find("script")


def test_an_icon_that_is_not_there_ends_the_build():
    with pytest.raises(ExtensionError, match="no icon nonesuch"):
        icons.with_icons('<i class="fas fa-nonesuch"></i>')


def test_pages_need_no_script_for_icons():
    """Every page of the book, those of the theme too."""
    pages = [path for path in HTML.rglob("*.html") if path.relative_to(HTML).parts[0] not in ("_static", "lite")]
    drawn = 0
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert "fontawesome" not in text
        assert not parsed(path).select("i[class*=fa-], span[class*=fa-]")
        drawn += text.count("svg-inline--fa")
    assert drawn > 10 * len(pages)
    assert not (HTML / "_static" / icons.SCRIPT).exists()
