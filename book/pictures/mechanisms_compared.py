"""The picture and the tables of the chapter that compares mechanisms."""

import json
import math
from collections import Counter
from fractions import Fraction
from functools import cache
from html import escape
from pathlib import Path

import altair as alt
import numpy as np
from IPython.display import HTML

import competition
import honest_cost
import leaderboard_edu as le
import matrix

DATA = Path(__file__).parents[1] / "data" / "matrix.json"
LABELS, NAME, ALL = 4000, 1000, 5000  # files of one account, and of many
PLACES = matrix.PLACES
INK = le.TEXT_COLOURS
EVERY = {*matrix.EVERY, matrix.MEAN_SQUARES}
MANY = {name for name, attack in matrix.ATTACKS.items() if attack.many}
MANY |= {name for name, fresh in matrix.FITS.items() if fresh}
PROMISES = {  # mechanism, step, and accounts that are covered, if not one
    "Ladder, 1/100": ("ladder", Fraction(1, 100), None),
    "simplified Ladder, 1/100": ("simplified", Fraction(1, 100), None),
    "simplified Ladder, 1/10": ("simplified", Fraction(1, 10), None),
    "three places, 1/10": ("simplified", Fraction(1, 10), 3),
}


def results():
    """Return the stored study."""
    return json.loads(DATA.read_text(encoding="utf-8"))


def is_regression(board):
    """Say whether a board is one of regression."""
    row = results()["results"][board]
    return "recovered" not in next(iter(row.values()))


def worst(board, many):
    """Return the attack with most damage, and its numbers, or nothing.

    Of all, or of those from one account. If two gain as much, in
    hundredths, it is the one with fewer accounts.
    """

    def gain(cell):
        damage, accounts = cell[1]["damage"][0], cell[1]["accounts"][0]
        return round(damage, 2), -accounts, damage

    row = results()["results"][board]
    if many and MANY.isdisjoint(row):
        return None
    cells = [cell for cell in row.items() if many or cell[0] not in MANY]
    return max(cells, key=gain, default=None)


def gains(measured):
    """Say whether a damage is more than four standard errors from none."""
    mean, error, *_ = measured["damage"]
    return mean > 4 * error


def promise(board, many):
    """Return what a theorem promises of the board's error, or nothing.

    For 4,000 labels, with a probability of 95 %: over all files of one
    account, or on places over all files of all accounts.
    """
    if board not in PROMISES:
        return None
    mechanism, eta, places = PROMISES[board]
    if many and not places:
        return None
    within = le.tree_deviation(
        mechanism,
        eta=eta,
        n=LABELS,
        k=ALL if places else NAME,
        accounts=places or 1,
    )
    error = within + float(eta if mechanism == "ladder" else eta / 2)
    return error if error < 0.5 else None


def promise_to_all(board, accounts):
    """Return what is promised to accounts that do not share, all at once.

    Each has its own files and fails with an equal part of 5 %.
    """
    mechanism, eta, _ = PROMISES[board]
    within = le.tree_deviation(
        mechanism, eta=eta, n=LABELS, k=NAME, delta=0.05 / accounts
    )
    return within + float(eta if mechanism == "ladder" else eta / 2)


def most(board, kind):
    """Return the largest mean of what attacks from one account do."""
    row = results()["results"][board].items()
    return max(found[kind][0] for name, found in row if name not in MANY)


ATTACKERS = {"booster", "pairer", "many"}  # policies in the competition


@cache
def honest_log():
    """Return what honest teams sent while all losses were shown.

    Their submissions on the rows that the board scored, the labels of
    these rows, and the losses of the files on the other rows.
    """
    world = competition.competition()
    log = competition.log("full")
    accounts = world.about["accounts"]
    honest = [accounts[i]["policy"] not in ATTACKERS for i in log.teams]
    log = log.submissions(np.flatnonzero(honest))
    rest = ~world.public
    truth = np.mean(log.predictions[:, rest] != world.labels[rest], axis=1)
    shown = log.rows(np.flatnonzero(world.public))
    return shown, world.labels[world.public], truth


