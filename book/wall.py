"""The book's emblem: a thousand hidden labels under one attack.

Once on a board that shows every score, once on the Ladder.
"""

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

import leaderboard_edu as le

N, SEED, MOST = 1000, 2015, 10_000
COUNTS = sorted(
    {round(10 ** (power / 15)) for power in range(61)}
)  # of submissions, up to the most
START = COUNTS[-1]
NAMES = {"every": "board of every score", "ladder": "the Ladder"}
COLOURS: dict[str, Any] = {
    "every": le.COLOURS["full_disclosure"],
    "ladder": le.COLOURS["ladder"],
}


def right(board: str, k: int) -> NDArray[np.bool_]:
    """Return which labels a stranger guesses right after k submissions."""
    labels = np.random.default_rng(SEED).integers(0, 2, N)
    mechanism = (
        le.FullDisclosure(labels)
        if board == "every"
        else le.Ladder(labels, eta="1/20")
    )
    attack = le.boosting_attack(
        mechanism.submit, n=N, k=k, rng=np.random.default_rng(SEED)
    )
    return np.asarray(attack.predictions == labels)


def draw(narrow: bool) -> alt.VConcatChart:
    """Draw two walls, lit where a guess is right, and both counts below."""
    across = 50 if narrow else 40  # squares in a line
    pitch = 6 if narrow else 7.3  # pixels from one to the next
    width, whole = across * pitch, 300 if narrow else 608
    k = alt.param(name="k", value=START)
    t = alt.param(name="t", expr=f"indexof({COUNTS}, k)")

    def wall(board: str) -> Any:
        squares = alt.Chart(alt.NamedData("squares")).transform_calculate(
            x=f"datum.i % {across} * {pitch}",
            y=f"floor(datum.i / {across}) * {pitch}",
            x2=f"datum.x + {pitch - 1}",
            y2=f"datum.y + {pitch - 1}",
        )
        lit: Any = alt.condition(
            f"substring(datum.{board}, t, t + 1) === '1'",
            alt.value(1),
            alt.value(0.13),
        )
        places: Any = {
            "x": alt.X("x:Q", scale=None),
            "x2": "x2",
            "y": alt.Y("y:Q", scale=None),
            "y2": "y2",
        }
        count = alt.Chart(alt.NamedData("now"))
        text: Any = {
            "baseline": "bottom",
            "color": COLOURS[board],
            "fontWeight": "bold",
        }
        return alt.layer(
            squares.mark_rect(color=COLOURS[board]).encode(
                opacity=lit, **places
            ),
            count.mark_text(
                align="left",
                fontSize=14,
                text=NAMES[board],
                x=0,
                y=-6,
                **text,
            ),
            count.mark_text(
                align="right", fontSize=26, x=width - 1, y=-2, **text
            ).encode(text=f"{board}:Q"),
        ).properties(width=width - 1, height=-(-N // across) * pitch)

    x = alt.X("k:Q", title="submissions").scale(
        type="log", domain=[1, MOST]
    )
    x = x.axis(values=[1, 10, 100, 1000, MOST], format=",")
    labels: Any = {
        "labelAlign": "left",
        "labelBaseline": "bottom",
        "labelOffset": -3,
        "labelPadding": -2,
    }
    curve, now = (
        alt.Chart(alt.NamedData(name)).encode(x=x)
        for name in ("curve", "now")
    )
    half = alt.YDatum(N // 2).scale(domain=[400, N])
    chance = alt.Chart({"name": "now"}).encode(y=half)
    guessing = chance.mark_text(
        align="right", baseline="bottom", dy=-7, text="pure guessing"
    )
    layers: list[Any] = [
        chance.mark_rule(strokeDash=[5, 4]),
        guessing.encode(x=alt.datum(MOST)),
    ]
    for board, colour in COLOURS.items():
        y = alt.Y(f"{board}:Q", title=None).scale(domain=[400, N])
        y = y.axis(
            values=[500, 750, N],
            format=",d",
            grid=True,
            ticks=False,
            **labels,
        )
        tip = alt.Tooltip(f"{board}:Q", title=NAMES[board])
        layers += [
            curve.mark_line(
                color=colour, strokeWidth=1, opacity=0.5
            ).encode(y=y),
            curve.mark_line(color=colour, strokeWidth=3)
            .transform_filter("datum.k <= k")
            .encode(y=y),
            now.mark_circle(color=colour, size=110, opacity=1).encode(
                y=y, tooltip=tip
            ),
        ]
    handle = now.mark_rule(strokeWidth=24, opacity=0).properties(
        name="handle"
    )
    curves = alt.layer(*layers, handle).properties(
        width=whole, height=110 if narrow else 130
    )
    lines = [
        "A thousand hidden coin flips.",
        "Filled in: what a stranger guesses right.",
    ]
    title: Any = alt.Title(
        lines if narrow else " ".join(lines),
        offset=narrow * 24 + 14,
        fontSize=14,
    )
    walls = wall("every"), wall("ladder")
    grid = (
        alt.vconcat(*walls, spacing=44)
        if narrow
        else alt.hconcat(*walls, spacing=24)
    )
    return alt.vconcat(grid, curves, spacing=16, title=title).add_params(
        k, t
    )


def wall() -> le.InteractiveFigure:
    """Return the picture, with all its states."""
    walls = {
        board: np.array([right(board, k) for k in COUNTS])
        for board in NAMES
    }
    counts = {board: lit.sum(axis=1) for board, lit in walls.items()}
    squares = {
        board: [
            "".join("01"[int(lit)] for lit in square) for square in wall.T
        ]
        for board, wall in walls.items()
    }

    def rows(k: int) -> dict[str, Any]:
        at = COUNTS.index(k)
        now = {board: [count[at]] for board, count in counts.items()}
        return {
            "squares": {"i": range(N)} | squares,
            "curve": {"k": COUNTS} | counts,
            "now": {"k": [k]} | now,
        }

    def numbers(k: int) -> dict[str, str]:
        return {
            NAMES[board]: f"{count[COUNTS.index(k)]:,} of {N:,}"
            for board, count in counts.items()
        }

    def describe(k: int) -> str:
        every, ladder = (
            count[COUNTS.index(k)] for count in counts.values()
        )
        return (
            "A thousand coin flips are hidden. After "
            f"{k:,} submission{'s' * (k > 1)} a stranger who knows nothing "
            f"guesses {every:,} of them right from a board that shows "
            f"every score, and {ladder:,} from the Ladder."
        )

    slider = le.Slider("k", "After", COUNTS, "submissions", start=START)
    return le.interactive_figure(
        draw,
        sliders=[slider],
        rows=rows,
        alt=describe,
        data=numbers,
        drag=("k", "concat_1_x"),
    )
