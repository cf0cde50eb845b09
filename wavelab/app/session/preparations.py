"""What is being prepared for the solver: a scene, or the time step of the one that runs."""

from __future__ import annotations

import time
from collections.abc import Callable

from wavelab.app.edits.edit_price import Price, price
from wavelab.app.session.dispatched import Wish
from wavelab.app.session.preparation import Preparation, Prepared, Settling


class Preparations:
    """One at a time; those that are given up end by and by.

    Parameters
    ----------
    prepare, settle : make a ``Preparation`` and a ``Settling``.

    Attributes
    ----------
    current : the scene on its way.
    wish : what that was, or the last one, begun for.
    """

    def __init__(
        self, wish: Wish, prepare: Callable[..., Preparation], settle: Callable[..., Settling]
    ) -> None:
        self.wish = wish
        self.current: Preparation | None = None
        self._settling: Settling | None = None
        self._prepare, self._settle = prepare, settle
        self._abandoned: list[Preparation | Settling] = []

    def begin(
        self,
        wish: Wish,
        generation: int,
        running: Prepared | None,
        keep_field: bool,
        makeshift: bool,
    ) -> None:
        """Prepare a scene in place of all else, from what runs as far as that serves it; as a
        makeshift, if it is only tried out."""
        self.abandon()
        self.wish = wish
        cost = Price.MESH if running is None else price(running.scene, wish.scene)
        if running is not None and running.makeshift and not makeshift:
            cost = Price.MESH
        before = running if cost < Price.MESH else None
        self.current = self._prepare(
            wish.scene,
            generation,
            before,
            cost < Price.OPERATOR,
            kept=running if keep_field and cost >= Price.OPERATOR else None,
            makeshift=makeshift and (before is None or before.makeshift),
        )

    @property
    def is_quick(self) -> bool:
        """Whether the scene on its way is there in a moment."""
        return self.current is not None and self.current.quick

    def settle(self, prepared: Prepared) -> None:
        """Find the time step of what runs, as long as nothing else is to be prepared."""
        self._settling = self._settle(prepared)

    def abandon(self) -> None:
        """Give up what is on its way."""
        for work in (self.current, self._settling):
            if work is not None:
                work.cancel()
                self._abandoned.append(work)
        self.current = self._settling = None

    def take(self) -> Preparation | None:
        """The scene on its way, once it is done."""
        self._abandoned = [old for old in self._abandoned if not old.done]
        if self.current is None or not self.current.done:
            return None
        ready, self.current = self.current, None
        return ready

    def take_settled(self) -> Settling | None:
        """The step, once it is found."""
        if self._settling is None or not self._settling.done:
            return None
        ready, self._settling = self._settling, None
        return ready

    def close(self, timeout: float) -> bool:
        """Give up all; False if some of it was still alive after ``timeout`` seconds."""
        self.abandon()
        deadline = time.monotonic() + timeout
        return all([old.join(max(0.0, deadline - time.monotonic())) for old in self._abandoned])
