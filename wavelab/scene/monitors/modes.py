"""How much of each mode of a guide goes one way and the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.limits import MOST_MODES
from wavelab.scene.model.measuring.findings import (
    FREQUENCY,
    Findings,
    MonitorResult,
    Tables,
    Variable,
    parts,
    with_duration,
)
from wavelab.scene.model.measuring.monitor import Measurement, Monitor
from wavelab.scene.model.measuring.plots import ModeSpectra
from wavelab.scene.model.measuring.requests import (
    BEGIN,
    END,
    FREQUENCIES,
    WINDOW,
    AcrossGuide,
    Transform,
)
from wavelab.scene.model.shapes import Point
from wavelab.scene.model.units import Written
from wavelab.scene.monitors.rules import check_path, check_transform

_VERTICES = about("The two ends of a line straight across the guide, x and y of each")


@dataclass(frozen=True)
class ModeMonitor(Monitor):
    """The amplitudes of the first ``modes`` modes of the guide that a line goes across.

    Forward is from left to right for someone who walks from the first end to the second.
    """

    vertices: tuple[Point, ...] = field(metadata=_VERTICES)
    frequencies: tuple[float, ...] = field(metadata=FREQUENCIES)
    modes: int = field(
        default=1, metadata=about("How many modes are told apart, from the fundamental one on")
    )
    begin: float = field(default=0.0, metadata=BEGIN)
    end: float | None = field(default=None, metadata=END)
    window: str = field(default="none", metadata=WINDOW)

    of_scalar_waves = True
    label = "modes"
    plots = (ModeSpectra(),)
    variables: ClassVar = {
        "frequency": FREQUENCY,
        "index": Variable(("frequency", "mode"), coordinate=True),
        "forward": Variable(("frequency", "mode"), "power^(1/2)"),
        "backward": Variable(("frequency", "mode"), "power^(1/2)"),
        "mean_power": Variable(("frequency",), "power"),
        "forward_power": Variable(("frequency",), "power"),
        "backward_power": Variable(("frequency",), "power"),
    }
    placings: ClassVar = {
        "modes": Measurement(
            "modes of a guide",
            "Drag a line straight across a guide, well out of it on both sides. Forward is the "
            "direction of its arrow.",
            "line",
            lambda drawn: ModeMonitor(drawn.name, drawn.corners, drawn.frequencies),
            "modes",
            "a line across a guide whose modes are measured",
            frequencies=True,
        ),
    }

    @property
    def where(self) -> AcrossGuide:
        return AcrossGuide(self.vertices, self.modes)

    @property
    def transform(self) -> Transform:
        return Transform(self.frequencies, begin=self.begin, end=self.end, window=self.window)

    def check(self, item: ItemPath, until: float) -> None:
        check_path(self.vertices, item, self.what, closed=False)
        require(
            len(self.vertices) == 2,
            (*item, "vertices"),
            f"{self.what} has {len(self.vertices)} vertices",
            "A line across a guide is straight: give its two ends.",
        )
        require(
            1 <= self.modes <= MOST_MODES,
            (*item, "modes"),
            f"{self.what} tells {self.modes} modes apart",
            f"It can tell 1 to {MOST_MODES}.",
        )
        check_transform(self.transform, item, self.what, until)

    def arrays(self, found: Findings) -> dict[str, Any]:
        forward, backward = found.mode_amplitudes()
        return {
            "frequency": np.array(self.frequencies),
            "index": found.mode_index,
            "forward": forward,
            "backward": backward,
            "mean_power": found.mean_power(),
            "forward_power": (np.abs(forward) ** 2).sum(axis=1),
            "backward_power": (np.abs(backward) ** 2).sum(axis=1),
        }

    def tables(self, result: MonitorResult) -> Tables:
        """A row for each frequency and mode; "_power": frequency, mean_power, and what of it all
        modes together carry forward and backward, duration."""
        names = ("frequency", "index", "forward", "backward")
        frequency, index, forward, backward = (result.arrays[name] for name in names)
        powers = ("frequency", "mean_power", "forward_power", "backward_power")
        columns = {
            "frequency": np.repeat(frequency, index.shape[1]),
            "mode": np.tile(np.arange(index.shape[1]), len(index)),
            "index": index.ravel(),
            **parts("forward", forward),
            **parts("backward", backward),
            "forward_power": np.abs(forward).ravel() ** 2,
            "backward_power": np.abs(backward).ravel() ** 2,
        }
        return {
            "": with_duration(result, columns),
            "_power": with_duration(result, {name: result.arrays[name] for name in powers}),
        }

    @staticmethod
    def told(result: MonitorResult, written: Written) -> list[str]:
        arrays, figures = result.arrays, written.figures
        return [
            f"Mode {m} at {written.asked(f)}: {figures(abs(there[m]) ** 2)} forward, "
            f"{figures(abs(back[m]) ** 2)} backward"
            for f, index, there, back in zip(
                *(arrays[name] for name in ("frequency", "index", "forward", "backward")),
                strict=True,
            )
            for m in np.flatnonzero(index)
        ]

    @staticmethod
    def in_short(summary: dict[str, Any], written: Written) -> list[str]:
        return [
            f"mode {m} at {written.asked(f)}: power {there[m] ** 2:.6g} forward, "
            f"{back[m] ** 2:.6g} backward"
            for f, index, there, back in zip(
                *(summary.get(name, ()) for name in ("frequency", "index", "forward", "backward")),
                strict=True,
            )
            for m in np.flatnonzero(index)
        ]
