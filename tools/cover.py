"""Draw the cover, which previews of the book elsewhere show, and the book's icon: `python -m tools.cover`.

Both are computed by the library. The same pinned packages give the same pixels.
"""

import io
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import vl_convert
from PIL import Image

import leaderboard_edu as le
from book.wall import wall

STATIC = Path(__file__).parents[1] / "book" / "_static"
SIZE = (1200, 630)  # pixels, what previews ask for
SCALE = 1.78  # of the picture


def cover() -> str:
    """Return the cover: the title, and the wall of labels in the state that the landing page opens with."""
    width, height = SIZE
    figure = wall()
    chart = figure.chart_at(figure.start)
    walls, _ = chart["vconcat"]
    drawn = vl_convert.vegalite_to_svg(chart | {"vconcat": [walls]})
    left = (width - SCALE * float(ElementTree.fromstring(drawn).get("width", ""))) / 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="Helvetica, Arial, sans-serif">'
        f'<rect width="{width}" height="{height}" fill="#fff"/><g transform="translate({left:.0f})">'
        '<text y="112" font-size="64" font-weight="bold" fill="#1a2433">Reliable Leaderboards</text>'
        f'<g transform="translate(0 158) scale({SCALE})">{drawn}</g></g></svg>'
    )


def icon() -> str:
    """Return the icon: the losses that a participant submits, and below them the steps that a Ladder shows."""
    counts = [54, 38, 44, 22, 30, 6]
    board = le.Ladder(np.zeros(60), eta="1/10")
    released = [board.submit(np.arange(60) < wrong) for wrong in counts]
    left = [4 + 10 * i for i in range(len(counts))]
    heights = [60 - 56 * (1 - loss) for loss in released]
    steps = f"M{left[0]} {heights[0]:g}" + "".join(f"V{y:g}h10" for y in heights)
    dots = "".join(
        f'<circle cx="{x + 5}" cy="{60 - 56 * (1 - wrong / 60):g}" r="3.2"/>'
        for x, wrong in zip(left, counts, strict=True)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 68 68">'
        '<rect width="68" height="68" rx="12" fill="#fff"/>'
        f'<path d="{steps}" fill="none" stroke="{le.COLOURS["ladder"]}" stroke-width="6" stroke-linejoin="round"/>'
        f'<g fill="{le.COLOURS["full_disclosure"]}">{dots}</g></svg>\n'
    )


if __name__ == "__main__":
    picture = Image.open(io.BytesIO(vl_convert.svg_to_png(cover()))).convert("RGB")
    picture.quantize(64).save(STATIC / "cover.png", optimize=True)
    (STATIC / "icon.svg").write_text(icon())
