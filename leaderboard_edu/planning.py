"""Plan a board: which mechanism, what it promises, what an attack does to it, and what honest teams pay."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from leaderboard_edu._plan_words import BY_TEAMS, fill, rounded, share_down, things, up, whole
from leaderboard_edu._validation import one_of, rational, whole_number
from leaderboard_edu.bounds import boosting_accuracy, tree_deviation
from leaderboard_edu.metrics import METRICS, Metric

__all__ = ["BoardChoice", "BoardPlan", "plan_board"]

PLACES = 3  # of a board that counts all answers together
LITTLE = 0.25  # a rule of thumb: a promise of this or more says little, and silence is recommended
SPLIT = Fraction(1, 10)  # share of labels of which exactly one of two files is right, when an improvement is looked for
GAINS = (Fraction(1, 200), Fraction(1, 100), Fraction(1, 50))  # true improvements of the loss
# All files together, and all changes of all labels, stay below 2**53, as on the page.
MOST_LABELS, MOST_TEAMS, MOST_SUBMISSIONS, MOST_CLASSES = 10**9, 10**6, 10**9, 10**6


@dataclass(frozen=True)
class BoardChoice:
    """A board that could be run.

    Attributes
    ----------
    way : {"end", "exact", "team", "all", "places", "every", "sealed"}
        As `BoardPlan.mechanism`, or every loss shown to everybody, or the same with half of the labels, and at the end
        one file of each team is scored on the other half, or every file if accounts are open.
    eta : Fraction or None
        The step with the smallest promise.
    error : float or None
        The promise, None if there is none below one half.
    labels : int or None
        How many labels are enough for the goal of the plan.
    seen : float or None
        The probability that a true improvement of 1/100 is seen; None for other scores than right and wrong.

    Examples
    --------
    >>> [each.way for each in plan_board(4000, teams=10, submissions=20).choices]
    ['end', 'team', 'all', 'places', 'every', 'sealed']
    """

    way: str
    eta: Fraction | None
    error: float | None
    labels: int | None
    seen: float | None


@dataclass(frozen=True)
class BoardPlan:
    """How to run a board, and what holds of it.

    Print it, or show it in a notebook, for the whole answer in words.

    Attributes
    ----------
    n, teams, submissions : int
        The number of holdout labels, of teams, and of files of each team.
    metric : {"zero_one", "mean_loss", "auc", "other"}
        What is scored: right or wrong, an average of losses between 0 and 1, the area under the ROC curve, or anything
        else.
    classes : int
        The number of classes.
    positives : Fraction
        The share of labels that are positive, for "auc".
    scores : {"all", "team", "host"}
        Who sees them while the board runs.
    open_accounts : bool
        Whether participants can open accounts.
    confidence : Fraction
        The probability with which the guarantee holds.
    final : {"other", "half"}
        Which labels decide first place: others, or half of the n, which the board then does not score.
    mechanism : {"end", "exact", "team", "all", "places"}
        What to run: nothing before the end; exact losses of one file a team; a simplified Ladder for each team, told
        to the team alone, or to all; places of `TopBoard` with a simplified Ladder each.
    eta : Fraction or None
        The step of the simplified Ladders.
    places : int or None
        The number of places.
    guarantee : tuple of float and Fraction, or None
        The error of the recommended board, and the probability with which nothing that it shows is off by more. None
        if no theorem gives one below one half.
    remedies : mapping
        "way", "eta", "error": the best board of the kind that was asked for, and its promise if right and wrong are
        scored. It is the recommended one, but where it has no promise below 1/4 or the metric is another: then
        silence is recommended. "goal": an error that is smaller than the promise; "submissions": how many of each team
        are few enough for it, 0 if none are; "labels": how many are enough.
    choices : tuple of BoardChoice
        The boards that could be run with these accounts, whatever was asked for, those that answer only if right and
        wrong are scored; empty for other metrics.
    attack : mapping
        "files" that hear of each other if all losses are shown; "loss": what a file without knowledge, whose true
        loss is one half, then shows on average by flipping blocks, the simplest attack that uses whole answers, or 0
        if all labels are read, by `files` of at least `n`; for two classes, and None for another metric. "mended": at
        most how far anything gets on the recommended board.
    cost : mapping
        "smallest": the least improvement, in labels, that always shows; "seen": the probability that a true one of
        1/200, 1/100, 1/50 of the loss is seen. "moves": how many files can take one of the places, 0 if there are none.

    Examples
    --------
    >>> plan = plan_board(8397, teams=100, submissions=100, scores="team")
    >>> plan.mechanism, plan.eta, round(plan.guarantee[0], 4)
    ('team', Fraction(1, 27), 0.0844)
    """

    n: int
    teams: int
    submissions: int
    metric: str
    classes: int
    scores: str
    open_accounts: bool
    confidence: Fraction
    final: str
    positives: Fraction
    mechanism: str
    eta: Fraction | None
    places: int | None
    guarantee: tuple[float, Fraction] | None
    remedies: Mapping[str, Any] = field(hash=False)
    choices: tuple[BoardChoice, ...]
    attack: Mapping[str, Any] = field(hash=False)
    cost: Mapping[str, Any] = field(hash=False)

    @property
    def scored(self) -> int:
        """How many labels the board scores: all, or half where the others are sealed and it is not silent."""
        return self.n if self.mechanism == "end" else self._sizes().scored("every")

    @property
    def recommendation(self) -> str:
        """What to do, in two sentences."""
        return self._say(f"recommend_{self._advice()}")

    @property
    def rule(self) -> str:
        """The sentences for the rules of the board."""
        return self._say(f"rule_{self.mechanism}")

    @property
    def code(self) -> str:
        """Lines to paste: they take `labels` and define ``submit(team, file)``, on a silent board also `publish`."""
        way = "metric" if self.mechanism == "end" and self.metric != "zero_one" else self.mechanism
        sizes = {"files": self.teams * self.submissions, "teams": self.teams, "each": self.submissions}
        limits = fill(
            "limits_open" if self.open_accounts else "limits_closed",
            {f"limit_{name}": str(size) for name, size in sizes.items()},
        )
        texts = {"limits": limits, "scorer": "", "halve": "", "final": "", "file": fill("whole_file", {})}
        if self.metric != "zero_one":
            texts["scorer"] = fill(f"scorer_{self.metric}", {})
        if self.scored < self.n:
            texts |= {"halve": fill("halve", {}), "final": fill("final", {}), "file": fill("half_file", {})}
        return self._say(f"code_{way}", **texts)

    def sections(self) -> dict[str, list[str]]:
        """Return the answer in words: sentences by heading."""
        return {
            "What to do": [self.recommendation],
            "What is guaranteed": [self._held(), *self._would_hold()],
            "What a known attack does": self._attacked(),
            "What it costs honest teams": self._costs(),
            "The rule to print": [self.rule],
        }

    def table(self) -> list[list[str]]:
        """Return the choices as rows of texts, the heads first, the recommended board marked."""
        rows = [self._say("head").split("|")]
        for each in self.choices:
            mark = " ←" * (self.guarantee is not None and each.way == self.mechanism)
            blind = each.error is None and each.eta is not None
            rows.append(
                [
                    self._say(f"choice_{each.way}") + mark,
                    "–" if each.eta is None or blind else str(each.eta),
                    self._say("nothing") if each.error is None else up(each.error),
                    "–" if each.labels is None else whole(each.labels),
                    "–" if blind or each.seen is None else share_down(each.seen),
                ]
            )
        return rows if self.choices else []

    def __str__(self) -> str:
        blocks = [f"{title}\n" + "\n".join(f"  {line}" for line in lines) for title, lines in self.sections().items()]
        rows = self.table()
        blocks += ["What else you could run"] if rows else []
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for first, *others in rows:
            numbers = zip(others, widths[1:], strict=True)
            blocks.append(f"  {first:{widths[0]}}" + "".join(f"  {text:>{width}}" for text, width in numbers))
        blocks += [f"  {self._say('note')}"] if self._splits() else []
        return "\n".join([*blocks, "The code to paste", *(f"  {line}" for line in self.code.splitlines())])

    def _repr_html_(self) -> str:
        parts = []
        for title, (first, *others) in self.sections().items():
            more = f"<ul>{''.join(f'<li>{line}</li>' for line in others)}</ul>" if others else ""
            parts.append(f"<section><h3>{title}</h3><p>{first}</p>{more}</section>")
        if rows := self.table():
            head, *body = ["".join(f"<td>{text}</td>" for text in row) for row in rows]
            lines = "".join(f"<tr>{row}</tr>" for row in body)
            note = f"<p>{self._say('note')}</p>" if self._splits() else ""
            table = f"<table><thead><tr>{head.replace('td>', 'th>')}</tr></thead><tbody>{lines}</tbody></table>"
            parts.append(f"<section><h3>What else you could run</h3>{table}{note}</section>")
        return "".join(parts) + f"<section><h3>The code to paste</h3><pre>{self.code}</pre></section>"

    def _splits(self) -> bool:
        """Say whether half of the labels could be sealed."""
        return bool(self.choices) and self.choices[-1].way == "sealed"

    def _advice(self) -> str:
        if self.guarantee is None:
            return "other" if self.metric == "other" else "labels"
        if self.mechanism == self.remedies["way"]:
            return self.mechanism
        return "silence" if self.metric == "zero_one" else "metric"

    def _say(self, word: str, **texts: str) -> str:
        """Return a sentence with the numbers of the plan."""
        goal, confidence = str(self.remedies["goal"]), f"{float(100 * self.confidence):.12g}"
        known = {
            "n": things(self.scored, "label"),
            "sealed": things(self.n - self.scored, "label"),
            "each": things(self.submissions, "file"),
            "submissions": f"{self.submissions:,}",
            "files": things(self.teams * self.submissions, "file"),
            "eta": str(self.remedies["eta"]),
            "places": str(PLACES),
            "confidence": confidence,
            "goal": goal,
            "positives": f"{float(100 * self.positives):.12g}",
            "teams": things(self.teams, "team"),
            "classes": f"{self.classes:,}",
            "score": {"auc": "AUC", "other": "score"}.get(self.metric, "loss"),
        }
        known |= {name: fill(f"{name}_{'one' if self.teams == 1 else 'many'}", known) for name in BY_TEAMS}
        known["sources"] = fill("from_anybody" if self.open_accounts else "from_teams", known)
        known["which"] = fill("its_error" if self._advice() != "silence" else "an_answer", known)
        known |= {name: fill(name, known) if self.open_accounts else "" for name in ("daily", "crowd", "however")}
        known["named"] = "" if self.open_accounts else fill("named", {})
        known["share"] = fill("share", known) if self.metric == "auc" else ""
        known |= {name: fill(name, known) for name in ("surely", "first_place", "split")}
        error = self.remedies["error"]
        known["asked"] = fill("asked_none" if error is None else "asked_little", known | {"error": up(error or 1)})
        known["ladder"] = fill("ladder_none" if error is None else "ladder_some", known | {"error": up(error or 1)})
        return fill(word, known | texts)

    def _held(self) -> str:
        if self.guarantee is None:
            return self._say("hold_metric" if self.metric == "other" else "hold_none")
        error = self.guarantee[0]
        return self._say(f"hold_{self.mechanism}", error=up(error), twice=up(2 * error))

    def _sizes(self) -> _Sizes:
        delta, half = float(1 - self.confidence), self.final == "half"
        return _Sizes(self.n, self.teams, self.submissions, delta, half=half)

    def _would_hold(self) -> list[str]:
        """Say what would hold with fewer files and more labels, and what decides first place."""
        way, error = (self.remedies[each] for each in ("way", "error"))
        said = [self._say("crowded")] if self.open_accounts and self.scores == "team" else []
        if self.guarantee and self.mechanism == "end" and self.guarantee[0] >= LITTLE:
            said += [self._say("little", error=up(self.guarantee[0]))]
        if self.metric == "zero_one" or (self.metric != "other" and way == "end"):
            said += [*self._fewer(), self._more()]
        elif self.metric == "other" and way != "end":
            said += [
                self._say("right_or_wrong_none", labels=whole(self.remedies["labels"]))
                if error is None
                else self._say("right_or_wrong", would=self._say(f"would_{way}"), error=up(error))
            ]
        return said if self.mechanism == "end" else [*said, self._sealed()]

    def _sealed(self) -> str:
        if self.final == "other":
            return self._say("sealed_other")
        final = replace(self._sizes(), n=self.n - self.scored)
        final = final if self.open_accounts else replace(final, submissions=1)
        finals = self._say("finals_open" if self.open_accounts else "finals_closed")
        return self._say("sealed_half", finals=finals, error=up(min(final.promise("end"), 1)))

    def _fewer(self) -> list[str]:
        few = self.remedies["submissions"]
        if not few:
            return []
        word, fewer = ("fewer_files", few * self.teams) if self.open_accounts else ("fewer", few)
        return [self._say(word, fewer=things(fewer, "file"))]

    def _more(self) -> str:
        both = fill("both", {}) if self.final == "half" and self.remedies["way"] != "end" else ""
        return self._say("labels", labels=whole(self.remedies["labels"]), both=both, count=f"{self.n:,}")

    def _attacked(self) -> list[str]:
        if self.attack["loss"] is None:
            said = [self._say("attack_metric")]
        else:
            word = "attack_two" if self.classes == 2 else "attack_more"
            labels = self._sizes().scored("every")
            heard, needed = things(self.attack["files"], "file"), f"{labels * (self.classes - 1):,}"
            shown = self._say("shown_all" if self.open_accounts or self.scores == "all" else "shown_own")
            texts = {"needed": needed, "heard": heard, "shown": shown, "loss": rounded(self.attack["loss"])}
            reads = self.attack["files"] >= labels * (self.classes - 1)
            said = [self._say("attack_reads" if reads else word, **texts)]
        mended = self.attack["mended"]
        if mended is None or self.mechanism == "end":
            return [*said, self._say("attack_silent")]
        return [*said, self._say("attack_mended", error=up(mended))]

    def _costs(self) -> list[str]:
        if self.metric != "zero_one":
            return [self._say("cost_metric")]
        smallest, moves = self.cost["smallest"], f"{self.cost['moves']:,}"
        kind = {"team": "steps", "all": "steps"}.get(self.mechanism, self.mechanism)
        share = up(smallest / self.scored * (1 - 1e-12))
        first, second, third = map(share_down, self.cost["seen"])
        seen = self._say(f"seen_{kind}", seen_1=first, seen_2=second, seen_3=third)
        return [self._say(f"cost_{kind}", smallest=f"{smallest:,}", share=share, moves=moves), seen]


def plan_board(
    n: int,
    *,
    teams: int,
    submissions: int,
    metric: str | Metric = "zero_one",
    classes: int = 2,
    positives: str | Fraction | float = "1/2",
    scores: str = "all",
    open_accounts: bool = False,
    confidence: str | Fraction | float = "95/100",
    final: str = "other",
) -> BoardPlan:
    """Say how to run a board: the mechanism and its parameters, its promise, and what both cost.

    Parameters
    ----------
    n : int
        The number of holdout labels, independent draws, at most 10**9.
    teams : int
        The number of teams, at most 10**6.
    submissions : int
        The number of files of each team, at most 10**9.
    metric : str or Metric
        "zero_one" for the share of wrong labels; "mean_loss" for another average of losses between 0 and 1; "auc" for
        the area under the ROC curve; "other" for the rest, such as correlations and squared errors, or the name of one
        of them in `METRICS`.
    classes : int
        The number of classes, from 2 to 10**6. Only right and wrong matter to the theorems; the exact law of the
        attack is that for two classes.
    positives : str, Fraction or float
        The share of labels that are positive, strictly between 0 and 1; it matters to "auc" alone.
    scores : {"all", "team", "host"}
        Who sees them while the board runs: all, each team its own, nobody but the host.
    open_accounts : bool
        Whether participants can open accounts. Then an account is worth one file, and only the number of all files,
        ``teams * submissions``, can be limited.
    confidence : str, Fraction or float
        The probability with which the guarantee shall hold, strictly between 0 and 1.
    final : {"other", "half"}
        Which labels decide first place: "other" than these n, or "half" of these n, so that a board that answers scores
        ``n // 2``. A silent board scores all of them.

    Returns
    -------
    BoardPlan

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    Write delta for 1 - confidence, and F for all files. The mechanism with the smallest promise is taken among those
    that the board allows, the first if equal. A promise of one half or more is none.

    *end* (scores are for the host). Files do not depend on answers. By Hoeffding's inequality and the union bound all
    F losses are within sqrt(ln(2 F / delta) / (2 n)) of the true ones, for every loss between 0 and 1. *exact* (one
    file of each team, and the team alone hears its loss, or one file in all) is the same.

    *team* (own scores, closed accounts). Each team is an analyst with a tree of its own, and fails with probability
    delta / teams: the promise is 1/(2m) + `tree_deviation` for the simplified Ladder, with the step 1/m that makes it
    smallest. The Ladder never promises less. With m >= 2 steps it promises 1/m + sqrt(ln(2 T / delta) / (2 n)), and its
    tree has T = 2 C(k+m-1, m) - C(k+m-2, m-1) >= C(k+m-1, m) nodes. The simplified Ladder with h = ceil(m/2) steps has
    C(k+h, h+1) nodes, no more than these, as C(k-1+j, j) grows with j and h + 1 <= m; and 1/(2h) <= 1/m. With m = 1 the
    Ladder's promise is above 1.

    *all* (public scores, closed accounts). All teams are one analyst with as many accounts as teams and F files.

    *A promise of 1/4 or more* says little, as a rule of thumb; then silence is recommended.

    *places*. A board with a simplified Ladder for each of three places is an analyst with three accounts and F files,
    whoever submits, from however many accounts. With open accounts, a Ladder for each account would have the promise
    for F accounts, which is never smaller.

    All of this holds for every average of losses between 0 and 1, and for the area under the ROC curve with n r in
    place of n, for a share r of at most one half of positives or negatives, given the labels: the area is a mean, over
    all ways to pair them, of a mean over n r independent pairs, so Hoeffding's bound for that many holds. But a Ladder
    for them is not in this library: if the board is to answer, silence is recommended. For other metrics there is no
    theorem here.

    *The least improvement that always shows.* A simplified Ladder hides an improvement if old and new count of wrong
    labels round to the same level. The longest run of counts with one level has as many counts as labels must be
    gained. Of the m - 1 inner levels each has floor(n/m) or ceil(n/m) counts, so the longest has the mean of their
    counts, rounded up; those at the ends are no longer, but for m = 1, where they are all.

    *The probability that a gain g is seen.* On each label the new file alone is right with probability (1/10 + g)/2,
    the old one alone with (1/10 - g)/2. The number D of labels gained is taken as normal. The old loss is anywhere
    within its step with equal probability, so D labels are seen with probability D m/n, at least 0 and at most 1. With
    exact losses D >= 1 is seen, a tie is not, and D counts as continuous from 1/2.

    References
    ----------
    W. Zheng, Toward a Better Understanding of Leaderboard, 2015, section 4, corrected; A. Blum and M. Hardt, The
    Ladder, 2015, section 2.1; for the area under the ROC curve W. Hoeffding, Probability inequalities for sums of
    bounded random variables, 1963, section 5.

    Examples
    --------
    >>> plan = plan_board(1000, teams=100, submissions=100)
    >>> [(each.way, each.labels) for each in plan.choices if each.labels]
    [('end', 645), ('team', 5437), ('all', 480659), ('places', 32754), ('sealed', 830)]
    >>> plan_board(10_000, teams=50, submissions=20).recommendation  # doctest: +ELLIPSIS
    'Show only the 3 smallest losses, rounded to steps of 1/14, with their teams: ...'
    """
    n = _number_of_labels(n)
    teams = whole_number(teams, "teams", most=MOST_TEAMS)
    submissions = whole_number(submissions, "submissions", most=MOST_SUBMISSIONS)
    metric = _metric(metric)
    classes = whole_number(classes, "classes", least=2, most=MOST_CLASSES)
    one_of(scores, "scores", ("all", "team", "host"))
    if not isinstance(open_accounts, bool):
        raise ValueError(f"open_accounts must be True or False, got {open_accounts!r}")
    one_of(final, "final", ("other", "half"))
    if final == "half" and n == 1:
        raise ValueError("n must be at least 2 if half of the labels are sealed, got 1")
    sure = rational(confidence, "confidence")
    if not 1e-100 < float(1 - sure) < 1:
        raise ValueError(f"confidence must be strictly between 0 and 1, such as '95/100', got {confidence!r}")

    share = rational(positives, "positives")
    if not 0 < share < 1:
        raise ValueError(f"positives must be strictly between 0 and 1, such as '1/2', got {positives!r}")

    weight = float(min(share, 1 - share)) if metric == "auc" else 1.0
    sizes = _Sizes(n, teams, submissions, float(1 - sure), weight, half=final == "half")
    found = {way: sizes.best(way) for way in _allowed(sizes, scores, open_accounts)}
    way = min(found, key=lambda each: found[each][0])  # the first of equal ones
    if way == "exact" and metric != "zero_one":
        way = "end"
    covered = metric == "zero_one" or (metric != "other" and way == "end")
    promise, silent = _below_half(sizes.promise(way)), _below_half(sizes.promise("end"))
    remedies = _remedies(sizes, way, promise, covered=covered)
    choices = _choices(sizes, remedies["goal"], metric, open_accounts) if metric != "other" else ()
    m = remedies["eta"] and remedies["eta"].denominator
    if not covered or promise is None or (m and promise >= LITTLE):
        way, m, promise = "end", None, silent if metric != "other" else None
    moves = min(sizes.files, PLACES * (m + 1)) if way == "places" and m else 0
    scored = sizes.scored(way)
    seen = tuple(_seen(float(gain), scored, m) for gain in GAINS)
    cost = {"smallest": _smallest(scored, m), "seen": seen, "moves": moves}
    return BoardPlan(
        n=n,
        teams=teams,
        submissions=submissions,
        metric=metric,
        classes=classes,
        scores=scores,
        open_accounts=open_accounts,
        confidence=sure,
        final=final,
        positives=share,
        mechanism=way,
        eta=m and Fraction(1, m),
        places=PLACES if way == "places" else None,
        guarantee=None if promise is None else (promise, sure),
        remedies=MappingProxyType(remedies),
        choices=choices,
        attack=MappingProxyType(_attack(sizes, metric, classes, scores, open_accounts) | {"mended": promise}),
        cost=MappingProxyType(cost if metric == "zero_one" else dict.fromkeys(cost)),
    )


def _number_of_labels(n: Any) -> int:
    """Return n, and refuse the labels themselves."""
    if getattr(n, "shape", None) or (isinstance(n, Sequence) and not isinstance(n, str)):
        raise ValueError(f"n must be the number of labels: len(labels), got {type(n).__name__} of {len(n):,} entries")
    return whole_number(n, "n", most=MOST_LABELS)


def _metric(metric: Any) -> str:
    """Return which of the four kinds a metric is."""
    name = metric.name if isinstance(metric, Metric) else metric
    if isinstance(metric, Metric) and name not in ("zero_one", "roc_auc"):
        return "other"
    others = [each for each in METRICS if each != "zero_one"]
    one_of(name, "metric", ("zero_one", "mean_loss", "auc", "other", "roc_auc", *others))
    return {"roc_auc": "auc"}.get(name, "other" if name in others else str(name))


def _allowed(sizes: _Sizes, scores: str, open_accounts: bool) -> tuple[str, ...]:
    """Return what a board can run that scores right and wrong, best feedback first."""
    if scores == "host":
        return ("end",)
    if sizes.files == 1 or (sizes.submissions == 1 and scores == "team" and not open_accounts):
        return ("exact",)
    if open_accounts:
        return ("places",)
    if scores == "team":
        return ("team",)
    return ("all",) if sizes.teams <= PLACES else ("all", "places")  # fewer accounts have no more stories


def _below_half(error: float) -> float | None:
    """Return a promise that is one."""
    return error if error < 0.5 else None


def _remedies(sizes: _Sizes, way: str, promise: float | None, *, covered: bool) -> dict[str, Any]:
    """Return the board as it was asked for, and what would hold with more labels and fewer files."""
    goal, m = _goal(promise if covered else None), sizes.best(way)[1]
    return {
        "way": way,
        "eta": m and Fraction(1, m),
        "error": promise,
        "goal": goal,
        "labels": sizes.labels(way, goal),
        "submissions": sizes.few_enough(way, goal),
    }


def _choices(sizes: _Sizes, goal: Fraction, metric: str, open_accounts: bool) -> tuple[BoardChoice, ...]:
    """Return what can be run with these accounts, every loss shown, and that with half of the labels sealed."""
    own = "exact" if sizes.submissions == 1 else "team"
    closed = [own, *["all"] * (sizes.teams > 1)]
    ways = ["end", *([] if open_accounts else closed), *["places"] * (open_accounts or sizes.teams > PLACES)]
    if metric != "zero_one":
        ways = ["end"]  # the library has no Ladder for it

    def seen(n: int, m: int | None) -> float | None:
        return _seen(float(GAINS[1]), n, m) if metric == "zero_one" else None

    found = []
    for way in ways:
        m, error = sizes.best(way)[1], _below_half(sizes.promise(way))
        eta = None if m is None else Fraction(1, m)
        found.append(BoardChoice(way, eta, error, sizes.labels(way, goal), seen(sizes.scored(way), m)))
    if not sizes.half:  # else it is the last row
        found.append(BoardChoice("every", None, None, None, seen(sizes.n, None)))
    if sizes.n > 1:
        half = replace(sizes, n=sizes.n // 2, submissions=sizes.submissions if open_accounts else 1)
        error, labels = _below_half(half.promise("end")), 2 * half.labels("end", goal)
        found.append(BoardChoice("sealed", None, error, labels, seen(half.n, None)))
    return tuple(found)


def _goal(promise: float | None) -> Fraction:
    """Return the first of 1/10, 1/20, 1/50, 1/100, … that is smaller than the promise."""
    goal, factors = 10, 0
    while promise is not None and 1 / goal >= promise:
        goal, factors = (goal * 5 // 2 if factors % 3 == 1 else goal * 2), factors + 1
    return Fraction(1, goal)


@dataclass(frozen=True)
class _Sizes:
    """The numbers of a board, and what each way to run it promises."""

    n: int
    teams: int
    submissions: int
    delta: float
    weight: float = 1.0  # how many independent terms of the score there are for a label
    half: bool = False  # whether a board that answers scores half of the labels

    @property
    def files(self) -> int:
        return self.teams * self.submissions

    def scored(self, way: str) -> int:
        """Return how many labels a board scores."""
        return self.n // 2 if self.half and way != "end" else self.n

    def tree(self, way: str) -> tuple[int, int, float]:
        """Return the submissions and the accounts of one analyst, and the probability with which it may fail."""
        if way == "team":
            return self.submissions, 1, self.delta / self.teams
        return self.files, PLACES if way == "places" else self.teams, self.delta

    def best(self, way: str) -> tuple[float, int | None]:
        """Return the smallest promise, and the number of steps that gives it if there are steps."""
        n = self.scored(way)
        if way in ("end", "exact"):
            return math.sqrt(math.log(2 * self.files / self.delta) / (2 * n * self.weight)), None
        k, accounts, delta = self.tree(way)

        def error(m: int, count: int | None = None) -> float:
            log_nodes = _log_nodes(m, k, accounts)
            nodes = min(log_nodes) if count is None else log_nodes[count]
            return 1 / (2 * m) + math.sqrt((nodes + math.log(2 / delta)) / (2 * n * self.weight))

        counts = (0,) if accounts == 1 else (0, 1)
        m = min((_bottom(error, n, count) for count in counts), key=error)
        return error(m), m

    def promise(self, way: str) -> float:
        """Return the smallest promise, its deviation from `tree_deviation`."""
        error, m = self.best(way)
        if m is None:
            return error
        k, accounts, delta = self.tree(way)
        n, eta = self.scored(way), Fraction(1, m)
        deviation = tree_deviation("simplified", eta=eta, n=n, k=k, accounts=accounts, delta=delta)
        return 1 / (2 * m) + deviation / math.sqrt(self.weight)

    def labels(self, way: str, goal: Fraction) -> int:
        """Return the smallest n whose smallest promise is at most `goal`.

        The smallest promise falls with n: that of each step does, and there are more steps. With the step 1/m, enough
        are ln(2 T / delta) / (2 (goal - 1/(2m))**2). That the promise and this number fall and then rise as functions
        of m is not proved: tests compare with all steps on small boards. Elsewhere a promise holds in any case, but may
        not be the smallest.
        """
        twice = 2 if self.half and way != "end" else 1
        if way in ("end", "exact"):
            return twice * math.ceil(math.log(2 * self.files / self.delta) * goal.denominator**2 / (2 * self.weight))
        k, accounts, delta = self.tree(way)
        least, g = goal.denominator // 2 + 1, float(goal)

        def needed(m: int, count: int) -> float:
            log_nodes = _log_nodes(m, k, accounts)[count]
            return (log_nodes + math.log(2 / delta)) / (2 * self.weight * (g - 1 / (2 * m)) ** 2)

        counts = (0,) if accounts == 1 else (0, 1)
        most = 1000 * goal.denominator
        return twice * min(math.ceil(needed(_bottom(needed, most, count, least), count)) for count in counts)

    def few_enough(self, way: str, goal: Fraction) -> int:
        """Return how many submissions of each team keep the promise at `goal`, 0 if one does not."""
        enough, too_many = 0, self.submissions + 1
        while too_many - enough > 1:
            middle = (enough + too_many) // 2
            fewer = replace(self, submissions=middle)
            enough, too_many = (middle, too_many) if fewer.best(way)[0] <= float(goal) else (enough, middle)
        return enough


def _bottom(error: Any, most: int, count: int, least: int = 1) -> int:
    """Return the first m from `least` on after which the error no longer falls, found by halving."""
    low, high = least, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if error(middle + 1, count) >= error(middle, count) else (middle + 1, high)
    return low


def _log_nodes(m: int, k: int, accounts: int) -> tuple[float, ...]:
    """Return ln of both counts in `tree_size` for simplified Ladders, of the first for one account.

    In floating point, for the search of m. The page computes the same.
    """
    drops = min(accounts, k) * m
    first = _log_binomial(k - 1, drops + 1)
    if accounts == 1:
        return (first,)
    children = k * math.log(m + 1)
    return first, children + math.log1p(-math.exp(-children)) - math.log(m)


def _log_binomial(a: int, b: int) -> float:
    """Return ln C(a + b, a): all terms but the small ones are positive, so nothing is lost where they are large."""
    if a == 0 or b == 0:
        return 0.0
    bulk = a * math.log1p(b / a) + b * math.log1p(a / b)
    return bulk + math.log((1 / a + 1 / b) / (2 * math.pi)) / 2 + _stirling(a + b) - _stirling(a) - _stirling(b)


def _stirling(x: int) -> float:
    """Return ln x! less Stirling's formula: its series, or where that is poor what is left of the factorial."""
    if x < 16:
        return math.log(math.factorial(x)) - (x + 0.5) * math.log(x) + x - math.log(2 * math.pi) / 2
    square = x * x
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / x


