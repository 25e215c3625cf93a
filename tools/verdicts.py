"""The numbers of ours in `book/exhibits.yml`: for each exhibit the values of the names that stand in braces there.

They are read from the stored studies, computed by the library, or simulated; the tests in `tests/exhibits` look at the
same simulations.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from scipy.stats import binom, hypergeom
from sklearn.linear_model import Lasso
from sklearn.neighbors import KNeighborsRegressor

import leaderboard_edu as le
from book import blum_hardt as contest
from book import competition as real
from book.honest_cost import honest_cost, told
from book.studies import ALPHAS, BOOTSTRAPS, LADDERS, ODDS, TOP, bayes, fixed_split, fresh, ladder, stored

Numbers = dict[str, dict[str, Any]]

FULL = "full_disclosure"
ONE, THREE, TEN, TWENTY = (TOP.index(k) for k in (1, 3, 10, 20))
SIZES = (1000, 4000, 16_000, 1_000_000)
NOISY = [(alpha, b) for alpha in ALPHAS for b in BOOTSTRAPS]


def median(study: str, board: str, kind: str) -> np.ndarray:
    """Return the stored medians of a board's scores."""
    return np.array(stored(study)["results"][board][kind][2])


def mean(study: str, board: str, kind: str = "mean") -> np.ndarray:
    """Return the stored means of a board: of public minus final scores, or of something else that has an error."""
    found = stored(study)["results"][board]
    return np.array(found[kind] if kind == "mean" else found[kind][0])


def least_loss(n: int, k: int) -> float:
    """Return the expected smallest loss of k random vectors."""
    return float((binom(n, 0.5).sf(np.arange(n)) ** k).sum() / n)


@cache
def parameter_free_losses() -> np.ndarray:
    """Return what the parameter-free Ladder shows after a thousand random submissions, n = 4000, in 30 runs."""
    runs = [le.simulate_parameter_free(n=4000, k=1000, rng=child) for child in np.random.default_rng(1).spawn(30)]
    return np.array([run.shown_loss([1000])[0] for run in runs])


