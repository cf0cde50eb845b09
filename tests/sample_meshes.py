"""Small unstructured meshes and operators that tests of several rooms share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavelab.numerics.fields.discretization import Discretization, discretize
from wavelab.numerics.mesh.curves import EllipseCurve
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM

Array = NDArray[np.float64]

REFERENCE = Path(__file__).parent / "reference" / "nodal_dg"


def reference_mesh() -> Mesh:
    """The 146 unstructured triangles on [-1, 1]^2 of the textbook's Maxwell025."""
    data = np.load(REFERENCE / "mesh.npz")
    return Mesh.plain(data["vertices"], data["triangles"]).checked()


def jittered_square(n: int, seed: int = 0, jitter: float = 0.25) -> Mesh:
    """2 n^2 triangles on the unit square: shaken vertices, random diagonals, named sides."""
    rng = np.random.default_rng(seed)
    x, y = (
        a.ravel()
        for a in np.meshgrid(np.linspace(0, 1, n + 1), np.linspace(0, 1, n + 1), indexing="ij")
    )
    shake = rng.uniform(-jitter / n, jitter / n, (len(x), 2))
    inner = (x > 0) & (x < 1) & (y > 0) & (y < 1)
    vertices = np.column_stack([x, y]) + shake * inner[:, None]
    i, j = (a.ravel() for a in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    a, b = i * (n + 1) + j, (i + 1) * (n + 1) + j
    c, d = b + 1, a + 1
    flip = rng.random(n * n) < 0.5
    first = np.where(flip[:, None], np.column_stack([a, b, c]), np.column_stack([a, b, d]))
    second = np.where(flip[:, None], np.column_stack([a, c, d]), np.column_stack([b, c, d]))
    mesh = Mesh.plain(vertices, np.concatenate([first, second]))
    return with_named_sides(mesh)


def narrow_strip(n: int, ratio: float = 20.0, seed: int = 0) -> Mesh:
    """2 n^2 triangles on the unit square, those of one column ``ratio`` times narrower than the
    others, which are shaken."""
    rng = np.random.default_rng(seed)
    square = jittered_square(n, seed, 0.0)
    x, y = square.vertices.T
    left = (n // 2) / n
    right = left + 1 / n
    inner = (x > 0) & (x < 1) & (y > 0) & (y < 1) & (abs(x - left) > 1e-9) & (abs(x - right) > 1e-9)
    lost = (1 - 1 / ratio) / n
    narrow = np.where(x > right - 1e-9, x - lost, x)
    shake = rng.uniform(-0.2 / n, 0.2 / n, (len(x), 2)) * inner[:, None]
    vertices = (np.column_stack([narrow, y]) + shake) / [1 - lost, 1]
    return with_named_sides(Mesh.plain(vertices, square.triangles).checked())


def with_named_sides(mesh: Mesh) -> Mesh:
    """Name the faces on the bounding box "domain.left", "domain.right", ..."""
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    ends = mesh.vertices[mesh.triangles][:, [[0, 1], [1, 2], [2, 0]]]
    tags = np.full((mesh.n_elements, 3), -1, np.int32)
    names = ("domain.left", "domain.right", "domain.bottom", "domain.top")
    for tag, (axis, value) in enumerate([(0, low[0]), (0, high[0]), (1, low[1]), (1, high[1])]):
        tags[(np.abs(ends[:, :, :, axis] - value) < 1e-12).all(axis=2)] = tag
    return Mesh(mesh.vertices, mesh.triangles, mesh.regions, mesh.region_names, tags, names)


def mixed_operator(order: int, upwinding: float = 1.0, mesh: Mesh | None = None) -> MaxwellTM:
    """Materials that jump from element to element, losses, and every kind of wall."""
    d = discretize(mesh or reference_mesh(), order)
    rng = np.random.default_rng(order)
    k = d.n_elements
    return MaxwellTM(
        d,
        epsilon=rng.uniform(1, 5, k),
        mu=rng.uniform(1, 2, k),
        sigma=rng.uniform(0, 1, k),
        reflection=rng.choice([-1.0, 0.0, 0.3, 1.0], size=(k, 3)),
        upwinding=upwinding,
    )


def vacuum_operator(
    d: Discretization, upwinding: float = 1.0, reflection: float = -1.0
) -> MaxwellTM:
    """epsilon = mu = 1, no losses, the same wall everywhere."""
    k = d.n_elements
    return MaxwellTM(d, np.ones(k), np.ones(k), np.zeros(k), np.full((k, 3), reflection), upwinding)


def random_fields(d: Discretization, seed: int = 0) -> Fields:
    """Nodal values without any continuity, so that every flux is exercised."""
    rng = np.random.default_rng(seed)
    return Fields(*(rng.standard_normal(d.shape) for _ in range(3)))


def elliptic_disk(
    center: tuple[float, float] = (0.3, -0.2),
    radii: tuple[float, float] = (1.2, 0.7),
    angle: float = 25.0,
    hole: float = 0.0,
    core: bool = False,
) -> Mesh:
    """36 triangles and more in an ellipse whose rim is a curve.

    Parameters
    ----------
    hole : size of a similar ellipse cut out, 0 for none; else below 1 / 2.
    core : an ellipse of half the size is a region of its own, with a curved border.
    """
    n, curve = 12, EllipseCurve(center, radii, angle)
    theta = 2 * np.pi * np.arange(n) / n
    middle = np.array(center)

    def ring(size: float, shift: float = 0.0) -> Array:
        return middle + size * (curve.points(theta + shift * np.pi / n) - middle)

    rings = [ring(1.0), ring(0.5, 1.0)] + ([ring(hole)] if hole else [])
    numbers = [n * i + np.arange(n) for i in range(len(rings))]
    outer, inner = numbers[0], numbers[1]
    triangles = [
        np.column_stack([inner, outer, np.roll(outer, -1)]),
        np.column_stack([inner, np.roll(outer, -1), np.roll(inner, -1)]),
    ]
    if hole:
        rim = numbers[2]
        triangles += [
            np.column_stack([rim, inner, np.roll(rim, -1)]),
            np.column_stack([np.roll(rim, -1), inner, np.roll(inner, -1)]),
        ]
        vertices = np.concatenate(rings)
    else:
        vertices = np.concatenate([*rings, middle[None]])
        apex = np.full(n, 2 * n)
        triangles.append(np.column_stack([apex, inner, np.roll(inner, -1)]))
    mesh = Mesh.plain(vertices, np.concatenate(triangles))
    ends = mesh.triangles[:, FACE_VERTICES]
    curves, face_curves = [curve], np.full((mesh.n_elements, 3), -1, np.int32)
    face_curves[(ends < n).all(axis=2)] = 0
    for size, chosen in ((0.5, core), (hole, hole > 0)):
        if chosen:
            number = 1 if size == 0.5 else 2
            on_ring = (ends // n == number) & (ends < n * len(rings))
            face_curves[on_ring.all(axis=2)] = len(curves)
            curves.append(EllipseCurve(center, (size * radii[0], size * radii[1]), angle))
    regions = np.zeros(mesh.n_elements, np.int32)
    if core:
        regions[(mesh.triangles >= n).all(axis=1)] = 1
    return replace(
        mesh,
        curves=tuple(curves),
        face_curves=face_curves,
        regions=regions,
        region_names=("background", "core") if core else ("background",),
    ).checked()
