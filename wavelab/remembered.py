"""What follows from something that lives long, such as a mesh, remembered as long as that."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

Owner = TypeVar("Owner")
Value = TypeVar("Value")


class Remembered(Generic[Owner, Value]):
    """The newest values that were made for each owner; may be asked from any thread.

    Parameters
    ----------
    most : values that are kept of an owner.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._known: WeakKeyDictionary[Owner, OrderedDict[Hashable, Value]] = WeakKeyDictionary()

    def get(self, owner: Owner, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of that key, which nobody may change; made, outside of any lock, where it is
        not known."""
        with self._lock:
            known = self._known.setdefault(owner, OrderedDict())
            if key in known:
                known.move_to_end(key)
                return known[key]
        value = make()
        with self._lock:
            known[key] = value
            if len(known) > self._most:
                known.popitem(last=False)
        return value
