"""Release histories and the two codes: every history has one word, and every other string is refused."""

import re
from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import leaderboard_edu as le

names = st.sampled_from(["ladder", "simplified"])


def in_turns(history):
    return len(history) % 2


def by_the_last_release(history):
    return history[-1:]


def only_asked_about_nodes(mechanism, eta, k):
    """Return an analyst that knows the inner nodes of its own tree and fails when it is asked about anything else."""
    inner = le.release_histories(mechanism, eta=eta, k=k - 1, choose_account=in_turns)
    return {history: in_turns(history) for history in inner}.__getitem__


CODES = [
    le.HistoryCode("ladder", eta="1/2", k=4),
    le.HistoryCode("ladder", eta="1/2", k=5),
    le.HistoryCode("ladder", eta=1, k=8),
    le.HistoryCode("simplified", eta="1/2", k=3),
    le.HistoryCode("simplified", eta=1, k=6),
    *(
        le.InterleavedCode(name, eta=eta, k=k, accounts=2, choose_account=analyst)
        for name, (eta, k) in product(("ladder", "simplified"), (("1/2", 4), ("1/2", 3), (1, 6)))
        for analyst in (in_turns, only_asked_about_nodes(name, eta, k))
    ),
    le.InterleavedCode("simplified", eta=1, k=5, accounts=3, choose_account=by_the_last_release),
]


def analyst_of(code):
    return {"choose_account": code.choose_account} if isinstance(code, le.InterleavedCode) else {}


@pytest.mark.parametrize("code", CODES)
def test_only_the_words_of_histories_are_accepted(code):
    """Each string of the right length is the word of one history or is refused: no other error, no second word."""
    accepted, refusals = set(), set()
    for bits in map("".join, product("01", repeat=code.length)):
        try:
            history = code.decode(bits)
        except ValueError as refusal:
            refusals.add(str(refusal))
        else:
            assert code.encode(history) == bits
            accepted.add(history)
    assert all(re.match("(bits|choose_account) must ", refusal) for refusal in refusals)
    assert accepted == set(le.release_histories(code.mechanism, eta=code.eta, k=code.k, **analyst_of(code)))


@given(name=names, m=st.integers(1, 40), k=st.integers(1, 10**6), seed=st.integers(0, 2**32 - 1))
def test_round_trip(name, m, k, seed):
    """Releases of the mechanisms themselves, two accounts in turns, survive both codes; numpy integers will do."""
    rng = np.random.default_rng(seed)
    ladder = {"ladder": le.Ladder, "simplified": le.SimplifiedLadder}[name]
    accounts = [ladder(np.zeros(2 * m), eta=1 / m) for _ in range(2)]
    releases = int(rng.integers(min(k, 12)))
    shown = [accounts[t % 2].submit(rng.integers(2, size=2 * m)) for t in range(releases)]
    history = np.rint(np.array(shown) * m).astype(np.int64)
    both = le.InterleavedCode(name, eta=1 / m, k=k, accounts=2, choose_account=in_turns)
    one = le.HistoryCode(name, eta=1 / m, k=k)
    for code, played in ((both, history), (one, history[::2])):
        decoded = code.decode(code.encode(played))
        assert decoded == tuple(played)
        assert all(type(level) is int for level in decoded)


def test_one_submission():
    """With k = 1 nothing has been released: steps need no bits, and the only word is padding."""
    for name in ("ladder", "simplified"):
        code = le.InterleavedCode(name, eta="1/2", k=1, accounts=3, choose_account=pytest.fail)
        assert (code.length, code.encode(()), code.decode("")) == (0, "", ())
        code = le.HistoryCode(name, eta=1, k=1)
        assert code.encode(()) == "0" * code.length
        assert code.decode(code.encode(())) == ()


