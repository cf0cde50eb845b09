"""A scene: everything a person can say about an experiment, as plain frozen data.

Lengths are in the scene's unit; the speed of light in vacuum is 1, so a time unit is the time
light takes for one length unit, and epsilon and mu are relative to vacuum.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, dataclass, field, fields, replace
from pathlib import Path
from typing import ClassVar, Protocol

import numpy as np

from wavelab.arrays import Array
from wavelab.scene.formulas.expression import spelled_alike
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.about import NAME, SHAPE, about, of_field
from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.labels import TextLabel
from wavelab.scene.model.material import SPACE_AND_TIME as SPACE_AND_TIME
from wavelab.scene.model.material import Material
from wavelab.scene.model.measuring.monitor import Monitor
from wavelab.scene.model.measuring.requests import FIELDS
from wavelab.scene.model.medium import Medium
from wavelab.scene.model.parameter import Parameter
from wavelab.scene.model.pens import Pen
from wavelab.scene.model.sending.pings import Ping
from wavelab.scene.model.sending.source import Source
from wavelab.scene.model.shapes import Point, Rectangle, Shape
from wavelab.scene.model.units import Units
from wavelab.scene.model.view import View
from wavelab.schemes import NAMES

PRECISIONS = ("single", "double")
#: Every element takes steps of its own, see :mod:`wavelab.physics.time.local_stepping`.
LOCAL_STEPPING = "local"
#: Runge-Kutta schemes, see :mod:`wavelab.numerics.time.runge_kutta`, and local time stepping.
STEPPERS = ("auto", *NAMES, LOCAL_STEPPING)


_VACUUM = Material()


@dataclass(frozen=True)
class Hole:
    """A part of the domain cut out; its rim is a wall named ``name``."""

    repeatable: ClassVar[bool] = True

    name: str = field(metadata=NAME)
    shape: Shape = field(metadata=SHAPE)


@dataclass(frozen=True)
class MaterialRegion:
    """A material inside a shape, or in the region of that name in a mesh file (shape None).

    Where regions overlap the later one holds.
    """

    repeatable: ClassVar[bool] = True

    name: str = field(metadata=NAME)
    material: Medium
    shape: Shape | None = field(default=None, metadata=SHAPE)


@dataclass(frozen=True)
class Wall:
    """What happens at some edges; the kinds are in :mod:`wavelab.scene.walls`.

    ``edges`` are "domain", "domain.left", "NAME OF HOLE", "NAME OF HOLE.3" or a boundary name of
    a mesh file.  What else a kind has are its numbers.  Their metadata are the "meaning", the
    "start" of a wall that becomes one of this kind (else 1), "zero" where it may be 0, "degrees" of
    an angle, and the "remedy" where it is missing.

    Attributes
    ----------
    label, effect : what it is called in the window, and what it does.
    noun : what an edge with this wall is: "a conductor".
    pen : what it is drawn with.
    returned : R of Ez, where it is the same whatever the medium is; of elastic waves that of the
        velocity across it, and ``returned_along`` that of the velocity along it.
    sides : what a guided mode calls it beside the edge that it comes through; "" if none can run
        along it.
    plural : what several of those with ``sides`` are called.
    matched : whether it takes what comes straight at it, whatever the medium is; so waves can come
        in through it.
    relative : whether its R is that of waves in the medium in front of it, whatever that is, so
        that its impedance depends on the medium.
    surface : its impedance, p over the component of v into it, if it has one of its own.
    pml : whether a PML lies along it.
    glues : whether it glues two edges together; then nothing is reflected.
    """

    edges: tuple[str, ...]

    label: ClassVar[str]
    effect: ClassVar[str]
    noun: ClassVar[str]
    pen: ClassVar[Pen]
    returned: ClassVar[float] = 0.0
    returned_along: ClassVar[float] = 0.0
    sides: ClassVar[str] = ""
    plural: ClassVar[str] = ""
    matched: ClassVar[bool] = False
    relative: ClassVar[bool] = False
    pml: ClassVar[bool] = False
    glues: ClassVar[bool] = False

    @property
    def surface(self) -> float | None:
        return None

    @classmethod
    def of_surface(cls, edges: tuple[str, ...], surface: float) -> Wall | None:
        """The one with that ``surface``, 0 or infinite included; None if no number says it."""
        return None

    def reflection(self, impedance: Array) -> Array:
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
    """Records a field at a point after every time step."""

    name: str = field(metadata=NAME)
    position: Point = field(metadata=about("Where it is, x and y"))
    quantity: str = field(default="ez", metadata=about("Which field is recorded", choices=FIELDS))


class NamedFields(Protocol):
    """Formulas of fields, by what these are in a system; the solver's own are derived."""

    @property
    def hx(self) -> Formula | None: ...

    @property
    def hy(self) -> Formula | None: ...

    @property
    def ez(self) -> Formula | None: ...


