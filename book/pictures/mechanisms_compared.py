"""The picture and the tables of the chapter that compares mechanisms."""

import json
import math
from collections import Counter
from fractions import Fraction
from functools import cache
from html import escape
from itertools import combinations_with_replacement
from pathlib import Path

import altair as alt
import numpy as np
from IPython.display import HTML

import boards
import catalogue
import competition
import few_files
import honest_cost
import leaderboard_edu as le
import matrix
from other_labels import price_elsewhere
from pictures.boosting_attack import luckiest_loss
from pictures.real_competition import (
    FEW,
    grid,
    percent,
    signed,
)

FOLDER = Path(__file__).parents[1] / "data"
DATA, FEW_FILES = FOLDER / "matrix.json", FOLDER / "few_files.json"
LABELS, NAME, ALL = 4000, 1000, 5000  # files of one account, and of many
PLACES = boards.PLACES
COINS = round(2 * boards.CLOSE * LABELS)  # labels that Eve only guesses
BEST_SHOWN = "simplified, 1/100"
STEP = 36  # labels between two borders, of 3,600
TEAMS = 200  # for all of whom a promise to single accounts holds
INK = le.TEXT_COLOURS
EVERY = {*boards.EVERY, matrix.MEAN_SQUARES}
MANY = {name for name, attack in catalogue.ATTACKS.items() if attack.many}
MANY |= {name for name, fresh in matrix.FITS.items() if fresh}
ON_PLACES = "stairs, three places, 1,000 files"  # as one account has them
MANY.remove(ON_PLACES)
GLOSS = {  # what the best attacks do, in a few words
    "design": "every label, off the last digits",
    "blocks": "a block of labels at a time, off the last digits",
    "votes": "coin files vote",
    "partners": "each label with one that is known to be wrong",
    "tests": "a block of guesses at a time, with labels that are known",
    "one by one": "each label at a border",
    "stairs": "",  # of which the chapter tells
    ON_PLACES: "",
    "stairs, wide field": "past teams on every step",
    "Freedman": "the features whose files score well",
    "step forward": "a feature at a time",
    "averaging": "each file many times",
}
PROMISES = {  # mechanism, step, and accounts that are covered, if not one
    "Ladder, 1/100": ("ladder", Fraction(1, 100), None),
    "simplified Ladder, 1/100": ("simplified", Fraction(1, 100), None),
    "simplified Ladder, 1/10": ("simplified", Fraction(1, 10), None),
    "three places, 1/10": ("simplified", Fraction(1, 10), 3),
}


@cache
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

    For 4,000 labels, with a probability of 95 %: over all files of each of
    200 accounts, every one of which is told its own scores only, or on
    places over all files of all accounts.
    """
    if (within := deviation(board, many)) is None:
        return None
    mechanism, eta, _ = PROMISES[board]
    error = within + float(eta if mechanism == "ladder" else eta / 2)
    return error if error < 0.5 else None


def deviation(board, many):
    """Return what the theorem allows of damage: its error but rounding."""
    if board not in PROMISES:
        return None
    mechanism, eta, places = PROMISES[board]
    if many and not places:
        return None
    return le.tree_deviation(
        mechanism,
        eta=eta,
        n=LABELS,
        k=ALL if places else NAME,
        accounts=places or 1,
        delta=0.05 if places else 0.05 / TEAMS,
    )


@cache
def honest_log():
    """Return what honest teams sent while all losses were shown.

    Their submissions on the rows that the board scored, the labels of
    these rows, and the losses of the files on the other rows.
    """
    world, log = competition.competition(), competition.honest_log("full")
    rest = ~world.public
    truth = np.mean(log.predictions[:, rest] != world.labels[rest], axis=1)
    shown = log.rows(np.flatnonzero(world.public))
    return shown, world.labels[world.public], truth


@cache
def heard(board):
    """Say after which files honest teams are told of a better one."""
    log, labels, _ = honest_log()
    if board in boards.RANKS or board.startswith("three"):
        return honest_cost.told(log, labels, boards.BOARDS[board])
    made = boards.BOARDS[board](labels)
    rows = zip(log.teams, log.predictions, strict=True)
    shown = np.array([made.submit(team, file) for team, file in rows])
    return honest_cost.records(log, shown)


@cache
def price(board):
    """Return the true improvements of honest teams: what a board hides.

    How many it hides, of how many, and the share of their gain.
    """
    return hides(heard(board))


def hides(told):
    """Return the same of a board that tells teams after these files."""
    log, _, truth = honest_log()
    cost = honest_cost.honest_cost(log, truth, told)
    share = cost.gain[cost.hidden].sum() / cost.gain.sum()
    return int(cost.hidden.sum()), cost.hidden.size, float(share)


def moves(board):
    """Return how many moves a board showed honest teams falsely, of all."""
    log, _, truth = honest_log()
    return honest_cost.false_moves(log, truth, heard(board))


@cache
def best_losses():
    """Return the losses of honest accounts' best files, on the board."""
    _, labels, _ = honest_log()
    files = np.array(list(best_files().values()))
    return np.mean(files != labels, axis=1)


