"""Attacks from few files that weigh all answers of a board together.

The wrong public labels of all files that were sent are jointly normal, by
what the model says, which labels files share, and a sample of all rows. An
exact score is one number of these. On a Ladder each answer is an interval:
at or above the border, or below it and inside what rounds to the loss that
is shown. Expectation propagation finds what all of them say together: old
answers are judged again by what later ones tell.
"""

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np

SHARE = 0.3  # of all labels, on the board
FACTOR = 0.15  # doubt about how sure the model is
FIRST, LAST = 2600, 300  # labels that are guessed, in first and last files
MOST, SPARE = 34.0, 1.2  # steps to walk down, and to keep for the last file
FALL, LEFT = 20.0, 25.0  # labels, of each file, where the step is a test
PASSED = 4.0  # labels, of each file, where places are shown
NORMAL = NormalDist()

Array = np.ndarray


def inside(
    mean: float, var: float, low: float, high: float
) -> tuple[float, float]:
    """Return mean and variance of a normal number in an interval."""
    sd = math.sqrt(var)
    a, b, sign = (low - mean) / sd, (high - mean) / sd, 1
    if a > 0:
        a, b, sign = -b, -a, -1
    if b < -6:  # far out: about exponential, at the near end
        at = b + 1 / b if a < b + 5 / b else (a + b) / 2
        spread = min(1 / b**2, (b - a) ** 2 / 12)
        return mean + sign * sd * at, var * spread
    chance = max(NORMAL.cdf(b) - NORMAL.cdf(a), 1e-12)
    at = (NORMAL.pdf(a) - NORMAL.pdf(b)) / chance
    ends = [end * NORMAL.pdf(end) if abs(end) < 40 else 0 for end in (a, b)]
    spread = max(1 + (ends[0] - ends[1]) / chance - at**2, 1e-4)
    return mean + sign * sd * at, var * spread


