"""A map of amplitudes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from wavelab.arrays import Array
from wavelab.scene.model.about import SHAPE
from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.measuring.findings import (
    AT_NODES,
    FREQUENCY,
    Findings,
    MonitorResult,
    Tables,
    Variable,
    at_frequencies,
    at_nodes,
    parts,
    with_duration,
)
from wavelab.scene.model.measuring.monitor import Measurement, Monitor
from wavelab.scene.model.measuring.requests import (
    BEGIN,
    END,
    FREQUENCIES,
    WINDOW,
    Elements,
    Transform,
)
from wavelab.scene.model.shapes import Shape
from wavelab.scene.model.units import Written
from wavelab.scene.monitors.rules import check_transform

#: As they are asked for, and what solids have beside them.
_FIELDS, _STRESSES = ("hx", "hy", "ez"), ("sxx", "syy", "sxy")


@dataclass(frozen=True)
class FieldMonitor(Monitor):
    """Amplitude and phase of all fields at frequencies, in a shape or everywhere."""

    frequencies: tuple[float, ...] = field(metadata=FREQUENCIES)
    begin: float = field(default=0.0, metadata=BEGIN)
    end: float | None = field(default=None, metadata=END)
    window: str = field(default="none", metadata=WINDOW)
    shape: Shape | None = field(default=None, metadata=SHAPE)

    label = "amplitude map"
    variables: ClassVar = {
        **AT_NODES,
        "frequency": FREQUENCY,
        **{
            name: Variable(("frequency", "element", "node"), "field")
            for name in (*_FIELDS, *_STRESSES)
        },
        "mode_volume": Variable(("frequency",), "length^2"),
    }
    placings: ClassVar = {
        "field": Measurement(
            "amplitude map",
            "Amplitude and phase of a steady wave, summed up from now on. \u201cShow map\u201d in "
            "the panel of monitors puts it on the canvas.",
            "shape",
            lambda drawn: FieldMonitor(drawn.name, drawn.frequencies, shape=drawn.shape_or_none),
            "map",
            "an amplitude map",
            everywhere=True,
            frequencies=True,
        ),
    }

    @property
    def where(self) -> Elements:
        return Elements(self.shape)

    @property
    def transform(self) -> Transform:
        return Transform(
            self.frequencies, _FIELDS, begin=self.begin, end=self.end, window=self.window
        )

    def check(self, item: ItemPath, until: float) -> None:
        check_transform(self.transform, item, self.what, until)

    def arrays(self, found: Findings) -> dict[str, Any]:
        x, y = found.nodes()
        return {
            "elements": found.elements,
            "x": x,
            "y": y,
            "frequency": np.array(self.frequencies),
            **{name: found.amplitude(name) for name in found.fields},
            "mode_volume": found.mode_volume(),
        }

    def tables(self, result: MonitorResult) -> Tables:
        """A row for each frequency and node: of each field its _real and _imag."""
        frequency, n = result.arrays["frequency"], result.arrays["x"].size
        columns = {"frequency": np.repeat(frequency, n)}
        for name, values in at_nodes(result.arrays).items():
            columns[name] = np.tile(values, len(frequency))
        for name in ("ez", "hx", "hy", *_STRESSES):
            if name in result.arrays:
                columns |= parts(name, result.arrays[name])
        return {"": with_duration(result, columns)}

    @staticmethod
    def told(result: MonitorResult, written: Written) -> list[str]:
        found = zip(result.arrays["frequency"], result.arrays["ez"], strict=True)
        return [
            f"|Ez| at {written.asked(f)} up to {written.figures(float(abs(ez).max()))}"
            for f, ez in found
        ]

    def shown(self, found: Findings, quantity: str, frequency: int, time: float) -> Array:
        """The size of the amplitude, its phase in degrees, or what swings with both."""
        ez = found.amplitude("ez")[frequency]
        if quantity == "phase":
            return np.degrees(np.angle(ez))
        if quantity == "steady":
            turns = self.frequencies[frequency] * time
            return (ez * np.exp(-2j * np.pi * (turns - round(turns)))).real
        return np.abs(ez)

    @staticmethod
    def in_short(summary: dict[str, Any], written: Written) -> list[str]:
        *_, of_scalar = (key for key in summary if key.startswith("largest_"))
        return at_frequencies(summary, of_scalar, "Ez up to", written)
