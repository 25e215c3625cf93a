"""Time the engine against plain scripts, and the live figures: `make benchmarks` writes the record.

`python -m tools.benchmarks live` measures the live figures only, writes that and keeps the rest, `… challenges` the
regression challenges, `… replays` the replay of a competition, `… studies` the study behind a figure.
`python -m instructor.benchmark` adds the grader. The record says of each part on what machine it was measured.

A script is what a student would write: plain NumPy, one submission at a time. The floor is the time that the generator
needs for as many random bits as there are labels in all submissions. Times are processor time, the best of a few rounds
in which script, floor and engine take turns, in one thread.
"""

import json
import os
import platform
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import nbformat
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from book.studies import STUDIES
from leaderboard_edu.datasets import ChallengeData, linear_predictions, simulate_design, split_sample
from leaderboard_edu.experiments import (
    Trajectory,
    boosting_curve,
    replicate,
    simulate_bayes_boot,
    simulate_boosting,
    simulate_parameter_free,
    simulate_step_forward,
    simulate_swap,
)
from leaderboard_edu.leaderboard import RankBoard, TopBoard
from leaderboard_edu.log import SubmissionLog, replay
from leaderboard_edu.mechanisms import FullDisclosure, Ladder, PairedTestLadder, ParameterFreeLadder
from tools.contents import ROOT, chapters

Vector = NDArray[np.float64]

RECORD = ROOT / "book" / "data" / "benchmarks.json"
ROUNDS = 15
FLOOR_BLOCK = 2**15  # words
NEAR, FAR = (0.25, 0.5, 1, 2), (0.01, 0.1, 1, 10)  # how sizes are changed for the tables of growth


def script_boosting(n: int, k: int, rng: Generator) -> float:
    """Return the accuracy of the boosting attack with aligned votes."""
    labels = np.zeros(n, dtype=int)
    coins = rng.integers(0, 2, n)
    tally = np.zeros(n, dtype=int)
    for _ in range(k):
        submission = rng.integers(0, 2, n)
        vote = 2 * submission - 1
        tally += vote if np.mean(submission != labels) <= 0.5 else -vote
    return float(np.mean(np.where(tally == 0, coins, tally > 0) == labels))


def script_curve(n: int, k: int, rng: Generator) -> Vector:
    """Return the accuracy of the boosting attack after every submission."""
    labels = np.zeros(n, dtype=int)
    coins = rng.integers(0, 2, n)
    tally = np.zeros(n, dtype=int)
    accuracy = np.empty(k)
    for t in range(k):
        submission = rng.integers(0, 2, n)
        vote = 2 * submission - 1
        tally += vote if np.mean(submission != labels) <= 0.5 else -vote
        accuracy[t] = np.mean(np.where(tally == 0, coins, tally > 0) == labels)
    return accuracy


def script_parameter_free(n: int, k: int, rng: Generator) -> float:
    """Return the accuracy of the boosting attack on the parameter-free Ladder."""
    labels = np.zeros(n, dtype=int)
    coins = rng.integers(0, 2, n)
    tally = np.zeros(n, dtype=int)
    best = None
    for _ in range(k):
        submission = rng.integers(0, 2, n)
        wrong = submission != labels
        if best is None or is_better(wrong, best):
            best = wrong
            tally += 2 * submission - 1
    return float(np.mean(np.where(tally == 0, coins, tally > 0) == labels))


def script_swap(n: int, k: int, rng: Generator) -> float:
    """Return the accuracy of the swap attack on the parameter-free Ladder."""
    labels = np.arange(n) % 2
    submission = rng.permutation(labels)
    best = submission != labels
    for _ in range(k - 1):
        trial = submission.copy()
        trial[rng.choice(np.flatnonzero(submission == 1))] = 0
        trial[rng.choice(np.flatnonzero(submission == 0))] = 1
        wrong = trial != labels
        if is_better(wrong, best):
            submission, best = trial, wrong
    return float(np.mean(submission == labels))


