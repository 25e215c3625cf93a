"""The interactive figures of the chapter on competitions."""

from functools import cache

import altair as alt
import numpy as np
from scipy.stats import binom

import leaderboard_edu as le

LEAK = le.COLOURS["full_disclosure"]
LEAK_INK = le.TEXT_COLOURS["full_disclosure"]
GREY, GREY_INK = le.COLOURS["independent"], le.TEXT_COLOURS["independent"]

FILES = [1, 2, 5, 10, 20, 50, 100, 200, 300, 500, 700]
FILES += [1000, 1300, 1600, 2000]
LABELS = [1000, 4000, 16_000]


@cache
def best_of(k, n):
    """Return the expected smallest loss of k coin files on n labels."""
    survival = binom.sf(np.arange(n), n, 0.5)  # Pr{more than c wrong}
    return np.sum(survival**k) / n


@cache
def vote_of(k, n):
    """Return the expected loss of the vote of k coin files."""
    return 1 - le.boosting_accuracy(n=n, k=k)


def two_uses(narrow):
    """Say above the curves what Eve does with her files."""
    luckiest = "the luckiest: Eve keeps the best of her coin files"
    vote = "their vote: at each label Eve takes what most files say,\n"
    vote += "once those worse than one half are flipped"
    if narrow:
        luckiest = "the luckiest: Eve’s best file"
        vote = (
            "their vote: at each label what\nmost files say, once those\n"
        )
        vote += "worse than one half are flipped"
    place = alt.Chart(alt.Data(values=[{}]))
    look = {"align": "left", "baseline": "top", "lineBreak": "\n", "dx": 4}
    return [
        place.mark_text(text=text, color=ink, dy=dy, **look).encode(
            x=alt.datum(0), y=alt.datum(ABOVE[narrow])
        )
        for text, ink, dy in ((luckiest, GREY_INK, 0), (vote, LEAK_INK, 18))
    ]


ABOVE = (0.7, 0.72)  # the height of these words, wide and narrow


def draw_rates(narrow):
    """Draw what k coin files make of the board: chosen, and added up."""
    x = alt.X("k:Q", title="coin files sent to the board")
    x = x.scale(domain=[0, 2060], nice=False)
    x = x.axis(
        values=[1, 500, 1000, 1500, 2000],
        format=",d",
        grid=False,
        labelFlush=20 if narrow else True,  # the last one stays on the page
    )
    y = {
        "scale": alt.Scale(domain=[0, ABOVE[narrow]], nice=False),
        "axis": alt.Axis(
            values=np.arange(6) / 10, format=".1f", titleAnchor="start"
        ),
        "title": "loss on the board",
    }
    curves = alt.Chart(alt.NamedData("curves")).encode(x=x)
    now = alt.Chart(alt.NamedData("now")).encode(x=x)
    truth = {"y": alt.datum(0.5)}
    place = alt.Chart(alt.Data(values=[{}]))
    grip = now.transform_calculate(top="0.55", low="0").encode(
        y="low:Q", y2="top:Q"
    )
    band = {"strokeWidth": 24, "color": le.PAPER["muted"]}
    layers = [
        grip.mark_rule(opacity=0.13, **band),
        place.mark_rule(strokeDash=[6, 4]).encode(**truth),
        *two_uses(narrow),
    ]
    words = {"align": "right", "dy": -8}
    layers.append(
        place.mark_text(text="on fresh labels", **words).encode(
            x=alt.datum(2000), **truth
        )
    )
    for name, colour, ink in (
        ("best", GREY, GREY_INK),
        ("vote", LEAK, LEAK_INK),
    ):
        loss = alt.Y(f"{name}:Q", **y)
        tip = [
            alt.Tooltip("k:Q", title="files", format=","),
            alt.Tooltip(f"{name}:Q", title=name, format=".4f"),
        ]
        layers += [
            curves.mark_line(color=colour, strokeWidth=3).encode(y=loss),
            now.mark_circle(color=colour, size=130, opacity=1).encode(
                y=loss, tooltip=tip
            ),
        ]
        look = {"color": ink, "fontWeight": "bold", "dy": 18}
        if name == "best":  # under the end of its curve, which is flat
            words = curves.transform_filter(f"datum.k == {FILES[-1]}")
            words = words.mark_text(
                text="the luckiest", align="right", **look
            )
            layers.append(words.encode(y=loss))
            continue
        text = {"y": loss, "text": f"vote_{'short' * narrow or 'says'}:N"}
        early, late = (
            now.transform_filter(f"datum.k {where} 1000")
            for where in ("<", ">=")
        )
        below = {"y": alt.datum(0.12)}  # where no curve comes so early
        layers += [
            early.mark_text(align="left", dx=16, **look).encode(
                **text | below
            ),
            late.mark_text(align="right", dx=-16, **look).encode(**text),
        ]
    handle = grip.mark_rule(opacity=0, **band)  # above all, for the hand
    return alt.layer(*layers, handle.properties(name="handle")).properties(
        height=400 if narrow else 350
    )


