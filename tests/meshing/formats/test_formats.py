import math
import os
import re
import shutil
import struct
import warnings
from pathlib import Path

import meshio
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wavelab.errors import MeshError, OutputError
from wavelab.meshing.formats import numbers, read_mesh, write_mesh
from wavelab.meshing.formats.triangle_files import read_poly
from wavelab.meshing.graph.notices import MeshWarning
from wavelab.numerics.mesh.mesh import Mesh

GMSH = Path(__file__).parents[1] / "gmsh"
NODAL_DG = Path(__file__).parents[2] / "reference" / "nodal_dg"

quiet = pytest.mark.filterwarnings("ignore::wavelab.meshing.graph.notices.MeshWarning")


def named_faces(mesh):
    return {
        name: int((mesh.face_tags == i).sum())
        for i, name in enumerate(mesh.face_names)
        if (mesh.face_tags == i).any()
    }


def same(one: Mesh, other: Mesh) -> bool:
    arrays = ("vertices", "triangles", "regions", "face_tags")
    return (
        all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)
        and one.region_names == other.region_names
        and one.face_names == other.face_names
    )


@pytest.mark.parametrize("path", sorted(GMSH.glob("named_*.msh")), ids=lambda path: path.stem)
def test_gmsh_files_of_all_versions(path):
    with pytest.warns(MeshWarning, match='"interface" is no part of the boundary'):
        mesh = read_mesh(path)
    assert mesh.region_names == ("air", "glass")
    assert np.bincount(mesh.regions, mesh.signed_areas()) == pytest.approx([1, 1])
    assert named_faces(mesh) == {"left wall": 3, "right wall": 3, "long walls": 12}
    left = mesh.face_tags == mesh.face_names.index("left wall")
    ends = mesh.triangles[:, [[0, 1], [1, 2], [2, 0]]][left]
    assert (mesh.vertices[ends][..., 0] == 0).all()


@quiet
@pytest.mark.parametrize("path", sorted(GMSH.glob("partitioned_*.msh")), ids=lambda path: path.stem)
def test_partitioned_gmsh_files_keep_regions_and_walls(path):
    mesh = read_mesh(path)
    assert mesh.region_names == ("air", "glass")
    assert np.bincount(mesh.regions, mesh.signed_areas()) == pytest.approx([1, 1])
    assert named_faces(mesh) == {"left wall": 3, "right wall": 3, "long walls": 12}
    whole = read_mesh(GMSH / "named_4.1_text.msh")
    assert (mesh.n_elements, mesh.n_vertices) == (whole.n_elements, whole.n_vertices)


def test_one_partition_is_the_domain_without_ghosts():
    with pytest.warns(MeshWarning) as told:
        mesh = read_mesh(GMSH / "one_partition_4.1.msh")
    notes = " ".join(str(note.message) for note in told)
    assert "has partition 2 of 3 alone" in notes
    assert "elements of other partitions (ghosts) were left out" in notes
    whole = read_mesh(GMSH / "named_4.1_text.msh")
    assert 0 < mesh.n_elements < whole.n_elements
    # Every element is one of the whole mesh, in the same region.
    centers = whole.vertices[whole.triangles].mean(axis=1)
    for center, region in zip(
        mesh.vertices[mesh.triangles].mean(axis=1), mesh.regions, strict=True
    ):
        distances = np.abs(centers - center).max(axis=1)
        assert distances.min() < 1e-12
        name = mesh.region_names[region]
        assert name == whole.region_names[whole.regions[np.argmin(distances)]]


