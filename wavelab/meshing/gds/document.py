"""All shapes of a GDSII file, in one frame of coordinates."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import shapely

from wavelab.errors import GeometryError
from wavelab.meshing.gds.library import Copies, Drawn, Library, read_library
from wavelab.meshing.outlines.curves import Affine, Line
from wavelab.meshing.outlines.outline import (
    MOST_CURVES,
    MOST_DRAWN,
    Document,
    Outline,
    drawing_bytes,
)

_MICROMETRE = 1e-6
#: Structures in structures.
_DEEPEST = 100
#: Lines to a quarter of a circle, at the round end of a path.
_ROUND = 16
#: A corner of a path reaches no farther out, in half widths.
_MITRE = 8.0
#: No copy is magnified more, so that nothing leaves double precision.
_LARGEST = 1e30


def read_document(path: Path) -> Document:
    """The shapes of the structure that no other one copies, in micrometres.

    Raises
    ------
    GeometryError : it is no GDSII file, or damaged, or copies itself, or has more shapes than
        can be meshed, all arrays counted.
    """
    library = read_library(drawing_bytes(path), path.name)
    return _Flattened(library, path.name).document()


class _Flattened:
    def __init__(self, library: Library, where: str) -> None:
        self._library = library
        self._where = where
        self._counts: dict[str, tuple[int, int]] = {}
        self._group = 0

    def document(self) -> Document:
        structures = self._library.structures
        copied = {copy.name for each in structures.values() for copy in each.copies}
        for name in structures:
            self._count(name, ())
        tops = [name for name in structures if name not in copied] or list(structures)
        if not tops:
            raise GeometryError("there is no structure in it", where=self._where)
        top = max(tops, key=lambda name: self._counts[name])
        shapes, corners = self._counts[top]
        if shapes > MOST_DRAWN or corners > MOST_CURVES:
            raise GeometryError(
                f'"{top}" has {shapes:,} shapes with {corners:,} corners, all arrays counted',
                where=self._where,
                remedy=f"Up to {MOST_DRAWN:,} with {MOST_CURVES:,} can be used: cut out a part.",
            )
        unit = self._library.metres / _MICROMETRE
        # Turned over, as drawings have y downwards.
        outlines = tuple(self._of(top, Affine(0, unit, 0), 1.0))
        notes = [f'took "{top}" of {len(tops)} structures that nothing copies'] * (len(tops) > 1)
        for what, count in self._library.left.items():
            notes.append(f"left out {count} of the elements {what}, which are no shapes")
        return Document(
            outlines, 1.0, "um", tuple(notes), to_scale=True, is_layout=True, grid=unit
        )  # fmt: skip

    def _count(self, name: str, within: tuple[str, ...]) -> tuple[int, int]:
        """Shapes and corners of a structure with all of its copies."""
        if name in self._counts:
            return self._counts[name]
        if name in within or len(within) > _DEEPEST:
            chain = " > ".join((*within[-3:], name))
            raise GeometryError(
                f"a structure copies itself: {chain}" if name in within
                else f"structures are copied {_DEEPEST} deep: {chain}",
                where=self._where,
            )  # fmt: skip
        structure = self._library.structures.get(name)
        if structure is None:
            raise GeometryError(
                f'"{name[:40]}" is copied, and is not in the file', where=self._where
            )
        shapes = len(structure.drawn)
        corners = sum(len(drawn.points) for drawn in structure.drawn)
        for copies in structure.copies:
            times = copies.counts[0] * copies.counts[1]
            each = self._count(copies.name, (*within, name))
            shapes, corners = shapes + times * each[0], corners + times * each[1]
        self._counts[name] = shapes, corners
        return shapes, corners

    def _of(self, name: str, to: Affine, magnified: float) -> Iterator[Outline]:
        if not to.within(_LARGEST) or to.flattens:
            raise GeometryError(
                f'"{name[:40]}" is magnified to nothing, or without end', where=self._where
            )
        structure = self._library.structures[name]
        for drawn in structure.drawn:
            yield from self._outlines(drawn, name, to, magnified)
        for copies in structure.copies:
            if self._counts[copies.name][0]:
                for own in _places(copies):
                    yield from self._of(copies.name, to @ own, magnified * copies.magnification)

    def _outlines(self, drawn: Drawn, name: str, to: Affine, magnified: float) -> Iterator[Outline]:
        label = f'{"path" if drawn.is_path else "boundary"} {drawn.number} of "{name[:40]}"'
        if not drawn.is_path:
            rings = [drawn.points]
        else:
            width = drawn.width / magnified if drawn.absolute else drawn.width
            rings = _rings(drawn, width)
            if not rings:
                yield from self._open(drawn, label, to)
        self._group += 1
        for ring in rings:
            lines = _lines([*ring, ring[0]] if ring else [], to)
            if lines:
                yield Outline(
                    lines, label, self._where, layer=drawn.layer, group=self._group
                )  # fmt: skip

    def _open(self, drawn: Drawn, label: str, to: Affine) -> Iterator[Outline]:
        if lines := _lines(drawn.points, to):
            yield Outline(lines, label, self._where, closed=False, layer=drawn.layer)


def _lines(points: list[complex] | tuple[complex, ...], to: Affine) -> tuple[Line, ...]:
    return tuple(Line(a, b) for a, b in pairwise(map(to, points)) if a != b)


def _places(copies: Copies) -> Iterator[Affine]:
    """Where each copy is: mirrored, magnified, turned, moved, in this order."""
    turn = copies.magnification * cmath.rect(1, math.radians(copies.angle))
    a, b = (0j, turn) if copies.mirrored else (turn, 0j)
    for i in range(copies.counts[0]):
        for j in range(copies.counts[1]):
            yield Affine(a, b, copies.origin + i * copies.steps[0] + j * copies.steps[1])


def _rings(drawn: Drawn, width: float) -> list[tuple[complex, ...]]:
    """The outlines of a path of a width, its holes among them; none if it has no width."""
    points = [drawn.points[0], *(b for a, b in pairwise(drawn.points) if a != b)]
    if width <= 0 or len(points) < 2:
        return []
    for end, beside, by in ((0, 1, drawn.ends[0]), (-1, -2, drawn.ends[1])):
        along = points[end] - points[beside]
        points[end] += by * along / abs(along)
    area = shapely.buffer(
        shapely.linestrings([(z.real, z.imag) for z in points]),
        width / 2,
        quad_segs=_ROUND,
        cap_style="round" if drawn.round_ends else "flat",
        join_style="mitre",
        mitre_limit=_MITRE,
    )
    return [
        tuple(complex(x, y) for x, y in ring.coords[:-1])
        for part in shapely.get_parts(area).tolist()
        for ring in (part.exterior, *part.interiors)
    ]
