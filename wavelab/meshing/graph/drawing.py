"""What the mesher needs of a scene: named rings of points, nothing else.

Small and free of formulas, so that the child process that meshes it starts fast.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.errors import GeometryError
from wavelab.numerics.mesh.curves import EllipseCurve

if TYPE_CHECKING:
    from wavelab.scene.model.scene import Scene
    from wavelab.scene.model.shapes import Shape


@dataclass(frozen=True)
class Ring:
    """A closed outline; segment i runs from ``points[i]`` to ``points[i + 1]``.

    Attributes
    ----------
    name : what messages call it: "the domain", "hole 1", "material glass".
    points : (n, 2) float64, first not repeated.
    edges : name of each of the n segments as walls use it ("hole 1.3").
    curves : by name of an edge, the curve that its segments are chords of; others are straight.
    """

    name: str
    points: Array
    edges: tuple[str, ...]
    curves: Mapping[str, EllipseCurve] = field(default_factory=dict)


@dataclass(frozen=True)
class Drawing:
    """A domain to be meshed with edges of about ``element_size``.

    Attributes
    ----------
    outline : what is inside is the domain.
    holes : cut out of it; they may overlap each other and poke out.
    regions : outlines of material regions; where they overlap the later one holds.
    region_names : "background", then the name of each material.
    region_numbers : of each entry of ``regions``, its index into ``region_names``.
    face_names : every edge name that a wall can refer to, each once.
    periodic : pairs of tuples of edge names; the two sides get matching vertices.
    """

    element_size: float
    outline: Ring
    holes: tuple[Ring, ...]
    regions: tuple[Ring, ...]
    region_names: tuple[str, ...]
    region_numbers: tuple[int, ...]
    face_names: tuple[str, ...]
    periodic: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()


@dataclass(frozen=True)
class PlanarDrawing:
    """Segments that enclose areas, as a Triangle .poly file has them.

    Every area that the segments enclose belongs to the domain, except those with a hole point.

    Attributes
    ----------
    segments : (m, 2, 2) end points; names : (m,) int32 index into ``face_names``, -1 without name.
    holes : (h, 2) a point in each area that is cut out.
    seeds : (s, 2) a point in each area that is not background, and (s,) ``seed_regions``, its
        index into ``region_names``.
    where : file name for messages.
    """

    element_size: float
    segments: Array
    names: NDArray[np.int32]
    holes: Array
    seeds: Array
    seed_regions: NDArray[np.int32]
    region_names: tuple[str, ...]
    face_names: tuple[str, ...]
    where: str = ""
    periodic: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()

    def resized(self, element_size: float | None) -> PlanarDrawing:
        """The same with another element size (None: unchanged)."""
        if element_size is None:
            return self
        return dataclasses.replace(self, element_size=checked_size(element_size))


def checked_size(size: float) -> float:
    """The element size, if it can be one.

    Raises
    ------
    GeometryError : it is not a positive, finite number.
    """
    if not (math.isfinite(size) and size > 0):
        raise GeometryError(
            f"the element size is {size:g}", remedy="It must be a positive, finite length."
        )
    return size


def drawing_of(scene: Scene, element_size: float | None = None) -> Drawing:
    """The rings of a scene that has an outline.

    Raises
    ------
    GeometryError : an element size or a shape parameter that is not a usable number.
    """
    size = checked_size(scene.solver.element_size if element_size is None else element_size)
    assert scene.outline is not None
    curved = scene.solver.curved
    (outline,) = _rings("the domain", "domain", scene.outline, size, curved)
    holes = tuple(
        ring
        for hole in scene.holes
        for ring in _rings(hole.name, hole.name, hole.shape, size, curved)
    )
    regions = [
        (region.name, _rings(f"material {region.name}", region.name, region.shape, size, curved))
        for region in scene.materials
        if region.shape is not None
    ]
    face_names = [f"domain.{edge}" for edge in scene.outline.edge_names()]
    for hole in scene.holes:
        face_names += [f"{hole.name}.{edge}" for edge in hole.shape.edge_names()]
    return Drawing(
        element_size=size,
        outline=outline,
        holes=holes,
        regions=tuple(ring for _, rings in regions for ring in rings),
        region_names=("background", *(name for name, _ in regions)),
        region_numbers=tuple(i for i, (_, rings) in enumerate(regions, start=1) for _ in rings),
        face_names=tuple(dict.fromkeys(face_names)),
        periodic=tuple(
            (_expand(wall.edges[0], face_names), _expand(wall.edges[1], face_names))
            for wall in scene.walls
            if wall.glues
        ),
    )


def _rings(
    name: str, prefix: str, shape: Shape, element_size: float, curved: bool
) -> tuple[Ring, ...]:
    parts = (_rings_of_part(name, prefix, part, element_size, curved) for part in shape.parts())
    return tuple(ring for rings in parts for ring in rings)


def _rings_of_part(
    name: str, prefix: str, shape: Shape, element_size: float, curved: bool
) -> tuple[Ring, ...]:
    for parameter in dataclasses.fields(shape):
        values = np.asarray(getattr(shape, parameter.name), dtype=np.float64)
        if not np.isfinite(values).all():
            bad = np.argwhere(~np.isfinite(np.atleast_1d(values)))[0]
            which = f"vertex {bad[0]}" if values.ndim == 2 else parameter.name
            raise GeometryError(
                f"{name} has a coordinate that is not finite: {which} is "
                f"{tuple(np.atleast_1d(values[bad[0]] if values.ndim == 2 else values).tolist())}",
                remedy="Every coordinate must be a finite number.",
            )
        if parameter.name == "radii" and not (values > 0).all():
            raise GeometryError(
                f"{name} has radii {tuple(values.tolist())}", remedy="Radii must be positive."
            )
    curves = {
        f"{prefix}.{edge}": EllipseCurve(e.center, e.radii, e.angle)
        for edge, e in shape.arcs().items()
        if curved
    }
    return tuple(
        Ring(name, np.asarray(points), tuple(f"{prefix}.{edge}" for edge in edges), curves)
        for points, edges in shape.rings(element_size)
    )


def _expand(edge: str, face_names: list[str]) -> tuple[str, ...]:
    """The face names that a wall's edge name covers."""
    return tuple(name for name in face_names if name == edge or name.startswith(edge + "."))
