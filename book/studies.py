"""The studies of regression boards: data, boards, attacks, repetitions.

`make exhibits` runs them in full (`tools/studies.py`) and keeps results in
`book/data`. Chapters load these, and run the first repetitions again.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import leaderboard_edu as le

DATA = Path(__file__).parent / "data"
ALPHAS, ODDS, BOOTSTRAPS = (0.01, 0.15, 0.5), (99, 5.67, 1), (10, 100, 1000)
TOP = (1, 2, 3, 5, 10, 15, 20, 25, 30)  # features, of 1, 2, …, 30
ITERATIONS = 5
BUDGETS = ((50, 1), (100, 2), (150, 3), (200, 4), (250, 5), (285, 6))

Scores = dict[str, list[float]]


def ladder(alpha: float, b: int | None = None) -> str:
    """Return the name of a Ladder, that of LadderBoot with resamples."""
    if b is None:
        return f"ladder alpha={alpha}"
    return f"ladder_boot alpha={alpha} b={b}"


def fresh(alpha: float, b: int) -> str:
    """Return the name of LadderBoot with an account for each iteration."""
    return f"{ladder(alpha, b)} fresh=true"


def bayes(odds: float, b: int | None = None) -> str:
    """Return the name of a board that decides by posterior odds."""
    if b is None:
        return f"bayes_boot_ladder odds={odds}"
    return f"bayes_boot_ladder_boot odds={odds} b={b}"


LADDERS = tuple(ladder(alpha) for alpha in ALPHAS)
NOISY_LADDERS = tuple(
    ladder(alpha, b) for alpha in ALPHAS for b in BOOTSTRAPS
)
BAYES = tuple(bayes(odds) for odds in ODDS) + tuple(
    bayes(odds, b) for odds in ODDS for b in BOOTSTRAPS
)


def settings(board: str) -> dict[str, Any]:
    """Return the options that the name of a board says."""
    names = {
        "alpha": "alpha",
        "b": "n_bootstrap",
        "odds": "odds",
        "fresh": "fresh_accounts",
    }
    return {
        names[key]: json.loads(value)
        for key, value in re.findall(r"(\w+)=(\S+)", board)
    }


def mechanism(
    board: str, *, metric: str, rng: np.random.Generator
) -> Callable[[Any], Any]:
    """Return the function that makes the board of this name from labels."""
    kind, options = board.split()[0], settings(board)
    if kind == "full_disclosure":
        return partial(le.FullDisclosure, metric=metric)
    if kind == "ladder":
        return partial(le.PairedTestLadder, **options)
    if kind == "ladder_boot":
        return partial(le.LadderBoot, **options, rng=rng)
    options |= {"metric": metric, "rng": rng}
    if kind == "bayes_boot_ladder":
        return partial(le.BayesBootLadder, **options)
    return partial(le.BayesBootLadderBoot, **options)


@cache
def fixed_split() -> le.ChallengeData:
    """Return the split of the diabetes data that is then permuted."""
    return le.split_sample(
        *le.diabetes_products(), rng=np.random.default_rng(0)
    )


def permuted(rng: np.random.Generator) -> le.ChallengeData:
    """Keep the split and permute the response within each set."""
    return fixed_split().permuted(rng)


def split(rng: np.random.Generator) -> le.ChallengeData:
    """Split the diabetes data anew."""
    return le.split_sample(*le.diabetes_products(), rng=rng)


def scores(run: Any, places: Any) -> Scores:
    """Return public and final scores of an attack at some places."""
    return {
        "public": run.public[places].tolist(),
        "final": run.final[places].tolist(),
    }


def freedman(
    data: le.ChallengeData, board: str, rng: np.random.Generator
) -> Scores:
    """Attack as Freedman: errors of regressions on the best features.

    And the mean squares of what they predict on the public set, less those
    on the final set.
    """
    maker = mechanism(board, metric="mse", rng=rng)
    run = le.simulate_freedman(data, mechanism=maker, top=TOP[-1])
    squares = []
    for k in TOP:
        public, final = (
            le.linear_predictions(
                data.training, part.features, columns=run.selected[:k]
            )
            for part in (data.public, data.final)
        )
        squares.append(float(np.mean(public**2) - np.mean(final**2)))
    return scores(run, np.array(TOP) - 1) | {"squares": squares}


def freedman_concordance(
    data: le.ChallengeData, board: str, rng: np.random.Generator
) -> Scores:
    """Attack as Freedman, on boards that show Lin's concordance."""
    metric = "lin_concordance"
    maker = mechanism(board, metric=metric, rng=rng)
    run = le.simulate_freedman(
        data, mechanism=maker, top=TOP[-1], metric=metric
    )
    return scores(run, np.array(TOP) - 1)


def step_forward(
    data: le.ChallengeData, board: str, rng: np.random.Generator
) -> Scores:
    """Attack step forward: errors and features after 1, 2, … iterations."""
    run = le.simulate_step_forward(
        data, iterations=ITERATIONS, **settings(board), rng=rng
    )
    # An attack that has stopped stays where it is.
    places = np.minimum(np.arange(ITERATIONS), len(run.selected) - 1)
    return scores(run, places) | {"selected": (places + 1.0).tolist()}


