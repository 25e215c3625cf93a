"""The pictures of the chapter on what a silent board answers."""

from collections import Counter
from functools import cache
from itertools import product

import altair as alt
import numpy as np

import boards
import few_files
import knows_half
import leaderboard_edu as le
from pictures.mechanisms_compared import (
    INK,
    LABELS,
    NAME,
    gained_by,
    luckiest,
)

BORDER = 2900  # with one wrong label fewer the board moves
STOOD = [BORDER + above for above in range(4)]


def turned(wrong):
    """Return the cases of three guesses that are turned, and their ends.

    A case says of each guess whether it was wrong; with all three turned
    the file that had so many wrong labels has the number beside it.
    """
    cases = product([True, False], repeat=3)
    return {case: wrong + 3 - 2 * sum(case) for case in cases}


def turned_rows(wrong):
    """Return each letter of the eight cases, and her file."""
    letters, heights = [], Counter()
    for case, end in turned(wrong).items():
        heights[end] += 1
        letters += [
            (end, heights[end], i, "w" if each else "r")
            for i, each in enumerate(case)
        ]
    names = "end", "height", "place", "letter"
    columns = map(list, zip(*letters, strict=True))
    return {
        "letters": dict(zip(names, columns, strict=True)),
        "now": {"end": [wrong], "height": [0]},
    }


def right_after(wrong):
    """Return in how many cases the board moves, and what is right then.

    Of the three guesses, on average, if she keeps them turned just if the
    board moves.
    """
    ends = turned(wrong)
    moves = [case for case, end in ends.items() if end < BORDER]
    right = [sum(c) if c in moves else 3 - sum(c) for c in ends]
    return len(moves), sum(right) / len(ends)


def turned_numbers(wrong):
    """Return it in words."""
    moves, right = right_after(wrong)
    return {
        "the board moves": f"{moves} of 8 cases",
        "guesses right, on average": f"{right:g} of 3",
    }


def describe_turned(wrong):
    """Say it."""
    moves, right = turned_numbers(wrong).values()
    return (
        f"From {wrong:,} wrong labels the board moves in {moves}. Eve "
        f"keeps what moved, and has {right} guesses right on average."
    )


def draw_turned(narrow):
    """Draw the eight cases, the border, and where her file stands."""
    width, apart, aside = (262, 9, 3) if narrow else (552, 21, 0)
    ink, blue = INK["full_disclosure"], INK["simplified"]
    letters = alt.Chart(alt.NamedData("letters"))
    now = alt.Chart(alt.NamedData("now"))
    place = alt.Chart(alt.Data(values=[{}]))
    span = [BORDER + 6.6, BORDER - 3.6]  # fewer wrong labels to the right
    x = alt.X("end:Q", title="wrong labels, three guesses turned")
    x = x.scale(domain=span, nice=False)
    values = [BORDER + each for each in range(-3, 7, 3)]
    x = x.axis(values=values, format=",d", grid=False)
    y = alt.Y("height:Q", axis=None).scale(domain=[-0.7, 4.6], nice=False)
    look = {"fontSize": 12 if narrow else 16, "baseline": "middle"}
    words = [
        letters.transform_filter(
            f"datum.place == {i} && datum.letter == '{letter}'"
        )
        .mark_text(
            dx=aside + apart * (i - 1),
            color=colour,
            fontWeight=bold,
            **look,
        )
        .encode(x=x, y=y, text="letter:N")
        for i, bold in enumerate(["bold", "normal", "normal"])
        for letter, colour in (("w", ink), ("r", INK["independent"]))
    ]
    at_border = {"x": alt.datum(BORDER - 0.5)}
    top = {"fontSize": 13, "baseline": "top", "color": blue}
    here = now.encode(x=x, y=y)
    handle = here.mark_circle(
        color=le.COLOURS["full_disclosure"], size=160, opacity=1
    )
    tip = [alt.Tooltip("end:Q", format=",", title="her file")]
    return alt.layer(
        *words,
        place.mark_rule(
            color=le.COLOURS["simplified"], strokeWidth=2.5
        ).encode(**at_border),
        *(
            place.mark_text(text=text, align=side, dx=dx, **top).encode(
                **at_border, y=alt.YDatum(4.6, axis=None)
            )
            for text, side, dx in (
                ("it prints 0.73", "right", -6),
                ("0.72", "left", 6),
            )
        ),
        handle.encode(tooltip=tip).properties(name="handle"),
        here.mark_text(
            text="her file",
            align="right",
            dx=-12,
            fontSize=13,
            color=ink,
            baseline="middle",
        ),
    ).properties(width=width, height=170)


