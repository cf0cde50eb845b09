"""A mesh in parts is that mesh, whether it was read whole or streamed."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from wavelab.benchmark.meshes import square_mesh
from wavelab.cli import main
from wavelab.errors import MeshError, WavelabError
from wavelab.meshing.formats import read_mesh, write_mesh
from wavelab.meshing.job import mesh_scene
from wavelab.meshing.parts.cutting import Cutter
from wavelab.meshing.parts.part_files import (
    INDEX,
    new_directory,
    read_index,
    read_part,
    write_parts,
)
from wavelab.meshing.parts.store import MeshStore
from wavelab.meshing.parts.streaming import STREAMS
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.mesh.connectivity import connect
from wavelab.numerics.mesh.curves import FacePolynomials
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh
from wavelab.numerics.mesh.mesh_part import MeshPart, deal_out, put_together
from wavelab.scene.model.scene import Hole, Scene, Solver
from wavelab.scene.model.shapes import Ellipse

GMSH = Path(__file__).parents[1] / "gmsh"


def named_square(n_elements: int = 800) -> Mesh:
    """Two regions, and a name for each side but one."""
    mesh = square_mesh(n_elements)
    middles = mesh.vertices[mesh.triangles].mean(axis=1)
    ends = mesh.vertices[mesh.triangles[:, FACE_VERTICES]]
    tags = np.full_like(mesh.face_tags, -1)
    for tag, (axis, at) in enumerate([(0, 0.0), (0, 1.0), (1, 0.0)]):
        tags[(ends[..., axis] == at).all(axis=2)] = tag
    return replace(
        mesh,
        regions=(middles[:, 0] > 0.6).astype(np.int32),
        region_names=("background", "glass"),
        face_tags=tags,
        face_names=("left", "right", "low"),
    )


def streamed(path: Path, n_parts: int, folder: Path) -> tuple[Cutter, list[MeshPart]]:
    folder.mkdir()
    store = MeshStore(folder, path.name)
    cutter = Cutter(store, STREAMS[path.suffix](path, store), n_parts, folder, path.name)
    return cutter, list(cutter.parts())


def own(part: MeshPart) -> np.ndarray:
    return np.flatnonzero(part.owner == part.rank)


def assert_same(found: Mesh, expected: Mesh) -> None:
    assert np.array_equal(found.vertices[found.triangles], expected.vertices[expected.triangles])
    assert found.region_names == expected.region_names
    assert found.face_names == expected.face_names
    assert np.array_equal(found.regions, expected.regions)
    assert np.array_equal(found.face_tags, expected.face_tags)


def check_parts(parts: list[MeshPart], mesh: Mesh) -> None:
    """Together they are the mesh in its order, and each has all neighbours of its own elements."""
    expected = discretize(mesh.straight(), 1).mesh
    assert_same(put_together([part.only(own(part)) for part in parts]).mesh, expected)
    neighbors = connect(expected).neighbor_element
    for part in parts:
        assert (np.diff(part.numbers) > 0).all()
        mine = part.numbers[own(part)]
        assert np.array_equal(np.union1d(mine, neighbors[mine]), part.numbers)
        inside = part.numbers[connect(part.mesh).neighbor_element[own(part)]]
        assert np.array_equal(inside, neighbors[mine])
        owners = {int(n): p.rank for p in parts for n in p.numbers[own(p)]}
        assert part.owner.tolist() == [owners[n] for n in part.numbers.tolist()]


@pytest.mark.parametrize("n_parts", [1, 2, 5])
def test_parts_of_a_mesh_that_is_held(n_parts, tmp_path):
    mesh = named_square()
    write_mesh(mesh, tmp_path / "m.msh")
    with new_directory(tmp_path / "parts") as directory:
        index = write_parts(
            directory, deal_out(mesh, n_parts), tmp_path / "m.msh", mesh.region_names,
            mesh.face_names, mesh.n_vertices,
        )  # fmt: skip
    assert index == read_index(directory)
    assert sum(part.elements for part in index.parts) == mesh.n_elements
    check_parts([read_part(directory, index, rank) for rank in range(n_parts)], mesh)


@pytest.mark.parametrize("ending", [".msh", ".neu"])
def test_a_streamed_mesh_is_the_same(ending, tmp_path, monkeypatch):
    monkeypatch.setattr("wavelab.meshing.parts.lines.AT_A_TIME", 37)
    monkeypatch.setattr("wavelab.meshing.parts.store.CHUNK", 101)
    file = tmp_path / f"m{ending}"
    write_mesh(named_square(), file)
    cutter, parts = streamed(file, 3, tmp_path / "scratch")
    check_parts(parts, read_mesh(file))
    sizes = [len(own(part)) for part in parts]
    assert max(sizes) - min(sizes) <= 2
    assert not cutter.notes


@pytest.mark.parametrize("name", ["named_2.2_text", "named_4.1_text", "unnamed_4.1", "none_2.2"])
def test_files_of_gmsh_are_streamed(name, tmp_path):
    file = GMSH / f"{name}.msh"
    check_parts(streamed(file, 2, tmp_path / "scratch")[1], read_mesh(file))


def test_numbers_of_nodes_may_have_gaps_and_any_order(tmp_path):
    text = """$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n7 0 0 0\n2 1 0 0\n9 1 1 0\n4 0 1 0
