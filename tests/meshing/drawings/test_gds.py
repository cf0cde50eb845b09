"""Layouts of chips: each shape where it is, and nothing that hangs or breaks."""

from __future__ import annotations

import cmath
import math
import struct

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import sample_drawings as made
from wavelab.errors import GeometryError
from wavelab.meshing.drawings.areas import areas_of, chords
from wavelab.meshing.drawings.layers import layers_of
from wavelab.meshing.gds.document import read_document
from wavelab.meshing.gds.records import records


@pytest.fixture
def read(tmp_path):
    def document(cells, metres: float = 1e-9):
        file = tmp_path / "chip.gds"
        file.write_bytes(cells if isinstance(cells, bytes) else made.gds(cells, metres))
        return read_document(file)

    return document


def area(document) -> shapely.Geometry:
    """Of everything, y upwards."""
    _, areas = areas_of(document.outlines)
    return shapely.transform(shapely.union_all(areas), lambda p: p * (1, -1))


def same(one: shapely.Geometry, other: shapely.Geometry, tolerance: float = 1e-9) -> bool:
    return shapely.symmetric_difference(one, other).area <= tolerance * other.area


@given(value=st.floats(1e-20, 1e20))
def test_numbers_with_a_base_of_16(value):
    head = made.record(0, 2, b"\0\1") + made.record(3, 5, made.real(value) + made.real(-value))
    _, units, _ = records(head + made.record(4, 0), "a.gds")
    assert units.numbers == pytest.approx((value, -value), rel=1e-15)


def test_layers_by_number_and_micrometres(read):
    shapes = made.boundary(made.square(0, 1000), 10, 2) + made.boundary(made.square(0, 500), 2)
    document = read({"TOP": shapes + made.text("port 1")})
    layers, notes = layers_of(document)
    assert [(each.name, each.area) for each in layers] == [
        ("2/0", pytest.approx(0.25)), ("10/2", pytest.approx(1.0)),
    ]  # fmt: skip
    assert (document.unit_name, document.grid) == ("um", pytest.approx(1e-3))
    assert notes == ("left out 1 of the elements TEXT, which are no shapes",)
    # A unit of the database of 5 nm.
    assert area(read({"A": made.boundary(made.square(0, 1000))}, 5e-9)).area == pytest.approx(25)


CORNERS = [(0, 0), (900, 0), (900, 300), (300, 300), (300, 700)]


@given(
    inner=st.tuples(st.booleans(), st.sampled_from([0.5, 1.0, 2.0]), st.integers(0, 359)),
    outer=st.tuples(st.booleans(), st.sampled_from([0.5, 1.0, 2.0]), st.integers(0, 359)),
    at=st.tuples(st.integers(-5000, 5000), st.integers(-5000, 5000)),
)
@settings(max_examples=30, deadline=None)
def test_copies_of_copies_are_mirrored_magnified_turned_and_moved(
    inner, outer, at, tmp_path_factory
):
    def image(z: complex, mirrored, magnification, angle, shift: complex) -> complex:
        z = z.conjugate() if mirrored else z
        return magnification * cmath.rect(1, math.radians(angle)) * z + shift

    def placed(name, how, at):
        return made.reference(name, at, mirrored=how[0], magnification=how[1], angle=how[2])

    cells = {
        "TOP": placed("MIDDLE", outer, at),
        "MIDDLE": placed("SHAPE", inner, (1000, 200)),
        "SHAPE": made.boundary(CORNERS),
    }
    file = tmp_path_factory.mktemp("gds") / "a.gds"
    file.write_bytes(made.gds(cells))
    expected = [
        image(image(complex(*p), *inner, 1000 + 200j), *outer, complex(*at)) / 1000 for p in CORNERS
    ]
    (outline,) = read_document(file).outlines
    found = chords(outline) * (1, -1)
    np.testing.assert_allclose(found, [(z.real, z.imag) for z in expected], atol=1e-12)


def test_an_array_is_a_lattice_also_a_skew_one(read):
    corners = [(100, 50), (100 + 3 * 2000, 50), (100 + 2 * 500, 50 + 2 * 1500)]
    document = read(
        {"TOP": made.array("DOT", 3, 2, corners), "DOT": made.boundary(made.square(0, 400))}
    )
    lower = sorted(tuple(chords(o).min(axis=0).round(9)) for o in document.outlines)
    places = [(0.1 + 2 * i + 0.5 * j, -(0.05 + 1.5 * j + 0.4)) for i in range(3) for j in range(2)]
    np.testing.assert_allclose(lower, sorted(places), atol=1e-9)


