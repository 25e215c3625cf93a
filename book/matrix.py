"""The study behind the chapter that compares mechanisms: every attack.

Each contest has labels of its own, coin flips for classification, and for
regression a response that has nothing to do with the features. So what a
file gains on the board is worth nothing on fresh labels.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import compress
from statistics import NormalDist
from typing import Any

import numpy as np

import leaderboard_edu as le

LABELS, NAME, ALL = 4000, 1000, 5000  # files of one account, and of many
PARTNERS, PLACES = 12, 3
NOISE = 0.3  # loss of the classifier that an informed attack starts from
CLOSE = 0.265  # that of one near a border of tenths, unsure of some labels
UNSURE = 2  # stands in its file for a label that it can only guess
PEOPLE, FEATURES, TOP, STEPS = 200, 200, 20, 4  # of a regression board

Submit = Callable[[Hashable, Any], float]
File = np.ndarray
Send = Callable[[File], Any]


class SpentError(Exception):
    """All files that an attack may send have been sent."""


def full(labels: File, precision: str | None = None) -> le.Leaderboard:
    """Return a board that shows every loss."""
    maker = partial(le.FullDisclosure, precision=precision)
    return le.Leaderboard(labels, mechanism=maker)


def ladder(labels: File, maker: Any, eta: str) -> le.Leaderboard:
    """Return a board with a Ladder of this step for each account."""
    return le.Leaderboard(labels, mechanism=partial(maker, eta=eta))


def places(labels: File, eta: str) -> le.TopBoard:
    """Return a board of three places, with a Ladder for each."""
    maker = partial(le.SimplifiedLadder, eta=eta)
    return le.TopBoard(labels, ranks=PLACES, mechanism=maker)


BOARDS: dict[str, Callable[[File], Any]] = {
    "exact losses": full,
    "losses in 1/100": partial(full, precision="1/100"),
    "exact ranks": le.RankBoard,
    "ranks in 1/100": partial(le.RankBoard, precision="1/100"),
    "parameter-free Ladder": partial(
        le.Leaderboard, mechanism=le.ParameterFreeLadder
    ),
    "Ladder, 1/100": partial(ladder, maker=le.Ladder, eta="1/100"),
    "simplified Ladder, 1/100": partial(
        ladder, maker=le.SimplifiedLadder, eta="1/100"
    ),
    "simplified Ladder, 1/10": partial(
        ladder, maker=le.SimplifiedLadder, eta="1/10"
    ),
    "three places, 1/10": partial(places, eta="1/10"),
}
EVERY = ("exact losses", "losses in 1/100")
RANKS = ("exact ranks", "ranks in 1/100")
LADDERS = ("Ladder, 1/100", "simplified Ladder, 1/100")
TENTHS = ("simplified Ladder, 1/10", "three places, 1/10")
TEAMS, GOOD = 199, 0.3  # others on a board of ranks, and the best's loss
GROUPS = (32, 128, 512, 1024)  # labels that are flipped at a time
FEW = (2, 10, 50)  # accounts
PAIRS = (2, 5)  # accounts of the rank attack
FEW_RANKED = (2, 3)  # the same, if Eve knows half
ON_PLACES = {  # stairs for three places, which count files and no accounts
    "stairs, three places": ALL,
    "stairs, three places, 1,000 files": NAME,
}
RANK_ATTACK = "rank attack"
BY_RANK = " by rank"  # ends the name of an attack that is led by ranks
WIDE_FIELD = "stairs by rank, wide field"
HALF_KNOWN = "half known"  # ends the name of an attack on the rest
PASSED = 4  # teams that a file is expected to pass at a time


@dataclass
class Contest:
    """What one attacker sends to a board, and what it shows."""

    board: Any
    limit: int
    start: File | None = None
    shown: list[float] = field(default_factory=list)
    sent: list[File] = field(default_factory=list)
    lowest: float = math.inf
    best: File | None = None  # the last file that lowered what is shown
    accounts: Counter[Hashable] = field(default_factory=Counter)
    each: int = NAME  # files that one account may send

    def submit(self, account: Hashable, file: File) -> Any:
        """Hand a file on, unless the attacker has sent all of its files."""
        if len(self.shown) == self.limit:
            raise SpentError
        released = self.board.submit(account, file)
        if released < self.lowest:
            self.lowest, self.best = released, file
        self.shown.append(released)
        self.sent.append(file)
        self.accounts[account] += 1
        return released

    def alone(self, file: File) -> Any:
        """Send a file from one account."""
        return self.submit("Eve", file)

    def afresh(self, file: File) -> Any:
        """Send a file from a fresh account."""
        return self.submit(len(self.shown), file)

    def by_turns(self, file: File) -> Any:
        """Send a file from the first account that has some left."""
        return self.submit(len(self.shown) // self.each, file)


def luck(contest: Contest, rng: np.random.Generator) -> File:
    """Send coin files, and keep the one that is shown as the best."""
    for _ in range(contest.limit):
        contest.alone(rng.integers(0, 2, LABELS))
    assert contest.best is not None
    return contest.best


def lucky(contest: Contest, rng: np.random.Generator) -> File:
    """Guess what a classifier is unsure of, and keep what is shown best."""
    start = contest.start
    assert start is not None
    for _ in range(contest.limit):
        guess = rng.integers(0, 2, LABELS)
        contest.alone(np.where(start == UNSURE, guess, start))
    assert contest.best is not None
    return contest.best


def spoilt(
    contest: Contest, rng: np.random.Generator
) -> tuple[File, float, Callable[[float], File]]:
    """Return where Eve starts, how far guesses spread a loss, and how she
    makes a file of some loss: she turns labels that she knows."""
    start = contest.start
    assert start is not None
    unsure = start == UNSURE
    known = np.flatnonzero(~unsure)

    def bad(loss: float) -> File:
        file = np.where(unsure, rng.integers(0, 2, LABELS), start)
        turned = round(LABELS * (loss - CLOSE))
        file[known[: min(max(turned, 0), known.size)]] ^= 1
        return file

    return start, np.sqrt(np.sum(unsure)) / 2 / LABELS, bad


def hint(chance: float, moved: bool) -> float:
    """Return by how much the guesses of a file are better than coins.

    On average, and in their standard deviation, if a file moves a board
    with this chance. One that does not has told that they are worse.
    """
    chance, luck = min(max(chance, 1e-9), 1 - 1e-9), NormalDist()
    share = chance if moved else chance - 1
    return luck.pdf(luck.inv_cdf(chance)) / share


def stairs(
    contest: Contest,
    rng: np.random.Generator,
    eta: float,
    margin: bool,
    places: int = 1,
    accounts: int = 1,
    listening: bool = False,
) -> File:
    """Walk down from a bad file, and keep the guess that takes each step.

    Eve turns what she knows, but for as much as brings her guesses right
    above the next border: those that cross it are better than others.
    The lower, the less she has turned. In the end they vote. With several
    places as many files can cross a border; each has a fresh account. Of
    several accounts each walks down by itself, and all vote together. Who
    is listening lets silent files vote, too, against themselves.
    """
    start, spread, bad = spoilt(contest, rng)
    unsure, vote = start == UNSURE, np.zeros(LABELS)
    most = 0.5 if listening else 0.4

    for account in range(accounts):
        send: Send = partial(contest.submit, account or "Eve")
        send = contest.afresh if places > 1 else send
        end = contest.limit * (account + 1) // accounts
        shown, crossed = send(bad(1.0)), 0
        while left := end - len(contest.shown):
            border = shown - (eta if margin else eta / 2)
            steps = max(1, 1 + int((border - CLOSE) / eta))
            rare = (steps * places - crossed) / left
            above = -NormalDist().inv_cdf(min(most, rare)) * spread
            file = bad(border + above)
            moved = (released := send(file)) < shown
            crossed += moved
            if listening:
                away = CLOSE + np.mean((file != start) & ~unsure) - border
                chance = NormalDist().cdf(-away / spread)
                vote += hint(chance, moved) * (2.0 * file - 1)
            elif moved:
                vote += 2.0 * file - 1
            if crossed == places:
                shown, crossed = released, 0
    guess = np.where(vote == 0, rng.integers(0, 2, LABELS), vote > 0)
    return np.where(unsure, guess, start)


def stairs_by_rank(
    contest: Contest,
    rng: np.random.Generator,
    last: float = 0.5,
    accounts: int = 1,
    listening: bool = False,
) -> File:
    """Walk down past other teams, as `stairs` does from step to step.

    A border lies where the next team stands, which no board shows. Eve
    guesses it from her rank, as if teams stood at equal distances up to
    the last one. If her files pass teams more often than she wants she
    turns more labels, and else fewer. She may be listening, as there.
    """
    start, spread, bad = spoilt(contest, rng)
    unsure, vote = start == UNSURE, np.zeros(LABELS)
    most = 0.5 if listening else 0.4

    for account in range(accounts):
        send: Send = partial(contest.submit, account or "Eve")
        end = contest.limit * (account + 1) // accounts
        end = min(end, len(contest.shown) + contest.each)
        rank, wrong = send(bad(last + 0.03)), 0.0  # behind all of them
        while left := end - len(contest.shown):
            ahead = rank - 1 - account  # her other accounts stand in front
            if ahead < 1:
                break
            border = GOOD + (last - GOOD) * (ahead - 1) / (TEAMS - 1)
            rare = min(most, max(ahead / PASSED, 1) / left)
            above = -NormalDist().inv_cdf(rare) * spread
            file = bad(border + wrong + above)
            if moved := (now := send(file)) < rank:
                wrong += 0.001
            if listening or moved:
                weight = hint(rare, moved) if listening else 1.0
                vote += weight * (2.0 * file - 1)
            wrong -= 0.001 * rare
            rank = now
    guess = np.where(vote == 0, rng.integers(0, 2, LABELS), vote > 0)
    return np.where(unsure, guess, start)


def alone(attack: Any, **options: Any) -> Any:
    """Return an attack of the library, played from one account."""

    def play(contest: Contest, rng: np.random.Generator) -> File:
        try:
            run = attack(contest.alone, n=LABELS, rng=rng, **options)
        except SpentError:
            assert contest.best is not None
            return contest.best
        found: File = run.predictions
        return found

    return play


def detecting(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return Lindström's design: which labels each row turns, and of what
    number each label is.

    The rows are the sets 0, 1, ..., in binary. A set i of r elements has r
    labels. Whether a row x turns one depends on x & i alone, and the j-th
    is turned by 2^j of the subsets of i that have as many elements as i,
    but for an even number.
    """
    x = np.arange(rows)
    odd = np.array([number.bit_count() % 2 for number in range(rows)])
    columns, owners = [], []
    for i in range(1, rows):
        subsets = x[(x & i) == x]
        subsets = subsets[odd[subsets] == odd[i]]
        for j in range(i.bit_count()):
            columns.append(np.isin(x & i, subsets[: 2**j]))
            owners.append(i)
    turned = np.array(columns, dtype=np.int64).reshape(-1, rows).T
    return turned, np.array(owners, dtype=np.int64)


