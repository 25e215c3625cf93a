"""Two processes that call each other's functions over a socket, of which one trusts nothing that the other says.

What crosses is data: None, booleans, numbers, strings, bytes, tuples, lists, sets, dicts, fractions, decimals, NumPy
arrays and scalars, and random generators, whose state comes back after the call. What is like them, such as a named
tuple or a range, crosses as the plain one, and what yields its parts one by one as a list. Anything else stays where it
is, and the other side gets a handle, to call it by. Nothing that arrives can be code, or have methods of its own.
"""

from __future__ import annotations

import os
import socket
import struct
import threading
import zlib
from collections import deque
from collections.abc import Callable, ItemsView, KeysView, ValuesView
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial
from itertools import islice
from types import GeneratorType
from typing import Any

import msgpack
import numpy as np

LARGEST = 64 * 10**6  # bytes of a message
DEPTH = 20  # calls inside each other
PLAIN = "biufcSUmM"  # kinds of arrays that hold their numbers and letters themselves
KINDS = (int, float, complex, str, bytes, tuple, list, dict, set, frozenset)
ONE_BY_ONE = (range, map, zip, filter, enumerate, reversed, GeneratorType, deque, KeysView, ValuesView, ItemsView)
LONGEST = 10**6  # parts that come one by one
GENERATORS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")
ROOT = 0  # the object that one end offers from the start
CALL, GET, VALUE, ERROR = range(4)
FORMS = {CALL: (int, list, dict), GET: (int, list, dict), VALUE: (list,), ERROR: (str, str)}  # of a value any
TUPLE, SET, FROZENSET, INTEGER, COMPLEX, FRACTION, ARRAY, SCALAR, GENERATOR, OURS, YOURS, DECIMAL, OBJECTS = range(13)


class GoneError(Exception):
    """The other process has ended, or does not keep to the rules."""


