"""Draw the cover, which previews of the book elsewhere show, and the book's icon: `python -m tools.cover`.

Both are computed by the library. The same pinned packages give the same pixels.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import leaderboard_edu as le

STATIC = Path(__file__).parents[1] / "book" / "_static"
INCHES, DPI = (12, 6.3), 100  # 1200 by 630 pixels is what previews ask for


def ladder_shows(k: int, *, n: int = 1000) -> np.ndarray:
    """Return the share of right labels that a Ladder shows while it is attacked, after each submission."""
    board = le.Ladder(np.random.default_rng(2015).integers(0, 2, n), eta="1/20")
    le.boosting_attack(board.submit, n=n, k=k, rng=np.random.default_rng(2015))
    return 1 - np.array([released for _, released in board.transcript])


def draw_cover() -> Figure:
    """Return the cover: the title, and what two boards show under the same attack."""
    le.use_style()
    figure = Figure(figsize=INCHES)
    figure.set_layout_engine("none")
    figure.text(0.06, 0.83, "Reliable Leaderboards", fontsize=44, weight="bold", color="#1a2433")
    figure.text(0.06, 0.735, "how competitions mislead, and how to keep them honest", fontsize=21, color="#4a5568")
    axes = figure.add_axes((0.06, 0.1, 0.88, 0.56))
    counts = np.unique(np.geomspace(1, 10_000, 60).astype(int))
    exact = [le.boosting_accuracy(n=1000, k=int(k)) for k in counts]
    axes.semilogx(counts, exact, color=le.COLOURS["full_disclosure"], lw=6)
    axes.semilogx(np.arange(1, 10_001), ladder_shows(10_000), color=le.COLOURS["ladder"], lw=6)
    axes.axhline(0.5, ls="--", lw=2.5, color=le.COLOURS["theory"])
    axes.text(
        190, 0.84, "a board that shows\nevery score", fontsize=20, color=le.COLOURS["full_disclosure"], ha="right"
    )
    axes.text(8500, 0.575, "the Ladder", fontsize=20, color=le.COLOURS["ladder"], ha="right")
    axes.text(1.1, 0.43, "the truth", fontsize=20)
    axes.set(xlim=(1, 10_000), ylim=(0.4, 1.02), xticks=[], yticks=[])
    axes.minorticks_off()
    axes.set_xlabel("submissions", fontsize=18, loc="right")
    return figure


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
    draw_cover().savefig(STATIC / "cover.png", dpi=DPI, metadata={"Software": None})
    (STATIC / "icon.svg").write_text(icon())
