"""Resonances of a scene: frequencies, quality factors and shapes of its modes.

1. Ping: a random smooth field rings everything in a band, and random points record it.
2. Harmonic inversion of the records (:mod:`wavelab.numerics.harmonic_inversion`) finds the
   frequencies.
3. The pings run again, and running Fourier transforms at those frequencies leave the modes.  Two
   pings tell two modes of one frequency apart; more are made while a frequency has as many modes
   as there were pings.
4. What is left spans the space of the modes nearly.  On it the semi-discrete operator itself is
   diagonalized (Rayleigh & Ritz): that separates neighbours and modes of one frequency, frees the
   frequencies of the error of the time steps, and squares what is left of the error.

Where media or layers have a memory of their own the fields alone are no closed system; there the
numbers are those of step 2 and the shapes those of step 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import SceneError
from wavelab.numerics.harmonic_inversion import oscillations
from wavelab.physics.modes import Mode, mode_estimate, ritz_modes, transformed_mode
from wavelab.physics.problem import Problem, pose
from wavelab.physics.resolution import points_per_wavelength
from wavelab.physics.running_transform import RunningTransform, TimeWindow
from wavelab.scene.scene import FieldFormulas, Scene
from wavelab.simulation.ringing import Ringing, random_fields, random_points
from wavelab.simulation.study_runs import mesh_of

Tell = Callable[[float, str], None]

#: Random points that record.
_POINTS = 24
#: Modes are looked for this far beyond the band, in parts of its width, so that those outside are
#: far enough away to be filtered out.
_BEYOND = 0.3
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
#: What decays faster than this is no resonance.
_LOWEST_QUALITY = 2.0
#: Frequencies closer than this, relatively, are one with several modes.
_SAME = 2e-5
_FEWEST_PINGS, _MOST_PINGS = 2, 4
_ATTEMPTS = 3
#: Modes that can be asked for at once.
MOST_MODES = 60


@dataclass(frozen=True, eq=False)
class Resonances:
    """What was found.

    Attributes
    ----------
    modes : by frequency.
    multiplicities : how many modes share the frequency of each.
    band : in which they lie.
    refined : whether the operator was diagonalized, or the numbers are those of the records.
    problem : the mesh and operator of the shapes.
    steps : time steps taken in all.
    """

    modes: tuple[Mode, ...]
    multiplicities: tuple[int, ...]
    band: tuple[float, float]
    refined: bool
    problem: Problem
    steps: int

    def table(self) -> str:
        """For people: columns separated by tabs."""
        lines = ["mode\tfrequency\tQ\tmodes at it\tresidual"]
        for i, (mode, n) in enumerate(zip(self.modes, self.multiplicities, strict=True), 1):
            q = "lossless" if math.isinf(mode.quality) else f"{mode.quality:.5g}"
            residual = "\u2013" if math.isnan(mode.residual) else f"{mode.residual:.1e}"
            lines.append(f"{i}\t{mode.frequency:.8g}\t{q}\t{n}\t{residual}")
        return "\n".join(lines)

    def summary(self) -> dict[str, Any]:
        """As ``wavelab resonances --json`` prints it; Q is null where nothing is lost, a residual
        where it is not known."""
        return {
            "band": list(self.band),
            "refined": self.refined,
            "steps": self.steps,
            "modes": [
                {
                    "frequency": mode.frequency,
                    "decay": mode.decay,
                    "q": None if math.isinf(mode.quality) else mode.quality,
                    "multiplicity": n,
                    "residual": None if math.isnan(mode.residual) else mode.residual,
                }
                for mode, n in zip(self.modes, self.multiplicities, strict=True)
            ],
        }


def find_resonances(
    scene: Scene,
    n_modes: int = 6,
    band: tuple[float, float] | None = None,
    *,
    backend: str = "auto",
    device: str | None = None,
    tell: Tell = lambda part, text: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Resonances:
    """The lowest modes of a scene, without its sources and initial fields.

    Parameters
    ----------
    n_modes : how many at most.
    band : lowest and highest frequency to look in; None looks from the lowest mode on.
    tell : told the part of the work that is done, 0 to 1, and what is being done.
    cancelled : asked about ten times a second.

    Raises
    ------
    WavelabError : the scene cannot be meshed or posed, its media change, the mesh does not carry
        the band, or nothing rings in it.
    StudyCancelledError : as ``cancelled`` said.
    """
    tell(0.0, "Meshing")
    mesh = mesh_of(scene, cancelled)
    problem = pose(_silent(scene), mesh)
    return resonances_of(
        problem, n_modes, band, backend=backend, device=device, tell=tell, cancelled=cancelled
    )


def resonances_of(
    problem: Problem,
    n_modes: int = 6,
    band: tuple[float, float] | None = None,
    *,
    backend: str = "auto",
    device: str | None = None,
    tell: Tell = lambda part, text: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Resonances:
    """:func:`find_resonances` for a problem."""
    _check(problem, n_modes, band)
    ringing = Ringing(problem, backend, device, tell, cancelled)
    for attempt in range(_ATTEMPTS):
        estimate = mode_estimate(problem.operator)
        if band is not None:
            low, high = band
        else:
            # Weyl's law is right on average; what it misses, another attempt finds.
            high = estimate.frequency_of(1.3 * n_modes + 1) * 1.25**attempt
            low = 0.3 * estimate.frequency_of(1.0)
        _check_carried(problem, high)
        wide = max(low - _BEYOND * (high - low), 0.7 * low), high + _BEYOND * (high - low)
        expected = max(3.0, estimate.count(wide[1]) - estimate.count(wide[0]))
        ringing.tell_from(attempt / _ATTEMPTS if attempt else 0.0)
        modes, refined = _modes(problem, ringing, (low, high), wide, expected)
        if band is not None or len(modes) >= n_modes:
            break
    if not modes:
        raise SceneError(
            f"nothing rings between the frequencies {low:.4g} and {high:.4g}",
            where=problem.scene.where,
            remedy="Look in another band; a scene that is open all round has no resonances.",
        )
    tell(1.0, "Done")
    return Resonances(
        tuple(modes[:n_modes]),
        _multiplicities(modes)[:n_modes],
        (low, high),
        refined,
        problem,
        ringing.steps,
    )


def _modes(
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
    low, high = band
    width = wide[1] - wide[0]
    record = max(_RECORD * expected / width, 12 / width, 2 / low)
    points = random_points(problem, _POINTS)
    start = random_fields(problem, wide[1], seed=1)
    times, samples = ringing.record(start, points, record, "Ringing")
    lines = oscillations(samples, float(times[1] - times[0]), wide, threshold=1e-4)
    if not lines:
        return [], not problem.local_equations
    frequencies = tuple(line.frequency for line in lines)
    length = max(record, _WINDOW_LENGTH / (wide[1] - high))
    transform = RunningTransform(
        frequencies,
        elements=np.arange(problem.discretization.n_elements, dtype=np.int32),
        every=max(1, math.floor(1 / (_SAMPLES * wide[1] * problem.dt_max))),
        window=TimeWindow(0.0, length, power=_WINDOW_POWER),
    )
    vectors: list[NDArray[np.complex128]] = []
    pings = 0
    modes: list[Mode] = []
    while pings < _MOST_PINGS:
        start = random_fields(problem, wide[1], seed=2 + pings)
        vectors.extend(ringing.transform(start, transform, length, f"Ping {pings + 1}"))
        pings += 1
        if problem.local_equations:
            break
        if pings < _FEWEST_PINGS:
            continue
        ringing.tell("Separating modes")
        modes = [
            mode
            for mode in ritz_modes(problem.operator, np.array(vectors))
            if low <= mode.frequency <= high
            and mode.residual < _ACCEPTED
            and mode.quality > _LOWEST_QUALITY
        ]
        if not modes or max(_multiplicities(modes)) < pings:
            break
    if problem.local_equations:
        modes = [
            transformed_mode(vector, line.frequency, line.decay)
            for vector, line in zip(vectors, lines, strict=True)
            if low <= line.frequency <= high
            and line.decay > -1e-3 * line.frequency
            and np.pi * line.frequency > _LOWEST_QUALITY * line.decay
        ]
    return modes, not problem.local_equations


def _multiplicities(modes: list[Mode]) -> tuple[int, ...]:
    """How many modes have the frequency of each, but for what the mesh does to it."""
    f = np.array([mode.frequency for mode in modes])
    near = np.abs(f[:, None] - f[None, :]) < _SAME * f
    return tuple(int(n) for n in near.sum(axis=1))


def _silent(scene: Scene) -> Scene:
    """Without sources, initial fields and what measures them, in double precision."""
    return replace(
        scene,
        sources=(),
        probes=(),
        monitors=(),
        initial=FieldFormulas(),
        exact=None,
        view=replace(scene.view, quantity="ez"),
        solver=replace(scene.solver, precision="double", stepper="auto"),
    )


def _check(problem: Problem, n_modes: int, band: tuple[float, float] | None) -> None:
    where = problem.scene.where
    if not 1 <= n_modes <= MOST_MODES:
        raise SceneError(
            f"{n_modes} modes cannot be looked for",
            where=where,
            remedy=f"Ask for 1 to {MOST_MODES}, and for higher ones with a band.",
        )
    if band is not None and not (0 < band[0] < band[1] and math.isfinite(band[1])):
        raise SceneError(
            f"the band from {band[0]:g} to {band[1]:g} is none",
            where=where,
            remedy="Give two frequencies greater than 0, the lower one first.",
        )
    if problem.operator.media.changes:
        raise SceneError(
            "a scene whose media change has no resonances",
            where=where,
            remedy="Use formulas of x and y alone.",
        )
    if band is not None:
        _check_carried(problem, band[1])


def _check_carried(problem: Problem, highest: float) -> None:
    points = points_per_wavelength(problem.operator, highest, problem.local_equations).points
    if points < 2.0:
        raise SceneError(
            f"the mesh carries nothing of the frequency {highest:.4g}: {points:.1f} points per "
            "wavelength",
            where=problem.scene.where,
            remedy="Use smaller elements or a higher order, or look for fewer modes.",
        )
