"""Sides of higher order in Gmsh files: elements follow them, and nothing else is changed."""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wavelab.errors import MeshError
from wavelab.meshing.formats import read_mesh
from wavelab.meshing.formats.gmsh_kinds import CORNERS, NODES, ORDERS
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.mesh.curved_map import curved_map
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh
from wavelab.numerics.mesh.refine import refine
from wavelab.output.files.snapshot import write_snapshot
from wavelab.physics.initial_fields import initial_fields
from wavelab.physics.problem import discretize_scene
from wavelab.physics.start_fields import _mesh
from wavelab.scene.model.scene import Scene, Solver
from wavelab.simulation.studies.modes.resonances import find_resonances
from wavelab.simulation.watching.frame_messages import hello_message, mesh_of

TRIANGLES = {2: 9, 3: 21, 4: 23, 5: 25, 6: 42, 7: 43, 8: 44, 9: 45, 10: 46}


def wheel(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of a disc of radius 1 whose rim has n sides: two rings."""
    angles = 2 * np.pi * np.arange(n) / n
    outer = np.column_stack([np.cos(angles), np.sin(angles)])
    inner = 0.5 * outer[::2]
    vertices = np.vstack([[[0, 0]], inner, outer])
    m, triangles = n // 2, []
    for i in range(m):
        a, b = 1 + i, 1 + (i + 1) % m
        p, q, r = (1 + m + (2 * i + j) % n for j in range(3))
        triangles += [(0, a, b), (a, p, q), (a, q, b), (b, q, r)]
    return vertices, np.array(triangles)


def on_rim(start: np.ndarray, end: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Points between two vertices: of the rim at equal angles, elsewhere of the straight line."""
    if min(np.hypot(*start), np.hypot(*end)) < 0.9:
        return start + t[:, None] * (end - start)
    first = math.atan2(start[1], start[0])
    span = (math.atan2(end[1], end[0]) - first + math.pi) % (2 * math.pi) - math.pi
    return np.column_stack([np.cos(first + t * span), np.sin(first + t * span)])


def write(path: Path, vertices, triangles, order: int, side=on_rim, seed: int = 0) -> Path:
    """A Gmsh file of complete triangles; corners are turned round at random."""
    rng = np.random.default_rng(seed)
    t = np.arange(1, order) / order
    points, elements, known = [*map(tuple, vertices)], [], {}
    for corners in triangles:
        corners = np.roll(corners, rng.integers(3)).tolist()
        nodes = list(corners)
        for a, b in ((0, 1), (1, 2), (2, 0)):
            a, b = corners[a], corners[b]
            if (b, a) in known:
                nodes += known[b, a][::-1]
                continue
            known[a, b] = list(range(len(points), len(points) + order - 1))
            points += map(tuple, side(vertices[a], vertices[b], t))
            nodes += known[a, b]
        inner = NODES[TRIANGLES[order]] - len(nodes)
        nodes += range(len(points), len(points) + inner)
        points += [tuple(vertices[corners].mean(axis=0) + 0.01 * rng.random(2))] * inner
        elements.append(nodes)
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(points))]
    lines += [f"{i + 1} {x!r} {y!r} 0" for i, (x, y) in enumerate(np.array(points).tolist())]
    lines += ["$EndNodes", "$Elements", str(len(elements))]
    kind = TRIANGLES[order]
    lines += [
        f"{i + 1} {kind} 2 1 1 " + " ".join(str(n + 1) for n in nodes)
        for i, nodes in enumerate(elements)
    ]
    path.write_text("\n".join([*lines, "$EndElements", ""]))
    return path


def disc(folder: Path, n: int, order: int) -> Mesh:
    return read_mesh(write(folder / f"disc_{n}_{order}.msh", *wheel(n), order))


def area(mesh: Mesh, order: int) -> float:
    d = discretize(mesh, order)
    return float(d.integrate(np.ones(d.shape)).sum())


