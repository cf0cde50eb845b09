"""What pyopencl looks up for every kernel object, remembered.

For each it takes a Python function that would launch it from a database on disk: 0.3 ms, and a
stepper that is made anew, as when a number of a medium is turned, has about a hundred.  They are
the same few dozen each time.
"""

from __future__ import annotations

from typing import Any

from pyopencl import invoker


class _Remembered:
    """What was found in a cache of pyopencl, or put there, by this process."""

    def __init__(self, cache: Any) -> None:
        self._cache = cache
        self._found: dict[Any, Any] = {}

    def __getitem__(self, key: Any) -> Any:
        """As of the cache, KeyError included."""
        if key not in self._found:
            self._found[key] = self._cache[key]
        return self._found[key]

    def store_if_not_present(self, key: Any, value: Any) -> None:
        """For this process, and in the cache."""
        self._found.setdefault(key, value)
        self._cache.store_if_not_present(key, value)


def remember_invokers() -> None:
    """From now on; without effect on a pyopencl that keeps no such cache."""
    cache = getattr(invoker, "invoker_cache", None)
    if hasattr(cache, "store_if_not_present") and not isinstance(cache, _Remembered):
        vars(invoker)["invoker_cache"] = _Remembered(cache)