def is_better(wrong: NDArray[np.bool_], best: NDArray[np.bool_]) -> bool:
    """Say whether the parameter-free Ladder accepts, from which labels are wrong."""
    fixed, broken = int(np.sum(best & ~wrong)), int(np.sum(wrong & ~best))
    return fixed > broken and (fixed - broken) ** 2 > fixed + broken


@dataclass(frozen=True)
class Work:
    """One thing to do, in two ways, and what was hoped for."""

    name: str
    n: int
    k: int
    repetitions: int
    script: Callable[[int, int, Generator], object]
    engine: Callable[[int, int, int, Generator], object]  # called with n, k, repetitions and rng
    script_size: tuple[int, int]  # submissions and repetitions on which the script is timed
    aim_script: int  # at least so many times as fast as the script
    aim_floor: float | None = None  # at most so many times the floor
    aim_memory: float | None = None  # MB at most
    draws: bool = True  # every submission is drawn, so that the floor means something
    factors_k: tuple[float, ...] = NEAR


def run_boosting(n: int, k: int, repetitions: int, rng: Generator) -> list[float]:
    """Simulate final votes."""
    return [simulate_boosting(n=n, k=k, rng=rng) for _ in range(repetitions)]


def run_curve(n: int, k: int, repetitions: int, rng: Generator) -> Vector:
    """Simulate curves side by side."""
    return boosting_curve(n=n, k=k, rng=rng, repetitions=repetitions)


def run_words(n: int, k: int, repetitions: int, rng: Generator) -> list[Trajectory]:
    """Simulate the parameter-free board, every submission drawn."""
    return [simulate_parameter_free(n=n, k=k, rng=rng, method="words") for _ in range(repetitions)]


def run_events(n: int, k: int, repetitions: int, rng: Generator) -> list[Trajectory]:
    """Simulate the parameter-free board, accepted submissions only."""
    return [simulate_parameter_free(n=n, k=k, rng=rng, method="events") for _ in range(repetitions)]


def run_swap(n: int, k: int, repetitions: int, rng: Generator) -> list[Trajectory]:
    """Simulate swap attacks."""
    return [simulate_swap(n=n, k=k, rng=rng) for _ in range(repetitions)]


WORKS = [
    Work(
        "Boosting attack, final vote",
        *(10**6, 1000, 1, script_boosting, run_boosting, (40, 1)),
        aim_script=45,
        aim_floor=2.1,
        aim_memory=10,
    ),
    Work(
        "Boosting attack, every prefix",
        *(4000, 1000, 100, script_curve, run_curve, (1000, 2)),
        aim_script=40,
        aim_floor=5,
    ),
    Work(
        "Parameter-free Ladder under boosting, all submissions drawn",
        *(4000, 10**5, 1, script_parameter_free, run_words, (3000, 1)),
        aim_script=100,
    ),
    Work(
        "Parameter-free Ladder under boosting, events only",
        *(4000, 10**5, 50, script_parameter_free, run_events, (3000, 1)),
        aim_script=1000,
        draws=False,
        factors_k=FAR,
    ),
    Work(
        "Parameter-free Ladder under the swap attack, events only",
        *(1000, 10**6, 100, script_swap, run_swap, (3000, 1)),
        aim_script=10**4,
        draws=False,
        factors_k=FAR,
    ),
]


def draw_floor(words: int) -> None:
    """Draw so many words and forget them."""
    rng = np.random.default_rng(0)
    for start in range(0, words, FLOOR_BLOCK):
        rng.integers(0, 2**64, min(FLOOR_BLOCK, words - start), dtype=np.uint64)


def seconds(work: Callable[..., object], *arguments: object) -> float:
    """Return the processor time of one call."""
    start = time.process_time()
    work(*arguments)
    return time.process_time() - start


def best_times(*calls: tuple[Any, ...]) -> list[float]:
    """Return the best time of each call, given as a function and its arguments; they take turns."""
    rounds = [[seconds(*call) for call in calls] for _ in range(ROUNDS)]
    return [min(times) for times in zip(*rounds, strict=True)]


