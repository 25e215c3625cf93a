"""The teams of the stored competition: policies that react to what the board answers.

A policy is a generator. It yields a pause in days, or a `Submission`, for which it is sent the board's `Answer`. It
sees what a team would see: labelled training rows, the holdout rows without labels, its own answers and its rank. All
its draws come from generators of its own, seeded by the number of the team and of the draw. So two games differ only in
what the boards answered and what followed from it.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

import leaderboard_edu as le
from tools.flights import HOLDOUT, IDEAS, SEED, TRAINING, VALIDATION, Array, Model, rows, split

DAYS = 61
ALL = TRAINING - VALIDATION
UNSURE = 2000  # labels that an attacker plays with: those of which its model is least sure
MANY = 12  # accounts of one team


@dataclass(frozen=True, eq=False)
class Submission:
    """A file with a prediction for each row of the holdout set, the account that sends it, and what it is.

    `errors` says which of the team's own validation rows its model has wrong, if it has a model.
    """

    file: Array
    probabilities: Array
    what: str
    account: int = 0  # of the team's accounts
    errors: Array | None = None


@dataclass(frozen=True)
class Answer:
    """What a team learns: its score, and where it stands among the accounts on the board."""

    shown: float
    rank: int
    accounts: int


Policy = Generator[float | Submission, Answer | None, None]


@dataclass(frozen=True)
class Recipe:
    """A weighted mean of models, and above how many 255ths a flight is called late."""

    parts: tuple[tuple[Model, int], ...]
    cut: int = 127

    def probabilities(self) -> Array:
        """Return the mean, of 255, rounded half up: validation rows, then the holdout set."""
        total = sum(weight * model.probabilities().astype(np.int64) for model, weight in self.parts)
        weights = sum(weight for _, weight in self.parts)
        return np.asarray((2 * total + weights) // (2 * weights), dtype=np.uint8)

    def errors(self) -> Array:
        """Say which rows it has wrong of those that the team has kept to validate its models."""
        labels = rows().late[split(self.parts[0][0].team)[1]]
        return np.asarray((self.probabilities()[:VALIDATION] > self.cut) != labels)

    def loss(self) -> float:
        """Return the loss on these rows."""
        return _loss(self)

    def submission(self) -> Submission:
        """Return the file, with the model's probabilities moved so that one half is the threshold."""
        found = self.probabilities()[VALIDATION:]
        return Submission((found > self.cut).astype(np.uint8), found, str(self), errors=self.errors())

    def __str__(self) -> str:
        what = " + ".join(f"{weight} × {model}" if len(self.parts) > 1 else str(model) for model, weight in self.parts)
        return what if self.cut == 127 else f"{what}, late above {self.cut}/255"


@cache
def _loss(recipe: Recipe) -> float:
    return float(np.mean(recipe.errors()))


@dataclass
class Team:
    """A team: its policy, what it is able to do, and when it comes.

    Attributes
    ----------
    skill : float
        From 0 to 1, on the day it comes. It knows more of the ideas and better families with time.
    pace : float
        Its mean pause in days.
    forum : bool
        Whether it reads the forum, where ideas are told from time to time.
    repeats : bool
        Whether it now and then sends a file twice.
    """

    number: int
    policy: str
    skill: float
    arrival: float
    pace: float
    patience: int
    forum: bool
    repeats: bool
    day: float = 0.0

    def rng(self, *draw: int) -> np.random.Generator:
        """Return the generator of a draw."""
        return np.random.default_rng([SEED, 2, self.number, *draw])

    def level(self) -> float:
        """Return what the team is able to do by now."""
        return self.skill + 0.25 * min(1.0, (self.day - self.arrival) / 30) + 0.1 * self.day / DAYS

    def pause(self, draw: int) -> float:
        """Return how long the team works on its next submission; towards the end all hurry."""
        return float(self.rng(0, draw).exponential(self.pace) * min(1.0, 0.2 + (DAYS - self.day) / 15)) + 0.003

    def model(self, draw: int, *, level: float | None = None) -> Model:
        """Return the next model that the team thinks of."""
        rng = self.rng(1, draw)
        able = (self.level() if level is None else level) + rng.normal(0, 0.08)
        known = int(np.clip(2 + 5.5 * able, 1, len(IDEAS)))
        if self.forum:  # an idea is told there every twelve days, until only the last is a secret
            known = max(known, min(2 + int(self.day / 12), len(IDEAS) - 1))
        ideas = tuple(idea for idea in IDEAS[:known] if idea == "clock" or rng.random() > 0.12)
        return _drawn(self.number, able, ideas, rng)


