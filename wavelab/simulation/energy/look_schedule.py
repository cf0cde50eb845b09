"""When the ledger looks at the fields: after how many steps, and what that may cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from time import perf_counter, thread_time

#: Share of all time that looks may take, and full looks.
_SHARES = {"look": 0.03, "full": 0.02}
#: Seconds that a look costs beside itself: a batch of steps ends earlier for it.
_CUT = 2e-4
#: Share of all time, and most seconds or steps of it, that are saved for looks that are close
#: together where the field has just changed.
_SAVED, _MOST_SAVED, _MOST_SAVED_STEPS = 0.02, 0.06, 4
#: Growth of the time between full looks after such a change.
_GROWTH = 1.3
#: A pause of this many seconds says nothing about how long steps take.
_PAUSE = 0.5


class LookSchedule:
    """Counts steps, and reckons what looks cost as processor time of this thread, because waiting
    for others is not a cost.

    Parameters
    ----------
    every : steps between two looks where these cost little enough.
    looks : whether looks that are not full show anything.
    steps : done so far.
    clock : wall time in seconds.
    """

    def __init__(
        self, every: int, looks: bool, steps: int, clock: Callable[[], float] = perf_counter
    ) -> None:
        self.looks = looks
        self._every, self._clock = every, clock
        self._costs: dict[str, float] = {}
        self._steps, self._now = steps, clock()
        self._per_step = 0.0
        self._saved = _MOST_SAVED
        self._gap = 0
        self._next = {"look": steps + every, "full": steps}
        self.jumped(steps)

    @property
    def may_look_closely(self) -> bool:
        """Whether there is time left for looks that are closer together than they may be on
        average."""
        return self._saved > 0

    @property
    def full_due(self) -> bool:
        return self._steps >= self._next["full"]

    @property
    def look_due(self) -> bool:
        return self.looks and self._steps >= self._next["look"]

    def steps_until_look(self, steps: int) -> int:
        """After which something is due."""
        first = min(self._next.values()) if self.looks else self._next["full"]
        return max(1, first - steps)

    def seen(self, steps: int) -> None:
        """That many steps are done now."""
        now, done = self._clock(), steps - self._steps
        elapsed = now - self._now
        if done > 0 and 0 < elapsed < _PAUSE * done:
            per_step = elapsed / done
            self._per_step += (0.2 if self._per_step else 1.0) * (per_step - self._per_step)
        most = max(_MOST_SAVED, _MOST_SAVED_STEPS * self._per_step)
        self._saved = min(most, self._saved + _SAVED * max(0.0, elapsed))
        self._steps, self._now = steps, now

    def looked(self) -> None:
        """The time since the steps were :meth:`seen` went into a look: it does not tell how long
        steps take."""
        self._now = self._clock()

    @contextmanager
    def spent_on(self, kind: str) -> Iterator[None]:
        """What is done inside is a "look", a "full" one, or a "ping"."""
        began = thread_time()
        yield
        cost = thread_time() - began
        self.looked()
        before = self._costs.get(kind, cost)
        self._costs[kind] = before + 0.2 * (cost - before)
        if kind == "ping":
            self._saved -= cost
            return
        between = self._affordable("look")
        self._next["look"] = self._steps + between
        if kind == "full":
            affordable = self._affordable("full")
            if self.looks:
                # Together with one of the looks, so that these stay equally far apart.
                affordable = -(-affordable // between) * between
            close = math.ceil(_GROWTH * self._gap)
            if close < affordable and self._saved > 0:
                self._gap = close
                self._saved -= cost
            else:
                self._gap = affordable
            self._next["full"] = self._steps + self._gap

    def followed(self, looks: bool, steps: int) -> LookSchedule:
        """One that goes on after that many steps with what this one has learnt, where nothing has
        changed the field; all is booked now."""
        made = copy(self)
        made.looks, made._steps = looks, steps
        made._next = {"look": steps + made._affordable("look"), "full": steps + max(1, made._gap)}
        made.looked()
        return made

    def __copy__(self) -> LookSchedule:
        """One that goes on by itself."""
        made = LookSchedule(self._every, self.looks, self._steps, self._clock)
        vars(made).update(vars(self))
        made._costs, made._next = dict(self._costs), dict(self._next)
        return made

    def jumped(self, steps: int) -> None:
        """The field has changed at once: look closely, if there is time left for it."""
        if self.may_look_closely:
            self._gap = 1
            self._next["full"] = steps + 1

    def _affordable(self, kind: str) -> int:
        """Steps between two looks of a kind: a power of two times the least there may be, so that
        it seldom changes.  Of what oscillates equal steps show most."""
        cost = self._costs.get(kind, self._costs.get("full"))
        if not self._per_step or cost is None:
            return self._every
        steps = (cost + _CUT) / (_SHARES[kind] * self._per_step)
        return self._every * 2 ** max(0, math.ceil(math.log2(steps / self._every)))
