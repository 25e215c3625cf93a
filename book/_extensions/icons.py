"""Sphinx extension: each icon of the theme is drawn where it stands, from the theme's script of all icons.

That script would come with every page: half a megabyte, compressed, for some fifteen icons, and on a slow machine a
second in which the page does not answer.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pydata_sphinx_theme
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

SCRIPT = "scripts/fontawesome.js"
DRAWINGS = Path(pydata_sphinx_theme.__file__).parent / "theme" / "pydata_sphinx_theme" / "static" / SCRIPT
ICON = re.compile(r'<(i|span) class="([^"]*\b(?:fa-solid|fas)\b[^"]*)"([^>]*)></\1>')
LOADED = re.compile(rf"<script[^>]*{re.escape(SCRIPT)}[^>]*></script>|<link[^>]*{re.escape(SCRIPT)}[^>]*>")


@cache
def drawing(name: str) -> str:
    """Return the shape of an icon, with the box that it stands in."""
    shape = r'[,{]"?%s"?:\[(\d+),(\d+),\[[^\]]*\],"[0-9a-f]+","([^"]+)"\]'
    found = re.search(shape % re.escape(name), DRAWINGS.read_text(encoding="utf-8"))
    if not found:
        raise ExtensionError(f"the theme has no icon {name}")
    width, height, path = found.groups()
    return f'viewBox="0 0 {width} {height}"><path fill="currentColor" d="{path}"></path>'


def drawn(found: re.Match[str]) -> str:
    """Return an icon as a drawing, as the theme's script would make it."""
    _, classes, others = found.groups()
    kept = [part for part in classes.split() if part not in ("fa-solid", "fas")]  # those set a font
    (name,) = (part[3:] for part in kept if part.startswith("fa-") and part != "fa-lg")
    looks = f'class="svg-inline--fa {" ".join(kept)}"{others} aria-hidden="true" focusable="false"'
    return f"<svg {looks} {drawing(name)}</svg>"


def with_icons(page: str) -> str:
    """Return a page with its icons drawn, and without the script."""
    return ICON.sub(drawn, LOADED.sub("", page))


def start(app: Sphinx) -> None:
    """Draw the icons of all that is rendered from a template."""
    templates: Any = getattr(app.builder, "templates", None)
    if templates:
        render = templates.render
        templates.render = lambda *arguments: with_icons(render(*arguments))


def forget_script(app: Sphinx, exception: Exception | None) -> None:
    """Take the script out of what is published, and its map."""
    for name in (SCRIPT, f"{SCRIPT}.map"):
        (Path(app.outdir) / "_static" / name).unlink(missing_ok=True)


def setup(app: Sphinx) -> dict[str, bool]:
    """Begin when there is a builder."""
    app.connect("builder-inited", start)
    app.connect("build-finished", forget_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
