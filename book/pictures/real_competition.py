"""The figures of the chapter on a real competition."""

from functools import cache

import altair as alt
import numpy as np
from IPython.display import HTML

import few_files
import fitted
import honest_games
import jointly
import leaderboard_edu as le
from competition import (
    MECHANISMS,
    START,
    competition,
    honest_log,
    log,
    shown,
)
from honest_cost import false_moves, honest_cost, places, told
from other_labels import alone_elsewhere, elsewhere, price_elsewhere

ATTACKS = {"booster": "Eve", "pairer": "pairs", "many": "twelve names"}
BOARDS = {
    "every score": "full",
    "replayed, simplified Ladder": "replay",
    "played anew, simplified Ladder": "simplified",
    "Eve tests, simplified Ladder": "tests",
}
CALLED = {
    "every score": "the board that shows every score",
    "replayed, simplified Ladder": "the simplified Ladder, by a replay",
    "played anew, simplified Ladder": "the simplified Ladder, played anew",
    "Eve tests, simplified Ladder": "the simplified Ladder, tested by Eve",
}
WORLDS = {  # the game that was played with each board
    "every score": "full",
    "parameter-free": "free",
    "simplified, 1/100": "simplified",
    "Ladder, 1/100": "ladder",
}
SHAPES = {
    "pairs": {"shape": "triangle-up", "size": 110, "opacity": 1},
    "twelve names": {"shape": "diamond", "size": 80, "opacity": 0.9},
}
DAYS = [10, 14, 21, 28, 42, 50, 61]
LOW, HIGH = 0.258, 0.342


def owners():
    """Return for each account the policy of its owner."""
    return [each["policy"] for each in competition().about["accounts"]]


@cache
def played(world):
    """Return the log of a world, what was shown, and sealed losses.

    The log has one row of the holdout only, so that it is cut fast.
    """
    found, labels = log(world), competition()
    sealed = ~labels.public
    wrong = found.predictions[:, sealed] != labels.labels[sealed]
    return found.rows([0]), shown(world), wrong.mean(axis=1)


def standings(world, day=61):
    """Return accounts, shown and sealed losses on the evening of a day.

    Best first; of equal scores the one that came first.
    """
    if world == "tests":
        return tested_standings(day)
    if world == "replay":
        found, _, sealed = played("full")
        answers = on_ladder()
    else:
        found, answers, sealed = played(world)
    now = found.times < START + np.timedelta64(day, "D")
    answers = answers[now]
    counts = le.best_counts(le.Replay(found.submissions(now), answers, ()))
    order = np.argsort(answers, kind="stable")
    return [
        (found.teams[i], answers[i], sealed[i]) for i in order if counts[i]
    ]


@cache
def on_ladder():
    """Return what a Ladder shows if the first game is replayed on it."""
    held, sent = competition(), log("full")
    labels = held.labels[held.public]
    return le.replay(
        sent.rows(held.public), labels, MECHANISMS["simplified"]
    ).shown


