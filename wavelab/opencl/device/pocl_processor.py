"""A name for a processor that PoCL's compiler does not know.

PoCL asks LLVM what the processor is called, and compiles for that.  A processor that came after
its LLVM (14 in PoCL 3.0: AMD's Zen 5, for example) gets the name "generic", which the same
LLVM then refuses, so that no kernel builds at all (pocl/pocl#512, #1049).  PoCL has no setting for
it; the name stands in the memory of its device, and another one can be put there.
"""

from __future__ import annotations

import ctypes
import struct
from io import RawIOBase
from threading import Lock
from typing import Any

from wavelab.opencl.device.properties import attribute_of

_UNKNOWN = b"generic"
_ARCHITECTURE = b"x86_64"  # elsewhere "generic" is a name like others
#: What LLVM calls processors, with what they can do in the words of Linux, the best first, from
#: those that PoCL's own library of functions is compiled for.  But for "skylake-avx512": on Zen 5
#: its code for orders 6 to 8 takes 1.2 to 1.4 times as long as that for "haswell".
_PROCESSORS = (
    (b"haswell", {"avx2", "fma", "bmi1", "bmi2", "f16c", "movbe", "abm"}),
    (b"ivybridge", {"avx", "f16c"}),
    (b"sandybridge", {"avx"}),
    (b"x86-64", set[str]()),
)
#: Bytes of a device's memory that are looked through.
_EXTENT = 4096
_POINTER = struct.Struct("P")
#: Devices that were looked at, by their address.
_seen: set[int] = set()
_looking = Lock()


def name_processor(device: Any) -> bool:
    """Give the processor of PoCL's device the name of one that its compiler knows, if it has none.

    To be called before anything is compiled.  Returns whether the name was changed; it is not
    where it is known, and on other systems than Linux.
    """
    address = attribute_of(device, "int_ptr", 0)
    # Who comes second must not compile before the name is there.
    with _looking:
        if address in _seen:
            return False
        _seen.add(address)
        return _named(address)


def _named(address: int) -> bool:
    try:
        with open("/proc/self/mem", "rb", buffering=0) as memory:
            place = _place_of_name(memory, address)
        name = name_for(_flags())
    except OSError:
        return False
    if place is None:
        return False
    ctypes.c_void_p.from_address(place).value = _copy_of(name)
    return True


def name_for(flags: set[str]) -> bytes:
    """What LLVM calls the best processor that can do no more than one with these flags of Linux."""
    return next(name for name, needs in _PROCESSORS if needs <= flags)


def _place_of_name(memory: RawIOBase, start: int) -> int | None:
    """Address of the pointer to the processor's name; it follows that to the architecture's."""
    held = _read(memory, start, _EXTENT)
    pointers = [p for (p,) in _POINTER.iter_unpack(held[: len(held) // 8 * 8])]
    texts = [_text(memory, pointer) for pointer in pointers]
    for n in range(1, len(texts)):
        if texts[n] == _UNKNOWN and texts[n - 1].startswith(_ARCHITECTURE):
            return start + n * _POINTER.size
    return None


def _text(memory: RawIOBase, pointer: int) -> bytes:
    """What stands there up to the first zero; nothing where no memory is."""
    try:
        return _read(memory, pointer, 64).partition(b"\0")[0]
    except (OSError, OverflowError, ValueError):
        return b""


def _read(memory: RawIOBase, start: int, n_bytes: int) -> bytes:
    memory.seek(start)
    return memory.read(n_bytes) or b""


def _flags() -> set[str]:
    """What the processor can do, in the words of Linux."""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as lines:
        found = next((line for line in lines if line.startswith("flags")), "")
    return set(found.partition(":")[2].split())


def _copy_of(name: bytes) -> int | None:
    """Address of a copy that PoCL may free, as it may what it had."""
    duplicate = ctypes.CDLL(None).strdup
    duplicate.argtypes, duplicate.restype = [ctypes.c_char_p], ctypes.c_void_p
    return duplicate(name)
