"""Run the experiments behind the third paper's figures at its numbers of repetitions: `python -m tools.studies`.

Each study writes one small file into `book/data`. A study whose file is there is not run again; to make one
anew, delete its file. A run that was stopped goes on: results are kept in `_build/studies` until then.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import leaderboard_edu as le

ROOT = Path(__file__).parents[1]
DATA, RECORDS = ROOT / "book" / "data", ROOT / "_build" / "studies"
ALPHAS, ODDS, BOOTSTRAPS = (0.01, 0.15, 0.5), (99, 5.67, 1), (10, 100, 1000)
STRICTEST = {"alpha": ALPHAS[0], "odds": ODDS[0]}
TOP = (1, 2, 3, 5, 10, 15, 20, 25, 30)  # the numbers of features that are kept of 1, 2, …, 30
ITERATIONS = 5
BUDGETS = ((50, 1), (100, 2), (150, 3), (200, 4), (250, 5), (285, 6))  # features and iterations
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

Result = dict[str, dict[str, list[float]]]


@dataclass(frozen=True)
class Study:
    """One experiment: what it does with a generator, how often, and the numbers at which its curves are kept."""

    experiment: Callable[[np.random.Generator], Result]
    repetitions: int
    seed: int
    at: tuple[int, ...]


def fixed_split() -> le.ChallengeData:
    """Return the one split of the diabetes data whose responses are permuted."""
    return le.split_sample(*le.diabetes_products(), rng=np.random.default_rng(0))


def permuted(rng: np.random.Generator) -> le.ChallengeData:
    """Keep the split and permute the response within each set."""
    return fixed_split().permuted(rng)


def split(rng: np.random.Generator) -> le.ChallengeData:
    """Split the diabetes data anew."""
    return le.split_sample(*le.diabetes_products(), rng=rng)


def error_mechanisms(rng: np.random.Generator) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield mechanisms for the squared error, with their names."""
    yield "full_disclosure", lambda y: le.FullDisclosure(y, metric="mse")
    for alpha in ALPHAS:
        yield f"ladder alpha={alpha}", lambda y, a=alpha: le.PairedTestLadder(y, alpha=a)
    for alpha in ALPHAS:
        for b in BOOTSTRAPS:
            yield (
                f"ladder_boot alpha={alpha} b={b}",
                lambda y, a=alpha, b=b: le.LadderBoot(y, alpha=a, n_bootstrap=b, rng=rng),
            )


def concordance_mechanisms(rng: np.random.Generator) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield mechanisms for Lin's concordance, with their names."""
    yield "full_disclosure", lambda y: le.FullDisclosure(y, metric="lin_concordance")
    for odds in ODDS:
        yield f"bayes_boot_ladder odds={odds}", lambda y, o=odds: le.BayesBootLadder(y, odds=o, rng=rng)
    for odds in ODDS:
        for b in BOOTSTRAPS:
            yield (
                f"bayes_boot_ladder_boot odds={odds} b={b}",
                lambda y, o=odds, b=b: le.BayesBootLadderBoot(y, odds=o, n_bootstrap=b, rng=rng),
            )


def freedman(
    protocol: Callable[[np.random.Generator], le.ChallengeData], mechanisms: Any, metric: str
) -> Callable[[np.random.Generator], Result]:
    """Return Freedman's attack on each mechanism: the scores of the regressions on the best 1, 2, … features.

    For the squared error also the mean squares of what they predict on the public set, less those on the final set.
    """

    def experiment(rng: np.random.Generator) -> Result:
        data, results = protocol(rng), {}
        for name, mechanism in mechanisms(rng):
            run = le.simulate_freedman(data, mechanism=mechanism, top=TOP[-1], metric=metric)
            kept = np.array(TOP) - 1
            results[name] = {"public": run.public[kept].tolist(), "final": run.final[kept].tolist()}
            if metric == "mse":
                results[name]["squares"] = [
                    mean_square(data, data.public, run.selected[:k]) - mean_square(data, data.final, run.selected[:k])
                    for k in TOP
                ]
        return results

    return experiment


def mean_square(data: le.ChallengeData, part: le.Sample, columns: tuple[int, ...]) -> float:
    """Return the mean square of what the regression on some features predicts for one set."""
    return float(np.mean(le.linear_predictions(data.training, part.features, columns=columns) ** 2))


def step_forward(
    protocol: Callable[[np.random.Generator], le.ChallengeData],
) -> Callable[[np.random.Generator], Result]:
    """Return the step-forward attack on the Ladder and on LadderBoot: the errors after 1, 2, … iterations."""

    def experiment(rng: np.random.Generator) -> Result:
        data, results = protocol(rng), {}
        for alpha in ALPHAS:
            for b in (None, *BOOTSTRAPS):
                run = le.simulate_step_forward(data, iterations=ITERATIONS, alpha=alpha, n_bootstrap=b, rng=rng)
                kept = np.minimum(np.arange(ITERATIONS), len(run.selected) - 1)
                name = f"ladder alpha={alpha}" if b is None else f"ladder_boot alpha={alpha} b={b}"
                results[name] = {"public": run.public[kept].tolist(), "final": run.final[kept].tolist()}
        return results

    return experiment


