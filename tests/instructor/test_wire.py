"""What crosses between a student's process and the tests is data, whatever is sent."""

import socket
import struct
import threading
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import msgpack
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from instructor.wire import DEPTH, GENERATOR, LARGEST, GoneError, Handle, RemoteError, Wire, _plain


def told(error):
    return type(error).__name__, str(error)


class Other:
    """What the other end starts with."""

    def same(self, value):
        return value

    def draw(self, rng):
        return rng.random()

    def spawn(self, rng):
        return rng.spawn(1)[0].random()

    def call(self, function, *arguments, **named):
        return function(*arguments, **named)

    def attribute(self, thing, name):
        return getattr(thing, name)

    def lazily(self, function):
        return [map(function, [np.arange(2), 1]), (function(part) for part in "ab")]

    def keep(self, function):
        self.kept = function

    def later(self):
        return self.kept()

    def fail(self):
        raise KeyError("no such thing")

    def object(self):
        return threading.Event()


@pytest.fixture
def wire():
    """One end, whose other end answers in a thread."""
    ours, theirs = socket.socketpair()

    def serve():
        with pytest.raises(GoneError):
            Wire(theirs, told, Other(), open_objects=True).serve()

    thread = threading.Thread(target=serve)
    thread.start()
    wire = Wire(ours, told)
    yield wire
    ours.shutdown(socket.SHUT_RDWR)
    ours.close()
    thread.join()


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -5,
        2**64,
        -(2**200),
        1.5,
        "text",
        b"bytes",
        (1, (2, [3])),
        {(1, 2): 3.0, "a": {1, 2}},
        frozenset({1}),
        Fraction(-1, 3),
        1 + 2j,
        np.int8(3),
        np.float64(0.1),
        np.bool_(True),
        np.str_("ab"),
        np.datetime64("2020-01-01"),
    ],
    ids=repr,
)
def test_data_crosses(wire, value):
    back = wire.root.same(value)
    assert (back, type(back)) == (value, type(value))


@pytest.mark.parametrize("dtype", ["?", "i1", "<u8", ">i4", "f4", "c16", "U3", "S2", "m8[s]"])
def test_arrays_cross(wire, dtype):
    for shape in [(), (0, 3), (2, 3)]:
        array = np.zeros(shape, dtype=dtype)
        back = wire.root.same(array)
        assert (back.shape, back.dtype, type(back)) == (shape, array.dtype, np.ndarray)
        assert np.array_equal(back, array)
    back = wire.root.same(np.arange(12).reshape(3, 4).T)
    assert np.array_equal(back, np.arange(12).reshape(3, 4).T)
    back[0] = 0  # it can be written to


@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_generators_go_on(wire, kind):
    """What the other end draws is drawn here, too."""
    here, there = (np.random.Generator(kind(3)) for _ in range(2))
    there.integers(10, dtype=np.int32)  # half of a word is kept for the next one
    here.integers(10, dtype=np.int32)
    assert [wire.root.draw(there), there.random(), wire.root.draw(there)] == [here.random() for _ in range(3)]


class Whole(int):
    """A whole number with methods of its own."""


class Rows(np.ndarray):
    """An array with methods of its own."""


class Pair(NamedTuple):
    """A tuple whose parts have names."""

    first: int
    second: int


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Whole(3), 3),
        (Pair(1, 2), (1, 2)),
        (Counter("aab"), {"a": 2, "b": 1}),
        (range(3), [0, 1, 2]),
        ({1: 2}.values(), [2]),
        (Decimal("0.10"), Decimal("0.10")),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_like_data_crosses_as_data(wire, value, plain):
    back = wire.root.same(value)
    assert (back, type(back)) == (plain, type(plain))


def test_parts_that_come_one_by_one_cross_as_a_list(wire):
    assert wire.root.same(map(abs, [-1, 2])) == [1, 2]
    assert wire.root.same(bit for bit in (0, 1)) == [0, 1]


def test_arrays_of_objects_cross(wire):
    array = np.array([[Fraction(1, 3), 2**80], [None, (1, 2)]], dtype=object)
    back = wire.root.same(array)
    assert (back.shape, back.dtype, back.tolist()) == (array.shape, array.dtype, array.tolist())
    back = wire.root.same(np.zeros(3).view(Rows))
    assert (type(back), back.tolist()) == (np.ndarray, [0, 0, 0])


def test_generators_have_children_of_their_own(wire):
    first, second = (wire.root.spawn(np.random.default_rng(seed)) for seed in (1, 2))
    assert first != second
    assert first == wire.root.spawn(np.random.default_rng(1))