class Joint:
    """What Eve believes of the wrong public labels of all her files.

    A file is a vector of 1 and -1: as her model's, or turned.
    """

    def __init__(self, sure: Array, share: float = SHARE) -> None:
        self.sure, self.size, self.share = sure, sure.size, share
        self.var = share - share**2  # of being public
        self.same = share - share**2 * sure**2
        self.files = np.zeros((0, sure.size), np.float32)
        self.mean, self.inner, self.slope = (np.zeros(0) for _ in range(3))
        self.low, self.high = np.zeros(0), np.zeros(0)
        self.tau, self.nu, self.weights = (np.zeros(0) for _ in range(3))
        self.cov, self.gram = np.zeros((0, 0)), np.zeros((0, 0))

    def moments(
        self, file: Array
    ) -> tuple[float, float, float, Any, Array]:
        """Return the mean, its parts, variance, and covariances."""
        mean = self.share * float(np.sum(0.5 - 0.5 * self.sure * file))
        inner = float(self.sure @ file)
        slope = -0.5 * self.share * inner * FACTOR
        v, n = self.var, self.size
        var = 0.25 * (v * (n - 2 * inner) + self.same.sum())
        var += slope**2 - v * (mean / self.share) ** 2 / n  # just so many
        cross = self.files @ (self.same * file).astype(np.float32)
        cov = 0.25 * (v * (n - self.inner - inner) + cross)
        cov = cov + slope * self.slope
        cov = cov - v * (mean / self.share) * (self.mean / self.share) / n
        return mean, inner, slope, var, cov

    def hear(self, file: Array, low: float, high: float) -> None:
        """Learn that a file has so many public labels wrong."""
        mean, inner, slope, var, cov = self.moments(file)
        self.cov = np.block([[self.cov, cov[:, None]], [cov, var + 1e-6]])
        self.files = np.vstack([self.files, file.astype(np.float32)])
        self.mean = np.append(self.mean, mean)
        self.inner = np.append(self.inner, inner)
        self.slope = np.append(self.slope, slope)
        self.low = np.append(self.low, low)
        self.high = np.append(self.high, high)
        self.tau, self.nu = (
            np.append(each, 0.0) for each in (self.tau, self.nu)
        )
        self.propagate()

    def refresh(self) -> None:
        """Find the belief that all sites make together."""
        root = np.sqrt(self.tau)
        inner = np.eye(root.size) + root[:, None] * self.cov * root
        self.gram = root[:, None] * np.linalg.inv(inner) * root
        self.post = self.cov - self.cov @ self.gram @ self.cov
        self.at = self.mean + self.post @ (self.nu - self.tau * self.mean)

    def propagate(self) -> None:
        """Fit a normal site to each interval, in at most four rounds."""
        self.refresh()
        for _ in range(4):
            most = max(self.fit(i) for i in reversed(range(self.tau.size)))
            self.refresh()
            if most < 0.02:
                break
        self.weights = np.linalg.solve(self.cov, self.at - self.mean)

    def fit(self, i: int) -> float:
        """Fit one site, and return by how much that moved the belief."""
        own = self.post[i, i]
        rest = 1 / own - self.tau[i]
        if rest <= 1e-9:
            return 0.0
        cavity = (self.at[i] / own - self.nu[i]) / rest
        at, var = inside(cavity, 1 / rest, self.low[i], self.high[i])
        tau = max(1 / var - rest, 1e-8)
        nu = at * (rest + tau) - cavity * rest
        more, moved = tau - self.tau[i], nu - self.nu[i]
        change = abs(self.at[i] - at) / math.sqrt(own)
        self.tau[i], self.nu[i] = tau, nu
        column, back = self.post[:, i].copy(), 1 + more * own
        shift = (moved - more * self.at[i]) / back
        self.at = self.at + column * shift
        self.post = self.post - np.outer(column, column) * (more / back)
        return float(change)

    def effects(self) -> tuple[Array, float]:
        """Return by how much each label of a file changes its mean.

        And what does not depend on the file.
        """
        a, v, n, s = self.weights, self.var, self.size, self.sure
        right = float(a @ self.mean) / self.share
        each = 0.25 * (self.same * (a @ self.files) - v * s * a.sum())
        each = each - 0.5 * self.share * s + v / n * 0.5 * s * right
        each = each - 0.5 * self.share * s * FACTOR * float(a @ self.slope)
        rest = 0.25 * v * (n * float(a.sum()) - float(a @ self.inner))
        return each, self.share * n / 2 - v / 2 * right + rest

    def odds(self) -> Array:
        """Return log odds that the model's labels are right, if public."""
        sure = self.sure * (1 + FACTOR * float(self.weights @ self.slope))
        sure = np.clip(sure, 0, 0.99)
        return 2 * np.arctanh(sure) - self.weights @ self.files

    def spread(self, file: Array) -> float:
        """Return by how much a file may be away from its mean."""
        *_, var, cov = self.moments(file)
        return math.sqrt(var - cov @ self.gram @ cov)


def height(rate: float, used: Callable[[float], float]) -> float:
    """Return how far above a border to stay, in standard deviations.

    So that a file uses so much of what is left, on average.
    """
    low, high = 0.0, 4.0
    while used(low) > rate and high - low > 1e-6:
        middle = (low + high) / 2
        enough = used(middle) > rate
        low, high = (middle, high) if enough else (low, middle)
    return low


def crossed(width: float, spread: float) -> Callable[[float], float]:
    """Return how many borders a file crosses, by its height."""
    ends = [at / spread for at in (0, width / 2, 1.5 * width, 2.5 * width)]
    return lambda high: sum(NORMAL.cdf(-end - high) for end in ends)


def fallen(least: float, spread: float) -> Callable[[float], float]:
    """Return by how many labels a file falls, at least so many if any."""

    def used(high: float) -> float:
        below, at = NORMAL.cdf(-high), NORMAL.pdf(high)
        return least * below + spread * (at - high * below)

    return used


