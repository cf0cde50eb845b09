"""Sources: one file for each kind, with its numbers, rules, looks, handles and what it sends."""

from typing import Any

from wavelab.scene.model.sending.placing import GESTURES, Placed, Placing, SourceSettings
from wavelab.scene.model.sending.source import Source
from wavelab.scene.sources.array import ArraySource
from wavelab.scene.sources.current import CurrentSource
from wavelab.scene.sources.guided_mode import GuidedMode
from wavelab.scene.sources.line import LineSource
from wavelab.scene.sources.mechanical.body_wave import BodyWave
from wavelab.scene.sources.mechanical.double_couple import DoubleCouple
from wavelab.scene.sources.mechanical.explosion import Explosion
from wavelab.scene.sources.mechanical.force import Force
from wavelab.scene.sources.moving import MovingSource
from wavelab.scene.sources.plane_wave import PlaneWave
from wavelab.scene.sources.point import PointSource
from wavelab.scene.sources.port import Port
from wavelab.scene.sources.region import RegionSource
from wavelab.scene.waveforms import WAVES

#: The ``kind`` written in a scene file.
SOURCES: dict[str, type[Source]] = {
    "point": PointSource,
    "current": CurrentSource,
    "line": LineSource,
    "region": RegionSource,
    "array": ArraySource,
    "moving": MovingSource,
    "plane_wave": PlaneWave,
    "guided_mode": GuidedMode,
    "port": Port,
    "explosion": Explosion,
    "force": Force,
    "double_couple": DoubleCouple,
    "body_wave": BodyWave,
}

#: By its name in the window, each way to place a source, and the kind of source that is placed.
PLACINGS: dict[str, tuple[Placing, type[Source]]] = {
    placing.label: (placing, kind)
    for gesture in GESTURES
    for kind in SOURCES.values()
    for placing in kind.placings
    if placing.gesture == gesture
}


def placings_for(equations: str) -> dict[str, Placing]:
    """By its name, each way to place a source of these equations."""
    return {
        label: placing for label, (placing, kind) in PLACINGS.items() if kind.equations == equations
    }


def placed_source(name: str, settings: SourceSettings, **where: Any) -> Source:
    """The source that is placed by hand.

    Parameters
    ----------
    where : the other fields of :class:`Placed`.
    """
    waveform = WAVES[settings.wave].starting(settings.frequency)
    return PLACINGS[settings.kind][1].placed(name, settings, Placed(waveform, **where))
