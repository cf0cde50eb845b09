"""All probe samples of a headless run."""

from __future__ import annotations

from typing import Any

from wavelab.simulation.records.series import Series


class ProbeRecord(Series):
    """Collects what ``Simulation.advance`` returns.

    Parameters
    ----------
    names : (p,) names of the probes.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(len(names))
        self.names = names

    def summary(self) -> dict[str, Any]:
        """{name: {"t": (n,), "ez": (n,)}}."""
        times, values = self.rows()
        return {name: {"t": times, "ez": values[:, i]} for i, name in enumerate(self.names)}
