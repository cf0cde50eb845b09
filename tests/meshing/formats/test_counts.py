"""Files that hold something else than they announce are refused, or it is told."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from wavelab.errors import MeshError
from wavelab.meshing.formats import read_mesh, write_mesh
from wavelab.meshing.formats.triangle_files import read_poly
from wavelab.meshing.graph.notices import MeshWarning

GMSH = Path(__file__).parents[1] / "gmsh"

NODE = "4 2 0 0\n1 0 0\n2 1 0\n3 1 1\n4 0 1\n"
ELE = "2 3 1\n1 1 2 3 5\n2 1 3 4 0\n"
POLY = (
    "8 2 0 0\n0 0 0\n1 4 0\n2 4 4\n3 0 4\n4 1 1\n5 2 1\n6 2 2\n7 1 2\n"
    "8 0\n0 0 1\n1 1 2\n2 2 3\n3 3 0\n4 4 5\n5 5 6\n6 6 7\n7 7 4\n1\n0 1.5 1.5\n0\n"
)


@pytest.mark.parametrize(
    ("node", "ele", "line"),
    [
        (NODE, ELE.replace("2 3 1", "1 3 1"), "a.ele, line 3"),
        (NODE + "5 0.5 0.5\n", ELE, "a.node, line 6"),
        (NODE.replace("4 2", "3 2"), ELE, "a.node, line 5"),
        (NODE, ELE.replace("3 5\n", "3 nan\n"), "a.ele, line 3"),
    ],
)
def test_triangle_meshes(tmp_path, node, ele, line):
    (tmp_path / "a.node").write_text(node)
    (tmp_path / "a.ele").write_text(ele)
    with pytest.raises(MeshError, match=r"there is more than|not finite") as caught:
        read_mesh(tmp_path / "a.ele")
    assert caught.value.where == line


@pytest.mark.parametrize(
    "text",
    [
        # The rest of the segments would be holes, and the hole a region.
        POLY.replace("\n8 0\n", "\n4 0\n"),
        POLY.replace("\n1\n0 1.5 1.5", "\n0\n0 1.5 1.5"),
        POLY + "7 7\n",
    ],
    ids=["segments", "holes", "regions"],
)
def test_triangle_geometry(tmp_path, text):
    (tmp_path / "a.poly").write_text(POLY)
    assert len(read_poly(tmp_path / "a.poly").segments) == 8
    (tmp_path / "a.poly").write_text(text)
    with pytest.raises(MeshError, match="there is more than"):
        read_poly(tmp_path / "a.poly")


@pytest.mark.parametrize("section", ["Nodes", "Elements"])
@pytest.mark.parametrize("name", ["named_2.2_text", "named_4.0_text", "named_4.1_text"])
def test_gmsh_text(tmp_path, name, section):
    text = (GMSH / f"{name}.msh").read_text()
    spoilt = re.sub(rf"(?<=\${section}\n)\d+", lambda count: str(int(count[0]) - 1), text, count=1)
    assert spoilt != text
    (tmp_path / "a.msh").write_text(spoilt)
    with pytest.raises(MeshError, match=rf"more than the (\d+ )?{section.lower()} announced"):
        read_mesh(tmp_path / "a.msh")


@pytest.mark.parametrize("section", [b"Nodes", b"Elements"])
@pytest.mark.parametrize("name", ["named_2.2_binary", "named_4.1_binary"])
def test_gmsh_binary(tmp_path, name, section):
    data = (GMSH / f"{name}.msh").read_bytes()
    end = b"\n$End" + section
    assert end in data
    (tmp_path / "a.msh").write_bytes(data.replace(end, b"\1\2\3\4" + end))
    with pytest.raises(MeshError, match=f"more in \\${section.decode()} than is announced"):
        read_mesh(tmp_path / "a.msh")


def test_gambit_groups(tmp_path):
    with pytest.warns(MeshWarning):
        mesh = read_mesh(GMSH / "named_4.1_text.msh")
    write_mesh(mesh, tmp_path / "a.neu")
    text = (tmp_path / "a.neu").read_text()
    first = re.search(r"(?<=air\n       0\n) +(\d+)", text)
    text = text[: first.start()] + "     999" + text[first.end() :]
    (tmp_path / "a.neu").write_text(text)
    with pytest.warns(MeshWarning, match='"air" names element 999, for one, which is not'):
        spoilt = read_mesh(tmp_path / "a.neu")
    assert spoilt.region_names == ("background", "air", "glass")
    assert (spoilt.regions == 0).sum() == 1


@pytest.mark.parametrize("name", ["a" * 33, " a", "a\nb"])
def test_names_that_a_gambit_file_cannot_hold(tmp_path, name):
    with pytest.warns(MeshWarning):
        mesh = read_mesh(GMSH / "named_4.1_text.msh")
    with pytest.raises(MeshError, match="cannot be written to a Gambit file"):
        write_mesh(replace(mesh, region_names=(name, "glass")), tmp_path / "a.neu")


def test_a_group_number_beyond_all_sense(tmp_path):
    text = (GMSH / "named_4.1_text.msh").read_text()
    made = '1 77 "_part{1}_physical{99999999999999999999}_dim{1}"'
    text = text.replace("$PhysicalNames\n7", f"$PhysicalNames\n8\n{made}")
    assert made in text
    (tmp_path / "a.msh").write_text(text)
    with pytest.warns(MeshWarning):
        assert read_mesh(tmp_path / "a.msh").region_names == ("air", "glass")