def _drawn(team: int, able: float, ideas: tuple[str, ...], rng: np.random.Generator) -> Model:
    """Return a random model as a team of this ability would choose it."""
    if able < 0.3:
        chances = {"tree": 0.35, "linear": 0.3, "bayes": 0.15, "neighbours": 0.2}
    elif able < 0.55:
        chances = {"tree": 0.1, "forest": 0.25, "random trees": 0.15, "linear": 0.2, "boosting": 0.3}
    else:
        chances = {"forest": 0.15, "random trees": 0.15, "linear": 0.1, "boosting": 0.6}
    family = str(rng.choice(list(chances), p=list(chances.values())))
    if family == "neighbours":  # in more dimensions it finds none
        ideas = ideas[:2]
    fitted = ALL if able > 0.4 else int(rng.choice([5000, 10_000, 20_000, ALL]))
    return Model(team, family, ideas, tuple((name, _option(name, rng)) for name in OPTIONS[family]), fitted)


OPTIONS: dict[str, tuple[str, ...]] = {
    "bayes": ("var_smoothing",),
    "linear": ("C",),
    "neighbours": ("n_neighbors",),
    "tree": ("max_depth", "min_samples_leaf"),
    "forest": ("min_samples_leaf", "max_features"),
    "random trees": ("min_samples_leaf", "max_features"),
    "boosting": ("learning_rate", "max_iter", "max_leaf_nodes", "l2_regularization"),
}
CHOICES: dict[str, list[float] | list[int]] = {
    "var_smoothing": [1e-9, 1e-6, 1e-4, 1e-2],
    "C": [0.001, 0.01, 0.1, 1.0, 10.0],
    "n_neighbors": [5, 11, 21, 35, 60],
    "max_depth": [3, 4, 5, 6, 8, 10, 14],
    "min_samples_leaf": [2, 5, 10, 20, 40],
    "max_features": [0.15, 0.25, 0.35, 0.5],
    "learning_rate": [0.04, 0.06, 0.08, 0.12],
    "max_iter": [40, 60, 80, 110],
    "max_leaf_nodes": [6, 10, 16, 24, 31],
    "l2_regularization": [0.0, 1.0, 5.0, 20.0],
}


def _option(name: str, rng: np.random.Generator) -> float | int:
    choices = CHOICES[name]
    return choices[int(rng.integers(len(choices)))]


def _changed(recipe: Recipe, team: Team, draw: int) -> Recipe:
    """Return a recipe of one model with one thing changed: an option, an idea or the threshold."""
    rng = team.rng(2, draw)
    (model, _), *_ = recipe.parts
    move = rng.random()
    if move < 0.25:
        return replace(recipe, cut=int(np.clip(recipe.cut + rng.choice([-10, -6, -3, 3, 6, 10]), 90, 165)))
    if move < 0.45:
        fresh = team.model(1000 + draw)  # an idea more, or one less
        idea = str(rng.choice(fresh.ideas))
        kept = [known for known in IDEAS if (known in model.ideas) != (known == idea)]
        if model.family != "neighbours" and kept:
            return replace(recipe, parts=((replace(model, ideas=tuple(kept)), 1),))
    if move < 0.6:  # another kind of model
        return replace(recipe, parts=((replace(team.model(2000 + draw), ideas=model.ideas), 1),))
    name = str(rng.choice(OPTIONS[model.family]))
    options = tuple((key, _option(name, rng) if key == name else value) for key, value in model.options)
    return replace(recipe, parts=((replace(model, options=options), 1),))


def _send(team: Team, submission: Submission, draw: int) -> Generator[float | Submission, Answer | None, Answer]:
    """Send a file, some teams now and then twice, and return the answer."""
    answer = yield submission
    if team.repeats and team.rng(3, draw).random() < 0.25:
        yield 0.002
        answer = yield submission
    assert answer is not None
    return answer


def visitor(team: Team) -> Policy:
    """Come once, send a first try or two, and leave; who stands low tries again."""
    draw, rng = 0, team.rng(4)
    if rng.random() < 0.15:  # the file that came with the data
        never = np.zeros(HOLDOUT, dtype=np.uint8)
        yield Submission(never, never, "never late", errors=rows().late[split(team.number)[1]] == 1)
        yield team.pause(100)
    while draw < 3:
        answer = yield from _send(team, Recipe(((team.model(draw), 1),)).submission(), draw)
        if answer.rank <= 0.5 * answer.accounts or rng.random() < 0.6:
            return
        yield team.pause(draw)
        draw += 1


def tinkerer(team: Team) -> Policy:
    """Send one model after the other without validating any, as long as the board shows progress."""
    best, failures, draw = np.inf, 0, 0
    while failures < team.patience:
        answer = yield from _send(team, Recipe(((team.model(draw), 1),)).submission(), draw)
        failures = 0 if answer.shown < best else failures + 1
        best = min(best, answer.shown)
        yield team.pause(draw)
        draw += 1


def truster(team: Team) -> Policy:
    """Believe validation: send only what is better on rows of one's own, blends of what one has among it."""
    yield from _validated(team, rounds=team.patience, first=0)