def budgets(rng: np.random.Generator) -> Result:
    """Attack step forward with 1, …, 6 iterations over more and more random features, responses permuted."""
    data, results = permuted(rng), {}
    for alpha in ALPHAS:
        for b in (None, 100):
            errors = []
            for features, iterations in BUDGETS:
                columns = rng.choice(data.public.features.shape[1], size=features, replace=False)
                run = le.simulate_step_forward(
                    data.with_features(columns), iterations=iterations, alpha=alpha, n_bootstrap=b, rng=rng
                )
                errors.append((run.public[-1], run.final[-1]))
            name = f"ladder alpha={alpha}" if b is None else f"ladder_boot alpha={alpha} b={b}"
            results[name] = dict(zip(("public", "final"), np.array(errors).T.tolist(), strict=True))
    return results


STUDIES = {
    "freedman_permuted": Study(freedman(permuted, error_mechanisms, "mse"), 1000, 1, TOP),
    "freedman_splits": Study(freedman(split, error_mechanisms, "mse"), 1000, 2, TOP),
    "step_forward_permuted": Study(step_forward(permuted), 100, 3, tuple(range(1, ITERATIONS + 1))),
    "step_forward_splits": Study(step_forward(split), 100, 4, tuple(range(1, ITERATIONS + 1))),
    "concordance_permuted": Study(freedman(permuted, concordance_mechanisms, "lin_concordance"), 100, 5, TOP),
    "concordance_splits": Study(freedman(split, concordance_mechanisms, "lin_concordance"), 100, 6, TOP),
    "budgets": Study(budgets, 1000, 7, tuple(i * p - i * (i - 1) // 2 for p, i in BUDGETS)),
}


def summary(study: Study, results: list[Result]) -> dict[str, Any]:
    """Return what the file of a study holds."""
    found: dict[str, Any] = {}
    none = np.zeros(0, dtype=np.int64)  # the intervals need no lengths of attack
    scores = {
        name: {kind: np.array([result[name][kind] for result in results]) for kind in ("public", "final")}
        for name in results[0]
    }
    differences = {name: values["public"] - values["final"] for name, values in scores.items()}
    for name, difference in differences.items():
        found[name] = {
            kind: np.quantile(values, QUANTILES, axis=0).round(4).tolist()
            for kind, values in (scores[name] | {"difference": difference}).items()
        }
        found[name] |= dict(zip(("mean", "error"), mean_and_error(difference), strict=True))
        if "squares" in results[0][name]:
            found[name]["more_than_squares"] = mean_and_error(
                difference - np.array([result[name]["squares"] for result in results])
            )
        found[name]["median_interval"] = le.SubmissionBudget(none, none, difference).intervals.round(4).tolist()
        if name != (without_noise := re.sub(r"_boot( \w+=\S+) b=.*", r"\1", name)):
            found[name]["more_than_without_noise"] = mean_and_error(difference - differences[without_noise])
        strictest = re.sub(r"(alpha|odds)=\S+", lambda match: f"{match[1]}={STRICTEST[match[1]]}", name)
        if name != strictest:
            found[name]["more_than_strictest"] = mean_and_error(difference - differences[strictest])
    return {
        "command": "make exhibits",
        "repetitions": study.repetitions,
        "seed": study.seed,
        "at": study.at,
        "quantiles": QUANTILES,
        "first": results[0],
        "results": found,
    }


def mean_and_error(values: np.ndarray) -> list[list[float]]:
    """Return the means of the columns and their standard errors."""
    return [values.mean(axis=0).round(4).tolist(), (values.std(axis=0, ddof=1) / len(values) ** 0.5).round(4).tolist()]


def run(name: str) -> None:
    """Run a study and write its file."""
    study = STUDIES[name]
    RECORDS.mkdir(parents=True, exist_ok=True)
    results = le.replicate(
        study.experiment,
        repetitions=study.repetitions,
        rng=np.random.default_rng(study.seed),
        n_jobs=-1,
        record=RECORDS / f"{name}.jsonl",
        progress=True,
    )
    text = json.dumps(summary(study, results))
    (DATA / f"{name}.json").write_text(text.replace(', "', ',\n"') + "\n", encoding="utf-8")
    (RECORDS / f"{name}.jsonl").unlink()


def main() -> None:
    """Run the studies whose files are missing."""
    for name in STUDIES:
        path = DATA / f"{name}.json"
        if path.exists():
            print(f"{path.relative_to(ROOT)}: there")
        else:
            print(f"{path.relative_to(ROOT)}: {STUDIES[name].repetitions} repetitions")
            run(name)


if __name__ == "__main__":
    main()
