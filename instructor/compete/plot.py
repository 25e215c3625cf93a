"""The plot of a board: where each team's loss shown and final loss lie, and a place for its name."""

from __future__ import annotations

import math
from dataclasses import dataclass

from instructor.compete.play import Board, Row
from leaderboard_edu import TEXT_COLOURS

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25)  # between ticks; losses lie in [0, 1]
LINE = 17  # pixels from one name to the next
LOWEST = 320  # pixels, the height for a few teams
MARGIN = 6  # percent on each side, so that no dot is cut; also room for a word below the diagonal
LETTERS = 16  # of a name


@dataclass(frozen=True)
class Point:
    """A team: its losses and its dot, in percent of the plot, and the height of its name, in pixels."""

    row: Row
    x: float
    y: float
    label: float

    @property
    def name(self) -> str:
        """Return the team's name, shortened in the middle: what tells teams apart is often a number at the end."""
        name: str = self.row["team"]
        return name if len(name) <= LETTERS else f"{name[: LETTERS - 7]}…{name[-6:]}"


@dataclass(frozen=True)
class Plot:
    """A board as a plot of square units: the points from top to bottom, and ticks as pairs of text and percent."""

    board: Board
    height: int
    colour: str
    ticks: list[tuple[str, float]]
    points: list[Point]

    @property
    def says(self) -> str:
        """Return the plot in words."""
        gaps = [float(point.row["gap"]) for point in self.points]
        far = self.points[gaps.index(max(gaps))].row
        above = sum(gap > 0 for gap in gaps)
        return (
            f"{self.board.title}: final loss against loss shown. {above} of {len(gaps)} teams lie above the diagonal, "
            f"where the loss shown is too low; farthest up is {far['team']}, shown {far['loss']}, final "
            f"{far['final_loss']}. The table has all numbers."
        )


def plots(boards: list[Board]) -> dict[str, Plot]:
    """Return the plots of the boards that show losses, by their names; all have the same axes."""
    shown = {board.name: [row for row in board.rows if "gap" in row] for board in boards}
    losses = [float(row[which]) for rows in shown.values() for row in rows for which in ("loss", "final_loss")]
    return {board.name: _plot(board, rows, losses) for board in boards if (rows := shown[board.name])}


def _plot(board: Board, rows: list[Row], losses: list[float]) -> Plot:
    """Return the plot of a board, on axes that hold all losses."""
    for step in STEPS:
        low = math.floor(round(min(losses) / step, 6))
        count = max(math.ceil(round(max(losses) / step, 6)) - low, 1)
        if count <= 4:  # so many ticks fit on a phone
            break

    def place(loss: float) -> float:
        return round(MARGIN + (100 - 2 * MARGIN) * (loss / step - low) / count, 2)

    height = max(LOWEST, LINE * len(rows))
    rows = sorted(rows, key=lambda row: -float(row["final_loss"]))
    dots = [(place(float(row["loss"])), 100 - place(float(row["final_loss"]))) for row in rows]
    labels = _apart([height * y / 100 for _, y in dots], height)
    ticks = [(f"{i * step:.2f}", place(i * step)) for i in range(low, low + count + 1)]
    points = [Point(row, *dot, label) for row, dot, label in zip(rows, dots, labels, strict=True)]
    return Plot(board, height, TEXT_COLOURS[board.name.removesuffix("_ladder")], ticks, points)


def _apart(wanted: list[float], height: int) -> list[float]:
    """Move rising heights as little as puts a line between each two, first down and then up from the bottom."""
    heights: list[float] = []
    for y in wanted:
        heights.append(max(y, heights[-1] + LINE if heights else LINE / 2))
    lowest = height - LINE / 2
    for i in reversed(range(len(heights))):
        heights[i] = lowest = min(heights[i], lowest)
        lowest -= LINE
    return [round(y, 1) for y in heights]