def _validated(team: Team, *, rounds: int, first: int) -> Policy:
    shelf: list[Model] = []
    best = np.inf
    for step in range(rounds):
        shelf.append(team.model(first + 3 * step))
        recipe = min(Recipe(((shelf[-1], 1),)), _blend(shelf), key=Recipe.loss)
        if recipe.loss() < best:
            best = recipe.loss()
            answer = yield from _send(team, recipe.submission(), first + step)
            if answer.rank == 1:  # why go on?
                yield 3 * team.pause(first + step)
        yield team.pause(first + step)


def _blend(shelf: list[Model]) -> Recipe:
    """Return what greedy selection with repetition makes of some models, by validation."""
    weights = dict.fromkeys(shelf, 0)
    best: Recipe | None = None
    for _ in range(6):
        tries = [
            Recipe(tuple((one, count + (one == model)) for one, count in weights.items() if count + (one == model)))
            for model in weights
        ]
        recipe = min(tries, key=Recipe.loss)
        if best is not None and recipe.loss() >= best.loss():
            break
        best, weights = recipe, weights | dict(recipe.parts)
    assert best is not None
    return best


def climber(team: Team) -> Policy:
    """Climb the board: change one thing at a time, and keep what it shows to be better."""
    recipe = Recipe(((team.model(0), 1),))
    best = (yield from _send(team, recipe.submission(), 0)).shown
    failures, draw, sent = 0, 1, {recipe}
    while failures < team.patience:
        yield team.pause(draw)
        trial = _changed(recipe, team, draw)
        draw += 1
        if trial in sent:
            continue
        sent.add(trial)
        answer = yield from _send(team, trial.submission(), draw)
        if answer.shown < best:
            recipe, best, failures = trial, answer.shown, 0
        elif answer.rank > 10:  # the first ten do not give up
            failures += 1


def returner(team: Team) -> Policy:
    """Try a little, leave for weeks, and come back with more ideas, and with validation."""
    for draw in range(1 + int(team.rng(4).integers(3))):
        yield from _send(team, Recipe(((team.model(draw), 1),)).submission(), draw)
        yield team.pause(draw)
    yield float(team.rng(5).uniform(14, 35))
    yield from _validated(team, rounds=team.patience, first=10)


def blender(team: Team) -> Policy:
    """Collect models, then blend them by what the board shows: change a weight, and keep it if it helps."""
    shelf: list[tuple[float, int, Model]] = []
    for draw in range(4 + int(team.rng(4).integers(4))):
        model = team.model(draw)
        answer = yield from _send(team, Recipe(((model, 1),)).submission(), draw)
        shelf.append((answer.shown, draw, model))
        yield team.pause(draw)
    shelf.sort(key=lambda row: row[:2])
    models = [model for _, _, model in shelf]
    weights = np.array([2] * 2 + [0] * (len(models) - 2))
    best, failures, draw, sent = np.inf, 0, 20, set()
    trial = weights
    while failures < team.patience:
        recipe = Recipe(tuple((model, int(weight)) for model, weight in zip(models, trial, strict=True) if weight))
        if recipe not in sent:
            sent.add(recipe)
            answer = yield from _send(team, recipe.submission(), draw)
            if answer.shown < best:
                weights, best, failures = trial, answer.shown, 0
            elif answer.rank > 10:
                failures += 1
        yield team.pause(draw)
        draw += 1
        rng = team.rng(2, draw)
        trial = weights.copy()
        place = int(rng.integers(len(models)))
        trial[place] = max(0, trial[place] + int(rng.choice([-1, 1, 2])))
        if not trial.any():
            trial = weights


class _UnansweredError(Exception):
    """The attack has asked for something that the board has not answered yet."""


def _attack(
    attack: Callable[[Callable[..., float]], le.AttackResult],
    send: Callable[..., Generator[float | Submission, Answer | None, float]],
) -> Generator[float | Submission, Answer | None, le.AttackResult]:
    """Play an attack of the library, which wants answers at once, on a board that answers when it is asked.

    The attack is begun anew for each question, with the answers so far: its draws are the same each time.
    """
    answers: list[float] = []
    while True:
        replies = iter(answers)

        def submit(*asked: Any, replies: Any = replies) -> float:
            for reply in replies:
                return float(reply)
            raise _UnansweredError(asked)

        try:
            return attack(submit)
        except _UnansweredError as question:
            answers.append((yield from send(*question.args[0])))


@dataclass(frozen=True)
class Flips:
    """Files that differ from a model's only in labels of which it is least sure."""

    start: Submission
    places: Array

    def __call__(self, flips: Array, what: str, account: int = 0) -> Submission:
        """Return the file with a one in `flips` for each label that is turned round."""
        file, probabilities = self.start.file.copy(), self.start.probabilities.copy()
        file[self.places] ^= flips
        turned = self.places[flips == 1]
        probabilities[turned] = 255 - probabilities[turned]
        return Submission(file, probabilities, what, account)