def enclosed(n: int, order: int) -> float:
    """By the polynomials through the nodes of the rim, int x dy - y dx over 2, on their own."""
    angles = 2 * np.pi / n * np.arange(order + 1) / order
    s = np.arange(order + 1) / order
    x, y = (np.polynomial.Polynomial.fit(s, f(angles), order).convert() for f in (np.cos, np.sin))
    whole = (x * y.deriv() - y * x.deriv()).integ()
    return n * float(whole(1) - whole(0)) / 2


@pytest.mark.parametrize("order", TRIANGLES)
def test_the_area_is_that_of_the_polynomials_of_the_file(order, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing is left out
        mesh = disc(tmp_path, 12, order)
    assert (mesh.face_curves >= 0).sum() == 12
    for of_elements in (order, min(order + 1, 10)):
        assert area(mesh, of_elements) == pytest.approx(enclosed(12, order), rel=1e-13)
    # Halved, elements follow the same polynomials.
    assert area(refine(mesh), order) == pytest.approx(enclosed(12, order), rel=1e-13)
    assert refine(refine(mesh)).checked() is not None
    assert area(mesh.straight(), order) < enclosed(12, order) - 0.1


@pytest.mark.parametrize(("order", "rate"), [(2, 4), (3, 4), (4, 6), (5, 6)])
def test_the_area_of_a_disc_converges_as_its_polynomials_say(order, rate, tmp_path):
    missed = [abs(area(disc(tmp_path, n, order), order) - math.pi) for n in (12, 24)]
    assert math.log2(missed[0] / missed[1]) == pytest.approx(rate, abs=0.15)


def lowest(mesh_file: Path, **solver) -> float:
    scene = Scene(
        "disc",
        replace(Solver(element_size=1.0, order=4, precision="double"), **solver),
        outline=None,
        mesh_file=mesh_file,
    )
    return find_resonances(scene, 1).modes[0].frequency * 2 * math.pi


def test_a_room_rings_as_round_as_its_file_is(tmp_path):
    """The first zero of the Bessel function J0 is missed as the geometry says, with the 4th power
    of the size of sides of order 2; and with the 2nd, where faces are made straight."""
    zero = 2.404825557695773
    for order, curved, rate in ((2, True, 4), (2, False, 2)):
        missed = []
        for n in (8, 16):
            path = write(tmp_path / f"{n}.msh", *wheel(n), order)
            missed.append(abs(lowest(path, curved=curved) - zero))
        assert math.log2(missed[0] / missed[1]) == pytest.approx(rate, abs=0.3), (order, missed)
        assert missed[1] < (2e-4 if curved else 0.1)


#: More, on both sides of a sharp corner, folds an element over; what is hardly bent is read as
#: straight.
bends = st.floats(-0.06, 0.06).map(lambda bend: bend if abs(bend) > 1e-6 else 0.0)


@given(
    order=st.integers(2, 6),
    bends=st.lists(bends, min_size=5, max_size=5),
    seed=st.integers(0, 99),
)
@settings(max_examples=25, deadline=None)
def test_both_sides_of_every_curve_agree(order, bends, seed, tmp_path_factory):
    """Two triangles with all five sides bent: positions of face nodes are those of the neighbour,
    the area is what the rim encloses, and constants have no curl."""
    vertices = np.array([[0.0, 0.0], [1.0, 0.1], [1.1, 1.0], [-0.1, 0.9]])
    bent = dict(zip([(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)], bends, strict=True))

    def side(start, end, t):
        a, b = (int(np.argmin(np.abs(vertices - z).sum(axis=1))) for z in (start, end))
        chord = (end - start) * (1 if a < b else -1)
        bow = 4 * t * (1 - t) * bent[min(a, b), max(a, b)]
        return start + t[:, None] * (end - start) + bow[:, None] * np.array([-chord[1], chord[0]])

    path = tmp_path_factory.mktemp("bent") / "bent.msh"
    mesh = read_mesh(write(path, vertices, np.array([[0, 1, 2], [0, 2, 3]]), order, side, seed))
    # A bow of height h over a chord c, a parabola, adds 2 h c / 3: to the right of its direction.
    rim = {(0, 1): -1, (1, 2): -1, (2, 3): -1, (0, 3): 1}
    added = sum(
        sign * 2 / 3 * bent[ends] * ((vertices[ends[1]] - vertices[ends[0]]) ** 2).sum()
        for ends, sign in rim.items()
    )
    assert area(mesh, order) == pytest.approx(area(mesh.straight(), order) + added, rel=1e-12)
    mapping = curved_map(mesh, np.arange(2), order)
    t = np.linspace(-1, 1, 7)
    along = {}
    for element in range(2):
        for face in range(3):
            a, b = mesh.triangles[element, FACE_VERTICES[face]].tolist()
            r, s = [(t, -1 + 0 * t), (-t, t), (-1 + 0 * t, -t)][face]
            along[a, b] = mapping.positions(r, s)[element]
    for (a, b), points in along.items():
        if (b, a) in along:
            np.testing.assert_allclose(points, along[b, a][::-1], rtol=0, atol=1e-15)
    assert sum((b, a) in along for a, b in along) == 2


def test_straight_sides_of_any_order_are_straight(tmp_path):
    def uneven(start, end, t):
        return start + (t**1.2)[:, None] * (end - start)

    vertices, triangles = wheel(8)
    mesh = read_mesh(write(tmp_path / "straight.msh", vertices, triangles, 3, uneven))
    assert mesh.face_curves is None


def test_a_snapshot_keeps_the_curves(tmp_path):
    h5py = pytest.importorskip("h5py")
    path = write(tmp_path / "disc.msh", *wheel(8), 3)
    scene = Scene("disc", Solver(element_size=1.0, order=3), outline=None, mesh_file=path)
    problem = discretize_scene(scene, mesh_scene(scene))
    write_snapshot(tmp_path / "disc.h5", problem, initial_fields(scene, problem), 0.0)
    with h5py.File(tmp_path / "disc.h5") as file:
        again = _mesh(file)
    assert again.curves == problem.discretization.mesh.curves
    assert area(again, 3) == pytest.approx(enclosed(8, 3), rel=1e-13)


def test_who_watches_from_afar_sees_the_same_curves(tmp_path):
    mesh = disc(tmp_path, 8, 3)
    told, arrays = hello_message("", mesh, {})
    there = mesh_of(json.loads(json.dumps(told)), arrays)
    assert there.curves == mesh.curves
    assert area(there, 3) == area(mesh, 3)


def test_what_folds_over_or_contradicts_itself_is_refused(tmp_path):
    vertices, triangles = wheel(8)

    def folded(start, end, t):
        line = start + t[:, None] * (end - start)
        return line * (0.1 if min(np.hypot(*start), np.hypot(*end)) > 0.9 else 1.0)

    mesh = read_mesh(write(tmp_path / "folded.msh", vertices, triangles, 2, folded))
    with pytest.raises(MeshError, match="folded over by its curved face"):
        discretize(mesh, 3)
    path = write(tmp_path / "two.msh", *wheel(8), 2)
    lines = path.read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if " 9 2 1 1 " in line)
    other = next(i for i in range(first + 1, len(lines)) if " 9 2 1 1 " in lines[i])
    # The first element, and one beside it, with nodes of their own on the side between them.
    row, corners = lines[first].split(), set(lines[first].split()[5:8])
    beside = next(i for i in range(other, len(lines) - 1)
                  if len(corners & set(lines[i].split()[5:8])) == 2)  # fmt: skip
    shared = set(row[8:]) & set(lines[beside].split()[8:])
    spare = next(n for n in row[8:] if n not in shared)
    lines[first] = " ".join(spare if n in shared else n for n in row)
    path.write_text("\n".join(lines))
    with pytest.raises(MeshError, match=r"give the side between them .* different curves"):
        read_mesh(path)
    assert ORDERS.keys() == CORNERS.keys()
    broken = path.read_text().replace("\n5 ", "\n500 ", 1)
    path.write_text(broken)
    with pytest.raises(MeshError):
        read_mesh(path)
