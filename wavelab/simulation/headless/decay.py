"""Whether a wave has died away at the end of a run, and what monitors miss if it has not.

What Fourier transforms have summed up is looked at in equal times, and continued to the end of all
times (:mod:`wavelab.numerics.spectra.remainder`) where the sources are silent and the energy falls.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.errors import SceneError
from wavelab.numerics.spectra.remainder import remainder
from wavelab.physics.monitors.monitors import DiscreteMonitor
from wavelab.physics.problem import Problem
from wavelab.physics.sources.source_terms import FaceSourceTerm, FormulaSourceTerm
from wavelab.simulation.core.simulation import Simulation

#: Steps between two looks at the energy.
ENERGY_EVERY = 20
#: Of a run, at what transforms have summed up.
LOOKS = 40
#: The last of them, kept for what they say of the time after.
KEPT = 20
#: Part of an amplitude that is still to come and not worth a word.
LEAST = 1e-3
#: Of its largest value: a waveform below that is silent.
_SILENT = 1e-4
_SAMPLES, _END = 20_000, 100  # the last of them, where a sine may be 0
#: Numbers of a transform that is read again and again; maps of large meshes are left out.
_MOST_NUMBERS = 200_000
#: Amplitudes that fall by less from look to look: nobody can say where that will end.
_SLOWEST = 0.995


@dataclass(frozen=True, eq=False)
class Look:
    """What was seen at a time: the energy, and what each watched transform had summed up."""

    time: float
    energy: float
    sums: list[Complex]


@dataclass(frozen=True, eq=False)
class DecayMark:
    """What the last looks have seen up to a moment."""

    looks: tuple[Look, ...]
    largest: float
    ended: bool


class Decay:
    """Looks at a headless run at numbers of steps that do not depend on the machine.

    Parameters
    ----------
    n_steps : after which the run ends at the latest.

    Attributes
    ----------
    part : of its largest energy at which the run may end; 0 for never.
    largest : energy that any look has seen.
    ended : whether the wave has died away as far as the scene asks for.

    Raises
    ------
    SceneError : the run is to end when the wave has died away, and that never does, or a monitor
        has to know beforehand when.
    """

    def __init__(self, simulation: Simulation, n_steps: int) -> None:
        self._simulation = simulation
        self._every = max(1, n_steps // LOOKS)
        self._silent = silent_from(simulation.problem)
        self.end_at(simulation.problem.scene.solver.decayed)
        self._watched = [m for m in simulation.problem.monitors if _is_watched(m, simulation)]
        self._looks: deque[Look] = deque(maxlen=KEPT)
        self.largest, self.ended = 0.0, False
        self.record()

    def end_at(self, part: float) -> None:
        """Have the run end when no more than this part of the largest energy is left; 0 for never.

        Raises
        ------
        SceneError : as for the class.
        """
        if part:
            _check_can_end(self._simulation.problem, self._silent)
        self.part, self.ended = part, False

    def steps_until_due(self) -> int:
        return min(n - self._simulation.steps % n for n in (self._every, ENERGY_EVERY))

    def record(self) -> None:
        """Look at the energy, and in equal times at what has been summed up."""
        simulation = self._simulation
        if all(simulation.steps % n for n in (self._every, ENERGY_EVERY)):
            return
        energy = float(simulation.element_energy().sum())
        self.largest = max(self.largest, energy)
        silent = simulation.time >= self._silent
        self.ended = bool(self.part) and silent and energy <= self.part * self.largest
        if simulation.steps % self._every == 0:
            found = (simulation.sums_of(monitor) for monitor in self._watched)
            sums = [sums.values for sums in found if sums is not None]
            self._looks.append(Look(simulation.time, energy, sums))

    def mark(self) -> DecayMark:
        """For :meth:`go_to`."""
        return DecayMark(tuple(self._looks), self.largest, self.ended)

    def go_to(self, mark: DecayMark) -> None:
        """The run is where it was at a mark."""
        self._looks = deque(mark.looks, maxlen=KEPT)
        self.largest, self.ended = mark.largest, mark.ended

    def to_come(self) -> dict[str, Array]:
        """By the name of a monitor, for each of its frequencies what is still to come in parts of
        what it has; of those for which that can be said."""
        if self._fall() is None:
            return {}
        return {
            monitor.monitor.name: _parts(np.stack([look.sums[i] for look in self._looks]))
            for i, monitor in enumerate(self._watched)
        }

    def notices(self) -> list[str]:
        """What monitors miss, and how long a run would be at the present fall until they do not."""
        fall, parts, told = self._fall(), self.to_come(), []
        if fall is None:
            return []
        for discrete in self._watched:
            monitor = discrete.monitor
            part = parts[monitor.name]
            if part.max() < LEAST:
                continue
            transform = discrete.transforms[0]
            worst = int(part.argmax())
            interval = self._looks[-1].time - self._looks[-2].time
            more = interval * math.log(2 * part[worst] / LEAST) / -math.log(fall)
            told.append(
                f"{monitor.what} has not got all of the wave: at the frequency "
                f"{transform.frequencies[worst]:g} about {part[worst]:.1%} of its amplitude are "
                "still to come; let it run at least to "
                f"t = {math.ceil(self._looks[-1].time + more):g}"
            )
        return told

    def _fall(self) -> float | None:
        """By which part amplitudes fall from look to look, if the last looks saw a silent wave fall
        for good."""
        if len(self._looks) < KEPT or self._looks[0].time < self._silent:
            return None
        first, last = self._looks[0].energy, self._looks[-1].energy
        q = (last / first) ** (0.5 / (KEPT - 1)) if first > 0 else 0.0
        return q if 0 < q < _SLOWEST else None


def silent_from(problem: Problem) -> float:
    """When the last source has fallen silent and the last ping was given; inf if one goes on to the
    end.  Currents that are formulas do not say: whether the energy falls has to tell."""
    until = problem.scene.solver.until
    silent = max((ping.time for ping in problem.scene.pings), default=0.0)
    times = np.linspace(0.0, until, _SAMPLES)
    for term in problem.source_terms:
        if isinstance(term, FormulaSourceTerm):
            continue
        values = np.abs(np.broadcast_to(term.waveform(times), times.shape))
        heard = np.flatnonzero(values > _SILENT * values.max())
        if len(heard) and heard[-1] >= len(times) - _END:
            return math.inf
        late = float(term.delay.max()) if isinstance(term, FaceSourceTerm) else 0.0
        if len(heard):
            silent = max(silent, float(times[heard[-1]]) + late)
    return silent


def _check_can_end(problem: Problem, silent: float) -> None:
    scene = problem.scene
    if math.isinf(silent):
        raise SceneError(
            "decayed asks for a wave that dies away, but a source goes on to the end, at "
            f"t = {scene.solver.until:g}",
            where=scene.where,
            remedy="Use pulses, a later until, or leave decayed out.",
        )
    for monitor in scene.monitors:
        transform = monitor.transform
        if transform is not None and transform.window == "hann" and transform.end is None:
            raise SceneError(
                f"{monitor.what} has a Hann window, which must know its end, and with decayed "
                "nobody knows when the run ends",
                where=scene.where,
                remedy="Leave its window out, give it an end, or leave decayed out.",
            )


def _is_watched(discrete: DiscreteMonitor, simulation: Simulation) -> bool:
    """A plain window without an end, of which something is to come."""
    if not discrete.transforms:
        return False
    transform = discrete.transforms[0]
    numbers = math.prod(transform.shape(simulation.problem.discretization.nodes_per_element))
    plain = transform.window.power == 0 and math.isinf(transform.window.end)
    return plain and max(transform.frequencies) > 0 and numbers <= _MOST_NUMBERS


def _parts(sums: Complex) -> Array:
    """(n_frequencies,) what is to come, of sums (looks, n_frequencies, ...) in equal times.

    Where modes are so close that the looks do not tell them apart, the sums still go to and fro
    about what they are going to be.
    """
    sums = sums.reshape(*sums.shape[:2], -1)
    missing = [remainder(np.diff(each, axis=0)) for each in sums.swapaxes(0, 1)]
    swing = np.linalg.norm(sums[len(sums) // 2 :] - sums[-1], axis=2).max(axis=0) / 2
    has = np.linalg.norm(sums[-1], axis=1)
    return np.maximum(np.linalg.norm(missing, axis=1), swing) / np.where(has > 0, has, 1.0)