def budgets(
    data: le.ChallengeData, board: str, rng: np.random.Generator
) -> Scores:
    """Attack step forward, longer and longer, over random features."""
    found = []
    for features, iterations in BUDGETS:
        columns = rng.choice(
            data.public.features.shape[1], size=features, replace=False
        )
        part = data.with_features(columns)
        run = le.simulate_step_forward(
            part, iterations=iterations, **settings(board), rng=rng
        )
        found.append((run.public[-1], run.final[-1], len(run.selected)))
    kinds = ("public", "final", "selected")
    return dict(zip(kinds, np.array(found).T.tolist(), strict=True))


@dataclass(frozen=True)
class Study:
    """An attack on each of some boards with the same data, repeated.

    Its curves are kept at the numbers `at`, of features, iterations or
    submissions.
    """

    draw: Callable[[np.random.Generator], le.ChallengeData]
    attack: Callable[[le.ChallengeData, str, np.random.Generator], Scores]
    boards: tuple[str, ...]
    repetitions: int
    seed: int
    at: tuple[int, ...]

    def experiment(
        self, rng: np.random.Generator, boards: Sequence[str] = ()
    ) -> dict[str, Scores]:
        """Run one repetition on all boards, or on those named."""
        data = self.draw(rng)
        return {
            board: self.attack(data, board, rng)
            for board in boards or self.boards
        }

    def first(
        self, repetitions: int, boards: Sequence[str] = ()
    ) -> list[dict[str, Scores]]:
        """Run the first repetitions again, on all boards or on those named.

        That is what the study found, if the boards that are left out draw
        nothing or come last.
        """
        return le.replicate(
            partial(self.experiment, boards=boards),
            repetitions=repetitions,
            rng=np.random.default_rng(self.seed),
        )


STEP_FORWARD: dict[str, Any] = {
    "attack": step_forward,
    "boards": tuple(
        ladder(alpha, b) for alpha in ALPHAS for b in (None, *BOOTSTRAPS)
    ),
    "repetitions": 100,
    "at": tuple(range(1, ITERATIONS + 1)),
}
FREEDMAN: dict[str, Any] = {
    "attack": freedman,
    "boards": ("full_disclosure", *LADDERS, *NOISY_LADDERS),
    "repetitions": 1000,
    "at": TOP,
}
CONCORDANCE: dict[str, Any] = {
    "attack": freedman_concordance,
    "boards": ("full_disclosure", *BAYES),
    "repetitions": 100,
    "at": TOP,
}
STUDIES = {
    "freedman_permuted": Study(**FREEDMAN, draw=permuted, seed=1),
    "freedman_splits": Study(**FREEDMAN, draw=split, seed=2),
    "step_forward_permuted": Study(**STEP_FORWARD, draw=permuted, seed=3),
    "step_forward_splits": Study(**STEP_FORWARD, draw=split, seed=4),
    "concordance_permuted": Study(**CONCORDANCE, draw=permuted, seed=5),
    "concordance_splits": Study(**CONCORDANCE, draw=split, seed=6),
    "budgets": Study(
        draw=permuted,
        attack=budgets,
        boards=tuple(
            ladder(alpha, b) for alpha in ALPHAS for b in (None, 100)
        )
        + tuple(fresh(alpha, 100) for alpha in ALPHAS),
        repetitions=1000,
        seed=7,
        at=tuple(i * p - i * (i - 1) // 2 for p, i in BUDGETS),
    ),
}


def stored(name: str) -> dict[str, Any]:
    """Return the stored file of a study: settings, first run, summaries."""
    found: dict[str, Any] = json.loads(
        (DATA / f"{name}.json").read_text(encoding="utf-8")
    )
    return found


def distance_from_stored(name: str, again: dict[str, Scores]) -> float:
    """Return how far a first repetition is from the stored one, at most."""
    first = stored(name)["first"]
    pairs = [
        (values, first[board][kind])
        for board, scores in again.items()
        for kind, values in scores.items()
    ]
    return max(float(np.abs(np.subtract(*pair)).max()) for pair in pairs)


def overfitting(
    runs: Sequence[dict[str, Scores]], board: str
) -> np.ndarray:
    """Return public minus final scores, a row for each repetition."""
    return np.array(
        [
            np.subtract(run[board]["public"], run[board]["final"])
            for run in runs
        ]
    )


def draw_quartiles(ax: Any, at: Any, quantiles: Any, *, color: str) -> None:
    """Draw stored medians, in a band from quartile to quartile."""
    _, low, median, high, _ = quantiles
    ax.fill_between(at, low, high, color=color, alpha=0.3, lw=0)
    ax.plot(at, median, color=color)


def signed(value: float, digits: int) -> str:
    """Return a number for a sentence, with a minus sign, not a hyphen."""
    return f"{value:.{digits}f}".replace("-", "−")