@cache
def best_files():
    """Return each honest account's best file, on the board."""
    log, labels, _ = honest_log()
    losses, best = np.mean(log.predictions != labels, axis=1), {}
    for i in np.argsort(-losses, kind="stable"):
        best[log.teams[i]] = log.predictions[i]
    return best


@cache
def podium():
    """Return the honest accounts at each tenth, and those that stand."""
    log, labels, _ = honest_log()
    tenths = le.FullDisclosure(labels, precision="1/10")
    board, best = boards.BOARDS["three places, 1/10"](labels), {}
    for team, file in zip(log.teams, log.predictions, strict=True):
        board.submit(team, file)
        best[team] = min(best.get(team, 1.0), tenths.submit(file))
    return Counter(best.values()), board.standings()


def up(number, digits=3):
    """Return a promise for a table, rounded up."""
    return f"{math.ceil(number * 10**digits) / 10**digits:.{digits}f}"


def kinds(board):
    """Return the kinds of a board, by which its row is hidden."""
    words = {"every": board in EVERY, "regression": is_regression(board)}
    words["many"] = is_regression(board) or accounts_that_read_all(board)
    return [word for word, holds in words.items() if holds]


def cell(value, text):
    """Return a cell that is sorted by a value."""
    at = "" if value is None else f" data-value='{value:.5f}'"
    return f"<td{at}>{text}</td>"


def promised(told, places):
    """Return a promise, with a star if it is for single accounts."""
    return f"{up(told)}{'' if places else '*'}" if told else "none"


def called(attack):
    """Return the name of an attack; ranks are no other attack."""
    return attack.replace(catalogue.BY_RANK, "")


def unit(board):
    """Return in what the damage of a regression board is measured."""
    return "concordance" if board.startswith("Bayes") else "squared error"


def gained(board):
    """Return the cells of what Eve gains, and a word on how."""
    if not is_regression(board):
        known = [best_alone(board, informed) for informed in (False, True)]
        heads = accounts_that_read_all(board)
        cells = [cell(damage, signed(damage)) for _, damage in known]
        cells.append(cell(heads or ALL, f"{heads:,}" if heads else "none"))
        name = called(known[1][0].removesuffix(f", {catalogue.HALF_KNOWN}"))
        return cells, ": ".join(filter(None, (name, GLOSS[name])))
    attack, measured = worst(board, False)
    damage, error, *_ = measured["damage"]
    says, note = signed(damage), f"{attack}: {GLOSS[attack]}"
    if not gains(measured):
        says += f" ± {error:.3f}"
        note += "; the largest of several, and perhaps chance"
    says += f" ({unit(board)})"
    not_played = cell(None, "not played")
    return [cell(damage, says), not_played, not_played], note


