"""DXF drawings: every kind of entity encloses what it should, wherever a block puts it."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import sample_drawings as made
from wavelab.errors import GeometryError
from wavelab.meshing.drawings.areas import areas_of
from wavelab.meshing.drawings.drawing_scene import scene_of_drawing_file
from wavelab.meshing.drawings.layers import layers_of
from wavelab.meshing.dxf import document
from wavelab.meshing.dxf.document import read_document
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle


@pytest.fixture
def read(tmp_path):
    def drawn(entities: str | bytes, **others):
        file = tmp_path / "plan.dxf"
        is_whole = isinstance(entities, bytes)
        file.write_bytes(entities if is_whole else made.dxf(entities, **others).encode())
        return read_document(file)

    return drawn


def area_of(drawn) -> float:
    layers, _ = layers_of(drawn)
    return sum(layer.area for layer in layers)


SPLINE = [
    (70, 4), (71, 2), *[(40, k) for k in (0, 0, 0, 1, 1, 2, 2, 2)],
    *[(41, w) for w in (1, math.sqrt(0.5), 1, math.sqrt(0.5), 1)],
    *[p for x, y in ((2, 0), (2, 2), (0, 2), (-2, 2), (-2, 0)) for p in ((10, x), (20, y))],
]  # fmt: skip
BASE = made.entity("LINE", (10, -2), (20, 0), (11, 2), (21, 0))
HALF = math.pi * 4 / 2
HATCH = [(2, "SOLID"), (70, 1), (71, 0), (91, 2)]
LOOP = [(92, 2), (72, 0), (73, 1), (93, 4), *made.vertices((0, 0), (4, 0), (4, 4), (0, 4)), (97, 0)]
ROUND = [(92, 1), (93, 1), (72, 2), (10, 2), (20, 2), (40, 1), (50, 0), (51, 360), (73, 1), (97, 0)]
KINDS = {
    "polyline": (made.polyline((0, 0), (3, 0), (3, 2), (0, 2)), 6.0),
    "stadium": (made.polyline((0, 0), (3, 0, 1), (3, 2), (0, 2, 1)), 6 + math.pi),
    "lens": (made.polyline((0, 0, 0.5), (2, 0, 0.5)), None),
    "circle": (made.entity("CIRCLE", (10, 1), (20, 1), (40, 2)), 4 * math.pi),
    "arc and line": (
        made.entity("ARC", (10, 0), (20, 0), (40, 2), (50, 0), (51, 180)) + BASE,
        HALF,
    ),
    "spline": (made.entity("SPLINE", *SPLINE) + BASE, HALF),
    "ellipse": (
        made.entity("ELLIPSE", (10, 0), (20, 0), (11, 1), (21, 1), (40, 0.5)),
        math.pi,
    ),
    "half an ellipse": (
        made.entity("ELLIPSE", (10, 0), (20, 0), (11, 2), (21, 0), (40, 1), (41, 0), (42, math.pi))
        + BASE,
        HALF,
    ),
    "lines": (
        "".join(
            made.entity("LINE", (10, a[0]), (20, a[1]), (11, b[0]), (21, b[1]))
            for a, b in pairwise(((0, 0), (3, 0), (3, 2), (0, 2.0001), (0, 0)))
        ),
        6.0,
    ),
    "old polyline": (
        made.entity("POLYLINE", (66, 1), (70, 1))
        + "".join(made.entity("VERTEX", (10, x), (20, y)) for x, y in ((0, 0), (3, 0), (0, 2)))
        + made.entity("SEQEND"),
        3.0,
    ),
    "solid": (
        made.entity("SOLID", *[p for i, (x, y) in enumerate(((0, 0), (3, 0), (0, 2), (3, 2)))
                               for p in ((10 + i, x), (20 + i, y))]),
        6.0,
    ),
    "hatch with a hole": (made.entity("HATCH", *HATCH, *LOOP, *ROUND), 16 - math.pi),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_what_an_entity_encloses(kind, read):
    entities, exact = KINDS[kind]
    exact = exact or 2 * (25 / 16 * (2 * math.atan(0.5) - math.sin(4 * math.atan(0.5)) / 2))
    assert area_of(read(entities)) == pytest.approx(exact, rel=5e-4)
    binary = made.in_binary(made.dxf(entities))
    assert area_of(read(binary)) == pytest.approx(exact, rel=5e-4)


@pytest.mark.parametrize("kind", KINDS)
@given(
    stretch=st.tuples(st.sampled_from([-2.0, -1.0, 0.5, 3.0]), st.sampled_from([-1.0, 0.5, 2.0])),
    angle=st.floats(-360, 360),
    facing=st.sampled_from([1, -1]),
)
@settings(max_examples=8, deadline=None)
def test_a_block_scales_areas_and_turns_nothing_inside_out(
    kind, stretch, angle, facing, tmp_path_factory
):
    entities, _ = KINDS[kind]
    place = [(2, "B"), (10, 5), (20, -3), (41, stretch[0]), (42, stretch[1]), (50, angle)]
    place += [(230, facing)]
    file = tmp_path_factory.mktemp("dxf") / "a.dxf"
    blocks = made.block("B", entities, (1, 2))
    once, twice = made.entity("INSERT", *place), made.block("C", made.entity("INSERT", *place))
    file.write_text(made.dxf(entities))
    alone = area_of(read_document(file))
    file.write_text(made.dxf(once, blocks=blocks))
    factor = abs(stretch[0] * stretch[1])
    assert area_of(read_document(file)) == pytest.approx(factor * alone, rel=1e-3)
    file.write_text(
        made.dxf(made.entity("INSERT", *place[:1][:0], (2, "C"), *place[1:]), blocks=blocks + twice)
    )
    assert area_of(read_document(file)) == pytest.approx(factor**2 * alone, rel=2e-3)


def test_what_faces_down_is_mirrored(read):
    """Of an extrusion along -z, x goes to the left, but for what is in the coordinates of the
    world."""
    corner = (3.0, 1.0)
    flat = made.polyline((0, 0), corner, (0, 1)).replace("90\n3", "230\n-1\n90\n3")
    _, (area,) = areas_of(read(flat).outlines)
    assert area.bounds == pytest.approx((-3, -1, 0, 0))


@pytest.mark.parametrize(
    ("unit", "name", "factor"), [(4, "mm", 1), (13, "um", 1), (1, "cm", 2.54), (2, "m", 0.3048)]
)
def test_units_of_the_header(unit, name, factor, read):
    drawn = read(made.polyline((0, 0), (1, 0), (1, 1), (0, 1)), unit=unit)
    assert drawn.unit_name == name
    assert area_of(drawn) == pytest.approx(factor**2)
    unsaid = read(made.polyline((0, 0), (1, 0), (1, 1)), unit=None)
    assert unsaid.unit_name == ""
    assert "$INSUNITS" in unsaid.notes[0]


def test_layers_colours_and_what_is_hidden(read):
    def layer(name, colour, flags=0):
        return made.entity("LAYER", (2, name), (70, flags), (62, colour))

    def dot(on, *more):
        return made.entity("CIRCLE", (10, 0), (20, 0), (40, 1), *more, layer=on)

    tables = layer("metal", 5) + layer("off", -3) + layer("frozen", 3, 1)
    entities = dot("metal") + dot("metal", (62, 1)) + dot("metal", (420, 0xFF8000)) + dot("off")
    entities += dot("frozen") + dot("metal", (60, 1)) + made.entity("TEXT", (1, "hello"))
    entities += made.entity("INSERT", (2, "B"), (10, 9), (20, 9), layer="metal")
    drawn = read(entities, tables=tables, blocks=made.block("B", dot("0") + dot("other")))
    found = [(outline.layer, outline.colour) for outline in drawn.outlines]
    assert found == [
        ("metal", "5"), ("metal", "1"), ("metal", "#ff8000"), ("metal", "5"), ("other", ""),
    ]  # fmt: skip
    assert drawn.notes == ("left out what is no outline or is hidden: 3 CIRCLE, 1 TEXT",)
    layers, _ = layers_of(drawn)
    assert [each.name for each in layers] == ["metal 5", "metal 1", "metal #ff8000", "other"]


def test_opened_as_it_is_the_largest_outline_is_the_domain(tmp_path):
    file = tmp_path / "room.dxf"
    entities = made.polyline((0, 0), (40, 0, 1), (40, 20), (0, 20))
    entities += made.polyline((5, 5), (8, 5), (8, 8), (5, 8))
    file.write_text(made.dxf(entities + made.entity("CIRCLE", (10, 20), (20, 10), (40, 2))))
    scene = scene_of_drawing_file(file)
    assert isinstance(scene.outline, Polygon)
    square, disc = (hole.shape for hole in scene.holes)
    assert isinstance(square, Rectangle)
    assert isinstance(disc, Ellipse)
    assert square.lower == pytest.approx((0.2, 0.2))  # upwards stays upwards
    assert disc.radii == pytest.approx((0.08, 0.08))
    assert "25 mm" in scene.description


def test_what_is_refused(read, monkeypatch):
    monkeypatch.setattr(document, "MOST_DRAWN", 2_000)
    dot = made.entity("CIRCLE", (10, 0), (20, 0), (40, 1))
    insert = made.entity("INSERT", (2, "B"), (10, 0), (20, 0))
    many = made.entity("INSERT", (2, "B"), (10, 0), (20, 0), (70, 30000), (71, 30000))
    deep = "".join(
        made.block(f"B{i}", made.entity("INSERT", (2, f"B{i + 1}"), (10, 0), (20, 0)) * 10)
        for i in range(40)
    ) + made.block("B40", "")
    cases = [
        (insert, {"blocks": made.block("B", insert)}, "inserts itself"),
        (insert, {}, '"B", which is not in the file'),
        (many, {"blocks": made.block("B", dot)}, "900,000,000 times"),
        (made.entity("INSERT", (2, "B0"), (10, 0), (20, 0)), {"blocks": deep}, "2,000 entities"),
        (made.entity("CIRCLE", (10, "x"), (20, 0), (40, 1)), {}, "should be"),
        (made.entity("CIRCLE", (10, "nan"), (20, 0), (40, 1)), {}, "value nan"),
        (made.entity("CIRCLE", (10, 0), (20, 0)), {}, "no value 40"),
        (made.entity("SPLINE", (71, 3), (40, 0), (10, 0), (20, 0)), {}, "knots"),
        (made.entity("HATCH", (91, 1), (92, 1), (93, 1), (72, 9)), {}, "kind 9"),
        (made.entity("HATCH", (91, 2000000)), {}, "too early"),
    ]  # fmt: skip
    for entities, others, message in cases:
        with pytest.raises(GeometryError, match=message):
            read(entities, **others)
    for content, message in (
        (b"AC1032...", "is a DWG"),
        (b"<svg/>\n\n", "no DXF"),
        (b"", "no section ENTITIES"),
        (made.in_binary(made.dxf(dot))[:-20], "ends within|ENTITIES"),
    ):
        with pytest.raises(GeometryError, match=message):
            read(content)
    with pytest.raises(GeometryError, match="nothing in the drawing encloses"):
        layers_of(read(made.entity("LINE", (10, 0), (20, 0), (11, 1), (21, 1))))


WHOLE = made.dxf(
    "".join(entities for entities, _ in KINDS.values())
    + made.entity("INSERT", (2, "B"), (10, 0), (20, 0)),
    blocks=made.block("B", made.entity("CIRCLE", (10, 0), (20, 0), (40, 1))),
    tables=made.entity("LAYER", (2, "0"), (70, 0), (62, 7)),
)


@given(
    spoilt=st.lists(
        st.tuples(
            st.integers(0, WHOLE.count("\n") - 1),
            st.sampled_from(["", "nan", "-1", "1e308", "0", "99999999", "HATCH", "x", "1e-300"]),
        ),
        max_size=5,
    ),
    cut=st.integers(1, 100),
)
@settings(max_examples=150, deadline=None)
def test_spoilt_files_give_outlines_or_an_error(spoilt, cut, tmp_path_factory):
    lines = WHOLE.splitlines()
    for at, value in spoilt:
        lines[at] = value
    file = tmp_path_factory.mktemp("dxf") / "a.dxf"
    file.write_text("\n".join(lines[: len(lines) * cut // 100] if not spoilt else lines))
    try:
        layers, _ = layers_of(read_document(file))
    except GeometryError:
        return
    assert all(shapely.is_valid(area) for layer in layers for area in layer.areas)
