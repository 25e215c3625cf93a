"""What crosses between a student's process and the tests is data, whatever is sent."""

import socket
import struct
import threading
from fractions import Fraction

import msgpack
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from instructor.wire import DEPTH, LARGEST, GoneError, Handle, RemoteError, Wire


def told(error):
    return type(error).__name__, str(error)


class Other:
    """What the other end starts with."""

    def same(self, value):
        return value

    def draw(self, rng):
        return rng.random()

    def call(self, function, *arguments, **named):
        return function(*arguments, **named)

    def attribute(self, thing, name):
        return getattr(thing, name)

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


@pytest.mark.parametrize(
    "value",
    [
        Whole(3),
        Rows(3),
        object(),
        [].append,
        range(3),
        iter([]),
        type,
        np.array([object()]),
        np.zeros(2, dtype="i4,i4"),
    ],
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
