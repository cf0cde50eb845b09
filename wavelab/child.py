"""Other Python processes that work for this one, and messages to and from them.

A plain ``python -m`` and not multiprocessing: that would import the parent's main module again (the
window's, say) and start a resource tracker beside it.  A fork is out of the question once OpenCL or
Qt run.
"""

from __future__ import annotations

import os
import pickle
import runpy
import struct
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

#: Where to import wavelab from in the child.
_ROOT = Path(__file__).resolve().parents[1]
#: In a bundle: the next word is a module to run.
CHILD = "--child"
_NUMBER = struct.Struct("<Q")
#: Room in its pipes, where the system lets one choose: for each fill of one both sides wait for
#: their interpreter's lock, and messages have megabytes.
_PIPE_BYTES = 1 << 20
#: The least priority there is.
_LAST = 19
#: To pickle what others use.
_ATTEMPTS = 5
#: Processes that nobody has asked for yet, by their modules, and what they print.
_ahead: dict[str, tuple[subprocess.Popen[bytes], IO[bytes]]] = {}


def command_of(module: str) -> list[str]:
    """What runs a module of wavelab as another Python process does."""
    if getattr(sys, "frozen", False):
        # A bundle has no interpreter but itself (:func:`run_as_child`).
        return [sys.executable, CHILD, module]
    # -P: a file called numpy.py where the user happens to stand must not be imported.
    return [sys.executable, "-P", "-m", module]


def run_as_child(words: Sequence[str]) -> bool:
    """Do in a bundle what :func:`command_of` asks for, and end; False if it does not.

    Parameters
    ----------
    words : of the command line, after the name of the program.
    """
    if list(words[:1]) != [CHILD]:
        return False
    _, module, *arguments = words
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    return True


def spawn(module: str, printed: int | IO[bytes], *, last: bool = False) -> subprocess.Popen[bytes]:
    """Run a module of wavelab in a process with pipes for standard input and output.

    Parameters
    ----------
    printed : where standard error goes, as for :class:`subprocess.Popen`.
    last : whether it is to compute only while nobody else wants to.
    """
    environment = dict(os.environ)
    paths = [str(_ROOT), *filter(None, [environment.get("PYTHONPATH")])]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    # Threads of a linear algebra library would reserve address space, and none is needed.
    environment["OPENBLAS_NUM_THREADS"] = "1"
    process = subprocess.Popen(
        command_of(module),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=printed,
        env=environment,
        pipesize=_PIPE_BYTES,
        creationflags=getattr(subprocess, "IDLE_PRIORITY_CLASS", 0) if last else 0,
    )
    if last and sys.platform != "win32":
        with suppress(OSError):  # it may have ended already
            os.setpriority(os.PRIO_PROCESS, process.pid, _LAST)
    return process


def start_ahead(module: str) -> None:
    """Start a module before anybody has something for it to do: :func:`started` has it then.  While
    it loads what it needs, this process can do the same.  It ends with this one if nobody does."""
    with suppress(OSError):
        _ahead[module] = _printing(module)


def started(module: str) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    """A process that runs a module, as :func:`spawn` makes it, and the file to which it prints.

    Raises
    ------
    OSError : it cannot be started.
    """
    process, printed = _ahead.pop(module, (None, None))
    if process is not None and printed is not None:
        if process.poll() is None:
            return process, printed
        printed.close()
    return _printing(module)


def _printing(module: str) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    printed = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
    try:
        return spawn(module, printed), printed
    except BaseException:
        printed.close()
        raise


def send(stream: IO[bytes], message: Any) -> None:
    """Write a message.

    The numbers of arrays go straight from where they are: a copy of a large mesh takes long, and
    nothing else of this process would run meanwhile.

    Raises
    ------
    OSError : nobody reads it.
    """
    head, buffers = _pickled(message)
    parts = [memoryview(head), *(buffer.raw() for buffer in buffers)]
    stream.write(_NUMBER.pack(len(parts)) + b"".join(_NUMBER.pack(p.nbytes) for p in parts))
    for part in parts:
        stream.write(part)
    stream.flush()


def _pickled(message: Any) -> tuple[bytes, list[pickle.PickleBuffer]]:
    """Another thread may look something up meanwhile that an object in the message remembers from
    then on, which makes its attributes more than they were: then once more."""
    for more in range(_ATTEMPTS - 1, -1, -1):
        buffers: list[pickle.PickleBuffer] = []
        try:
            return pickle.dumps(message, protocol=5, buffer_callback=buffers.append), buffers
        except RuntimeError:
            if not more:
                raise
    raise AssertionError


def receive(stream: IO[bytes]) -> Any:
    """The next message; waits for it.

    Raises
    ------
    EOFError : there comes none any more.
    """
    n_parts = _number(stream)
    sizes = [_number(stream) for _ in range(n_parts)]
    head, *buffers = [_read(stream, size) for size in sizes]
    return pickle.loads(head, buffers=buffers)


def _number(stream: IO[bytes]) -> int:
    return int(_NUMBER.unpack(_read(stream, _NUMBER.size))[0])


def _read(stream: IO[bytes], size: int) -> bytearray:
    data = bytearray(size)
    view, n = memoryview(data), 0
    while n < size:
        got = stream.readinto(view[n:])  # type: ignore[attr-defined]
        if not got:
            raise EOFError
        n += got
    return data