class Scored:
    """Eve, where every score is shown.

    Coins fall on the labels that are most in doubt, fewer from file to
    file; all others are as believed so far.
    """

    def __init__(self, start: Any, rng: np.random.Generator) -> None:
        self.start, self.rng = start, rng
        self.joint = Joint(start.sure.astype(float), start.share)
        self.n = round(start.share * start.file.size)
        self.spread = 14.0  # of a file around its mean, as a first guess
        self.place, self.first = np.argsort(start.labels), FIRST
        self.surest = start.labels[::-1][: start.file.size - 2 * FIRST]

    def attack(self, submit: Callable[[Array], float], files: int) -> Array:
        """Send so many files, and return the last."""
        for left in range(files - 1, 0, -1):
            file, odds = self.believed()
            many = round(LAST + (self.first - LAST) * left / (files - 1))
            guessed = np.argsort(np.abs(odds))[:many]
            file[guessed] = self.rng.integers(0, 2, many) * 2.0 - 1
            self.lift(file, left, files)
            self.hear(file, submit(self.labels(file)))
        final = self.labels(self.believed()[0])
        submit(final)
        return final

    def believed(self) -> tuple[Array, Array]:
        """Return the file that is believed, and log odds of her model."""
        odds = self.joint.odds()
        turned = (odds < 0) & (self.place < 2 * FIRST)
        return np.where(turned, -1.0, 1.0), odds

    def labels(self, file: Array) -> Array:
        """Return the labels that a file says."""
        turned: Array = file < 0
        return self.start.file ^ turned.astype(self.start.file.dtype)

    def raised(self, file: Array) -> Array:
        """Return how many labels are wrong if sure ones are turned, too.

        By how many of the surest are turned, none first.
        """
        each, rest = self.joint.effects()
        more = np.append(0, np.cumsum(-2 * each[self.surest]))
        return rest + float(each @ file) + np.maximum.accumulate(more)

    def lift(self, file: Array, left: int, files: int) -> None:
        """Leave a file as it is: this board answers all."""

    def hear(self, file: Array, told: float) -> None:
        """Learn how many labels of a file are wrong."""
        wrong = round(self.n * told)
        self.joint.hear(file, wrong - 0.5, wrong + 0.5)


class Rounded(Scored):
    """Eve, where every score is shown, rounded to a step.

    She turns sure labels to bring a file to the border above it: there the
    answer is most in doubt. It is heard again for the next file, for this
    board does not remember.
    """

    def __init__(
        self, start: Any, rng: np.random.Generator, step: float
    ) -> None:
        super().__init__(start, rng)
        self.step, self.width = step, self.n * step

    def lift(self, file: Array, left: int, files: int) -> None:
        """Turn sure labels, to stand where two answers are as likely."""
        wrong = self.raised(file)
        border = math.ceil(wrong[0] / self.width - 0.5) + 0.5
        aim = border * self.width
        file[self.surest[: np.searchsorted(wrong, aim)]] = -1.0

    def hear(self, file: Array, told: float) -> None:
        """Learn between which borders a file is."""
        self.joint.hear(file, *self.rounds_to(told))

    def rounds_to(self, told: float) -> tuple[float, float]:
        """Return which numbers of wrong labels are shown so."""
        low, high = (
            math.ceil(self.n * (told + half) - 1e-6) - 0.5
            for half in (-self.step / 2, self.step / 2)
        )
        return low, high


class Silent(Rounded):
    """Eve, where a Ladder answers with a step.

    She begins up to 28 steps above the end, uses these evenly, and keeps
    one for the last file. She does so again with each of her accounts,
    which have so many files.
    """

    def __init__(
        self,
        start: Any,
        rng: np.random.Generator,
        step: float,
        below: float,
        each: int,
    ) -> None:
        super().__init__(start, rng, step)
        self.below, self.shown, self.each = below, math.inf, each

    def lift(self, file: Array, left: int, files: int) -> None:
        """Turn sure labels, to stand as far above the border as is best."""
        if left % self.each == self.each - 1:  # a fresh account
            self.shown = math.inf
        left, files = max(1, left % self.each), self.each
        wrong = self.raised(file)
        goal = wrong[0] + SPARE * self.width
        if self.shown == math.inf:
            aim = goal + min(0.57 * files, MOST) * self.width
        else:
            border = self.n * (self.shown - self.below)
            rate = max((border - goal) / self.width / left, 0.02)
            high = height(rate, crossed(self.width, self.spread))
            aim = border - 0.5 + high * self.spread
        file[self.surest[: np.searchsorted(wrong, aim)]] = -1.0
        if self.shown < math.inf:
            self.spread = self.joint.spread(file)

    def hear(self, file: Array, told: float) -> None:
        """Learn that a file is on one side of the border."""
        border = math.inf
        if self.shown < math.inf:
            border = self.n * (self.shown - self.below)
            border = math.ceil(border - 1e-6) - 0.5
        if told < self.shown - self.step / 4:
            low, high = self.rounds_to(told)
            self.joint.hear(file, low, min(high, border))
        else:
            self.joint.hear(file, border, math.inf)
        self.shown = min(self.shown, told)