def three_turned():
    """Return the picture of a test of three guesses."""
    return le.interactive_figure(
        draw_turned,
        sliders=[
            le.Slider("wrong", "Her file has", STOOD, "wrong", BORDER)
        ],
        rows=turned_rows,
        alt=describe_turned,
        data=turned_numbers,
        drag=("wrong", "x"),
    )


def draw_borders(ax):
    """Draw the borders of a Ladder, and where Eve's two files stand."""
    step, known = LABELS // 100, LABELS - round(2 * boards.CLOSE * LABELS)
    best = round(boards.CLOSE * LABELS)
    bad = best + known
    for begin, end, look in (
        (best, bad, {"color": le.COLOURS["simplified"], "lw": 1.5}),
        (0, best, {"color": le.COLOURS["independent"], "lw": 0.5}),
    ):
        lines = range(begin - begin % step + step // 2, end, step)
        ax.vlines(lines, 0, 1, **look)
    leak = {"color": le.COLOURS["full_disclosure"], "clip_on": False}
    ink = {"color": le.TEXT_COLOURS["full_disclosure"], "va": "bottom"}
    narrow = ax.figure.get_figwidth() < 4
    begins = "bad" if narrow else "bad on purpose"
    for at, words, side, shift in (
        (bad, begins, "left", 50),
        (best, "best file", "right", 0),
    ):
        ax.plot([at], [1.25], "v", ms=8, **leak)
        ax.text(at + shift, 1.5, words, ha=side, **ink)
    grey = {"color": le.TEXT_COLOURS["independent"], "va": "bottom"}
    if not narrow:
        ax.text(0, 1.5, "hardly in reach", ha="right", **grey)
    ax.annotate(
        "",
        (best + 60, 1.25),
        (bad - 60, 1.25),
        arrowprops={"arrowstyle": "->", "color": leak["color"]},
    )
    ax.set(xlim=(3050, 0), ylim=(0, 2.1), yticks=[])
    ax.set(xlabel="wrong labels, of 4,000; a line is a border")
    ax.set_xticks([3000, 2000, 1000, 0], ["3,000", "2,000", "1,000", "0"])


def answers_to(above):
    """Return what draws tests: each file before and after its flips.

    Before it stands right above the border; a stem leads to where it is
    with a block flipped.
    """

    def draw(ax):
        narrow = ax.figure.get_figwidth() < 4
        for name, mark, words, at, here in (
            ("independent", "o", "half or more right:\nsilence", 12, False),
            (
                "full_disclosure",
                "s",
                "most were wrong:\nit moves",
                -13,
                True,
            ),
        ):
            files = [
                (i, each)
                for i, each in enumerate(above, 1)
                if (each < 0) == here
            ]
            x, y = zip(*files, strict=True)
            ax.vlines(x, 0, y, color=le.COLOURS[name], lw=1)
            ax.plot(x, y, mark, ms=5, color=le.COLOURS[name])
            for i, each in files if here and not narrow else ():
                look = {"color": le.TEXT_COLOURS[name], "ha": "center"}
                ax.text(i, each - 2, f"{-each}", va="top", **look)
            look = {"color": le.TEXT_COLOURS[name], "va": "center"}
            ax.text(len(above) + 0.7, at, words, **look)
        ax.axhline(0, color=le.COLOURS["simplified"])
        look = {"color": INK["simplified"], "va": "bottom"}
        ax.text(len(above) + 0.7, 0.3, "the border", **look)
        ax.set(xlabel="tests, one by one", ylabel="labels above")
        ax.set(ylim=(min(above) - 9, max(above) + 2))
        ticks = range(1, len(above) + 1, 5 if narrow else 1)
        ax.set(xlim=(0, 1.5 * len(above)), xticks=ticks)

    return draw


TESTED = {  # name, colour and mark of each board, and how high its name is
    "simplified Ladder, 1/100": ("simplified", "simplified", "s", 0.25),
    "exact losses": ("every score", "full_disclosure", "o", 1),
}


def draw_tests(ax):
    """Draw what one account gains against its files, and two formulas."""
    files, wrong = np.array(few_files.LIMITS), boards.CLOSE * LABELS
    narrow = ax.figure.get_figwidth() < 4
    ks = np.geomspace(files[0], files[-1], 50)
    law = 0.4 * np.sqrt(ks * 2 * wrong) / wrong
    ax.plot(ks, law, "--", color=le.COLOURS["theory"])
    ax.text(1250, law[-1], "formula", va="center")
    luck = [luckiest(round(k)) for k in ks]
    ax.plot(ks, luck, "--", color=le.COLOURS["independent"])
    look = {"color": INK["independent"], "va": "center"}
    ax.text(1250, luck[-1], "luck alone", **look)
    for board, (name, colour, mark, y) in TESTED.items():
        shares = [gained_by(board, 1, int(k)) for k in files]
        ax.plot(files, shares, f"{mark}-", color=le.COLOURS[colour])
        look = {"color": le.TEXT_COLOURS[colour], "va": "center"}
        ax.text(1250, y, name, **look)
    ax.set(xscale="log", xlim=(18, 18_000 if narrow else 5000))
    ticks = files[::2] if narrow else files
    ax.set_xticks(ticks, [f"{k:,}" for k in ticks])
    ax.minorticks_off()
    ticks = [0.05, 0.1, 0.2, 0.5, 1]
    ax.set(xlabel="files", ylabel="Eve gains", yscale="log")
    ax.set_yticks(ticks, ["5 %", "10 %", "20 %", "50 %", "all"])
    ax.set(ylim=(0.035, 1.15))
    ax.minorticks_off()


WALKED = [25, 50, 75, 100, 150, 200, 300, 400, 500, 600, 700, 800, 1000]


LAST = 80  # files that are drawn one by one


@cache
def walk(seed=4):
    """Play stairs on the simplified Ladder in hundredths once.

    Return, after each file, by how many labels it was above the border,
    and the loss on the board of the file that Eve would end with.
    """
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, LABELS)
    start = boards.classifier(boards.CLOSE, labels, rng)
    board = boards.BOARDS["simplified Ladder, 1/100"](labels)
    game = boards.Contest(board, NAME, start=start)
    knows_half.stairs(game, rng, eta=0.01, margin=False)
    wrong = np.array([np.sum(file != labels) for file in game.sent])
    shown = np.array(game.shown)
    border = np.append(1.0, shown[:-1]) - 0.005  # half a step below
    moved = np.append(False, shown[1:] < shown[:-1])
    unsure, sent = start == boards.UNSURE, np.array(game.sent)
    lead = np.cumsum(moved[:, None] * (2.0 * sent[:, unsure] - 1), axis=0)
    ends = np.where(lead == 0, sent[:, unsure], lead > 0)
    losses = np.sum(ends != labels[unsure], axis=1) / LABELS
    return wrong - np.rint(LABELS * border), moved, losses