def sortable(heads, rows, boxes, off):
    """Return a table that the page sorts, searches and filters.

    `heads` are words, after an arrow if one looks for the smallest. `rows`
    are cells of a row with the kinds it is of; boxes hide kinds, those in
    `off` from the start.
    """
    head = "".join(
        f"<th scope='col'{' data-first=ascending' * name.startswith('↑')}>"
        f"{name.removeprefix('↑')}</th>"
        for name in heads
    )
    body = "".join(
        f"<tr data-is='{' '.join(kinds)}'>{''.join(cells)}</tr>"
        for cells, kinds in rows
    )
    filters = escape(json.dumps(boxes), quote=True)
    return HTML(
        f'<table class="dataframe sortable" data-off="{off}" '
        f'data-filters="{filters}">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def worst_table():
    """Return the table of the best attacks, to be sorted and filtered."""
    boxes = {
        "many": "an account is a person",
        "every": "every score may be shown",
        "regression": "regression boards, too",
    }
    rows = []
    for board in results()["results"]:
        hides = cell(None, "not played")
        if not is_regression(board):
            hidden = share_hidden(board)
            hides = cell(hidden, percent(hidden))
        cells, note = gained(board)
        places = board in PROMISES and PROMISES[board][2]
        told = promise(board, bool(places))
        head = (
            f"<th scope='row'>{escape(board)}<br>"
            f"<small>{escape(note)}</small></th>"
        )
        cells += [cell(told, promised(told, places)), hides]
        rows.append(([head, *cells], kinds(board)))
    heads = "board", "knows nothing", "knows half", "read all"
    return sortable(
        (*heads, "↑promise", "↑hidden"), rows, boxes, "regression"
    )


def rows_of_attacks():
    """Return the attacks that have rows: those for ranks are no others."""
    return list(dict.fromkeys(map(called, catalogue.ATTACKS)))


def played_as(board, attack):
    """Return what was measured of a pair, or why it was not played."""
    forms = (attack, catalogue.by_rank(attack))
    names = [name for name in forms if name in catalogue.ATTACKS]
    row = results()["results"][board]
    found = [row[name] for name in names if name in row]
    return found[0] if found else catalogue.why_not(board, names[0])


def full_table():
    """Return a row for each pair of a board and an attack.

    Of a board the worst attack comes first, and what was not played last,
    with the reason.
    """
    boxes = {
        "many": "attacks from several accounts",
        "unplayed": "pairs that were not played",
    }
    rows = []
    for board in boards.BOARDS:
        found = {name: played_as(board, name) for name in rows_of_attacks()}
        for name, measured in sorted(found.items(), key=by_damage):
            head = f"<th scope='row'>{escape(board)}</th>"
            head += f"<td>{escape(name)}</td>"
            forms = {name, catalogue.by_rank(name)}
            kinds = ["many"] if MANY & forms else []
            if isinstance(measured, str):
                rows.append(
                    (
                        [
                            head,
                            cell(None, escape(measured)),
                            cell(None, ""),
                        ],
                        [*kinds, "unplayed"],
                    )
                )
                continue
            damage, error, *_ = measured["damage"]
            heads = measured["accounts"][0]
            cells = [
                cell(damage, f"{signed(damage)} ± {error:.3f}"),
                cell(heads, f"{heads:,.0f}"),
            ]
            rows.append(([head, *cells], kinds))
    heads = "board", "attack", "damage", "accounts"
    return sortable(heads, rows, boxes, "unplayed")


def by_damage(pair):
    """Return by what the pairs of a board are sorted."""
    _, measured = pair
    return 0 if isinstance(measured, str) else -measured["damage"][0] - 1


def regression_table():
    """Return all fits on all boards of regression, with their units."""
    rows = {}
    for board in matrix.REGRESSION:
        row, cells = results()["results"][board], []
        for fit in matrix.FITS:
            if fit not in row:
                why = matrix.why_no_fit(board, fit)
                cells.append(f"<td><small>{escape(why)}</small></td>")
                continue
            mean, error, *_ = row[fit]["damage"]
            cells.append(f"<td>{signed(mean)} ± {error:.3f}</td>")
        rows[f"{escape(board)}<br><small>{unit(board)}</small>"] = cells
    return HTML(grid("board", matrix.FITS, rows))


ALL_FILES = TEAMS * FEW  # and of all together


def share_hidden(board):
    """Return the share of honest teams' gain that a board hides."""
    return price(board)[2] if board else 1.0


def at_the_end(files, n=LABELS):
    """Return what is promised to files that are all scored at once."""
    return math.sqrt(math.log(2 * files / 0.05) / (2 * n))


def luckiest(files):
    """Return the share that the best of some coin files gains.

    Of files that guess all that Eve does not know: the mean of the most
    right guesses, beyond half.
    """
    return max(0.0, 1 - 2 * luckiest_loss(files, COINS))


def on_own_score(eta=Fraction(1, 100), together=1, n=LABELS):
    """Return what is promised to teams that see their own score only.

    On simplified Ladders, with a limit of files, at 95 % for all of them;
    or if so many of them, any, share what they see.
    """
    size = {"n": n, "k": together * FEW, "accounts": together}
    size["delta"] = 0.05 / math.comb(TEAMS, together)
    return le.tree_deviation("simplified", eta=eta, **size) + float(eta / 2)


def on_places(files):
    """Return what is promised on three places for so many files."""
    size = {"n": LABELS, "k": files, "accounts": PLACES, "delta": 0.05}
    return le.tree_deviation("simplified", eta="1/10", **size) + 1 / 20


def best_alone(board, informed):
    """Return the attack from one account with most damage, and how much.

    Of an Eve who knows some labels, or of one who knows none.
    """
    row = results()["results"][board]
    found = [
        (row[name]["damage"][0], name)
        for name in row.keys() - MANY
        if bool(catalogue.ATTACKS[name].informed) == informed
    ]
    damage, name = max(found)
    return name, damage


READ = 0.9995  # every label, but for chance in few contests


def fewest_that_read_all(board):
    """Return what was measured with the fewest accounts that read all."""
    found = [
        (cell["accounts"][0], cell["files"][0])
        for cell in results()["results"][board].values()
        if cell["recovered"][0] > READ
    ]
    return min(found, default=None)


def accounts_that_read_all(board):
    """Return the fewest accounts that read every label, or nothing."""
    found = fewest_that_read_all(board)
    return round(found[0]) if found else None


@cache
def played_with(files):
    """Return what was played with so many files an account."""
    study = json.loads(FEW_FILES.read_text(encoding="utf-8"))
    found = study["results"]
    return {board: limits[str(files)] for board, limits in found.items()}


def read_by(board, files=FEW):
    """Return how many accounts read every label, or that nobody does."""
    if board is None or board.startswith("three"):
        return "nobody"
    (number,) = played_with(files)[board]["read by"]
    if files == NAME:
        number = min(number, accounts_that_read_all(board))
    return f"{math.ceil(number):,}"


DRAWN = {  # boards whose gains are drawn: words, and colour
    "exact losses": ("every score", "full_disclosure"),
    "exact ranks": ("every rank", "ranks"),
    "simplified Ladder, 1/100": ("simplified Ladder", "simplified"),
    "three places, 1/10": ("three best (tenths)", "theory"),
    None: ("nothing, until the end", "independent"),
}
COUNTED = {board: name for board, (name, _) in DRAWN.items()} | {
    "parameter-free Ladder": "parameter-free Ladder"
}  # in the table below the picture, too


def stories(board, heads, files):
    """Return the logarithm of how many stories a board can tell Eve.

    To so many accounts, with so many files each; other teams' files are
    fixed. Where nothing is shown, she has the best of her accounts.
    """
    if board is None:
        return math.log(heads)
    if board.startswith("three"):  # places do not count accounts
        size = {"eta": "1/10", "accounts": PLACES}
        return math.log(
            le.tree_size("simplified", k=heads * files + 1, **size)
        )
    if board == "exact losses":  # of her coins none to all are right
        each = files * math.log(COINS + 1)
    elif board == "exact ranks":
        each = stories_of_ranks(heads, files)
    elif board == "parameter-free Ladder":  # exact losses that never rise
        each = math.log(math.comb(LABELS + files, files))
    else:
        each = math.log(histories(board, files))
    return heads * each


def stories_of_ranks(heads, files):
    """Return the logarithm of how many stories ranks tell one account.

    Past other teams, who send nothing meanwhile, its rank never gets worse;
    friends push it back by fewer places than there are accounts.
    """
    fewer = math.log(math.comb(boards.TEAMS + files, files))
    fewer += files * math.log(heads)
    return min(files * math.log(boards.TEAMS + heads), fewer)


def histories(board, files):
    """Return how many stories of so many answers a Ladder can tell."""
    mechanism, eta, _ = PROMISES[board]
    shorter, with_last = (
        le.tree_size(mechanism, k=k, eta=eta) for k in (files, files + 1)
    )
    return with_last - shorter


def at_most(board, heads, files):
    """Return what no attack gains more than, on average.

    As a share: the luck of the best file of as many as there are stories.
    """
    return min(1.0, math.sqrt(2 * stories(board, heads, files) / COINS))


def gained_by(board, heads, files=FEW):
    """Return the share that the best attack of so many accounts gains.

    Of all that were played with as many accounts and files, or with fewer,
    by an Eve who knows half; who reads every label without that gains all,
    too. On places files count, not accounts, and with exact losses.
    """
    if board is None:
        return luckiest(heads)  # each account has a file at the end
    places = board.startswith("three")

    def at_most_so_many(number, each):
        if board in few_files.COUNT_FILES:
            return number * each <= heads * files
        return number <= heads and each <= files

    found = [
        gain
        for each in few_files.LIMITS
        for attack, gains in played_with(each)[board].items()
        for number, gain in zip(few_files.HEADS, gains, strict=False)
        if at_most_so_many(number, each) and attack != "read by"
    ]
    if files == NAME or places:
        counts, most = (
            ("files", heads * files) if places else ("accounts", heads)
        )
        found += [
            cell["recovered"][0]
            for attack, cell in results()["results"][board].items()
            if cell[counts][0] <= most
            and (hers(attack) or cell["recovered"][0] > READ)
        ]
    return max(found)


def hers(attack):
    """Say whether an attack is played by the Eve who knows half."""
    return catalogue.ATTACKS[attack].informed == boards.CLOSE


ACCOUNTS, FILES = (1, 2, 10, 200), (FEW, 100, NAME)  # as the sliders have


def ceiling(most):
    """Return what no attack exceeds, in per cent, rounded up."""
    return f"{math.ceil(100 * most)} %"


def taken_rows(heads, files):
    """Return what Eve takes of each board, and what no attack exceeds."""
    found = [
        (
            name,
            gained_by(board, heads, files),
            most := at_most(board, heads, files),
            f"{name} {percent(gained_by(board, heads, files))}",
            f"≤ {ceiling(most)}" if most < 1 else "",
        )
        for board, (name, _) in DRAWN.items()
    ]
    names = "board", "gain", "most", "says", "limit"
    columns = zip(*found, strict=True)
    return {"taken": dict(zip(names, columns, strict=True))}


def taken_numbers(heads, files):
    """Return the same for the table below the picture."""
    return {
        name: f"{percent(gained_by(board, heads, files))} "
        f"(at most {ceiling(at_most(board, heads, files))})"
        for board, name in COUNTED.items()
    }


def describe_taken(heads, files):
    """Say what Eve takes of two boards."""
    exact, _, rounded, *_ = taken_numbers(heads, files).values()
    each = "s, each" if heads > 1 else ""
    return (
        f"From {heads} account{each} with {files:,} files, Eve corrects "
        f"{exact} of her wrong guesses if every score is shown, and "
        f"{rounded} on the simplified Ladder."
    )


def draw_taken(narrow):
    """Draw for each board what Eve takes, before what she could."""
    rows = alt.Chart(alt.NamedData("taken"))
    names = [name for name, _ in DRAWN.values()]
    kinds = [kind for _, kind in DRAWN.values()]
    width = 262 if narrow else 560
    wide = not narrow
    left = 205 * wide
    shares = alt.Scale(domain=[0, 1], range=[left, width])
    whole = alt.Axis(values=[0, 0.5, 1], format=".0%", title=None)
    tip = [alt.Tooltip(f"{name}:N") for name in ("board", "says", "limit")]
    y = alt.Y("board:N", sort=names, axis=None)
    down = 10 if narrow else 0

    def colour(hues):
        scale = alt.Scale(
            domain=names, range=[hues[kind] for kind in kinds]
        )
        return alt.Color("board:N", scale=scale, legend=None)

    look = {"fontSize": 13, "dy": -down}
    bar = rows.mark_bar(height=18, yOffset=down, cornerRadius=1)
    pale = rows.mark_bar(
        height=18, yOffset=down, cornerRadius=1, opacity=0.25
    )
    beside = {"x2": alt.datum(0), "y": y, "tooltip": tip}
    ends = [  # what no attack exceeds, in its bar if there is room
        rows.transform_filter(f"datum.most - datum.gain {room} 0.2")
        .mark_text(align=side, dx=dx, dy=down, fontSize=13)
        .encode(
            x=alt.X("most:Q", scale=shares, axis=whole), y=y, text="limit:N"
        )
        for room, side, dx in ((">", "right", -4), ("<=", "left", 4))
    ]
    marks = [
        pale.encode(
            x=alt.X("most:Q", scale=shares, axis=whole),
            color=colour(le.COLOURS),
            **beside,
        ),
        bar.encode(
            x=alt.X("gain:Q", scale=shares, axis=whole),
            color=colour(le.COLOURS),
            **beside,
        ),
        *ends,
        rows.mark_text(align="left", **look).encode(
            x=alt.value(0), y=y, text="says:N", color=colour(INK)
        ),
    ]
    return (
        alt.layer(*marks)
        .resolve_scale(color="independent")
        .properties(width=width, height=(44 if narrow else 28) * len(names))
    )


def taken():
    """Return the picture of what Eve takes of each board."""
    return le.interactive_figure(
        draw_taken,
        sliders=[
            le.Slider("heads", "Eve’s accounts", ACCOUNTS),
            le.Slider("files", "Files of each", FILES, start=FEW),
        ],
        rows=taken_rows,
        alt=describe_taken,
        data=taken_numbers,
    )


def draw_borders(ax):
    """Draw two starts, and the borders that Eve has to pass to lead."""
    blue, eve = (
        le.TEXT_COLOURS[name] for name in ("simplified", "full_disclosure")
    )
    for border in (STEP, 2 * STEP):
        ax.axvline(border, color=le.COLOURS["simplified"], lw=2)
    for i, printed in enumerate(("0.29", "0.28", "0.27")):
        at = (i + 0.5) * STEP
        ax.text(at, 2.75, printed, color=blue, ha="center", va="center")
    look = {"arrowstyle": "->", "color": le.COLOURS["full_disclosure"]}
    look |= {"shrinkA": 0, "shrinkB": 0, "lw": 1.5}
    for y, name, best, begins, at in (
        (1.8, "a step behind", 60, "behind", (54, 2.2)),
        (0.6, "level", 55, "level", (54, 0.15)),
    ):
        lacks = price_elsewhere(BEST_SHOWN, begins)
        hers = 2 * STEP + 0.5 - lacks
        ax.text(
            *at, f"{lacks:.0f} labels", color=eve, ha="center", va="center"
        )
        ax.text(-38, y, name, va="center")
        ends = (2 * STEP + 2, y), (hers, y)
        ax.annotate("", *ends, arrowprops=look)
        ax.plot([hers], [y], "o", color=le.COLOURS["full_disclosure"])
        ax.plot([best], [y], "o", color="black", zorder=5)
    ax.text(16, 1.15, "her model", color=eve, ha="center", va="center")
    ax.text(2 * STEP - 4, 1.15, "the best", ha="right", va="center")
    ax.set(xlim=(-40, 3 * STEP), ylim=(-0.1, 3.1))
    ax.axis("off")


ANSWERS = "0.49", "0.48", "0.47"  # what the board in the tree can show
STORY = 0, 1, 1  # one story: which of these a team is told, in turn


def draw_stories(ax):
    """Draw the tree of all stories of three answers, and one of them."""
    deep, shown = len(STORY), range(len(ANSWERS))
    leaves = list(combinations_with_replacement(shown, deep))

    def y(story):
        below = [leaf[: len(story)] == story for leaf in leaves]
        return -np.mean(np.flatnonzero(below))

    for k in range(deep + 1):
        here = list(combinations_with_replacement(shown, k))
        look = {"ms": 7, "color": le.COLOURS["simplified"], "zorder": 4}
        ax.plot([k] * len(here), [*map(y, here)], "o", **look)
    for k in range(1, deep + 1):
        for told in combinations_with_replacement(shown, k):
            on = told == STORY[:k]
            kind = "full_disclosure" if on else "independent"
            ends, width = [y(told[:-1]), y(told)], 2.5 if on else 1
            look = {"color": le.COLOURS[kind], "lw": width}
            ax.plot([k - 1, k], ends, **look, zorder=2 + on)
            if on and k == deep:
                look = {"color": INK[kind], "va": "center"}
                ax.text(k + 0.1, ends[1], ANSWERS[told[-1]], **look)
            elif on:
                look = {"color": INK[kind], "ha": "right", "va": "bottom"}
                ax.text(k - 0.08, ends[1] + 0.25, ANSWERS[told[-1]], **look)
            elif k == 1:
                look = {"color": INK[kind], "ha": "center", "va": "top"}
                ax.text(k, ends[1] - 0.4, ANSWERS[told[-1]], **look)
    ax.set(xlim=(-0.2, deep + 0.4), ylim=(-len(leaves) - 0.8, 0.8))
    many = [math.comb(k + len(ANSWERS) - 1, k) for k in range(deep + 1)]
    names = [f"file {k}:\n{each}" for k, each in enumerate(many, start=1)]
    ax.set_xticks(range(deep + 1), names)
    ax.set(yticks=[])


ORDER = (
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
