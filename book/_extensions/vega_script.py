"""Sphinx extension: what figures need beside the pages, which fetch nothing elsewhere.

The script that draws charts of Vega-Lite, and the style sheet of their colours, light and dark.
"""

from pathlib import Path

import vl_convert
from sphinx.application import Sphinx

from leaderboard_edu import figures


def write_vega(app: Sphinx, error: Exception | None) -> None:
    """Write the bundle that vl-convert carries, Vega, Vega-Lite and Vega-Embed, unless it is there."""
    script = Path(app.outdir, "_static", "vega.js")
    if error is None and not script.exists():
        script.write_text(f"(() => {{{vl_convert.javascript_bundle()}}})();", encoding="utf-8")  # its names stay within


def write_colours(app: Sphinx) -> None:
    """Write the colours of the library for the pages, which name the file with a sum of what is in it."""
    sheet = Path(app.outdir, "_static", "colours.css")
    sheet.parent.mkdir(parents=True, exist_ok=True)
    sheet.write_text(figures.style_sheet(), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("builder-inited", write_colours)
    app.connect("build-finished", write_vega)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
