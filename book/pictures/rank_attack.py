"""The pictures of the chapter on ranks, and its attacks on rounded ones."""

from collections import Counter
from itertools import count
from typing import NamedTuple

import altair as alt
import numpy as np

import leaderboard_edu as le

LABELS = 16
SEED = 3
LEAK = le.TEXT_COLOURS["full_disclosure"]
INK = {"A": le.TEXT_COLOURS["ranks"], "B": le.TEXT_COLOURS["theory"]}
PAPER, SHADE, MUTED = "#ffffff", "#e3e3e6", "#555555"


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


def in_front(submit, accounts, better, worse):
    """Say whether the first file has a lower level than the second."""
    behind = submit(next(accounts), worse)
    return submit(next(accounts), better) <= behind


def find_mark(submit, n, files, accounts):
    """Return a file, and one on the way to its opposite at a border."""
    places = np.arange(n)
    for file in files:
        if in_front(submit, accounts, file, 1 - file):
            break
    low, high = 0, n
    while high - low > 1:
        middle = (low + high) // 2
        on_the_way = file ^ (places < middle)
        if in_front(submit, accounts, file, on_the_way):
            high = middle
        else:
            low = middle
    return file, file ^ (places < high)


class Flip(NamedTuple):
    """Which label was flipped, by whom, and whether the file passed."""

    label: int
    account: int
    passed: bool


def read_borders(submit, mark, width, accounts, order, each=None):
    """Test labels against one yardstick after another.

    An account that has sent `each` files is not used again.
    """
    mark, yard, flips = mark.copy(), next(accounts), []
    lead, waiting, ahead = submit(yard, mark), [], []
    sent = Counter([yard])
    for label in order:
        while waiting and sent[waiting[-1]] == each:
            waiting.pop()
        account = waiting.pop() if waiting else next(accounts, None)
        if account is None:  # she may open no more
            break
        file = mark.copy()
        file[label] ^= 1
        rank = submit(account, file)
        sent[account] += 1
        flips.append(Flip(label, account, rank <= lead))
        if rank > lead:
            waiting.append(account)
            continue
        lead += 1
        ahead.append((account, rank, label))
        if len(ahead) == width:  # on to the next border
            passed, ranks, labels = zip(*ahead, strict=True)
            mark[list(labels)] ^= 1
            waiting += [yard, *passed[1:]]
            yard, lead, ahead = passed[0], ranks[0], []
    return flips


def read_board(labels, m, files, limit=None, each=None):
    """Attack steps of 1/m; return wrong labels, submissions, accounts.

    Eve may open at most `limit` accounts, with at most `each` files.
    """
    n, sent = len(labels), []
    board = le.RankBoard(labels, precision=f"1/{m}")
    accounts = count() if limit is None else iter(range(limit))

    def submit(account, file):
        sent.append(account)
        return board.submit(account, file)

    file, mark = find_mark(submit, n, files, accounts)
    width = n // m if n % m == 0 else n  # of a step, if Eve can know it
    order = range(n)[::-1]  # first what the bisection did not touch
    found = file.copy()
    for flip in read_borders(submit, mark, width, accounts, order, each):
        found[flip.label] = mark[flip.label] ^ flip.passed
    return le.count_wrong(found, labels), len(sent), len(set(sent))


STEPS, MARK = 4, 10  # of the small board: its grid, wrong labels at first


def small_board():
    """Return a rounded board, and a file with wrong labels to try."""
    file = np.arange(LABELS) < MARK
    np.random.default_rng(SEED).shuffle(file)
    board = le.RankBoard(0 * file, precision=f"1/{STEPS}")
    return board.submit, file.astype(int)


def moving_leader():
    """Return for each test: wrong labels of leader and file, and passed."""
    submit, file = small_board()
    leader, chaser, tests = "A", "B", []
    lead = submit(leader, file)
    for label in range(LABELS):
        trial = file.copy()
        trial[label] ^= 1
        rank = submit(chaser, trial)
        tests.append((file.sum(), trial.sum(), rank <= lead))
        if rank <= lead:
            file, lead, leader, chaser = trial, rank, chaser, leader
    return [np.array(part) for part in zip(*tests, strict=True)]


def standing_still():
    """Return the same for the yardsticks, and what the mark has wrong."""
    submit, mark = small_board()
    sent, width = [], LABELS // STEPS

    def watched(account, file):
        sent.append(file.sum())
        return submit(account, file)

    flips = read_borders(watched, mark, width, count(), range(LABELS))
    passed = np.array([flip.passed for flip in flips])
    first, tried = sent[0], np.array(sent[1:])
    turn = np.r_[0, np.cumsum(passed)[:-1]] // width
    yards = np.r_[first, tried[passed][::width]]
    return yards[turn], tried, passed, first - width * turn


def draw_yardstick(*panels):
    """Draw the leader that moves on, and the yardsticks that stand."""
    leak, grey = le.TEXT_COLOURS["full_disclosure"], MUTED
    at = np.arange(1, LABELS + 1)
    between = np.repeat(np.r_[at, LABELS + 1] - 0.5, 2)[1:-1]
    shown = {
        "the leader moves on": moving_leader(),
        "a yardstick at each border": standing_still(),
    }
    for ax, (name, tests) in zip(panels, shown.items(), strict=True):
        lead, wrong, passed, *mark = tests
        for low in (1.5, 9.5):
            ax.axhspan(low, low + 4, color=SHADE, lw=0)
        for counts in mark:
            ax.plot(between, np.repeat(counts, 2), ":", color=grey, lw=2)
        ax.plot(between, np.repeat(lead, 2), color=INK["B"], lw=2.5)
        ax.plot(at[passed], wrong[passed], "o", color=leak, ms=6)
        look = {"mfc": "none", "mew": 1.5, "ms": 6}
        ax.plot(at[~passed], wrong[~passed], "o", color=grey, **look)
        ax.set_title(name, loc="left")
        ax.set(xlim=(0, 17.2), ylim=(-0.7, 13.5), xlabel="label tested")
        ax.set_yticks([0.3, 3.5, 7.5, 11.5], ["0", "¼", "½", "¾"])
        ax.set_xticks([1, 5, 10, 15])
        ax.set(ylabel="rounded loss")
        ax.grid(visible=False)
        ax.tick_params(axis="y", length=0)
    moving, still = panels
    moving.text(16.4, 6.9, "stuck: a right flip ties", ha="right", va="top")
    still.text(2, 7.6, "in front", color=leak, ha="left")
    still.text(9.2, 11.4, "behind", color=grey)
    still.text(9.8, 9.6, "yardstick", color=INK["B"])
    still.text(9, 5.1, "her file", color=grey, ha="right", va="bottom")


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