@pytest.mark.parametrize(
    ("kind", "ends", "length"), [(0, (0, 0), 4.0), (2, (0, 0), 4.4), (4, (100, 300), 4.4)]
)
def test_a_path_has_width_and_ends(kind, ends, length, read):
    document = read({"A": made.path([(0, 0), (4000, 0)], 400, kind, ends=ends)})
    assert area(document).area == pytest.approx(0.4 * length)
    corner = read({"A": made.path([(0, 0), (2000, 0), (2000, 2000)], 400, kind, ends=ends)})
    assert area(corner).area == pytest.approx(0.4 * length)  # with a sharp corner outside


def test_round_ends_and_rings_of_paths(read):
    round_ends = area(read({"A": made.path([(0, 0), (4000, 0)], 400, 1)}))
    assert round_ends.area == pytest.approx(0.4 * 4 + math.pi * 0.04, rel=1e-3)
    ring = [*made.circle(2000, 180), made.circle(2000, 180)[0]]
    assert area(read({"A": made.path(ring, 400)})).area == pytest.approx(
        math.pi * (2.2**2 - 1.8**2), rel=2e-3
    )


def test_a_boundary_with_a_cut_to_its_hole_has_a_hole(read):
    outer, inner = made.circle(1000, 90), made.circle(600, 90)
    keyhole = [*outer, outer[0], inner[0], *inner[::-1]]
    exact = 90 / 2 * math.sin(math.tau / 90) * (1.0 - 0.36)
    assert area(read({"A": made.boundary(keyhole)})).area == pytest.approx(exact, rel=1e-3)


def test_the_structure_that_nothing_copies_is_taken(read):
    dot = made.boundary(made.square(0, 1000))
    document = read({"SMALL": dot, "BIG": made.reference("DOT") + dot, "DOT": dot})
    assert len(document.outlines) == 2
    assert document.notes == ('took "BIG" of 2 structures that nothing copies',)


def test_what_is_refused(read, tmp_path):
    dot = made.boundary(made.square(0, 1000))
    ring = {"A": made.reference("B"), "B": made.reference("C") + dot, "C": made.reference("A")}
    big = {f"L{i}": made.array(f"L{i + 1}", 100, 100, [(0, 0), (9, 0), (0, 9)]) for i in range(8)}
    cases = [
        (ring, "copies itself: A > B > C > A"),
        ({**big, "L8": dot}, r"has 1e\+?|has 1[0-9,]+ shapes with"),
        ({"A": made.reference("NOWHERE")}, '"NOWHERE" is copied, and is not in the file'),
        ({"A": made.array("B", 0, 5, [(0, 0)] * 3), "B": dot}, "has 0 columns and 5 rows"),
        ({"A": dot, "B": made.reference("A", magnification=1e70)}, "without end"),
        ({}, "no structure"),
        (made.gds({"A": dot}, 0.0), "its unit is 0 m"),
        (b"", "no GDSII file"),
        (b"<svg/>", "no GDSII file"),
        (made.gds({"A": dot}).replace(b"\0\4\4\0", b""), "ends before its library"),
        (made.gds({"A": dot}) + b"", None),
        (made.gds({"A": dot})[:-40], "ends|end"),
        (made.gds({"A": dot[:-4]}), "does not end"),
    ]
    for cells, message in cases:
        if message is None:
            assert read(cells).outlines
            continue
        with pytest.raises(GeometryError, match=message):
            read(cells)
    with pytest.raises(GeometryError, match="no such file"):
        read_document(tmp_path / "none.gds")
    deep = {f"D{i}": made.reference(f"D{i + 1}") for i in range(3000)}
    with pytest.raises(GeometryError, match="100 deep"):
        read({**deep, "D3000": dot})


WHOLE = made.gds(
    {
        "TOP": made.reference("A", (5, 5), mirrored=True, magnification=2, angle=90)
        + made.array("A", 2, 3, [(0, 0), (9000, 0), (0, 9000)])
        + made.path([(0, 0), (4000, 0), (4000, 4000)], 300, 4, ends=(10, 20)),
        "A": made.boundary(made.square(0, 1000)) + made.text("a"),
    }
)


@given(
    cut=st.integers(0, len(WHOLE)),
    spoilt=st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), max_size=4),
)
@settings(max_examples=200, deadline=None)
def test_spoilt_files_give_shapes_or_an_error(cut, spoilt, tmp_path_factory):
    content = bytearray(WHOLE)
    for place, value in spoilt:
        content[place] = value
    file = tmp_path_factory.mktemp("gds") / "a.gds"
    file.write_bytes(content[:cut] if not spoilt else content)
    try:
        layers_of(read_document(file))
    except GeometryError:
        pass
    except struct.error as error:  # pragma: no cover
        raise AssertionError("a record was read that is not there") from error
