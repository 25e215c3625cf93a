"""The interactive figures of the chapter on Hoeffding's inequality."""

import math
from functools import cache

import altair as alt
import numpy as np
from scipy.stats import binom

import leaderboard_edu as le

LABELS, MOST = 4000, 500
FILES = [1, 2, 3, 5, 8, 12, 20, 30, 37, 50, 70, 100, 150]
FILES += [200, 300, 400, 500]
SIZES = [250, 1000, 4000, 16_000]
LEAK = le.COLOURS["full_disclosure"]
LEAK_INK = le.TEXT_COLOURS["full_disclosure"]


def promise(k, n, delta=0.05):
    """Return how far off k fixed files are at most, by the union bound."""
    return math.sqrt(math.log(2 * k / delta) / (2 * n))


def vote_of(k):
    """Return the expected loss of the vote of k coin files."""
    return 1 - le.boosting_accuracy(n=LABELS, k=k)


@cache
def one_run(seed):
    """Return the losses of coin files, and of their votes."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, LABELS)
    board = le.FullDisclosure(labels)
    votes, losses, said = np.zeros(LABELS), [], {}
    for k in range(1, MOST + 1):
        coins = rng.integers(0, 2, LABELS)
        losses.append(board.submit(coins))
        side = coins if losses[-1] <= 0.5 else 1 - coins
        votes += 2 * side - 1
        if k in FILES:
            tied = rng.integers(0, 2, LABELS)
            vote = np.where(votes == 0, tied, votes > 0)
            said[k] = np.mean(vote != labels)
    return losses, said


def draw_promise(narrow):
    """Draw files fixed in advance within a band, their vote outside."""
    x = alt.X("k:Q", title="coin files sent to the board")
    x = x.scale(type="log", domain=[1, 550], nice=False)
    x = x.axis(values=[1, 10, 100, 500], format=",d", grid=False)
    y = {
        "scale": alt.Scale(domain=[0.37, 0.55], nice=False),
        "axis": alt.Axis(values=[0.4, 0.45, 0.5, 0.55], format=".2f"),
        "title": "loss on the board",
    }
    curve = alt.Chart(alt.NamedData("curve")).encode(x=x)
    files = alt.Chart(alt.NamedData("files")).encode(x=x)
    now = alt.Chart(alt.NamedData("now")).encode(x=x)
    broken = alt.Chart(alt.NamedData("broken")).encode(x=x)
    place = alt.Chart(alt.Data(values=[{}]))
    grey = le.COLOURS["independent"]
    ink = {"color": LEAK_INK, "fontWeight": "bold"}
    # While the dot is in the band, a line leads to its label below.
    inside = f"datum.k <= {30 if narrow else 20}"
    below = {"y": alt.datum(0.4655)}
    labels = (
        (below, "left", -4, 10, "datum.k <= 3"),
        (below, "right", 4, 10, f"datum.k > 3 && {inside}"),
        ({"y": alt.Y("vote:Q", **y)}, "right", -10, 19, f"!({inside})"),
    )
    if narrow:
        at = {"x": alt.datum(1.05)}
        labels = ((below | at, "left", 0, 10, inside), labels[2])
    layers = [
        curve.mark_area(color=grey, opacity=0.22).encode(
            y=alt.Y("low:Q", **y), y2="high:Q"
        ),
        files.mark_circle(color=grey, size=9, opacity=0.75)
        .transform_filter("datum.k <= k")
        .encode(y=alt.Y("loss:Q", **y)),
        curve.mark_line(
            color=le.COLOURS["theory"], strokeDash=[6, 4], strokeWidth=1.2
        ).encode(y=alt.Y("expected:Q", **y)),
        broken.mark_point(size=130, color=LEAK, opacity=1).encode(
            y=alt.Y("at:Q", **y)
        ),
        broken.mark_text(align="right", dx=-10, dy=8, **ink)
        .transform_filter("k > 80")
        .encode(y=alt.Y("at:Q", **y), text="says:N"),
        now.mark_circle(color=LEAK, size=170, opacity=1).encode(
            y=alt.Y("vote:Q", **y),
            tooltip=[
                alt.Tooltip("k:Q", title="files", format=","),
                alt.Tooltip("vote:Q", title="their vote", format=".4f"),
            ],
        ),
        now.mark_rule(color=LEAK, strokeWidth=1)
        .transform_filter(inside)
        .encode(y=alt.Y("vote:Q", **y), y2=alt.Y2Datum(0.4655)),
        *(
            now.mark_text(align=align, dx=dx, dy=dy, **ink)
            .transform_filter(where)
            .encode(**place_of, text="says:N")
            for place_of, align, dx, dy, where in labels
        ),
        place.mark_text(
            align="left", text="promised: all files in here"
        ).encode(x=alt.datum(1.1), y=alt.datum(0.541)),
        now.mark_rule(strokeWidth=24, opacity=0.01).properties(
            name="handle"
        ),
    ]
    return (
        alt.layer(*layers)
        .add_params(alt.param(name="k", value=MOST))
        .properties(height=300)
    )


def broken_promise():
    """Return the picture of a promise and of the vote that breaks it."""
    losses, said = one_run(21)
    grid = sorted({*FILES, *(round(10 ** (i / 12)) for i in range(33))})
    wide = np.array([promise(k + 1, LABELS) for k in grid])
    expected = [vote_of(k) for k in grid]
    first = next(
        k
        for k in range(1, MOST)
        if vote_of(k) < 0.5 - promise(k + 1, LABELS)
    )

    def rows(k):
        return {
            "curve": {
                "k": grid,
                "low": 0.5 - wide,
                "high": 0.5 + wide,
                "expected": expected,
            },
            "files": {"k": range(1, MOST + 1), "loss": losses},
            "broken": {
                "k": [first],
                "at": [vote_of(first)],
                "says": [f"{first}, on average"],
            },
            "now": {
                "k": [k],
                "vote": [said[k]],
                "says": [f"their vote {said[k]:.3f}"],
            },
        }

    def numbers(k):
        least = math.floor(1000 * (0.5 - promise(k + 1, LABELS))) / 1000
        return {
            "vote": f"{said[k]:.3f}",
            "promised": f"{least:.3f} or more",
            "expected vote": f"{vote_of(k):.3f}",
        }

    def describe(k):
        vote, least, _ = numbers(k).values()
        which = f"{k:,} coin files" if k > 1 else "one coin file"
        return (
            f"The vote of {which} has a loss of {vote} on the board. To "
            f"files fixed in advance the host promises {least}, with "
            "probability 95 percent."
        )

    slider = le.Slider("k", "After", FILES, "files", start=MOST)
    return le.interactive_figure(
        draw_promise,
        sliders=[slider],
        rows=rows,
        alt=describe,
        data=numbers,
        drag=("k", "x"),
    )


def deviations_of_one(n):
    """Return deviations, and the chances that one coin is off by them."""
    most = min(n, n / 2 + 3.5 * math.sqrt(n))
    wrong = np.unique(np.linspace(n // 2 + 1, most, 70).astype(int))
    return wrong / n - 0.5, 2 * binom.sf(wrong - 1, n, 0.5)


def worst_rows(k, n):
    """Return the chance that the worst of k is off, and its bounds."""
    off, tails = deviations_of_one(n)
    curves = {
        "exact": -np.expm1(k * np.log1p(-tails)),
        "times": k * tails,
        "bound": np.array([le.union_bound(e, n=n, k=k) for e in off]),
    }
    logs = {name: np.log(curve) for name, curve in curves.items()}
    at = {
        name: np.interp(-math.log(y), -logs[curve], off)
        for name, (curve, y, _) in NOTES.items()
    }
    return {
        "tails": {"off": off} | curves,
        "notes": {name: [x] for name, x in at.items()},
        "level": {"off": [promise(k, n)], "note": [f"{promise(k, n):.4f}"]},
    }


BLACK, GREY = le.COLOURS["theory"], le.PAPER["muted"]
ORANGE = le.COLOURS["full_disclosure"]
LOOKS = {  # width, dashes, colours of a curve and of its name
    "exact": (2.5, [1, 0], ORANGE, le.TEXT_COLOURS["full_disclosure"]),
    "times": (1.5, [1, 3], GREY, GREY),
    "bound": (1.5, [6, 4], BLACK, BLACK),
}
NOTES = {  # to the right of which curve the name stands, and what it is
    "exact": ("bound", 0.3, "exact, coins"),
    "times": ("times", 1.9, "k times one tail"),
    "bound": ("bound", 0.008, "union bound"),
}


def draw_worst(narrow):
    """Draw the chance that the worst of k is off, and its bounds."""
    x = alt.X("off:Q", title="deviation of the worst, at least")
    x = x.scale(domain=[0, 0.27], nice=False)
    x = x.axis(values=[0, 0.05, 0.1, 0.15, 0.2, 0.25], format=".2f")
    ticks = [1e-4, 0.001, 0.01, 0.05, 1]
    y = {
        "title": "probability",
        "scale": alt.Scale(type="log", domain=[1e-5, 3], nice=False),
        "axis": alt.Axis(values=ticks, format="~g", grid=True),
    }
    tails = alt.Chart(alt.NamedData("tails")).encode(x=x)
    at = alt.Chart(alt.NamedData("notes"))
    layers = []
    for name, (width, dash, colour, ink) in LOOKS.items():
        _, place, note = NOTES[name]
        line = {"strokeWidth": width, "strokeDash": dash, "clip": True}
        layers += [
            tails.mark_line(color=colour, **line).encode(
                y=alt.Y(f"{name}:Q", **y)
            ),
            at.mark_text(align="left", dx=7, color=ink, text=note).encode(
                x=f"{name}:Q", y=alt.datum(place)
            ),
        ]
    read = [
        alt.Tooltip("off:Q", title="deviation", format=".4f"),
        alt.Tooltip("exact:Q", title="exact", format=".2g"),
        alt.Tooltip("bound:Q", title="union bound", format=".2g"),
    ]
    unseen = tails.mark_point(size=120, opacity=0, clip=True, filled=True)
    now = alt.Chart(alt.NamedData("level")).encode(x="off:Q")
    down = now.mark_rule(strokeDash=[2, 3]).encode(
        y=alt.datum(0.05), y2=alt.Y2Datum(1e-5)
    )
    dot = now.mark_point(filled=True, size=90, color=BLACK, opacity=1)
    promise = now.mark_text(align="left", dx=10, fontWeight="bold").encode(
        y=alt.datum(0.05), text="note:N"
    )
    return alt.layer(
        down,
        *layers,
        *(
            unseen.encode(y=f"{c}:Q", tooltip=read)
            for c in ("exact", "bound")
        ),
        dot.encode(y=alt.datum(0.05)),
        promise,
    ).properties(height=300)


def describe_worst(k, n):
    """Say what the figure shows for k classifiers and n labels."""
    coins = f"one of {k} coins" if k > 1 else "a coin"
    return (
        f"By the dashed bound, k = {k} fixed files are all within "
        f"{promise(k, n):.4f} on n = {n} labels with probability 95 "
        f"percent. The exact chance that {coins} is off by more is "
        f"{worst_numbers(k, n)['exact']}."
    )


def worst_numbers(k, n):
    """Return where the bound is 5 percent, and the exact chance there."""
    reached = math.ceil(n * (0.5 + promise(k, n)))  # wrong labels
    tail = 2 * binom.sf(reached - 1, n, 0.5)
    exact = -math.expm1(k * math.log1p(-tail))
    return {"bound is 5 %": f"{promise(k, n):.4f}", "exact": f"{exact:.4f}"}


COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]


def worst_of_many():
    """Return the picture of the worst deviation of k coin files."""
    return le.interactive_figure(
        draw_worst,
        sliders=[
            le.Slider("k", "Fixed", COUNTS, "files", start=1000),
            le.Slider("n", "Measured on", SIZES, "labels", start=1000),
        ],
        rows=worst_rows,
        alt=describe_worst,
        data=worst_numbers,
    )