@dataclass(frozen=True)
class FieldFormulas:
    """Formulas for the three fields: of x, y (initial) or x, y, t (exact).  None means 0
    initially, and not compared for an exact solution."""

    hx: Formula | None = field(default=None, metadata=of_field("Magnetic field Hx"))
    hy: Formula | None = field(default=None, metadata=of_field("Magnetic field Hy"))
    ez: Formula | None = field(default=None, metadata=of_field("Electric field Ez"))


@dataclass(frozen=True)
class Solver:
    """How the scene is discretized; the command line and the window can override each.

    ``element_size`` is the target edge length, without meaning for a scene that comes with a mesh
    file; ``until`` the time a headless run ends at, or before, once the energy has fallen to the
    part ``decayed`` of its largest; ``stepper`` the Runge-Kutta scheme, "auto" for the cheapest
    whose error stays below that of the elements.  Where ``curved`` is false, arcs are meshed as
    polygons.
    """

    element_size: float = field(
        default=0.05,
        metadata=about("Target edge length of the triangles, in the scene's length unit"),
    )
    order: int = field(
        default=4,
        metadata=about("Degree of the polynomial on each triangle; higher resolves shorter waves"),
    )
    upwinding: float = field(
        default=1.0,
        metadata=about("1 damps what the mesh cannot resolve, 0 keeps all energy"),
    )
    precision: str = field(
        default="single",
        metadata=about(
            "Of the arithmetic on the device; double is slower and more exact",
            choices=PRECISIONS,
        ),
    )
    safety: float = field(
        default=0.9, metadata=about("Time step in parts of the longest stable one")
    )
    until: float = field(default=1.0, metadata=about("Time at which a run without a window ends"))
    stepper: str = field(
        default="auto",
        metadata=about(
            "Runge-Kutta scheme, or \u201clocal\u201d: small elements alone take short steps",
            choices=STEPPERS,
        ),
    )
    curved: bool = field(
        default=True,
        metadata=about("Whether elements follow circles and arcs; otherwise they are cut straight"),
    )
    decayed: float = field(
        default=0.0,
        metadata=about(
            "Part of its largest energy at which a run without a window ends before; 0: never"
        ),
    )


@dataclass(frozen=True)
class Scene:
    """One experiment.  Exactly one of ``outline`` and ``mesh_file`` is not None.

    ``notes`` is a lesson in Markdown.  ``mesh_file`` can be opened as it stands: it is absolute, or
    relative to where the program runs.
    ``physics`` is a key of :data:`wavelab.scene.systems.SYSTEMS`, to which its media, walls and
    fields belong, ``units`` what its lengths and times are in metres and seconds.
    ``imaginary`` is that part of the initial fields, where periodic walls have phases; None for 0.
    ``path`` is the file the scene came from, None for one made in the window, ``initial_file`` a
    snapshot that it begins with in place of ``initial``, named as ``mesh_file`` is.

    Two scenes are equal if their values are, and if these are written in the same way: a number is
    another one than a formula of parameters that gives it.
    """

    title: str
    solver: Solver
    outline: Shape | None = field(default_factory=lambda: Rectangle((0.0, 0.0), (1.0, 1.0)))
    mesh_file: Path | None = None
    description: str = ""
    notes: str = ""
    holes: tuple[Hole, ...] = ()
    background: Medium = _VACUUM
    materials: tuple[MaterialRegion, ...] = ()
    walls: tuple[Wall, ...] = ()
    sources: tuple[Source, ...] = ()
    probes: tuple[Probe, ...] = ()
    pings: tuple[Ping, ...] = ()
    monitors: tuple[Monitor, ...] = ()
    labels: tuple[TextLabel, ...] = ()
    initial: NamedFields = FieldFormulas()
    exact: NamedFields | None = None
    imaginary: NamedFields | None = None
    view: View = field(default_factory=View)
    path: Path | None = None
    initial_file: Path | None = None
    parameters: tuple[Parameter, ...] = ()
    physics: str = "light"
    units: Units = field(default_factory=Units)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Scene):
            return NotImplemented
        names = [f.name for f in fields(Scene)]
        mine, theirs = (tuple(getattr(s, name) for name in names) for s in (self, other))
        return mine == theirs and spelled_alike(mine, theirs)

    @property
    def values(self) -> dict[str, float]:
        """What its parameters stand for, by their names."""
        return {p.name: float(p.value) for p in self.parameters}

    @property
    def where(self) -> str:
        """What errors and summaries call it: its file, or its title if it has none."""
        return str(self.path or self.title)
