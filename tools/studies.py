"""Run the experiments behind the third paper's figures at its numbers of repetitions: `python -m tools.studies`.

`book/studies.py` says what they are. Each writes one small file into `book/data`. A study whose file is there is not
run again; to make one anew, delete its file. A run that was stopped goes on: results are kept in `_build/studies` until
then.
"""

import functools
import json
import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import leaderboard_edu as le
from tools.contents import ROOT

sys.path.append(str(ROOT / "book"))  # from where modules of the book import each other
import few_files
import matrix

from book.studies import ALPHAS, DATA, ODDS, STUDIES, Scores, Study

RECORDS = ROOT / "_build" / "studies"
STRICTEST = {"alpha": ALPHAS[0], "odds": ODDS[0]}
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def summary(study: Study, results: list[dict[str, Scores]]) -> dict[str, Any]:
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
            kind: kept(np.quantile(values, QUANTILES, axis=0))
            for kind, values in (scores[name] | {"difference": difference}).items()
        }
        found[name] |= dict(zip(("mean", "error"), mean_and_error(difference), strict=True))
        if "selected" in results[0][name]:
            found[name]["selected"] = mean_and_error(np.array([result[name]["selected"] for result in results]))
        if "squares" in results[0][name]:
            found[name]["more_than_squares"] = mean_and_error(
                difference - np.array([result[name]["squares"] for result in results])
            )
        found[name]["median_interval"] = kept(le.SubmissionBudget(none, none, difference).intervals)
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
    """Return the means of the columns and their standard errors, as a file keeps them."""
    return [kept(column) for column in le.mean_and_error(values)]


def kept(values: np.ndarray) -> list[Any]:
    """Return numbers as a file keeps them: four digits, and no zero below zero, whose sign a browser forgets."""
    short: list[Any] = (values.round(4) + 0.0).tolist()
    return short


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
    write(name, summary(study, results))


def played(name: str, table: Callable[[np.random.Generator], Any], repetitions: int, seed: int) -> list[Any]:
    """Play a table of contests again and again; keep what is done in a record."""
    RECORDS.mkdir(parents=True, exist_ok=True)
    return le.replicate(
        table,
        repetitions=repetitions,
        rng=np.random.default_rng(seed),
        n_jobs=-1,
        record=RECORDS / f"{name}.jsonl",
        progress=True,
    )


def run_matrix(skip: tuple[str, ...] = ()) -> dict[str, Any]:
    """Play every attack on every board, but for those to skip, and return what the file holds."""
    table = functools.partial(matrix.matrix, skip=skip)
    return matrix.matrix_summary(played("matrix", table, matrix.REPETITIONS, matrix.SEED))


def run_few_files() -> dict[str, Any]:
    """Play with few accounts and files, and return what the file holds."""
    results = played("few_files", few_files.table, few_files.REPETITIONS, few_files.SEED)
    found: dict[str, Any] = few_files.summary(results)
    return found


def extend_matrix(found: dict[str, Any]) -> dict[str, Any]:
    """Play the attacks of `matrix.LATER` that a stored summary lacks, and return it with them.

    Their generators come last, so the others' contests need not be played.
    """
    there = {attack for row in found["results"].values() for attack in row}
    new = run_matrix(tuple(there))
    for kind in ("first", "results"):
        for board, row in new[kind].items():
            found[kind][board] |= row
    return found


def write(name: str, found: dict[str, Any]) -> None:
    """Write the file of a study, and drop its record."""
    text = json.dumps(found)
    (DATA / f"{name}.json").write_text(text.replace(', "', ',\n"') + "\n", encoding="utf-8")
    (RECORDS / f"{name}.jsonl").unlink()


def lacks(found: dict[str, Any]) -> bool:
    """Say whether an attack of the matrix was added after this summary was made."""
    missing = {attack for board, attack in matrix.CELLS if attack not in found["results"][board]}
    assert missing <= set(matrix.LATER)
    return bool(missing)


TABLES: dict[str, Callable[[], dict[str, Any]]] = {"matrix": run_matrix, "few_files": run_few_files}


def main() -> None:
    """Run the studies whose files are missing."""
    for name in (*STUDIES, *TABLES):
        path = DATA / f"{name}.json"
        if name == "matrix" and path.exists() and lacks(stored := json.loads(path.read_text(encoding="utf-8"))):
            print(f"{path.relative_to(ROOT)}: attacks were added, and are played")
            write(name, extend_matrix(stored))
        elif path.exists():
            print(f"{path.relative_to(ROOT)}: there")
        else:
            print(f"{path.relative_to(ROOT)}: not there, so its repetitions are run")
            write(name, TABLES[name]()) if name in TABLES else run(name)


if __name__ == "__main__":
    main()