def detected(
    sums: np.ndarray, turned: np.ndarray, owners: np.ndarray
) -> File:
    """Return the labels of which a design turns these sums.

    Summed over the subsets of i with alternating signs, a label of a set
    that does not contain i cancels. So the largest sets are read first,
    and the labels of i are the binary digits of what is left.
    """
    left, x = sums.copy(), np.arange(sums.size)
    odd = np.array([int(number).bit_count() % 2 for number in x])
    labels = np.zeros(owners.size, dtype=np.int64)
    for i in range(sums.size - 1, 0, -1):
        subset = (x & i) == x
        sign = np.where(odd == odd[i], 1, -1)
        number = int(np.sum((sign * left)[subset]))
        own = np.flatnonzero(owners == i)
        labels[own] = number >> np.arange(own.size) & 1
        left -= turned[:, own] @ labels[own]
    return labels


def design_attack(
    submit: Callable[[File], float],
    *,
    n: int,
    k: int,
    rng: np.random.Generator,
) -> le.AttackResult:
    """Read labels off exact losses, with files fixed in advance.

    All of them if the files are enough for a design, else as many as they
    are enough for; the others are guessed.
    """
    rows, size = 1, 0
    while size < n and rows < k - 1:
        size, rows = size + rows.bit_count(), rows + 1
    turned, owners = detecting(rows)
    turned, owners = turned[:, :n], owners[:n]
    order, sent = rng.permutation(n), []
    read, rest = np.split(order, [owners.size])

    def wrong(ones: np.ndarray) -> int:
        file = np.zeros(n, dtype=np.uint8)
        file[ones] = 1
        sent.append(file)
        return round(submit(file) * n)

    none, sums = wrong(rest[:0]), []
    for row in turned == 1:
        sums.append((row.sum() - wrong(read[row]) + none) // 2)
    found = np.zeros(n, dtype=np.uint8)
    found[read] = detected(np.array(sums), turned, owners)
    found[rest] = rng.integers(0, 2, rest.size)
    if rest.size == 1:  # the total tells it
        found[rest] = none - found[read].sum()
    return le.AttackResult(found, np.array(sent))


def half_known(attack: Any) -> Any:
    """Return an attack of the library, played where Eve is unsure.

    What she knows is right, so a loss tells what the others have wrong.
    """

    def play(contest: Contest, rng: np.random.Generator) -> File:
        start = contest.start
        assert start is not None
        unsure = np.flatnonzero(start == UNSURE)

        def whole(guess: File) -> File:
            file = start.copy()
            file[unsure] = guess
            return file

        def ask(guess: File) -> float:
            shown: float = contest.by_turns(whole(guess))
            return shown * LABELS / unsure.size

        try:
            run = attack(ask, n=unsure.size, k=contest.limit, rng=rng)
        except SpentError:
            assert contest.best is not None
            return contest.best
        return whole(run.predictions)

    return play


def votes(contest: Contest, rng: np.random.Generator) -> File:
    """Let fresh accounts send a coin file each, and vote."""
    many = {"k": contest.limit, "accounts": contest.limit}
    run = le.multi_account_attack(contest.submit, n=LABELS, rng=rng, **many)
    return run.predictions


def messages(contest: Contest, rng: np.random.Generator) -> File:
    """Let fresh accounts send a coin file each; pass messages."""
    board, k = contest.board, contest.limit
    if isinstance(board, le.RankBoard):
        files = rng.integers(0, 2, (k, LABELS))
        told = le.losses_from_ranks(contest.submit, files)
        return le.message_passing(files, told)
    afresh = contest.afresh
    run = le.message_passing_attack(afresh, n=LABELS, k=k, rng=rng)
    return run.predictions


def coins(rng: np.random.Generator) -> Iterator[File]:
    """Draw coin files without end."""
    while True:
        yield rng.integers(0, 2, LABELS)


def yardsticks(
    contest: Contest, rng: np.random.Generator, precision: str
) -> File:
    """Let accounts pass one that stands still."""
    run = le.yardstick_attack(
        contest.submit,
        n=LABELS,
        precision=precision,
        files=coins(rng),
        each=NAME,
    )
    return run.predictions


def in_front(
    contest: Contest, rng: np.random.Generator, accounts: int
) -> File:
    """Play the rank attack, with accounts that have so many files each.

    One account leads with the best file. Another sends it with one label
    flipped, each label in its turn, and leads if the flip was right. The
    next to try is always the one that has sent least and does not lead.
    Eve flips only labels that she is unsure of, if she knows the others.
    """
    best, sent = rng.integers(0, 2, LABELS), [0] * accounts
    labels = np.arange(LABELS)
    if contest.start is not None:
        labels = np.flatnonzero(contest.start == UNSURE)
        best = np.where(contest.start == UNSURE, best, contest.start)
    labels = labels[: 0 if accounts == 1 else None]  # nobody is behind

    def send(account: int, file: File) -> Any:
        sent[account] += 1
        return contest.submit(account, file)

    leader, lead = 0, send(0, best)
    for label in labels:
        behind = [one for one in range(accounts) if one != leader]
        chaser = min(behind, key=sent.__getitem__)
        if sent[chaser] == contest.each:
            break
        tried = best.copy()
        tried[label] ^= 1
        if (rank := send(chaser, tried)) <= lead:
            best, leader, lead = tried, chaser, rank
    return best


def border(send: Send, file: File) -> tuple[File, float]:
    """Return the first file on the way to the opposite of one that is shown
    a higher loss, and that loss.

    What is shown must be the rounded loss of the file, as it is to a fresh
    account.
    """
    level = send(file)
    low, high, before = 0, LABELS, np.arange(LABELS)
    while high - low > 1:
        middle = (low + high) // 2
        on_the_way = file ^ (before < middle)
        if send(on_the_way) > level:
            high = middle
        else:
            low = middle
    mark = file ^ (before < high)
    return mark, send(mark)


def coin_mark(send: Send, rng: np.random.Generator) -> tuple[File, float]:
    """Return a file right above a border, and its loss, from coin files."""
    opposite = level = 0.0
    while opposite <= level:
        file = rng.integers(0, 2, LABELS)
        opposite, level = send(1 - file), send(file)
    return border(send, file)


def blocks(contest: Contest, rng: np.random.Generator) -> File:
    """Read blocks of labels, one account after another."""
    options = {"k": contest.limit, "n": LABELS}
    run = le.block_attack(contest.by_turns, rng=rng, **options)
    return run.predictions


def borders(contest: Contest, rng: np.random.Generator) -> File:
    """Start from a classifier; find a border, and test each label there.

    Each file comes from a fresh account.
    """
    assert contest.start is not None
    mark, beyond = border(contest.afresh, contest.start)
    return one_by_one(contest.afresh, mark, beyond)


def in_turn(contest: Contest, rng: np.random.Generator) -> File:
    """Find a border with coin files, and test each label there.

    An account sends all of its files, and then the next one.
    """
    return one_by_one(contest.by_turns, *coin_mark(contest.by_turns, rng))


def one_by_one(send: Send, mark: File, beyond: float) -> File:
    """Flip each label of a file right above a border; keep what helped."""
    found = mark.copy()
    for label in range(LABELS):
        tried = mark.copy()
        tried[label] ^= 1
        if send(tried) < beyond:
            found[label] ^= 1
    return found


def marks(contest: Contest, rng: np.random.Generator, margin: bool) -> File:
    """Find a border with coin files, and read it with few accounts.

    A file right above a border is the mark. Each label is flipped in it in
    its turn: a right flip, and no other, is shown the next level. An
    account that was shown it waits until as many flips were right as a
    level has labels; then they make the next mark, for all accounts.

    A Ladder with a margin moves a full step below what an account has
    been shown. So the first half of a level is read by fresh accounts, and
    every account is brought to the level of the mark before it is used.
    """
    width = LABELS // 100
    mark, beyond = coin_mark(contest.afresh, rng)
    level, base, fresh = round(100 * beyond), mark, margin
    waiting: list[Hashable] = []
    passed: list[Hashable] = []
    right: list[int] = []
    shown: dict[Hashable, int] = {}

    def submit(account: Hashable, file: File) -> int:
        shown[account] = round(100 * contest.submit(account, file))
        return shown[account]

    for label in range(LABELS):
        account = (
            waiting.pop() if waiting and not fresh else len(shown) + 10**6
        )
        if margin and not fresh and shown.get(account) != level:
            submit(account, base)
        trial = mark.copy()
        trial[label] ^= 1
        if submit(account, trial) < level:
            passed.append(account)
            right.append(label)
        else:
            waiting.append(account)
        if len(right) < (width // 2 if fresh else width):
            continue
        base, mark = mark, mark.copy()
        mark[right] ^= 1
        if fresh:
            fresh, right = False, []
            continue
        base = mark.copy()
        base[right[: width // 2]] ^= 1
        waiting, passed, right = [*waiting, *passed], [], []
        level -= 1
    mark[right] ^= 1
    return mark


def turned(
    contest: Contest, rng: np.random.Generator
) -> tuple[File, list[int], list[int]]:
    """Return a file with all that Eve knows wrong, where that is, and which
    labels she is unsure of."""
    start = contest.start
    assert start is not None
    unsure, guess = start == UNSURE, rng.integers(0, 2, LABELS)
    known = np.flatnonzero(~unsure).tolist()
    file = np.where(unsure, guess, 1 - start)
    return file, known, np.flatnonzero(unsure).tolist()


def with_turned(file: File, labels: list[int]) -> File:
    """Return a copy of a file with some labels turned."""
    copy = file.copy()
    copy[labels] ^= 1
    return copy


def to_border(
    send: Send, file: File, wrong: list[int]
) -> tuple[File, float]:
    """Right known labels one by one until that moves the board; return the
    file before, and what the board showed of it."""
    shown = send(file)
    while send(with_turned(file, wrong[-1:])) == shown:
        file = with_turned(file, [wrong.pop()])
    return file, shown


def in_turn_known(contest: Contest, rng: np.random.Generator) -> File:
    """Test each label that Eve is unsure of at a border, where a right flip
    is shown a lower loss; of a board that shows the loss of every file."""
    file, wrong, unsure = turned(contest, rng)
    mark, shown = to_border(contest.by_turns, file, wrong)
    with suppress(SpentError):
        for label in unsure:
            if contest.by_turns(with_turned(mark, [label])) < shown:
                wrong.append(label)
    return with_turned(mark, wrong)


def partners_known(contest: Contest, rng: np.random.Generator) -> File:
    """Turn each label that Eve is unsure of together with one that she
    knows to be wrong: two righted labels are accepted, one is a tie."""
    file, wrong, unsure = turned(contest, rng)
    with suppress(SpentError):
        for label in unsure:
            if len(contest.shown) % contest.each == 0:  # a fresh account
                shown = contest.by_turns(file)
            both = with_turned(file, [label, wrong[-1]])
            if (now := contest.by_turns(both)) < shown:
                wrong.pop()
                file, shown = both, now
    return with_turned(file, wrong)


def enough(wrong: list[int], unsure: list[int], width: int) -> int:
    """Return how many accounts have a border for each wrong label."""
    errors = len(unsure) / 2
    return math.ceil(errors / (1 + (len(wrong) + errors) // width))


def fewest_wrong(shown: float, eta: float, margin: bool) -> int:
    """Return with how few wrong labels a Ladder stays at what it shows."""
    step = Fraction(eta).limit_denominator(LABELS)
    below = 1 if margin else Fraction(1, 2)
    return math.ceil(LABELS * step * (round(shown / eta) - below))


def marks_known(
    contest: Contest,
    rng: np.random.Generator,
    eta: float,
    margin: bool,
    accounts: int | None = None,
) -> File:
    """Read labels at borders, with few accounts or as few as read all.

    A right flip moves an account, which is blind from then on. When all
    are, Eve rights as many labels as a step has, which she knows or has
    read: then all stand right above the next border, and see again. So
    each account reads a label that is wrong at each of the steps. Of those
    that see, the one that has sent least sends the next flip, and none
    sends more than its files.

    With a margin a fresh account is first sent the file of the step
    before, which is shown what the others are shown.
    """
    file, wrong, unsure = turned(contest, rng)
    above, first, opened, sent = file, file, 1, contest.accounts

    def search(file: File) -> float:
        """Send a file from an account that stands where the first does."""
        nonlocal opened
        if sent[opened - 1] == contest.each:
            contest.submit(opened, first)
            opened += 1
        shown: float = contest.submit(opened - 1, file)
        return shown

    known = wrong.copy()
    try:
        mark, shown = to_border(search, file, wrong)
    except SpentError:  # before a border was found: nothing is read
        return with_turned(first, known)
    seeing: list[int] = []  # of those that stand where the mark does
    lowest = partial(fewest_wrong, eta=eta, margin=margin)
    most = accounts or enough(wrong, unsure, round(eta * LABELS))
    with suppress(SpentError):
        for label in unsure:
            while not seeing:
                if opened < most:
                    contest.submit(opened, above if margin else mark)
                    seeing.append(opened)
                    opened += 1
                    continue
                width = lowest(shown) - lowest(shown - eta)
                if len(wrong) >= width:
                    above, mark = mark, with_turned(mark, wrong[:width])
                    wrong, shown = wrong[width:], shown - eta
                    left = (
                        sent[one] < contest.each for one in range(opened)
                    )
                    seeing = [*compress(range(opened), left)]
                elif accounts:
                    return with_turned(mark, wrong)
                else:
                    most += 1
            one = min(seeing, key=sent.__getitem__)
            tried = with_turned(mark, [label])
            if moved := contest.submit(one, tried) < shown - eta / 2:
                wrong.append(label)
            if moved or sent[one] == contest.each:
                seeing.remove(one)
    return with_turned(mark, wrong)


def yardsticks_known(
    contest: Contest, rng: np.random.Generator, width: int
) -> File:
    """Do the same with ranks: an account that moves passes a yardstick.

    A second yardstick waits one step ahead, so that whoever has passed the
    first stands behind it, and passes it at the next border.
    """
    file, wrong, unsure = turned(contest, rng)
    contest.submit("stick 0", file)
    mark, _ = to_border(partial(contest.submit, "stick 1"), file, wrong)
    contest.submit("stick 0", mark)
    accounts = enough(wrong, unsure, width)
    seeing, opened, passed, last = list[int](), 0, 0, 0
    for label in unsure:
        while not seeing:
            if opened < accounts:
                contest.submit(opened, mark)
                seeing.append(opened)
                opened += 1
            elif len(wrong) > width:  # one is left for the other yardstick
                mark, wrong = (
                    with_turned(mark, wrong[:width]),
                    wrong[width:],
                )
                ahead = with_turned(mark, wrong[-1:])
                contest.submit(f"stick {last}", ahead)
                seeing, passed, last = list(range(opened)), 0, 1 - last
            else:
                accounts += 1
        tried = with_turned(mark, [label])
        if contest.submit(seeing[-1], tried) == passed + 2:
            seeing.pop()
            passed += 1
            wrong.append(label)
    return with_turned(mark, wrong)


def few(contest: Contest, rng: np.random.Generator, accounts: int) -> File:
    """Let each account climb by groups; let their files vote."""
    vote = np.zeros(LABELS)
    for account in range(accounts):
        run = le.enumeration_attack(
            partial(contest.submit, account),
            n=LABELS,
            k=contest.limit // accounts,
            rng=rng,
            size=GROUPS[-1],
        )
        vote += 2.0 * run.predictions - 1
    return np.where(vote == 0, rng.integers(0, 2, LABELS), vote > 0)


@dataclass(frozen=True)
class Attack:
    """How an attack is played: files, accounts, and by what it is led.

    `needs` says what the board must show: "losses" of every fresh account,
    "ranks", "a loss" for one account that is alone, or "gains", which are
    losses or ranks that can be compared.
    """

    play: Callable[..., File]
    files: int
    needs: str
    informed: float | None = None  # the loss of the classifier it has

    @property
    def many(self) -> bool:
        """Whether it needs more than one account."""
        return self.needs in ("losses", "ranks")


def lonely(attack: Any, needs: str = "gains", **options: Any) -> Attack:
    """Return an attack of the library, as one account plays it."""
    return Attack(alone(attack, **options), NAME, needs)


def voting(keep: str, needs: str) -> Attack:
    """Return the boosting attack with one of its rules."""
    return lonely(le.boosting_attack, needs, k=NAME, keep=keep)


KNOWING: dict[str, tuple[Any, int, str]] = {
    "one by one": (in_turn_known, NAME, "a loss"),
    "in turn": (in_turn_known, ALL, "losses"),
    "partners": (partners_known, NAME, "gains"),
    "partners in turn": (partners_known, ALL, "losses"),
    "marks": (marks_known, ALL, "losses"),
    f"marks, {FEW[1]} accounts": (
        partial(marks_known, accounts=FEW[1]),
        ALL,
        "losses",
    ),
    "yardsticks": (yardsticks_known, ALL, "ranks"),
}  # attacks for an Eve who knows half of the labels
ATTACKS = {
    "luck": Attack(luck, NAME, "gains"),
    "votes, aligned": voting("aligned", "a loss"),
    "votes, half": voting("half", "a loss"),
    "votes, improved": voting("improved", "gains"),
    "swaps": lonely(le.swap_attack, k=NAME),
    "partners": lonely(le.partner_attack, partners=PARTNERS),
    "enumeration": lonely(le.enumeration_attack, k=NAME),
    **{
        f"groups of {size}": lonely(
            le.enumeration_attack, k=NAME, size=size
        )
        for size in GROUPS
    },
    "blocks": lonely(le.block_attack, "a loss", k=NAME),
    **{
        f"groups, {accounts} accounts": Attack(
            partial(few, accounts=accounts),
            min(ALL, accounts * NAME),
            "losses",
        )
        for accounts in FEW
    },
    "marks": Attack(marks, ALL, "losses"),
    "votes, fresh accounts": Attack(votes, ALL, "losses"),
    "messages": Attack(messages, ALL, "losses"),
    "yardsticks": Attack(yardsticks, ALL, "ranks"),
    "borders": Attack(borders, ALL, "losses", informed=NOISE),
    "luck near a border": Attack(lucky, NAME, "gains", informed=CLOSE),
    "stairs": Attack(stairs, NAME, "gains", informed=CLOSE),
    **{
        name: Attack(stairs, files, "losses", informed=CLOSE)
        for name, files in ON_PLACES.items()
    },
    "in turn": Attack(in_turn, ALL, "losses"),
    **{
        f"stairs, {accounts} accounts": Attack(
            partial(stairs, accounts=accounts),
            min(ALL, accounts * NAME),
            "losses",
            informed=CLOSE,
        )
        for accounts in FEW
    },
    "stairs by rank": Attack(stairs_by_rank, NAME, "gains", informed=CLOSE),
    **{
        f"stairs by rank, {accounts} accounts": Attack(
            partial(stairs_by_rank, accounts=accounts),
            min(ALL, accounts * NAME),
            "ranks",
            informed=CLOSE,
        )
        for accounts in FEW
    },
    **{
        f"groups by rank, {accounts} accounts": Attack(
            partial(few, accounts=accounts),
            min(ALL, accounts * NAME),
            "ranks",
        )
        for accounts in FEW
    },
    WIDE_FIELD: Attack(
        partial(stairs_by_rank, last=1 - CLOSE),
        NAME,
        "gains",
        informed=CLOSE,
    ),
    **{
        f"{RANK_ATTACK}, {accounts} accounts": Attack(
            partial(in_front, accounts=accounts),
            min(ALL, accounts * NAME),
            "ranks",
        )
        for accounts in PAIRS
    },
    **{
        f"blocks, {accounts} accounts": Attack(
            blocks, accounts * NAME, "losses"
        )
        for accounts in (2, 3)
    },
    **{
        f"{name}, {HALF_KNOWN}": Attack(
            half_known(attack), NAME, "a loss", informed=CLOSE
        )
        for name, attack in (
            ("blocks", le.block_attack),
            ("votes", le.boosting_attack),
            ("swaps", le.swap_attack),
            ("design", design_attack),
        )
    },
    "design": lonely(design_attack, "a loss", k=NAME),
    **{
        f"{name}, {HALF_KNOWN}": Attack(play, files, needs, informed=CLOSE)
        for name, (play, files, needs) in KNOWING.items()
    },
    **{
        f"{RANK_ATTACK}, {accounts} accounts, {HALF_KNOWN}": Attack(
            partial(in_front, accounts=accounts),
            accounts * NAME,
            "ranks",
            informed=CLOSE,
        )
        for accounts in FEW_RANKED
    },
    **{
        f"{WIDE_FIELD}, {accounts} accounts": Attack(
            partial(stairs_by_rank, last=1 - CLOSE, accounts=accounts),
            min(ALL, accounts * NAME),
            "ranks",
            informed=CLOSE,
        )
        for accounts in FEW
    },
}
UNRANKED = "not tried: losses say more than ranks"
UNSEEN = "cannot work: most files are shown nothing"
NO_LOSS = "cannot work: no loss is shown"
READ = "not tried: other attacks read every label"
YARDS = "not tried: yardsticks are its form for ranks"
NO_DIGITS = "not tried: made for the last digits of losses"
ROUNDED = "not tried: yardsticks are its form for rounded losses"
RANKED = "not tried: its form for ranks is played instead"
SAME_FILES = "not tried: messages make more of the same files"
ALONE = "cannot work: a fresh account begins anew"
NO_STEPS = "not tried: there is no step to wait above"
COUNTED = "not tried: accounts do not count; see stairs, three places"
REMEMBERS = "cannot work: an account is told of improvements only"
NO_TENTHS = "not tried: made for the few borders of tenths"
FITTED = "not tried: others are made for what this board shows"
WIDE = "not tried: there to compare ranks with Ladders in hundredths"


FREE = ("parameter-free Ladder",)
FITS_BOARDS = {  # where an attack is played by an Eve who knows half
    "blocks": ("exact losses",),
    "design": ("exact losses",),
    "votes": EVERY,
    "one by one": ("losses in 1/100",),
    "in turn": ("losses in 1/100",),
    "swaps": FREE,
    "partners": FREE,
    "partners in turn": FREE,
    "marks": (*LADDERS, "simplified Ladder, 1/10"),
    "yardsticks": ("ranks in 1/100",),
    RANK_ATTACK: ("exact ranks",),
}


def by_rank(attack: str) -> str:
    """Return the name of the form that an attack has for ranks, if any."""
    first, comma, rest = attack.partition(",")
    return f"{first}{BY_RANK}{comma}{rest}"


def why_not(board: str, attack: str) -> str:
    """Say why an attack was not played on a board, or return nothing."""
    if attack.endswith(HALF_KNOWN):
        first, _, _ = attack.partition(",")
        if board in FITS_BOARDS[first]:
            return ""
        blind = ATTACKS[attack].needs in ("a loss", "losses")
        return NO_LOSS if blind and board in RANKS else FITTED
    if board in RANKS:
        return why_no_rank(board, attack)
    if BY_RANK in attack or ATTACKS[attack].needs == "ranks":
        return UNRANKED
    if attack == "luck near a border":
        return "" if board in TENTHS else NO_TENTHS
    if attack in ON_PLACES:
        return "" if board == "three places, 1/10" else ALONE
    if attack == "in turn":
        return "" if board in EVERY else REMEMBERS
    if attack.startswith(("blocks, ", "design")):
        return "" if board == "exact losses" else NO_DIGITS
    if attack.startswith("stairs"):
        crowd = ATTACKS[attack].many and board == "three places, 1/10"
        if crowd or board in (*LADDERS, *TENTHS):
            return COUNTED if crowd else ""
        return NO_STEPS
    blind = board == "three places, 1/10"
    if attack == "marks" and board not in LADDERS:
        return UNSEEN if blind else READ
    return UNSEEN if attack == "messages" and blind else ""


def why_no_rank(board: str, attack: str) -> str:
    """Say why an attack was not played on ranks, or return nothing."""
    if by_rank(attack) in ATTACKS:
        return RANKED
    if attack in ("in turn", "borders", "marks"):
        return YARDS
    if attack.startswith(WIDE_FIELD):
        return "" if board == "ranks in 1/100" else WIDE
    if attack.startswith(RANK_ATTACK):
        return "" if board == "exact ranks" else ROUNDED
    if attack == "votes, fresh accounts":
        return SAME_FILES
    if attack.startswith("blocks, "):
        return NO_LOSS
    if attack == "luck near a border":
        return NO_TENTHS
    if attack in ON_PLACES:
        return ALONE
    needs = ATTACKS[attack].needs
    told = BY_RANK in attack or needs in ("gains", "ranks")
    return "" if told or attack == "messages" else NO_LOSS


def seat(
    board: Any, labels: File, rng: np.random.Generator, last: float = 0.5
) -> None:
    """Let other teams send a file each: from a good one to a coin file."""
    for team, loss in enumerate(np.linspace(GOOD, last, TEAMS)):
        board.submit(f"team {team}", labels ^ (rng.random(LABELS) < loss))


def contest(
    board: str, attack: str, rng: np.random.Generator
) -> dict[str, float]:
    """Play one attack on one board with fresh labels.

    Return what the final file's loss on the board is below its true one,
    the leaderboard error once that file is sent, the share of labels
    recovered, and how many files and accounts were used.
    """
    how = ATTACKS[attack]
    labels = rng.integers(0, 2, LABELS)
    start = classifier(how.informed, labels, rng)
    game = Contest(BOARDS[board](labels), how.files, start=start)
    options: dict[str, Any] = {}
    among = BY_RANK in attack or attack.startswith(RANK_ATTACK)
    if board in RANKS and (not how.many or among):
        wide = attack.startswith(WIDE_FIELD)
        seat(game.board, labels, rng, last=1 - CLOSE if wide else 0.5)
    if attack == "yardsticks":
        exact = board == "exact ranks"
        options["precision"] = f"1/{LABELS}" if exact else "1/100"
    if attack.startswith("stairs") and BY_RANK not in attack:
        options["eta"] = 0.1 if board in TENTHS else 0.01
        options["margin"] = board == "Ladder, 1/100"
    if attack in ON_PLACES:
        options["places"] = PLACES
    if attack.startswith("marks"):
        options["margin"] = board == "Ladder, 1/100"
    if attack.startswith("marks, "):
        options["eta"] = 0.1 if board in TENTHS else 0.01
    if attack == f"yardsticks, {HALF_KNOWN}":
        options["width"] = LABELS // 100
    final = how.play(game, rng, **options)
    files, accounts = len(game.shown), len(game.accounts)
    assert max(game.accounts.values()) <= NAME
    knew = 1 - how.informed if how.informed else 0.5
    right = np.mean(final == labels)
    truth = [true_loss(file, start) for file in (*game.sent, final)]
    game.limit += 1
    (game.alone if accounts == 1 else game.afresh)(final)
    found = {
        "damage": truth[-1] - (1 - right),
        "recovered": (right - knew) / (1 - knew),
        "files": files,
        "accounts": accounts,
    }
    if board not in RANKS:
        shown = np.minimum.accumulate(game.shown)
        found["error"] = le.leaderboard_error(shown, truth)
    return {name: float(value) for name, value in found.items()}


def classifier(
    loss: float | None, labels: File, rng: np.random.Generator
) -> File | None:
    """Return what Eve knows of the labels, if she has such a classifier.

    One is wrong anywhere. The other, near a border, knows where it is
    unsure: there it guesses, and all its guesses are as good in truth.
    """
    if loss == CLOSE:
        unsure = rng.permutation(LABELS) < round(2 * CLOSE * LABELS)
        return np.where(unsure, UNSURE, labels)
    return labels ^ (rng.random(LABELS) < loss) if loss else None


def true_loss(file: File, start: File | None) -> float:
    """Return the loss to be expected of a file on fresh labels."""
    if start is None:
        return 0.5
    if np.any(start == UNSURE):
        return CLOSE + float(np.mean((start != UNSURE) & (file != start)))
    apart = np.mean(file != start)
    return float(NOISE * (1 - apart) + (1 - NOISE) * apart)


MSE, CONCORDANCE = "mse", "lin_concordance"
MEAN_SQUARES = "mean squared errors"


def bayes(maker: Any, y: File, rng: np.random.Generator) -> Any:
    """Return a board that decides by posterior odds."""
    return maker(y, metric=CONCORDANCE, odds=5.67, rng=rng)


def refusing(y: File, rng: np.random.Generator) -> Any:
    """Return LadderBoot behind a refusal of files sent before."""
    return le.RefuseRepeats(le.LadderBoot(y, rng=rng))


REGRESSION: dict[str, Callable[..., Any]] = {
    MEAN_SQUARES: lambda y, rng: le.FullDisclosure(y, metric=MSE),
    "paired-test Ladder": lambda y, rng: le.PairedTestLadder(y),
    "LadderBoot": lambda y, rng: le.LadderBoot(y, rng=rng),
    "LadderBoot, no repeats": refusing,
    "Bayesian Ladder": partial(bayes, le.BayesBootLadder),
    "Bayesian LadderBoot": partial(bayes, le.BayesBootLadderBoot),
}
FITS = {  # attacks on regression boards, and whether accounts are fresh
    "best feature": False,
    "Freedman": False,
    "step forward": False,
    "averaging": False,
    "Freedman, fresh accounts": True,
}
REPEATS = {"averaging": NAME // FEATURES, "fresh": ALL // FEATURES}
NOISY = ("LadderBoot", "LadderBoot, no repeats", "Bayesian LadderBoot")


def why_no_fit(board: str, attack: str) -> str:
    """Say why an attack makes no sense on a regression board."""
    every = board == MEAN_SQUARES
    if attack == "step forward" and every:
        return "made for boards that show the best so far"
    if attack == "averaging" and board not in NOISY:
        return "there is no noise to average"
    if attack == "Freedman, fresh accounts" and every:
        return "every file is shown its score already"
    return ""


def regression_contest(
    board: str, attack: str, rng: np.random.Generator
) -> dict[str, float]:
    """Play one attack on one regression board; return damage and cost."""
    sample = le.simulate_design(
        n=3 * PEOPLE, p=FEATURES, rng=rng, correlation=0
    )
    data = le.split_sample(*sample, rng=rng)
    one = REGRESSION[board](data.public.response, rng)
    inner = getattr(one, "_mechanism", one)
    files = accounts = 0
    repeats = REPEATS["fresh"] if board in NOISY else 1

    def alone(predictions: File) -> float:
        nonlocal files, accounts
        files, accounts = files + 1, 1
        released: float = one.submit(predictions)
        return released

    def different(predictions: File) -> float:
        """Change the last digits, so that no file is refused."""
        return alone(predictions + 1e-9 * rng.standard_normal(PEOPLE))

    def afresh(predictions: File) -> float:
        nonlocal files, accounts
        files, accounts = files + repeats, accounts + repeats
        makers = [REGRESSION[board] for _ in range(repeats)]
        fresh = [make(data.public.response, rng) for make in makers]
        return float(np.mean([each.submit(predictions) for each in fresh]))

    public, training = data.public.features, data.training
    sets: dict[str, Any] = {"training": training, "features": public}
    better = one.larger_is_better
    if attack in ("step forward", "averaging"):
        steps: dict[str, Any] = {"accepted": lambda: inner.accepted}
        steps = steps if board in NOISY else {}
        if attack == "averaging":
            send = different if board == "LadderBoot, no repeats" else alone
            steps |= {"iterations": 1, "repeats": REPEATS["averaging"]}
            run = le.averaging_attack(send, **sets, **steps)
        else:
            steps["iterations"] = STEPS
            run = le.step_forward_attack(alone, **sets, **steps)
    else:
        send = afresh if FITS[attack] else alone
        run = le.freedman_attack(
            send,
            **sets,
            top=1 if attack == "best feature" else TOP,
            larger_is_better=better,
        )
    score = le.METRICS[CONCORDANCE if better else MSE]
    seen, true = (
        score(
            le.linear_predictions(
                training, part.features, columns=run.selected
            ),
            part.response,
        )
        for part in (data.public, data.final)
    )
    damage = seen - true if better else true - seen
    found = {"damage": damage, "files": files, "accounts": accounts}
    return {name: float(value) for name, value in found.items()}


MATRIX = {
    (board, attack): why_not for board in BOARDS for attack in ATTACKS
}
MATRIX |= {(board, fit): why_no_fit for board in REGRESSION for fit in FITS}
CELLS = [cell for cell, why in MATRIX.items() if not why(*cell)]
NEWEST = (
    *(f"{name}, {HALF_KNOWN}" for name in KNOWING),
    *(
        f"{RANK_ATTACK}, {accounts} accounts, {HALF_KNOWN}"
        for accounts in FEW_RANKED
    ),
    *(f"{WIDE_FIELD}, {accounts} accounts" for accounts in FEW),
    "stairs, three places, 1,000 files",
)
BEFORE = [attack for attack in ATTACKS if attack not in NEWEST]
LATER = [
    "luck near a border",
    "stairs",
    "stairs, three places",
    "in turn",
    *(f"stairs, {accounts} accounts" for accounts in FEW),
    *(attack for attack in BEFORE if BY_RANK in attack),
    *(attack for attack in BEFORE if attack.startswith(RANK_ATTACK)),
    *(attack for attack in BEFORE if attack.startswith("blocks, ")),
    *(f"{name}, {HALF_KNOWN}" for name in ("votes", "swaps")),
    "design",
    f"design, {HALF_KNOWN}",
    *NEWEST,
]  # added since: their generators come last
CELLS.sort(key=lambda cell: cell[1] in LATER and 1 + LATER.index(cell[1]))
REPETITIONS, SEED = 20, 9
Cell = tuple[str, str]
Results = dict[str, dict[str, dict[str, float]]]


def matrix(rng: np.random.Generator, skip: Collection[str] = ()) -> Results:
    """Play every attack on every board once, but for those to skip.

    Each contest has a generator of its own.
    """
    found: Results = {}
    for (board, attack), child in zip(
        CELLS, rng.spawn(len(CELLS)), strict=True
    ):
        if attack not in skip:
            play = contest if board in BOARDS else regression_contest
            row = found.setdefault(board, {})
            row[attack] = play(board, attack, child)
    return found


def first(skip: Collection[str] = ()) -> Results:
    """Play the first repetition again."""
    child = np.random.default_rng(SEED).spawn(REPETITIONS)[0]
    return matrix(child, skip)


def matrix_summary(results: list[Results]) -> dict[str, Any]:
    """Return what the file of the study holds: means, errors, quartiles."""
    found: dict[str, Any] = {}
    for board, row in results[0].items():
        for attack, kinds in row.items():
            cell: dict[str, list[float]] = {}
            for kind in kinds:
                drawn = [result[board][attack][kind] for result in results]
                mean, error = le.mean_and_error(np.array(drawn))
                quartiles = np.quantile(drawn, (0.25, 0.5, 0.75))
                numbers = [mean, error, *quartiles]
                cell[kind] = [round(float(each), 5) for each in numbers]
            found.setdefault(board, {})[attack] = cell
    return {
        "command": "make exhibits",
        "repetitions": len(results),
        "seed": SEED,
        "kinds": ["mean", "standard error", "quartiles"],
        "first": results[0],
        "results": found,
    }
