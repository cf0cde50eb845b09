"""Points of mesh files at one place: joined, but where a named line keeps two triangles apart."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sample_meshes import jittered_square, random_fields
from wavelab.errors import WavelabError
from wavelab.meshing.formats import read_mesh, write_mesh
from wavelab.meshing.formats.raw import RawMesh, assemble
from wavelab.meshing.graph.notices import MeshWarning
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.mesh.connectivity import connect
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh, edge_keys
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM, right_hand_side
from wavelab.physics.problem import discretize_scene
from wavelab.physics.walls.walls import reflection_coefficients
from wavelab.scene.model.scene import Scene, Solver, Wall
from wavelab.scene.walls import (
    AbsorbingWall,
    Conductor,
    ImpedanceWall,
    MagneticWall,
    OpenWall,
    PeriodicWall,
)

quiet = pytest.mark.filterwarnings("ignore::wavelab.meshing.graph.notices.MeshWarning")


def in_pieces(mesh: Mesh) -> RawMesh:
    """The same with points of its own for every triangle, as a discontinuous code writes it."""
    points = mesh.vertices[mesh.triangles].reshape(-1, 2)
    return RawMesh(
        points=points,
        triangles=np.arange(len(points)).reshape(-1, 3),
        regions=mesh.regions,
        region_names=mesh.region_names,
    )


def inner_pairs(mesh: Mesh) -> np.ndarray:
    """(m, 2) faces, 3 element + face, that lie on each other."""
    c = connect(mesh)
    partner = 3 * c.neighbor_element.ravel() + c.neighbor_face.ravel()
    here = np.flatnonzero(partner > np.arange(len(partner)))
    return np.column_stack([here, partner[here]])


def with_lines(raw: RawMesh, faces: np.ndarray, name: str = "sheet") -> RawMesh:
    """Lines between the points of those faces."""
    ends = raw.triangles[:, FACE_VERTICES].reshape(-1, 2)[faces]
    return replace(raw, lines=ends, line_labels=np.zeros(len(ends), np.int32), face_names=(name,))


def corners_at_vertices(mesh: Mesh, glued: np.ndarray) -> np.ndarray:
    """(3 n,) number for each corner of the elements, the same where faces glue corners together."""
    number = np.arange(3 * mesh.n_elements)
    while True:
        before = number.copy()
        for one, other in glued:
            for i, j in ((one, _next(other)), (_next(one), other)):
                number[i] = number[j] = min(number[i], number[j])
        if (before == number).all():
            return number


def _next(face: int) -> int:
    return face - face % 3 + (face + 1) % 3


def total_faces(mesh: Mesh, name: str) -> int:
    return int((mesh.face_tags == mesh.face_names.index(name)).sum())


@quiet
@given(
    n=st.integers(1, 4),
    seed=st.integers(0, 2**20),
    share=st.floats(0, 1),
    one_sided=st.booleans(),
    turned=st.booleans(),
)
@settings(max_examples=40)
def test_named_lines_alone_keep_triangles_apart(
    tmp_path_factory, n, seed, share, one_sided, turned
):
    rng = np.random.default_rng(seed)
    mesh = jittered_square(n, seed)
    pairs = inner_pairs(mesh)
    chosen = rng.random(len(pairs)) < share
    raw = in_pieces(mesh)
    sides = pairs[chosen][:, :1] if one_sided else pairs[chosen]
    raw = with_lines(raw, sides.ravel())
    if turned:
        raw = replace(raw, triangles=raw.triangles[:, ::-1])
    found = assemble(raw, "pieces")
    # An edge between two vertices that are one at both of its ends is no slit.
    corner = corners_at_vertices(mesh, pairs[~chosen])
    a, b = pairs[chosen].T
    open_ = (corner[a] != corner[[_next(face) for face in b]]) | (
        corner[[_next(face) for face in a]] != corner[b]
    )
    assert total_faces(found, "sheet") == 2 * open_.sum()
    outer = (connect(mesh).is_boundary).sum()
    assert connect(found).is_boundary.sum() == outer + 2 * open_.sum()
    assert found.signed_areas().sum() == pytest.approx(1)
    # And the same again, however often it is written and read.
    path = tmp_path_factory.mktemp("sheet") / "again.msh"
    write_mesh(found, path)
    again = read_mesh(path)
    assert total_faces(again, "sheet") == 2 * open_.sum()
    assert (connect(again).neighbor_element == connect(found).neighbor_element).all()


@quiet
@given(n=st.integers(1, 5), seed=st.integers(0, 2**20))
@settings(max_examples=15)
def test_what_no_line_keeps_apart_is_joined(n, seed):
    mesh = jittered_square(n, seed)
    found = assemble(in_pieces(mesh), "pieces")
    assert found.n_vertices == mesh.n_vertices
    assert (connect(found).neighbor_element == connect(mesh).neighbor_element).all()


def halves() -> tuple[Mesh, np.ndarray]:
    """A square whose middle line x = 1/2 is one of edges, and the pairs of faces on that."""
    mesh = jittered_square(4, 3, 0.0)
    shake = 0.03 * np.sin(40 * mesh.vertices)
    x, y = mesh.vertices.T
    free = (x > 0) & (x < 1) & (y > 0) & (y < 1) & (x != 0.5)
    mesh = replace(mesh, vertices=mesh.vertices + shake * free[:, None])
    pairs = inner_pairs(mesh)
    ends = mesh.vertices[mesh.triangles[:, FACE_VERTICES].reshape(-1, 2)][pairs[:, 0]]
    return mesh, pairs[(ends[..., 0] == 0.5).all(axis=1)]


def halved(tmp_path: Path) -> tuple[Mesh, Mesh]:
    """A square with a sheet from edge to edge, and the half of it at the left of that."""
    mesh, middle = halves()
    raw = in_pieces(mesh)
    with pytest.warns(MeshWarning, match='5 duplicate vertices along "sheet" stay apart'):
        whole = assemble(with_lines(raw, middle[:, 0]), "halves")
    left = mesh.vertices[mesh.triangles].mean(axis=1)[:, 0] < 0.5
    part = replace(raw, triangles=raw.triangles[left], regions=raw.regions[left])
    inside = np.array([face for face in middle.ravel() if left[face // 3]])
    part = replace(
        part,
        lines=raw.triangles[:, FACE_VERTICES].reshape(-1, 2)[inside],
        line_labels=np.zeros(len(inside), np.int32),
        face_names=("sheet",),
    )
    return whole, assemble(part, "half")


@quiet
@pytest.mark.parametrize(
    "wall",
    [Conductor, MagneticWall, AbsorbingWall, lambda edges: ImpedanceWall(edges, impedance=0.4)],
    ids=["conductor", "magnetic", "absorbing", "impedance"],
)
def test_each_half_beside_a_sheet_is_a_room_of_its_own(tmp_path, wall):
    """Nothing passes, and the wall acts as on the edge of the half alone, to rounding."""
    whole, half = halved(tmp_path)
    scene = Scene("sheet", Solver(), walls=(wall(("sheet",)),))
    operators, orders = [], []
    for mesh in (whole, half):
        d, ones = discretize(mesh, 4), np.ones(mesh.n_elements)
        reflection = reflection_coefficients(scene, d.mesh, ones)
        operators.append(MaxwellTM(d, ones, ones, 0 * ones, reflection, 1.0))
        # Elements come in another order than in the file.
        x, y = d.mesh.vertices[d.mesh.triangles].mean(axis=1).T
        orders.append(np.lexsort((y, x))[: half.n_elements])
    fields = random_fields(operators[0].discretization)
    here = np.empty_like(orders[0])
    here[orders[1]] = orders[0]
    rates = right_hand_side(operators[0], fields)
    alone = right_hand_side(operators[1], Fields(fields.hx[here], fields.hy[here], fields.ez[here]))
    for name in ("hx", "hy", "ez"):
        one, other = getattr(rates, name), getattr(alone, name)
        assert np.abs(one[here] - other).max() <= 1e-12 * np.abs(other).max()


@quiet
@pytest.mark.parametrize(
    ("wall", "says"),
    [
        (OpenWall(("sheet",)), "sheet"),
        (PeriodicWall(("sheet", "sheet")), "sheet"),
    ],
    ids=["open", "periodic"],
)
def test_what_a_sheet_cannot_be_is_refused(tmp_path, wall: Wall, says):
    whole, _ = halved(tmp_path)
    with pytest.raises(WavelabError, match=says):
        discretize_scene(Scene("sheet", Solver(), walls=(wall,)), whole)


# The same in every format

_POINTS = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (1, 0), (1, 1)]
#: Two squares beside each other, each with points of its own on the line between them.
_CELLS = [(1, 2, 5), (1, 5, 4), (7, 3, 6), (7, 6, 8)]


def gmsh_2(sides: int) -> dict[str, str]:
    lines = ["1 1 2 7 1 2 5", "2 1 2 7 2 8 7"][:sides]
    cells = [f"{10 + i} 2 2 3 1 {a} {b} {c}" for i, (a, b, c) in enumerate(_CELLS)]
    nodes = [f"{i} {x} {y} 0" for i, (x, y) in enumerate(_POINTS, 1)]
    names = ["$PhysicalNames", "2", '1 7 "sheet"', '2 3 "air"', "$EndPhysicalNames"]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", *names, "$Nodes", "8", *nodes, "$EndNodes",
             "$Elements", f"{4 + sides}", *lines, *cells, "$EndElements", ""]  # fmt: skip
    return {"a.msh": "\n".join(lines)}


def gambit(sides: int) -> dict[str, str]:
    nodes = [f"{i:10d} {x:.3f} {y:.3f}" for i, (x, y) in enumerate(_POINTS, 1)]
    cells = [f"{i:8d} 3 3 {a} {b} {c}" for i, (a, b, c) in enumerate(_CELLS, 1)]
    faces = ["1 3 2", "4 3 3"][:sides]
    head = ["        CONTROL INFO 2.4.6", "** GAMBIT NEUTRAL FILE", "a", "PROGRAM: Gambit", "", ""]
    lines = [*head, f"8 4 0 {1 if sides else 0} 2 2", "ENDOFSECTION"]
    lines += ["   NODAL COORDINATES 2.4.6", *nodes, "ENDOFSECTION"]
    lines += ["      ELEMENTS/CELLS 2.4.6", *cells, "ENDOFSECTION"]
    if sides:
        lines += [" BOUNDARY CONDITIONS 2.4.6", f"{'sheet':>32} 1 {sides} 0 6", *faces]
        lines += ["ENDOFSECTION"]
    return {"a.neu": "\n".join([*lines, ""])}


def triangle(sides: int) -> dict[str, str]:
    nodes = ["8 2 0 0", *(f"{i} {x} {y}" for i, (x, y) in enumerate(_POINTS, 1))]
    cells = ["4 3 0", *(f"{i} {a} {b} {c}" for i, (a, b, c) in enumerate(_CELLS, 1))]
    segments = ["0 2 0 0", f"{sides} 1", *["1 2 5 7", "2 7 8 7"][:sides], "0"]
    files = {"a.node": nodes, "a.ele": cells, "a.poly": segments}
    return {name: "\n".join([*lines, ""]) for name, lines in files.items()}


@quiet
@pytest.mark.parametrize("sides", [0, 1, 2])
@pytest.mark.parametrize("written", [gmsh_2, gambit, triangle])
def test_a_sheet_in_every_format(tmp_path, written, sides):
    files = written(sides)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.warns(MeshWarning, match="stay apart" if sides else "2 duplicate .* merged"):
        mesh = read_mesh(tmp_path / next(iter(files)))
    assert connect(mesh).is_boundary.sum() == (8 if sides else 6)
    assert mesh.signed_areas().sum() == pytest.approx(2)
    named = (mesh.face_tags >= 0).sum()
    assert named == (2 if sides else 0)


def test_two_names_are_the_two_sides(tmp_path):
    text = gmsh_2(2)["a.msh"].replace("2 1 2 7 2 8 7", "2 1 2 8 2 8 7")
    (tmp_path / "a.msh").write_text(text.replace('7 "sheet"', '7 "left"\n1 8 "right"').replace(
        "$PhysicalNames\n2", "$PhysicalNames\n3"))  # fmt: skip
    with pytest.warns(MeshWarning, match='along "left" and "right"'):
        mesh = read_mesh(tmp_path / "a.msh")
    for name, sign in (("left", -1), ("right", 1)):
        (element,), _ = np.nonzero(mesh.face_tags == mesh.face_names.index(name))
        x = mesh.vertices[mesh.triangles[element]].mean(axis=0)[0]
        assert math.copysign(1, x - 1) == sign


@quiet
@pytest.mark.parametrize("copied", ["one", "half"])
def test_overlaps_are_found_beside_sheets(tmp_path, copied):
    """A part twice with points of its own is no sheet, even with lines all around it."""
    mesh = jittered_square(2)
    raw = in_pieces(mesh)
    again = raw.triangles[: 1 if copied == "one" else 4] + len(raw.points)
    lines = again[:, FACE_VERTICES].reshape(-1, 2)
    raw = replace(
        raw,
        points=np.concatenate([raw.points, raw.points]),
        triangles=np.concatenate([raw.triangles, again]),
        regions=np.zeros(len(raw.triangles) + len(again), np.int32),
        lines=lines,
        line_labels=np.zeros(len(lines), np.int32),
        face_names=("rim",),
    )
    with pytest.warns(MeshWarning, match=f"{len(again)} duplicate triangles were dropped"):
        found = assemble(raw, "twice")
    assert found.n_elements == mesh.n_elements
    assert found.n_vertices == mesh.n_vertices
    keys = edge_keys(found.triangles[:, FACE_VERTICES].reshape(-1, 2), found.n_vertices)
    assert np.unique(keys, return_counts=True)[1].max() <= 2
