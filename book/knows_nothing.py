"""Attacks on boards of classification by an Eve who knows no label.

She sends coin files, reads labels by designs, or tries label after label in
files at a border, where one that is righted is shown a lower loss. Only
`borders` starts from a classifier, which may be wrong anywhere, and
`in_front` serves an Eve who knows half of the labels as well.
"""

from collections.abc import Callable, Hashable, Iterator
from functools import partial
from typing import Any

import numpy as np

import leaderboard_edu as le
from boards import LABELS, NAME, UNSURE, Contest, File, Send, SpentError
from knows_half import odd_blocks, with_turned

GROUPS = (32, 128, 512, 1024)  # labels that are flipped at a time


def luck(contest: Contest, rng: np.random.Generator) -> File:
    """Send coin files, and keep the one that is shown as the best."""
    for _ in range(contest.limit):
        contest.alone(rng.integers(0, 2, LABELS))
    assert contest.best is not None
    return contest.best


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
    contest: Contest,
    rng: np.random.Generator,
    accounts: int,
    tests: int | None = None,
) -> File:
    """Play the rank attack, with accounts that have so many files each.

    One account leads with the best file. Another sends it with one label
    flipped, each label in its turn, and leads if the flip was right. The
    next to try is always the one that has sent least and does not lead.
    Eve flips only labels that she is unsure of, if she knows the others;
    or a block of labels at a time, for as many tests as she wants.
    """
    best, sent = rng.integers(0, 2, LABELS), [0] * accounts
    labels = np.arange(LABELS)
    if contest.start is not None:
        labels = np.flatnonzero(contest.start == UNSURE)
        best = np.where(contest.start == UNSURE, best, contest.start)
    labels = labels[: 0 if accounts == 1 else None]  # nobody is behind
    blocks = odd_blocks(labels.tolist(), tests or LABELS)

    def send(account: int, file: File) -> Any:
        sent[account] += 1
        return contest.submit(account, file)

    leader, lead = 0, send(0, best)
    for block in blocks:
        behind = [one for one in range(accounts) if one != leader]
        chaser = min(behind, key=sent.__getitem__)
        if sent[chaser] == contest.each:
            break
        tried = with_turned(best, block)
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
