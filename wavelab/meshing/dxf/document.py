"""All outlines of a DXF file, in one frame of coordinates."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from pathlib import Path

from wavelab.errors import GeometryError
from wavelab.meshing.dxf.entities import DRAWN, IN_WORLD, Paths, UnusableError, Values, polyline
from wavelab.meshing.dxf.hatches import hatch
from wavelab.meshing.dxf.tags import Tag, tags
from wavelab.meshing.outlines.curves import Affine
from wavelab.meshing.outlines.outline import (
    MOST_CURVES,
    MOST_DRAWN,
    Document,
    Outline,
    drawing_bytes,
)

#: What a unit is by $INSUNITS, in one that a scene can have.
_UNITS = {
    1: (2.54, "cm"), 2: (0.3048, "m"), 3: (1.609344, "km"), 4: (1.0, "mm"), 5: (1.0, "cm"),
    6: (1.0, "m"), 7: (1.0, "km"), 8: (25.4, "nm"), 9: (25.4, "um"), 10: (0.9144, "m"),
    11: (0.1, "nm"), 12: (1.0, "nm"), 13: (1.0, "um"), 14: (10.0, "cm"), 15: (10.0, "m"),
    16: (100.0, "m"),
}  # fmt: skip
_DEEPEST = 50
#: What is no outline and never was meant as one.
_SILENT = ("VIEWPORT", "ATTDEF", "ATTRIB", "SEQEND", "ENDBLK", "BLOCK")
#: Drawings have y downwards.
_TURNED = Affine(0, 1, 0)
_BY_LAYER, _BY_BLOCK = 256, 0


@dataclass(frozen=True)
class _Entity:
    kind: str
    tags: tuple[Tag, ...]

    def text(self, code: int, default: str = "") -> str:
        return next((tag.value for tag in self.tags if tag.code == code), default)


@dataclass(frozen=True)
class _Around:
    """What an entity is in: a block on a layer, of a colour."""

    to: Affine
    layer: str = "0"
    colour: str = ""
    within: tuple[str, ...] = ()


def read_document(path: Path) -> Document:
    """The outlines in a file.

    Raises
    ------
    GeometryError : it is no DXF, or an entity cannot be used; names its line.
    """
    found = tags(drawing_bytes(path), path.name)
    try:
        return _Reader(found, path.name).document()
    except UnusableError as error:
        raise GeometryError(f"a layer or a block {error}", where=path.name) from None


class _Reader:
    def __init__(self, found: Sequence[Tag], where: str) -> None:
        self._where = where
        self._sections = _sections(found)
        self._layers = {e.text(2): e for e in self._sections.get("TABLES", []) if e.kind == "LAYER"}
        self._blocks = _blocks(self._sections.get("BLOCKS", []))
        self._left: Counter[str] = Counter()
        self._drawn = self._curves = 0

    def document(self) -> Document:
        if "ENTITIES" not in self._sections:
            raise GeometryError(
                "this is no whole DXF: it has no section ENTITIES", where=self._where
            )
        outlines = tuple(self._all(self._sections["ENTITIES"], _Around(_TURNED)))
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self._left.items()))
        notes = [f"left out what is no outline or is hidden: {kinds}"] if kinds else []
        factor, unit = _UNITS.get(self._variable("$INSUNITS"), (1.0, ""))
        if not unit:
            notes.append("the drawing does not say what its unit is ($INSUNITS)")
        scale = Affine(factor)
        if factor != 1.0:
            outlines = tuple(
                replace(o, curves=tuple(c.moved(scale) for c in o.curves)) for o in outlines
            )
        return Document(outlines, 1.0, unit, tuple(notes), to_scale=True)

    def _variable(self, name: str) -> int:
        header = self._sections.get("HEADER", [])
        at = next((e for e in header if e.kind == name), None)
        try:
            return int(at.tags[0].value) if at and at.tags else 0
        except ValueError:
            return 0

    def _all(self, entities: Sequence[_Entity], around: _Around) -> Iterator[Outline]:
        i = 0
        while i < len(entities):
            entity = entities[i]
            vertices: list[_Entity] = []
            i += 1
            if entity.kind == "POLYLINE":
                while i < len(entities) and entities[i].kind == "VERTEX":
                    vertices.append(entities[i])
                    i += 1
            try:
                yield from self._of(entity, vertices, around)
            except UnusableError as error:
                raise self._error(entity, str(error)) from None

    def _of(self, entity: _Entity, vertices: list[_Entity], around: _Around) -> Iterator[Outline]:
        if entity.kind in _SILENT:
            return
        values = Values(entity.tags)
        layer = entity.text(8, "0")
        layer = around.layer if layer == "0" else layer
        if self._is_hidden(values, layer):
            self._left[entity.kind] += 1
            return
        facing = values.real(230, 1.0) if entity.kind not in IN_WORLD else 1.0
        if abs(abs(facing) - 1) > 1e-9 or _is_solid(entity, values):
            self._left[entity.kind] += 1
            return
        to = around.to @ Affine(0, -1, 0) if facing < 0 else around.to
        colour = self._colour(values, layer, around)
        if entity.kind == "INSERT":
            yield from self._insert(
                entity, values, replace(around, to=to, layer=layer, colour=colour)
            )
            return
        if entity.kind == "ELLIPSE" and values.real(230, 1.0) < 0:
            mirrored = [Tag(40, repr(-values.real(40)), 0), *entity.tags]
            values = Values(mirrored)
        paths = self._paths(entity, values, vertices)
        if paths is None:
            self._left[entity.kind] += 1
            return
        self._drawn += 1
        self._curves += sum(len(curves) for curves, _ in paths)
        if self._drawn > MOST_DRAWN or self._curves > MOST_CURVES:
            raise UnusableError(
                f"is one of more than {MOST_DRAWN:,} entities with {MOST_CURVES:,} curves"
            )
        group = self._drawn if entity.kind == "HATCH" else None
        for curves, closed in paths:
            moved = tuple(curve.moved(to) for curve in curves)
            where = f"{self._where}:{entity.tags[0].at}"
            yield Outline(moved, f"the {entity.kind}", where, closed, layer, colour, group)

    def _paths(self, entity: _Entity, values: Values, vertices: list[_Entity]) -> Paths | None:
        if entity.kind == "POLYLINE":
            of = [Values(v.tags) for v in vertices]
            corners = [v for v in of if not v.whole(70) & 16]
            return polyline(
                [v.point(10) for v in corners],
                [v.real(42, 0.0) for v in corners],
                bool(values.whole(70) & 1),
            )
        if entity.kind == "HATCH":
            return hatch(entity.tags)
        read = DRAWN.get(entity.kind)
        return None if read is None else read(values)

    def _insert(self, entity: _Entity, values: Values, around: _Around) -> Iterator[Outline]:
        name = entity.text(2)
        if name in around.within or len(around.within) >= _DEEPEST:
            raise UnusableError(
                f'inserts "{name[:40]}", which inserts itself' if name in around.within
                else "is in blocks too deep"
            )  # fmt: skip
        if name not in self._blocks:
            raise UnusableError(f'inserts "{name[:40]}", which is not in the file')
        base, entities = self._blocks[name]
        turn = complex(math.cos(a := math.radians(values.real(50, 0.0))), math.sin(a))
        sx, sy = values.real(41, 1.0), values.real(42, 1.0)
        stretch = Affine(turn * (sx + sy) / 2, turn * (sx - sy) / 2)
        columns, rows = max(values.whole(70, 1), 1), max(values.whole(71, 1), 1)
        if entities and columns * rows > MOST_DRAWN:
            raise UnusableError(
                f'inserts "{name[:40]}" {columns * rows:,} times, more than {MOST_DRAWN:,}'
            )
        for i in range(columns if entities else 0):
            for j in range(rows):
                step = turn * complex(i * values.real(44, 0.0), j * values.real(45, 0.0))
                self._drawn += 1  # so that blocks of empty blocks have an end, too
                if self._drawn > MOST_DRAWN:
                    raise UnusableError(f"is one of more than {MOST_DRAWN:,} entities")
                place = Affine(1, 0, values.point(10) + step) @ stretch @ Affine(1, 0, -base)
                to = around.to @ place
                if not to.within(1e30) or to.flattens:
                    raise UnusableError("is flattened to nothing, or blown up without end")
                inner = replace(around, to=to, within=(*around.within, name))
                yield from self._all(entities, inner)

    def _is_hidden(self, values: Values, layer: str) -> bool:
        on = self._layers.get(layer)
        of_layer = Values(on.tags) if on else None
        off = of_layer is not None and (of_layer.real(62, 7.0) < 0 or of_layer.whole(70) & 1)
        return bool(off or values.whole(60) or values.whole(67))

    def _colour(self, values: Values, layer: str, around: _Around) -> str:
        """ "#rrggbb", or the number of a colour of AutoCAD."""
        number = values.whole(62, _BY_LAYER)
        if (true := values.whole(420, -1)) >= 0:
            return f"#{true & 0xFFFFFF:06x}"
        if number == _BY_BLOCK:
            return around.colour
        if number == _BY_LAYER and layer in self._layers:
            return self._colour_of_layer(Values(self._layers[layer].tags))
        return str(number) if number != _BY_LAYER else ""

    def _colour_of_layer(self, values: Values) -> str:
        true = values.whole(420, -1)
        return f"#{true & 0xFFFFFF:06x}" if true >= 0 else str(abs(values.whole(62, 7)))

    def _error(self, entity: _Entity, message: str) -> GeometryError:
        where = f"{self._where}:{entity.tags[0].at}" if entity.tags else self._where
        return GeometryError(f"the {entity.kind} {message}", where=where)


def _is_solid(entity: _Entity, values: Values) -> bool:
    """Whether a polyline is a mesh or leaves the plane."""
    return entity.kind == "POLYLINE" and bool(values.whole(70) & (8 | 16 | 64))


def _sections(found: Sequence[Tag]) -> dict[str, list[_Entity]]:
    """Entities by section; of the header, variables by their names."""
    sections: dict[str, list[_Entity]] = {}
    current: list[_Entity] | None = None
    begins = [i for i, tag in enumerate(found) if tag.code in (0, 9)]
    for i, after in pairwise([*begins, len(found)]):
        tag = found[i]
        entity = _Entity(tag.value, tuple(found[i + 1 : after]) or (tag,))
        if tag.code == 0 and tag.value == "SECTION":
            current = sections.setdefault(entity.text(2), [])
        elif tag.code == 0 and tag.value == "ENDSEC":
            current = None
        elif current is not None:
            current.append(entity)
    return sections


def _blocks(entities: Sequence[_Entity]) -> dict[str, tuple[complex, list[_Entity]]]:
    """Base point and content of each block."""
    blocks: dict[str, tuple[complex, list[_Entity]]] = {}
    for is_block, group in groupby(entities, key=lambda e: e.kind == "BLOCK"):
        content = list(group)
        if is_block:
            head = content[-1]
            values = Values(head.tags)
            base = complex(values.real(10, 0.0), values.real(20, 0.0))
            blocks[head.text(2)] = base, []
        elif blocks:
            last = next(reversed(blocks))
            end = next((i for i, e in enumerate(content) if e.kind == "ENDBLK"), len(content))
            blocks[last] = blocks[last][0], content[:end]
    return blocks
