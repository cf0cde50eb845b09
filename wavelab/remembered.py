"""What follows from something that lives long, such as a mesh, remembered as long as that."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

Owner = TypeVar("Owner")
Value = TypeVar("Value")

#: Where an owner has what is remembered of it: there, and not in a table of ours with weak keys,
#: for a value may lead back to its owner, and would hold it there for ever.
_PLACE = "_remembered"


class Remembered(Generic[Owner, Value]):
    """The newest values that were made for each owner; may be asked from any thread.

    They go with the owner, also where they lead back to it, and not along with copies of it to
    other processes.

    Parameters
    ----------
    most : values that are kept of an owner.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()

    def get(self, owner: Owner, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of that key, which nobody may change; made, outside of any lock, where it is
        not known."""
        of_all = _of(owner)
        with self._lock:
            known = of_all.setdefault(self, OrderedDict())
            if key in known:
                known.move_to_end(key)
                return known[key]
        value = make()
        with self._lock:
            known[key] = value
            if len(known) > self._most:
                known.popitem(last=False)
        return value

    def known(self, owner: Owner, key: Hashable) -> Value | None:
        """The value of that key, if it is known."""
        of_all = _of(owner)
        with self._lock:
            known = of_all.get(self)
            return None if known is None else known.get(key)


class _OfOwner(dict[Remembered, OrderedDict[Hashable, Any]]):
    """All that is remembered of one owner; of a copy of it, nothing yet.

    Attributes
    ----------
    owner : its ``id``.
    """

    def __init__(self, owner: int = 0) -> None:
        super().__init__()
        self.owner = owner

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return _OfOwner, ()


_of_lock = Lock()


def _of(owner: object) -> _OfOwner:
    """What is remembered of an owner, frozen or not."""
    with _of_lock:
        found: _OfOwner | None = vars(owner).get(_PLACE)
        if found is None or found.owner != id(owner):
            found = vars(owner)[_PLACE] = _OfOwner(id(owner))
        return found