class Coins:
    """Tosses as the chapter makes them, of whatever type is asked for."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def integers(self, low, high, size, dtype=None):
        """Toss coins."""
        return self.rng.integers(low, high, size)


def tested_standings(day):
    """Return the standings on a Ladder if Eve plays her best attack."""
    eve, (_, lowest, sealed, *_) = fitted.eves_account(), tied_game()
    lowest = lowest[: lowest.size * day // fitted.DAYS]
    mine = lowest[-1], sealed[np.flatnonzero(lowest == lowest[-1])[0]]
    rows = [row for row in standings("simplified", day) if row[0] != eve]
    place = sum(score <= mine[0] for _, score, _ in rows)  # she came last
    return [*rows[:place], (eve, *mine), *rows[place:]]


def of_honest(world, kind=None):
    """Say which files of a world are from honest teams, or from a kind."""
    policies = np.array(owners())[np.array(log(world).teams)]
    if kind:
        return policies == kind
    return ~np.isin(policies, list(ATTACKS))


@cache
def outcome(world, kind=None):
    """Return what a game hid from honest teams, and moves they were shown.

    The honest cost, and how many moves were false, of how many.
    """
    chosen, held = of_honest(world, kind), competition()
    sent, truth = log(world).submissions(chosen), played(world)[2][chosen]
    public = held.public
    board = MECHANISMS[world]
    heard = told(sent.rows(public), held.labels[public], board)
    cost = honest_cost(sent, truth, heard)
    return cost, false_moves(sent, truth, heard)


@cache
def replayed(board):
    """Return what a board tells honest teams of a log that is replayed.

    After which of their files, where every score was shown, it tells of a
    better one; what it hides; how many of its moves are false, of how many.
    """
    chosen, held = of_honest("full"), competition()
    sent = log("full").submissions(chosen)
    truth = played("full")[2][chosen]
    made = {"every score": le.FullDisclosure, "ranks only": le.RankBoard}
    made |= fitted.BOARDS | fitted.JOINT_BOARDS
    rows = sent.rows(held.public)
    heard = told(rows, held.labels[held.public], made[board])
    cost = honest_cost(sent, truth, heard)
    return heard, cost, false_moves(sent, truth, heard)


def share_of_gain(cost):
    """Return the share of all gain together that a board hides."""
    return cost.gain[cost.hidden].sum() / cost.gain.sum()


def world_of(board):
    """Return the game whose other teams Eve meets on a board.

    Where none was played that of the simplified Ladder: it too shows
    hundredths.
    """
    return WORLDS.get(board.split(":")[0], "simplified")


def leads(attack, board, begins=None):
    """Return how often an attack ends first from other teams' files.

    From those printed as Eve's model, if none are given. Alone, and alone
    or level: means over the files and their standard errors; and what is
    shown of her files, and is true.
    """
    found, ends, eve = [], [], fitted.eves_account()
    for account in sorted((begins or fitted.starts()).keys() - {eve}):
        end = fitted.stored()[account, attack, board]
        if board == fitted.RANKS:  # places are never level
            alone = front = end.shown == 1
        else:
            least = min(
                score
                for team, score, _ in standings(world_of(board))
                if team not in (account, eve)
            )
            alone, front = (
                end.shown < least - 1e-9,
                end.shown < least + 1e-9,
            )
        found.append((alone.mean(), front.mean()))
        ends.append((end.shown.mean(), end.sealed.mean()))
    means = (le.mean_and_error(each) for each in np.transpose(found))
    return *means, *np.mean(ends, axis=0)


@cache
def in_front(board, files, level=False):
    """Return the same of the best attack with so many files.

    The one that is most often alone, and the one that is most often level.
    From files that are level with the best, if wished.
    """
    begins = fitted.leaders() if level else fitted.starts()
    account = max(begins.keys() - {fitted.eves_account()})
    names = "coins", "wait", "listen", "joint"
    found = [
        leads(attack, board, begins)
        for attack in (f"{name}, {files} files" for name in names)
        if (account, attack, board) in fitted.stored()
    ]
    alone, front = (
        max(found, key=lambda each: tuple(each[kind])) for kind in (0, 1)
    )
    return alone[0], front[1], *alone[2:]


def answer_table():
    """Return what each board hides, how often it errs, and its price."""
    rows, (first, *others) = {}, WORLDS
    for board in (first, fitted.ROUNDED, *others):
        _, cost, (false, of) = replayed(board)
        shares = share_of_gain(cost), false / of
        rows[board] = [
            *(f"{100 * share:.0f}" for share in shares),
            pays(board),
        ]
    words = "progress hidden", "false moves", "regulars pay"
    heads = [each.replace(" ", "<br>") for each in words]
    return table("board", heads, rows, "answers long-heads")


def pays(board):
    """Return how many labels regulars pay on a board with a limit."""
    mean, _ = honest_games.price(board, True, honest_games.REGULARS)
    return f"{3600 * mean:.1f}"


def attacks_table():
    """Return how often attacks from 50 files are first, on all boards."""
    rows = {}
    for board in WORLDS:
        row = rows[board] = []
        for attack in (fitted.few_files(board), "listen", "joint"):
            ends = leads(f"{attack}, 50 files", board)[:2]
            row += [f"{100 * share:.0f}\u00a0%" for share, _ in ends]
    names = "vote or walk", "listens", "best"
    heads = [
        f"{name},<br>{k}" for name in names for k in ("alone", "level")
    ]
    return table("board", heads, rows)


def eves():
    """Return Eve's account, the places of her submissions, and her plan.

    That is the file of her model, which she sends first, and the labels
    that she flips, all of which she turns in the second.
    """
    found = log("full")
    eve = fitted.eves_account()
    hers = places(found)[eve]
    model, turned = found.predictions[hers[:2]]
    return eve, hers, model, np.flatnonzero(model != turned)


def rank(truth, everyone):
    """Return the rank of a sealed loss among those of the others."""
    return 1 + sum(other < truth for _, _, other in everyone)


def draw(narrow):
    """Draw what is shown and what is true of each account."""
    scale = alt.Scale(domain=[LOW, HIGH], nice=False)
    axis = alt.Axis(values=[0.26, 0.28, 0.3, 0.32], format=".2f")
    x = alt.X("shown:Q", title="loss shown on the board").scale(scale)
    y = alt.Y("sealed:Q", title="loss on the sealed labels").scale(scale)
    at = {"x": x.axis(axis), "y": y.axis(axis)}
    teams = alt.Chart(alt.NamedData("teams"))
    tip = [
        alt.Tooltip("who:N"),
        alt.Tooltip("shown:Q", format=".4f"),
        alt.Tooltip("sealed:Q", format=".4f"),
        alt.Tooltip("place:Q", title="rank on the board"),
    ]
    ends = alt.Data(
        values=[{"shown": at, "sealed": at} for at in (0.2, 0.5)]
    )
    diagonal = alt.Chart(ends).mark_line(strokeDash=[6, 4], clip=True)
    layers = [diagonal.encode(**at)]
    leak = {"color": le.COLOURS["full_disclosure"], "filled": True}
    grey = {"color": le.COLOURS["independent"], "filled": True}
    for who, look in (
        ("honest", grey | {"size": 35, "opacity": 0.75}),
        ("twelve names", leak | SHAPES["twelve names"]),
        ("pairs", leak | SHAPES["pairs"]),
        ("Eve", leak | {"size": 110, "opacity": 1}),
    ):
        dots = teams.transform_filter(f"datum.who == '{who}'").mark_point(
            clip=True, **look
        )
        layers.append(dots.encode(**at, tooltip=tip))
    ink = {"color": le.TEXT_COLOURS["full_disclosure"]}
    ink["fontWeight"] = "bold"
    # Rounded scores stand in columns. In the first her name is on the left.
    column = "abs(100 * datum.shown - round(100 * datum.shown)) < 0.001"
    first = f"(datum.shown < 0.285 && {column})"
    for where, side in (
        (f"!{first}", {"align": "left", "dx": 9, "dy": 9}),
        (first, {"align": "right", "dx": -9}),
    ):
        inside = f"datum.name == 'Eve' && datum.shown < {HIGH} && {where}"
        name = teams.transform_filter(inside)
        layers.append(
            name.mark_text(text="Eve", **side, **ink).encode(**at)
        )
    away = teams.transform_filter(
        f"datum.name == 'Eve' && datum.shown >= {HIGH}"
    ).transform_calculate(
        says="'Eve: ' + format(datum.shown, '.2f') + ' →'"
    )
    away = away.mark_text(align="right", **ink)
    edge = {"x": alt.datum(HIGH), "y": alt.datum(0.275)}
    layers.append(away.encode(text="says:N", **edge))
    place = alt.Chart(alt.Data(values=[{}]))
    for at_x, (who, shape) in zip(
        (0.278, 0.299), SHAPES.items(), strict=True
    ):
        spot = {"x": alt.datum(at_x), "y": alt.value(-16)}  # outside
        layers += [
            place.mark_point(**leak, **shape).encode(**spot),
            place.mark_text(align="left", dx=10, text=who, **ink).encode(
                **spot
            ),
        ]
    players = place.mark_text(text="players:", align="left")
    layers.append(players.encode(x=alt.datum(LOW), y=alt.value(-16)))
    for words, spot in (
        ("better than shown", (0.3, 0.266)),
        ("worse than shown", (0.2595, 0.3245)),
    ):
        layers.append(
            place.mark_text(
                text=words, align="left", fontStyle="italic"
            ).encode(x=alt.datum(spot[0]), y=alt.datum(spot[1]))
        )
    return alt.layer(*layers).properties(height=340)


def grid(corner, heads, rows, look="answers"):
    """Return a table with a head for each column and row."""
    head = "".join(f"<th scope='col'>{name}</th>" for name in heads)
    body = "".join(
        f"<tr><th scope='row'>{name}</th>{''.join(cells)}</tr>"
        for name, cells in rows.items()
    )
    return (
        f'<table class="dataframe {look}" '
        f'style="--columns: {len(heads)}"><thead>'
        f"<tr><th scope='col'>{corner}</th>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


def table(corner, heads, rows, look="answers"):
    """Return a table of words, by the names of its rows."""
    cells = {
        name: [f"<td>{text}</td>" for text in row]
        for name, row in rows.items()
    }
    return HTML(grid(corner, heads, cells, look))


def rows(day, board):
    """Return all accounts, and the names of those that attack."""
    policies, named, found = owners(), set(), []
    for place, (account, loss, truth) in enumerate(
        standings(BOARDS[board], day), 1
    ):
        who = ATTACKS.get(policies[account], "honest")
        first = who != "honest" and who not in named
        named.add(who)
        found.append((who, who if first else "", loss, truth, place))
    names = ("who", "name", "shown", "sealed", "place")
    columns = dict(zip(names, zip(*found, strict=True), strict=True))
    for name in ("shown", "sealed"):
        columns[name] = np.round(columns[name], 4)
    return {"teams": columns}


def numbers(day, board):
    """Return who is first and what it shows, and what Eve's file is worth.

    Of several that are shown level the number of accounts.
    """
    everyone, eve = standings(BOARDS[board], day), fitted.eves_account()
    loss = everyone[0][1]
    first = [account for account, score, _ in everyone if score == loss]
    who = f"{len(first)} accounts"
    if len(first) == 1:
        who = ATTACKS.get(owners()[first[0]], "an honest team")
    elif eve in first:
        who += ", Eve among them"
    hers, has = next(row[1:] for row in everyone if row[0] == eve)
    return {
        "first on the board": who,
        "its loss": f"{loss:.4f}",
        "Eve, shown": f"{hers:.4f}",
        "Eve, sealed": f"{has:.4f}",
        "Eve, sealed rank": f"{rank(has, everyone)} of {len(everyone)}",
    }


def describe(day, board):
    """Say who leads on the board and what Eve's file is worth."""
    who, loss, hers, has, place = numbers(day, board).values()
    verb = "are" if "accounts" in who else "is"
    told = "" if "Eve" in who else f" Eve is shown {hers}."
    return (
        f"After {day} days on {CALLED[board]}, first {verb} {who}, with "
        f"{loss}.{told} On the sealed labels her file has {has}, rank "
        f"{place}."
    )


