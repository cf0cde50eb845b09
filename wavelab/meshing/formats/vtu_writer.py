"""Write VTK unstructured grids (.vtu) with text data, for ParaView."""

from __future__ import annotations

from collections.abc import Iterable

from wavelab.numerics.mesh.mesh import Mesh

_TRIANGLE = 5


def vtu_text(mesh: Mesh) -> str:
    """A mesh as a .vtu file with the cell values region and inradius."""
    k = mesh.n_elements
    vertices = (f"{x!r} {y!r} 0" for x, y in mesh.vertices.tolist())
    corners = (f"{a} {b} {c}" for a, b, c in mesh.triangles.tolist())
    return "\n".join(
        [
            '<?xml version="1.0"?>',
            '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian">',
            "<UnstructuredGrid>",
            f'<Piece NumberOfPoints="{mesh.n_vertices}" NumberOfCells="{k}">',
            "<Points>",
            *_array("Float64", "points", vertices, components=3),
            "</Points>",
            "<Cells>",
            *_array("Int32", "connectivity", corners),
            *_array("Int32", "offsets", map(str, range(3, 3 * k + 1, 3))),
            *_array("UInt8", "types", [str(_TRIANGLE)] * k),
            "</Cells>",
            '<CellData Scalars="region">',
            *_array("Int32", "region", map(str, mesh.regions.tolist())),
            *_array("Float64", "inradius", map(repr, mesh.inradii().tolist())),
            "</CellData>",
            "</Piece>",
            "</UnstructuredGrid>",
            "</VTKFile>",
            "",
        ]
    )


def _array(kind: str, name: str, lines: Iterable[str], components: int = 0) -> list[str]:
    shape = f' NumberOfComponents="{components}"' if components else ""
    return [
        f'<DataArray type="{kind}" Name="{name}"{shape} format="ascii">',
        *lines,
        "</DataArray>",
    ]
