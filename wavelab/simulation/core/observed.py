"""What is seen of a simulation, by probes, monitors and the ledger."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array
from wavelab.physics.monitors.monitors import DiscreteMonitor
from wavelab.physics.monitors.probe_places import located
from wavelab.physics.monitors.probe_points import ProbePoints, joined
from wavelab.physics.monitors.running_transform import Sums
from wavelab.physics.monitors.samples import Sampling
from wavelab.physics.problem import Problem
from wavelab.physics.stepper import Stepper
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.model.scene import Probe
from wavelab.simulation.core.stored import element_energy
from wavelab.simulation.records.monitor_records import MonitorRecords


class Observed:
    """The part of a :class:`wavelab.simulation.core.simulation.Simulation` that looks at the fields
    and leaves them as they are."""

    problem: Problem
    stepper: Stepper
    monitors: MonitorRecords
    probes: ProbePoints
    placed: tuple[Probe, ...]
    _sampling: tuple[Sampling, int] | None
    _sampled: list[tuple[Array, Array]]

    def element_energy(self) -> Array:
        """(n_elements,) energy now, with what dispersive media keep."""
        return element_energy(self.problem, self.stepper)

    def place_probes(self, probes: tuple[Probe, ...]) -> list[str]:
        """Replace the probes; the names of those left out because they lie outside."""
        points, outside = located(probes, self.problem.scene, self.problem.discretization)
        self._sample(self.stepper, points)
        self.probes, self.placed = points, tuple(p for p in probes if p not in outside)
        return [probe.name for probe in outside]

    def _sample(self, stepper: Stepper, probes: ProbePoints) -> None:
        stepper.set_probes(joined([probes, *(m.samples for m in self.problem.monitors)]))

    def set_sampling(self, sampling: Sampling, every: int) -> None:
        """Take samples after steps whose number is a multiple of ``every``."""
        self._sampling, self._sampled = (sampling, every), []
        self.stepper.set_sampling(sampling, every)

    def read_sampled(self) -> tuple[Array, Array]:
        """What they have seen since the last call: times (n,), values (n, n_values)."""
        parts = [*self._sampled, self.stepper.read_sampled()]
        self._sampled = []
        times, values = zip(*parts, strict=True)
        return np.concatenate(times), np.concatenate(values)

    def measured(self) -> list[MonitorResult]:
        """What the monitors have found up to now."""
        return [self.measured_by(number) for number in range(len(self.problem.monitors))]

    def measured_by(self, number: int, newest: int | None = None) -> MonitorResult:
        """What one monitor has found up to now; of a time series the newest rows, or all."""
        d = self.problem.discretization
        sums = self.sums_of(self.problem.monitors[number])
        return self.monitors.result(number, sums, d.x, d.y, newest)

    def sums_of(self, monitor: DiscreteMonitor) -> Sums | None:
        """What the transform of one of the problem's monitors has summed up; None without one."""
        if not monitor.transforms:
            return None
        which = self.monitors.transforms.index(monitor.transforms[0])
        return self.monitors.sums(self.stepper, [which])[0]