@pytest.mark.parametrize(("kind", "place"), [("MT19937", 10**6), ("MT19937", -5), ("Philox", 9), ("Philox", -1)])
def test_a_generator_is_not_read_beyond_its_numbers(kind, place):
    here, there = (Wire(end, told) for end in socket.socketpair())
    state = _plain(getattr(np.random, kind)(3).state)
    inner = state["state"] if kind == "MT19937" else state
    inner["pos" if kind == "MT19937" else "buffer_pos"] = place
    body = msgpack.ExtType(GENERATOR, there._pack(state, []))
    message = msgpack.packb([2, body, []])
    there._socket.sendall(struct.pack("<I", len(message)) + message)
    with pytest.raises(GoneError, match="no such state"):
        here._receive()


@pytest.mark.parametrize(
    "value",
    [object(), [].append, iter([]), type, np.zeros(2, dtype="i4,i4")],
    ids=lambda value: type(value).__name__,
)
def test_anything_else_stays(value):
    """The other end gets a handle; handed back it is the object itself."""
    here, there = (Wire(end, told) for end in socket.socketpair())
    there._send([2, value, []])
    kind, handle, _ = here._receive()
    assert (kind, type(handle)) == (2, Handle)
    assert repr(handle) == f"<{type(value).__name__}>"
    here._send([2, [handle], []])
    assert there._receive()[1][0] is value


def test_functions_are_called_back(wire):
    seen = []

    def submit(vector, *, again=1):
        seen.append((vector, again))
        return wire.root.same(len(vector)) * again

    assert wire.root.call(submit, [0, 1], again=3) == 6
    assert seen == [([0, 1], 3)]


def test_only_one_end_gives_out_attributes(wire):
    event = wire.root.object()
    assert event.is_set() is False
    with pytest.raises(AttributeError, match="_cond"):
        _ = event._cond
    with pytest.raises(RemoteError, match="no attribute _cond"):
        wire.ask(1, event._number, ("_cond",), {})
    for name in ("__closure__", "labels"):
        with pytest.raises(RemoteError, match=f"no attribute {name}"):
            wire.root.attribute(lambda: 0, name)


def test_what_was_withdrawn_cannot_be_called(wire):
    assert wire.root.keep(lambda: 7) is None
    assert wire.root.later() == 7
    wire.withdraw()
    with pytest.raises(RemoteError, match="can no longer be called"):
        wire.root.later()


def test_what_is_made_while_it_is_packed(wire):
    """Parts that come one by one, by calls of the other end."""
    assert wire.root.lazily(repr) == [["array([0, 1])", "1"], ["'a'", "'b'"]]


def test_errors_cross_as_text(wire):
    with pytest.raises(RemoteError, match="no such thing") as caught:
        wire.root.fail()
    assert caught.value.kind == "KeyError"


def test_calls_inside_each_other_end(wire):
    depth = []

    def down():
        depth.append(1)
        return wire.root.call(down)

    with pytest.raises(RemoteError, match="calls inside each other"):
        wire.root.call(down)
    assert len(depth) == DEPTH


def test_too_much_is_refused(wire):
    wire.root.same(bytes(LARGEST - 1000))
    with pytest.raises(ValueError, match="64 MB are too much"):
        wire.root.same(bytes(LARGEST))


def received(body, size=None):
    """Return what one end makes of bytes from the other."""
    here, there = socket.socketpair()
    with here, there:
        there.sendall(struct.pack("<I", len(body) if size is None else size) + body)
        there.shutdown(socket.SHUT_WR)
        return Wire(here, told)._receive()


@given(
    st.binary(max_size=200)
    | st.recursive(
        st.none() | st.integers(-9, 9) | st.text(max_size=3) | st.binary(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.text(max_size=2), inner, max_size=2)
            | st.builds(msgpack.ExtType, st.integers(0, 12), st.binary(max_size=9) | inner.map(msgpack.packb))
        ),
        max_leaves=8,
    ).map(msgpack.packb)
)
def test_any_bytes_are_a_message_or_the_end(body):
    try:
        what, *_ = received(body)
    except GoneError:
        return
    assert what in range(4)


@pytest.mark.parametrize("body", [b"", b"\xc1", msgpack.packb([2, 5, []])])
def test_lengths(body):
    for size in (len(body) + 1, LARGEST + 1, 2**32 - 1):
        with pytest.raises(GoneError):
            received(body, size)
    assert msgpack.packb([2, 5, []]) != body or received(body) == [2, 5, []]


@pytest.mark.parametrize(
    "message",
    [
        [4, 5, []],
        [2, 5],
        [2, 5, 5],
        [3, 5, "x"],
        [0, 0, [], []],
        [0, "0", [], {}],
        [True, 0, [], {}, []],
        5,
        [[], 5, []],
    ],
)
def test_what_is_no_message(message):
    with pytest.raises(GoneError):
        received(msgpack.packb(message))
