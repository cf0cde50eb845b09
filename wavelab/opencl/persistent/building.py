"""A program that is compiled in a thread of its own."""

from __future__ import annotations

import threading
from weakref import WeakValueDictionary

import pyopencl as cl

from wavelab.errors import DeviceError
from wavelab.opencl.device.program import build

#: As long as somebody waits for them.
_under_way: WeakValueDictionary[tuple[int, int, str], Building] = WeakValueDictionary()


class Building:
    """Compiles a source: a card's compiler takes seconds for many kernels in one, and has the
    interpreter go on meanwhile.

    Parameters
    ----------
    beside : in another thread, or else at once.
    """

    def __init__(
        self, context: cl.Context, source: str, device: cl.Device, *, beside: bool
    ) -> None:
        self._context, self._source, self._device = context, source, device
        self._made: cl.Program | DeviceError | None = None
        if beside:
            threading.Thread(target=self._build, name="compile steps").start()
        else:
            self._build()

    @classmethod
    def of(cls, context: cl.Context, source: str, device: cl.Device, *, beside: bool) -> Building:
        """The one that is under way, if there is one: while a number is turned the same source is
        asked for again and again."""
        key = context.int_ptr, device.int_ptr, source
        found = _under_way.get(key)
        if found is None or not beside:
            found = _under_way[key] = cls(context, source, device, beside=beside)
        return found

    def _build(self) -> None:
        try:
            self._made = build(self._context, self._source, self._device)
        except DeviceError as error:
            self._made = error

    @property
    def done(self) -> bool:
        """Whether there is a program, or an error."""
        return self._made is not None

    def program(self) -> cl.Program:
        """What was made of it.

        Raises
        ------
        DeviceError : the compiler refuses.
        """
        if isinstance(self._made, DeviceError):
            raise self._made
        assert self._made is not None
        return self._made