def _attack(sizes: _Sizes, metric: str, classes: int, scores: str, open_accounts: bool) -> dict[str, Any]:
    """Return what flipping blocks does to exact losses: for one account, or for all that hear of each other."""
    files = sizes.files if open_accounts or scores == "all" else sizes.submissions
    if metric != "zero_one":
        return {"files": files, "loss": None}
    n = sizes.scored("every")
    reads = files >= n * (classes - 1)
    return {"files": files, "loss": 0.0 if reads else _block_loss(n, min(files, n))}


def _block_loss(n: int, k: int) -> float:
    """Return the mean loss of the better sides of k blocks: of b labels, one file tells as much as of a board of b."""
    size, longer = divmod(n, k)
    right = (k - longer) * size * boosting_accuracy(n=size, k=1)
    if longer:
        right += longer * (size + 1) * boosting_accuracy(n=size + 1, k=1)
    return 1 - right / n


def _smallest(n: int, m: int | None) -> int:
    """Return the least number of labels by which an improvement always shows."""
    if m is None:
        return 1
    if m == 1:
        return n // 2 + 1
    inner = -(-(2 * m - 1) * n // (2 * m)) + -n // (2 * m)
    return -(-inner // (m - 1))


def _seen(gain: float, n: int, m: int | None) -> float:
    """Return the probability that a true improvement shows."""
    spread = math.sqrt((float(SPLIT) - gain * gain) / n)
    if m is None:
        return _normal((gain - 0.5 / n) / spread)
    mean, spread = gain * m, spread * m
    low, high = -mean / spread, (1 - mean) / spread
    inside = mean * (_normal(high) - _normal(low)) + spread * (_density(low) - _density(high))
    return inside + _normal(-high)


def _normal(x: float) -> float:
    """Return the standard normal distribution function."""
    return math.erfc(-x / math.sqrt(2)) / 2


def _density(x: float) -> float:
    """Return the standard normal density."""
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
