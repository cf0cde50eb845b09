"""Whether a wave has died away at the end of a run, and what monitors miss if it has not.

What Fourier transforms have summed up is looked at in equal times, and continued to the end of all
times (:mod:`wavelab.numerics.spectra.remainder`) where the sources are silent and the energy falls.
Nobody knows when a run ends that may end before, so there the looks lie closely at first, and
every second one is forgotten when there are too many: those of the last half of the run are at
least ``KEPT`` at any time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.errors import SceneError
from wavelab.numerics.spectra.remainder import remainder
from wavelab.physics.monitors.monitors import DiscreteMonitor
from wavelab.physics.problem import Problem
from wavelab.simulation.core.silence import silent_from
from wavelab.simulation.core.simulation import Simulation

#: Steps between two looks at the energy.
ENERGY_EVERY = 20
#: Looks at what transforms have summed up, in the last half of a run, that say anything of what
#: comes after; four times as many are kept at most.
KEPT = 20
#: Part of an amplitude that is still to come and not worth a word.
LEAST = 1e-3
#: Numbers of a transform that is read again and again; maps of large meshes are left out.
_MOST_NUMBERS = 100_000
#: Amplitudes that fall by less from look to look: nobody can say where that will end.
_SLOWEST = 0.995


def _rounded_up(time: float) -> float:
    """The next with two significant digits: that is one of any unit, as a whole number is not."""
    step = 10.0 ** (math.floor(math.log10(time)) - 1)
    return math.ceil(time / step) * step


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
    every: int
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
        self._n_steps = n_steps
        self._silent = silent_from(simulation.problem)
        self.end_at(simulation.problem.scene.solver.decayed)
        self._watched = [m for m in simulation.problem.monitors if _is_watched(m, simulation)]
        self._looks: list[Look] = []
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
        if not self._simulation.steps:
            self._every = 1 if part else max(1, self._n_steps // (2 * KEPT))

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
        died_away = 0 < energy <= self.part * self.largest or energy == 0 < self.largest
        self.ended = bool(self.part) and silent and died_away
        if simulation.steps % self._every == 0:
            found = (simulation.sums_of(monitor) for monitor in self._watched)
            sums = [sums.values for sums in found if sums is not None]
            self._looks.append(Look(simulation.time, energy, sums))
            if len(self._looks) > 4 * KEPT:
                self._looks, self._every = self._looks[::2], 2 * self._every

    def mark(self) -> DecayMark:
        """For :meth:`go_to`."""
        return DecayMark(tuple(self._looks), self._every, self.largest, self.ended)

    def go_to(self, mark: DecayMark) -> None:
        """The run is where it was at a mark."""
        self._looks, self._every = list(mark.looks), mark.every
        self.largest, self.ended = mark.largest, mark.ended

    def to_come(self) -> dict[str, Array]:
        """By the name of a monitor, for each of its frequencies what is still to come in parts of
        what it has; of those for which that can be said."""
        if self._fall() is None:
            return {}
        norm = self._simulation.problem.operator.norm
        return {
            monitor.monitor.name: _parts(
                np.stack([look.sums[i] for look in self._late]),
                np.exp([np.log(norm[name]).mean() / 2 for name in monitor.summed]),
            )
            for i, monitor in enumerate(self._watched)
        }

    def notices(self) -> list[str]:
        """What monitors miss, and how long a run would be at the present fall until they do not."""
        fall, parts, told = self._fall(), self.to_come(), self._not_ended()
        if fall is None:
            return told + self._nobody_knows()
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
                f"still to come{monitor.missing(float(part[worst]))}; let it run at least to "
                f"t = {_rounded_up(self._looks[-1].time + more):g}"
            )
        return told

    @property
    def _late(self) -> list[Look]:
        """Of the last half of the run."""
        return self._looks[len(self._looks) // 2 :]

    def _left(self) -> str:
        """Of the energy, at the last look."""
        return f"{self._looks[-1].energy / self.largest:.2g} of its largest energy"

    def _not_ended(self) -> list[str]:
        """That a run has not seen the end of the wave that it was to wait for."""
        if not self.part or self.ended or not self.largest:
            return []
        text = f"at t = {self._looks[-1].time:g} the wave still has {self._left()}, and decayed is "
        text += f"{self.part:g}: it has not died away"
        fall = self._fall()
        if fall is not None:
            interval = self._looks[-1].time - self._looks[-2].time
            wanted = math.log(self.part * self.largest / self._looks[-1].energy)
            until = self._looks[-1].time + interval * wanted / (2 * math.log(fall))
            text += f"; as it falls now, it will have at t = {_rounded_up(until):g}"
        return [text]

    def _nobody_knows(self) -> list[str]:
        """That monitors have watched a wave which is still there, where no more can be said."""
        if not (self._watched and self.largest and math.isfinite(self._silent)):
            return []
        last = self._looks[-1]
        if last.energy <= LEAST**2 * self.largest:
            return []
        names = ", ".join(f'"{discrete.monitor.name}"' for discrete in self._watched)
        one = len(self._watched) == 1
        text = f"monitor{'' if one else 's'} {names} {'has' if one else 'have'} not got all of the "
        text += f"wave, which still has {self._left()}"
        if self._late[0].time < self._silent:
            text += f"; the sources are silent from t = {self._silent:.4g} on, and what is missing "
            return [
                text + f"can be told of runs that go on to t = {2 * self._silent:.4g} or longer"
            ]
        return [text + ", and does not die away: the numbers depend on when the run ends"]

    def _fall(self) -> float | None:
        """By which part amplitudes fall from look to look, if the last looks saw a silent wave fall
        for good."""
        looks = self._late
        if len(looks) < KEPT or looks[0].time < self._silent:
            return None
        first, last = looks[0].energy, looks[-1].energy
        q = (last / first) ** (0.5 / (len(looks) - 1)) if first > 0 else 0.0
        return q if 0 < q < _SLOWEST else None


def _check_can_end(problem: Problem, silent: float) -> None:
    scene = problem.scene
    if silent >= scene.solver.until:
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


def _parts(sums: Complex, weights: Array) -> Array:
    """(n_frequencies,) what is to come, of sums (looks, n_frequencies, ...) in equal times.

    Where modes are so close that the looks do not tell them apart, the sums still go to and fro
    about what they are going to be.

    Parameters
    ----------
    weights : (n_fields,) of each of the fields that were summed up, one after the other, so that
        none is nothing beside the others: of water the pressure is 1e6 of the velocity in SI units.
    """
    looks, n_frequencies = sums.shape[:2]
    sums = sums.reshape(looks, n_frequencies, len(weights), -1) * weights[:, None]
    sums = sums.reshape(looks, n_frequencies, -1)
    missing = [remainder(np.diff(each, axis=0)) for each in sums.swapaxes(0, 1)]
    swing = np.linalg.norm(sums[len(sums) // 2 :] - sums[-1], axis=2).max(axis=0) / 2
    has = np.linalg.norm(sums[-1], axis=1)
    return np.maximum(np.linalg.norm(missing, axis=1), swing) / np.where(has > 0, has, 1.0)
