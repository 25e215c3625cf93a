"""The pictures of the chapter on ranks, and what it tries on boards."""

from typing import NamedTuple

import altair as alt
import numpy as np

import leaderboard_edu as le
from leaderboard_edu._rank_attacks import read_borders

LABELS = 16
SEED = 3
LEAK = le.TEXT_COLOURS["full_disclosure"]
INK = {"A": le.TEXT_COLOURS["ranks"], "B": le.TEXT_COLOURS["theory"]}
PAPER, SHADE = le.PAPER["ground"], le.PAPER["grid"]
MUTED = le.PAPER["muted"]


def leapfrog(seed=SEED):
    """Attack a board of ranks; return who asked, answers and counts."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, LABELS)
    board, accounts, answers = le.RankBoard(labels), [], []

    def submit(account, predictions):
        accounts.append(account)
        answers.append(board.submit(account, predictions))
        return answers[-1]

    attack = le.rank_attack(submit, n=LABELS, rng=rng)
    wrong = (attack.submissions != labels).sum(axis=1)
    return np.array(accounts), np.array(answers), wrong, labels


def rows(k, seed=SEED):
    """Return the attack after k submissions."""
    accounts, answers, wrong, labels = leapfrog(seed)
    accounts, answers, wrong = accounts[:k], answers[:k], wrong[:k]
    at = np.arange(1, k + 1)
    best = {"account": [], "at": [], "wrong": []}
    ends = {"account": [*INK], "wrong": [], "at": [k + 0.7] * len(INK)}
    for name in INK:
        own = accounts == name
        fewest = np.minimum.accumulate(wrong[own])
        best["account"] += [name] * (len(fewest) + 1)
        best["at"] += [*at[own], k + 0.4]
        best["wrong"] += [*fewest, fewest[-1]]
        ends["wrong"].append(fewest[-1])
    place = np.arange(2, LABELS + 2)
    lit = np.arange(LABELS) < k - 1
    return {
        "best": best,
        "ends": ends,
        "tries": {
            "account": accounts,
            "at": at,
            "wrong": wrong,
            "answer": answers,
        },
        "now": {"at": [k], "left": [k - 0.46], "right": [k + 0.46]}
        | {"wrong": wrong[-1:]},
        "strip": {
            "left": place - 0.46,
            "right": place + 0.46,
            "at": place,
            "label": np.arange(1, LABELS + 1),
            "known": np.where(lit, "known", "hidden"),
            "text": np.where(lit, labels.astype(str), "?"),
        },
    }


def head(text, y):
    """Write what a row of the picture shows."""
    look = {"align": "left", "fontSize": 13, "color": MUTED}
    place = alt.Chart(alt.Data(values=[{}]))
    return place.mark_text(text=text, **look).encode(
        x=alt.datum(0.54), y=alt.datum(y)
    )


def draw_strip():
    """Draw the hidden labels: lit as soon as Eve knows them."""
    strip = alt.Chart(alt.NamedData("strip"))
    lit = alt.datum.known == "known"
    fill = alt.when(lit).then(alt.value(LEAK)).otherwise(alt.value(SHADE))
    ink = alt.when(lit).then(alt.value(PAPER)).otherwise(alt.value(MUTED))
    cells = strip.mark_rect().encode(
        x="left:Q",
        x2="right:Q",
        y=alt.datum(15.2),
        y2=alt.Y2Datum(18),
        color=fill,
        tooltip=["label:Q", alt.Tooltip("known:N", title="is")],
    )
    words = strip.mark_text(fontSize=15, fontWeight="bold").encode(
        x="at:Q", y=alt.datum(16.6), text="text:N", color=ink
    )
    return alt.layer(cells, words, head("hidden labels", 19))


def draw_accounts(x, y):
    """Draw what the board answers, and the losses that Eve never sees."""
    who = alt.Color("account:N", legend=None).scale(
        domain=[*INK], range=[*INK.values()]
    )
    best = alt.Chart(alt.NamedData("best")).encode(x=x, y=y, color=who)
    tries = alt.Chart(alt.NamedData("tries")).encode(x="at:Q", color=who)
    ends = alt.Chart(alt.NamedData("ends")).encode(x="at:Q", color=who)
    now = alt.Chart(alt.NamedData("now"))
    read = [
        alt.Tooltip("at:Q", title="submission"),
        alt.Tooltip("account:N", title="of account"),
        alt.Tooltip("answer:Q", title="answered rank"),
        alt.Tooltip("wrong:Q", title="wrong labels"),
    ]
    column = now.mark_rect(opacity=0.12, color=MUTED).encode(
        x="left:Q", x2="right:Q", y=alt.datum(-0.5), y2=alt.Y2Datum(18.2)
    )
    return alt.layer(
        column,
        best.mark_line(interpolate="step-after", strokeWidth=2.5),
        tries.mark_point(filled=True, size=40, opacity=1).encode(
            y="wrong:Q", tooltip=read
        ),
        tries.mark_text(fontSize=15, fontWeight="bold").encode(
            y=alt.datum(12.6), text="answer:Q", tooltip=read
        ),
        ends.mark_text(align="left", fontWeight="bold", fontSize=15).encode(
            y="wrong:Q", text="account:N"
        ),
        head("rank that the board answers", 14),
        head("wrong labels in the files of A and of B", 11.2),
        now.mark_rule(strokeWidth=24, opacity=0.01)
        .encode(x="at:Q")
        .properties(name="handle"),
    )


def draw(narrow):
    """Draw the labels, the answers, and the race of the two accounts."""
    x = alt.X("at:Q", title="submission")
    x = x.scale(domain=[0.4, LABELS + 2.6], nice=False)
    x = x.axis(values=[1, 5, 10, 15], grid=False)
    y = alt.Y("wrong:Q", title=None)
    y = y.scale(domain=[-0.5, 19.6], nice=False)
    y = y.axis(values=[0, 5, 10], grid=False)
    return alt.layer(draw_accounts(x, y), draw_strip()).properties(
        height=380
    )


def numbers(k):
    """Return how many labels Eve knows, and how many her file has wrong."""
    wrong = leapfrog()[2][:k]
    return {"labels known": k - 1, "wrong in her file": wrong.min()}


def describe(k):
    """Say the same in a sentence."""
    known, wrong = numbers(k).values()
    return (
        f"After {k} submissions, each answered with a one or a two, Eve "
        f"knows {known} of {LABELS} hidden labels, and her better file has "
        f"{wrong} wrong."
    )


def strip():
    """Return the picture of the labels that light up one by one."""
    return le.interactive_figure(
        draw,
        sliders=[
            le.Slider(
                "k",
                "After",
                list(range(2, LABELS + 2)),
                "submissions",
                start=12,
            )
        ],
        rows=rows,
        alt=describe,
        data=numbers,
        drag=("k", "x"),
    )


def read_board(labels, m, files, limit=None, each=None):
    """Attack steps of 1/m; return wrong labels, submissions, accounts.

    Eve may open at most `limit` accounts, with at most `each` files.
    """
    board = le.RankBoard(labels, precision=f"1/{m}")
    attack = le.yardstick_attack(
        board.submit,
        n=len(labels),
        precision=f"1/{m}",
        files=files,
        accounts=limit,
        each=each,
    )
    wrong = le.count_wrong(attack.predictions, labels)
    return wrong, len(attack.submissions), len(board.standings())


STEPS, MARK = 4, 10  # of the small board: its grid, wrong labels at first
WIDTH = LABELS // STEPS
SHOWN = ["0", "¼", "½", "¾", "1"]
TIMES = ["no", "first", "second", "third", "fourth"]


class Test(NamedTuple):
    """A label tested on the small board, and how the board stands then."""

    yardstick: str
    level: int  # wrong labels of the yardstick
    mark: int  # wrong labels of the file that flips are made from
    account: str
    sent: int  # wrong labels of what it sends
    passed: bool
    standings: tuple


def small_board(seed=SEED):
    """Read sixteen labels in quarters; return the test of each."""
    mark = np.arange(LABELS) < MARK
    np.random.default_rng(seed).shuffle(mark)
    board = le.RankBoard(0 * mark, precision=f"1/{STEPS}")
    sent = []

    def submit(account, file):
        rank = board.submit(account, file)
        sent.append((account, int(file.sum()), board.standings()))
        return rank

    accounts = iter("ABCDEFGH")
    flips = read_borders(submit, 1 * mark, WIDTH, accounts, range(LABELS))
    yard, left, ahead, tests = sent[0][:2], MARK, [], []
    for flip, (account, wrong, order) in zip(flips, sent[1:], strict=True):
        ahead += [(account, wrong)] * flip.passed
        tests.append(Test(*yard, left, account, wrong, flip.passed, order))
        if len(ahead) == WIDTH:  # on to the next border
            yard, left, ahead = ahead[0], left - WIDTH, []
    return tests, Test(*yard, left, "", 0, False, order)


def yardstick_rows(k, seed=SEED):
    """Return what is drawn when k labels are tested."""
    tests, end = small_board(seed)
    tests, then = tests[:k], [*tests, end][k]
    at = np.arange(1, k + 1)
    stands = [*tests, then, then]
    edges = np.array([*at - 0.5, k + 0.5, k + 1.3])
    turns = [(None, None), *((t.yardstick, t.mark) for t in tests)]
    past = [
        (at, test.yardstick, test.level)
        for at, test in enumerate(tests)
        if turns[at] != turns[at + 1] and test.mark != then.mark
    ]
    order = tests[-1].standings
    place = 2.2 * np.arange(len(order)) + 2
    mine, new = then.yardstick, tests[-1].account
    role = [
        "yardstick" if name == mine else "new" if name == new else "other"
        for name in order
    ]
    return {
        "stands": {
            "at": edges,
            "level": [test.level for test in stands],
            "mark": [test.mark for test in stands],
        },
        "ends": {"at": [k + 1.5], "level": [then.level], "name": [mine]},
        "past": {
            "at": [at + 0.6 for at, _, _ in past],
            "level": [level for _, _, level in past],
            "name": [name for _, name, _ in past],
        },
        "sent": {
            "at": at,
            "wrong": [test.sent for test in tests],
            "account": [test.account for test in tests],
            "passed": ["in front" if t.passed else "behind" for t in tests],
        },
        "now": {"at": [k], "left": [k - 0.46], "right": [k + 0.46]},
        "board": {
            "at": place,
            "left": place - 0.9,
            "right": place + 0.9,
            "account": order,
            "role": role,
        },
    }


def yardstick_numbers(k):
    """Return what the last file has wrong, and where it comes to stand."""
    test = small_board()[0][k - 1]
    return {
        "wrong in the file sent": test.sent,
        "account": test.account,
        "passes the yardstick": "yes" if test.passed else "no",
        "board": " ".join(test.standings),
    }


def describe_yardstick(k):
    """Say who passes whom, and why."""
    tests, end = small_board()
    test, then = tests[k - 1], [*tests, end][k]
    known = sum(t.passed and t.mark == test.mark for t in tests[:k])
    level, other = SHOWN[rounded(test.sent)], SHOWN[rounded(test.level)]
    begin = (
        f"Label {k}: account {test.account} sends {test.sent} wrong "
        f"label{'s' * (test.sent != 1)}, rounded loss {level}"
    )
    if not test.passed:
        return (
            f"{begin}, no better than {test.yardstick} with {other}. It "
            f"stays behind: the flip was wrong."
        )
    begin = (
        f"{begin}, and passes {test.yardstick} with {other}: the flip was "
        f"right, the {TIMES[known]} at this border"
    )
    if known < WIDTH:
        return f"{begin}."
    return (
        f"{begin}. Eve corrects all four, which leaves {then.mark} wrong, "
        f"and takes {then.yardstick} as the next yardstick."
    )


def rounded(wrong):
    """Return the level of so many wrong labels on the small board."""
    return int(le.mechanisms.level(wrong, LABELS, STEPS))


def draw_bands():
    """Shade every second level, and name each."""
    lows = [wrong for wrong in range(LABELS) if rounded(wrong) % 2]
    band = {"low": min(lows) - 0.5, "high": min(lows) + WIDTH - 0.5}
    bands = [band, {name: end + 2 * WIDTH for name, end in band.items()}]
    return (
        alt.Chart(alt.Data(values=bands))
        .mark_rect(color=SHADE)
        .encode(
            x=alt.datum(0.4),
            x2=alt.X2Datum(LABELS + 2.6),
            y="low:Q",
            y2="high:Q",
        )
    )


def draw_order():
    """Draw the board, best first."""
    board = alt.Chart(alt.NamedData("board"))
    yard, new = (alt.datum.role == name for name in ("yardstick", "new"))
    fill = alt.when(yard).then(alt.value(INK["B"]))
    fill = fill.when(new).then(alt.value(LEAK)).otherwise(alt.value(SHADE))
    ink = alt.when(alt.datum.role == "other").then(alt.value(MUTED))
    boxes = board.mark_rect().encode(
        x="left:Q",
        x2="right:Q",
        y=alt.datum(14.8),
        y2=alt.Y2Datum(17),
        color=fill,
        tooltip=["account:N", alt.Tooltip("role:N", title="is")],
    )
    words = board.mark_text(fontSize=15, fontWeight="bold").encode(
        x="at:Q",
        y=alt.datum(15.9),
        text="account:N",
        color=ink.otherwise(alt.value(PAPER)),
    )
    return alt.layer(boxes, words, head("the board, best first", 18))


def draw_tests(x, y):
    """Draw who stands still, and the files that pass it or do not."""
    stands = alt.Chart(alt.NamedData("stands")).encode(x=x)
    sent = alt.Chart(alt.NamedData("sent")).encode(x="at:Q", y="wrong:Q")
    ends = alt.Chart(alt.NamedData("ends")).encode(x="at:Q", y="level:Q")
    now = alt.Chart(alt.NamedData("now"))
    passed = alt.datum.passed == "in front"
    ink = alt.when(passed).then(alt.value(LEAK)).otherwise(alt.value(MUTED))
    fill = alt.when(passed).then(alt.value(LEAK))
    read = [
        alt.Tooltip("at:Q", title="label"),
        alt.Tooltip("account:N", title="sent by"),
        alt.Tooltip("wrong:Q", title="wrong labels"),
        alt.Tooltip("passed:N", title="stands"),
    ]
    column = now.mark_rect(opacity=0.12, color=MUTED).encode(
        x="left:Q", x2="right:Q", y=alt.datum(-0.7), y2=alt.Y2Datum(13.5)
    )
    step = {"interpolate": "step-after"}
    return alt.layer(
        column,
        stands.mark_line(
            strokeWidth=2, strokeDash=[2, 4], color=MUTED, **step
        ).encode(y="mark:Q"),
        stands.mark_line(strokeWidth=2.5, color=INK["B"], **step).encode(
            y=y
        ),
        sent.mark_point(size=45, opacity=1).encode(
            stroke=ink,
            fill=fill.otherwise(alt.value(PAPER)),
            tooltip=read,
        ),
        *(
            sent.transform_filter(side)
            .mark_text(dy=dy, fontSize=13, fontWeight="bold")
            .encode(text="account:N", color=ink, tooltip=read)
            for side, dy in ((passed, 14), (~passed, -12))
        ),
        ends.mark_text(
            align="left", fontWeight="bold", fontSize=15, color=INK["B"]
        ).encode(text="name:N"),
        alt.Chart(alt.NamedData("past"))
        .mark_text(
            align="left",
            dy=13,
            fontWeight="bold",
            fontSize=15,
            color=INK["B"],
        )
        .encode(x="at:Q", y="level:Q", text="name:N"),
        now.mark_rule(strokeWidth=24, opacity=0.01)
        .encode(x="at:Q")
        .properties(name="handle"),
    )


def draw_yardstick(narrow):
    """Draw the board, and the yardstick that Eve's files pass or not."""
    x = alt.X("at:Q", title="label tested")
    x = x.scale(domain=[0.4, LABELS + 2.6], nice=False)
    x = x.axis(values=[1, 5, 10, 15], grid=False)
    name = "datum.value < 1 ? '0' : datum.value < 4 ? '¼' : "
    name += "datum.value < 8 ? '½' : '¾'"
    y = alt.Y("level:Q", title=None)
    y = y.scale(domain=[-0.7, 18.8], nice=False)
    y = y.axis(values=[0.5, 3.5, 7.5, 11.5], grid=False, labelExpr=name)
    return alt.layer(
        draw_bands(),
        draw_tests(x, y),
        head("rounded loss", 14.1),
        draw_order(),
    ).properties(height=380)


