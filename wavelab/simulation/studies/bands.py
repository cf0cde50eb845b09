"""The band structure of a crystal: the frequencies of its Bloch waves along a path through the
Brillouin zone, and the gaps between them.

How they are found is in :mod:`wavelab.physics.modes.bloch_modes`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.errors import SceneError
from wavelab.numerics.fields.lattice import USUAL_PATHS, Lattice, lattice_of
from wavelab.numerics.mesh.connectivity import face_selection
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh
from wavelab.physics.modes.bloch_modes import BlochModes, Cell
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.semi_discrete import operator_of, semi_discrete
from wavelab.physics.walls.walls import discretized
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point
from wavelab.scene.walls.periodic import PeriodicWall
from wavelab.simulation.studies.comparison import StudyCancelledError
from wavelab.simulation.studies.resonances import inside_largest
from wavelab.simulation.studies.study_runs import mesh_of

Tell = Callable[[float, str], None]

#: Points of a path, bands, and unknowns on the faces of a cell that can be asked for.
MOST_POINTS, MOST_BANDS, MOST_UNKNOWNS = 1000, 60, 4000
#: Gaps narrower than this part of their middle are rounding.
_NARROW = 1e-6


@dataclass(frozen=True)
class Gap:
    """No wave on the path has a frequency between ``low``, the top of band number ``below``, the
    first being 1, and ``high``."""

    below: int
    low: float
    high: float

    @property
    def width(self) -> float:
        """In parts of the frequency in its middle."""
        return 2 * (self.high - self.low) / (self.high + self.low)


@dataclass(frozen=True, eq=False)
class BandStructure:
    """Attributes
    ----------
    scene : of the cell.
    lattice : of the cells.
    k : (n, 2) wavevectors along the path, in radians per length.
    corners : numbers of those at which a leg of the path begins or ends, and their names.
    frequencies : (n, bands).
    error : largest relative difference from the frequencies of one order less at the corners; the
        frequencies are too high by less than that.
    cell : finds the modes.
    operator : mesh and media of these.
    """

    scene: Scene
    lattice: Lattice
    k: Array
    corners: tuple[tuple[int, str], ...]
    frequencies: Array
    error: float
    cell: Cell
    operator: MaxwellTM

    @cached_property
    def along(self) -> Array:
        """(n,) length of the path up to each point, in radians per length."""
        steps = np.linalg.norm(np.diff(self.k, axis=0), axis=1)
        return np.concatenate([[0.0], np.cumsum(steps)])

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """Between two bands, along this path."""
        top, bottom = self.frequencies.max(axis=0)[:-1], self.frequencies.min(axis=0)[1:]
        found = (
            Gap(i, float(a), float(b)) for i, (a, b) in enumerate(zip(top, bottom, strict=True), 1)
        )
        return tuple(gap for gap in found if gap.high - gap.low > _NARROW * gap.high)

    def place(self, point: int) -> str:
        """The name of a point of the path, or where it is, in parts of the reciprocal vectors."""
        named = dict(self.corners)
        if point in named:
            return named[point]
        parts = self.k[point] @ self.lattice.vectors.T / (2 * np.pi)
        return ",".join(f"{part:.4g}" for part in parts + 0.0)

    def modes(self, point: int) -> BlochModes:
        """Those of all bands at a point of the path."""
        return self.cell.modes(self.k[point], self.frequencies.shape[1])

    def fields(self, point: int, band: int) -> Complex:
        """(3, n_elements, nodes_per_element) hx, hy, ez of a mode; the first band is 0."""
        return self.cell.fields(self.modes(point), band)

    def loudest(self, point: int, band: int) -> Point:
        """Where the real part of Ez of a mode is largest, just inside of an element."""
        d = self.operator.discretization
        return inside_largest(d, self.fields(point, band)[2].real)

    def phases(self, point: int) -> dict[tuple[str, ...], float]:
        """Degrees by which a wave of this wavevector is ahead at the second edge of each periodic
        wall, by its edges."""
        mesh = self.operator.discretization.mesh

        def middle(edge: str) -> Array:
            faces = mesh.triangles[:, FACE_VERTICES][face_selection(mesh, (edge,))]
            return np.asarray(mesh.vertices[faces].mean(axis=(0, 1)))

        return {
            wall.edges: float(
                round(
                    np.degrees(self.k[point] @ (middle(wall.edges[1]) - middle(wall.edges[0]))), 9
                )
            )
            for wall in self.scene.walls
            if wall.glues
        }

    def table(self) -> str:
        """For people: columns separated by tabs."""
        names = (f"band {i}" for i in range(1, self.frequencies.shape[1] + 1))
        lines = ["\t".join(["k", *names])]
        for point, row in enumerate(self.frequencies):
            lines.append("\t".join([self.place(point), *(f"{f:.6g}" for f in row)]))
        return "\n".join(lines)

    def columns(self) -> tuple[list[str], list[Array]]:
        """Names and columns of a file: the wavevector in radians per length, and the frequencies in
        waves of vacuum per length."""
        bands = self.frequencies.T
        names = ["kx", "ky", "along", *(f"band {i}" for i in range(1, len(bands) + 1))]
        return names, [*self.k.T, self.along, *bands]

    def summary(self) -> dict[str, Any]:
        """As ``wavelab bands --json`` prints it."""
        return {
            "lattice": {"kind": self.lattice.kind, "vectors": self.lattice.vectors.tolist()},
            "corners": [{"point": i, "name": name} for i, name in self.corners],
            "k": self.k.tolist(),
            "frequencies": self.frequencies.tolist(),
            "gaps": [
                {"below": g.below, "low": g.low, "high": g.high, "width": g.width}
                for g in self.gaps
            ],
            "error": None if np.isnan(self.error) else self.error,
        }


def find_bands(
    scene: Scene,
    path: str | None = None,
    points: int = 12,
    bands: int = 6,
    *,
    tell: Tell = lambda part, text: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> BandStructure:
    """The band structure of a scene that is one cell, without its sources and initial fields.

    Parameters
    ----------
    path : points of the Brillouin zone, as "G X M G" or "0,0 0.5,0.25"; None for the usual one of
        the lattice.
    points : steps of each leg.
    bands : how many, the lowest first.
    tell : told the part of the work that is done, 0 to 1, and what is being done.
    cancelled : asked at every point.

    Raises
    ------
    WavelabError : the scene is no cell of a lossless crystal, or what is asked for is too much.
    StudyCancelledError : as ``cancelled`` said.
    """
    tell(0.0, "Meshing")
    cell_scene = _plain(scene)
    mesh = mesh_of(cell_scene, cancelled)
    operator = _operator(cell_scene, mesh, scene.solver.order)
    _check(scene, operator)
    lattice = lattice_of(operator.discretization)
    chosen = path or USUAL_PATHS[lattice.kind]
    names = chosen.split()
    ends = [lattice.point(name) for name in names]
    _check_size(scene, names, points, bands)
    tell(0.0, "Assembling")
    cell = _cell(scene, operator)
    parts = np.linspace(0, 1, points + 1)[1:, None]
    legs = [a + parts * (b - a) for a, b in pairwise(ends)]
    k = np.concatenate([ends[0][None], *legs])
    coarse = _coarser(scene, cell_scene, mesh)
    rows, off = [], 0.0
    for number, wavevector in enumerate(k):
        if cancelled():
            raise StudyCancelledError
        tell(number / len(k), f"Point {number + 1} of {len(k)}")
        row = cell.modes(wavevector, bands).frequencies
        if len(row) < bands:
            raise SceneError(
                f"the mesh carries {len(row)} bands, not {bands}",
                where=scene.where,
                remedy="Use smaller elements or a higher order, or ask for fewer.",
            )
        if coarse is not None and number % points == 0:
            off = max(off, _difference(row, coarse.modes(wavevector, bands).frequencies))
        rows.append(row)
    tell(1.0, "Done")
    corners = tuple((i * points, name.upper()) for i, name in enumerate(names))
    error = off if coarse is not None else float("nan")
    return BandStructure(scene, lattice, k, corners, np.array(rows), error, cell, operator)


def _plain(scene: Scene) -> Scene:
    """The cell alone: what drives and records the wave is left out, and phases at its walls, which
    the path gives."""
    walls = (
        replace(wall, phase=None) if isinstance(wall, PeriodicWall) else wall
        for wall in scene.walls
    )
    return replace(scene, walls=tuple(walls))


def _operator(scene: Scene, mesh: Mesh, order: int) -> MaxwellTM:
    return operator_of(scene, discretized(scene, mesh, order))


def _coarser(scene: Scene, cell_scene: Scene, mesh: Mesh) -> Cell | None:
    """The same with one order less, to see what the order does; None for order 1."""
    order = scene.solver.order
    return Cell(_operator(cell_scene, mesh, order - 1)) if order > 1 else None


def _difference(fine: Array, coarse: Array) -> float:
    n = min(len(fine), len(coarse))
    return float((np.abs(coarse[:n] - fine[:n]) / fine.max()).max())


def _cell(scene: Scene, operator: MaxwellTM) -> Cell:
    d = operator.discretization
    # Each inner face has N - 1 nodes of its own, and there are half as many vertices as elements.
    estimate = d.n_elements * (1.5 * (d.order - 1) + 0.5)
    if estimate > MOST_UNKNOWNS:
        raise SceneError(
            f"a cell of {d.n_elements} elements of order {d.order} is too fine for bands: about "
            f"{estimate:.0f} unknowns on its faces, and {MOST_UNKNOWNS} are the limit",
            where=scene.where,
            remedy="Use larger elements of a high order: --element-size 0.2 --order 6, say.",
        )
    return Cell(operator)


def _check(scene: Scene, operator: MaxwellTM) -> None:
    """Refuse what has no bands."""
    d = operator.discretization
    at_walls = operator.reflection[d.connectivity.is_boundary]
    taken = bool((np.abs(at_walls) < 1).any() or any(wall.pml for wall in scene.walls))
    equations = () if taken else semi_discrete(scene, operator).auxiliary_equations
    poles = any(equation.kind == "medium" for equation in equations)
    reasons = (
        ("walls that take energy (absorbing, open or impedance walls)", taken),
        ("media that conduct", bool(operator.sigma.any() or operator.media.losses)),
        ("media that change in time", operator.media.changes),
        ("dispersive media (poles)", poles),
    )
    found = [what for what, there in reasons if there]
    if found:
        raise SceneError(
            f"{found[0]} have no band structure: its waves neither grow nor fade",
            where=scene.where,
            remedy="Use periodic walls and those that reflect all, and lossless media that are "
            "numbers or formulas of x and y.",
        )


def _check_size(scene: Scene, names: list[str], points: int, bands: int) -> None:
    if len(names) < 2:
        raise SceneError(
            "a path has two points or more",
            where=scene.where,
            remedy='Name them one after the other: "G X M G".',
        )
    total = points * (len(names) - 1) + 1
    if points < 1 or total > MOST_POINTS:
        raise SceneError(
            f"{total} points are not from 2 to {MOST_POINTS}",
            where=scene.where,
            remedy="Ask for fewer points on each leg of the path.",
        )
    if not 1 <= bands <= MOST_BANDS:
        raise SceneError(
            f"{bands} bands cannot be asked for",
            where=scene.where,
            remedy=f"Ask for 1 to {MOST_BANDS}.",
        )
