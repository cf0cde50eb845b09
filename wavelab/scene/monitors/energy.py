"""Energy in a region."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from wavelab.scene.model.about import SHAPE, about
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.measuring.findings import TIME, Findings, MonitorResult, Variable
from wavelab.scene.model.measuring.monitor import Measurement, Monitor
from wavelab.scene.model.measuring.plots import TimeSeries
from wavelab.scene.model.measuring.requests import Elements
from wavelab.scene.model.shapes import Shape
from wavelab.scene.model.units import Written


@dataclass(frozen=True)
class EnergyMonitor(Monitor):
    """Energy in the elements whose middle lies in a shape, every ``every`` steps."""

    shape: Shape = field(metadata=SHAPE)
    every: int = field(default=20, metadata=about("Steps from one look at the energy to the next"))

    label = "energy"
    plots = (TimeSeries("energy", "energy"),)
    variables: ClassVar = {"time": TIME, "energy": Variable(("time",), "power * length")}
    placings: ClassVar = {
        "energy": Measurement(
            "energy in a region",
            "Draw a region. The energy of all elements whose middle lies in it is drawn over time.",
            "shape",
            lambda drawn: EnergyMonitor(drawn.name, drawn.shape),
            "energy",
            "a region whose energy is measured",
        ),
    }

    @property
    def where(self) -> Elements:
        return Elements(self.shape)

    @property
    def energy_every(self) -> int:
        return self.every

    def check(self, item: ItemPath, until: float) -> None:
        require(
            self.every >= 1,
            (*item, "every"),
            f"{self.what} looks every {self.every} steps",
            "It must be a whole number from 1 on.",
        )

    def arrays(self, found: Findings) -> dict[str, Any]:
        return {"time": found.times, "energy": found.series[:, 0]}

    @staticmethod
    def told(result: MonitorResult, written: Written) -> list[str]:
        energy = result.arrays["energy"]
        return [f"Energy now: {written.figures(float(energy[-1]))}"] if len(energy) else []

    @staticmethod
    def in_short(summary: dict[str, Any], written: Written) -> list[str]:
        energy = summary["energy"]
        return [f"{energy[-1]:.6g} at the end"] if len(energy) else ["no looks"]