def two_rates():
    """Return the picture of the best of k and of the vote of k."""

    def rows(k, n):
        best, vote = best_of(k, n), vote_of(k, n)
        return {
            "curves": {
                "k": FILES,
                "best": [best_of(each, n) for each in FILES],
                "vote": [vote_of(each, n) for each in FILES],
            },
            "now": {
                "k": [k],
                "best": [best],
                "vote": [vote],
                "vote_says": [f"their vote {vote:.3f}"],
                "vote_short": [f"vote {vote:.3f}"],
            },
        }

    def numbers(k, n):
        return {
            "luckiest": f"{best_of(k, n):.3f}",
            "vote": f"{vote_of(k, n):.3f}",
        }

    def describe(k, n):
        best, vote = numbers(k, n).values()
        files = f"{k:,} coin file{'s' * (k > 1)}"
        return (
            f"Of {files} on {n:,} hidden labels the luckiest has a loss "
            f"of {best} on average, their vote {vote}. On fresh labels all "
            "of them have one half."
        )

    return le.interactive_figure(
        draw_rates,
        sliders=[
            le.Slider("k", "After", FILES, "files", start=1000),
            le.Slider("n", "On", LABELS, "labels", start=4000),
        ],
        rows=rows,
        alt=describe,
        data=numbers,
        drag=("k", "x"),
    )


def law_rows(k, n=1000):
    """Return the laws of one loss and of the smallest of k."""
    wrong = np.arange(round(0.395 * n), round(0.562 * n) + 1)
    law = binom.sf(wrong - 1, n, 0.5) ** k - binom.sf(wrong, n, 0.5) ** k
    single = binom.pmf(wrong, n, 0.5)
    return {
        "law": {"loss": wrong / n, "one": single, "best": law},
        "best": {"loss": [best_of(k, n)], "height": [law.max()]},
    }


def draw_law(narrow):
    """Draw the law of the smallest of k losses, beside that of one."""
    loss = alt.X("loss:Q", title="loss on the board")
    loss = loss.scale(domain=[0.395, 0.56], nice=False).axis(tickCount=6)
    height = alt.Y("one:Q", title="probability").scale(
        domain=[0, 0.14], nice=False
    )
    law = alt.Chart(alt.NamedData("law")).encode(x=loss)
    area = {"interpolate": "step", "opacity": 0.65}
    leak, grey = le.COLOURS["full_disclosure"], le.COLOURS["independent"]
    best = alt.Chart(alt.NamedData("best")).encode(x="loss:Q", y="height:Q")
    own = alt.Chart(alt.Data(values=[{"x": 0.5}]))
    return alt.layer(
        law.mark_area(color=grey, **area).encode(y=height),
        law.mark_area(color=leak, **area).encode(
            y="best:Q", tooltip=["loss:Q", "best:Q"]
        ),
        own.mark_rule(strokeDash=[6, 4]).encode(x="x:Q"),
        own.mark_text(
            align="left", dx=12, y=200, text="a single one"
        ).encode(x="x:Q"),
        own.mark_text(align="left", dx=5, y=12, text="the truth").encode(
            x="x:Q"
        ),
        best.mark_text(
            align="center",
            dy=-12,
            text="the best",
            fontWeight="bold",
            color=le.TEXT_COLOURS["full_disclosure"],
        ),
    ).properties(height=300)


COUNTS = [2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]


