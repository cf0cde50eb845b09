"""What is known of the bands of a crystal: frequencies along a path, gaps, modes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.numerics.fields.lattice import Lattice
from wavelab.numerics.mesh.connectivity import face_selection
from wavelab.numerics.mesh.mesh import FACE_VERTICES
from wavelab.physics.modes.bloch_modes import BlochModes, Cell
from wavelab.physics.modes.modes import direction_of, has_sign, inside_largest, shape_of
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point
from wavelab.scene.model.units import Scale, Written

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
    operator: MaxwellTM | ElasticPSV

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
        """(n_fields, n_elements, nodes_per_element) of a mode; the first band is 0."""
        return self.cell.fields(self.modes(point), band)

    @property
    def signed(self) -> bool:
        """Whether shapes have a sign."""
        return has_sign(self.operator)

    def loudest(self, point: int, band: int) -> Point:
        """Where a mode is largest, just inside of an element."""
        return inside_largest(self.operator.discretization, self.shape(point, band))

    def direction(self, point: int, band: int) -> float | None:
        """Of the motion there (:func:`wavelab.physics.modes.modes.direction_of`)."""
        return direction_of(self.operator, self.fields(point, band))

    def shape(self, point: int, band: int) -> Array:
        """(n_elements, nodes_per_element) what is shown of a mode
        (:func:`wavelab.physics.modes.modes.shape_of`)."""
        return shape_of(self.operator, self.fields(point, band))

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

    def table(self, scale: Scale | None = None) -> str:
        """For people: columns separated by tabs, with frequencies in units if there is a scale."""
        written = Written(scale, "{:.6g}".format)
        names = (f"band {i}" for i in range(1, self.frequencies.shape[1] + 1))
        lines = ["\t".join(["k", *names])]
        for point, row in enumerate(self.frequencies):
            lines.append("\t".join([self.place(point), *map(written.frequency, row.tolist())]))
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