def board_and_truth():
    """Return the picture of what is shown against what is true."""
    return le.interactive_figure(
        draw,
        sliders=[
            le.Slider("day", "After day", DAYS, start=61),
            le.Slider("board", "Board", list(BOARDS)),
        ],
        rows=rows,
        alt=describe,
        data=numbers,
    )


LINES = {  # colour, mark, height of the words in both pictures
    "every score": ("full_disclosure", "o", 0.445, 1.04),
    "simplified, 1/100": ("simplified", "s", 0.113, 0.57),
}


def seen_by_size(costs, error):
    """Return the picture of the share of improvements that are shown.

    Gains below the error of what is called true are shaded.
    """
    gain = costs["every score"].gain
    bins = np.array_split(np.argsort(gain), 6)

    def draw(ax):
        middle = [np.median(gain[group]) for group in bins]
        narrow = ax.figure.get_figwidth() < 4  # room for the names
        gap = 0.7 if narrow else 0.87
        for name, (colour, mark, y, _) in LINES.items():
            seen = [1 - costs[name].hidden[group].mean() for group in bins]
            ax.plot(middle, seen, f"{mark}-", color=le.COLOURS[colour])
            look = {"color": le.TEXT_COLOURS[colour], "ha": "right"}
            words = name.removesuffix(", 1/100")
            ax.text(gap * middle[0], y, words, va="center", **look)
        ax.set(xscale="log", xlim=(8e-6 if narrow else 1.5e-4, 0.055))
        ax.set(ylim=(0, 1.03))
        grey = le.COLOURS["independent"]
        ax.axvspan(1e-6, error, color=grey, alpha=0.12, lw=0)
        ax.axvline(0.01, color=grey, lw=1, ls="--")
        ax.text(
            0.0105, 0.03, "a step", color=le.TEXT_COLOURS["independent"]
        )
        ticks = [0.001, 0.01] if narrow else [0.001, 0.003, 0.01, 0.03]
        ax.set_xticks(ticks, [str(tick) for tick in ticks])
        ax.minorticks_off()
        ax.set(xlabel="true gain of the file", ylabel="share that is shown")

    return le.static_figure(
        draw,
        height=2.9,
        alt="Share of true improvements that are shown against their gain, "
        "on a logarithmic axis to a tenth. Below two thousandths every "
        "score shows about one half, the simplified Ladder far fewer. Both "
        "curves rise, and from three hundredths on both show nearly all.",
    )