def swap_mean(n: int, k: int) -> float:
    """Return the exact mean accuracy of the swap attack, half ones: from w wrong ones to w - 1 with chance (2w/n)^2."""
    w = np.arange(n // 2 + 1)
    law, fall = hypergeom(n, n // 2, n // 2).pmf(w), (2 * w / n) ** 2
    for _ in range(k - 1):
        law = law - law * fall + np.append((law * fall)[1:], 0)
    return 1 - 2 * float(law @ w) / n


@cache
def boosting_a_ladder() -> np.ndarray:
    """Return true and shown loss after a thousand submissions to a Ladder, n = 1000, eta = 1/100, in 20 runs."""
    losses = []
    for child in np.random.default_rng(3).spawn(20):
        labels = child.integers(0, 2, 1000)
        account = le.Ladder(labels, eta="1/100")
        attack = le.boosting_attack(account.submit, n=1000, k=1000, rng=child, keep="improved")
        losses.append((le.empirical_risk(attack.predictions, labels), account.submit(attack.predictions)))
    return np.array(losses)


@cache
def enumeration(n: int, m: int, runs: int) -> np.ndarray:
    """Return the releases of a simplified Ladder after a thousand submissions by enumeration, in some runs."""
    released = []
    for child in np.random.default_rng(4).spawn(runs):
        account = le.SimplifiedLadder(child.integers(0, 2, n), eta=f"1/{m}")
        le.enumeration_attack(account.submit, n=n, k=1000, rng=child)
        released.append(account.transcript[-1][1])
    return np.array(released)


def simulated(rng: np.random.Generator) -> le.ChallengeData:
    """Return the third paper's simulated design."""
    return le.split_sample(*le.simulate_design(n=120, p=1000, rng=rng), rng=rng)


@cache
def ten_iterations() -> np.ndarray:
    """Return public and final errors of the step-forward attack at level .15 on 20 simulated boards."""
    runs = (
        le.simulate_step_forward(simulated(child), iterations=10, alpha=0.15)
        for child in np.random.default_rng(3).spawn(20)
    )
    return np.array([(run.public[-1], run.final[-1]) for run in runs])


@cache
def releases_of_resamples() -> tuple[dict[int, np.ndarray], dict[int | None, np.ndarray]]:
    """Return whether the last acceptance is found, and public errors after ten iterations, by number of resamples.

    Level .15; 150 simulated boards for the first, forty of them for the errors, which include those of the Ladder.
    """
    found: dict[int, list[bool]] = {b: [] for b in (1000, 100, 10)}
    errors: dict[int | None, list[float]] = {b: [] for b in (None, 1000, 10)}
    for number, child in enumerate(np.random.default_rng(4).spawn(150)):
        data = simulated(child)
        true = le.simulate_step_forward(data, iterations=1, alpha=0.15).jumps
        for b, hits in found.items():
            run = le.simulate_step_forward(data, iterations=1, alpha=0.15, n_bootstrap=b, rng=child)
            hits.append(run.jumps == true)
        for count, public in errors.items() if number < 40 else ():
            run = le.simulate_step_forward(data, iterations=10, alpha=0.15, n_bootstrap=count, rng=child)
            public.append(float(run.public[-1]))
    return {b: np.array(hits) for b, hits in found.items()}, {b: np.array(public) for b, public in errors.items()}


@cache
def two_regressions() -> np.ndarray:
    """Return the residuals of the lasso and of three nearest neighbours on the same 150 labels, a row for each."""
    rng = np.random.default_rng(12)
    x = rng.standard_normal((450, 50))
    y = x[:, :10] @ np.full(10, 0.25) + rng.standard_normal(450)
    y = (y - y.mean()) / y.std(ddof=1)
    models = (Lasso(alpha=0.05), KNeighborsRegressor(n_neighbors=3))
    return np.array([model.fit(x[:300], y[:300]).predict(x[300:]) - y[300:] for model in models])


def numbers() -> Numbers:
    """Return the values of the names, by exhibit or chapter: numbers, or sequences of which the text takes an item."""
    return (
        zero_one_boards()
        | freedman()
        | step_forward()
        | concordance()
        | budgets()
        | noise()
        | fixed_files()
        | real_competition()
    )


def zero_one_boards() -> Numbers:
    """Return the numbers about the first two papers."""
    return {
        "blum-hardt-figure-1": {
            "full": 1 - le.boosting_accuracy(n=4000, k=1000, keep="half", precision="1/100000"),
            "ladder": parameter_free_losses().mean(),
            "random": least_loss(4000, 1000),
        },
        "zheng-figure-1": {
            "full": le.boosting_accuracy(n=1000, k=1000),
            "swaps": swap_mean(1000, 1000),
            "ladder": 1 - boosting_a_ladder()[:, 0].mean(),
            "even": le.boosting_accuracy(n=1000, k=1000, precision="1/10"),
        },
        "zheng-figure-2": {
            "small": 1 - enumeration(1000, 100, runs=20).mean(),
            "large": 1 - enumeration(20_000, 1000, runs=20).mean(),
        },
    }


def freedman() -> Numbers:
    """Return the numbers about Freedman's attack on boards of squared errors."""
    permuted, splits = "freedman_permuted", "freedman_splits"
    boards = (FULL, *LADDERS)
    people, features = le.diabetes_products()[0].shape
    shown = le.simulate_freedman(
        simulated(np.random.default_rng(5)), mechanism=lambda y: le.FullDisclosure(y, metric="mse"), top=1
    ).released
    less = [mean(permuted, ladder(alpha, b))[ONE] - mean(permuted, ladder(alpha))[ONE] for alpha, b in NOISY]
    kinds, middle = (permuted, splits), ladder(0.15)
    change = mean(splits, middle) - mean(permuted, middle)
    paired = np.array(stored(splits)["results"][middle]["more_than_strictest"])
    return {
        "chaibub-neto-figure-1": {
            "above_mean": 100 * np.mean(shown > 39 / 40),
            "above_one": 100 * np.mean(shown > 1),
            "correlation": (le.simulate_design.__kwdefaults__ or {})["correlation"],
        },
        "chaibub-neto-figure-2": {
            "people": people,
            "features": features,
            "ten": [-mean(permuted, board)[TEN] for board in boards],
            "end": [-mean(permuted, board)[-1] for board in boards],
            "thirty": median(permuted, FULL, "public")[-1],
        },
        "chaibub-neto-figure-s1": {
            "errors": change[ONE] / math.hypot(*(stored(kind)["results"][middle]["error"][ONE] for kind in kinds)),
            "permuted": mean(permuted, ladder(0.01))[ONE],
            "one": [mean(splits, board)[ONE] for board in boards],
            "three": [mean(splits, board)[THREE] for board in boards],
            "paired": paired[:, ONE],
            "twenty": paired[:, TWENTY],
        },
        "chaibub-neto-figure-s6": {"least": min(less), "most": max(less)},
        "chaibub-neto-figure-s7": {
            "most": max(abs(mean(splits, ladder(alpha, b))).max() for alpha, b in NOISY),
            "noisy": median(splits, ladder(0.15, 100), "final")[TEN],
            "ladder": median(splits, ladder(0.15), "final")[TEN],
        },
    }


def step_forward() -> Numbers:
    """Return the numbers about the step-forward attack; those of the stored studies are after five iterations."""
    permuted, splits = "step_forward_permuted", "step_forward_splits"
    public, final = ten_iterations().T
    found, ends = releases_of_resamples()
    less = [mean(splits, ladder(alpha, b), "more_than_without_noise")[-1] for alpha, b in NOISY]
    more = [
        median(splits, ladder(alpha, b), "public")[-1] - median(splits, ladder(alpha), "public")[-1]
        for alpha, b in NOISY
    ]
    return {
        "chaibub-neto-figure-3": {
            "public": public.mean(),
            "below": np.sum(public < 0.4),
            "final": final.mean(),
            "above": np.sum(final > 1),
        },
        "chaibub-neto-figure-4": {"means": [mean(permuted, board)[-1] for board in LADDERS]},
        "chaibub-neto-figure-5": {
            "found": [found[b].sum() for b in (1000, 100, 10)],
            "boards": len(found[1000]),
            "ends": [ends[b].mean() for b in (1000, 10, None)],
        },
        "chaibub-neto-figure-6": {
            "middle": mean(permuted, ladder(0.15, 1000))[-1],
            "loosest": mean(permuted, ladder(0.5, 1000))[-1],
            "selected": [mean(permuted, ladder(0.15, b), "selected")[-1] for b in (None, 1000, 100, 10)],
        },
        "chaibub-neto-figure-s2": {"means": [mean(splits, board)[-1] for board in LADDERS]},
        "chaibub-neto-figure-s3": {"least": min(less), "most": max(less)},
        "chaibub-neto-figure-s4": {"ends": [median(permuted, ladder(0.15, b), "public")[-1] for b in (None, 10)]},
        "chaibub-neto-figure-s5": {"least": min(more), "most": max(more)},
    }


def concordance() -> Numbers:
    """Return the numbers about boards that score by Lin's concordance."""
    permuted, splits = "concordance_permuted", "concordance_splits"
    up_to_five = TOP.index(5) + 1
    few = np.array([mean(splits, bayes(odds))[:up_to_five] for odds in ODDS[1:]])

    def errors(study: str, board: str) -> np.ndarray:
        """Return the means in standard errors."""
        return np.array(mean(study, board) / stored(study)["results"][board]["error"])

    return {
        "chaibub-neto-figure-s8": {
            "features": le.diabetes_products()[0].shape[1],
            "errors": math.floor(errors(permuted, FULL).min()),
            "ten": [mean(study, FULL)[TEN] for study in (permuted, splits)],
        },
        "chaibub-neto-figure-s9": {
            "one": [mean(permuted, bayes(odds))[ONE] for odds in ODDS],
            "errors": math.floor(min(errors(permuted, bayes(odds))[ONE] for odds in ODDS)),
            "repetitions": stored(permuted)["repetitions"],
            "most": [TOP[np.flatnonzero(errors(permuted, bayes(odds)) > 4)[-1]] for odds in ODDS],
        },
        "chaibub-neto-figure-s10": {
            "least": few.min(),
            "most": few.max(),
            "errors": math.floor(min(errors(splits, bayes(odds))[:up_to_five].min() for odds in ODDS[1:])),
        },
    }


def budgets() -> Numbers:
    """Return the numbers about the numbers of submissions that are safe."""
    study = stored("budgets")
    results, at = study["results"], study["at"]

    def unsafe(board: str) -> int:
        """Return the place of the first length of attack for which the median's interval is below the tolerance."""
        return int(np.argmax(np.array(results[board]["median_interval"][1]) < -0.05))

    boot, new = ladder(0.15, 100), fresh(0.15, 100)
    # With such factors the medians are first below the tolerance at the numbers of the paper.
    factors = []
    for alpha, paper in ((0.15, 794), (0.5, 447)):
        medians, place = median("budgets", ladder(alpha), "difference"), at.index(paper)
        factors.append((-0.05 / medians[place], -0.05 / medians[place - 1]))
    low, high = np.array(factors).T
    return {
        "chaibub-neto-figure-s11": {
            "features": le.diabetes_products()[0].shape[1],
            "labels": len(fixed_split().public.response),
            "repetitions": study["repetitions"],
            "longest": at[-1],
            "middle": at[unsafe(ladder(0.15))],
            "loosest": at[unsafe(ladder(0.5))],
            "low": math.ceil(100 * low.max()) / 100,
            "high": math.floor(100 * high.min()) / 100,
            "fresh": at[unsafe(new)],
            "medians": [median("budgets", board, "difference")[unsafe(new)] for board in (new, boot)],
        }
    }


def fixed_files() -> Numbers:
    """Return the numbers about files fixed in advance, and about what the attacks of the first part stand."""
    n, k = 3600, 1785
    wrong = np.arange(n // 2, n + 1)
    tail = np.minimum(2 * binom.sf(wrong - 1, n, 0.5), 1 - 1e-12)
    likely = -np.expm1(k * np.log1p(-tail)) > 0.05

    def promise(k: int, n: int) -> float:
        return math.sqrt(math.log(2 * k / 0.05) / (2 * n))

    files = {next(k for k in range(1, 99) if le.boosting_accuracy(n=n, k=k) > 0.5 + promise(k + 1, n)) for n in SIZES}
    return {
        "record-competitions": {"luckiest": least_loss(n, k), "vote": 1 - le.boosting_accuracy(n=n, k=k)},
        "record-hoeffding-union-bound": {
            "promise": promise(k, n),
            "exact": wrong[likely].max() / n - 0.5,
            "files": " or ".join(map(str, sorted(files))),
        },
        "record-boosting-attack": {"dies": math.sqrt(math.log(2) / 2)},
        "record-rank-attack": {"blind": loss_at_one_blind_count(1000)},
    }


def loss_at_one_blind_count(n: int) -> float:
    """Return the expected loss of the rank attack's last file if ranks are compared in $n-1$ steps."""
    level = (2 * np.arange(n + 1) * (n - 1) + n) // (2 * n)
    (blind,) = np.flatnonzero(np.diff(level) == 0) + 1
    return float(blind / n * binom.sf(blind - 1, n, 0.5))


def real_competition() -> Numbers:
    """Return the numbers about the stored competition."""
    held, everyone = real.competition(), real.log("full")
    fifty = contest.fifty_best(everyone, held)
    moved = contest.changes(everyone, held)
    full = [row.account for row in contest.played(everyone, held).standings]
    before, after = {old: rank for rank, old, _ in moved}, {new: rank for rank, _, new in moved}
    owners = np.array([account["policy"] for account in held.about["accounts"]])
    fair = everyone.submissions(np.isin(owners[np.array(everyone.teams)], ["booster", "pairer", "many"], invert=True))
    truth = (fair.predictions[:, ~held.public] != held.labels[~held.public]).mean(axis=1)
    hidden = [
        100 * honest_cost(fair, truth, told(fair.rows(held.public), held.labels[held.public], board)).hidden.mean()
        for board in (le.FullDisclosure, le.ParameterFreeLadder)
    ]
    (eve,) = np.flatnonzero(owners == "booster")
    ladder_shows = contest.played(everyone, held, real.MECHANISMS["ladder"])
    anew = real.shown("ladder")[np.array(real.log("ladder").teams) == eve].min()
    return {
        "blum-hardt-figure-2": contest.both_boards(fifty),
        "blum-hardt-figure-3": contest.fresh_splits(fifty, held),
        "blum-hardt-full-figure-6": {
            "holm": sum(row.adjusted <= 0.05 for row in contest.ten_compared(everyone, held, "holm")),
            "plain": sum(row.p_value <= 0.05 for row in contest.ten_compared(everyone, held, "none")),
        },
        "blum-hardt-full-table-1": {
            "moved": len(moved),
            "first": moved[0][0] - 1,
            "furthest": max(abs(before[name] - after[name]) for name in before.keys() & after.keys()),
            "enters": " and ".join(str(full.index(name) + 1) for name in after.keys() - before.keys()),
        },
        "record-real-competition": {
            "replayed": min(row.score for row in ladder_shows.standings if row.account == eve),
            "anew": anew,
            "free": hidden[1],
            "full": hidden[0],
        },
    }


def noise() -> Numbers:
    """Return the numbers about the spread of LadderBoot's releases, with ten resamples."""
    squares = two_regressions() ** 2
    return {
        "chaibub-neto-figure-s12": {
            "errors": squares.mean(axis=1),
            "spread": squares.std(axis=1) / math.sqrt(10 * squares.shape[1]),
        },
        "chaibub-neto-figure-s13": {"share": math.sqrt(2 / (10 * 600))},
    }