def walk_rows(files, seed=4):
    """Return the last files of a walk, and what their vote would gain."""
    above, moved, losses = walk(seed)
    last = np.arange(max(1, files - LAST), files)
    sent = np.arange(1, NAME + 1)
    return {
        "last": {
            "ago": last + 1 - files,
            "above": above[last],
            "moved": moved[last],
        },
        "curve": {"files": sent[4::5], "loss": losses[4::5]},
        "now": {
            "files": [files],
            "loss": [losses[files - 1]],
            "says": [
                f"{moved[:files].sum()} votes: {losses[files - 1]:.3f}"
            ],
        },
    }


def walk_numbers(files, seed=4):
    """Return the votes so far, and the loss of their file on the board."""
    _, moved, losses = walk(seed)
    return {
        "moves": f"{moved[:files].sum()}",
        "loss on the board": f"{losses[files - 1]:.3f}",
    }


def describe_walk(files, seed=4):
    """Say how far Eve has come."""
    moves, loss = walk_numbers(files, seed).values()
    return (
        f"After {files:,} files the board has moved {moves} times. The "
        f"guesses that moved it vote: their file has a loss of {loss} on "
        f"the board, and {boards.CLOSE} in truth."
    )


def draw_walk(narrow):
    """Draw the last files around the border, and their vote's loss."""
    width = 246 if narrow else 548
    leak, ink = le.COLOURS["full_disclosure"], INK["full_disclosure"]
    last = alt.Chart(alt.NamedData("last"))
    x = alt.X("ago:Q", title=f"her last {LAST} files, one by one")
    x = x.axis(labels=False, ticks=False)
    x = x.scale(domain=[-LAST, 2], nice=False)
    y = alt.Y("above:Q", title="labels above").axis(values=[0, 50, 100])
    y = y.scale(domain=[-55, 185], nice=False)
    place = alt.Chart(alt.Data(values=[{}]))
    blue = {"color": le.COLOURS["simplified"]}
    dots = [
        last.transform_filter(f"{negate}datum.moved")
        .mark_circle(color=colour, size=size, opacity=1, clip=True)
        .encode(x=x, y=y)
        for negate, colour, size in (
            ("!", le.COLOURS["independent"], 22),
            ("", leak, 110),
        )
    ]
    border = place.mark_rule(**blue, strokeWidth=2).encode(y=alt.datum(0))
    words = [
        place.mark_text(
            text=text,
            color=colour,
            align="left",
            baseline="top",
            fontSize=13,
        ).encode(x=alt.datum(-LAST), y=alt.datum(height))
        for text, colour, height in (
            ("the line is the next border", INK["simplified"], 185),
            ("orange crossed it: good guesses", ink, 160),
        )
    ]
    upper = alt.layer(border, *dots, *words).properties(
        width=width, height=170
    )
    x = alt.X("files:Q", title="files sent")
    x = x.scale(domain=[0, NAME], nice=False)
    x = x.axis(values=[1, 250, 500, 750, 1000], format=",d", grid=False)
    y = alt.Y("loss:Q", title="loss of her vote")
    y = y.scale(domain=[0.18, 0.28], nice=False, zero=False)
    y = y.axis(values=[0.18, 0.2, 0.22, 0.24, 0.26, 0.28], format=".2f")
    truth = {"y": alt.datum(boards.CLOSE)}
    curve = alt.Chart(alt.NamedData("curve")).encode(x=x, y=y)
    now = alt.Chart(alt.NamedData("now")).encode(x=x, y=y)
    tip = [alt.Tooltip("files:Q", format=","), alt.Tooltip("loss:Q")]
    handle = now.mark_circle(color=leak, size=160, opacity=1)
    look = {"color": ink, "fontWeight": "bold"}
    lower = alt.layer(
        place.mark_rule(strokeDash=[6, 4]).encode(**truth),
        place.mark_text(
            text="in truth", align="right", baseline="bottom", dy=-3
        ).encode(x=alt.datum(NAME), **truth),
        curve.mark_line(color=leak, strokeWidth=2.5),
        handle.encode(tooltip=tip).properties(name="handle"),
        *(
            now.transform_filter(which)
            .mark_text(align=side, baseline=base, dx=dx, dy=dy, **look)
            .encode(text="says:N")
            for which, side, base, dx, dy in (
                ("datum.loss > 0.25", "left", "bottom", 8, -24),
                (
                    "datum.loss <= 0.25 && datum.files <= 500",
                    "left",
                    "bottom",
                    8,
                    -8,
                ),
                ("datum.files > 500", "right", "top", 0, 10),
            )
        ),
    ).properties(width=width, height=150)
    return alt.vconcat(upper, lower, spacing=12)