def law_of_the_best():
    """Return the picture of the law of the smallest of k losses."""

    def describe(k):
        """Say what the figure shows for k submissions."""
        return (
            f"The law of the smallest of {k} losses, beside that of one: "
            f"it is {best_of(k, 1000):.4f} on average; every true risk is "
            "one half, dashed."
        )

    def numbers(k):
        """Return the mean on the board, and how far off it is."""
        mean = best_of(k, 1000)
        return {
            "mean loss": f"{mean:.4f}",
            "below the risk": f"{0.5 - mean:.4f}",
        }

    slider = le.Slider("k", "Best of", COUNTS, "submissions", start=1000)
    return le.interactive_figure(
        draw_law,
        sliders=[slider],
        rows=law_rows,
        alt=describe,
        data=numbers,
    )


ALL = "contest == 'all'"
CALM = f"{ALL} && !length(data('pointed_store'))"
ALONE = {"or": [{"param": "pointed", "empty": False}, f"!({ALL})"]}


def draw_lines(lines, pointed):
    """Draw a line for each team and contest, Eve's last."""
    told = (
        alt.Tooltip("contest:O"),
        alt.Tooltip("team:N"),
        alt.Tooltip("risk:Q", title="true risk", format=".3f"),
        alt.Tooltip("seen:Q", title="public loss", format=".3f"),
        alt.Tooltip("public:O", title="public rank"),
        alt.Tooltip("final:Q", title="private loss", format=".3f"),
        alt.Tooltip("private:O", title="private rank"),
    )
    x, x2 = alt.datum(0), alt.datum(1)
    ends = lines.encode(x=x, x2=x2, y="left:Q", y2="right:Q")
    seen = [
        ends.transform_filter(which)
        .mark_rule(color=le.COLOURS[name])
        .encode(
            opacity=alt.condition(
                pointed, alt.value(opacity), alt.value(0.07)
            ),
            strokeWidth=alt.condition(
                pointed,
                alt.value(3),
                alt.value(alt.ExprRef(f"{ALL} ? {width} : 3")),
                empty=False,
            ),
        )
        for which, name, width, opacity in (
            ("!datum.eve", "independent", 1, 0.6),
            ("datum.eve", "full_disclosure", 1.5, 1),
        )
    ]
    felt = ends.mark_rule(strokeWidth=9, opacity=0).encode(tooltip=told)
    return alt.layer(*seen, felt.add_params(pointed))


def draw_names(lines, place):
    """Name the teams of the contest that is shown alone, with losses."""
    names = lines.transform_filter(ALONE).transform_calculate(
        left_name="datum.team + '  ' + format(datum.seen, '.3f')",
        right_name="format(datum.final, '.3f') + '  ' + datum.team",
    )
    leak, ink = (
        alt.value(le.TEXT_COLOURS[name])
        for name in ("full_disclosure", "theory")
    )
    colour = alt.condition("datum.eve", leak, ink)
    return [
        names.mark_text(align=align, fontSize=12).encode(
            x=alt.datum(x), y=f"{rank}:Q", text=f"{name}:N", color=colour
        )
        for name, rank, x, align in (
            ("left_name", "public", -place, "right"),
            ("right_name", "private", 1 + place, "left"),
        )
    ]


def write(x, y, text, colour, align="center", **look):
    """Write words at a place."""
    look |= {"color": le.TEXT_COLOURS[colour], "lineBreak": "\n"}
    return (
        alt.Chart(alt.Data(values=[{}]))
        .mark_text(text=text, align=align, **look)
        .encode(x=alt.datum(x), y=alt.datum(y))
    )


def draw_words(narrow, place, last):
    """Write what the sides are, and who is who until one is pointed at."""
    sides, when = (
        ("public rank", "private rank"),
        ("all along", "at the end"),
    )
    if not narrow:
        sides = ("rank on the public board", "rank on the private labels")
        when = ("while the contest runs", "once, at the end")
    bold = {"fontWeight": "bold"}
    small = {"fontSize": 13 - narrow}
    calm = {"opacity": alt.ExprRef(f"{CALM} ? 1 : 0")}
    others = "grey:\n11 teams\nwith skill"
    beside = place + 0.06 * narrow  # clear of the ranks
    leak = "full_disclosure"
    return [
        *(
            write(x, y, text, "theory", **look)
            for y, side, look in ((-0.7, sides, bold), (-0.1, when, {}))
            for x, text in zip((-0.1, 1.1), side, strict=True)
        ),
        write(
            -beside,
            1,
            "Eve,\nno skill:\nalways\nfirst"
            if narrow
            else "Eve, no skill:\nfirst in all 20",
            leak,
            "right",
            **bold,
            **small,
            **calm,
        ),
        write(
            1 + beside,
            11.7 - 1.2 * narrow,
            f"Eve: last\nin {last} of 20"
            if not narrow
            else f"Eve:\nlast in\n{last} of\n20",
            leak,
            "left",
            **bold,
            **small,
            **calm,
        ),
        write(-beside, 6, others, "independent", "right", **small, **calm),
    ]


