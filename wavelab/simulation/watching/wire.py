"""What a far run and a window say to each other: JSON and arrays over a socket.

Nothing that comes in is code, or decides how much memory is taken beyond what was agreed.  Each
message has 4 bytes that tell it from rubbish, the sizes of what follows, JSON, and the numbers of
the arrays, the least significant bytes first.

Who connects proves that it knows the key, and so does who answers, without either telling it: HMAC
with SHA-256 of numbers that both have chosen (RFC 2104).  What is said then is not encrypted.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import secrets
import socket
import struct
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import WavelabError

_MAGIC = b"wl1\n"
_SIZES = struct.Struct("<4sIQ")
_GREETING = struct.Struct("<16s32s32s")
_ANSWER = struct.Struct("<1s32s32s")
_NAME = b"wavelab watch 1\n"
_TYPES = {"<f4": 4, "<f8": 8, "<i4": 4, "<i8": 8}
_MOST_DIMENSIONS = 4
#: Bytes of JSON, and of arrays, that a message may have.
MOST_JSON, MOST_ARRAYS = 2**25, 2**32
#: Bytes of JSON, and of arrays, of what a window asks.
MOST_ASKED = 2**22, 0
#: Seconds that a greeting may take, and a message.
GREETING_SECONDS, MESSAGE_SECONDS = 5.0, 15.0

Arrays = Sequence[NDArray[Any]]


class LinkError(WavelabError):
    """The other side has gone, is too slow, or says what nobody understands."""


def send(link: socket.socket, message: dict[str, Any], arrays: Arrays = ()) -> None:
    """
    Raises
    ------
    LinkError : it is not taken in time.
    """
    parts = [np.asarray(a, a.dtype.newbyteorder("<"), order="C") for a in arrays]
    shapes = [[f"<{part.dtype.kind}{part.itemsize}", list(part.shape)] for part in parts]
    head = json.dumps({"message": message, "arrays": shapes}).encode()
    sizes = _SIZES.pack(_MAGIC, len(head), sum(part.nbytes for part in parts))
    deadline = time.monotonic() + MESSAGE_SECONDS
    _send_all(link, sizes + head, deadline)
    for part in parts:
        if part.nbytes:
            _send_all(link, part.reshape(-1).view(np.uint8).data, deadline)


def receive(
    link: socket.socket,
    most: tuple[int, int] = (MOST_JSON, MOST_ARRAYS),
    *,
    idle: float = MESSAGE_SECONDS,
) -> tuple[dict[str, Any], list[NDArray[Any]]]:
    """The next message, and its arrays.

    Parameters
    ----------
    most : bytes of JSON and of arrays that there may be.
    idle : seconds until it begins.

    Raises
    ------
    LinkError : there comes none in time, or it is none.
    """
    begun = _read(link, 1, time.monotonic() + idle)
    deadline = time.monotonic() + MESSAGE_SECONDS
    magic, n_head, n_body = _SIZES.unpack(begun + _read(link, _SIZES.size - 1, deadline))
    if magic != _MAGIC or n_head > most[0] or n_body > most[1]:
        raise LinkError("what came is no message of wavelab, or too long a one")
    try:
        head = json.loads(_read(link, n_head, deadline))
        message, layouts = head["message"], _layouts(head["arrays"])
        if not isinstance(message, dict):
            raise TypeError
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise LinkError("what came is no message of wavelab") from error
    if sum(math.prod(shape) * _TYPES[kind] for kind, shape in layouts) != n_body:
        raise LinkError("what came is no message of wavelab: its arrays are of another size")
    arrays = []
    for kind, shape in layouts:
        values = np.frombuffer(_read(link, math.prod(shape) * _TYPES[kind], deadline), kind)
        arrays.append(values.reshape(shape))
    return message, arrays


def _layouts(told: Any) -> list[tuple[str, tuple[int, ...]]]:
    """Types and shapes of arrays, once they are such."""
    layouts = []
    for kind, shape in told:
        numbers = all(type(n) is int and 0 <= n < 2**40 for n in shape)
        if kind not in _TYPES or not numbers or len(shape) > _MOST_DIMENSIONS:
            raise ValueError
        layouts.append((kind, tuple(shape)))
    return layouts


def greet(link: socket.socket, key: bytes, version: str) -> None:
    """As the side that has connected.

    Raises
    ------
    LinkError : the other side has another key or version, or is none.
    """
    deadline = time.monotonic() + GREETING_SECONDS
    name, told, theirs = _GREETING.unpack(_read(link, _GREETING.size, deadline))
    if name != _NAME:
        raise LinkError("what answers there is no run of wavelab that is watched")
    _check_version(told, version)
    mine = secrets.token_bytes(32)
    proof = _proof(key, b"window", theirs, mine)
    _send_all(link, _GREETING.pack(_NAME, _padded(version), mine) + proof, deadline)
    verdict, told, proof = _ANSWER.unpack(_read(link, _ANSWER.size, deadline))
    _check_version(told, version)
    if verdict != b"Y" or not hmac.compare_digest(proof, _proof(key, b"run", theirs, mine)):
        raise LinkError("the key is not that of the run", remedy="Name its file: --key FILE.")


def be_greeted(link: socket.socket, key: bytes, version: str) -> None:
    """As the side that is connected to.

    Raises
    ------
    LinkError : the other side has another key or version, or is none; it has been told.
    """
    deadline = time.monotonic() + GREETING_SECONDS
    mine = secrets.token_bytes(32)
    _send_all(link, _GREETING.pack(_NAME, _padded(version), mine), deadline)
    answer = _read(link, _GREETING.size + 32, deadline)
    name, told, theirs = _GREETING.unpack(answer[: _GREETING.size])
    if name != _NAME:
        raise LinkError("what connects is no window of wavelab")
    known = hmac.compare_digest(answer[_GREETING.size :], _proof(key, b"window", mine, theirs))
    proof = _proof(key, b"run", mine, theirs) if known else bytes(32)
    _send_all(link, _ANSWER.pack(b"Y" if known else b"N", _padded(version), proof), deadline)
    if not known:
        raise LinkError("what connects does not know the key")
    _check_version(told, version)


def _proof(key: bytes, who: bytes, of_run: bytes, of_window: bytes) -> bytes:
    return hmac.new(key, who + of_run + of_window, hashlib.sha256).digest()


def _padded(version: str) -> bytes:
    return version.encode()[:32].ljust(32, b"\0")


def _check_version(told: bytes, version: str) -> None:
    if told != _padded(version):
        theirs = told.rstrip(b"\0").decode("ascii", "replace")
        raise LinkError(
            f"the other side is wavelab {theirs}, and this is {version}",
            remedy="Use the same version for both.",
        )


def _send_all(link: socket.socket, data: bytes | memoryview, deadline: float) -> None:
    view = memoryview(data)
    while view:
        try:
            link.settimeout(max(1e-3, deadline - time.monotonic()))
            view = view[link.send(view[: 2**20]) :]
        except OSError as error:
            raise LinkError("the connection is lost, or too slow") from error


def _read(link: socket.socket, size: int, deadline: float) -> bytes:
    parts, left = [], size
    while left:
        try:
            link.settimeout(max(1e-3, deadline - time.monotonic()))
            part = link.recv(min(left, 2**20))
        except OSError as error:
            raise LinkError("the connection is lost, or too slow") from error
        if not part or time.monotonic() > deadline:
            raise LinkError("the connection is lost, or too slow")
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def host_and_port(address: str) -> tuple[str, int]:
    """Of "host:port", "port" or "[address]:port".

    Raises
    ------
    WavelabError : it is none of these.
    """
    host, _, port = address.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not (port.isascii() and port.isdecimal() and int(port) < 2**16):
        raise WavelabError(
            f"{address!r} is no address", remedy="Write HOST:PORT, such as 127.0.0.1:7000."
        )
    return host, int(port)