def stairs_played():
    """Return the picture of a walk down the stairs, file by file."""
    return le.interactive_figure(
        draw_walk,
        sliders=[le.Slider("files", "Eve has sent", WALKED, "files", 600)],
        rows=walk_rows,
        alt=describe_walk,
        data=walk_numbers,
        drag=("files", "concat_1_x"),
    )


class Recorder:
    """A board that writes down who sent, and whether that moved it."""

    def __init__(self, board):
        self.board, self.shown, self.sent = board, {}, []

    def submit(self, account, file):
        now = self.board.submit(account, file)
        moved = now < self.shown.get(account, 0)
        self.shown[account] = now
        self.sent.append((account, moved))
        return now


SIX = 6  # accounts in the picture of those that are blind


@cache
def sent_at_borders(seed=3):
    """Return what six accounts send at two borders, one after the other.

    Who sends, and whether that moves the board; and after how many files
    all are blind.
    """
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, LABELS)
    board = Recorder(boards.BOARDS["simplified Ladder, 1/100"](labels))
    known = boards.classifier(boards.CLOSE, labels, rng)
    game = boards.Contest(board, 1000, start=known)
    knows_half.marks_known(game, rng, eta=0.01, margin=False, accounts=SIX)
    moves = np.cumsum([moved for _, moved in board.sent])
    first, between, last = np.searchsorted(moves, [SIX, 2 * SIX, 3 * SIX])
    return board.sent[first + 1 : last + 1], int(between - first)