$EndNodes\n$Elements\n2\n1 2 2 0 1 7 2 9\n2 2 2 0 1 7 4 9\n$EndElements\n"""
    (tmp_path / "m.msh").write_text(text)
    _, parts = streamed(tmp_path / "m.msh", 2, tmp_path / "scratch")
    check_parts(parts, read_mesh(tmp_path / "m.msh"))


@pytest.mark.parametrize("polynomials", [False, True])
def test_curves_go_with_their_faces(polynomials, tmp_path):
    hole = Hole("round", Ellipse((0.5, 0.5), (0.3, 0.2)))
    mesh = mesh_scene(Scene("holed", Solver(0.2), holes=(hole,)))
    if polynomials:
        element, face = np.nonzero(mesh.face_curves >= 0)
        ends = mesh.vertices[mesh.triangles[element[:, None], FACE_VERTICES[face]]]
        faces = mesh.curves[0].arcs(ends[:, 0], ends[:, 1], np.linspace(0, 1, 4))
        mesh = replace(mesh, curves=(FacePolynomials(faces),))
    whole = discretize(mesh, 3)
    write_mesh(mesh, tmp_path / "m.msh")
    with new_directory(tmp_path / "parts") as directory:
        index = write_parts(
            directory, deal_out(mesh, 3), tmp_path / "m.msh", mesh.region_names, mesh.face_names,
            mesh.n_vertices,
        )  # fmt: skip
    parts = [read_part(directory, index, rank) for rank in range(3)]
    again = discretize(put_together([part.only(own(part)) for part in parts]).mesh, 3)
    assert again.first_curved == whole.first_curved < whole.n_elements
    assert np.allclose(again.x, whole.x, rtol=0, atol=1e-14)
    assert np.allclose(again.y, whole.y, rtol=0, atol=1e-14)
    bent = [int((part.mesh.face_curves >= 0).sum()) for part in parts if part.mesh.curves]
    assert len(bent) > 1
    if polynomials:  # each part has its own alone
        kept = [len(part.mesh.curves[0].nodes) for part in parts if part.mesh.curves]
        assert kept == bent


SQUARE = """$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n3\n4
0 0 0\n1 0 0\n1 1 0\n0 1 0\n$EndNodes\n$Elements\n1 2 1 2\n2 1 2 2\n1 1 2 3\n2 1 3 4
$EndElements\n"""
FAULTS = {
    "binary": (SQUARE.replace("4.1 0 8", "4.1 1 8"), "not text of version"),
    "quadrangle": (SQUARE.replace("2 1 2 2\n", "2 1 3 1\n1 1 2 3 4\n"), "other than triangles"),
    "second order": (SQUARE.replace("2 1 2 2\n1 1 2 3", "2 1 9 1\n1 1 2 3 1 2 3"), "higher order"),
    "not flat": (SQUARE.replace("1 1 0\n", "1 1 0.5\n"), "not flat"),
    "no number": (SQUARE.replace("1 1 0\n", "1 x 0\n"), '"x" is not a number'),
    "not finite": (SQUARE.replace("1 1 0\n", "1 nan 0\n"), "not finite"),
    "unknown node": (SQUARE.replace("2 1 3 4", "2 1 3 5"), "names node 5"),
    "breaks off": (SQUARE[:-30], "the file ends within Elements"),
    "fewer nodes": (SQUARE.replace("1 4 1 4\n2 1 0 4", "1 3 1 4\n2 1 0 4"), "more nodes than"),
    "fewer elements": (
        SQUARE.replace("1 2 1 2\n2 1 2 2", "1 1 1 2\n2 1 2 2"),
        "more elements than",
    ),
    "more nodes": (SQUARE.replace("0 1 0\n", "0 1 0\n0 2 0\n"), "more than the nodes"),
    "more elements": (SQUARE.replace("3 4\n$", "3 4\n3 1 2 3\n$"), "more than the elements"),
    "a count below 0": (SQUARE.replace("1 4 1 4\n", "1 -4 1 4\n"), "count of -4"),
    "lines below 0": (SQUARE.replace("2 1 0 4\n", "2 1 0 -4\n"), "count of -4"),
    "too high a count": (SQUARE.replace("1 4 1 4\n", f"1 {10**17} 1 4\n"), "too high"),
    "no area": (SQUARE.replace("1 1 0\n", "2 0 0\n"), "has no area"),
    "no header": ("nodes", "no \\$MeshFormat"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_cannot_be_streamed_is_said(fault, tmp_path):
    text, said = FAULTS[fault]
    (tmp_path / "m.msh").write_text(text)
    with pytest.raises(MeshError, match=said):
        streamed(tmp_path / "m.msh", 1, tmp_path / "scratch")


def test_meetings_that_are_none_are_refused(tmp_path):
    three = SQUARE.replace("1 2 1 2\n2 1 2 2", "1 3 1 3\n2 1 2 3").replace(
        "2 1 3 4", "2 1 3 4\n3 3 1 2"
    )
    (tmp_path / "three.msh").write_text(three)
    with pytest.raises(MeshError, match="more than two triangles share the edge"):
        streamed(tmp_path / "three.msh", 1, tmp_path / "one")
    apart = SQUARE.replace("1 4 1 4\n2 1 0 4\n1\n2\n3\n4", "1 5 1 5\n2 1 0 5\n1\n2\n3\n4\n5")
    apart = apart.replace("0 1 0\n$End", "0 1 0\n1 1 0\n$End").replace("2 1 3 4", "2 1 5 4")
    (tmp_path / "apart.msh").write_text(apart)
    with pytest.raises(MeshError, match="two vertices lie at"):
        streamed(tmp_path / "apart.msh", 1, tmp_path / "two")
    (tmp_path / "m.msh").write_text(SQUARE)
    with pytest.raises(WavelabError, match="no 3 parts"):
        streamed(tmp_path / "m.msh", 3, tmp_path / "three")


def test_the_command_parts_a_file_either_way(tmp_path, capsys):
    file = tmp_path / "m.msh"
    write_mesh(mesh := named_square(200), file)
    for way in ("--whole", "--stream"):
        directory = tmp_path / way
        assert main(["partition", str(file), "-n", "2", "-o", str(directory), way]) == 0
        assert "200 elements in 2 parts" in capsys.readouterr().out
        index = read_index(directory)
        check_parts([read_part(directory, index, rank) for rank in range(2)], read_mesh(file))
        assert len(list(directory.iterdir())) == 3
    assert mesh.n_elements == 200
    # Nothing is written over, and nothing half made stays.
    for words, said in (
        (["m.msh", "-n", "2", "-o", "--whole"], "is not empty"),
        (["m.msh", "-n", "300", "-o", "new", "--stream"], "has no 300 parts"),
        (["m.msh", "-n", "300", "-o", "new"], "has no 300 parts"),
        (["n.msh", "-n", "2", "-o", "new"], "no such file"),
        (["m.toml", "-n", "2", "-o", "new"], "no mesh file that wavelab can read"),
        (["m.ele", "-n", "2", "-o", "new", "--stream"], "cannot be read|not streamed|no such"),
    ):
        given = [str(tmp_path / words[0]), *words[1:4], str(tmp_path / words[4]), *words[5:]]
        assert main(["partition", *given]) == 2
        assert any(part in capsys.readouterr().err for part in said.split("|")), words
    assert not (tmp_path / "new").exists()


def test_other_files_than_those_of_the_index_are_known(tmp_path):
    mesh = named_square(200)
    write_mesh(mesh, tmp_path / "m.msh")
    for name, n in (("two", 2), ("three", 3)):
        main(["partition", str(tmp_path / "m.msh"), "-n", str(n), "-o", str(tmp_path / name)])
    two, three = tmp_path / "two", tmp_path / "three"
    index = read_index(two)
    (three / "part_00001.npz").replace(two / "part_00001.npz")
    with pytest.raises(MeshError, match="is not the part 1"):
        read_part(two, index, 1)
    parts = read_index(three).parts
    turned = replace(read_index(three), parts=(parts[2], parts[1], parts[0]))
    with pytest.raises(MeshError, match="is not the part of rank 0"):
        read_part(three, turned, 0)
    with pytest.raises(MeshError, match="no directory"):
        read_index(tmp_path / "nowhere")
    said = json.loads((two / INDEX).read_text())
    lacks = [json.dumps(said | {"elements": n}) for n in (9, math.inf)]
    other = [json.dumps(said | {"form": "another"}), json.dumps({"form": 1})]
    for text in ("{", "[]", "[" * 200_000, *other, *lacks):
        (two / INDEX).write_text(text)
        with pytest.raises(MeshError, match=r"no index of parts|cannot be read"):
            read_index(two)
