"""A scene: everything a person can say about an experiment, as plain frozen data.

Lengths are in the scene's unit; the speed of light in vacuum is 1, so a time unit is the time
light takes for one length unit, and epsilon and mu are relative to vacuum.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, dataclass, field, fields, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.labels import TextLabel
from wavelab.scene.model.monitors import Monitor, can_show
from wavelab.scene.model.pens import Pen
from wavelab.scene.model.pings import Ping
from wavelab.scene.model.pole import Pole
from wavelab.scene.model.shapes import Point, Polygon, Rectangle, Shape
from wavelab.scene.model.source import Source

#: What formulas of media and currents may use.
SPACE_AND_TIME = ("x", "y", "t")


@dataclass(frozen=True)
class Hole:
    """A part of the domain cut out; its rim is a wall named ``name``."""

    name: str
    shape: Shape


@dataclass(frozen=True)
class Material:
    """Relative permittivity and permeability, and conductivity (1 / time).

    Each is a number, or a formula of x, y and t: a graded medium, or one that changes in time.
    The ``poles`` of a dispersive medium add to the permittivity what depends on frequency.
    """

    epsilon: float | Formula = field(default=1.0, metadata={"variables": SPACE_AND_TIME})
    mu: float | Formula = field(default=1.0, metadata={"variables": SPACE_AND_TIME})
    sigma: float | Formula = field(default=0.0, metadata={"variables": SPACE_AND_TIME})
    poles: tuple[Pole, ...] = ()


@dataclass(frozen=True)
class MaterialRegion:
    """A material inside a shape, or in the region of that name in a mesh file (shape None).

    Where regions overlap the later one holds.
    """

    name: str
    material: Material
    shape: Shape | None = None


@dataclass(frozen=True)
class Wall:
    """What happens at some edges; the kinds are in :mod:`wavelab.scene.walls`.

    ``edges`` are "domain", "domain.left", "NAME OF HOLE", "NAME OF HOLE.3" or a boundary name of
    a mesh file.  What else a kind has are its numbers.  Their metadata are the "meaning", the
    "start" of a wall that becomes one of this kind (else 1), and the "remedy" where it is missing.

    Attributes
    ----------
    label, effect : what it is called in the window, and what it does.
    noun : what an edge with this wall is: "a conductor".
    pen : what it is drawn with.
    returned : R of Ez, where it is the same whatever the medium is.
    sides : what a guided mode calls it beside the edge that it comes through; "" if none can run
        along it.
    matched : whether it takes what comes straight at it, whatever the medium is; so waves can come
        in through it.
    pml : whether a PML lies along it.
    glues : whether it glues two edges together; then nothing is reflected.
    """

    edges: tuple[str, ...]

    label: ClassVar[str]
    effect: ClassVar[str]
    noun: ClassVar[str]
    pen: ClassVar[Pen]
    returned: ClassVar[float] = 0.0
    sides: ClassVar[str] = ""
    matched: ClassVar[bool] = False
    pml: ClassVar[bool] = False
    glues: ClassVar[bool] = False

    def reflection(self, impedance: NDArray[np.float64]) -> NDArray[np.float64]:
        """R of Ez at faces with the ``impedance`` of the medium in front, relative to vacuum."""
        return np.full_like(impedance, self.returned)

    def check(self, scene: Scene, item: ItemPath, what: str) -> None:
        """Raise an ItemError about ``what``, the wall at ``item``, for what it cannot be there;
        its edges exist."""

    def layer_thickness(self, scene: Scene) -> float | None:
        """Of its PML; None where only the mesh file says."""
        return None

    @classmethod
    def numbers(cls) -> tuple[Field[float], ...]:
        """The fields of its own."""
        return fields(cls)[1:]

    def values(self, scene: Scene) -> dict[str, float]:
        """Its numbers, with what holds for those that are left open."""
        return {f.name: getattr(self, f.name) for f in self.numbers()}

    def in_words(self, edge: str) -> str:
        """What ``edge``, one of its own, is now: "impedance 0.5"."""
        told = [f"{getattr(self, f.name):g}" for f in self.numbers() if f.default is MISSING]
        return " ".join([self.label, *told])

    def at(self, edges: tuple[str, ...]) -> Wall | None:
        """The same at other edges; None if nothing is left of it, as of a pair without one edge."""
        lost = self.glues and len(edges) != len(self.edges)
        return replace(self, edges=edges) if edges and not lost else None


@dataclass(frozen=True)
class Probe:
    """Records Ez at a point after every time step."""

    name: str
    position: Point


@dataclass(frozen=True)
class FieldFormulas:
    """Formulas for the three fields: of x, y (initial) or x, y, t (exact).  None means 0
    initially, and not compared for an exact solution."""

    hx: Formula | None = None
    hy: Formula | None = None
    ez: Formula | None = None


@dataclass(frozen=True)
class Solver:
    """How the scene is discretized; the command line and the window can override each.

    ``element_size`` is the target edge length, without meaning for a scene that comes with a mesh
    file; ``until`` the time a headless run ends at; ``stepper`` the Runge-Kutta scheme, "auto" for
    the one that suits order and upwinding.  Where ``curved`` is false, arcs are meshed as polygons.
    """

    element_size: float = 0.05
    order: int = 4
    upwinding: float = 1.0
    precision: str = "single"
    safety: float = 0.9
    until: float = 1.0
    stepper: str = "auto"
    curved: bool = True


@dataclass(frozen=True)
class View:
    """How the field is first shown.

    ``limit`` is the value at full colour, None = automatic.  ``arrows`` over the field are "none",
    "power" (Poynting vectors now) or "mean_power" (of the first monitor of fields, over a period).
    ``decades`` are the powers of ten below full colour on a logarithmic scale, which is symmetric
    for a quantity with a sign; None is a linear scale.  ``relief`` is the azimuth and the elevation
    in degrees from which the field is seen as a relief, None for the flat view.  ``part`` are the
    lower left and the upper right corner of what is in view, none for all of the domain.
    """

    quantity: str = "ez"
    palette: str = "berlin"
    limit: float | None = None
    arrows: str = "none"
    decades: int | None = None
    relief: Point | None = None
    part: tuple[Point, ...] = ()

    def of_another_field(self) -> View:
        """The same without a range that was chosen for one field, without the part that was looked
        at, and without what only monitors of one scene find."""
        view = self if can_show(self.quantity, ()) else View(palette=self.palette)
        arrows = view.arrows if can_show(view.arrows, ()) else "none"
        return replace(view, limit=None, arrows=arrows, part=())


@dataclass(frozen=True)
class Scene:
    """One experiment.  Exactly one of ``outline`` and ``mesh_file`` is not None.

    ``notes`` is a lesson in Markdown.  ``mesh_file`` can be opened as it stands: it is absolute, or
    relative to where the program runs.
    ``path`` is the file the scene came from, None for one made in the window.
    """

    title: str
    solver: Solver
    outline: Shape | None = field(default_factory=lambda: Rectangle((0.0, 0.0), (1.0, 1.0)))
    mesh_file: Path | None = None
    description: str = ""
    notes: str = ""
    holes: tuple[Hole, ...] = ()
    background: Material = Material()
    materials: tuple[MaterialRegion, ...] = ()
    walls: tuple[Wall, ...] = ()
    sources: tuple[Source, ...] = ()
    probes: tuple[Probe, ...] = ()
    pings: tuple[Ping, ...] = ()
    monitors: tuple[Monitor, ...] = ()
    labels: tuple[TextLabel, ...] = ()
    initial: FieldFormulas = FieldFormulas()
    exact: FieldFormulas | None = None
    view: View = View()
    path: Path | None = None

    @property
    def where(self) -> str:
        """What errors and summaries call it: its file, or its title if it has none."""
        return str(self.path or self.title)


__all__ = [
    "SPACE_AND_TIME",
    "FieldFormulas",
    "Hole",
    "Material",
    "MaterialRegion",
    "Ping",
    "Point",
    "Polygon",
    "Probe",
    "Rectangle",
    "Scene",
    "Shape",
    "Solver",
    "Source",
    "View",
    "Wall",
]