def draw_blind(ax):
    """Draw a row for each account: its tests, and where it is blind."""
    sent, between = sent_at_borders()
    leak, grey = le.COLOURS["full_disclosure"], le.COLOURS["independent"]
    ends = between + 0.5, len(sent) + 0.5
    for i, (account, moved) in enumerate(sent, start=1):
        look = (
            {"ms": 9, "color": leak} if moved else {"ms": 4, "color": grey}
        )
        ax.plot(i, account, "o", **look)
        if moved:
            end = ends[i > between]
            ax.plot([i, end], [account] * 2, color=leak, lw=1.5, alpha=0.6)
    ax.axvline(ends[0], color=le.COLOURS["simplified"])
    words = {"color": le.TEXT_COLOURS["simplified"], "ha": "left"}
    ax.text(ends[0] + 0.3, SIX - 0.5, "the next border", **words)
    ax.set(xlabel="files, one by one", ylim=(-0.6, SIX + 0.1))
    ax.set_yticks(range(SIX), [f"account {i + 1}" for i in range(SIX)])
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=False)


def tests_with_doubts(right, rng):
    """Play twelve tests with sure labels that are right by some chance.

    She allows for that: to take a wrong label away she rights more of the
    sure ones, as some of these were right already. Return the share of her
    wrong guesses that she corrects, less those that she spoils.
    """
    unsure = round(2 * boards.CLOSE * LABELS)
    sure, step, net = LABELS - unsure, LABELS // 100, 2 * right - 1
    labels, bad = rng.integers(0, 2, (2, LABELS))
    bad[:sure] = 1 - labels[:sure] ^ (rng.random(sure) > right)
    board = le.SimplifiedLadder(labels)
    shown = board.submit(bad)

    def righted(fewer):
        """Return the bad file, she hopes with so many fewer wrong."""
        file = bad.copy()
        file[: round(max(fewer, 0) / net)] ^= 1
        return file

    def border():
        """Return the wrong labels below which the board moves."""
        return step * round(100 * shown) - step // 2

    low = border()
    high = low + step
    while high - low > 1:  # as in the chapter
        middle = (low + high) // 2
        now = board.submit(righted(middle - border()))
        low, high = (low, middle) if now < shown else (middle, high)
        shown = now
    end = bad.copy()
    for block in np.array_split(np.arange(sure, LABELS), 12):
        file = righted(low - border())
        file[block] ^= 1
        now = board.submit(file)
        end[block] ^= now < shown
        shown = now
    first, last = (np.sum((file != labels)[sure:]) for file in (bad, end))
    return 2 * (first - last) / unsure