@cache
def fifty_files(seed):
    """Return a walk with fifty files from Eve's model.

    What the board shows after each; and, but for the last, the vote: how
    many more than half of the guesses on public labels each has right, and
    which moved the board, as the first does.
    """
    held, start = competition(), fitted.eves_start()
    board = MECHANISMS["simplified"](held.labels[held.public])

    def submit(file):
        return board.submit(file[held.public])

    fitted.wait_down(submit, start, Coins(seed), 50)
    guessed = np.zeros(held.public.size, dtype=bool)
    guessed[start.labels[: fitted.UNSURE]] = True
    guessed = guessed[held.public]
    files, shown = (
        np.array(each) for each in zip(*board.transcript, strict=True)
    )
    wrong = files != held.labels[held.public]
    right = guessed.sum() / 2 - wrong[:-1, guessed].sum(axis=1)
    return shown, right, np.append(True, np.diff(shown[:-1]) < 0)


class Watched(jointly.Silent):
    """The best attack, of which each test leaves what Eve believes.

    Of the file before the answer: how many labels are wrong, give or take.
    Of her model after it: the log odds that its labels are right.
    """

    def __init__(self, *settings):
        super().__init__(*settings)
        self.aims, self.odds = [], []

    def hear(self, file, told):
        """Learn from an answer, and keep what is believed."""
        each, rest = self.joint.effects() if self.aims else (None, 0)
        mean = (
            rest + each @ file if self.aims else self.joint.moments(file)[0]
        )
        self.aims.append((mean, self.spread))
        super().hear(file, told)
        self.odds.append(self.believed()[1])


@cache
def tied_game():
    """Play the best attack from Eve's model, until a game ends in a tie.

    In which half of the files between the first and the last cross, and
    the last is worse than her model on the sealed labels, as most are.
    With 20 files, on the simplified Ladder. Return how many
    public labels each file has wrong, what the board shows after it, and
    its sealed loss; and of each but the last what chance she then gives
    each answer of her model on the board, and how many labels she thought
    it has wrong, give or take.
    """
    held, start = competition(), fitted.eves_start()
    steps = fitted.STEPS["simplified, 1/100"]
    for seed in range(20):
        board = MECHANISMS["simplified"](held.labels[held.public])
        eve = Watched(start, np.random.default_rng(seed), *steps, 20)
        files, shown = [], []

        def submit(file, board=board, files=files, shown=shown):
            files.append(file != held.labels)
            shown.append(board.submit(file[held.public]))
            return shown[-1]

        eve.attack(submit, 20)
        missed, odds = np.array(files), np.array(eve.odds)
        model = (start.file != held.labels)[~held.public].mean()
        worse = missed[-1, ~held.public].mean() > model
        crossed = np.sum(np.diff(shown[:-1]) < 0)
        if shown[-1] < 0.285 and worse and crossed == 9:
            return (
                missed[:, held.public].sum(axis=1),
                np.array(shown),
                missed[:, ~held.public].mean(axis=1),
                1 / (1 + np.exp(-odds[:, held.public])),
                np.array(eve.aims),
            )
    raise ValueError("no game ends in a tie")


def answers_turned():
    """Return which answers Eve turns in the end of this game, on the board.

    As rows of the public labels: those that were wrong, and right.
    """
    held, model = competition(), fitted.eves_start().file
    chances = tied_game()[3][-1]
    missed = (model != held.labels)[held.public]
    return (chances < 0.5) & missed, (chances < 0.5) & ~missed


def guess_turned():
    """Return a wrong guess that is turned, and falls as most such do.

    By the median fall of all of them in this game.
    """
    chances, (wrong, _) = tied_game()[3], answers_turned()
    wrong = np.flatnonzero(wrong & guessed())
    fell = (chances[0] - chances[-1])[wrong]
    return wrong[np.argmin(np.abs(fell - np.median(fell)))]


def guessed():
    """Say which public labels Eve's model only guesses."""
    unsure = fitted.eves_start().labels[: fitted.UNSURE]
    return np.isin(np.flatnonzero(competition().public), unsure)


