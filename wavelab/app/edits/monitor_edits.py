"""What the probe tool places next, and the edits that place and change monitors."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

from wavelab.app.edits.edits import Edit, free_name
from wavelab.errors import WavelabError
from wavelab.scene.editing.following import followed
from wavelab.scene.editing.misplaced import check_places
from wavelab.scene.model.measuring.drawn import Drawn
from wavelab.scene.model.measuring.monitor import Measurement
from wavelab.scene.model.measuring.requests import Place
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.monitors import MONITORS, FieldMonitor, Monitor
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.view.quantities import monitor_for

_PROBE = Measurement(
    "field at a point",
    "Click where a probe is to record the field. Its trace is drawn below the picture.",
    "click",
)
_PLACINGS = {name: p for kind in MONITORS.values() for name, p in kind.placings.items()}
#: What the probe tool can place; what can be measured everywhere comes last.
MEASURED: dict[str, Measurement] = {
    "point": _PROBE,
    **dict(sorted(_PLACINGS.items(), key=lambda entry: entry[1].everywhere)),
}

#: Where each is tried, to ask what it is.
_ANYWHERE: dict[str, Place] = {
    "line": ((0.0, 0.0), (1.0, 0.0)),
    "shape": Rectangle((0.0, 0.0), (1.0, 1.0)),
}


@cache
def measured_of(physics: str) -> dict[str, Measurement]:
    """Those of ``MEASURED`` that there are of waves of a system."""
    if SYSTEMS[physics].equations == "maxwell":
        return MEASURED
    return {
        key: placing
        for key, placing in MEASURED.items()
        if placing.make is None
        or not placing.make(Drawn("it", _ANYWHERE[placing.placing])).of_scalar_waves
    }


#: How a region is drawn; the last only for what can be measured everywhere.
SHAPES = ("rectangle", "ellipse", "polygon", "everywhere")


@dataclass(frozen=True)
class MeasureSettings:
    """``kind`` is a key of ``measured_of(physics)``, ``shape`` one of ``SHAPES``."""

    kind: str = "point"
    shape: str = "rectangle"
    frequencies: tuple[float, ...] = ()
    physics: str = "light"

    @property
    def measured(self) -> Measurement:
        return measured_of(self.physics)[self.kind]

    def of(self, physics: str) -> MeasureSettings:
        """The same for other waves; a probe where these have not what was to be placed."""
        kind = self.kind if self.kind in measured_of(physics) else "point"
        return replace(self, kind=kind, physics=physics)

    @property
    def shapes(self) -> tuple[str, ...]:
        """The ways to say where; none for what is a point or a line."""
        if self.measured.placing != "shape":
            return ()
        return SHAPES if self.measured.everywhere else SHAPES[:-1]

    @property
    def placing(self) -> str:
        """ "click", "line" or one of ``SHAPES``."""
        if self.measured.placing != "shape":
            return self.measured.placing
        return self.shape if self.shape in self.shapes else SHAPES[0]


def read_frequencies(text: str) -> tuple[float, ...]:
    """Numbers with commas or blanks between them; none in an empty text.

    Raises
    ------
    WavelabError : one of them is no number; says which.
    """
    found = []
    for part in text.replace(",", " ").replace(";", " ").split():
        try:
            value = float(part)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise WavelabError(
                f"{part!r} is no frequency", remedy="Type numbers and commas, such as 1.5, 2."
            )
        found.append(value)
    return tuple(found)


def written_frequencies(frequencies: tuple[float, ...]) -> str:
    return ", ".join(f"{f:.6g}" if float(f"{f:.6g}") == f else repr(f) for f in frequencies)


def new_monitor(scene: Scene, kind: str, place: Place, frequencies: tuple[float, ...]) -> Monitor:
    """One of a kind of ``measured_of`` the scene's waves that is no probe; ``frequencies`` are left
    out of others than have them."""
    placing, solver = measured_of(scene.physics)[kind], scene.solver
    assert placing.make is not None

    def nodes_along(length: float) -> float:
        return length * solver.order / solver.element_size

    drawn = Drawn(
        free_name(placing.noun, scene.monitors),
        place,
        frequencies if placing.frequencies else (),
        None if scene.outline is None else nodes_along,
    )
    return placing.make(drawn)


def add_monitor(scene: Scene, monitor: Monitor) -> Edit:
    """
    Raises
    ------
    ItemError : it breaks a rule of its own, or one of the scene.
    """
    monitors = (*scene.monitors, monitor)
    return Edit("Place monitor", check_scene(replace(scene, monitors=monitors)))


def change_monitor(scene: Scene, name: str, monitor: Monitor, label: str) -> Edit:
    """``monitor`` takes the place of the one called ``name``.

    Raises
    ------
    SceneError : it breaks a rule, or cannot be there.
    """
    monitors = tuple(monitor if m.name == name else m for m in scene.monitors)
    new = followed(scene, check_scene(replace(scene, monitors=monitors)))
    check_places(scene, new)
    return Edit(label, new)


def add_monitor_for(scene: Scene, quantity: str) -> Edit | None:
    """A monitor of the whole domain for a view or arrows that need one; None where the scene does
    not say at which frequency."""
    kind = monitor_for(quantity) or FieldMonitor
    placing = next(p for p in kind.placings.values() if p.everywhere)
    frequency = driven_frequency(scene)
    if placing.frequencies and frequency is None:
        return None
    assert placing.make is not None
    name = free_name(quantity.replace("_", " "), scene.monitors)
    frequencies = (frequency,) if placing.frequencies and frequency is not None else ()
    monitor = placing.make(Drawn(name, None, frequencies))
    return Edit("Add monitor", replace(scene, monitors=(*scene.monitors, monitor)))


def driven_frequency(scene: Scene) -> float | None:
    """That of the first source that has one."""
    for source in scene.sources:
        frequency = getattr(getattr(source, "waveform", None), "frequency", None)
        if isinstance(frequency, float):
            return frequency
    return None