LADDER = le.HistoryCode("ladder", eta="1/2", k=4)
SIMPLIFIED = le.HistoryCode("simplified", eta="1/2", k=4)
TURNS = le.InterleavedCode("ladder", eta="1/2", k=4, accounts=2, choose_account=in_turns)
IMPOSSIBLE = "history must be what 'ladder' can release with eta = 1/2; at step "
BAD_HISTORIES = {
    "too long": (LADDER, (2, 2, 2, 2), "history must have fewer than k = 4 releases, got 4"),
    "a fraction": (LADDER, (2, 1.5), "history[1] must be a whole number of at least 0, got 1.5"),
    "a whole float": (LADDER, (2.0,), "history[0] must be a whole number of at least 0, got 2.0"),
    "a bool": (LADDER, (2, 1, True), "history[2] must be a whole number of at least 0, got True"),
    "negative": (LADDER, (2, -1), "history[1] must be a whole number of at least 0, got -1"),
    "nothing": (LADDER, None, "history must be a sequence of whole numbers, got None"),
    "a number": (LADDER, 2, "history must be a sequence of whole numbers, got 2"),
    "a string": (LADDER, "21", "history[0] must be a whole number of at least 0, got '2'"),
    "above m": (LADDER, (3,), IMPOSSIBLE + "1 got 3 first"),
    "rises": (LADDER, (2, 1, 2), IMPOSSIBLE + "3 got 2 after 1"),
    "0 after 1": (LADDER, (2, 1, 0), IMPOSSIBLE + "3 got 0 after 1"),
    "rises, simplified": (SIMPLIFIED, (1, 2), IMPOSSIBLE.replace("ladder", "simplified") + "2 got 2 after 1"),
    "0 after 1 of the same account": (TURNS, (1, 2, 0), IMPOSSIBLE + "3 got 0 after 1"),
    "rises, same account": (TURNS, (1, 2, 2), IMPOSSIBLE + "3 got 2 after 1"),
}