class RemoteError(Exception):
    """What the other process raised: `kind` is the name of the exception, and the text what it said."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class Handle:
    """An object that the other process keeps. It can be called, and has the attributes that the other end gives out."""

    def __init__(self, wire: Wire, number: int, name: str) -> None:
        self._wire, self._number, self._name = wire, number, name

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._wire.ask(CALL, self._number, arguments, named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{self!r} has no attribute {name}")
        return self._wire.ask(GET, self._number, (name,), {})

    def __repr__(self) -> str:
        return f"<{self._name}>"


class Wire:
    """One end of the socket.

    `root` is the object that the other end starts from, if there is one. `open_objects` gives out the attributes of
    objects, too: without it they can be called, and no more. `describe` makes kind and text of an exception.
    """

    def __init__(
        self,
        end: socket.socket,
        describe: Callable[[BaseException], tuple[str, str]],
        root: object = None,
        *,
        open_objects: bool = False,
    ) -> None:
        self._socket, self._file = end, end.makefile("rb", buffering=1 << 16)
        self._describe, self._open = describe, open_objects
        self._offered: dict[int, Any] = {ROOT: root}
        self._next = ROOT + 1
        self._passed: list[np.random.Generator] = []  # in the message that is being packed
        self._arrived: list[np.random.Generator] = []  # in the one that came last
        self._unpack = partial(msgpack.unpackb, ext_hook=self._part, strict_map_key=False)
        self._packer = msgpack.Packer(default=self._other, strict_types=True)
        self._turn = threading.RLock()  # whoever holds it may speak
        self._owner = os.getpid()
        self._depth = 0

    @property
    def root(self) -> Handle:
        """What the other end starts with."""
        return Handle(self, ROOT, "the other process")

    def withdraw(self) -> None:
        """Take back all that was offered but the root."""
        self._offered = {ROOT: self._offered[ROOT]}

    def ask(self, what: int, number: int, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Ask for a call or an attribute, answer what the other end asks meanwhile, and return what it is."""
        generators: list[np.random.Generator] = []
        with self._turn:
            self._send([what, number, list(arguments), named], generators)
            while True:
                message = self._receive()
                if message[0] in (CALL, GET):
                    self._answer(message)
                    continue
                kind, value, more = message
                if kind == ERROR:
                    raise RemoteError(str(value)[:100], str(more))
                for generator, state in zip(generators, more, strict=False):
                    _set(generator, state)
                return value

    def serve(self) -> None:
        """Answer until the other end is gone."""
        self._turn.acquire()
        while True:
            self._answer(self._receive(), between=True)

    def _answer(self, message: list[Any], *, between: bool = False) -> None:
        """Answer one question; other threads may ask something of their own only while it runs `between` others."""
        what, number, arguments, named, generators = message
        if number not in self._offered:  # it was withdrawn: a function may be kept and called later
            self._send([ERROR, "RuntimeError", "this function can no longer be called"])
            return
        self._depth += 1
        try:
            if self._depth > DEPTH:
                raise RecursionError(f"{DEPTH} calls inside each other")
            target = self._offered[number]
            if between:
                self._turn.release()
            try:
                if what == CALL:
                    value = target(*arguments, **named)
                elif self._open and not str(arguments[0]).startswith("_"):
                    value = getattr(target, arguments[0])
                else:
                    raise AttributeError(f"it has no attribute {arguments[0]}")
            finally:
                if between:
                    self._turn.acquire()
            states = [generator.bit_generator.state for generator in generators]
            self._send([VALUE, value, states])
        except GoneError:
            raise
        except BaseException as error:  # an answer may call `sys.exit`
            self._send([ERROR, *self._describe(error)])
        finally:
            self._depth -= 1

    def _send(self, message: list[Any], generators: list[np.random.Generator] | None = None) -> None:
        if os.getpid() != self._owner:  # a copy of this process that somebody forked
            os._exit(1)
        body = self._pack(message, [] if generators is None else generators)
        if len(body) > LARGEST:
            raise ValueError(f"{len(body) / 10**6:.0f} MB are too much: at most {LARGEST // 10**6} MB can be passed on")
        try:
            self._socket.sendall(struct.pack("<I", len(body)) + body)
        except OSError as error:
            raise GoneError(str(error)) from error

    def _receive(self) -> list[Any]:
        """Return a message; to a question the generators in it are added."""
        try:
            head = self._file.read(4)
            size = struct.unpack("<I", head)[0] if len(head) == 4 else LARGEST + 1
            body = self._file.read(size) if size <= LARGEST else b""
            if len(body) != size:
                raise ValueError("cut off, or too long")
            self._arrived = []
            what, *parts = self._unpack(body)
            if tuple(map(type, parts[what == VALUE :])) != FORMS[what]:
                raise ValueError("not a message")
            if what in (CALL, GET):
                parts.append(self._arrived)
        except Exception as error:
            raise GoneError(str(error)) from error
        return [what, *parts]

    def _pack(self, message: list[Any], generators: list[np.random.Generator]) -> bytes:
        """Return a message as bytes, and note the generators in it."""
        before, packer = self._passed, self._packer
        self._passed, self._packer = generators, None  # what comes one by one may ask for something while it is packed
        try:
            packed: bytes = packer.pack(message) if packer else self._inner(message)
        finally:
            self._passed, self._packer = before, packer
        return packed

    def _inner(self, value: Any) -> bytes:
        """Return a part of something that is no data for msgpack; the packer is busy with the whole."""
        packed: bytes = msgpack.packb(value, default=self._other, strict_types=True)
        return packed

    def _other(self, value: Any) -> Any:
        """Return what stands for a value that msgpack does not know."""
        kind = type(value)
        if kind is np.ndarray and value.dtype.kind in PLAIN:
            return msgpack.ExtType(ARRAY, _head(value.dtype, value.shape) + value.tobytes())
        if kind in SIMPLE:
            code, parts = SIMPLE[kind]
            return msgpack.ExtType(code, self._inner(parts(value)))
        if isinstance(value, np.generic) and kind.__module__ == "numpy" and value.dtype.kind in PLAIN:
            return msgpack.ExtType(SCALAR, self._inner([value.dtype.str, value.tobytes()]))
        if kind is np.random.Generator:
            self._passed.append(value)
            return msgpack.ExtType(GENERATOR, self._inner(_plain(value.bit_generator.state)))
        if kind is Handle and value._wire is self:
            return msgpack.ExtType(YOURS, self._inner(value._number))
        if kind is np.ndarray and value.dtype.kind == "O":
            return msgpack.ExtType(OBJECTS, self._inner([list(value.shape), list(value.flat)]))
        simple = _simple(value)
        if simple is not value:
            return self._other(simple) if type(simple) in SIMPLE or isinstance(simple, np.ndarray) else simple
        self._offered[self._next] = value
        self._next += 1
        return msgpack.ExtType(OURS, self._inner([self._next - 1, kind.__name__[:100]]))

    def _part(self, code: int, body: bytes) -> Any:
        """Return what bytes stand for that are no data for msgpack; raise some exception if they stand for nothing."""
        if code == ARRAY:
            start = 2 + int.from_bytes(body[:2], "little")
            dtype, shape = _read_head(body[2:start])
            return np.ndarray(shape, dtype, body, start).copy()
        value = self._unpack(body)
        if code == SCALAR:
            return np.frombuffer(value[1], _dtype(value[0]))[0]
        if code == OURS:
            return Handle(self, int(value[0]), str(value[1]))
        if code == YOURS:
            return self._offered[value]
        if code == GENERATOR:
            if value["bit_generator"] not in GENERATORS:
                raise ValueError("no such generator")
            seed = zlib.crc32(body)  # of this its `spawn` makes others
            self._arrived.append(np.random.Generator(getattr(np.random, value["bit_generator"])(seed)))
            _set(self._arrived[-1], value)
            return self._arrived[-1]
        if code == OBJECTS:
            array = np.empty(len(value[1]), dtype=object)
            for place, part in enumerate(value[1]):
                array[place] = part
            return array.reshape(value[0])
        return MADE[code](value)


