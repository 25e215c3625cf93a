"""Release histories: what a Ladder can release, how many ways there are, and codes that prove it.

A history is a tuple of releases in steps of eta, whole numbers from 0 to m, oldest first. A node at
depth t of the analyst's tree is a history of t - 1 releases; the root, at depth 1, is the empty one.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate, chain, combinations_with_replacement, pairwise

from leaderboard_edu._validation import TREE_MECHANISMS, function, grid_denominator, one_of, whole_number
from leaderboard_edu.mechanisms import Ladder, SimplifiedLadder

__all__ = ["HistoryCode", "InterleavedCode", "release_histories", "tree_size", "worst_tree_size"]

History = tuple[int, ...]
MECHANISMS = dict(zip(TREE_MECHANISMS, (Ladder, SimplifiedLadder), strict=True))


def _one_account(history: History) -> Hashable:
    """Choose the same account every time."""
    return 0


def _account(choose_account: Callable[[History], Hashable], history: History) -> Hashable:
    """Return the account that submits next, which must be hashable."""
    account = choose_account(history)
    try:
        hash(account)
    except TypeError:
        raise ValueError(f"choose_account must return something hashable, such as a name, got {account!r}") from None
    return account


@cache
def _followers(mechanism: str, m: int, best: int | None) -> History:
    """Return what the mechanism itself can release after `best`, over all counts of wrong labels of n = 2 m."""
    released = set()
    for wrong in range(2 * m + 1):
        account = MECHANISMS[mechanism]([0] * (2 * m), eta=Fraction(1, m))
        if best is not None:
            account.submit([i < 2 * best for i in range(2 * m)])
        released.add(round(account.submit([i < wrong for i in range(2 * m)]) * m))
    return tuple(sorted(released))


def release_histories(
    mechanism: str,
    *,
    eta: str | Fraction | float,
    k: int,
    choose_account: Callable[[History], Hashable] = _one_account,
) -> Iterator[History]:
    """Yield every history of fewer than `k` releases that the mechanism permits: the nodes of the tree.

    Parameters
    ----------
    mechanism : {"ladder", "simplified"}
        `Ladder` or `SimplifiedLadder`.
    eta : str, Fraction or float
        The grid 1/m of the releases.
    k : int
        The depth of the tree: the number of submissions.
    choose_account : callable
        Takes the history so far and names the account that submits next; one account by default.

    Yields
    ------
    tuple of int
        The releases in steps of eta, oldest first; every history comes after the one it extends.

    Returns
    -------
    iterator of tuple

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    The mechanism itself is asked, for every count of wrong labels of n = 2 m. With n >= 2 m labels
    all these releases are possible, and no other n permits more.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, proof of Theorem 3.1: the tree of an analyst.

    Examples
    --------
    >>> list(release_histories("ladder", eta="1/2", k=3))
    [(), (0,), (0, 0), (1,), (1, 1), (2,), (2, 0), (2, 1), (2, 2)]
    """
    one_of(mechanism, "mechanism", TREE_MECHANISMS)
    m, k = grid_denominator(eta, "eta"), whole_number(k, "k")
    function(choose_account, "choose_account")
    return _depth_first(mechanism, m, k, choose_account)


def _depth_first(mechanism: str, m: int, k: int, choose_account: Callable[[History], Hashable]) -> Iterator[History]:
    """Yield the histories, depth first, without recursion."""
    waiting: list[tuple[History, dict[Hashable, int]]] = [((), {})]
    while waiting:
        history, best = waiting.pop()
        yield history
        if len(history) < k - 1:
            account = _account(choose_account, history)
            for level in reversed(_followers(mechanism, m, best.get(account))):
                waiting.append(((*history, level), {**best, account: level}))


def tree_size(mechanism: str, *, eta: str | Fraction | float, k: int, accounts: int = 1) -> int:
    """Count the nodes of the analyst's tree down to depth `k`: all histories of fewer than `k` releases.

    Parameters
    ----------
    mechanism : {"ladder", "simplified"}
        `Ladder` or `SimplifiedLadder`.
    eta : str, Fraction or float
        The grid 1/m of the releases.
    k : int
        The number of submissions.
    accounts : int
        The number of accounts of the analyst, M.

    Returns
    -------
    int
        For one account the exact number that the mechanism permits: C(k+m, m+1) for the simplified
        Ladder, 2 C(k+m-1, m) - C(k+m-2, m-1) for the Ladder. For more accounts an upper bound over
        all analysts, for both: min(C(k+M'm, M'm+1), ((m+1)**k - 1) / m) with M' = min(M, k).

    Raises
    ------
    ValueError
        If an argument is not as described.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, Claim 3.2, and W. Zheng, 2015, section 5: upper bounds
    on the same number.

    Examples
    --------
    >>> tree_size("ladder", eta="1/2", k=3), tree_size("simplified", eta="1/2", k=3)
    (9, 10)
    >>> tree_size("simplified", eta="1/2", k=9, accounts=2)
    1287
    """
    one_of(mechanism, "mechanism", TREE_MECHANISMS)
    m, k, accounts = grid_denominator(eta, "eta"), whole_number(k, "k"), whole_number(accounts, "accounts")
    if accounts == 1:
        if mechanism == "simplified":
            return math.comb(k + m, m + 1)
        return 2 * math.comb(k + m - 1, m) - math.comb(k + m - 2, m - 1)
    drops = min(accounts, k) * m
    interleaved = math.comb(k + drops, drops + 1)
    if interleaved.bit_length() <= (k - 1) * ((m + 1).bit_length() - 1):
        return interleaved  # at most (m+1)**(k-1), so the other number, which is large, need not be computed
    return min(interleaved, int((m + 1) ** k - 1) // m)


def worst_tree_size(mechanism: str, *, eta: str | Fraction | float, k: int, accounts: int = 1) -> int:
    """Count the nodes of the largest tree that any deterministic analyst with `accounts` accounts can have.

    Parameters
    ----------
    mechanism : {"ladder", "simplified"}
        `Ladder` or `SimplifiedLadder`.
    eta : str, Fraction or float
        The grid 1/m of the releases.
    k, accounts : int
        The number of submissions, and of accounts, as for `tree_size`.

    Returns
    -------
    int
        Exact, by dynamic programming over the multiset of the accounts' last releases. The time
        grows with k and with the number C(m+1+M, M) of these multisets: for small cases.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    Which account submits next is the only choice of an analyst that matters here, and the number of
    nodes below a node depends only on the depth left and on the last release of each account.

    References
    ----------
    The trees of W. Zheng, 2015, section 5.

    Examples
    --------
    >>> worst_tree_size("simplified", eta="1/2", k=9)
    165
    >>> worst_tree_size("simplified", eta="1/2", k=9, accounts=2)
    921
    """
    one_of(mechanism, "mechanism", TREE_MECHANISMS)
    m, k, accounts = grid_denominator(eta, "eta"), whole_number(k, "k"), whole_number(accounts, "accounts")
    fresh = m + 1  # stands for an account that has not submitted yet
    states = list(combinations_with_replacement(range(m + 2), min(accounts, k)))
    nodes = dict.fromkeys(states, 1)
    for _ in range(k - 1):
        nodes = {
            state: 1
            + max(
                sum(
                    nodes[tuple(sorted((*state[:i], level, *state[i + 1 :])))]
                    for level in _followers(mechanism, m, None if best == fresh else best)
                )
                for i, best in enumerate(state)
            )
            for state in states
        }
    return nodes[(fresh,) * min(accounts, k)]


class _FixedLengthCode(ABC):
    """What the two codes share: checked arguments, fields of fixed width, padding, and one word for each history."""

    mechanism: str
    eta: str | Fraction | float
    k: int
    choose_account: Callable[[History], Hashable]

    def __post_init__(self) -> None:
        one_of(self.mechanism, "mechanism", TREE_MECHANISMS)
        grid_denominator(self.eta, "eta")
        whole_number(self.k, "k")

    @property
    def _m(self) -> int:
        return grid_denominator(self.eta, "eta")

    @property
    def _step_width(self) -> int:
        """The bits of a number from 0 to k - 1: a count of releases, or a step, 0 being the padding symbol."""
        return (self.k - 1).bit_length()

    @property
    @abstractmethod
    def _widths(self) -> list[int]:
        """The width in bits of each field of a word; the first is the number of releases."""

    @abstractmethod
    def _fields(self, history: History, last: list[int | None]) -> list[int]:
        """Return the numbers that follow the number of releases; `last` holds the release before each step."""

    @abstractmethod
    def _replay(self, count: int, fields: list[int]) -> History:
        """Return the history that the numbers of a word describe; refuse an impossible step."""

    @property
    def length(self) -> int:
        """The length of every word, in bits."""
        return sum(self._widths)

    def encode(self, history: Sequence[int]) -> str:
        """Return the word of a history, a string of zeros and ones."""
        try:
            levels = tuple(whole_number(level, f"history[{i}]", least=0) for i, level in enumerate(history))
        except TypeError:
            raise ValueError(f"history must be a sequence of whole numbers, got {history!r}") from None
        if len(levels) >= self.k:
            raise ValueError(f"history must have fewer than k = {self.k} releases, got {len(levels)}")
        fields = [len(levels), *self._fields(levels, self._last_releases(levels))]
        fields += [0] * (len(self._widths) - len(fields))
        return "".join(format(field, f"0{width}b") for field, width in zip(fields, self._widths, strict=True) if width)

    def decode(self, bits: str) -> History:
        """Return the history of a word."""
        if not isinstance(bits, str) or set(bits) - {"0", "1"} or len(bits) != self.length:
            raise ValueError(f"bits must be a string of {self.length} characters 0 and 1, got {bits!r}")
        ends = list(accumulate(self._widths, initial=0))
        count, *fields = (int(bits[start:end] or "0", 2) for start, end in pairwise(ends))
        if count >= self.k:
            raise ValueError(f"bits must be of fewer than k = {self.k} releases, got {count} in {bits!r}")
        history = self._replay(count, fields)
        if (word := self.encode(history)) != bits:
            raise ValueError(f"bits must list each change once, in order, then padding: {word!r}, got {bits!r}")
        return history

    def _last_releases(self, history: History) -> list[int | None]:
        """Return the release that the submitting account saw before each step; refuse an impossible step."""
        best: dict[Hashable, int] = {}
        last = []
        for t, level in enumerate(history):
            account = _account(self.choose_account, history[:t])
            last.append(best.get(account))
            self._check_step(t + 1, level, last[t], "history")
            best[account] = level
        return last

    def _check_step(self, step: int, level: int, last: int | None, name: str) -> None:
        """Refuse a release that cannot follow the last one of the same account."""
        if level not in _followers(self.mechanism, self._m, last):
            before = "first" if last is None else f"after {last}"
            raise ValueError(
                f"{name} must be what {self.mechanism!r} can release with eta = 1/{self._m}; "
                f"at step {step} got {level} {before}"
            )


@dataclass(frozen=True)
class HistoryCode(_FixedLengthCode):
    """Blum and Hardt's code: every node of the tree of one account as a word of fixed length.

    A word says how many releases the history has, and then, for each change of the release, at which
    step it happened and what was released. Unused places are filled with zeros: a step 0 is the
    padding symbol.

    Attributes
    ----------
    mechanism : {"ladder", "simplified"}
        `Ladder`, with at most m changes, or `SimplifiedLadder`, with at most m + 1.
    eta : str, Fraction or float
        The grid 1/m of the releases.
    k : int
        The depth of the tree; histories have fewer than `k` releases.

    Raises
    ------
    ValueError
        If an argument is not as described; from `encode` and `decode`, if the mechanism could not
        have produced the history, naming the step.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, proof of Claim 3.2, with the padding symbol added.

    Examples
    --------
    >>> code = HistoryCode("ladder", eta="1/2", k=4)
    >>> code.encode((2, 2, 1))
    '1101101101'
    >>> code.decode("1101101101")
    (2, 2, 1)
    >>> code.length, code.budget
    (10, 20.0)
    """

    mechanism: str
    eta: str | Fraction | float
    k: int
    choose_account = staticmethod(_one_account)

    @property
    def budget(self) -> float:
        """The paper's B = (m + 2) log2(4 k m), in bits."""
        return (self._m + 2) * math.log2(4 * self.k * self._m)

    @property
    def _widths(self) -> list[int]:
        changes = self._m if self.mechanism == "ladder" else self._m + 1
        return [self._step_width] + [self._step_width, self._m.bit_length()] * changes

    def _fields(self, history: History, last: list[int | None]) -> list[int]:
        steps = enumerate(zip(history, last, strict=True), start=1)
        return list(chain.from_iterable((step, level) for step, (level, before) in steps if level != before))

    def _replay(self, count: int, fields: list[int]) -> History:
        released = dict(zip(fields[::2], fields[1::2], strict=True))
        history: list[int] = []
        for step in range(1, count + 1):
            if step == 1 and step not in released:
                raise ValueError(f"bits must say what is released first; at step 1 got nothing in {fields}")
            last = history[-1] if history else None
            history.append(released[step] if last is None else released.get(step, last))
            self._check_step(step, history[-1], last, "bits")
        return tuple(history)


