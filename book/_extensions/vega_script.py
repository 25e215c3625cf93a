"""Sphinx extension: the script that draws charts of Vega-Lite, put beside the pages, which fetch nothing elsewhere."""

from pathlib import Path

import vl_convert
from sphinx.application import Sphinx


def write_vega(app: Sphinx, error: Exception | None) -> None:
    """Write the bundle that vl-convert carries, Vega, Vega-Lite and Vega-Embed, unless it is there."""
    script = Path(app.outdir, "_static", "vega.js")
    if error is None and not script.exists():
        script.write_text(f"(() => {{{vl_convert.javascript_bundle()}}})();", encoding="utf-8")  # its names stay within


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("build-finished", write_vega)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
