"""The whole field at one time as a VTK unstructured grid (.vtu), for ParaView and its kin.

Every element is a Lagrange triangle (cell type 69) of the order of the scene with nodes of its own,
so what is drawn is the polynomial itself, also its jumps and the curved faces.  VTK's nodes are
others than those of the solver; what is written are the values of the same polynomials there.

===============  ===========================  ====================================================
array            of                           what
===============  ===========================  ====================================================
``Ez Hx Hy``     nodes                        the fields, by the symbols of their system; of elastic
                                              waves the stresses too
``energy``       nodes                        (D Ez + B . H) / 2, exact at the nodes; between them
                                              VTK shows its interpolant of the same order
``epsilon mu``   cells; nodes, if a formula   the numbers of the media, by the names of their
``sigma``                                     system: ``density speed damping`` of sound
``mu_xx mu_xy    cells                        components of mu, of TE of epsilon, where some medium
mu_yy``                                       is anisotropic; ``mu`` is the geometric mean there
``region``       cells                        number of the region of the mesh
``TimeValue``    the file                     the simulated time
===============  ===========================  ====================================================

Numbers are 64 bits wide, compressed with zlib and written in base64.
"""

from __future__ import annotations

import base64
import os
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavelab.atomic import whole_file
from wavelab.output.files.vtk_lattice import to_lattice
from wavelab.physics.materials.media_numbers import media_numbers, medium_at
from wavelab.physics.materials.solids import described_at_nodes
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.fields import Fields
from wavelab.physics.problem import Problem
from wavelab.scene.systems import ShownField, System, system_of

SUFFIXES = (".vtu",)

LAGRANGE_TRIANGLE = 69
#: Bytes compressed at once.
_BLOCK = 1 << 20
#: Mantissas of fields hardly shrink, whatever the effort.
_EFFORT = 1
_TYPES = {"f8": "Float64", "i8": "Int64", "u1": "UInt8"}

Arrays = dict[str, NDArray]


def write_vtu(path: str | os.PathLike[str], problem: Problem, fields: Fields, time: float) -> None:
    """Write ``fields`` of ``problem`` at ``time``; the module says what is in the file.

    Raises
    ------
    OutputError : the file cannot be written there.
    """
    with whole_file(path, SUFFIXES) as partial, partial.open("wb") as file:
        file.writelines(line + b"\n" for line in _lines(problem, fields, time))


def write_pvd(path: Path, files: list[tuple[float, Path]]) -> None:
    """A collection (.pvd): files in the same directory, each with its time.

    Raises
    ------
    OutputError : the file cannot be written there.
    """
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">',
        "<Collection>",
        *(
            f'<DataSet timestep="{float(time)!r}" part="0" file={_quoted(file.name)}/>'
            for time, file in files
        ),
        "</Collection>",
        "</VTKFile>",
        "",
    ]
    with whole_file(path, (".pvd",)) as partial:
        partial.write_text("\n".join(lines), encoding="utf-8", newline="\n")


def _lines(problem: Problem, fields: Fields, time: float) -> Iterator[bytes]:
    d, real_part = problem.discretization.seen, problem.discretization.real_part
    copies = problem.discretization.copies
    k, n = d.shape
    weights = to_lattice(d.order)
    system = system_of(problem.scene)
    x, y = d.x @ weights.T, d.y @ weights.T
    of_cells: Arrays = {"region": np.asarray(d.mesh.regions, np.int64)}
    of_nodes: Arrays = {
        **{
            name: real_part(shown.sign * getattr(fields, shown.of)) @ weights.T
            for name, shown in _components(system)
        },
        "energy": real_part(problem.operator.energy_density(fields, time, weights)),
    }
    if copies > 1:  # the other copies of complex fields
        for name, shown in _components(system):
            imaginary = shown.sign * getattr(fields, shown.of)[1::2]
            of_nodes[f"{name}_imaginary"] = imaginary @ weights.T
    operator = problem.operator
    if isinstance(operator, ElasticPSV):
        of_cells |= {name: real_part(values) for name, (values, _) in operator.described.items()}
        for name, values in described_at_nodes(operator).items():
            of_nodes[name] = values @ weights.T
            del of_cells[name]
    else:
        for number in media_numbers(problem.scene, d, time):
            if number.varies:
                of_nodes[number.name] = medium_at(problem.scene, d, number.name, time, x, y)
            else:
                of_cells[number.name] = number.of_elements
            of_cells |= {f"{number.name}_{c}": values for c, values in number.components.items()}
    yield b'<?xml version="1.0"?>'
    yield (
        b'<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" '
        b'header_type="UInt64" compressor="vtkZLibDataCompressor">'
    )
    yield b"<UnstructuredGrid>"
    yield b"<FieldData>"
    yield from _array("TimeValue", np.array([time]), 'NumberOfTuples="1"')
    yield b"</FieldData>"
    yield f'<Piece NumberOfPoints="{k * n}" NumberOfCells="{k}">'.encode()
    yield b"<Points>"
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(k * n)])
    yield from _array("points", points, 'NumberOfComponents="3"')
    yield b"</Points>"
    yield b"<Cells>"
    yield from _array("connectivity", np.arange(k * n))
    yield from _array("offsets", np.arange(n, k * n + 1, n))
    yield from _array("types", np.full(k, LAGRANGE_TRIANGLE, np.uint8))
    yield b"</Cells>"
    scalar = f'PointData Scalars="{system.scalar.symbol}"'
    for tag, arrays in ((scalar, of_nodes), ("CellData", of_cells)):
        yield f"<{tag}>".encode()
        for name, values in arrays.items():
            yield from _array(name, values)
        yield f"</{tag.split()[0]}>".encode()
    yield b"</Piece>"
    yield b"</UnstructuredGrid>"
    yield b"</VTKFile>"


def _components(system: System) -> list[tuple[str, ShownField]]:
    """The scalar first."""
    first = {f.of: f for f in (system.scalar, system.x, system.y)}
    return [(shown.symbol, shown) for shown in (first | system.of_solver).values()]


def _array(name: str, values: NDArray, more: str = "") -> Iterator[bytes]:
    kind = values.dtype.str[1:]
    yield f'<DataArray type="{_TYPES[kind]}" Name="{name}" {more} format="binary">'.encode()
    yield _encoded(np.ascontiguousarray(values, "<" + kind).tobytes())
    yield b"</DataArray>"


def _encoded(data: bytes) -> bytes:
    """As VTK's XML files want it: number of blocks, size of a block, size of a last smaller one,
    compressed size of each; then, in a base64 of their own, the blocks."""
    blocks = [zlib.compress(data[i : i + _BLOCK], _EFFORT) for i in range(0, len(data), _BLOCK)]
    header = np.array([len(blocks), _BLOCK, len(data) % _BLOCK, *map(len, blocks)], "<u8")
    return base64.b64encode(header.tobytes()) + base64.b64encode(b"".join(blocks))


def _quoted(text: str) -> str:
    """An attribute of XML."""
    for plain, written in (("&", "&amp;"), ("<", "&lt;"), ('"', "&quot;")):
        text = text.replace(plain, written)
    return f'"{text}"'