def draw_belief(ax):
    """Draw what chance Eve gives some of her model's guesses, by file."""
    chances, one = tied_game()[3], guess_turned()
    sent = np.arange(1, len(chances) + 1)
    for guess in (*np.flatnonzero(guessed())[::10], one):
        turned = chances[-1, guess] < 0.5
        look = {"lw": 2.5} if guess == one else {"lw": 0.8, "alpha": 0.6}
        colour = le.COLOURS["full_disclosure" if turned else "independent"]
        ax.plot(sent, chances[:, guess], color=colour, **look)
    ax.axhline(0.5, color="black", lw=0.8, ls="--")
    for y, words, colour in (
        (0.635, "kept", "independent"),
        (0.41, "turned in the end", "full_disclosure"),
    ):
        ax.text(1, y, words, color=le.TEXT_COLOURS[colour], va="center")
    ax.set(ylim=(0.39, 0.66), xticks=[1, 5, 10, 15, 19])
    ax.set_yticks([0.4, 0.5, 0.6], ["40 %", "50 %", "60 %"])
    ax.set(xlabel="files sent", title="belief in her model’s guesses")


def borders_met(shown):
    """Return the border, in labels, that each file but the first met."""
    return competition().public.sum() * (shown[:-1] - fitted.STEP / 2)


TOLD_FILE = 10  # of this game: the eleventh, which meets silence
TOLD_FILES = range(TOLD_FILE, TOLD_FILE + 5)


def draw_test(ax):
    """Draw what Eve expects of files on borders, and where they fall."""
    wrong, shown, *_, aims = tied_game()
    met = borders_met(shown)
    for file in TOLD_FILES:
        border, spread = met[file - 1], aims[file, 1]
        at = np.linspace(-2.5, 2.5, 201) * spread
        bell = file + 1 + 0.75 * np.exp(-((at / spread) ** 2) / 2)
        for where, colour in (
            (at >= 0, "independent"),
            (at <= 0, "full_disclosure"),
        ):
            look = {"color": le.COLOURS[colour], "alpha": 0.4, "lw": 0}
            ax.fill_betweenx(border + at, file + 1, bell, where, **look)
        moved = shown[file] < shown[file - 1]
        colour = ("independent", "full_disclosure")[int(moved)]
        look = {"ms": 6, "zorder": 5, "color": le.COLOURS[colour]}
        ax.plot(file + 1, wrong[file], "o", **look)
    blue = le.COLOURS["simplified"]
    levels = sorted({met[file - 1] for file in TOLD_FILES})
    ax.hlines(levels, TOLD_FILE + 0.6, TOLD_FILE + 6.1, blue)
    for x, y, words, name in (
        (11, 1461, "silence", "independent"),
        (12, 1369, "it moves", "full_disclosure"),
        (15.7, 1425, "border", "simplified"),
    ):
        ax.text(x, y, words, color=le.TEXT_COLOURS[name], ha="center")
    ax.set(xlim=(10.4, 16.2), ylim=(1270, 1480), xlabel="files")
    ax.set_yticks(levels, [f"{level:,.0f}" for level in levels])
    ax.set(xticks=[file + 1 for file in TOLD_FILES])
    ax.set(title="wrong public labels")
    ax.grid(visible=False)


def draw_staircase(ax):
    """Draw a game of the best attack, from border to border."""
    wrong, shown, *_ = tied_game()
    moved = np.append(True, np.diff(shown) < 0)
    leak, grey, blue = (
        le.COLOURS[name]
        for name in ("full_disclosure", "independent", "simplified")
    )
    sent = np.arange(1, wrong.size + 1)
    ax.hlines(borders_met(shown), sent[1:] - 0.5, sent[1:] + 0.5, blue)
    for of, colour in ((moved, leak), (~moved, grey)):
        ax.plot(sent[of], wrong[of], "o", ms=5, color=colour)
    ax.plot(sent[-2:], wrong[-2:], ":", color=leak)
    ax.axhline(model_wrong(), color="black", lw=0.8, ls="--")
    ax.text(1, model_wrong() + 12, "her model")
    ink = {"color": le.TEXT_COLOURS["full_disclosure"]}
    ax.text(2, wrong[:4].max() + 20, "begins bad", **ink)
    ax.text(19.6, wrong[-1] + 60, "last file", ha="right", **ink)
    ax.text(11, 1500, "borders", color=le.TEXT_COLOURS["simplified"])
    ax.set(ylim=(980, 1740), xticks=[1, 5, 10, 15, 20], xlabel="files")
    ax.set_yticks([1000, 1300, 1600], ["1,000", "1,300", "1,600"])
    ax.set(title="wrong public labels")


def coins_leave(account=None):
    """Return how many public labels coins for guesses leave wrong.

    In Eve's model, or in that of an account that she may start from.
    """
    held = competition()
    if account is None:
        account = fitted.eves_account()
    start = fitted.starts()[account]
    wrong = (start.file != held.labels).astype(float)
    wrong[start.labels[: fitted.UNSURE]] = 0.5
    return wrong[held.public].sum()


def start_wrong(account):
    """Return how many public labels such a file has wrong."""
    held = competition()
    wrong = fitted.starts()[account].file != held.labels
    return int(np.sum(wrong[held.public]))


def righted(attack, board, files):
    """Return how many fewer public labels are wrong, in each game."""
    key = fitted.eves_account(), f"{attack}, {files} files", board
    losses = fitted.stored()[key].public
    return coins_leave() - competition().public.sum() * losses