@pytest.mark.parametrize(("code", "history", "message"), BAD_HISTORIES.values(), ids=BAD_HISTORIES)
def test_encode_refuses(code, history, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        code.encode(history)


def test_each_account_has_its_own_last_release():
    assert TURNS.decode(TURNS.encode((1, 2, 1))) == (1, 2, 1)
    assert SIMPLIFIED.decode(SIMPLIFIED.encode((2, 1, 0))) == (2, 1, 0)


# A word of LADDER: two bits for the number of releases, then twice a step in two bits and a release in two bits.
# A word of TURNS: two bits for the number of releases, then four times a step in two bits.
ONCE = "bits must list each change once, in order, then padding: "
NOT_A_WORD = "bits must be a string of 10 characters 0 and 1, got "
BAD_BITS = {
    "too short": (LADDER, "0" * 9, NOT_A_WORD + repr("0" * 9)),
    "too long": (TURNS, "0" * 11, NOT_A_WORD + repr("0" * 11)),
    "another character": (LADDER, "11 01 1011", NOT_A_WORD + "'11 01 1011'"),
    "other digits": (TURNS, "٠" * 10, NOT_A_WORD + repr("٠" * 10)),
    "bytes": (LADDER, b"0" * 10, NOT_A_WORD + repr(b"0" * 10)),
    "list": (LADDER, ["0"] * 10, NOT_A_WORD + repr(["0"] * 10)),
    "nothing": (TURNS, None, NOT_A_WORD + "None"),
    "padding before the change": (LADDER, "1000000110", ONCE + "'1001100000', got '1000000110'"),
    "a release beside the padding": (LADDER, "1001100001", ONCE + "'1001100000', got '1001100001'"),
    "changes out of order": (LADDER, "1110010110", ONCE + "'1101101001', got '1110010110'"),
    "a change repeated": (LADDER, "1101100110", ONCE + "'1101100000', got '1101100110'"),
    "no change at all": (LADDER, "1101101010", ONCE + "'1101100000', got '1101101010'"),
    "a change after the end": (LADDER, "0101101101", ONCE + "'0101100000', got '0101101101'"),
    "no first release": (LADDER, "1010010000", "bits must say what is released first; at step 1 got nothing in "),
    "0 after 1": (
        LADDER,
        "1101011000",
        "bits must be what 'ladder' can release with eta = 1/2; at step 2 got 0 after 1",
    ),
    "above m": (LADDER, "0101110000", "bits must be what 'ladder' can release with eta = 1/2; at step 1 got 3 first"),
    "falls out of order": (TURNS, "1110010000", ONCE + "'1101100000', got '1110010000'"),
    "padding before the fall": (TURNS, "1100010000", ONCE + "'1101000000', got '1100010000'"),
    "falls below 0": (
        TURNS,
        "1101010100",
        "bits must be what 'ladder' can release with eta = 1/2; at step 1 got -1 first",
    ),
    "0 after 1, same account": (
        TURNS,
        "1101110000",
        "bits must be what 'ladder' can release with eta = 1/2; at step 3 got 0 after 1",
    ),
}


@pytest.mark.parametrize(("code", "bits", "message"), BAD_BITS.values(), ids=BAD_BITS)
def test_decode_refuses(code, bits, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        code.decode(bits)


@pytest.mark.parametrize("code", [le.HistoryCode("ladder", eta="1/2", k=3), CODES[8]])
def test_decode_refuses_more_releases_than_the_tree_is_deep(code):
    with pytest.raises(ValueError, match=rf"^bits must be of fewer than k = {code.k} releases, got 3 in "):
        code.decode("11" + "0" * (code.length - 2))


def test_too_many_accounts():
    code = le.InterleavedCode("simplified", eta="1/2", k=5, accounts=2, choose_account=lambda history: len(history) % 3)
    assert code.decode(code.encode((2, 1))) == (2, 1)
    with pytest.raises(ValueError, match=r"^choose_account must use at most 2 accounts, got 3$"):
        code.encode((2, 1, 2))
    with pytest.raises(ValueError, match=r"^choose_account must use at most 2 accounts, got 3$"):
        code.decode("011" + "000" * 4)


def test_account_must_be_hashable():
    def choose_account(history):
        return ["ann"]

    code = le.InterleavedCode("ladder", eta="1/2", k=4, accounts=2, choose_account=choose_account)
    message = r"^choose_account must return something hashable.* got \['ann'\]$"
    with pytest.raises(ValueError, match=message):
        code.encode((2,))
    with pytest.raises(ValueError, match=message):
        code.decode("0100000000")
    with pytest.raises(ValueError, match=message):
        list(le.release_histories("ladder", eta="1/2", k=4, choose_account=choose_account))


def test_errors_of_the_analyst_are_passed_on():
    code = le.InterleavedCode("ladder", eta="1/2", k=4, accounts=2, choose_account={(): "ann"}.__getitem__)
    with pytest.raises(KeyError, match=r"\(2,\)"):
        code.encode((2, 1))


@pytest.mark.parametrize("code", CODES[:1] + CODES[5:6])
def test_codes_are_frozen(code):
    with pytest.raises(AttributeError):
        code.k = 5


@pytest.mark.parametrize("analyst", [{}, {"choose_account": in_turns}, {"choose_account": by_the_last_release}])
@pytest.mark.parametrize("name", ["ladder", "simplified"])
def test_order(name, analyst):
    """In lexicographic order, so every history comes after the one it extends; none is missing and none comes twice."""
    histories = list(le.release_histories(name, eta="1/3", k=5, **analyst))
    assert histories == sorted(set(histories))
    assert all(history[:-1] in histories for history in histories[1:])
    assert {type(level) for history in histories for level in history} == {int}


def test_accounts_do_not_share_a_release():
    """With a fresh account for each submission every history is possible; with two in turns, each account's falls."""
    fresh = le.release_histories("ladder", eta="1/2", k=4, choose_account=len)
    assert set(fresh) == {history for t in range(4) for history in product(range(3), repeat=t)}
    turns = set(le.release_histories("simplified", eta="1/2", k=4, choose_account=in_turns))
    assert turns == {
        history for t in range(4) for history in product(range(3), repeat=t) if t < 3 or history[2] <= history[0]
    }


def test_laziness():
    """The first histories of a tree that could never be listed, and an analyst asked about those and no other."""
    asked = []

    def choose_account(history):
        asked.append(history)
        return 0

    histories = le.release_histories("simplified", eta="1/100", k=10**9, choose_account=choose_account)
    assert asked == []
    assert list(islice(histories, 4)) == [(0,) * t for t in range(4)]
    assert asked == [(0,) * t for t in range(3)]


def test_the_deepest_histories_ask_nothing():
    asked = []
    histories = list(le.release_histories("ladder", eta="1/2", k=3, choose_account=lambda h: asked.append(h)))
    assert sorted(asked) == sorted(history for history in histories if len(history) < 2)


def test_arguments_are_checked_before_the_first_history():
    with pytest.raises(ValueError, match=r"^k must be"):
        le.release_histories("ladder", eta="1/2", k=0)


@given(name=names, m=st.integers(1, 3), k=st.integers(1, 7), accounts=st.integers(1, 3))
def test_trees_grow(name, m, k, accounts):
    """More submissions, accounts or steps: more nodes, exactly and in the bound; one submission is one node."""

    def sizes(**changed):
        given = {"eta": 1 / m, "k": k, "accounts": accounts, **changed}
        return le.tree_size(name, **given), le.worst_tree_size(name, **given)

    bound, worst = sizes()
    assert bound >= worst
    for changed in ({"k": k + 1}, {"accounts": accounts + 1}, {"eta": 1 / (m + 1)}):
        assert all(after >= before for after, before in zip(sizes(**changed), (bound, worst), strict=True))
    assert sizes(k=1) == (1, 1)


@pytest.mark.parametrize("k", [1, 2, 5, 30])
def test_accounts_beyond_the_submissions_do_not_matter(k):
    sizes = {le.tree_size("ladder", eta="1/3", k=k, accounts=accounts) for accounts in (max(2, k), 10**6)}
    assert len(sizes) == 1
    if k <= 5:
        full = (4**k - 1) // 3
        assert le.worst_tree_size("ladder", eta="1/3", k=k, accounts=10**6) == full == sizes.pop()
