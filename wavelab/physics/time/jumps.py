"""Where formulas of time jump: found ahead, so that steps can be cut there.

A Runge-Kutta step samples what depends on time at its stages, and weighs them: by 21, -16, ... in
schemes of long steps.  Such weights cancel for what is smooth; of a jump inside a step they make an
error of up to :attr:`wavelab.numerics.time.runge_kutta.LowStorageScheme.jump_error` steps.  A step
that ends on the jump, and one that begins there, see none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.sources.source_terms import (
    FaceSourceTerm,
    FormulaSourceTerm,
    MovingSourceTerm,
    SourceTerm,
)
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_jumps import Break, Switches, merged, switches_of
from wavelab.scene.model.waveform import TimeFunction

#: Looks at a formula in a step, and steps that are searched at once.
_LOOKS, _AHEAD = 8, 64
#: Of a wave that comes in: it arrives at no more times than this where steps are cut for it.
_MOST_DELAYS = 8
#: Steps that are searched to see whether there are more jumps than steps.
_TRIED = 4096
#: Times, and points of a medium or of a current, at which jumps from place to place are looked for.
_TIMES, _POINTS = 257, 128
#: Part of the largest value by which a formula changes at once where it jumps.
_JUMP = 1e-6
#: Part of a step in which several jumps count as one.
_AT_ONCE = 1e-9


@dataclass(frozen=True)
class Timed:
    """A formula of t - origin; what it belongs to, for messages."""

    what: str
    formula: Formula
    origin: float = 0.0

    @property
    def switches(self) -> Switches:
        return switches_of(self.formula)

    def breaks(self, start: float, end: float, dt: float) -> list[Break]:
        """Those after ``start``, up to ``end``."""
        return self.switches.breaks(start, end, dt / _LOOKS, self.origin)


@dataclass(frozen=True)
class Jumping:
    """What in a problem may jump in time.

    Attributes
    ----------
    followed : that steps can be cut for.
    missed : what jumps at other times from place to place, or more than once in a step.
    """

    followed: tuple[Timed, ...] = ()
    missed: tuple[str, ...] = ()


NO_JUMPS = Jumping()


def jumping(
    operator: MaxwellTM, driven: Sequence[tuple[str, SourceTerm]], dt: float, until: float
) -> Jumping:
    """What may jump in a problem.

    Parameters
    ----------
    driven : the source terms, and what sources they are of.
    dt, until : about the time step, and how long the run lasts.
    """
    followed: dict[tuple[Formula, float], Timed] = {}
    missed: dict[str, None] = {}
    tried = min(until, _TRIED * dt)
    for timed in _timed(operator, driven):
        if timed.switches.alone:
            if len(timed.breaks(0.0, tried, dt)) > tried / dt + 1:
                missed[timed.what] = None
            else:
                followed.setdefault((timed.formula, timed.origin), timed)
    for what, jumps in _elsewhere(operator, driven, dt, until):
        if jumps:
            missed[what] = None
    return Jumping(tuple(followed.values()), tuple(missed))


def _timed(operator: MaxwellTM, driven: Iterable[tuple[str, SourceTerm]]) -> Iterator[Timed]:
    """All formulas, each as it is at one place."""
    for profile in operator.media.profiles:
        if profile.formula is not None:
            yield Timed(profile.what, profile.formula)
    for what, term in driven:
        match term:
            case FormulaSourceTerm():
                yield Timed(what, term.jz)
                continue
            case MovingSourceTerm():
                yield Timed(what, term.x, term.origin)
                yield Timed(what, term.y, term.origin)
        wave = term.waveform
        if isinstance(wave, TimeFunction):
            for delay in _delays(term) if _arrives_at_once(term) else ():
                yield Timed(what, wave.formula, wave.origin + delay)


def _delays(term: SourceTerm) -> list[float]:
    return np.unique(term.delay).tolist() if isinstance(term, FaceSourceTerm) else [0.0]


def _arrives_at_once(term: SourceTerm) -> bool:
    return len(_delays(term)) <= _MOST_DELAYS


def _elsewhere(
    operator: MaxwellTM, driven: Iterable[tuple[str, SourceTerm]], dt: float, until: float
) -> Iterator[tuple[str, bool]]:
    """What may jump at other times from place to place, and whether it does."""
    d = operator.discretization
    for profile in operator.media.profiles:
        if profile.formula is not None:
            yield profile.what, _jumps_somewhere(profile.formula, profile.x, profile.y, until)
    for what, term in driven:
        if isinstance(term, FormulaSourceTerm):
            yield what, _jumps_somewhere(term.jz, d.x, d.y, until)
        elif isinstance(term, FaceSourceTerm) and not _arrives_at_once(term):
            wave, tried = term.waveform, min(until, _TRIED * dt)
            found = switches_of(wave.formula).breaks(0.0, tried, dt / _LOOKS, wave.origin)
            sides = np.array([(b.before, b.after) for b in found]).reshape(-1, 2)
            yield what, _apart(wave(sides), wave(np.linspace(0, tried, _TIMES)))


def _jumps_somewhere(formula: Formula, x: Array, y: Array, until: float) -> bool:
    """Whether a formula jumps where t and the place decide together."""
    switches = switches_of(formula)
    if not switches.elsewhere:
        return False
    every = -(-x.size // _POINTS)
    x, y = x.ravel()[::every, None], y.ravel()[::every, None]
    times = np.linspace(0, until, _TIMES)

    def state(x: Array, y: Array, t: Array) -> Array:
        return switches.state(switches.elsewhere, x=x, y=y, t=t)

    states = state(x, y, times)
    point, moment = np.nonzero((states[:, :, 1:] != states[:, :, :-1]).any(axis=0))
    if not len(point):
        return False
    x, y, low, high = x[point, 0], y[point, 0], times[moment], times[moment + 1]
    before = state(x, y, low)
    for _ in range(50):
        middle = low + (high - low) / 2
        same = (state(x, y, middle) == before).all(axis=0)
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    sides = formula.evaluate(x=x[:, None], y=y[:, None], t=np.stack([low, high], axis=1))
    return _apart(sides, sides)


def _apart(sides: Array, values: Array) -> bool:
    """Whether values (n, 2) on both sides differ by more than kinks make of rounding."""
    scale = float(np.abs(values).max(initial=0.0))
    return bool((np.abs(np.diff(sides, axis=1)) > _JUMP * scale).any())


class Lookout:
    """Finds the next jump of all, some steps ahead.

    Parameters
    ----------
    dt : time step.
    """

    def __init__(self, followed: Sequence[Timed], dt: float) -> None:
        self._dt = dt
        self._start = self._end = 0.0
        self._found: list[Break] = []
        # Many waveforms have a begin and no more: those are not searched for again and again.
        found = [(t, t.switches.all_breaks(dt / _LOOKS, t.origin)) for t in followed]
        self._known = [b for _, breaks in found for b in breaks or ()]
        self._searched = [t for t, breaks in found if breaks is None]

    def next(self, after: float, until: float) -> Break | None:
        """The first jump after a time, unless there is none up to another."""
        if not (self._known or self._searched):
            return None
        if not self._start <= after <= until <= self._end:
            self._start, self._end = after, until + _AHEAD * self._dt
            found = [b for b in self._known if after < b.after and b.before <= self._end]
            for timed in self._searched:
                found += timed.breaks(self._start, self._end, self._dt)
            self._found = merged(found, _AT_ONCE * self._dt)
        for jump in self._found:
            if jump.after > after:
                return jump if jump.before <= until else None
        return None
