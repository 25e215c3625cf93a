"""The interactive figures of the chapter on the boosting attack.

With its numbers.
"""

import math

import altair as alt
import numpy as np
from scipy.stats import binom

import leaderboard_edu as le

LEAK = le.COLOURS["full_disclosure"]
LEAK_INK = le.TEXT_COLOURS["full_disclosure"]
GREY, GREY_INK = le.PAPER["pale"], le.TEXT_COLOURS["independent"]
MIDDLE, INK = le.COLOURS["independent"], le.PAPER["text"]

FILES = [1, 10, 50, 100, 200, 300, 500, 700, 1000, 1300, 1600, 2000]
LABELS = [100, 400, 1000, 4000]


def edge(n):
    """Return by how much a vote beats a coin: half the middle bar."""
    return binom.pmf(n // 2, n - 1, 0.5) / 2


def vote_loss(k, n, precision=None):
    """Return the expected loss of the vote of k coin files."""
    return 1 - le.boosting_accuracy(n=n, k=k, precision=precision)


def luckiest_loss(k, n):
    """Return the expected smallest loss of k coin files."""
    return np.sum(binom.sf(np.arange(n), n, 0.5) ** k) / n


def block_loss(k, n):
    """Return the expected loss after flipping k blocks."""
    sizes = np.diff(np.arange(k + 1) * n // k) if k < n else np.ones(n)
    return 0.5 - np.sum(sizes * edge(sizes)) / n


def weighed_loss(k, n, m, rng, runs):
    """Return the mean loss of a weighed vote of k coin files.

    The board shows losses in steps of 1/m, and a file weighs one half
    minus its loss: if it is shown at one half, it is silent.
    """
    losses = []
    for _ in range(runs):
        bad = rng.integers(0, 2, (k, n))  # where a file is wrong
        shown = (2 * bad.sum(axis=1) * m + n) // (2 * n)  # halves go up
        lead = (m - 2 * shown) @ (1 - 2 * bad)  # of right over wrong
        losses.append(np.mean(lead < 0) + np.mean(lead == 0) / 2)
    return np.mean(losses)


def lowest_loss(k, n):
    """Return a mean loss that k exact losses of coins never undercut."""
    return max(0, 0.5 - math.sqrt(k * math.log(n + 1) / (2 * n)))


def furthest(k, n, values=None, delta=0.05):
    """Return how far k scores, heard by one analyst, are from the truth."""
    values = n + 1 if values is None else values
    files = (values ** int(k) - 1) // (
        values - 1
    )  # after 0, 1, … k - 1 answers
    risk = math.log(2 * files) - math.log(delta)  # files may be huge
    return math.sqrt(risk / (2 * n))


def best_known(k, n, rng, runs):
    """Return the mean loss of the best known attack on coin labels."""
    losses = []
    for _ in range(runs):
        labels = rng.integers(0, 2, n)
        ask = le.FullDisclosure(labels).submit
        attack = le.block_attack if k < 20 else le.least_squares_attack
        attack = le.message_passing_attack if 3 * k > n else attack
        read = attack(ask, n=n, k=k, rng=rng).predictions
        losses.append(np.mean(read != labels))
    return np.mean(losses)


def draw_bars(narrow):
    """Draw the law of the other labels, and where this one decides."""
    bars = alt.Chart(alt.NamedData("bars"))
    places = alt.Chart(alt.NamedData("places"))
    x = alt.X("from:Q", title="wrong labels among the others")
    x = x.scale(zero=False, nice=False)
    x = x.axis(tickCount=5, format=",d")
    y = alt.Y("height:Q", axis=None).scale(domain=[0, 0.56], nice=False)
    chance = alt.Tooltip("chance:Q", title="probability", format=".5f")
    colour = alt.Color("decides:N", legend=None).scale(
        domain=[False, True], range=[GREY, LEAK]
    )
    look = {"baseline": "top", "lineBreak": "\n", "lineHeight": 16}
    look["fontSize"] = 12 if narrow else 13
    coin = "a coin" if narrow else "this label is a coin"
    words = [
        places.mark_text(color=GREY_INK, **look).encode(
            x=f"{side}:Q",
            y=alt.datum(0.555),
            text=alt.datum(f"{does if narrow else name}:\n{coin}"),
        )
        for side, does, name in (
            ("left", "kept", "Eve keeps the file"),
            ("right", "flipped", "Eve flips the file"),
        )
    ]
    return alt.layer(
        bars.mark_rect().encode(
            x=x,
            x2="to:Q",
            y=y,
            y2=alt.Y2Datum(0),
            color=colour,
            tooltip=[alt.Tooltip("wrong:Q", title="wrong labels"), chance],
        ),
        places.mark_rule(color=LEAK).encode(
            x="middle:Q", y="top:Q", y2=alt.Y2Datum(0.46)
        ),
        places.mark_text(color=LEAK_INK, fontWeight="bold", **look).encode(
            x="middle:Q", y=alt.datum(0.555), text="decides:N"
        ),
        *words,
    ).properties(height=210)


def draw_losses(narrow):
    """Draw the loss of the vote against the number of files."""
    x = alt.X("k:Q", title="coin files sent to the board")
    x = x.scale(domain=[0, 2000], nice=False)
    x = x.axis(values=[1, 500, 1000, 1500, 2000], format=",d", grid=False)
    y = alt.Y("loss:Q", title="loss of their vote")
    y = y.scale(domain=[0, 0.56], nice=False)
    y = y.axis(values=[0, 0.1, 0.2, 0.3, 0.4, 0.5], format=".1f")
    tip = [
        alt.Tooltip("k:Q", title="files", format=","),
        alt.Tooltip("loss:Q", title="loss", format=".4f"),
    ]
    curve = alt.Chart(alt.NamedData("curve")).encode(x=x, y=y)
    now = alt.Chart(alt.NamedData("now")).encode(x=x, y=y)
    place = alt.Chart(alt.Data(values=[{}]))
    truth = {"y": alt.datum(0.5)}
    handle = now.mark_circle(color=LEAK, size=160, opacity=1)
    return alt.layer(
        place.mark_rule(strokeDash=[6, 4]).encode(**truth),
        place.mark_text(
            align="right", baseline="bottom", dy=-2, text="a coin"
        ).encode(x=alt.datum(2000), **truth),
        curve.mark_line(color=LEAK, strokeWidth=3),
        handle.encode(tooltip=tip).properties(name="handle"),
        *(
            now.transform_filter(which)
            .mark_text(color=LEAK_INK, fontWeight="bold", align=side, dx=dx)
            .encode(y="note:Q", text="loss_says:N" if narrow else "says:N")
            for which, side, dx in (
                ("datum.k < 1000", "left", 6),
                ("datum.k >= 1000", "right", -6),
            )
        ),
    ).properties(height=170)


def pivotal_vote():
    """Return the picture of the one bar that leaks, and of the vote."""

    def rows(k, n):
        spread = 3.2 * math.sqrt(n) / 2
        middle = n // 2
        wrong = np.arange(
            math.ceil(middle - spread), math.floor(middle + spread) + 1
        )
        law = binom.pmf(wrong, n - 1, 0.5)
        height = law * math.sqrt(n) / 2  # the whole area is one
        loss = vote_loss(k, n)
        often = round(1 / (2 * edge(n)))
        note = loss - 0.05 if k >= 1000 and loss > 0.06 else loss + 0.05
        note = 0.535 if 0.47 < note < 0.535 else note  # clear of "a coin"
        return {
            "bars": {
                "from": wrong - 0.5,
                "to": wrong + 0.5,
                "wrong": wrong,
                "height": height,
                "chance": law,
                "decides": wrong == middle,
            },
            "places": {
                "left": [middle - 0.72 * spread],
                "middle": [middle],
                "right": [middle + 0.72 * spread],
                "top": [height[wrong == middle][0]],
                "decides": [f"this label decides\n1 file in {often}"],
            },
            "curve": {
                "k": FILES,
                "loss": [vote_loss(each, n) for each in FILES],
            },
            "now": {
                "k": [k],
                "loss": [loss],
                "note": [note],
                "says": [f"{k:,} hint{'s' * (k > 1)}: loss {loss:.3f}"],
                "loss_says": [f"loss {loss:.3f}"],
            },
        }

    def numbers(k, n):
        return {
            "loss of the vote": f"{vote_loss(k, n):.3f}",
            "this label decides": f"{2 * edge(n):.4f}",
        }

    def describe(k, n):
        loss, decides = numbers(k, n).values()
        files = f"{k:,} coin file{'s' * (k > 1)}"
        return (
            f"The law of the number of wrong labels among all of {n:,} but "
            "one, a hill of grey bars. At its one orange bar, of "
            f"probability {decides}, this label decides. A vote of {files} "
            f"has a loss of {loss} on average."
        )

    def draw(narrow):
        panels = (draw_bars(narrow), draw_losses(narrow))
        width = 246 if narrow else 562
        return alt.vconcat(*(p.properties(width=width) for p in panels))

    return le.interactive_figure(
        draw,
        sliders=[
            le.Slider("k", "Add up", FILES, "files", start=1000),
            le.Slider("n", "On", LABELS, "labels", start=4000),
        ],
        rows=rows,
        alt=describe,
        data=numbers,
        drag=("k", "concat_1_x"),
    )


LOOKS = {
    "as it is": (LEAK, LEAK_INK),
    "flipped": (MIDDLE, GREY_INK),
    "should be flipped": (INK, INK),
}
PLACES = {  # of the notes: alignment, x and y
    "as it is": ("right", 0.494, 1.1),
    "flipped": ("right", 0.547, 0.77),
    "should be flipped": ("left", 0.504, 1.1),
}
STEPS = (1000, 100, 50, 33, 32, 20, 11, 10, 5, 2)
PRECISIONS = ["exact", *(f"1/{m}" for m in STEPS)]


def rounded_loss(precision, n=1000, k=1000):
    """Return the expected loss of the vote when losses are rounded."""
    m = None if precision == "exact" else precision
    return vote_loss(k, n, precision=m)


def precision_rows(precision, n=1000, k=1000):
    """Return the law of a file's wrong labels, with its votes."""
    m = None if precision == "exact" else precision
    board = le.FullDisclosure(np.zeros(n), precision=m)
    spread = math.ceil(3 * math.sqrt(n) / 2)
    wrong = np.arange(n // 2 - spread, n // 2 + spread + 1)
    kept = np.array([board.submit(np.arange(n) < c) <= 0.5 for c in wrong])
    bad = np.where(2 * wrong > n, "should be flipped", "as it is")
    law = binom.pmf(wrong, n, 0.5)
    loss = rounded_loss(precision, n, k)
    return {
        "law": {
            "from": (wrong - 0.5) / n,
            "to": (wrong + 0.5) / n,
            "wrong": wrong,
            "height": law / law.max(),
            "chance": law,
            "vote": np.where(kept, bad, "flipped"),
        },
        "losses": {
            "precision": PRECISIONS,
            "loss": [rounded_loss(each, n, k) for each in PRECISIONS],
        },
        "now": {
            "precision": [precision],
            "loss": [loss],
            "note": [loss + (0.06 if loss > 0.23 else -0.06)],
        },
    }


def draw_votes():
    """Draw how many labels of a coin file are wrong, by its vote."""
    share = alt.X("from:Q", title="loss of a coin file")
    share = share.scale(domain=[0.452, 0.548], nice=False)
    share = share.axis(format=".2f", values=np.arange(46, 55, 2) / 100)
    height = alt.Y("height:Q", axis=None).scale(domain=[0, 1.2])
    vote = alt.Color("vote:N", legend=None).scale(
        domain=list(LOOKS), range=[colour for colour, _ in LOOKS.values()]
    )
    chance = alt.Tooltip("chance:Q", title="probability", format=".4f")
    count = alt.Tooltip("wrong:Q", title="wrong labels")
    law = alt.Chart(alt.NamedData("law"))
    bars = law.mark_rect(clip=True).encode(
        x=share,
        x2="to:Q",
        y=height,
        y2=alt.Y2Datum(0),
        color=vote,
        tooltip=[count, "vote:N", chance],
    )
    notes = [
        law.transform_aggregate(count="count()", groupby=["vote"])
        .transform_filter(alt.datum.vote == name)
        .mark_text(
            align=side,
            text=name if name == "should be flipped" else f"votes {name}",
            color=LOOKS[name][1],
        )
        .encode(x=alt.datum(x), y=alt.datum(y))
        for name, (side, x, y) in PLACES.items()
    ]
    half = alt.Chart(alt.Data(values=[{}])).mark_rule(strokeDash=[2, 3])
    half = half.encode(x=alt.datum(0.5))
    return alt.layer(bars, half, *notes).properties(height=180)


def draw_rounded(narrow):
    """Draw what the vote gets at each precision."""
    turned = {"labelAngle": -60 if narrow else 0}
    x = alt.X("precision:N", title="precision", sort=PRECISIONS)
    x = x.axis(**turned).scale(padding=1.1)
    y = alt.Y("loss:Q", title="loss of the vote").axis(
        format=".1f", values=[0.2, 0.3, 0.4, 0.5], titleAnchor="end"
    )
    y = y.scale(domain=[0.12, 0.6], nice=False, zero=False)
    told = alt.Tooltip("loss:Q", title="loss", format=".3f")
    losses = alt.Chart(alt.NamedData("losses")).encode(
        x=x, y=y, tooltip=["precision:N", told]
    )
    now = alt.Chart(alt.NamedData("now")).encode(x=x, y=y)
    text = now.mark_text(fontWeight="bold")
    handle = now.mark_point(color=LEAK, size=220, filled=True, opacity=1)
    return alt.layer(
        losses.mark_line(color=LEAK, opacity=0.4),
        losses.mark_point(color=LEAK, filled=True, size=40, opacity=1),
        handle.properties(name="handle"),
        text.encode(y="note:Q", text=alt.Text("loss:Q", format=".3f")),
    ).properties(height=110)


def by_precision():
    """Return the picture of what rounding does to the votes."""

    def describe(precision):
        """Say what the figure shows for this precision."""
        exact = precision == "exact"
        shown = "exact" if exact else f"rounded to multiples of {precision}"
        votes = precision_rows(precision)["law"]["vote"]
        cancel = "votes that should be flipped cancel good ones"
        if "should be flipped" not in votes:
            cancel = "every file that is mostly wrong votes flipped"
        return (
            "How many of 1,000 labels a coin file gets wrong. Its loss is "
            f"{shown}, and {cancel}. "
            f"The vote of 1,000 files has a loss of "
            f"{rounded_loss(precision):.3f} on average."
        )

    def draw(narrow):
        panels = (draw_votes(), draw_rounded(narrow))
        width = 258 if narrow else 562
        return alt.vconcat(*(p.properties(width=width) for p in panels))

    return le.interactive_figure(
        draw,
        sliders=[
            le.Slider("precision", "Precision", PRECISIONS, start="1/20")
        ],
        rows=precision_rows,
        alt=describe,
        data=lambda precision: {"loss": f"{rounded_loss(precision):.3f}"},
        drag=("precision", "concat_1_x"),
    )
