"""Templates to source, source to a program."""

from __future__ import annotations

import pickle
import uuid
import warnings
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

import pyopencl as cl
from mako.lookup import TemplateLookup

from wavelab.errors import DeviceError

#: Multiplications and additions may fuse.  Nothing looser: fast-math lets the compiler assume that
#: there are no NaNs, and then nobody sees a run blow up.  Numbers below 1e-38 count as zero: ahead
#: of a wave there are always some, and on a CPU they double the time of a stage.
_OPTIONS = ("-cl-mad-enable", "-cl-denorms-are-zero")
_LOG_LINES = 12
# Of compilers that report success in words.  For good, because threads compile, and what one of
# them silences for a while another would let speak again.
warnings.filterwarnings("ignore", category=cl.CompilerWarning)
#: The newest are kept, as all are that are in use: each takes 2 to 3.5 MiB with PoCL, and 20 ms of
#: a processor to load again from where drivers keep it.  A search for faster kernels goes through
#: some dozens, most of which nobody wants again.
_PROGRAMS = 8
#: The same of their texts, of some 30 KiB each.
_SOURCES = 64
#: Where the templates are, in folders; no two of them have the same name.
KERNELS = Path(__file__).parents[1] / "kernels"


@cache
def _lookup() -> TemplateLookup:
    return TemplateLookup(
        directories=[str(folder) for folder in KERNELS.iterdir() if folder.is_dir()],
        strict_undefined=True,
        filesystem_checks=False,
    )


#: What is added to every source, so that nothing that was kept serves for it.
_never_seen = ""


@contextmanager
def nothing_kept() -> Iterator[None]:
    """What is rendered meanwhile has to be compiled, whatever drivers have kept of them."""
    global _never_seen
    _never_seen = f"\n__kernel void k_{uuid.uuid4().hex}(__global int *x) {{ x[0] = 0; }}\n"
    try:
        yield
    finally:
        _never_seen = ""


def render(template: str, **names: Any) -> str:
    """Source of ``kernels/*/<template>.cl.mako``; an undefined name is an error."""
    return _rendered(template, pickle.dumps(names)) + _never_seen


@lru_cache(maxsize=_SOURCES)  # by the bytes of the names, since there are matrices among them
def _rendered(template: str, names: bytes) -> str:
    return str(_lookup().get_template(f"{template}.cl.mako").render(**pickle.loads(names)))


_Key = tuple[cl.Context, str, cl.Device]
_alive: WeakValueDictionary[_Key, cl.Program] = WeakValueDictionary()
_newest: OrderedDict[_Key, cl.Program] = OrderedDict()
_lock = Lock()


def build(context: cl.Context, source: str, device: cl.Device) -> cl.Program:
    """Compile for a device of the context.  pyopencl keeps the binaries between runs, and this the
    programs of this one.

    Raises
    ------
    DeviceError : the driver's compiler refuses; with the first lines of its log.
    """
    key = (context, source, device)
    with _lock:
        program = _alive.get(key)
    if program is None:
        program = _compiled(*key)
    with _lock:
        _alive[key] = _newest[key] = program
        _newest.move_to_end(key)
        if len(_newest) > _PROGRAMS:
            _newest.popitem(last=False)
    return program


def forget_programs() -> None:
    """What is built from now on is built anew."""
    with _lock:
        _alive.clear()
        _newest.clear()


def _compiled(context: cl.Context, source: str, device: cl.Device) -> cl.Program:
    try:
        return cl.Program(context, source).build(list(_OPTIONS), [device])
    except cl.MemoryError as error:
        raise DeviceError(
            "there is no room left to compile a kernel",
            where=device.name.strip(),
            remedy="Close what else computes there, choose another device, or use NumPy.",
        ) from error
    except cl.Error as error:
        log = [line for line in str(error).splitlines() if line.strip()][:_LOG_LINES]
        raise DeviceError(
            "the driver's compiler refused a kernel",
            where=device.name.strip(),
            remedy="Update the driver or choose another device. The log begins:\n    "
            + "\n    ".join(log),
        ) from error
