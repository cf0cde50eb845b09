"""The far field of what a contour goes round."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from wavelab.scene.model.about import SHAPE, about
from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.measuring.findings import (
    FREQUENCY,
    Findings,
    MonitorResult,
    Tables,
    Variable,
    at_frequencies,
    parts,
    with_duration,
)
from wavelab.scene.model.measuring.monitor import Measurement, Monitor
from wavelab.scene.model.measuring.plots import Polar
from wavelab.scene.model.measuring.requests import (
    BEGIN,
    END,
    FREQUENCIES,
    WINDOW,
    Contour,
    Transform,
)
from wavelab.scene.model.shapes import Shape
from wavelab.scene.model.units import Written
from wavelab.scene.monitors.rules import check_count, check_transform


@dataclass(frozen=True)
class FarFieldMonitor(Monitor):
    """What leaves a closed contour, far away in ``directions`` evenly spread directions."""

    shape: Shape = field(metadata=SHAPE)
    frequencies: tuple[float, ...] = field(metadata=FREQUENCIES)
    begin: float = field(default=0.0, metadata=BEGIN)
    end: float | None = field(default=None, metadata=END)
    window: str = field(default="none", metadata=WINDOW)
    directions: int = field(
        default=360,
        metadata=about("In how many directions, evenly spread, the far field is found"),
    )

    of_scalar_waves = True
    label = "far field"
    plots = (Polar(),)
    variables: ClassVar = {
        "frequency": FREQUENCY,
        "angle": Variable(("angle",), "degree", coordinate=True),
        "pattern": Variable(("frequency", "angle"), "field * length^(1/2)"),
        "power": Variable(("frequency",), "power"),
    }
    placings: ClassVar = {
        "far_field": Measurement(
            "far field",
            "Draw a contour round all that sends or scatters. It must run inside the domain, "
            "through one medium without losses.",
            "shape",
            lambda drawn: FarFieldMonitor(drawn.name, drawn.shape, drawn.frequencies),
            "far field",
            "the contour of a far field",
            frequencies=True,
        ),
    }

    @property
    def where(self) -> Contour:
        return Contour(self.shape)

    @property
    def transform(self) -> Transform:
        return Transform(self.frequencies, begin=self.begin, end=self.end, window=self.window)

    def check(self, item: ItemPath, until: float) -> None:
        check_count(self.directions, (*item, "directions"), self.what, "directions", least=2)
        check_transform(self.transform, item, self.what, until)

    def arrays(self, found: Findings) -> dict[str, Any]:
        return far_field_arrays(found, self.frequencies, self.directions)

    def missing(self, part: float) -> str:
        level = -20 * math.log10(part)
        return (
            f", which is as much as all there is in directions {level:.0f} dB below the strongest"
        )

    def tables(self, result: MonitorResult) -> Tables:
        """A row for each frequency and direction; "_power": frequency, power, duration."""
        return far_field_tables(result)

    @staticmethod
    def told(result: MonitorResult, written: Written) -> list[str]:
        arrays = result.arrays
        lines = [
            f"Radiated at {written.asked(f)}: {written.figures(float(power))}"
            for f, power in zip(arrays["frequency"], arrays["power"], strict=True)
        ]
        for f, size in zip(arrays["frequency"], abs(arrays["pattern"]), strict=True):
            most = size.argmax()
            peak = written.figures(float(size[most]))
            lines.append(f"|F| at {written.asked(f)}: {peak} at {arrays['angle'][most]:g}\u00b0")
        return lines

    @staticmethod
    def in_short(summary: dict[str, Any], written: Written) -> list[str]:
        return at_frequencies(summary, "power", "radiated power", written)


def far_field_arrays(
    found: Findings, frequencies: tuple[float, ...], directions: int
) -> dict[str, Any]:
    """What is found in evenly spread directions."""
    pattern = found.far_field(2 * np.pi * np.arange(directions) / directions)
    return {
        "frequency": np.array(frequencies),
        "angle": 360.0 * np.arange(directions) / directions,
        "pattern": pattern,
        "power": found.radiated_power(),
    }


def far_field_tables(result: MonitorResult) -> Tables:
    """A row for each frequency and direction; "_power": frequency, power, duration."""
    frequency, angle, pattern, power = (
        result.arrays[name] for name in ("frequency", "angle", "pattern", "power")
    )
    columns = {
        "frequency": np.repeat(frequency, len(angle)),
        "angle_deg": np.tile(angle, len(pattern)),
        **parts("pattern", pattern),
        "pattern_abs": np.abs(pattern).ravel(),
    }
    return {
        "": with_duration(result, columns),
        "_power": with_duration(result, {"frequency": frequency, "power": power}),
    }
