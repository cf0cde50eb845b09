"""Where formulas of time jump: found ahead, so that steps can be cut there.

A Runge-Kutta step samples what depends on time at its stages, and weighs them: by 21, -16, ... in
schemes of long steps.  Such weights cancel for what is smooth; of a jump inside a step they make an
error of up to :attr:`wavelab.numerics.time.runge_kutta.LowStorageScheme.jump_error` steps.  A step
that ends on the jump, and one that begins there, see none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.time.clusters import Clusters
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.physics.operator.operator import Operator
from wavelab.physics.sources.source_terms import (
    FaceSourceTerm,
    FormulaSourceTerm,
    MovingSourceTerm,
    SourceTerm,
)
from wavelab.physics.time.steepness import steep_at
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_jumps import Break, Switches, switches_of
from wavelab.scene.model.sending.waveform import TimeFunction

#: Looks at a formula in a step.
LOOKS = 8
#: Of a wave that comes in: it arrives at no more times than this where steps are cut for it.
_MOST_DELAYS = 8
#: Steps that are searched to see whether there are too many jumps, and how many a step may have.
_TRIED, _MOST_IN_A_STEP = 4096, 4
#: Times, and points of a medium or of a current, at which jumps from place to place are looked for.
_TIMES, _POINTS = 257, 128
#: Places at which changes within a step are looked for; one, for what is the same everywhere.
_PLACES, _ANYWHERE = 8, (np.zeros(1), np.zeros(1))
#: Into so many parts a run is divided, at whose ends waveforms begin that are looked at.
_ORIGINS = 64
#: As which scheme a local step follows what changes in time, at least.
_ORDER_OF_LOCAL = 4
#: Part of the largest value by which a formula changes at once where it jumps.
_JUMP = 1e-6
#: When jumps are looked for, steps are taken as equal within this part of a factor of two.
_OF_AN_OCTAVE = 8


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
        return list(_breaks(self, start, end, dt))


@lru_cache(maxsize=512)  # nothing of a waveform changes while a number of a medium is turned
def _breaks(timed: Timed, start: float, end: float, dt: float) -> tuple[Break, ...]:
    return tuple(timed.switches.breaks(start, end, dt / LOOKS, timed.origin))


@dataclass(frozen=True)
class Jumping:
    """What in a problem may jump in time.

    Attributes
    ----------
    followed : that steps can be cut for.
    missed : what jumps at other times from place to place, or too often for that.
    steep : what changes within a step nearly as a jump does, and when.
    """

    followed: tuple[Timed, ...] = ()
    missed: tuple[str, ...] = ()
    steep: tuple[tuple[str, float], ...] = ()


NO_JUMPS = Jumping()


def jumping(
    operator: Operator,
    driven: Sequence[tuple[str, SourceTerm]],
    scheme: LowStorageScheme | Clusters,
    dt: float,
    until: float,
) -> Jumping:
    """What may jump in a problem.

    Parameters
    ----------
    driven : the source terms, and what sources they are of.
    scheme : of the steps.
    dt, until : about the time step, and how long the run lasts.
    """
    followed: dict[tuple[Formula, float], Timed] = {}
    missed: dict[str, None] = {}
    steep: dict[str, float] = {}
    dt = about(dt)
    tried = min(until, _TRIED * dt)
    order = scheme.order if isinstance(scheme, LowStorageScheme) else _ORDER_OF_LOCAL
    for timed, places, at_once in _timed(operator, driven):
        breaks = timed.breaks(0.0, tried, dt)
        if at_once and len(breaks) > _MOST_IN_A_STEP * (tried / dt + 1):
            missed[timed.what] = None
            continue
        if timed.switches.alone and at_once:
            followed.setdefault((timed.formula, timed.origin), timed)
        if places is not None:
            asked = at_once, dt, until, order
            if places is _ANYWHERE:
                moment = _steepness_of_time(timed, *asked)
            else:
                moment = _steepness(timed, places, *asked)
            if moment is not None:
                steep.setdefault(timed.what, moment)
    for what, jumps in _elsewhere(operator, driven, dt, until):
        if jumps:
            missed[what] = None
    return Jumping(tuple(followed.values()), tuple(missed), tuple(steep.items()))


def about(dt: float) -> float:
    """The next larger of some steps: where a number of a medium only moves the step a little, what
    was found before is found again."""
    return float(2.0 ** (math.ceil(_OF_AN_OCTAVE * math.log2(dt)) / _OF_AN_OCTAVE))


_Places = tuple[Array, Array]


def _timed(
    operator: Operator, driven: Iterable[tuple[str, SourceTerm]]
) -> Iterator[tuple[Timed, _Places | None, bool]]:
    """All formulas, each as it is at one place; some places, of those that users have typed; and
    whether what they say holds everywhere at once."""
    for profile in operator.media.profiles:
        if profile.formula is not None and profile.changes:
            yield Timed(profile.what, profile.formula), _some(profile.x, profile.y), True
    d = operator.discretization
    for what, term in driven:
        match term:
            case FormulaSourceTerm():
                yield Timed(what, term.jz), _some(d.x, d.y), True
                continue
            case MovingSourceTerm():
                for formula in (term.x, term.y):
                    yield Timed(what, formula, term.origin), _ANYWHERE, True
        wave = term.waveform
        if isinstance(wave, TimeFunction) and isinstance(wave.formula, Formula):
            places = _ANYWHERE if wave.settled is None else None
            at_once = _arrives_at_once(term)
            for delay in _delays(term) if at_once else [0.0]:
                yield Timed(what, wave.formula, wave.origin + delay), places, at_once


def _steepness(
    timed: Timed, places: _Places, at_once: bool, dt: float, until: float, order: int
) -> float | None:
    """As :func:`wavelab.physics.time.steepness.steep_at`."""
    cuts = partial(timed.breaks, dt=dt) if at_once else _uncut
    return steep_at(timed.formula, timed.origin, places, cuts, dt, until, order)


def _steepness_of_time(
    timed: Timed, at_once: bool, dt: float, until: float, order: int
) -> float | None:
    """Of what is the same everywhere: of the waveform a little later, which serves for all of many
    sources with delays while these are turned, or its own if that is steep where the run is not."""
    apart = until / _ORIGINS
    later = min(math.ceil(min(timed.origin / apart, _ORIGINS)) * apart, until)
    asked = at_once, dt
    shift = later - timed.origin
    if not 0 < shift <= apart:
        return _steepness_known(replace(timed, what=""), *asked, until, order)
    moment = _steepness_known(replace(timed, what="", origin=later), *asked, until + apart, order)
    if moment is None:
        return None
    if 0 <= moment - shift <= until:
        return moment - shift
    return _steepness_known(replace(timed, what=""), *asked, until, order)


@lru_cache(maxsize=256)  # most waveforms stay as they are while a number of a scene is turned
def _steepness_known(
    timed: Timed, at_once: bool, dt: float, until: float, order: int
) -> float | None:
    return _steepness(timed, _ANYWHERE, at_once, dt, until, order)


def _uncut(start: float, end: float) -> list[Break]:
    return []


def _some(x: Array, y: Array) -> _Places:
    every = -(-x.size // _PLACES)
    return x.ravel()[::every], y.ravel()[::every]


def _delays(term: SourceTerm) -> list[float]:
    return np.unique(term.delay).tolist() if isinstance(term, FaceSourceTerm) else [0.0]


def _arrives_at_once(term: SourceTerm) -> bool:
    return len(_delays(term)) <= _MOST_DELAYS


def _elsewhere(
    operator: Operator, driven: Iterable[tuple[str, SourceTerm]], dt: float, until: float
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
            wave = term.waveform
            splined = not isinstance(wave.formula, Formula)  # and has no jumps
            yield what, not splined and _jumps_at_its_source(wave, min(until, _TRIED * dt), dt)


@lru_cache(maxsize=256)
def _jumps_at_its_source(wave: TimeFunction, until: float, dt: float) -> bool:
    """Whether a wave jumps that arrives everywhere at another time."""
    assert isinstance(wave.formula, Formula)
    found = switches_of(wave.formula).breaks(0.0, until, dt / LOOKS, wave.origin)
    sides = np.array([(b.before, b.after) for b in found]).reshape(-1, 2)
    return _apart(wave(sides), wave(np.linspace(0, until, _TIMES)))


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
