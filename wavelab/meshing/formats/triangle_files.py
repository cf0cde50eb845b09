"""Files of the program Triangle: meshes (.node with .ele) and geometry (.poly).

Formats: J. R. Shewchuk, Triangle's documentation, "File Formats".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices
from wavelab.meshing.formats.numbers import TextNumbers
from wavelab.meshing.formats.raw import RawMesh
from wavelab.meshing.graph.drawing import PlanarDrawing, checked_size
from wavelab.meshing.graph.polygons import at_point, frame
from wavelab.meshing.readable import readable
from wavelab.reading import is_plain_file, read_plain_file

#: Without an element size the longer side of the domain gets this many elements.
_DEFAULT_RESOLUTION = 20

#: Triangle gives markers 0 and 1 to what has none.
_UNMARKED = (0, 1)

_COMMENT = re.compile(rb"#.*")


@dataclass(frozen=True)
class _Nodes:
    """Points (n, 2) and the number of the first of them (0 or 1)."""

    points: Array
    base: int


def read_triangle(path: Path) -> RawMesh:
    """The mesh in a .node and an .ele file of the same name, whichever of them is given.

    Element attributes other than 0 name regions ("region 3").  If there is a .poly file of that
    name, too, as Triangle writes it, its segment markers name boundary faces ("boundary 2").

    Raises
    ------
    MeshError : a file is missing, broken off or wrong, naming the line.
    """
    nodes = _read_nodes(path.with_suffix(".node"))
    numbers = _numbers(path.with_suffix(".ele"))
    count, corners, n_attributes = numbers.integers(3).tolist()
    if corners not in (3, 6):
        raise numbers.error(f"triangles have {corners} nodes, not 3 or 6")
    width = _width(1 + corners, n_attributes, numbers)
    rows = numbers.reals(count * width).reshape(-1, width)
    numbers.finish(f"{count} triangles")
    triangles = _references(rows[:, 1:4], nodes, numbers)
    attributes = rows[:, 1 + corners] if n_attributes else np.zeros(len(rows))
    _check_attributes(attributes, numbers)
    values, regions = np.unique(attributes, return_inverse=True)
    lines, markers = _segments(path, nodes)
    labels, line_labels = np.unique(markers, return_inverse=True)
    notes = ("the triangles are curved and were read as straight ones",) if corners == 6 else ()
    return RawMesh(
        points=nodes.points,
        triangles=triangles,
        regions=regions.reshape(-1).astype(np.int32),
        region_names=tuple(_region_name(value) for value in values.tolist()) or ("background",),
        lines=lines,
        line_labels=line_labels.astype(np.int32),
        face_names=tuple(f"boundary {marker}" for marker in labels.tolist()),
        notes=notes,
    )


def read_poly(path: Path | str) -> PlanarDrawing:
    """The geometry in a .poly file, for elements of a twentieth of its longer side.

    Segment markers other than 0 and 1 name edges ("boundary 2"), all others are "boundary"; the
    attributes of region points name materials ("region 3").

    Raises
    ------
    MeshError : the file is broken off or wrong, naming the line.
    """
    path = Path(path)
    with readable(path):
        return _read_poly(path)


def _read_poly(path: Path) -> PlanarDrawing:
    numbers = _numbers(path)
    nodes = _nodes(numbers) or _read_nodes(path.with_suffix(".node"))
    segments, markers, tokens = _segment_rows(numbers, nodes)
    if len(segments) == 0:
        raise numbers.error("the file has no segments, so there is no outline")
    _check_closed(segments, nodes, numbers, tokens)
    _check_crossings(segments, nodes, numbers, tokens)
    holes = numbers.reals(3 * int(numbers.integers(1)[0])).reshape(-1, 3)[:, 1:]
    seeds, attributes = np.zeros((0, 2)), np.zeros(0)
    if numbers.left:
        count = int(numbers.integers(1)[0])
        # The last number of a region point, an area limit, is optional.
        width = 5 if numbers.left >= 5 * count else 4
        rows = numbers.reals(width * count).reshape(-1, width)
        seeds, attributes = rows[:, 1:3], rows[:, 3]
    numbers.finish("vertices, segments, holes and regions")
    _check_attributes(attributes, numbers)
    names = ["boundary" if m in _UNMARKED else f"boundary {m}" for m in markers.tolist()]
    face_names = tuple(dict.fromkeys(names))
    region_names = ("background", *(_region_name(a) for a in np.unique(attributes) if a != 0))
    element_size = float(np.ptp(nodes.points, axis=0).max()) / _DEFAULT_RESOLUTION
    return PlanarDrawing(
        element_size=checked_size(element_size),
        segments=nodes.points[segments],
        names=np.array([face_names.index(name) for name in names], dtype=np.int32),
        holes=holes,
        seeds=seeds,
        seed_regions=np.array(
            [region_names.index(_region_name(a)) for a in attributes.tolist()], dtype=np.int32
        ),
        region_names=region_names,
        face_names=face_names,
        where=path.name,
    )


def _numbers(path: Path) -> TextNumbers:
    text = b"\n".join(read_plain_file(path).splitlines())
    return TextNumbers(_COMMENT.sub(b"", text), 1, path.name)


def _read_nodes(path: Path) -> _Nodes:
    numbers = _numbers(path)
    nodes = _nodes(numbers)
    if nodes is None:
        raise numbers.error("the file has no vertices")
    numbers.finish(f"{len(nodes.points)} vertices")
    return nodes


def _nodes(numbers: TextNumbers) -> _Nodes | None:
    """The vertex section; None if it is empty, which means that they are in a .node file."""
    count, dimension, n_attributes, n_markers = numbers.integers(4).tolist()
    if count == 0:
        return None
    if dimension != 2:
        raise numbers.error(f"vertices have {dimension} coordinates, not 2")
    width = _width(3, n_attributes + n_markers, numbers)
    start = numbers.position
    rows = numbers.reals(count * width).reshape(-1, width)
    base = int(rows[0, 0]) if rows[0, 0] in (0, 1) else -1
    misplaced = rows[:, 0] != base + np.arange(count)
    if base < 0 or misplaced.any():
        bad = int(np.argmax(misplaced))
        raise numbers.error(
            "vertices must be numbered from 0 or 1 without gaps", token=start + bad * width
        )
    finite = np.isfinite(rows[:, 1:3]).all(axis=1)
    if not finite.all():
        bad = int(np.argmin(finite))
        raise numbers.error("a coordinate is not finite", token=start + bad * width)
    return _Nodes(rows[:, 1:3], base)


def _segment_rows(numbers: TextNumbers, nodes: _Nodes) -> tuple[Indices, Indices, Indices]:
    """Point numbers (m, 2), markers (m,) and places in the file (m,) of the segments."""
    count, n_markers = numbers.integers(2).tolist()
    width = _width(3, n_markers, numbers)
    start = numbers.position
    rows = numbers.integers(count * width).reshape(-1, width)
    segments = _references(rows[:, 1:3], nodes, numbers, start, width)
    markers = rows[:, 3] if n_markers else np.zeros(count, np.int64)
    return segments, markers, start + width * np.arange(count)


def _segments(path: Path, nodes: _Nodes) -> tuple[Indices, Indices]:
    """Marked segments of the .poly file beside a mesh, if there is one."""
    poly = path.with_suffix(".poly")
    if not is_plain_file(poly):
        return np.zeros((0, 2), np.int64), np.zeros(0, np.int64)
    numbers = _numbers(poly)
    _nodes(numbers)
    segments, markers, _ = _segment_rows(numbers, nodes)
    named = ~np.isin(markers, _UNMARKED)
    return segments[named], markers[named]


def _references(
    values: NDArray, nodes: _Nodes, numbers: TextNumbers, start: int = 0, width: int = 0
) -> Indices:
    """Vertex numbers from 0, all of them there."""
    # -1 is no vertex in either numbering, and takes the place of what is no whole number.
    whole = np.where((values == np.rint(values)) & (np.abs(values) < 2**53), values, -1)
    found = whole.astype(np.int64) - nodes.base
    wrong = ((found < 0) | (found >= len(nodes.points))).any(axis=1)
    if wrong.any():
        bad = int(np.argmax(wrong))
        raise numbers.error(
            f"vertices {found[bad] + nodes.base} are named, but they are numbered "
            f"{nodes.base} to {nodes.base + len(nodes.points) - 1}",
            token=start + bad * width if width else None,
        )
    return found


def _check_closed(segments: NDArray, nodes: _Nodes, numbers: TextNumbers, tokens: NDArray) -> None:
    """Refuse a segment with a loose end: it encloses nothing, so its owner forgot something."""
    ends, counts = np.unique(segments, return_counts=True)
    if (counts == 1).any():
        loose = int(ends[np.argmax(counts == 1)])
        x, y = nodes.points[loose]
        raise numbers.error(
            f"a line ends at vertex {loose + nodes.base}, ({x:g}, {y:g})",
            token=int(tokens[np.argmax((segments == loose).any(axis=1))]),
        )


def _check_crossings(
    segments: NDArray, nodes: _Nodes, numbers: TextNumbers, tokens: NDArray
) -> None:
    """Refuse segments that cross between their ends: a planar graph has a vertex there."""
    center, scale = frame(nodes.points)
    lines = shapely.linestrings((nodes.points[segments] - center) / scale)
    one, other = shapely.STRtree(lines).query(lines, predicate="crosses")
    if not len(one):
        return
    first = int(np.lexsort((other, one))[0])
    i, j = sorted((int(one[first]), int(other[first])))
    meeting = shapely.intersection(lines[i], lines[j])
    place = at_point(np.array(meeting.coords[0]) * scale + center)
    raise numbers.error(
        f"the segments in lines {numbers.line(int(tokens[i]))} and {numbers.line(int(tokens[j]))} "
        f"cross{place}, where no vertex is",
        token=int(tokens[j]),
    )


def _width(fixed: int, more: int, numbers: TextNumbers) -> int:
    if not 0 <= more <= 1000:
        raise numbers.error(f"{more} attributes and markers make no sense")
    return fixed + more


def _check_attributes(attributes: Array, numbers: TextNumbers) -> None:
    if not np.isfinite(attributes).all():
        raise numbers.error("an attribute that names a region is not finite")


def _region_name(attribute: float) -> str:
    return f"region {attribute:g}" if attribute else "background"
