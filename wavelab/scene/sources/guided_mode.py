"""A mode between parallel walls, through the end of a guide."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from wavelab.errors import SceneError
from wavelab.scene.edges.edge_lines import lines_of
from wavelab.scene.edges.guide import guide_end
from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import POSITIVE, ItemPath, require, require_one_of
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.emissions import Emission, GuidedModeIn
from wavelab.scene.model.sending.placing import Number, Placed, Placing, SourceSettings
from wavelab.scene.model.sending.source import Source
from wavelab.scene.model.sending.source_marks import PLACE, EdgeLines, Line, SourceMark
from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.model.shapes import Point
from wavelab.scene.sources.currents import check_wave
from wavelab.scene.sources.entering import arrow_in, check_edges, edges_of, entrance_of
from wavelab.scene.sources.geometry import ARROW, size_of
from wavelab.scene.systems import system_of

#: The walls beside a guided mode.
SIDES = ("conductor", "magnetic")
#: Points on the profile that is drawn.
_ON_PROFILE = 65
MODE = Number(
    "mode", "Mode", "Half waves across the guide; 0 between magnetic walls alone", 1, "whole", 0, 99
)


@dataclass(frozen=True)
class GuidedMode(Source):
    """The mode number ``mode`` of a guide with parallel walls, through its absorbing end ``edge``.

    Ez is amplitude sin(mode pi s / w) f(t) there, between conductors, or with a cosine between
    magnetic ``sides``; s runs along the edge, whose length is w.  ``frequency`` is what the wave's
    impedance is taken at; None takes that of a sine or a Ricker pulse.
    """

    edge: str = field(metadata=about("Name of the edge through which the mode comes in"))
    amplitude: float
    waveform: Waveform
    mode: int = field(default=1, metadata=about("Number of the mode: half waves from wall to wall"))
    sides: str = field(
        default="conductor",
        metadata=about("What the walls beside the edge are", choices=SIDES),
    )
    frequency: float | None = None

    placings = (
        Placing(
            "guided mode",
            "edge",
            "A mode between parallel walls; click the end of the guide",
            (MODE,),
        ),
    )

    @classmethod
    def placed(cls, name: str, settings: SourceSettings, placed: Placed) -> GuidedMode:
        waveform, mode = placed.waveform, int(settings[MODE])
        frequency = settings.frequency if waveform.carrier is None else None
        edge, height = placed.edges[0], settings.height
        return cls(name, edge, height, waveform, mode, placed.sides, frequency)

    def check(self, scene: Scene, item: ItemPath) -> None:
        check_wave(self, item)
        require_one_of(self.sides, SIDES, (*item, "sides"), f"sides of {self.what}")
        lowest = 1 if self.sides == "conductor" else 0
        require(
            self.mode >= lowest,
            (*item, "mode"),
            f"mode of {self.what} is {self.mode}",
            f"Between walls of that kind it is {lowest}, {lowest + 1}, ...",
        )
        require(
            self.frequency is None or self.frequency > 0,
            (*item, "frequency"),
            f"frequency of {self.what} is {self.frequency}",
            POSITIVE,
        )
        require(
            self.frequency is not None or self.waveform.carrier is not None,
            (*item, "frequency"),
            f"{self.what} has no frequency",
            "The impedance of a mode depends on it: give the one that matters, frequency = ...",
        )
        check_edges(self, scene, (*item, "edge"))
        self._check_cutoff(scene, (*item, "mode"))

    def _check_cutoff(self, scene: Scene, item: ItemPath) -> None:
        """The mode runs at its frequency, as far as that can be said without a mesh."""
        try:
            end = guide_end(scene, self.edge)
        except SceneError:
            return  # the mesh may know better
        cutoff = None if end is None else end.cutoff(self.mode)
        if end is not None and cutoff is not None:
            require(
                self.carrier > cutoff,
                item,
                f"{self.what} has the frequency {self.carrier:g}, which mode {self.mode} does not "
                "carry",
                f"In a guide of width {end.width:.4g} it needs more than {cutoff:.4g}.",
            )

    @property
    def carrier(self) -> float:
        """The frequency that it is made for."""
        found = self.waveform.carrier if self.frequency is None else self.frequency
        assert found is not None
        return found

    def emissions(self) -> tuple[Emission, ...]:
        edge, mode, sides = self.edge, self.mode, self.sides
        return (GuidedModeIn(edge, mode, sides, self.carrier, self.amplitude, self.waveform),)

    @property
    def entrances(self) -> tuple[str, ...]:
        return (self.edge,)

    def through(self, edges: tuple[str, ...], turn: float | None = None) -> GuidedMode:
        return replace(self, edge=edges[0])

    def mark(self, scene: Scene, edges: EdgeLines | None = None) -> SourceMark | None:
        """An arrow from the edge, with the profile of the mode."""
        arrow = self.arrow(scene, edges)
        if arrow is None:
            return None
        waves = (self._profile(scene, edges),)
        return SourceMark(self.name, arrow[1], arrow=arrow, outline=True, waves=waves)

    def arrow(self, scene: Scene, edges: EdgeLines | None = None) -> tuple[Point, Point] | None:
        return arrow_in(self, None, scene, edges)

    def _handles(self, scene: Scene, edges: EdgeLines | None) -> dict[str, Point | None]:
        entrance = entrance_of(self, scene, edges)
        return {PLACE: None if entrance is None else entrance.at}

    def _profile(self, scene: Scene, edges: EdgeLines | None) -> Line:
        """Ez along its edge, drawn over a line beside the edge."""
        line, height = lines_of(self.edge, edges_of(scene, edges))[0], ARROW * size_of(scene, edges)
        along = line[-1] - line[0]
        length = float(np.hypot(*along))
        inward = np.array([-along[1], along[0]]) / max(length, 1e-300)
        part = np.linspace(0, 1, _ON_PROFILE)
        wave = np.sin if self.sides == "conductor" else np.cos
        out = height / 2 + height / 3 * wave(self.mode * np.pi * part)
        return line[0] + part[:, None] * along + out[:, None] * inward


def check_mode(settings: SourceSettings, scene: Scene, edge: str) -> None:
    """Check that the next mode can come in through an edge, as far as that can be said.

    Raises
    ------
    SceneError : it cannot; says why.
    """
    end, mode = guide_end(scene, edge), int(settings[MODE])
    if end is None:
        return
    if end.sides == "conductor" and mode == 0:
        walls = system_of(scene).beside(end.sides)
        raise SceneError(f"between {walls} there is no mode 0", remedy="The lowest is mode 1.")
    cutoff = end.cutoff(mode)
    if cutoff is not None and settings.frequency <= cutoff:
        raise SceneError(
            f"mode {mode} runs above the frequency {cutoff:.4g} at {edge}, and the wave has "
            f"{settings.frequency:g}",
            remedy="Raise the frequency, or choose a lower mode.",
        )


def mode_words(settings: SourceSettings, scene: Scene, edge: str) -> str:
    """What is to be said of the next mode at an edge; "" where its cutoff is not known."""
    try:
        end = guide_end(scene, edge)
    except SceneError:
        return ""
    mode = int(settings[MODE])
    cutoff = None if end is None else end.cutoff(mode)
    return "" if cutoff is None else f"; mode {mode} runs above frequency {cutoff:.4g}"
