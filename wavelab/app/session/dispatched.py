"""Scenes that were given to the solver and do not run yet, and what comes of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from wavelab.app.edits.history import History
from wavelab.app.session.preparation import Prepared
from wavelab.scene.model.scene import Scene

#: What the solver is at when a scene was given to it: seconds the first time, nothing later on.
COMPILING = "Compiling for this device, which is kept for the next time"


@dataclass(frozen=True)
class Wish:
    """A scene with its history, and with what has been changed in it since at no price."""

    scene: Scene
    history: History

    def joined(self, before: Scene, old: History, new: History) -> Wish:
        """As a part of the newest step of a history, if it was tried out on the way from ``before``
        while that was as ``old``."""
        return replace(self, history=new) if self.history is old and self.scene != before else self


@dataclass(frozen=True)
class Sent:
    """A wish on its way: what was made of it, whether the field goes along, and when it was given
    to the solver (``time.monotonic``)."""

    wish: Wish
    prepared: Prepared
    keep_field: bool
    since: float


class Dispatched:
    """They are answered in turn, but for those that a newer one took the place of."""

    def __init__(self) -> None:
        self._sent: dict[int, Sent] = {}  #: by generation, the newest last

    def __bool__(self) -> bool:
        return bool(self._sent)

    @property
    def newest(self) -> Sent:
        """The last that was sent, while there is one."""
        return self._sent[max(self._sent)]

    @property
    def keep_field(self) -> bool:
        """Whether the field goes along with all of them."""
        return all(sent.keep_field for sent in self._sent.values())

    def send(self, wish: Wish, prepared: Prepared, keep_field: bool) -> None:
        """One more."""
        sent = Sent(wish, prepared, keep_field, time.monotonic())
        self._sent[prepared.generation] = sent

    def adjust(self, wish: Wish) -> None:
        """The newest reads like this now; what was made of it stays as it is."""
        self._sent[max(self._sent)] = replace(self.newest, wish=wish)

    def change(self, wish_of: Callable[[Wish], Wish]) -> None:
        """All read otherwise."""
        self._sent = {g: replace(s, wish=wish_of(s.wish)) for g, s in self._sent.items()}

    def answered(self, generation: int) -> Sent | None:
        """What was sent under this number.  Older ones were taken over by it."""
        sent = self._sent.get(generation)
        self._sent = {g: waiting for g, waiting in self._sent.items() if g > generation}
        return sent


@dataclass(frozen=True)
class NowRunning:
    """A scene runs now; ``first`` marks the beginning of another experiment."""

    prepared: Prepared
    first: bool


@dataclass(frozen=True)
class Refused:
    """A scene could not be made to run; the one before goes on."""

    scene: Scene
    error: Exception


@dataclass(frozen=True)
class Stage:
    """What a scene on its way is at, since when (``time.monotonic``); ``tried``: a hand that drags
    something goes on meanwhile."""

    text: str
    since: float
    can_be_cancelled: bool = True
    tried: bool = False
