"""The interactive figure of the chapter on ranks."""

import altair as alt
import numpy as np

import leaderboard_edu as le

LABELS = 16
SEED = 3
LEAK = le.TEXT_COLOURS["full_disclosure"]
INK = {"A": "#8a5f00", "B": le.TEXT_COLOURS["theory"]}
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
