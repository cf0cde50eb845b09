"""The band structure of a crystal: the frequencies of its Bloch waves along a path through the
Brillouin zone, and the gaps between them.

How they are found is in :mod:`wavelab.physics.modes.bloch_modes`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import SceneError
from wavelab.numerics.fields.lattice import USUAL_PATHS, lattice_of
from wavelab.numerics.fields.traces import point_normals
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.materials.auxiliary_equations import FADING
from wavelab.physics.modes.bloch_modes import Cell
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.semi_discrete import operator_of, semi_discrete
from wavelab.physics.walls.walls import discretized
from wavelab.scene.model.scene import Scene
from wavelab.scene.walls.periodic import PeriodicWall
from wavelab.simulation.studies.bands.band_structure import BandStructure
from wavelab.simulation.studies.comparison import StudyCancelledError
from wavelab.simulation.studies.study_runs import mesh_of

Tell = Callable[[float, str], None]
Crystal = MaxwellTM | ElasticPSV

#: Points of a path, bands, and unknowns on the faces of a cell that can be asked for.
MOST_POINTS, MOST_BANDS, MOST_UNKNOWNS = 1000, 60, 4000
#: Sine of the angle by which a wall along an axis may be off it: rounding.
_SLANT = 1e-9


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


def _operator(scene: Scene, mesh: Mesh, order: int) -> Crystal:
    operator = operator_of(scene, discretized(scene, mesh, order))
    assert isinstance(operator, MaxwellTM | ElasticPSV)
    return operator


def _coarser(scene: Scene, cell_scene: Scene, mesh: Mesh) -> Cell | None:
    """The same with one order less, to see what the order does; None for order 1."""
    order = scene.solver.order
    return Cell(_operator(cell_scene, mesh, order - 1)) if order > 1 else None


def _difference(fine: Array, coarse: Array) -> float:
    n = min(len(fine), len(coarse))
    highest = float(fine.max())  # 0 where all that was asked for moves as a whole
    return float(np.abs(coarse[:n] - fine[:n]).max()) / highest if highest else 0.0


def _cell(scene: Scene, operator: Crystal) -> Cell:
    d = operator.discretization
    # Each inner face has N - 1 nodes of its own, and there are half as many vertices as elements.
    components = len(operator.pinged)
    estimate = components * d.n_elements * (1.5 * (d.order - 1) + 0.5)
    if estimate > MOST_UNKNOWNS:
        raise SceneError(
            f"a cell of {d.n_elements} elements of order {d.order} is too fine for bands: about "
            f"{estimate:.0f} unknowns on its faces, and {MOST_UNKNOWNS} are the limit",
            where=scene.where,
            remedy="Use larger elements of a high order: --h 0.2 --order 6, say.",
        )
    return Cell(operator)


def _check(scene: Scene, operator: Crystal) -> None:
    """Refuse what has no bands."""
    d = operator.discretization
    at_walls = operator.reflection[d.connectivity.is_boundary]
    taken = bool((np.abs(at_walls) < 1).any() or any(wall.pml for wall in scene.walls))
    equations = () if taken else semi_discrete(scene, operator).auxiliary_equations
    poles = any(equation.kind == "medium" and equation.variables for equation in equations)
    fading = any(FADING in equation.coefficients for equation in equations)
    solid = isinstance(operator, ElasticPSV)
    reasons = (
        ("walls that take energy (absorbing or open ones, say)", taken),
        ("media with losses", bool(operator.decay.any() or operator.media.losses or fading)),
        ("media that change in time", operator.media.changes),
        ("dispersive media (poles)", poles and not solid),
        ("solids and fluids with quality factors", poles and solid),
        # What moves without being pressed together has the frequency 0, and there is much of it.
        ("fluids (s_speed = 0)", isinstance(operator, ElasticPSV) and not operator.mu.all()),
        ("slip walls that lie neither along x nor along y", _slants(operator)),
        ("Kerr media (chi)", bool(operator.media.kerr)),
    )
    found = [what for what, there in reasons if there]
    if found:
        raise SceneError(
            f"{found[0]} have no band structure: its waves neither grow nor fade",
            where=scene.where,
            remedy="Use periodic walls and those that reflect all, and lossless media that are "
            "numbers or formulas of x and y.",
        )


def _slants(operator: Crystal) -> bool:
    """Whether a wall that holds one of two velocities would mix the components."""
    if not isinstance(operator, ElasticPSV):
        return False
    d, r = operator.discretization, operator.reflection
    one = d.connectivity.is_boundary & (r[..., 0] != r[..., 1])
    nx, ny = (normal[one] for normal in point_normals(d))
    return bool((np.minimum(np.abs(nx), np.abs(ny)) > _SLANT).any())


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