def _best_model(team: Team, unsure: int) -> Flips:
    """Return the best of some models by validation, and the labels of which it is least sure."""
    recipe = _blend([team.model(draw) for draw in range(4)])
    start = recipe.submission()
    places = np.argsort(np.abs(2 * start.probabilities.astype(int) - 255), kind="stable")[:unsure]
    return Flips(start, places)


def _centre(files: Flips, pause: float) -> Generator[float | Submission, Answer | None, float]:
    """Return what random flips have on average: the mean of none and of all."""
    shown = []
    for flip, what in enumerate((files.start.what, "all of them turned")):
        answer = yield files(np.full(files.places.size, flip, dtype=np.uint8), what)
        assert answer is not None
        shown.append(answer.shown)
        yield pause
    return sum(shown) / 2


def booster(team: Team) -> Policy:
    """Attack by boosting: random flips of unsure labels of a good model, and a majority vote of the better ones."""
    files = _best_model(team, UNSURE)
    centre = yield from _centre(files, 0.01)

    def send(flips: Array) -> Generator[float | Submission, Answer | None, float]:
        answer = yield files(flips, "random flips")
        assert answer is not None
        yield team.pause(1)
        return 0.5 + answer.shown - centre

    result = yield from _attack(lambda submit: le.boosting_attack(submit, n=UNSURE, k=220, rng=team.rng(6)), send)
    yield files(result.predictions, "majority vote of the flips")


def pairer(team: Team) -> Policy:
    """Attack by pairs: turn two unsure labels of a good model, and keep what the board shows to be better."""
    files = _best_model(team, 600)
    first: list[Array] = []  # stands for the model itself

    def send(vector: Array) -> Generator[float | Submission, Answer | None, float]:
        first[:] = first or [vector]
        answer = yield files(vector ^ first[0], "pairs turned")
        assert answer is not None
        yield team.pause(1)
        return answer.shown

    yield from _attack(lambda submit: le.swap_attack(submit, n=600, k=160, rng=team.rng(6)), send)


def many(team: Team) -> Policy:
    """Attack by boosting from several accounts in turn, each of which counts its own daily limit."""
    files = _best_model(team, UNSURE)
    centre = yield from _centre(files, 0.01)

    def send(account: int, flips: Array) -> Generator[float | Submission, Answer | None, float]:
        answer = yield files(flips, "random flips", account)
        assert answer is not None
        yield team.pause(1)
        return 0.5 + answer.shown - centre

    result = yield from _attack(
        lambda submit: le.multi_account_attack(submit, n=UNSURE, k=17 * MANY, accounts=MANY, rng=team.rng(6)), send
    )
    yield files(result.predictions, "majority vote of the flips")


POLICIES: dict[str, tuple[Callable[[Team], Policy], int]] = {
    "visitor": (visitor, 68),
    "tinkerer": (tinkerer, 44),
    "truster": (truster, 28),
    "climber": (climber, 22),
    "returner": (returner, 14),
    "blender": (blender, 10),
    "booster": (booster, 1),
    "pairer": (pairer, 1),
    "many": (many, 1),
}


def teams(game: int = 0) -> list[Team]:
    """Return all teams, in the random order of their numbers; another game has teams and numbers of its own."""
    rng = np.random.default_rng([SEED, 3, game] if game else [SEED, 3])
    kinds = [policy for policy, (_, count) in POLICIES.items() for _ in range(count)]
    found = []
    for number, place in enumerate(rng.permutation(len(kinds))):
        policy = kinds[place]
        skill = rng.beta(1.6, 2.4)
        arrival = rng.choice([rng.uniform(0, 8), rng.uniform(0, 55)], p=[0.35, 0.65])
        pace, patience = rng.uniform(0.3, 2.5), int(rng.integers(2, 6))
        forum, repeats = rng.random() < 0.5, rng.random() < 0.06
        if policy == "visitor":
            skill *= 0.7
        elif policy in ("truster", "climber", "blender", "returner"):
            skill, arrival = 0.2 + 0.7 * skill, 0.7 * arrival
            patience += {"climber": 2, "truster": patience + 3}.get(policy, patience)
        elif policy == "tinkerer":
            patience += 1
        elif policy in ("booster", "pairer", "many"):
            skill, arrival, pace = 0.75, {"booster": 6.0, "pairer": 15.0, "many": 30.0}[policy], 0.02
        ability: Any = {"skill": float(skill), "pace": float(pace), "patience": patience}
        named = number + game * len(kinds)
        found.append(Team(named, policy, arrival=float(arrival), forum=bool(forum), repeats=bool(repeats), **ability))
    return found