def draw_shake_up(narrow, last):
    """Draw the ranks at the left and at the right, and join them."""
    reach, place = (0.76, 0.18) if narrow else (0.42, 0.12)
    x = (
        alt.X("x:Q")
        .axis(None)
        .scale(domain=[-reach, 1 + reach], nice=False)
    )
    y = alt.Y("y:Q").axis(None).scale(domain=[12.6, -1.1], nice=False)
    pointed = alt.selection_point(
        "pointed", fields=["contest"], on="mouseover", clear="mouseout"
    )
    lane = f"({ALL} ? (datum.contest - 10.5) / 30 : 0)"
    lines = (
        alt.Chart(alt.NamedData("lines"))
        .transform_filter(f"{ALL} || datum.contest == contest")
        .transform_calculate(
            left=f"datum.public + {lane}", right=f"datum.private + {lane}"
        )
    )
    sides = (-place / 2, 1 + place / 2)
    places = [{"x": x, "y": y} for x in sides for y in range(1, 13)]
    numbers = alt.Chart(alt.Data(values=places)).mark_text(fontSize=12)
    return (
        alt.layer(
            numbers.encode(x=x, y=y, text="y:Q"),
            draw_lines(lines, pointed),
            *draw_names(lines, place),
            *draw_words(narrow, place, last),
        )
        .add_params(alt.param(name="contest", value="all"))
        .properties(height=420)
    )


def shake_up(teams, risks, losses, ranks):
    """Return the picture of ranks in public and in private.

    Losses and ranks are arrays of contests, public and private, and
    teams; Eve is the second team.
    """

    def rows(contest):
        """Return all lines of all contests."""
        which, team = (place.ravel() for place in np.indices((20, 12)))
        public, private = ranks[which, :, team].T
        seen, final = losses[which, :, team].T
        return {
            "lines": {
                "contest": which + 1,
                "team": np.array(teams)[team],
                "eve": team == 1,
                "public": public,
                "private": private,
                "seen": seen,
                "final": final,
                "risk": np.array(risks)[team],
            }
        }

    def numbers(contest):
        """Return what Eve got in public and in private, and who won."""
        at = slice(None) if contest == "all" else [contest - 1]

        def span(values):
            *others, last = sorted(set(values.tolist()))
            return (
                f"{', '.join(map(str, others))} or {last}"
                if others
                else str(last)
            )

        (seen, final), (public, private) = (
            values[at, :, 1].T for values in (losses, ranks)
        )
        winners = ranks[at, 1].argmin(axis=1)
        then = ranks[at, 0][np.arange(winners.size), winners]
        return {
            "Eve, public loss": f"{seen.mean():.3f}",
            "rank": span(public),
            "Eve, private loss": f"{final.mean():.3f}",
            "rank then": span(private),
            "winner": ", ".join(sorted({teams[w] for w in winners})),
            "winner's public rank": span(then),
        }

    def describe(contest):
        """Say where Eve was in public and where she is in private."""
        seen, public, final, private, winner, then = numbers(
            contest
        ).values()
        where, mean = f"In contest {contest}", ""
        won = f"The winner, {winner}, had been"
        if contest == "all":
            where, mean, won = (
                "In all 20 contests",
                " on average",
                "The winners had been",
            )
        return (
            f"{where} Eve is number {public} of 12 on the public board, "
            f"with a loss of {seen}{mean}, and number {private} on the "
            f"private labels, with {final}. {won} number {then} in public."
        )

    last = str((ranks[:, 1, 1] == 12).sum())
    return le.interactive_figure(
        lambda narrow: draw_shake_up(narrow, last),
        sliders=[le.Slider("contest", "Contest", ["all", *range(1, 21)])],
        rows=rows,
        alt=describe,
        data=numbers,
    )