@pytest.mark.parametrize("endian", ["<", ">"])
@pytest.mark.parametrize("version", ["2.2", "4", "4.1"])
def test_binary_gmsh_files_of_either_byte_order(tmp_path, endian, version):
    """Packed here by the format's description: two triangles, one line."""

    def pack(kinds, *values):
        return struct.pack(endian + kinds, *values)

    points = [(0, 0), (1, 0), (1, 1), (0, 1)]
    body = f"$MeshFormat\n{version} 1 8\n".encode() + pack("i", 1) + b"\n$EndMeshFormat\n"
    body += b'$PhysicalNames\n2\n1 5 "wall"\n2 7 "glass"\n$EndPhysicalNames\n'
    if version == "2.2":
        nodes = b"4\n" + b"".join(pack("i3d", i, x, y, 0) for i, (x, y) in enumerate(points, 1))
        elements = b"3\n" + pack("3i5i", 1, 1, 2, 1, 5, 1, 1, 2)
        elements += pack("3i6i6i", 2, 2, 2, 2, 7, 1, 1, 2, 3, 3, 7, 1, 1, 3, 4)
    else:
        old = version == "4"
        box = (0.0,) * 6
        entities = (
            pack("4q", 1, 1, 1, 0)
            + pack("i", 1)
            + pack("6d" if old else "3d", *box[: 6 if old else 3])
        )
        entities += pack("q", 0)
        entities += pack("i6dqiqii", 1, *box, 1, 5, 2, 1, -1)
        entities += pack("i6dqiqi", 1, *box, 1, 7, 1, 1)
        body += b"$Entities\n" + entities + b"\n$EndEntities\n"
        if old:
            nodes = pack("2q3iq", 1, 4, 1, 2, 0, 4)
            nodes += b"".join(pack("i3d", i, x, y, 0) for i, (x, y) in enumerate(points, 1))
            elements = pack("2q3iq3i", 2, 3, 1, 1, 1, 1, 1, 1, 2)
            elements += pack("3iq4i4i", 1, 2, 2, 2, 2, 1, 2, 3, 3, 1, 3, 4)
        else:
            nodes = pack("4q3iq4q", 1, 4, 1, 4, 2, 1, 0, 4, 1, 2, 3, 4)
            nodes += b"".join(pack("3d", x, y, 0) for x, y in points)
            elements = pack("4q3iq3q", 2, 3, 1, 3, 1, 1, 1, 1, 1, 1, 2)
            elements += pack("3iq4q4q", 2, 1, 2, 2, 2, 1, 2, 3, 3, 1, 3, 4)
    body += b"$Nodes\n" + nodes + b"\n$EndNodes\n$Elements\n" + elements + b"\n$EndElements\n"
    (tmp_path / "square.msh").write_bytes(body)
    mesh = read_mesh(tmp_path / "square.msh")
    assert mesh.triangles.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert mesh.region_names == ("glass",)
    assert named_faces(mesh) == {"wall": 1}


@pytest.mark.parametrize("version", ["2.2", "4.0", "4.1"])
def test_the_later_of_overlapping_groups_holds(version):
    with pytest.warns(MeshWarning, match='in "all" and in "glass"; "glass" holds'):
        mesh = read_mesh(GMSH / f"overlapping_{version}.msh")
    assert np.bincount(mesh.regions, mesh.signed_areas()) == pytest.approx([1, 1])


@pytest.mark.parametrize("version", ["4.0", "4.1"])
def test_a_forgotten_surface_is_noticed(version):
    with pytest.warns(MeshWarning, match="1 of 2 surfaces have no triangles"):
        mesh = read_mesh(GMSH / f"partial_{version}.msh")
    assert mesh.signed_areas().sum() == pytest.approx(1)


def test_without_physical_groups_and_with_unnamed_ones():
    for version in ("2.2", "4.1"):
        mesh = read_mesh(GMSH / f"none_{version}.msh")
        assert mesh.region_names == ("background",)
        assert mesh.signed_areas().sum() == pytest.approx(2)
    mesh = read_mesh(GMSH / "unnamed_4.1.msh")
    assert mesh.region_names == ("5", "7")
    assert named_faces(mesh) == {"3": 3}


def test_straight_triangles_of_order_2_and_quadrangles_become_triangles():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*interface")
        mesh = read_mesh(GMSH / "order2_4.1.msh")
    assert (mesh.n_elements, mesh.n_vertices) == (52, 36)
    assert mesh.face_curves is None
    with pytest.warns(MeshWarning, match="16 quadrangles were split"):
        mesh = read_mesh(GMSH / "quadrangles_4.1.msh")
    assert np.bincount(mesh.regions, mesh.signed_areas()) == pytest.approx([1, 1])


