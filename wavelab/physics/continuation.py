"""Sources that are changed while the wave runs: each goes on from where it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from wavelab.physics.problem import Problem
from wavelab.physics.sources.source_terms import (
    FormulaSourceTerm,
    MovingSourceTerm,
    NodalSourceTerm,
    SourceTerm,
)
from wavelab.physics.time.jumps import jumping
from wavelab.scene.model.sending.waveform import TimeFunction

_Places = Mapping[tuple[str | int, int], SourceTerm]


def continued(running: Problem, said: Problem, new: Problem, time: float) -> Problem:
    """``new`` with the waveforms of its sources shifted in time, so that at ``time``

    - a wave that goes on has as many periods behind it as before, whatever its frequency is now:
      it keeps its phase, and is switched on as far as it was;
    - all others go on, but for what their delay has been changed by;
    - what was not there before, or was of another kind, begins now, and on its way if it moves.

    Waveforms and currents that are formulas of t mean the time of the run, and are left alone.

    Parameters
    ----------
    running : what drives the fields now.
    said : the same as its scene says it, from which it may have been shifted before.
    """
    by_number = len(new.scene.sources) == len(said.scene.sources)
    now, as_said = _places(running, by_number), _places(said, by_number)
    terms = tuple(
        _continued(term, now.get(place), as_said.get(place), time)
        for place, term in _places(new, by_number).items()
    )
    if all(a is b for a, b in zip(terms, new.source_terms, strict=True)):
        return new
    found = replace(new, source_terms=terms)
    until = new.scene.solver.until
    followed = jumping(new.operator, found.driven, new.scheme, new.dt_max, until)
    return replace(found, jumping=followed)


def _places(problem: Problem, by_number: bool) -> _Places:
    """The source terms by the source that each is of, and which of those it is: sources are told
    apart by their numbers, so that a new name changes nothing, unless there are more or fewer."""
    terms = iter(problem.source_terms)
    return {
        (number if by_number else source.name, i): next(terms)
        for number, (source, count) in enumerate(
            zip(problem.scene.sources, problem.terms_each, strict=True)
        )
        for i in range(count)
    }


def _continued(
    term: SourceTerm, now: SourceTerm | None, said: SourceTerm | None, time: float
) -> SourceTerm:
    if isinstance(term, MovingSourceTerm):
        term = replace(term, origin=now.origin if isinstance(now, MovingSourceTerm) else time)
    new = _timed(term)
    if new is None or isinstance(term, FormulaSourceTerm):
        return term
    before, as_said = _timed(now), _timed(said)
    if before is None or as_said is None or bool(before.period) != bool(new.period):
        origin = new.origin + time
    else:
        stretch = new.period / before.period if new.period else 1.0
        goes_on = before.origin if stretch == 1 else time - stretch * (time - before.origin)
        origin = goes_on + (new.origin - as_said.origin)
    if origin == new.origin:
        return term
    shifted = replace(new, origin=origin)
    if isinstance(term, NodalSourceTerm):  # which could have any function of time
        return replace(term, waveform=shifted)
    return replace(term, waveform=shifted)


def _timed(term: SourceTerm | None) -> TimeFunction | None:
    """The waveform, where it is known when it settles."""
    waveform = getattr(term, "waveform", None)
    known = isinstance(waveform, TimeFunction) and waveform.settled is not None
    return waveform if known else None