def yardstick():
    """Return the picture of the accounts that pass one standing still."""
    return le.interactive_figure(
        draw_yardstick,
        sliders=[
            le.Slider(
                "k",
                "After",
                list(range(1, LABELS + 1)),
                "labels",
                start=9,
            )
        ],
        rows=yardstick_rows,
        alt=describe_yardstick,
        data=yardstick_numbers,
        drag=("k", "x"),
    )


def lucky_mixtures(labels, file, k, rng, m=4, places=3, rarity=3):
    """Improve a file on a board of few names; return gain and moves.

    Mixtures of the file and its opposite pass a border when they are lucky.
    Eve knows how many labels are wrong in the file, and in the end the best
    number of labels to flip; the gain is in the loss.
    """
    n, sent, score, moves = len(labels), 0, np.zeros(len(labels)), 0
    board = le.TopBoard(
        labels,
        ranks=places,
        mechanism=lambda y: le.SimplifiedLadder(y, eta=f"1/{m}"),
    )
    wrong = le.count_wrong(file, labels)
    borders = [(2 * j - 1) * n / (2 * m) for j in range(m, 0, -1)]
    borders = [border for border in borders if wrong < border < n - wrong]

    def takes_a_place(vector):
        nonlocal sent
        sent += 1
        board.submit(sent, vector)
        return sent in dict(board.standings())

    for _ in range(places):
        takes_a_place(1 - file)
    for left, border in zip(
        range(len(borders), 0, -1), borders, strict=True
    ):
        spread = np.sqrt(n) / 2
        for _ in range(9):  # the share to flip: `rarity` deviations above
            share = (border + rarity * spread - wrong) / (n - 2 * wrong)
            spread = np.sqrt(n * share * (1 - share))
        found, last = 0, sent + (k - sent) // left
        while found < places and sent < last:
            flipped = rng.random(n) < share
            if takes_a_place(file ^ flipped):
                score += flipped - share
                found += 1
        moves += found
    suspects = (file != labels)[np.argsort(-score, kind="stable")]
    gains = np.cumsum(np.where(suspects, 1, -1))
    return max(0, gains.max()) / n, moves
