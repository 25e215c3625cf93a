"""Simulated contests: honest teams whose files resemble each other as those of models do, and attackers among them."""

import numpy as np

import leaderboard_edu as le

FEATURES = 20


class Contest:
    """Rows with features, labels that depend on them, and a log in the making; half of the rows are scored."""

    def __init__(self, seed, rows=3000):
        self.rng = np.random.default_rng(seed)
        self.features = self.rng.normal(size=(rows, FEATURES))
        self.truth = self.rng.normal(size=FEATURES)
        self.labels = (self.features @ self.truth + 2 * self.rng.normal(size=rows) > 0).astype(int)
        self.public = np.arange(rows) < rows // 2
        self.sent = []

    def send(self, team, file):
        """Add a file, and return its loss on the scored rows."""
        self.sent.append((team, np.array(file)))
        return float(np.mean(np.asarray(file)[self.public] != self.labels[self.public]))

    def log(self):
        """Return the log."""
        times = [f"2027-01-01T{i // 3600:02}:{i // 60 % 60:02}:{i % 60:02}" for i in range(len(self.sent))]
        return le.SubmissionLog(
            teams=[team for team, _ in self.sent], times=times, predictions=np.array([file for _, file in self.sent])
        )

    def audit(self):
        """Audit it."""
        return le.audit(self.labels, self.log(), self.public)

    def model(self, skill=3.0, noise=0.0):
        """Return the scores of a model: wrong weights, and what a forest adds by its seed."""
        weights = self.truth + self.rng.normal(size=FEATURES) / skill
        return self.features @ weights + noise * self.rng.normal(size=len(self.features))

    def attack(self, team, attack, base=None, unsure=None, **options):
        """Play an attack of the library on the labels of which a model is least sure, and send what it finds."""
        scores = self.model(6.0) if base is None else base
        places = np.argsort(np.abs(scores))[:unsure]
        file = (scores > 0).astype(int)

        def flipped(flips):
            trial = file.copy()
            trial[places] = np.asarray(flips) if unsure is None else file[places] ^ np.asarray(flips)
            return trial

        def submit(*asked):
            name = f"{team} {0 if len(asked) == 1 else asked[0]}" if "accounts" in options else team
            return self.send(name, flipped(asked[-1]))

        scale = 0.0
        if unsure:  # what flips have on average, as one half of all labels is not
            scale = (submit(np.zeros(unsure, dtype=int)) + submit(np.ones(unsure, dtype=int))) / 2 - 0.5
        centred = lambda *asked: submit(*asked) - scale  # noqa: E731
        found = attack(centred, n=places.size, rng=self.rng, **options)
        self.send(f"{team} 0" if "accounts" in options else team, flipped(found.predictions))


def climb(contest, team, files):
    """Change a little, keep what the board likes."""
    best = contest.truth + contest.rng.normal(size=FEATURES) / 3
    lowest = np.inf
    for _ in range(files):
        trial = best + 0.2 * contest.rng.normal(size=FEATURES)
        loss = contest.send(team, contest.features @ trial > 0)
        if loss < lowest:
            best, lowest = trial, loss


def thresholds(contest, team, files):
    """Move the threshold of one model."""
    scores = contest.model()
    for cut in contest.rng.uniform(-1.5, 1.5, files):
        contest.send(team, scores > cut)


def forests(contest, team, files):
    """Send one model with other seeds."""
    scores = contest.model()
    for _ in range(files):
        contest.send(team, scores + contest.rng.normal(size=scores.size) > 0)


def blend(contest, team, files):
    """Collect models, then send means and majority votes of some of them."""
    shelf = [contest.model(2.0, 0.5) for _ in range(5)]
    for scores in shelf:
        contest.send(team, scores > 0)
    for i in range(files - 5):
        chosen = np.array(shelf)[contest.rng.random(5) < 0.6]
        if len(chosen):
            contest.send(team, (chosen.mean(axis=0) if i % 2 else np.sign(chosen).mean(axis=0)) > 0)


def weak(contest, team, files):
    """Send one poor model after the other."""
    for _ in range(files):
        contest.send(team, contest.model(0.3, 1.0) > 0)


HONEST = (climb, thresholds, forests, blend, weak)


def honest_contest(seed, rows=3000, teams=20, files=30):
    """Return a contest of honest teams of all kinds, and of visitors."""
    contest = Contest(seed, rows)
    for i in range(teams):
        HONEST[i % len(HONEST)](contest, f"team {i}", files)
    for i in range(teams):
        contest.send(f"visitor {i}", contest.model() > 0)
    return contest
