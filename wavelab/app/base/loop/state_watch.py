"""A frozen state that is compared with the one before, and whoever shows a part of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Generic, TypeVar

S = TypeVar("S")


class StateWatch(Generic[S]):
    """Calls those setters of which a part is another than it was.

    Parameters
    ----------
    look : gives the state of now, a frozen dataclass.
    setters : each with the names of the parts that it shows, in the order in which they are called.
    """

    def __init__(
        self, look: Callable[[], S], setters: Sequence[tuple[str, Callable[[S], object]]]
    ) -> None:
        self._look = look
        self._setters = [(frozenset(parts.split()), setter) for parts, setter in setters]
        self._parts = [field.name for field in fields(look())]  # type: ignore[arg-type]
        unknown = {part for parts, _ in self._setters for part in parts} - {*self._parts}
        if unknown:
            raise ValueError(f"no part of the state is called {', '.join(sorted(unknown))}")
        self._shown: S | None = None

    def compare(self) -> None:
        """Look whether something is another, and show it; all of it at the first time."""
        before, now = self._shown, self._look()
        self._shown = now
        changed = {
            part
            for part in self._parts
            if before is None or getattr(before, part) != getattr(now, part)
        }
        troubles: list[Exception] = []
        for parts, setter in self._setters:
            if parts & changed:
                try:
                    setter(now)
                except Exception as error:  # that of one must not keep the others from being shown
                    troubles.append(error)
        if troubles:
            raise troubles[0]