def enough(board):
    """Return how many public labels may be wrong to tie, and to lead.

    For first place, and for first place alone, at the end of the game.
    """
    n, eve = int(competition().public.sum()), fitted.eves_account()
    first = min(
        row[1] for row in standings(world_of(board)) if row[0] != eve
    )
    if board == "every score":
        return round(n * first), round(n * first) - 1
    level = round(first / fitted.STEP)  # in steps; halves round up
    return tuple(
        (n * (2 * each + 1) - 1) // 200 for each in (level, level - 1)
    )


def model_wrong():
    """Return how many public labels Eve's model has wrong."""
    return start_wrong(fitted.eves_account())


def wrong_after(board, files=50):
    """Return how many her file has wrong after the best attack, by game."""
    key = fitted.eves_account(), f"joint, {files} files", board
    return counted(fitted.stored()[key].public)


def counted(losses):
    """Return how many public labels are wrong, in whole numbers."""
    return np.rint(competition().public.sum() * losses).astype(int)


def ends_on_flights(board, files):
    """Return the public labels that are wrong before and after attacks.

    Of the honest files that are printed as Eve's model: at the start, and
    at the end of all games from them.
    """
    begins, ends = [], []
    for account in fitted.starts().keys() - {fitted.eves_account()}:
        begins.append(start_wrong(account))
        key = account, f"joint, {files} files", board
        ends.append(counted(fitted.stored()[key].public))
    return np.array(begins), np.concatenate(ends)


def sealed_wins(board, files):
    """Return in how many games Eve's file is first by the sealed labels.

    From the honest files that are printed as her model; the others have the
    files that the board credits.
    """
    rows, found = standings(world_of(board)), 0
    for account in fitted.starts().keys() - {fitted.eves_account()}:
        hers = account, fitted.eves_account()
        least = min(true for team, _, true in rows if team not in hers)
        end = fitted.stored()[account, f"joint, {files} files", board]
        found += int(np.sum(end.sealed < least + 1e-9))
    return found


def prices():
    """Return how many labels Eve's model lacks to lead, tie and lead alone.

    To lead where every score is shown; and on the simplified Ladder.
    """
    ends = enough("every score")[1], *enough("simplified, 1/100")
    return [model_wrong() - end for end in ends]