@dataclass(frozen=True)
class InterleavedCode(_FixedLengthCode):
    """Zheng's code: every node of the tree of an analyst with several accounts as a word of fixed length.

    A word says how many releases the history has, and then lists steps only: the step of a change
    once for every eta by which the release of the account fell, an account starting at 1. Which
    account it was, the decoder finds out by asking the analyst. Unused places are filled with the
    step 0, the padding symbol.

    Attributes
    ----------
    mechanism : {"ladder", "simplified"}
        `Ladder` or `SimplifiedLadder`.
    eta : str, Fraction or float
        The grid 1/m of the releases.
    k : int
        The depth of the tree; histories have fewer than `k` releases.
    accounts : int
        The largest number of accounts that the analyst uses.
    choose_account : callable
        The analyst: takes the history so far and names the account that submits next.

    Raises
    ------
    ValueError
        If an argument is not as described; from `encode` and `decode`, if the mechanism could not
        have produced the history, naming the step, or if the analyst uses more accounts.

    References
    ----------
    W. Zheng, Toward a Better Understanding of Leaderboard, 2015, section 5, with the padding symbol.

    Examples
    --------
    >>> in_turns = lambda history: len(history) % 2
    >>> code = InterleavedCode("simplified", eta="1/2", k=4, accounts=2, choose_account=in_turns)
    >>> code.encode((1, 2, 0))
    '1101110000'
    >>> code.decode("1101110000")
    (1, 2, 0)
    >>> code.length, code.budget
    (10, 15.0)
    """

    mechanism: str
    eta: str | Fraction | float
    k: int
    accounts: int
    choose_account: Callable[[History], Hashable]

    def __post_init__(self) -> None:
        super().__post_init__()
        whole_number(self.accounts, "accounts")
        function(self.choose_account, "choose_account")

    @property
    def budget(self) -> float:
        """The paper's (M m + 1) log2(2 k), in bits."""
        return (self.accounts * self._m + 1) * math.log2(2 * self.k)

    @property
    def _widths(self) -> list[int]:
        return [self._step_width] * (1 + min(self.accounts, self.k) * self._m)

    def _fields(self, history: History, last: list[int | None]) -> list[int]:
        used = {self.choose_account(history[:t]) for t in range(len(history))}
        if len(used) > self.accounts:
            raise ValueError(f"choose_account must use at most {self.accounts} accounts, got {len(used)}")
        falls = [(self._m if before is None else before) - level for before, level in zip(last, history, strict=True)]
        return [step for step, fall in enumerate(falls, start=1) for _ in range(fall)]

    def _replay(self, count: int, fields: list[int]) -> History:
        falls = Counter(fields)
        best: dict[Hashable, int] = {}
        history: list[int] = []
        for step in range(1, count + 1):
            account = _account(self.choose_account, tuple(history))
            last = best.get(account)
            level = (self._m if last is None else last) - falls[step]
            self._check_step(step, level, last, "bits")  # before the analyst is asked about an impossible history
            best[account] = level
            history.append(level)
        return tuple(history)