def test_a_mesh_comes_back_exactly_and_others_can_read_it(tmp_path):
    rng = np.random.default_rng(3)
    vertices = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.4]]) + rng.random((5, 2)) / 9
    triangles = np.array([[4, 0, 1], [1, 2, 4], [2, 3, 4], [4, 3, 0]], np.int32)
    tags = np.array([[-1, 1, -1], [0, -1, -1], [0, -1, -1], [-1, -1, -1]], np.int32)
    mesh = Mesh(
        vertices,
        triangles,
        np.array([2, 0, 2, 0], np.int32),
        ("background", "nowhere", "glass 7"),
        tags,
        ("domain.left", "hole 1.rim", "unused"),
    )
    write_mesh(mesh, tmp_path / "mesh.msh")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert same(read_mesh(tmp_path / "mesh.msh"), mesh)
    write_mesh(mesh, tmp_path / "mesh.neu")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert same(read_mesh(tmp_path / "mesh.neu"), mesh)
    peer = meshio.read(tmp_path / "mesh.msh")
    assert peer.points[:, :2] == pytest.approx(vertices)
    assert sum(len(block.data) for block in peer.cells if block.type == "triangle") == 4
    assert set(peer.field_data) == {*mesh.region_names, *mesh.face_names}
    write_mesh(mesh, tmp_path / "mesh.vtu")
    peer = meshio.read(tmp_path / "mesh.vtu")
    assert peer.cells_dict["triangle"].tolist() == triangles.tolist()
    assert peer.cell_data["region"][0].tolist() == [2, 0, 2, 0]
    assert peer.cell_data["inradius"][0] == pytest.approx(mesh.inradii())
    assert sorted(os.listdir(tmp_path)) == ["mesh.msh", "mesh.neu", "mesh.vtu"]


def test_what_cannot_be_written_leaves_no_file(tmp_path):
    mesh = read_mesh(GMSH / "none_4.1.msh")
    with pytest.raises(MeshError, match=r"no mesh file that wavelab can write"):
        write_mesh(mesh, tmp_path / "mesh.stl")
    with pytest.raises(OutputError, match="no directory"):
        write_mesh(mesh, tmp_path / "missing" / "mesh.msh")
    (tmp_path / "taken.msh").mkdir()
    with pytest.raises(OutputError):
        write_mesh(mesh, tmp_path / "taken.msh")
    quoted = Mesh(
        mesh.vertices, mesh.triangles, mesh.regions, ('a "b"',), mesh.face_tags, mesh.face_names
    )
    with pytest.raises(MeshError, match="quotation marks"):
        write_mesh(quoted, tmp_path / "mesh.msh")
    assert os.listdir(tmp_path) == ["taken.msh"]


def test_gambit_and_gmsh_hold_the_textbook_mesh():
    expected = np.load(NODAL_DG / "mesh.npz")
    for name in ("mesh.neu", "mesh.msh"):
        mesh = read_mesh(NODAL_DG / name)
        assert mesh.vertices == pytest.approx(expected["vertices"], abs=1e-11)
        assert (mesh.triangles == expected["triangles"]).all()
        assert mesh.region_names == ("vacuum",)