def gains_on_flights(board):
    """Return how many labels Eve corrects with few files, in each game.

    From the honest files that are printed as her model.
    """
    begins, ends = ends_on_flights(board, FEW)
    return np.repeat(begins, ends.size // begins.size) - ends


def draw_reach(ax):
    """Draw what Eve lacks to a tie in each game, and what she corrects.

    Above the first line she is tied, above the second she leads alone.
    """
    board = "simplified, 1/100"
    tie, lead = enough(board)
    step, gains = tie - lead, gains_on_flights(board)
    begins, _ = ends_on_flights(board, FEW)
    lacks = np.repeat(begins - tie, gains.size // begins.size)
    blue, x = le.COLOURS["simplified"], np.array([0, step + 1])
    ink = {"color": le.TEXT_COLOURS["simplified"], "va": "center"}
    look = {"color": blue, "lw": 0}
    ax.fill_between(x, x, x + step, alpha=0.15, **look)
    ax.fill_between(x, x + step, 100, alpha=0.35, **look)
    ax.text(1.5, 58, "she leads alone", **ink)
    ax.text(9.5, 36, "she is tied", **ink)
    leak = le.COLOURS["full_disclosure"]
    ax.plot(lacks, gains, "o", ms=3.5, alpha=0.7, mew=0, color=leak)
    ax.set(xlim=(0, step + 1), ylim=(-10, 72), xticks=[1, 12, 24, step])
    ax.set(yticks=[0, 20, 40, 60], title="labels that she corrects")
    ax.set(xlabel="labels to the first border")
    ax.grid(visible=False)


PAID = {  # boards on which teams played anew: words, and colour
    "every score": ("every score", "full_disclosure"),
    fitted.ROUNDED: ("rounded", "ladder_boot"),
    "parameter-free": ("parameter-free", "parameter_free"),
    "simplified, 1/100": ("simplified", "simplified"),
    "Ladder, 1/100": ("Ladder", "ladder"),
}


KINDS = {  # of honest teams: what they are called in a picture
    "climber": "Bob’s kind",
    "blender": "who blend",
    "tinkerer": "who tinker",
    "returner": "who return",
    "visitor": "who visit",
    "truster": "Ann’s kind",
    None: "all",
}


DRAWN_PRICES = (
    ("every score", "limit alone", "full_disclosure"),
    ("simplified, 1/100", "simplified", "simplified"),
    (honest_games.SILENT[9600], "nothing", "independent"),
)


TOLD_OF = {  # on the main line
    "climber": "Bob’s kind",
    ("blender", "tinkerer", "returner"): "other regulars",
    "truster": "Ann’s kind",
    honest_games.REGULARS: "all regulars",
}


def draw_paid(ax, kinds=TOLD_OF, boards=DRAWN_PRICES[:2]):
    """Draw how many labels of 3,600 kinds of teams lose with 20 files."""
    policies = honest_games.games()[0]["policies"]
    names = []
    for row, (kind, name) in enumerate(kinds.items()):
        of = KINDS if kind is None else np.atleast_1d(kind)
        many = sum(policies.count(each) for each in of)
        names.append(f"{name}, {many}")
        for below, (board, words, colour) in enumerate(boards):
            found = honest_games.price(board, True, kind)
            mean, error = (3600 * each for each in found)
            look = {"fmt": "osD"[below], "color": le.COLOURS[colour]}
            at = row - 0.24 + 0.24 * below
            ax.errorbar(mean, at, xerr=error, ms=4.5, **look)
            if kind == ("climber", "climber", "visitor")[below]:
                ink = {"color": le.TEXT_COLOURS[colour], "va": "center"}
                spots = (  # beside or below their marks
                    (mean + error + 0.7, at, "left"),
                    (mean, at + 0.45, "center"),
                    (mean - error - 0.7, at, "right"),
                )
                x, y, side = spots[below]
                ax.text(x, y, words, ha=side, **ink)
    ax.axvline(0, color="black", lw=0.5)
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(axis="y", length=0)
    ax.set(ylim=(len(names) - 0.4, -0.5), xlabel="more errors, of 3,600")
    ax.set_xticks([0, 10, 20])


def draw_all_paid(ax):
    """Draw the same of all kinds."""
    draw_paid(ax, KINDS, DRAWN_PRICES)


BOB = 94  # an account of his kind, which pays about what the kind pays


def bobs_files(world):
    """Return how many public labels his files have wrong, in a game."""
    held, sent = competition(), log(world)
    own = sent.predictions[places(sent)[BOB]][:, held.public]
    return (own != held.labels[held.public]).sum(axis=1)


def draw_bob(ax):
    """Draw what Bob sends in two games, and what the Ladder prints.

    Pale: what it prints in a replay of the files of the other game.
    """
    every, silent = bobs_files("full"), bobs_files("simplified")
    n = int(competition().public.sum())
    levels = np.minimum.accumulate((200 * every + n) // (2 * n))
    step, blue = n / 100, le.COLOURS["simplified"]
    for sent, level in enumerate(levels, start=1):
        alpha = 0.45 if sent <= silent.size else 0.15
        look = {"width": 1, "color": blue, "alpha": alpha, "lw": 0}
        ax.bar(sent, step, bottom=(level - 0.5) * step, **look)
    ink = {"color": le.TEXT_COLOURS["simplified"]}
    for level in sorted(set(levels)):
        first, *more = np.flatnonzero(levels == level)
        up = len(more) < 2  # else the next level is in the way
        y = (level + 0.5) * step + 3 if up else (level - 0.5) * step - 3
        at = {"x": first + 0.6, "y": y, "va": "bottom" if up else "top"}
        ax.text(**at, s=f"{level / 100:.2f}", **ink)
    ax.axvline(silent.size + 0.5, color=blue, lw=1, ls="--")
    at = {"x": silent.size + 0.2, "y": 1049, "ha": "right"}
    ax.text(**at, s="he gives up", **ink)
    sent = np.arange(1, every.size + 1)
    both = sent <= silent.size
    leak = le.COLOURS["full_disclosure"]
    for of, colour in ((both, "black"), (~both, leak)):
        ax.plot(sent[of], every[of], "o", ms=5, color=colour)
    ink = {"color": le.TEXT_COLOURS["full_disclosure"], "ha": "right"}
    ax.text(24.4, 1258, "only where\nevery score\nis shown", **ink)
    ax.text(1, 1335, "in both games")
    ax.set(ylim=(1040, 1360), xticks=[1, 5, 9, 14, 19, 24], xlabel="files")
    ax.set_yticks([1100, 1200, 1300], ["1,100", "1,200", "1,300"])
    ax.set(title="wrong public labels")


@cache
def pairs_apart():
    """Return how much two files of a team differ, what luck does, weights.

    In labels of 3,600, by their sealed losses; luck by the public flights
    on which they disagree. All teams weigh the same.
    """
    sent, held = honest_log("full"), competition()
    sealed = ~held.public
    wrong = (sent.predictions != held.labels)[:, sealed].sum(axis=1)
    found, luck, weights = [], [], []
    for at in places(sent).values():
        first, second = np.triu_indices(len(at), 1)
        pairs = np.abs(wrong[at][first] - wrong[at][second])
        found.append(held.public.sum() * pairs / sealed.sum())
        answers = sent.predictions[at][:, held.public]
        parted = answers[first] != answers[second]
        luck.append(np.sqrt(parted.sum(axis=1)))
        weights.append(np.full(pairs.size, 1 / max(1, pairs.size)))
    weights = np.concatenate(weights)
    weights /= weights.sum()
    return np.concatenate(found), np.concatenate(luck), weights


LUCK = 24  # labels by which luck parts the scores of two files of a team


def draw_apart(ax):
    """Draw how different a team's files are, and what luck does."""
    pairs, _, weights = pairs_apart()
    edges = np.arange(0, 504 + LUCK, LUCK)
    shares, _ = np.histogram(pairs, edges, weights=100 * weights)
    colours = [le.COLOURS["independent"]] * shares.size
    colours[0] = le.COLOURS["full_disclosure"]
    look = {"width": LUCK - 2, "align": "edge", "color": colours}
    ax.bar(edges[:-1] + 1, shares, **look)
    ink = {"color": le.TEXT_COLOURS["full_disclosure"], "va": "center"}
    ax.text(LUCK + 4, 27, f"closer than {LUCK}", **ink)
    ax.text(5 * LUCK, 12, "farther apart", va="center")
    ax.set(xlim=(0, edges[-1]), xticks=range(0, 501, 100))
    ax.set(xlabel="difference, in labels", yticks=[0, 10, 20, 30])
    ax.set(title="% of pairs")
    ax.grid(visible=False)


def two_losses(fifty):
    """Return the picture of public against sealed, 0/1 and log loss."""
    sealed = fifty["missed"].mean(axis=1)

    def draw(*axes):
        top, bottom = axes
        for found, name, mark in (
            ("full", "full_disclosure", "o"),
            ("free", "parameter_free", "x"),
        ):
            look = {"color": le.COLOURS[name], "ms": 5}
            top.plot(fifty[found], sealed, mark, **look)
        leak = le.COLOURS["full_disclosure"]
        bottom.plot(*fifty["log"], "o", color=leak)
        top.set(title="0/1 loss")
        bottom.set(title="log loss")
        for ax in axes:
            both = [*ax.get_xlim(), *ax.get_ylim()]
            ends = [min(both), max(both)]
            ax.plot(ends, ends, "--", color="black", lw=1)
            ax.set(xlim=ends, ylim=ends, xlabel="public", ylabel="sealed")
        top.figure.get_layout_engine().set(wspace=0.08)

    return le.static_figure(
        draw,
        panels=2,
        height=3.4,
        alt="Two panels of sealed against public losses of fifty files "
        "with a dashed diagonal. In the 0/1 loss nearly all points lie "
        "below the diagonal, and crosses of the parameter-free Ladder lie "
        "on dots or close by. In the log loss most points lie a little "
        "below it.",
    )


def signed(number, digits=3):
    """Return a number for a table, with a minus sign."""
    rounded = round(number, digits) + 0.0  # which is 0, and not −0
    return f"{rounded:.{digits}f}".replace("-", "−")


def percent(share):
    """Return a share in per cent, with a minus sign."""
    return f"{signed(100 * share, 0)} %"


def with_error(share, error):
    """Return a share in per cent, and its standard error if it has one."""
    if error == 0:
        return f"{100 * share:.0f}"
    digits = int(0 < share < 0.01)
    return f"{100 * share:.{digits}f} ± {100 * error:.{digits}f}"


FEW = few_files.FEW  # files of an account


def alone_in(board, accounts=1, files=FEW, begins="behind"):
    """Return in what per cent of games on other sets Eve leads alone."""
    share = alone_elsewhere(board, accounts, files, begins=begins)
    return with_error(*share).split()[0]


def turned_at_most():
    """Return how many public labels Eve's attack may turn."""
    doubted = fitted.eves_start().labels[: 2 * jointly.FIRST]
    return int(competition().public[doubted].sum())


@cache
def tossers(guesses, **errors):
    """Return what Eves gain in a sketch who only toss coins."""
    rng = np.random.default_rng(2)
    return jointly.sketch(guesses, 0.5, 0.5, rng, **errors)


def tossers_lead(step=36, guesses=None, **errors):
    """Return how often such an Eve would lead, in per cent.

    Her model lies from 1 to so many labels as a step has above a border,
    each as often, and has to pass the next, too.
    """
    gain = tossers(guesses or turned_at_most(), **errors)
    return f"{100 * np.mean(np.clip(gain - step, 0, step)) / step:.0f}"


CASES = {  # accounts and files of each, and where Eve begins
    "a step behind": (1, FEW, "behind"),
    "50 files": (1, 50, "behind"),
    "two friends": (3, FEW, "behind"),
    "tied": (1, FEW, "level"),
}


def draw_lacks(*panels):
    """Draw what a lone lead takes, and what Eve corrects, on two boards.

    In labels, on average over all games on other sets of labels.
    """
    for ax, board in zip(
        panels, ("every score", "simplified, 1/100"), strict=True
    ):
        words, colour = PAID[board]
        for row, case in enumerate(CASES.values()):
            *crowd, begins = case
            lacks = price_elsewhere(board, begins)
            earns = elsewhere(board, *crowd, begins=begins)[2][0]
            look = {"color": le.COLOURS[colour], "height": 0.38}
            ax.barh(row + 0.1, earns, **look)
            ax.plot([0, lacks], [row - 0.26] * 2, color="black", lw=1.2)
            ax.plot([lacks], [row - 0.26], "|", color="black", ms=8)
            ax.text(lacks + 2.5, row - 0.26, f"{lacks:.0f}", va="center")
            ink = {"color": le.TEXT_COLOURS[colour], "va": "center"}
            ax.text(earns + 1.5, row + 0.13, f"{earns:.0f}", **ink)
            share = alone_in(board, *crowd, begins=begins)
            ax.text(117, row, f"{share} %", ha="right", va="center")
        ax.set(xlim=(0, 118), ylim=(len(CASES) - 0.4, -1), title=words)
        ax.text(117, -0.75, "leads", ha="right", va="center")
        ax.set_yticks(range(len(CASES)), CASES)
        ax.set(xlabel="labels", xticks=[0, 30, 60])
        ax.tick_params(axis="y", length=0)
        ax.grid(visible=False)


CROWDS = {  # who plays on which board: accounts, and files of each
    "every score": ("every score", 1, FEW),
    "simplified Ladder": ("simplified, 1/100", 1, FEW),
    "… and two friends": ("simplified, 1/100", 3, FEW),
    "… or 50 files": ("simplified, 1/100", 1, 50),
}


def decision_table():
    """Return how often Eve leads alone, from two starts.

    On other sets of public labels, in per cent of games, with its error.
    """
    rows = {
        words: [
            with_error(*alone_elsewhere(*crowd, begins=begins))
            for begins in ("behind", "level")
        ]
        for words, crowd in CROWDS.items()
    }
    return table("board", ("a step behind", "tied"), rows)
