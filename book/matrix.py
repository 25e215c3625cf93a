"""The study behind the chapter that compares mechanisms: every attack.

Each contest has labels of its own, coin flips for classification, and for
regression a response that has nothing to do with the features. So what a
file gains on the board is worth nothing on fresh labels.
"""

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

import numpy as np

import leaderboard_edu as le
from boards import (
    ALL,
    BOARDS,
    CLOSE,
    LABELS,
    NAME,
    PLACES,
    RANKS,
    TENTHS,
    Contest,
    File,
    classifier,
    seat,
    true_loss,
)
from catalogue import (
    ATTACKS,
    BY_RANK,
    FEW,
    FEW_RANKED,
    HALF_KNOWN,
    KNOWING,
    ON_PLACES,
    RANK_ATTACK,
    WIDE_FIELD,
    why_not,
)

PEOPLE, FEATURES, TOP, STEPS = 200, 200, 20, 4  # of a regression board


def contest(
    board: str, attack: str, rng: np.random.Generator
) -> dict[str, float]:
    """Play one attack on one board with fresh labels.

    Return what the final file's loss on the board is below its true one,
    the leaderboard error once that file is sent, the share of labels
    recovered, and how many files and accounts were used.
    """
    how = ATTACKS[attack]
    labels = rng.integers(0, 2, LABELS)
    start = classifier(how.informed, labels, rng)
    game = Contest(BOARDS[board](labels), how.files, start=start)
    options: dict[str, Any] = {}
    among = BY_RANK in attack or attack.startswith(RANK_ATTACK)
    if board in RANKS and (not how.many or among):
        wide = attack.startswith(WIDE_FIELD)
        seat(game.board, labels, rng, last=1 - CLOSE if wide else 0.5)
    if attack == "yardsticks":
        exact = board == "exact ranks"
        options["precision"] = f"1/{LABELS}" if exact else "1/100"
    if attack.startswith("stairs") and BY_RANK not in attack:
        options["eta"] = 0.1 if board in TENTHS else 0.01
        options["margin"] = board == "Ladder, 1/100"
    if attack in ON_PLACES:
        options["places"] = PLACES
    if attack.startswith("marks"):
        options["margin"] = board == "Ladder, 1/100"
    if attack.startswith("marks, "):
        options["eta"] = 0.1 if board in TENTHS else 0.01
    if attack == f"yardsticks, {HALF_KNOWN}":
        options["width"] = LABELS // 100
    final = how.play(game, rng, **options)
    files, accounts = len(game.shown), len(game.accounts)
    assert max(game.accounts.values()) <= NAME
    knew = 1 - how.informed if how.informed else 0.5
    right = np.mean(final == labels)
    truth = [true_loss(file, start) for file in (*game.sent, final)]
    game.limit += 1
    (game.alone if accounts == 1 else game.afresh)(final)
    found = {
        "damage": truth[-1] - (1 - right),
        "recovered": (right - knew) / (1 - knew),
        "files": files,
        "accounts": accounts,
    }
    if board not in RANKS:
        shown = np.minimum.accumulate(game.shown)
        found["error"] = le.leaderboard_error(shown, truth)
    return {name: float(value) for name, value in found.items()}


MSE, CONCORDANCE = "mse", "lin_concordance"
MEAN_SQUARES = "mean squared errors"


def bayes(maker: Any, y: File, rng: np.random.Generator) -> Any:
    """Return a board that decides by posterior odds."""
    return maker(y, metric=CONCORDANCE, odds=5.67, rng=rng)


def refusing(y: File, rng: np.random.Generator) -> Any:
    """Return LadderBoot behind a refusal of files sent before."""
    return le.RefuseRepeats(le.LadderBoot(y, rng=rng))