#: Two squares side by side, the right one of triangles, one of which has midside nodes; numbers are
#: in no order.
NEUTRAL = """        CONTROL INFO 2.4.6
** GAMBIT NEUTRAL FILE
two squares
PROGRAM:                Gambit     VERSION:  2.4.6
 1 Jan 2026    12:00:00
     NUMNP     NELEM     NGRPS    NBSETS     NDFCD     NDFVL
         9         4         1         2         2         2
ENDOFSECTION
   NODAL COORDINATES 2.4.6
        20   0.0   0.0
        30   1.0   0.0
        10   2.0   0.0
         5   2.0   1.0
        40   1.0   1.0
        50   0.0   1.0
         6   1.5   0.0
         7   2.0   0.5
         8   1.5   0.5
ENDOFSECTION
      ELEMENTS/CELLS 2.4.6
       9  2  4       20      30      40
              50
       8  1  2       20      30
       3  3  6       30       6      10       7       5
               8
       4  3  3       30       5      40
ENDOFSECTION
       ELEMENT GROUP 2.4.6
GROUP:          1 ELEMENTS:          2 MATERIAL:          2 NFLAGS:          1
                            glass
       0
       4       3
ENDOFSECTION
    BOUNDARY CONDITIONS 2.4.6
                          inflow       1       2       0       6
         9    2    4
         4    3    2
ENDOFSECTION
    BOUNDARY CONDITIONS 2.4.6
                             lid       1       1       2       6
         9    2    3  0.5  1e3
ENDOFSECTION
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_gambit_elements_of_all_kinds_in_any_order(tmp_path, end):
    (tmp_path / "mesh.neu").write_bytes(NEUTRAL.replace("\n", end).encode())
    with pytest.warns(MeshWarning) as caught:
        mesh = read_mesh(tmp_path / "mesh.neu")
    told = " ".join(str(warning.message) for warning in caught)
    assert "1 quadrangles were split" in told
    assert "3 of 9 vertices belong to no triangle" in told  # midside nodes
    assert mesh.region_names == ("background", "glass")
    assert mesh.regions.tolist() == [1, 1, 0, 0]
    middles = mesh.vertices[mesh.triangles].mean(axis=1)
    assert ((middles[:, 0] > 1) == (mesh.regions == 1)).all()
    assert mesh.signed_areas().sum() == pytest.approx(2)
    names = {"inflow": [(0.0, 0.5), (1.5, 1.0)], "lid": [(0.5, 1.0)]}
    for name, places in names.items():
        tagged = np.argwhere(mesh.face_tags == mesh.face_names.index(name))
        faces = [mesh.vertices[mesh.triangles[k, [f, (f + 1) % 3]]].mean(axis=0) for k, f in tagged]
        assert sorted(map(tuple, faces)) == places


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("40\n              50", "40\n              51", 21, "element 9 names node 51"),
        ("       4  3  3", "       4  3  5", 26, "element 4 has type 3 with 5 nodes"),
        ("       4  3  3       30       5", "       4  3  3       30", 26, "ends before the last"),
        ("30       5      40\n", "30       5      40  1\n", 26, "more than the 4 elements"),
        ("       3  3  6", "       9  3  6", 24, "element 9 is there twice"),
        ("       8  1  2       20", "       8  1  2     oops", 23, '"oops" is not a whole number'),
        ("        40   1.0", "        30   1.0", 14, "node 30 is there twice"),
        ("        40   1.0", "      40.5   1.0", 18, "not a whole number"),
        ("         4    3    2", "         4    3    4", 37, "names face 4 of element 4"),
        ("         4    3    2", "         8    1    1", 37, "names face 1 of element 8"),
        ("ELEMENTS:          2", "ELEMENTS:        two", 29, "this is no element group"),
        ("ENDOFSECTION\n    BOUNDARY", "    BOUNDARY", 33, "more than the 2 elements of the group"),
        ("1e3\nENDOFSECTION\n", "1e3\n", 41, "ENDOFSECTION is missing"),
        ("         9         4", "         9         5", 26, "ends before the last of 5"),
    ],
)
def test_gambit_errors_name_the_line(tmp_path, old, new, line, says):
    assert old in NEUTRAL
    (tmp_path / "a.neu").write_text(NEUTRAL.replace(old, new, 1))
    with pytest.raises(MeshError) as caught:
        read_mesh(tmp_path / "a.neu")
    assert f"a.neu, line {line}: " in str(caught.value)
    assert says in str(caught.value)


def test_gambit_boundary_conditions_name_faces(tmp_path):
    text = (NODAL_DG / "mesh.neu").read_text()
    condition = "    BOUNDARY CONDITIONS 2.4.6\n{:>32}{:8d}       2       0       6\n"
    expected = np.load(NODAL_DG / "mesh.npz")
    ends = expected["vertices"][expected["triangles"][:, [[0, 1], [1, 2], [2, 0]]]]
    left = np.argwhere((ends[..., 0] == -1).all(axis=2))[:2] + 1
    text += condition.format("inflow", 1)
    text += "".join(f"{element:10d}    3    {face}\n" for element, face in left)
    text += "ENDOFSECTION\n" + condition.format("outflow", 0) + "   1\n   2\nENDOFSECTION\n"
    (tmp_path / "mesh.neu").write_text(text)
    with pytest.warns(MeshWarning, match='"outflow" is given on nodes'):
        mesh = read_mesh(tmp_path / "mesh.neu")
    assert named_faces(mesh) == {"inflow": 2}
    ends = mesh.vertices[mesh.triangles[:, [[0, 1], [1, 2], [2, 0]]]][mesh.face_tags == 0]
    assert (ends[..., 0] == -1).all()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        # Some programs announce no flags and write a line of them all the same.
        ("NFLAGS:          1", "NFLAGS:          0", ""),
        ("NFLAGS:          1\n                            glass\n       0\n",
         "NFLAGS:          0\n                            glass\n", ""),
        ("        10   2.0   0.0", "        10   2.0D+00   0.0d0", ""),
        ("\n                             lid ", "\nthe lid, a name of more than 32 columns ", ""),
        ("\n                             lid ", "\n                             l\xfc ", ""),
        ("ENDOFSECTION\n    BOUNDARY CONDITIONS 2.4.6\n                          inflow",
         "ENDOFSECTION\n       ELEMENT GROUP 2.4.6\n"
         "GROUP:          2 ELEMENTS:          1 MATERIAL:          2 NFLAGS:          1\n"
         "                            water\n       0\n       4\n"
         "ENDOFSECTION\n    BOUNDARY CONDITIONS 2.4.6\n                          inflow",
         '1 element is in "glass" and in "water"; "glass" holds'),
    ],
    ids=["flags", "no flags", "Fortran", "long name", "Latin-1", "overlap"],
)  # fmt: skip
def test_gambit_files_as_other_programs_write_them(tmp_path, old, new, said):
    assert NEUTRAL.count(old) == 1
    (tmp_path / "mesh.neu").write_bytes(NEUTRAL.replace(old, new).encode("latin-1"))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        mesh = read_mesh(tmp_path / "mesh.neu")
    assert mesh.signed_areas().sum() == pytest.approx(2)
    assert sum(mesh.signed_areas()[mesh.regions == 1]) == pytest.approx(1)
    assert mesh.region_names[1] == "glass"
    lid = {"lid", "the lid, a name of more than 32 columns", "l\xfc"}
    assert set(mesh.face_names) in [{"inflow", name} for name in lid]
    assert any(said in str(warning.message) for warning in told)


def test_names_in_gmsh_files_may_be_latin_1_and_a_version_is_a_number(tmp_path):
    text = (GMSH / "named_2.2_text.msh").read_bytes()
    names = read_mesh(GMSH / "named_2.2_text.msh").region_names
    path = tmp_path / "a.msh"
    path.write_bytes(text.replace(f'"{names[0]}"'.encode(), b'"L\xfcfte"'))
    assert "L\xfcfte" in read_mesh(path).region_names
    path.write_bytes(text.replace(b"2.2 0 8", b"latest"))
    with pytest.raises(MeshError, match='"latest" after') as caught:
        read_mesh(path)
    assert caught.value.where == "a.msh, line 2"


def test_triangle_node_and_ele_files(tmp_path):
    (tmp_path / "a.node").write_text(
        "# a square\n4 2 0 1\n1 0 0 1\n2 1 0 1\n3 1 1 1 # corner\n4 0 1 1\n"
    )
    (tmp_path / "a.ele").write_text("2 3 1\n1 1 2 3 0\n2 1 4 3 8\n")
    (tmp_path / "a.poly").write_text("0 2 0 1\n2 1\n1 1 2 5\n2 2 3 1\n0\n")
    for name in ("a.ele", "a.node"):
        mesh = read_mesh(tmp_path / name)
        assert mesh.signed_areas() == pytest.approx([0.5, 0.5])
        assert mesh.region_names == ("background", "region 8")
        assert named_faces(mesh) == {"boundary 5": 1}
    (tmp_path / "a.ele").write_text("2 3 1\n1 1 2 3 0\n2 1 4 5 8\n")
    with pytest.raises(MeshError, match=r"a\.ele.*\n?.*numbered 1 to 4"):
        read_mesh(tmp_path / "a.ele")
    (tmp_path / "a.node").unlink()
    with pytest.raises(MeshError, match="cannot be read"):
        read_mesh(tmp_path / "a.ele")


POLY = """# a box with a hole and a region
8 2 0 0
0 0 0\n1 2 0\n2 2 2\n3 0 2
4 0.5 0.5\n5 1 0.5\n6 1 1\n7 0.5 1
9 1
0 0 1 2\n1 1 2 3\n2 2 3 0\n3 3 0 0
4 4 5 9\n5 5 6 9\n6 6 7 9\n7 7 4 9
8 5 4 9
1
0 0.75 0.75
1
0 1.5 1.5 3 0.1
"""


def test_poly_files_are_meshed(tmp_path, mesher):
    (tmp_path / "box.poly").write_text(POLY)
    drawing = read_poly(tmp_path / "box.poly")
    assert drawing.element_size == 0.1
    answer = mesher(drawing.resized(0.3))
    mesh = answer.mesh
    assert mesh.signed_areas().sum() == pytest.approx(3.75)
    assert mesh.region_names == ("background", "region 3")
    assert (mesh.regions == 1).all()
    assert set(named_faces(mesh)) == {"boundary 2", "boundary 3", "boundary", "boundary 9"}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("3 3 0 0", "3 3 2 0", "line 12: a line ends at vertex 0"),
        ("1 1 2 3\n", "1 1 17 3\n", "line 13: vertices [ 1 17] are named"),
        ("1 2 0\n", "1 nan 0\n", "line 4: a coordinate is not finite"),
        ("1 2 0\n", "1 two 0\n", 'line 4: "two" is not a number'),
        ("1 2 0\n", "7 2 0\n", "line 4: vertices must be numbered"),
        ("0 1.5 1.5 3 0.1\n", "", "ends early"),
        ("9 1\n", "0 1\n", "no segments"),
        ("8 2 0 0", "8 3 0 0", "line 2: vertices have 3 coordinates"),
        ("2 2 2\n3 0 2", "2 0 2\n3 2 2", "the segments in lines 13 and 15 cross at (1, 1)"),
    ],
)
def test_wrong_poly_files_name_the_line(tmp_path, old, new, says):
    assert old in POLY
    text = POLY.replace(old, new, 1)
    (tmp_path / "box.poly").write_text(text)
    with pytest.raises(MeshError, match=re.escape(says)):
        read_poly(tmp_path / "box.poly")


SQUARE = {"points": [(0, 0), (1, 0), (1, 1), (0, 1)], "triangles": [(1, 2, 3), (1, 3, 4)]}


def gmsh2(points, triangles):
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(points))]
    lines += [f"{i} {x} {y} 0" for i, (x, y) in enumerate(points, 1)]
    lines += ["$EndNodes", "$Elements", str(len(triangles) + 1), "1 15 2 0 1 1"]
    lines += [f"{i} 2 2 0 1 {a} {b} {c}" for i, (a, b, c) in enumerate(triangles, 2)]
    return "\n".join([*lines, "$EndElements", ""])


@pytest.mark.parametrize(
    ("points", "triangles", "says"),
    [
        # a vertex in the middle of the diagonal, which only one side has
        ([*SQUARE["points"], (0.5, 0.5)], [(1, 2, 3), (1, 5, 4), (5, 3, 4)], "hangs .* (0.5, 0.5)"),
        # a second square laid over the first
        (
            [*SQUARE["points"], (0.4, 0.4), (1.6, 0.5), (0.5, 1.6)],
            [(1, 2, 3), (1, 3, 4), (5, 6, 7)],
            "overlap at",
        ),
        # a small triangle inside another
        (
            [(0, 0), (9, 0), (0, 9), (2, 2), (3, 2), (2, 3)],
            [(1, 2, 3), (4, 5, 6)],
            "area of 41 but cover 40",
        ),
        (SQUARE["points"], [(1, 2, 3), (1, 3, 3)], "has no area"),
        (SQUARE["points"], [(1, 2, 3), (1, 3, 4), (2, 3, 4)], "overlap at (1, 0.5)"),
        (SQUARE["points"], [(1, 2, 9)], "node 9, which is not in the file"),
        ([(0, 0), (1, 0), ("nan", 1)], [(1, 2, 3)], "vertex 3 is at (nan, 1.0, 0.0)"),
        (SQUARE["points"], [], "no triangles"),
    ],
)
def test_meshes_that_make_no_sense_are_refused(tmp_path, points, triangles, says):
    (tmp_path / "a.msh").write_text(gmsh2(points, triangles))
    with pytest.raises(MeshError, match=says.replace("(", r"\(").replace(")", r"\)")) as caught:
        read_mesh(tmp_path / "a.msh")
    assert re.match(r"a\.msh", str(caught.value))


def test_clockwise_duplicate_unused_and_disconnected_are_mended(tmp_path):
    far = [(5, 5), (6, 5), (5, 6)]
    points = [*SQUARE["points"], (0, 0), (1 + 1e-12, 1), (9, 9), *far]
    triangles = [(1, 3, 2), (5, 6, 4), (8, 9, 10)]
    (tmp_path / "a.msh").write_text(gmsh2(points, triangles))
    with pytest.warns(MeshWarning) as caught:
        mesh = read_mesh(tmp_path / "a.msh")
    assert mesh.signed_areas() == pytest.approx([0.5, 0.5, 0.5])
    assert mesh.n_vertices == 7
    told = " ".join(str(warning.message) for warning in caught)
    assert "2 duplicate vertices were merged" in told
    assert "1 of 10 vertices belong to no triangle" in told


def test_errors_name_file_and_line(tmp_path):
    text = (GMSH / "named_4.1_text.msh").read_text().replace("\n7 1 0 0 1", "\n7 1 0 oops 1", 1)
    (tmp_path / "a.msh").write_text(text)
    number = 1 + text[: text.index("oops")].count("\n")
    with pytest.raises(MeshError, match=rf'a\.msh, line {number}: "oops" is not a number'):
        read_mesh(tmp_path / "a.msh")
    (tmp_path / "a.msh").write_text(text[: text.index("$EndEntities")])
    with pytest.raises(MeshError, match=r"a\.msh, line \d+: the file ends within \$Entities"):
        read_mesh(tmp_path / "a.msh")
    with pytest.raises(MeshError, match="cannot be read: No such file"):
        read_mesh(tmp_path / "b.msh")
    with pytest.raises(MeshError, match="cannot be read: Is a directory"):
        (tmp_path / "c.msh").mkdir()
        read_mesh(tmp_path / "c.msh")
    with pytest.raises(MeshError, match="no mesh file that wavelab can read"):
        read_mesh(tmp_path / "a.docx")


SEEDS = [path.read_bytes() for path in sorted(GMSH.glob("*.msh"))]


@st.composite
def spoilt(draw, originals):
    """A good file cut off, with some bytes or words replaced, or with a piece left out."""
    data = bytearray(draw(st.sampled_from(originals)))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data) - 1))
        how = draw(st.sampled_from(["byte", "number", "drop", "cut"]))
        if how == "byte":
            data[at] = draw(st.integers(0, 255))
        elif how == "number":
            data[at:at] = draw(st.sampled_from([b"-1 ", b"1e400", b"99999999999 ", b"nan ", b"7"]))
        elif how == "drop":
            del data[at : at + draw(st.integers(1, 200))]
        else:
            del data[at:]
        if not data:
            break
    return bytes(data)


@quiet
@settings(max_examples=150)
@given(data=st.one_of(spoilt(SEEDS), st.binary(max_size=200)))
def test_spoilt_gmsh_files_give_a_mesh_or_a_mesh_error(tmp_path_factory, data):
    check(tmp_path_factory.getbasetemp() / "spoilt.msh", data)


@quiet
@settings(max_examples=60)
@given(data=spoilt([(NODAL_DG / "mesh.neu").read_bytes()]))
def test_spoilt_gambit_files_give_a_mesh_or_a_mesh_error(tmp_path_factory, data):
    check(tmp_path_factory.getbasetemp() / "spoilt.neu", data)


@quiet
@settings(max_examples=60)
@given(data=spoilt([POLY.encode()]))
def test_spoilt_poly_files_give_a_drawing_or_a_mesh_error(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "spoilt.poly"
    path.write_bytes(data)
    try:
        drawing = read_poly(path)
    except MeshError:
        return
    assert np.isfinite(drawing.segments).all()


def check(path: Path, data: bytes) -> None:
    """A mesh or an error, and the same whether numbers are read all at once or one by one."""
    path.write_bytes(data)
    found = []
    for long in (0, math.inf):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(numbers, "_LONG", long)
            try:
                found.append(read_mesh(path))
            except MeshError as error:
                found.append(error)
    first, second = found
    if isinstance(first, MeshError):
        assert str(first) == str(second)
    else:
        assert same(first, second)
        first.checked()


@pytest.mark.parametrize(
    "text", ["", "\n1 two", " \n 1\t2\r\n3", "1 2.5", "7 1e3", "9" * 19, "1\x002"]
)
def test_numbers_all_at_once_are_those_one_by_one(monkeypatch, text):
    """Also where some are whole and some are not, which one only knows when asked for them."""

    def read(long, kinds):
        monkeypatch.setattr(numbers, "_LONG", long)
        words = numbers.TextNumbers(f"12 -3\n4.5 1.0 7\n{text}".encode(), 5, "a")
        try:
            return [getattr(words, kind)(count).tolist() for kind, count in kinds], words.position
        except MeshError as error:
            return str(error)

    for kinds in (
        [("integers", 2), ("reals", 3)],
        [("reals", 3), ("integers", 2)],
        [("integers", 2), ("reals", 2), ("integers", 1), ("integers", 2)],
        [("reals", 5), ("reals", 2)],
        [("reals", 5), ("integers", 1), ("reals", 3)],
        [("integers", 3)],
    ):
        assert read(0, kinds) == read(math.inf, kinds)


@pytest.mark.parametrize("text", ["1 -", "1 - 2", "1 2 +\n3", "-\t1", "1 + 2", "+1 -2", "1-2"])
@pytest.mark.parametrize("long", [0, math.inf])
def test_a_sign_alone_is_no_number(monkeypatch, text, long):
    monkeypatch.setattr(numbers, "_LONG", long)
    words = text.split()
    read = numbers.TextNumbers(text.encode(), 1, "a")
    try:
        expected = [int(word) for word in words]
    except ValueError:
        with pytest.raises(MeshError, match="is not a whole number"):
            read.integers(len(words))
    else:
        assert read.integers(len(words)).tolist() == expected


def test_elements_of_changing_types_are_told_apart(tmp_path):
    """Runs of each, longer and shorter than what is compared at once."""
    n = 40
    grid = [(x, y) for y in range(2) for x in range(n + 1)]
    cells = []
    for i in range(n):
        a, b, c, d = i + 1, i + 2, n + 3 + i, n + 2 + i
        square = f"3 2 7 1 {a} {b} {c} {d}"
        halves = [f"2 2 5 1 {a} {b} {c}", f"2 3 5 1 0 {a} {c} {d}"]
        cells += [square] if i % 3 == 0 or i > 20 else [*halves, f"1 2 9 1 {a} {b}"]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(grid))]
    lines += [f"{i} {x} {y} 0" for i, (x, y) in enumerate(grid, 1)]
    lines += ["$EndNodes", "$Elements", str(len(cells))]
    lines += [f"{tag} {cell}" for tag, cell in enumerate(cells, 1)]
    (tmp_path / "a.msh").write_text("\n".join([*lines, "$EndElements", ""]))
    with pytest.warns(MeshWarning, match="26 quadrangles were split"):
        mesh = read_mesh(tmp_path / "a.msh")
    assert mesh.n_elements == 2 * n
    assert mesh.region_names == ("5", "7")
    assert np.bincount(mesh.regions, mesh.signed_areas()) == pytest.approx([14, 26])
    assert named_faces(mesh) == {"9": 14}


def test_a_copy_is_read_without_its_folder(tmp_path):
    """Nothing but the file itself is needed, and it is left alone."""
    copy = shutil.copy(GMSH / "none_4.1.msh", tmp_path / "copy.MSH")
    before = Path(copy).read_bytes()
    assert read_mesh(copy).n_elements == 52
    assert Path(copy).read_bytes() == before
