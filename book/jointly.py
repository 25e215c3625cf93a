"""An attack from few files that weighs all answers of a Ladder together.

The wrong public labels of all files that were sent are jointly normal, by
what the model says, which labels files share, and a sample of 3 in 10. Each
answer is an interval: at or above the border, or below it and inside what
rounds to the loss that is shown. Expectation propagation finds what all of
them say together: old answers are judged again by what later ones tell.
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

    def __init__(self, sure: Array) -> None:
        self.sure, self.size = sure, sure.size
        self.var = SHARE - SHARE**2  # of being public
        self.same = SHARE - SHARE**2 * sure**2
        self.files = np.zeros((0, sure.size), np.float32)
        self.mean, self.inner, self.slope = (np.zeros(0) for _ in range(3))
        self.low, self.high = np.zeros(0), np.zeros(0)
        self.tau, self.nu, self.weights = (np.zeros(0) for _ in range(3))
        self.cov, self.gram = np.zeros((0, 0)), np.zeros((0, 0))

    def moments(
        self, file: Array
    ) -> tuple[float, float, float, Any, Array]:
        """Return the mean, its parts, variance, and covariances."""
        mean = SHARE * float(np.sum(0.5 - 0.5 * self.sure * file))
        inner = float(self.sure @ file)
        slope = -0.5 * SHARE * inner * FACTOR
        v, n = self.var, self.size
        var = 0.25 * (v * (n - 2 * inner) + self.same.sum())
        var += slope**2 - v * (mean / SHARE) ** 2 / n  # 3 in 10, exactly
        cross = self.files @ (self.same * file).astype(np.float32)
        cov = 0.25 * (v * (n - self.inner - inner) + cross)
        cov = cov + slope * self.slope
        cov = cov - v * (mean / SHARE) * (self.mean / SHARE) / n
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
        right = float(a @ self.mean) / SHARE
        each = 0.25 * (self.same * (a @ self.files) - v * s * a.sum())
        each = each - 0.5 * SHARE * s + v / n * 0.5 * s * right
        each = each - 0.5 * SHARE * s * FACTOR * float(a @ self.slope)
        rest = 0.25 * v * (n * float(a.sum()) - float(a @ self.inner))
        return each, SHARE * n / 2 - v / 2 * right + rest

    def odds(self) -> Array:
        """Return log odds that the model's labels are right, if public."""
        sure = self.sure * (1 + FACTOR * float(self.weights @ self.slope))
        sure = np.clip(sure, 0, 0.99)
        return 2 * np.arctanh(sure) - self.weights @ self.files

    def spread(self, file: Array) -> float:
        """Return by how much a file may be away from its mean."""
        *_, var, cov = self.moments(file)
        return math.sqrt(var - cov @ self.gram @ cov)


def height(rate: float, width: float, spread: float) -> float:
    """Return how far above a border to stay, in standard deviations.

    So that a file crosses so many borders on average.
    """

    def used(high: float) -> float:
        at = (0, width / 2, 1.5 * width, 2.5 * width)
        return sum(NORMAL.cdf(-x / spread - high) for x in at)

    low, high = 0.0, 4.0
    while used(low) > rate and high - low > 1e-6:
        middle = (low + high) / 2
        enough = used(middle) > rate
        low, high = (middle, high) if enough else (low, middle)
    return low


def listen_jointly(
    submit: Callable[[Array], float],
    start: Any,
    rng: np.random.Generator,
    step: float,
    below: float,
    files: int,
) -> Array:
    """Walk down; all answers together say what all guesses are worth.

    Coins fall on the labels that are most in doubt, fewer from file to
    file; all others are as believed so far. She begins up to 28 steps above
    the end, uses these evenly, and keeps one for the last file.
    """
    joint, size = Joint(start.sure.astype(float)), start.file.size
    n = round(SHARE * size)
    width, place = n * step, np.argsort(start.labels)
    shown, spread = math.inf, 14.0

    def send(file: Array) -> None:
        nonlocal shown
        told = submit(start.file ^ (file < 0).astype(start.file.dtype))
        low, high = n * (told - step / 2), n * (told + step / 2)
        if told < shown - step / 4:
            high = min(high, n * (shown - below))
        else:
            low, high = n * (shown - below), math.inf
        low, high = (
            end if end == math.inf else math.ceil(end - 1e-6) - 0.5
            for end in (low, high)
        )
        joint.hear(file, low, high)
        shown = min(shown, told)

    def believed() -> tuple[Array, Array]:
        odds = joint.odds()
        turned = (odds < 0) & (place < 2 * FIRST)
        return np.where(turned, -1.0, 1.0), odds

    surest = start.labels[::-1][: size - 2 * FIRST]
    for left in range(files - 1, 0, -1):
        file, odds = believed()
        many = round(LAST + (FIRST - LAST) * left / (files - 1))
        guessed = np.argsort(np.abs(odds))[:many]
        file[guessed] = rng.integers(0, 2, guessed.size) * 2.0 - 1
        each, rest = joint.effects()
        none = rest + float(each @ file)  # wrong, if nothing sure is turned
        aim = goal = none + SPARE * width
        if shown == math.inf:
            aim += min(0.57 * files, MOST) * width
        else:
            border = n * (shown - below)
            rate = max((border - goal) / width / left, 0.02)
            aim = border - 0.5 + height(rate, width, spread) * spread
        more = np.append(0, np.cumsum(-2 * each[surest]))
        more = np.maximum.accumulate(more)
        file[surest[: np.searchsorted(more, aim - none)]] = -1.0
        if shown < math.inf:
            spread = joint.spread(file)
        send(file)
    file = believed()[0]
    send(file)
    return start.file ^ (file < 0).astype(start.file.dtype)
