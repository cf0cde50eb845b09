"""All probe samples of a headless run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wavelab.scene.model.scene import Probe
from wavelab.simulation.records.series import Series


class ProbeRecord(Series):
    """Collects what ``Simulation.advance`` returns.

    Parameters
    ----------
    probes : of the scene.

    Attributes
    ----------
    names : (p,) of the probes; quantities : what each records.
    """

    def __init__(self, probes: Sequence[Probe]) -> None:
        super().__init__(len(probes))
        self.names = tuple(probe.name for probe in probes)
        self.quantities = tuple(probe.quantity for probe in probes)

    def summary(self) -> dict[str, Any]:
        """{name: {"t": (n,), "ez": (n,)}}, "ez" being what the probe records."""
        times, values = self.rows()
        what = zip(self.names, self.quantities, values.T, strict=True)
        return {name: {"t": times, quantity: found} for name, quantity, found in what}