@lru_cache
def _head(dtype: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    """Return type and shape of an array as bytes, after their number."""
    head: bytes = msgpack.packb([dtype.str, list(shape)])
    return struct.pack("<H", len(head)) + head


@lru_cache
def _read_head(head: bytes) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """Return the type and shape that bytes stand for."""
    letters, shape = msgpack.unpackb(head)
    return _dtype(letters), tuple(map(int, shape))


def _dtype(letters: str) -> np.dtype[Any]:
    """Return a type of numbers or letters."""
    kind = np.dtype(letters)
    if kind.kind not in PLAIN:
        raise ValueError(f"no plain type: {letters}")
    return kind


def _simple(value: Any) -> Any:
    """Return the plain data that an object is like, or itself if there is none."""
    if isinstance(value, np.ndarray):
        return np.asarray(value) if type(value) is not np.ndarray else value
    if isinstance(value, ONE_BY_ONE):
        parts = list(islice(value, LONGEST + 1))
        return parts if len(parts) <= LONGEST else value
    kind = next((kind for kind in KINDS if isinstance(value, kind) and type(value) is not kind), None)
    return value if kind is None else kind(value)


def _set(generator: np.random.Generator, state: Any) -> None:
    """Give a generator a state; NumPy itself would read beyond its numbers if a place in them is wrong."""
    if not 0 <= state.get("buffer_pos", 0) <= 4 or not 0 <= state["state"].get("pos", 0) <= 624:
        raise ValueError("no such state")
    generator.bit_generator.state = state


def _plain(state: Any) -> Any:
    """Return the state of a generator as dicts of data."""
    return {key: _plain(value) for key, value in state.items()} if isinstance(state, dict) else state


# What is taken apart before it is sent, and how it is put together.
SIMPLE: dict[type, tuple[int, Callable[[Any], Any]]] = {
    tuple: (TUPLE, list),
    set: (SET, list),
    frozenset: (FROZENSET, list),
    int: (INTEGER, hex),
    complex: (COMPLEX, lambda value: [value.real, value.imag]),
    Decimal: (DECIMAL, str),
    Fraction: (FRACTION, lambda value: [value.numerator, value.denominator]),
}
MADE: dict[int, Callable[[Any], Any]] = {
    TUPLE: tuple,
    SET: set,
    FROZENSET: frozenset,
    INTEGER: lambda value: int(value, 16),
    DECIMAL: Decimal,
    COMPLEX: lambda value: complex(*value),
    FRACTION: lambda value: Fraction(*map(int, value)),
}