def seeded(function: Callable[..., Any], *arguments: object) -> Any:
    """Call a function with a fresh generator, always the same, as its last argument."""
    return function(*arguments, np.random.default_rng(0))


def memory(work: Work) -> float:
    """Return the MB that the engine holds at most beyond its result."""
    tracemalloc.start()
    result = seeded(work.engine, work.n, work.k, work.repetitions)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del result
    return (peak - held) / 1e6


def growth(
    work: Work, base: float, factors: Sequence[float], change: Callable[[float], tuple[int, int]]
) -> list[dict[str, float]]:
    """Return the time at changed sizes as a multiple of the time at the base size."""
    calls = [(seeded, work.engine, *change(factor), work.repetitions) for factor in factors]
    times = dict(zip(factors, best_times(*calls), strict=True))
    return [{"factor": factor, "time": rounded(times[factor] / times[base])} for factor in factors]


def measure(work: Work) -> dict[str, Any]:
    """Return all that is recorded about a work."""
    k, repetitions = work.script_size
    words = -(-work.n // 64) * work.k * work.repetitions

    def script() -> None:
        for _ in range(repetitions):
            seeded(work.script, work.n, k)

    engine = (seeded, work.engine, work.n, work.k, work.repetitions)
    floor = [(draw_floor, words)] if work.draws else []
    script_time, engine_time, *floor_time = best_times((script,), engine, *floor)
    script_time *= work.k * work.repetitions / (k * repetitions)
    return {
        "name": work.name,
        "n": work.n,
        "k": work.k,
        "repetitions": work.repetitions,
        "script_timed_on": {"k": k, "repetitions": repetitions},
        "seconds": {
            "script": rounded(script_time),
            "floor": rounded(floor_time[0]) if work.draws else None,
            "engine": rounded(engine_time),
        },
        "times_faster_than_script": {"aim": work.aim_script, "reached": rounded(script_time / engine_time)},
        "times_the_floor": {
            "aim": work.aim_floor,
            "reached": rounded(engine_time / floor_time[0]) if work.draws else None,
        },
        "memory_mb": {"aim": work.aim_memory, "reached": rounded(memory(work))},
        "growth_in_n": growth(work, 1, NEAR, lambda factor: (int(work.n * factor), work.k)),
        "growth_in_k": growth(work, 1, work.factors_k, lambda factor: (work.n, int(work.k * factor))),
    }


def script_step_forward(data: ChallengeData, iterations: int, alpha: float) -> tuple[int, ...]:
    """Return the features that a step-forward attack selects, one scikit-learn fit after the other."""
    from sklearn.linear_model import LinearRegression

    (x, y), z = data.training, data.public.features
    board = PairedTestLadder(data.public.response, alpha=alpha)
    selected: list[int] = []
    shown = np.inf
    for _ in range(iterations):
        jump = None
        for j in range(x.shape[1]):
            if j not in selected:
                columns = [*selected, j]
                model = LinearRegression().fit(x[:, columns], y)
                released = board.submit(model.predict(z[:, columns]))
                jump, shown = (jump, shown) if released == shown else (j, released)
        if jump is None:
            break
        selected.append(jump)
    return tuple(selected)


def measure_step_forward(n: int, p: int, iterations: int, aim: float) -> dict[str, Any]:
    """Return the times of the script, once, and of the engine, on data on which every iteration sees a jump."""
    rng = np.random.default_rng(0)
    data, alpha = split_sample(*simulate_design(n=n, p=p, rng=rng), rng=rng), 0.15
    run = partial(simulate_step_forward, data, iterations=iterations, alpha=alpha)
    started = time.process_time()
    selected = script_step_forward(data, iterations, alpha)
    script = time.process_time() - started
    if selected != run().selected:
        raise ValueError(f"script and engine must select the same features, got {selected} and {run().selected}")
    (engine,) = best_times((run,))
    return {
        "name": "Step-forward attack",
        "size": f"n = {n}, p = {p:,}, {len(selected)} of {iterations} iterations",
        "against": "a loop of scikit-learn fits",
        "seconds": {"other": rounded(script), "engine": rounded(engine)},
        "ratio": {"times_as_fast": True, "aim": aim, "reached": rounded(script / engine)},
    }


def measure_bayes_boot(weights: Literal["fresh", "shared"], aim: float) -> dict[str, Any]:
    """Return the times of 300 decisions and of what they cannot do without, at the size of the paper."""
    rng = np.random.default_rng(1)
    data = split_sample(*simulate_design(n=627, p=300, rng=rng), rng=rng)
    labels, draws = data.public.response, 1000
    features = data.public.features
    submissions = np.array([linear_predictions(data.training, features, columns=[j]) for j in range(300)])
    shared = rng.standard_exponential((draws, labels.size))
    columns = np.concatenate([submissions, submissions**2, submissions * labels])
    other = (
        (lambda: [rng.standard_exponential((draws, labels.size)) for _ in submissions])
        if weights == "fresh"
        else (lambda: columns @ shared.T)
    )
    decide = partial(simulate_bayes_boot, submissions, labels, n_posterior=draws, weights=weights)
    floor, engine = best_times((other,), (lambda: decide(rng=np.random.default_rng(0)),))
    return {
        "name": f"Bayesian bootstrap, {weights} weights",
        "size": f"{len(submissions)} submissions, n = {labels.size}, B = {draws:,}",
        "against": "drawing all weights" if weights == "fresh" else "the product of weights and moments",
        "seconds": {"other": rounded(floor), "engine": rounded(engine)},
        "ratio": {"times_as_fast": False, "aim": aim, "reached": rounded(engine / floor)},
    }


def measure_challenges() -> list[dict[str, Any]]:
    """Return what is recorded about the regression challenges; set OMP_NUM_THREADS=1 for one thread."""
    return [
        measure_step_forward(120, 1000, 10, aim=1000),
        measure_step_forward(628, 300, 5, aim=400),
        measure_bayes_boot("shared", aim=2.5),
        measure_bayes_boot("fresh", aim=0.4),
    ]


def script_scores(predictions: NDArray[Any], labels: NDArray[Any]) -> list[float]:
    """Return the share of wrong labels of each submission."""
    return [float(np.mean(row != labels)) for row in predictions]


def script_squared(predictions: NDArray[Any], labels: NDArray[Any]) -> list[float]:
    """Return the mean squared error of each submission."""
    return [float(np.mean((row - labels) ** 2)) for row in predictions]


Play = tuple[str, Callable[[Any], Any], Callable[[NDArray[Any], NDArray[Any]], list[float]], type, float | None]
PLAYED: list[Play] = [  # what is played, the script that scores alone, on numbers of what type, and the aim
    ("Full disclosure", FullDisclosure, script_scores, np.uint8, 3),
    ("Ladder", Ladder, script_scores, np.uint8, 3),
    ("Parameter-free Ladder", ParameterFreeLadder, script_scores, np.uint8, 3),
    ("Board of ranks", RankBoard, script_scores, np.uint8, 3),
    ("Board of the ten best", partial(TopBoard, ranks=10), script_scores, np.uint8, None),
    ("Ladder with a t-test of squared losses", PairedTestLadder, script_squared, np.float64, None),
]


def measure_replays(teams: int = 200, k: int = 1800, n: int = 12_000) -> list[dict[str, Any]]:
    """Return the times of replaying a competition, in which submissions get better, and of scoring them alone."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, n, dtype=np.uint8)
    wrong = rng.random((k, n)) < np.linspace(0.4, 0.15, k)[:, np.newaxis]
    log = SubmissionLog(
        teams=rng.integers(0, teams, k).tolist(),
        times=np.datetime64("2027-01-01", "s") + np.arange(k) * np.timedelta64(15, "m"),
        predictions=labels ^ wrong,
    )
    rows = []
    for name, mechanism, script, dtype, aim in PLAYED:
        alone, played = best_times(
            (script, log.predictions.astype(dtype), labels.astype(dtype)), (replay, log, labels, mechanism)
        )
        rows.append(
            {
                "name": name,
                "size": f"{k:,} submissions of {n:,} labels, {teams} teams",
                "seconds": {"other": rounded(alone), "engine": rounded(played)},
                "ratio": {"aim": aim, "reached": rounded(played / alone)},
            }
        )
    return rows


def measure_studies() -> dict[str, float]:
    """Return the seconds on the clock that the whole study behind Figures 4 and 6 of the third paper takes."""
    study = STUDIES["step_forward_permuted"]
    start = time.perf_counter()
    replicate(
        study.experiment, repetitions=study.repetitions, rng=np.random.default_rng(study.seed), n_jobs=os.cpu_count()
    )
    return {"repetitions": study.repetitions, "seconds": rounded(time.perf_counter() - start)}


TIME_THE_TWIN = """
import json, time


def seconds(do):
    start = time.perf_counter()
    do()
    return time.perf_counter() - start


def middle(times):
    return sorted(times)[len(times) // 2]


def places(widget):
    if hasattr(widget, "_options_values"):
        return widget._options_values
    if hasattr(widget, "max"):
        return [type(widget.value)(widget.min + (widget.max - widget.min) * i / 9) for i in range(10)]
    return [True, False]


def moves(widget):
    begin = widget.value
    new = [value for value in places(widget) if value != begin]
    times = [seconds(lambda: setattr(widget, "value", value)) for value in new]
    widget.value = begin
    return middle(times)


again = middle([seconds(live.update) for _ in range(21)])
print(json.dumps({"default": again, "slowest": max(map(moves, live.kwargs_widgets))}))
"""


def measure_live() -> dict[str, dict[str, float]]:
    """Return the seconds that each chapter's live figure takes to be drawn anew, in a kernel.

    As it begins, the median of 21 times; and while a control is moved to ten places where it was not before, the median
    of these, of the slowest control.
    """
    return {Path(chapter).name: measure_twin(ROOT / f"{chapter}.ipynb") for chapter in sorted(chapters())}


def measure_twin(path: Path) -> dict[str, float]:
    """Return the seconds of one chapter's live figure."""
    from jupyter_client.blocking.client import BlockingKernelClient
    from jupyter_client.manager import run_kernel

    code = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    last = max(i for i, cell in enumerate(code) if "live" in cell.metadata.get("tags", []))
    printed: list[str] = []

    def show(message: dict[str, Any]) -> None:
        if message["content"].get("name") == "stdout":
            printed.append(message["content"]["text"])

    with run_kernel(cwd=path.parent) as client:
        assert isinstance(client, BlockingKernelClient)
        for source in [*(cell.source for cell in code[: last + 1]), TIME_THE_TWIN]:
            printed.clear()
            reply = client.execute_interactive(source, output_hook=show, timeout=300)
            if reply["content"]["status"] != "ok":
                raise RuntimeError("\n".join([f"{path.stem}: {source}", *reply["content"]["traceback"]]))
    return {kind: rounded(value) for kind, value in json.loads("".join(printed)).items()}


def rounded(value: float) -> float:
    """Round to three significant digits."""
    return float(f"{value:.3g}")


def processor() -> str:
    """Return the name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(": ", 1)[1] for line in lines if line.startswith("model name")), platform.machine())


def machine() -> dict[str, Any]:
    """Return what the times depend on."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


MORE: dict[str, Callable[[], object]] = {
    "live": measure_live,
    "challenges": measure_challenges,
    "replays": measure_replays,
    "studies": measure_studies,
}


def main(only: str | None = None) -> None:
    """Measure everything, or one of the works beside the engine, and write the record."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    if only is None:
        works = []
        for work in WORKS:
            works.append(measure(work))
            print(json.dumps(works[-1]), flush=True)
        record |= {"machine": machine(), "rounds": ROUNDS, "works": works}
    for name in [only] if only else MORE:
        record[name] = MORE[name]()
        record["measured_on"][name] = machine()
        print(json.dumps(record[name]))
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