@cache
def price(board):
    """Return the true improvements of honest teams: what a board hides.

    How many it hides, of how many, and the share of their gain. On a board
    of places a team is told of an improvement if the places change.
    """
    log, labels, truth = honest_log()
    if board.startswith("three"):
        places, told = matrix.BOARDS[board](labels), []
        for team, file in zip(log.teams, log.predictions, strict=True):
            before = places.standings()
            places.submit(team, file)
            told.append(places.standings() != before)
    elif board in matrix.RANKS:
        told = honest_cost.told(log, labels, matrix.BOARDS[board])
    else:
        made = matrix.BOARDS[board](labels)
        rows = zip(log.teams, log.predictions, strict=True)
        shown = np.array([made.submit(team, file) for team, file in rows])
        told = honest_cost.records(log, shown)
    cost = honest_cost.honest_cost(log, truth, told)
    share = cost.gain[cost.hidden].sum() / cost.gain.sum()
    return int(cost.hidden.sum()), cost.hidden.size, float(share)


@cache
def best_losses():
    """Return the losses of honest accounts' best files, on the board."""
    log, labels, _ = honest_log()
    losses, best = np.mean(log.predictions != labels, axis=1), {}
    for team, loss in zip(log.teams, losses, strict=True):
        best[team] = min(loss, best.get(team, 1))
    return np.array(list(best.values()))


def tied(board):
    """Return the share of pairs of honest accounts that a board ties."""
    log, labels, _ = honest_log()
    made, best = matrix.BOARDS[board](labels), {}
    for team, file in zip(log.teams, log.predictions, strict=True):
        best[team] = min(best.get(team, 1.0), made.submit(team, file))
    equal = sum(
        math.comb(each, 2) for each in Counter(best.values()).values()
    )
    return equal / math.comb(len(best), 2)


@cache
def podium():
    """Return the honest accounts at each tenth, and those that stand."""
    log, labels, _ = honest_log()
    tenths = le.FullDisclosure(labels, precision="1/10")
    board, best = matrix.BOARDS["three places, 1/10"](labels), {}
    for team, file in zip(log.teams, log.predictions, strict=True):
        board.submit(team, file)
        best[team] = min(best.get(team, 1.0), tenths.submit(file))
    return Counter(best.values()), board.standings()


def up(number, digits=3):
    """Return a promise for a table, rounded up."""
    return f"{math.ceil(number * 10**digits) / 10**digits:.{digits}f}"


def signed(number, digits=3):
    """Return a number for a table, with a minus sign."""
    rounded = round(number, digits) + 0.0  # which is 0, and not −0
    return f"{rounded:.{digits}f}".replace("-", "−")


def percent(share):
    """Return a share in per cent, with a minus sign."""
    return f"{signed(100 * share, 0)} %"


def kinds(board, many):
    """Return the words by which a row is found, or hidden."""
    words = {"many": many, "every": board in EVERY}
    words["regression"] = is_regression(board)
    return " ".join(word for word, holds in words.items() if holds)


def cell(value, text):
    """Return a cell that is sorted by a value."""
    at = "" if value is None else f" data-value='{value:.5f}'"
    return f"<td{at}>{text}</td>"


def numbers(board, found, many):
    """Return the cells of a row: damage, labels, error, promise."""
    damage = found["damage"][0]
    cells = [cell(damage, signed(damage))]
    if "recovered" in found:
        share = found["recovered"][0]
        cells.append(cell(share, percent(share)))
    else:
        cells.append(cell(None, "not labels"))
    if "error" in found:
        error = found["error"][0]
        cells.append(cell(error, signed(error)))
    else:
        why = "fresh data decide" if is_regression(board) else "shows none"
        cells.append(cell(None, why))
    told = promise(board, many)
    return [*cells, cell(told, promised(board, told))]


def promised(board, told):
    """Return the words of a promise, and whom it is for."""
    if not told:
        return "none"
    _, _, places = PROMISES[board]
    return (
        f"{up(told)}, for all" if places else f"{up(told)} if told own only"
    )


