"""How the modes of a problem in a band of frequencies are found.

Where the mesh is small enough they are solved for
(:mod:`wavelab.simulation.studies.modes.mode_solver`), and else they ring:

1. Ping: a random smooth field rings everything in a band, and random points record it.
2. Harmonic inversion of the records (:mod:`wavelab.numerics.spectra.harmonic_inversion`) finds the
   frequencies.
3. The pings run again, and running Fourier transforms at those frequencies leave the modes.  Two
   pings tell two modes of one frequency apart; more are made while a frequency has as many modes
   as there were pings.
4. What is left spans the space of the modes nearly.  On it the semi-discrete operator itself is
   diagonalized (Rayleigh & Ritz): that separates neighbours and modes of one frequency, frees the
   frequencies of the error of the time steps, and squares what is left of the error.
5. As long as much of others is left in a shape, the modes themselves ring again, with what they are
   in the memory of media and layers, and steps 3 and 4 are repeated.

Where media or layers have variables of their own the fields alone are no closed system, but at one
complex frequency the auxiliary variables follow from them: there the problem of step 4 is a
nonlinear one, and the frequencies of step 2 are where its solutions are looked for
(:mod:`wavelab.physics.modes.dispersive_modes`).  What step 2 has found and nothing fulfils is left
out.  Only where a medium is both dispersive and a formula the numbers are those of step 2 and the
shapes those of step 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.numerics.spectra.harmonic_inversion import Oscillation, oscillations
from wavelab.physics.modes.dispersive_modes import dispersive_modes
from wavelab.physics.modes.modes import Mode, loses_nothing, ritz_modes, transformed_mode
from wavelab.physics.monitors.running_transform import RunningTransform, TimeWindow
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.problem import Problem
from wavelab.simulation.studies.modes.mode_solver import not_solved, solved_modes
from wavelab.simulation.studies.modes.ringing import Ringing, mixture, random_fields, random_points

#: (n, n_fields, n_elements, nodes_per_element) amplitudes of the fields.
Shapes = Complex

#: Random points that record.
_POINTS = 24
#: Length of the records in units of modes over bandwidth: 1 would separate them if they were spread
#: evenly.
_RECORD = 2.5
#: Exponent of the window of the transforms, and their least length over the distance to what is
#: outside: that is smaller by about 1e-4 then, and its square is what frequencies suffer.
_WINDOW_POWER, _WINDOW_LENGTH = 3, 6.0
#: Samples of the transforms per period of the highest frequency that rings: what the pings hold
#: above folds back from far beyond it.
_SAMPLES = 12
#: Relative residual above which a Ritz vector is no mode.
_ACCEPTED = 0.03
#: The same with auxiliary variables, where the layer of an open wall rings by itself a little.
_ACCEPTED_DISPERSIVE = 0.01
#: A mode that has more than this part of its energy in the layers of open walls is theirs.
_OF_LAYER = 0.5
#: What has a larger one is not let ring again.
_SEEN = 0.1
#: Times that modes are refined, until all residuals are smaller than this, or larger than a part of
#: what they were.
_MOST_REFINEMENTS, _SETTLED, _SLOW = 2, 1e-5, 0.5
#: What decays faster than this is no resonance.
_LOWEST_QUALITY = 2.0
#: An end of a band is reached by what is nearer to it than this, relatively: rounding. Below this
#: part of the other end nothing is looked for, since it is smaller than rounding in the equations.
_REACHED, _SLOWEST = 1e-9, 1e-6
#: Frequencies closer than this, relatively, are one with several modes.
_SAME = 2e-5
_FEWEST_PINGS, _MOST_PINGS = 2, 4
#: Logarithm of what a mode has lost in the middle of a window in which it cannot be seen; and the
#: band in which such are looked for instead, in parts of the ends of that which was asked for.
_FADED, _BROAD = 25.0, (0.3, 2.0)


@dataclass(frozen=True)
class _Look:
    """Lines that are transformed in one window.

    Attributes
    ----------
    lines : what the records have at them.
    length : of the window.
    highest : frequency that rings.
    """

    lines: Sequence[Oscillation]
    length: float
    highest: float

    def transform(self, problem: Problem) -> RunningTransform:
        return RunningTransform(
            tuple(line.frequency for line in self.lines),
            elements=np.arange(problem.discretization.n_elements, dtype=np.int32),
            every=max(1, math.floor(1 / (_SAMPLES * self.highest * problem.dt_max))),
            window=TimeWindow(0.0, self.length, power=_WINDOW_POWER),
        )


def modes_in_band(
    problem: Problem,
    ringing: Ringing,
    band: tuple[float, float],
    wide: tuple[float, float],
    expected: float,
) -> tuple[list[Mode], bool]:
    """All modes in a band, by frequency, and whether they were refined.

    Parameters
    ----------
    wide : the band with what is around it.
    expected : number of modes in that.
    """
    low, high = max(band[0], _SLOWEST * band[1]), band[1]
    band = low * (1 - _REACHED), high * (1 + _REACHED)
    if _fits(problem):
        solved = solved_modes(problem, ringing, band)
        if solved is not None:
            return _accepted(problem, band, solved), True
    operator = problem.operator
    if not isinstance(operator, MaxwellTM):
        raise not_solved(problem, _fits(problem))
    width = wide[1] - wide[0]
    record = max(_RECORD * expected / width, 12 / width, 2 / low)
    points = random_points(problem, _POINTS)
    start = random_fields(problem, wide[1], seed=1)
    times, samples = ringing.record(start, points, record, _BROAD[1] * high, "Ringing")
    lines = oscillations(samples, float(times[1] - times[0]), wide, threshold=1e-4)
    looks = [_Look(lines, max(record, _WINDOW_LENGTH / (wide[1] - high)), wide[1])]
    fading = _fading(problem, samples, float(times[1] - times[0]), band, looks[0].length)
    looks = [look for look in (*looks, fading) if look.lines]
    lines = [line for look in looks for line in look.lines]
    if not lines:
        return [], True

    def shapes_after(start: Callable[[_Look], Fields], text: str) -> Shapes:
        return np.concatenate(
            [
                ringing.transform(start(look), look.transform(problem), look.length, text)
                for look in looks
            ]
        )

    def ping(number: int) -> Shapes:
        fields = random_fields(problem, wide[1], seed=1 + number)
        return shapes_after(lambda look: fields, f"Ping {number}")

    if not _fits(problem):
        return _transformed(operator, lines, ping(1), band), False
    guesses = [-2j * np.pi * line.frequency - line.decay for line in lines]

    def separated(shapes: list[Shapes]) -> list[Mode]:
        ringing.tell("Separating modes")
        vectors = np.concatenate(shapes)
        if not problem.acting:
            return ritz_modes(operator, vectors, pause=ringing.pause)
        equations = problem.acting
        return dispersive_modes(operator, equations, vectors, guesses, pause=ringing.pause)

    accepted = partial(_accepted, problem, band)
    modes = _told_apart(separated, ping, accepted)

    def again(modes: list[Mode], number: int) -> Shapes:
        return shapes_after(
            lambda look: mixture(problem, modes, look.length / 2, seed=number), "Refining"
        )

    return accepted(_refined(separated, again, modes, accepted)), True


def _fading(
    problem: Problem, samples: Array, dt: float, band: tuple[float, float], length: float
) -> _Look:
    """What is gone before the middle of a window, and all around it that a short one takes in.

    The narrower a band, the longer its window and the fewer samples its records are thinned out
    to: a mode of a low quality is wider than the band, and is looked for in a broader one.
    """
    low, high = band
    broad = _BROAD[0] * low, _BROAD[1] * high
    nothing = _Look((), length, broad[1])
    if not problem.acting and loses_nothing(problem.operator):
        return nothing
    lines = oscillations(samples, dt, broad, threshold=1e-4)
    faded = [
        line for line in lines if low <= line.frequency <= high and line.decay * length / 2 > _FADED
    ]
    short = max(_WINDOW_LENGTH / (broad[1] - high), 12 / (broad[1] - broad[0]))
    return _Look(lines, min(short, length), broad[1]) if faded else nothing


def _fits(problem: Problem) -> bool:
    """Whether media with auxiliary variables are constant on every element, so that what they add
    is local."""
    graded = [profile.elements for profile in problem.operator.media.profiles]
    return not any(
        np.isin(elements, equations.elements).any()
        for elements in graded
        for equations in problem.acting
    )


def _accepted(problem: Problem, band: tuple[float, float], modes: list[Mode]) -> list[Mode]:
    """Those in the band that are modes, and resonances."""
    residual = _ACCEPTED_DISPERSIVE if problem.acting else _ACCEPTED
    return [
        mode
        for mode in modes
        if band[0] <= mode.frequency <= band[1]
        and mode.residual < residual
        and mode.quality > _LOWEST_QUALITY
        and _in_layers(problem, mode) < _OF_LAYER
    ]


def _in_layers(problem: Problem, mode: Mode) -> float:
    """Part of the energy of its fields."""
    if not problem.acting:
        return 0.0
    real, imaginary = (
        problem.operator.element_energy(problem.operator.fields.of(part.copy()))
        for part in (mode.fields.real, mode.fields.imag)
    )
    energy = real + imaginary
    return float(energy[problem.in_layers].sum() / energy.sum())


def _told_apart(
    separated: Callable[[list[Shapes]], list[Mode]],
    ping: Callable[[int], Shapes],
    accepted: Callable[[list[Mode]], list[Mode]],
) -> list[Mode]:
    """The modes that pings consist of: more pings than modes share a frequency, if it may be."""
    shapes = [ping(number) for number in range(1, _FEWEST_PINGS + 1)]
    modes = separated(shapes)
    while len(shapes) < _MOST_PINGS:
        found = accepted(modes)
        if not found or max(multiplicities(found)) < len(shapes):
            break
        shapes.append(ping(len(shapes) + 1))
        modes = separated(shapes)
    return modes


def _refined(
    separated: Callable[[list[Shapes]], list[Mode]],
    again: Callable[[list[Mode], int], Shapes],
    modes: list[Mode],
    accepted: Callable[[list[Mode]], list[Mode]],
) -> list[Mode]:
    """The same modes without most of what the pings have left in them of others: those that they
    are made of ring again, and what is outside of the band is filtered out once more."""
    for number in range(_MOST_REFINEMENTS):
        found = accepted(modes)
        worst = max((mode.residual for mode in found), default=0.0)
        if worst < _SETTLED:
            break
        # Few of those that are not quite modes yet will be, but they stand in the way of others.
        seen = [mode for mode in modes if mode.residual < _SEEN]
        count = min(max(multiplicities(found)), _MOST_PINGS)
        shapes = [again(seen, _MOST_PINGS * number + i) for i in range(1, count + 1)]
        finer = separated([np.array([mode.fields for mode in seen]), *shapes])
        if len(accepted(finer)) < len(found):
            break
        modes = finer
        if max(mode.residual for mode in accepted(modes)) > _SLOW * worst:
            break
    return modes


def _transformed(
    operator: MaxwellTM, lines: Sequence[Oscillation], shapes: Shapes, band: tuple[float, float]
) -> list[Mode]:
    """What rings at the lines of the records, as it is."""
    return [
        transformed_mode(operator, shape, line.frequency, line.decay)
        for shape, line in zip(shapes, lines, strict=True)
        if band[0] <= line.frequency <= band[1]
        and line.decay > -1e-3 * line.frequency
        and np.pi * line.frequency > _LOWEST_QUALITY * line.decay
    ]


def multiplicities(modes: list[Mode]) -> tuple[int, ...]:
    """How many modes have the frequency of each, but for what the mesh does to it."""
    f = np.array([mode.frequency for mode in modes])
    near = np.abs(f[:, None] - f[None, :]) < _SAME * f
    return tuple(int(n) for n in near.sum(axis=1))