class Tested(Scored):
    """Eve, where a Ladder shows exact losses that a test finds lower.

    To find a file better, the paired test asks for as many labels as the
    root of those public ones on which the two files differ. Each of her
    accounts, which have so many files, begins anew.
    """

    def __init__(
        self, start: Any, rng: np.random.Generator, each: int
    ) -> None:
        super().__init__(start, rng)
        self.shown, self.best = math.inf, np.zeros(0)  # loss, and file
        self.each = each

    def lift(self, file: Array, left: int, files: int) -> None:
        """Turn sure labels, to stand as far above the border as is best."""
        if left % self.each == self.each - 1:  # a fresh account
            self.shown = math.inf
        left, files = max(1, left % self.each), self.each
        wrong = self.raised(file)
        if self.shown == math.inf:
            aim = wrong[0] + LEFT + FALL * files
            file[self.surest[: np.searchsorted(wrong, aim)]] = -1.0
            return
        own, best = file[self.surest], self.best[self.surest]
        more = np.append(0, np.cumsum(np.where(own > 0, own * best, 0)))
        asked = np.sqrt(
            self.start.share * (np.sum(file != self.best) + more)
        )
        shown = self.n * self.shown
        rate = max((shown - wrong[0] - LEFT) / left, 0.5)
        high = height(rate, fallen(asked.min(), self.spread)) * self.spread
        enough = wrong - (shown - asked) >= high
        turned = np.argmax(enough) if enough.any() else self.surest.size
        file[self.surest[:turned]] = -1.0
        self.spread = self.joint.spread(file)

    def hear(self, file: Array, told: float) -> None:
        """Learn a loss, or that the test did not find it lower."""
        if told < self.shown:
            self.best, self.shown = file, told
            super().hear(file, told)
        else:
            apart = self.start.share * np.sum(file != self.best)
            border = self.n * self.shown - math.sqrt(apart)
            self.joint.hear(file, border, math.inf)


class Ranked(Scored):
    """Eve, where her place is shown among teams whose losses she knows.

    A file that passes a team has fewer labels wrong than that team, and
    not fewer than the next; one that passes none says that it does not.
    """

    def __init__(
        self, start: Any, rng: np.random.Generator, others: Array
    ) -> None:
        super().__init__(start, rng)
        self.others, self.rank = others, math.inf  # lowest first

    def lift(self, file: Array, left: int, files: int) -> None:
        """Turn sure labels, to stand as far above the next as is best."""
        wrong = self.raised(file)
        if self.rank == math.inf:
            aim = wrong[0] + PASSED * files
        else:
            least = self.others[max(int(self.rank) - 2, 0)]
            rate = max((least - wrong[0]) / left, 0.5)
            high = height(rate, fallen(1.0, self.spread)) * self.spread
            aim = least - 0.5 + high
        file[self.surest[: np.searchsorted(wrong, aim)]] = -1.0
        if self.rank < math.inf:
            self.spread = self.joint.spread(file)

    def hear(self, file: Array, told: float) -> None:
        """Learn between which teams a file is, or that it passes none."""
        rank = int(told)
        low = self.others[rank - 2] - 0.5 if rank > 1 else -0.5
        passed = rank < self.rank and rank <= self.others.size
        high = self.others[rank - 1] - 0.5 if passed else math.inf
        self.joint.hear(file, low, high)
        self.rank = min(self.rank, rank)


def sketch(
    guesses: int,
    least: float,
    most: float,
    rng: np.random.Generator,
    answers: int = 18,
    elsewhere: float = 9.4,
) -> Array:
    """Return how many labels each of two thousand Eves corrects.

    A form of the attack without a board: each file stands right at a border
    but for luck. A guess is right with a chance between `least` and `most`;
    errors elsewhere move a file by so many labels. An answer shifts the log
    odds of each guess, up or down, by 0.8 over the labels by which luck
    moves a file.
    """
    size = 2000, guesses
    p = rng.uniform(least, most, size)
    right = 2 * (rng.random(size) < p) - 1
    odds = np.log(p / (1 - p))
    spread = math.hypot(guesses**0.5 / 2, elsewhere)
    for _ in range(answers):
        coin = rng.choice([-1, 1], size)
        luck = (coin * right).sum(1) / 2
        luck += rng.normal(0, elsewhere, len(luck))
        moved = np.sign(luck)[:, None]
        odds += 0.8 / spread * moved * coin
    gained: Array = -right.sum(1, where=odds < 0)
    return gained