def accounts(found):
    """Return the cell that says how many accounts an attack used."""
    number = found["accounts"][0]
    return cell(number, f"{number:,.0f}")


HEADS = ("damage", "labels", "board’s error", "promise")


def table(heads, rows):
    """Return a table whose rows can be sorted and hidden on the page."""
    boxes = {
        "many": "participants can open accounts",
        "every": "boards that print every loss",
        "regression": "regression",
    }
    small = {"promise", "hidden"}  # of these one looks for the smallest
    head = "".join(
        f"<th scope='col'{' data-first=ascending' * (name in small)}>"
        f"{name}</th>"
        for name in heads
    )
    filters = escape(json.dumps(boxes), quote=True)
    return HTML(
        f'<table class="dataframe sortable" data-off="regression" '
        f'data-filters="{filters}">'
        f"<thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def row(board, many, cells, note=""):
    """Return a row of a table."""
    small = f"<br><small>{escape(note)}</small>" if note else ""
    name = f"<th scope='row'>{escape(board)}{small}</th>"
    return f"<tr data-is='{kinds(board, many)}'>{name}{''.join(cells)}</tr>"


def worst_table():
    """Return the table of the worst attacks."""
    rows = []
    for board in results()["results"]:
        hides = cell(None, "not played")
        if not is_regression(board):
            hidden, *_ = price(board)
            hides = cell(hidden, f"{hidden}")
        for many in (False, True):
            if not (found := worst(board, many)):
                continue
            attack, measured = found
            if many and attack not in MANY:  # it has a row already
                continue
            says = attack if gains(measured) else "none gains"
            damage, _, _, told = numbers(board, measured, many)
            cells = [accounts(measured), damage, told, hides]
            rows.append(row(board, many, cells, says))
    damage, _, _, told = HEADS
    return table(("board", "accounts", damage, told, "hidden"), rows)


def full_table(why_not):
    """Return the table of all attacks; what makes no sense says why."""
    rows = []
    found = results()["results"]
    for (board, attack), why in why_not.items():
        many = attack in MANY
        cells = [cell(None, escape(attack))]
        if says := why(board, attack):
            cells.append(f"<td colspan='5'>{escape(says)}</td>")
        else:
            measured = found[board][attack]
            cells += [accounts(measured), *numbers(board, measured, many)]
        rows.append(row(board, many, cells))
    return table(("board", "attack", "accounts", *HEADS), rows)


def decision_table():
    """Return the answer: which board, its promise, its cost, and Eve's."""
    rows = []
    for case, board, many, eve, whom in (
        (
            "accounts are free",
            "three places, 1/10",
            True,
            ", perhaps all places",
            f"{{}}: all together, {ALL:,} files",
        ),
        (
            "an account is a person",
            "Ladder, 1/100",
            False,
            "",
            f"none; {{}} if told its own only, {NAME:,} files",
        ),
        (
            "it is, and is told its own scores only",
            "simplified Ladder, 1/10",
            False,
            "",
            f"{{}}: each alone, {NAME:,} files",
        ),
    ):
        hidden, of, _ = price(board)
        _, measured = worst(board, many)
        takes = signed(measured["damage"][0]) if gains(measured) else "0"
        told = whom.format(up(promise(board, many)))
        cells = f"<td>{takes}{eve}</td><td>{hidden}</td><td>{told}</td>"
        says = f"{case}:<br><strong>{board}</strong>"
        rows.append(f"<tr><th scope='row'>{says}</th>{cells}</tr>")
    heads = ("if … run", "leaves Eve", f"hides, of {of}", "off by at most")
    head = "".join(f"<th scope='col'>{name}</th>" for name in heads)
    return HTML(
        f'<table class="dataframe answers"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


COLOUR = {
    "Ladder, 1/100": "ladder",
    "simplified Ladder, 1/100": "simplified",
    "simplified Ladder, 1/10": "ladder_boot",
    "three places, 1/10": "simplified",
    "parameter-free Ladder": "parameter_free",
    "exact losses": "full_disclosure",
    "losses in 1/100": "full_disclosure",
    "exact ranks": "ranks",
    "ranks in 1/100": "ranks",
}


def draw_worst(ax):
    """Draw what luck and the worst attacks gain, board by board."""
    grey, leak = le.COLOURS["independent"], le.COLOURS["full_disclosure"]
    found = results()["results"]
    top = len(ORDER) - 1
    for row, (board, hue) in enumerate(ORDER):
        y = top - row + (row == 0) / 2  # room for the words
        one, many = worst(board, False), worst(board, True)
        ax.plot([0, 0.5], [y, y], color=le.PAPER["grid"], lw=1, zorder=0)
        look = {"color": INK[hue], "ha": "left", "va": "bottom"}
        ax.text(0, y + 0.22, board, **look)
        x = many[1]["damage"][0]
        ax.plot(x, y, "o", ms=13, mfc="none", mew=2, color=leak)
        read = percent(many[1]["recovered"][0])
        look = {"ha": "right", "va": "center"}
        ax.text(0.69, y, read, color=INK["full_disclosure"], **look)
        luck = found[board]["luck"]["damage"][0]
        ax.plot(luck, y, "o", ms=10, color=grey)
        x = one[1]["damage"][0]
        ax.plot(x, y, "o", ms=5.5, color=leak)
        hidden, of, _ = price(board)
        look = {"ha": "right", "va": "center", "color": INK["independent"]}
        ax.text(0.86, y, f"{hidden}", **look)
        if told := promise(board, True) or promise(board, False):
            ax.plot([told, told], [y - 0.26, y + 0.16], "--k", lw=1.2)
    first = ORDER[0][0]
    for x, text, ink in (
        (found[first]["luck"]["damage"][0], "luck", INK["independent"]),
        (worst(first, False)[1]["damage"][0], "one account", None),
        (worst(first, True)[1]["damage"][0], "many", None),
    ):
        look = {"color": ink or INK["full_disclosure"], "va": "top"}
        ax.text(x, top + 0.32, text, ha="center", **look)
    look = {"ha": "right", "va": "bottom"}
    ax.text(0.69, top + 0.72, "read", **look)
    ax.text(0.86, top + 0.72, f"hidden\nof {of}", **look)
    ax.set(
        xlim=(-0.03, 0.87),
        xticks=(0, 0.1, 0.2, 0.3, 0.4, 0.5),
        ylim=(-0.6, len(ORDER) + 0.8),
        yticks=[],
    )
    ax.set(xlabel="damage: loss below the true one")
    ax.spines["left"].set_visible(False)


FRIENDS = {  # where the name of a line stands, and on which side
    "exact losses": (1, 0.3, "exact\nlosses", "left"),
    "exact ranks": (30, 0.4, "exact\nranks", "right"),
    "Ladder, 1/100": (95, 0.4, "Ladder,\n1/100", "left"),
    "simplified Ladder, 1/10": (
        3500,
        0.3,
        "simplified\nLadder, 1/10",
        "right",
    ),
    "three places, 1/10": (5000, 0.075, "three places, 1/10", "right"),
}


def friends(board):
    """Return the damage of the best attack with at most so many accounts.

    As two lists, of accounts and of damages, in which every step is an
    attack that does better than those with fewer accounts.
    """
    row = results()["results"][board].values()
    steps = {}
    for found in sorted(row, key=lambda found: found["accounts"][0]):
        steps[found["accounts"][0]] = max(
            found["damage"][0], *steps.values(), 0
        )
    least = {damage: number for number, damage in reversed(steps.items())}
    return list(least.values())[::-1], list(least)[::-1]


def draw_friends(ax):
    """Draw the damage against the accounts of Eve, board by board."""
    for board, (x, y, name, side) in FRIENDS.items():
        hue, steps = COLOUR[board], friends(board)
        look = {"where": "post", "color": le.COLOURS[hue]}
        ax.step(*steps, "o", ls="-", ms=5, **look)
        look = {"ha": side, "va": "center", "color": INK[hue]}
        ax.text(x, y, name, **look)
    look = {"va": "center", "color": INK["independent"]}
    ax.text(110, 0.5, "every label", **look)
    ax.set(xscale="log", xlabel="accounts of Eve", ylabel="damage")
    ax.set(
        xticks=(1, 10, 100, 1000), xticklabels=("1", "10", "100", "1,000")
    )
    ax.set(xlim=(0.9, ALL * 1.15), ylim=(0, 0.53))
    ax.minorticks_off()


ORDER = [
    (board, COLOUR[board])
    for board in (
        "exact losses",
        "losses in 1/100",
        "exact ranks",
        "ranks in 1/100",
        "parameter-free Ladder",
        "Ladder, 1/100",
        "simplified Ladder, 1/100",
        "simplified Ladder, 1/10",
        "three places, 1/10",
    )
]

SIZES = [1000 * 2**i for i in range(11)]
PLANS = {  # mechanism, step, accounts
    "Ladder, 1/100": ("ladder", 100, 1),
    "simplified Ladder, 1/10": ("simplified", 10, 1),
    "three places, 1/10": ("simplified", 10, PLACES),
}


def planned(board, n, k):
    """Return what is promised for files of one account, or of all.

    All together, on the three places, send five times as many.
    """
    mechanism, m, accounts = PLANS[board]
    eta = Fraction(1, m)
    sizes = {"n": n, "k": k if accounts == 1 else ALL // NAME * k}
    within = le.tree_deviation(
        mechanism, eta=eta, accounts=accounts, **sizes
    )
    rounding = eta if mechanism == "ladder" else eta / 2
    return within + float(rounding)


def says_promise(board, n, k):
    """Return a promise in digits, or that there is none."""
    told = planned(board, n, k)
    return up(told) if told < 0.5 else "none"


def plan_rows(n, k=NAME):
    """Return the promise for each board."""
    found = [min(0.5, planned(board, n, k)) for board in PLANS]
    return {
        "plans": {
            "board": list(PLANS),
            "promise": found,
            "says": [says_promise(board, n, k) for board in PLANS],
        }
    }


def plan_numbers(n, k=NAME):
    """Return the promises as the table shows them."""
    return {board: says_promise(board, n, k) for board in reversed(PLANS)}


def describe_plan(n, k=NAME):
    """Say what is promised."""
    places, tenths, hundredths = plan_numbers(n, k).values()
    return (
        f"With {n:,} labels the promise is {places} for three places in "
        f"tenths and {ALL // NAME * k:,} files of all together, {tenths} "
        f"for one account with {k:,} files and a simplified Ladder in "
        f"tenths, and {hundredths} for one with a Ladder in hundredths."
    )


def draw_plan(narrow):
    """Draw a dot for each promise, on a scale that stays."""
    plans = alt.Chart(alt.NamedData("plans"))
    x = alt.X("promise:Q", title="the board is off by at most")
    x = x.scale(domain=[0, 0.5], nice=False)
    x = x.axis(values=[0, 0.1, 0.2, 0.3, 0.4, 0.5], format=".1f")
    y = alt.Y("board:N", sort=list(PLANS), axis=None)
    names = list(PLANS)
    hues = [INK[COLOUR[name]] for name in names]
    colour = alt.Color("board:N", legend=None)
    colour = colour.scale(domain=names, range=hues)
    tip = [alt.Tooltip("board:N"), alt.Tooltip("promise:Q", format=".3f")]
    dots = plans.mark_circle(size=140, opacity=1).encode(
        x=x, y=y, color=colour, tooltip=tip
    )
    look = {"dy": -16, "fontSize": 13}
    words = plans.mark_text(align="left", **look).encode(
        x=alt.datum(0), y=y, text="board:N", color=colour
    )
    says = plans.mark_text(align="center", dy=18, fontSize=13).encode(
        x=x, y=y, text="says:N", color=colour
    )
    width = 246 if narrow else 562
    return alt.layer(dots, words, says).properties(width=width, height=190)


def plan():
    """Return the picture of what more labels promise."""
    return le.interactive_figure(
        draw_plan,
        sliders=[le.Slider("n", "With", SIZES, "labels", start=LABELS)],
        rows=plan_rows,
        alt=describe_plan,
        data=plan_numbers,
    )