REGRESSION: dict[str, Callable[..., Any]] = {
    MEAN_SQUARES: lambda y, rng: le.FullDisclosure(y, metric=MSE),
    "paired-test Ladder": lambda y, rng: le.PairedTestLadder(y),
    "LadderBoot": lambda y, rng: le.LadderBoot(y, rng=rng),
    "LadderBoot, no repeats": refusing,
    "Bayesian Ladder": partial(bayes, le.BayesBootLadder),
    "Bayesian LadderBoot": partial(bayes, le.BayesBootLadderBoot),
}
FITS = {  # attacks on regression boards, and whether accounts are fresh
    "best feature": False,
    "Freedman": False,
    "step forward": False,
    "averaging": False,
    "Freedman, fresh accounts": True,
}
REPEATS = {"averaging": NAME // FEATURES, "fresh": ALL // FEATURES}
NOISY = ("LadderBoot", "LadderBoot, no repeats", "Bayesian LadderBoot")


def why_no_fit(board: str, attack: str) -> str:
    """Say why an attack makes no sense on a regression board."""
    every = board == MEAN_SQUARES
    if attack == "step forward" and every:
        return "made for boards that show the best so far"
    if attack == "averaging" and board not in NOISY:
        return "there is no noise to average"
    if attack == "Freedman, fresh accounts" and every:
        return "every file is shown its score already"
    return ""


def regression_contest(
    board: str, attack: str, rng: np.random.Generator
) -> dict[str, float]:
    """Play one attack on one regression board; return damage and cost."""
    sample = le.simulate_design(
        n=3 * PEOPLE, p=FEATURES, rng=rng, correlation=0
    )
    data = le.split_sample(*sample, rng=rng)
    one = REGRESSION[board](data.public.response, rng)
    inner = getattr(one, "_mechanism", one)
    files = accounts = 0
    repeats = REPEATS["fresh"] if board in NOISY else 1

    def alone(predictions: File) -> float:
        nonlocal files, accounts
        files, accounts = files + 1, 1
        released: float = one.submit(predictions)
        return released

    def different(predictions: File) -> float:
        """Change the last digits, so that no file is refused."""
        return alone(predictions + 1e-9 * rng.standard_normal(PEOPLE))

    def afresh(predictions: File) -> float:
        nonlocal files, accounts
        files, accounts = files + repeats, accounts + repeats
        makers = [REGRESSION[board] for _ in range(repeats)]
        fresh = [make(data.public.response, rng) for make in makers]
        return float(np.mean([each.submit(predictions) for each in fresh]))

    public, training = data.public.features, data.training
    sets: dict[str, Any] = {"training": training, "features": public}
    better = one.larger_is_better
    if attack in ("step forward", "averaging"):
        steps: dict[str, Any] = {"accepted": lambda: inner.accepted}
        steps = steps if board in NOISY else {}
        if attack == "averaging":
            send = different if board == "LadderBoot, no repeats" else alone
            steps |= {"iterations": 1, "repeats": REPEATS["averaging"]}
            run = le.averaging_attack(send, **sets, **steps)
        else:
            steps["iterations"] = STEPS
            run = le.step_forward_attack(alone, **sets, **steps)
    else:
        send = afresh if FITS[attack] else alone
        run = le.freedman_attack(
            send,
            **sets,
            top=1 if attack == "best feature" else TOP,
            larger_is_better=better,
        )
    score = le.METRICS[CONCORDANCE if better else MSE]
    seen, true = (
        score(
            le.linear_predictions(
                training, part.features, columns=run.selected
            ),
            part.response,
        )
        for part in (data.public, data.final)
    )
    damage = seen - true if better else true - seen
    found = {"damage": damage, "files": files, "accounts": accounts}
    return {name: float(value) for name, value in found.items()}


MATRIX = {
    (board, attack): why_not for board in BOARDS for attack in ATTACKS
}
MATRIX |= {(board, fit): why_no_fit for board in REGRESSION for fit in FITS}
CELLS = [cell for cell, why in MATRIX.items() if not why(*cell)]
NEWEST = (
    *(f"{name}, {HALF_KNOWN}" for name in KNOWING),
    *(
        f"{RANK_ATTACK}, {accounts} accounts, {HALF_KNOWN}"
        for accounts in FEW_RANKED
    ),
    *(f"{WIDE_FIELD}, {accounts} accounts" for accounts in FEW),
    "stairs, three places, 1,000 files",
    f"tests, {HALF_KNOWN}",
)
BEFORE = [attack for attack in ATTACKS if attack not in NEWEST]
LATER = [
    "luck near a border",
    "stairs",
    "stairs, three places",
    "in turn",
    *(f"stairs, {accounts} accounts" for accounts in FEW),
    *(attack for attack in BEFORE if BY_RANK in attack),
    *(attack for attack in BEFORE if attack.startswith(RANK_ATTACK)),
    *(attack for attack in BEFORE if attack.startswith("blocks, ")),
    *(f"{name}, {HALF_KNOWN}" for name in ("votes", "swaps")),
    "design",
    f"design, {HALF_KNOWN}",
    *NEWEST,
]  # added since: their generators come last
CELLS.sort(key=lambda cell: cell[1] in LATER and 1 + LATER.index(cell[1]))
REPETITIONS, SEED = 20, 9
Cell = tuple[str, str]
Results = dict[str, dict[str, dict[str, float]]]


def matrix(rng: np.random.Generator, skip: Collection[str] = ()) -> Results:
    """Play every attack on every board once, but for those to skip.

    Each contest has a generator of its own.
    """
    found: Results = {}
    for (board, attack), child in zip(
        CELLS, rng.spawn(len(CELLS)), strict=True
    ):
        if attack not in skip:
            play = contest if board in BOARDS else regression_contest
            row = found.setdefault(board, {})
            row[attack] = play(board, attack, child)
    return found


def first(skip: Collection[str] = ()) -> Results:
    """Play the first repetition again."""
    child = np.random.default_rng(SEED).spawn(REPETITIONS)[0]
    return matrix(child, skip)


def matrix_summary(results: list[Results]) -> dict[str, Any]:
    """Return what the file of the study holds: means, errors, quartiles."""
    found: dict[str, Any] = {}
    for board, row in results[0].items():
        for attack, kinds in row.items():
            cell: dict[str, list[float]] = {}
            for kind in kinds:
                drawn = [result[board][attack][kind] for result in results]
                mean, error = le.mean_and_error(np.array(drawn))
                quartiles = np.quantile(drawn, (0.25, 0.5, 0.75))
                numbers = [mean, error, *quartiles]
                cell[kind] = [round(float(each), 5) for each in numbers]
            found.setdefault(board, {})[attack] = cell
    return {
        "command": "make exhibits",
        "repetitions": len(results),
        "seed": SEED,
        "kinds": ["mean", "standard error", "quartiles"],
        "first": results[0],
        "results": found,
    }
