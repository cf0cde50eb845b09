"""When nothing drives the fields of a problem any more."""

from __future__ import annotations

import math

import numpy as np

from wavelab.physics.problem import Problem
from wavelab.physics.sources.source_terms import FaceSourceTerm, FormulaSourceTerm
from wavelab.scene.model.sending.waveform import TimeFunction

#: Of its largest value: a waveform below that is silent.
_SILENT = 1e-4
#: Looks at a waveform, at most; the last part of them, where a sine may be 0, and how many at least
#: in a step where nobody knows when it has settled.
_SAMPLES, _MOST_SAMPLES, _END, _IN_A_STEP = 20_000, 2_000_000, 0.005, 2


def silent_from(problem: Problem) -> float:
    """When the last source has fallen silent and the last ping was given; inf if one goes on to the
    end.  Currents that are formulas do not say: whether the energy falls has to tell."""
    until = problem.scene.solver.until
    silent = max((ping.time for ping in problem.scene.pings), default=0.0)
    for term in problem.source_terms:
        if isinstance(term, FormulaSourceTerm):
            continue
        wave, begin, end, count = term.waveform, 0.0, until, _SAMPLES
        settled = wave.settled if isinstance(wave, TimeFunction) else None
        if isinstance(wave, TimeFunction) and settled is not None:
            if wave.period:
                return math.inf
            begin, end = wave.origin, wave.origin + settled
        else:
            count = int(min(max(_SAMPLES, _IN_A_STEP * until / problem.dt_max), _MOST_SAMPLES))
        times = np.linspace(begin, end, count)
        values = np.abs(np.broadcast_to(wave(times), times.shape))
        heard = np.flatnonzero(values > _SILENT * values.max())
        if not len(heard):
            continue
        if settled is None and heard[-1] >= (1 - _END) * count:
            return math.inf
        late = float(term.delay.max()) if isinstance(term, FaceSourceTerm) else 0.0
        silent = max(silent, float(times[heard[-1]]) + late)
    return silent
