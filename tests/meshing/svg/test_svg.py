"""Drawings: every way to draw an outline gives the right shape, and what is none is refused."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely

from wavelab.errors import GeometryError
from wavelab.meshing.drawings import drawing_scene
from wavelab.meshing.drawings.drawing import read_drawing
from wavelab.meshing.drawings.drawing_scene import SIZE, obstacles_of_drawing, scene_of_drawing_file
from wavelab.meshing.geometry_files import load_geometry, open_scene
from wavelab.meshing.job import mesh_scene
from wavelab.meshing.outlines import outline as outline_module
from wavelab.meshing.outlines.curves import Affine, Arc, Cubic, arc_between
from wavelab.meshing.outlines.shaping import TOLERANCE
from wavelab.meshing.svg import document, path_data, xml_tree
from wavelab.meshing.svg.numbers import UnreadableError, length, numbers, transform
from wavelab.meshing.svg.path_data import subpaths
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle, smooth_outline
from wavelab.scene.model.view import View
from wavelab.scene.toml.toml_io import dump_scene, parse_scene

#: 20 units are one length unit, and the origin is in the lower left corner.
FRAME = '<rect id="frame" x="0" y="0" width="40" height="20"/>'


@pytest.fixture
def drawn(tmp_path):
    """Writes a drawing; ``inside`` is what the svg element has in it."""

    def write(inside: str, attributes: str = 'viewBox="0 0 40 20"', before: str = "") -> Path:
        path = tmp_path / "drawing.svg"
        path.write_text(
            f'{before}<svg xmlns="http://www.w3.org/2000/svg" '
            f'xmlns:xlink="http://www.w3.org/1999/xlink" {attributes}>\n{inside}</svg>'
        )
        return path

    return write


def hole(path: Path):
    (found,) = scene_of_drawing_file(path).holes
    return found.shape


def area(shape) -> float:
    return shapely.Polygon(smooth_outline(shape)[0]).area


def units(*points):
    """Points of the drawing in the scene."""
    return [(x / 20, 1 - y / 20) for x, y in points]


# What is drawn


def test_the_largest_outline_is_the_domain_and_the_rest_are_holes(drawn):
    path = drawn(
        '<circle id="rod" cx="10" cy="5" r="2"/>' + FRAME + '<circle cx="30" cy="15" r="1"/>'
    )
    scene = scene_of_drawing_file(path)
    assert scene.outline == Rectangle((0, 0), (2, 1))
    assert [(h.name, h.shape) for h in scene.holes] == [
        ("rod", Ellipse((0.5, 0.75), (0.1, 0.1))),
        ("obstacle 2", Ellipse((1.5, 0.25), (0.05, 0.05))),
    ]
    assert scene.title == "drawing"
    assert parse_scene(dump_scene(scene)) == scene
    # A wave to look at, in the widest part.
    middle = float(scene.initial.ez.evaluate(x=np.array(1.0), y=np.array(0.5)))
    assert 0.1 < middle <= 1
    mesh = mesh_scene(scene)
    assert 2000 < mesh.n_elements < 4000
    assert mesh.signed_areas().sum() == pytest.approx(2 - math.pi * 0.0125, rel=1e-3)


SQUARE = units((10, 8), (14, 8), (14, 12), (10, 12))


@pytest.mark.parametrize(
    "text",
    [
        "M10 8 L14 8 L14 12 L10 12 Z",
        "M10,8 14,8 14,12 10,12z",
        "m10 8h4v4h-4z",
        "M10 8H14V12H10Z",
        "m 10 8 4 0 0 4 -4 0 z",
        "M10-.0 M10 8h4v4h-4V8",  # closed without Z; a lone move before it draws nothing
        "M1e1 .8e+1h4v4h-4z",
        "M10 8h4v4h-4v-3.9999",  # ends beside its beginning
        "M10 8h4h0v4h-4zz",
        "M10 8c0 0 0 0 0 0h4q0 0 0 0v4c0 0-4 0-4 0z",  # curves that are none
    ],
)
def test_lines_of_paths(drawn, text):
    shape = hole(drawn(f'{FRAME}<path d="{text}"/>'))
    assert isinstance(shape, Polygon | Rectangle)
    corners = smooth_outline(shape)[0]
    assert len(corners) == 4
    found = {(round(x, 4), round(y, 4)) for x, y in corners}
    assert found == {(round(x, 4), round(y, 4)) for x, y in SQUARE}


@pytest.mark.parametrize(
    "element",
    [
        '<rect x="10" y="8" width="4" height="4"/>',
        '<polygon points="10,8 14,8 14,12 10,12"/>',
        '<polyline points="10 8 14 8 14 12 10 12 10 8"/>',
        '<g transform="translate(8,6)"><rect x="2" y="2" width="4" height="4"/></g>',
        '<rect x="5" y="4" width="2" height="2" transform="scale(2)"/>',
        '<rect x="-12" y="10" width="4" height="4" transform="rotate(-90)"/>',
        '<rect x="2" y="2" width="4" height="4" transform="matrix(1 0 0 1 8 6)"/>',
        '<g transform="translate(10 8)"><g transform="scale(4 2)"><rect width="1" height="2"/></g>'
        "</g>",
        '<defs><rect id="r" width="4" height="4"/></defs><use xlink:href="#r" x="10" y="8"/>',
        '<symbol id="s"/><g id="g" display="none"/><use href="#q" transform="translate(10,0)"/>'
        '<defs><g id="q"><rect y="8" width="4" height="4"/></g></defs>',
        '<svg x="10" y="8" width="4" height="4" viewBox="0 0 1 1"><rect width="1" height="1"/>'
        "</svg>",
        '<svg x="10" y="8" width="4" height="4"><rect width="100%" height="100%"/></svg>',
        '<symbol id="s" viewBox="0 0 2 2"><rect width="2" height="2"/></symbol>'
        '<use href="#s" x="10" y="8" width="4" height="4"/>',
        '<defs><symbol id="s"><rect width="10%" height="20%"/></symbol></defs>'
        '<use href="#s" transform="translate(10 8)"/>',
        '<defs><svg id="s" x="2" width="1" height="1" viewBox="0 0 2 2">'
        '<rect width="2" height="2"/></svg></defs>'
        '<use href="#s" x="8" y="8" width="4" height="4"/>',
        '<rect x="25%" y="40%" width="10%" height="20%"/>',
        '<a><switch><rect x="10" y="8" width="4" height="4"/></switch></a>',
    ],
)
def test_a_square_by_any_other_way(drawn, element):
    shape = hole(drawn(FRAME + element))
    assert isinstance(shape, Rectangle)
    assert shape.lower == pytest.approx((0.5, 0.4), abs=1e-9)
    assert shape.upper == pytest.approx((0.7, 0.6), abs=1e-9)


@pytest.mark.parametrize(
    ("element", "radii", "angle"),
    [
        ('<circle cx="20" cy="10" r="4"/>', (0.2, 0.2), 0),
        ('<ellipse cx="20" cy="10" rx="6" ry="3"/>', (0.3, 0.15), 0),
        ('<ellipse cx="20" cy="10" rx="3" ry="6"/>', (0.3, 0.15), 90),
        ('<ellipse cx="20" cy="10" rx="3"/>', (0.15, 0.15), 0),
        ('<ellipse cx="20" cy="10" rx="6" ry="3" transform="rotate(30 20 10)"/>', (0.3, 0.15), -30),
        ('<circle r="1" transform="translate(20 10) scale(6 3)"/>', (0.3, 0.15), 0),
        ('<circle r="1" transform="matrix(6 0 0 -3 20 10)"/>', (0.3, 0.15), 0),
        ('<path d="M16 10a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"/>', (0.2, 0.2), 0),
        ('<path d="M24 10A4 4 0 0 1 20 14A4 4 0 0 1 16 10 4 4 0 0 1 20 6 4 4 0 0 124 10"/>',
         (0.2, 0.2), 0),
        ('<path d="M14 10a6 3 0 0 0 12 0 6 3 0 0 0-12 0"/>', (0.3, 0.15), 0),
        ('<path d="M20 6a4 4 0 1 0 .0001 0z"/>', (0.2, 0.2), 0),
        ('<path d="M24 10c0 2.209-1.791 4-4 4s-4-1.791-4-4 1.791-4 4-4 4 1.791 4 4z"/>',
         (0.2, 0.2), 0),
    ],
)  # fmt: skip
def test_what_is_round_stays_round(drawn, element, radii, angle):
    shape = hole(drawn(FRAME + element))
    assert isinstance(shape, Ellipse)
    assert shape.center == pytest.approx((1, 0.5), abs=1e-4)
    assert shape.radii == pytest.approx(radii, abs=1e-4)
    assert (shape.angle - angle) % 180 == pytest.approx(0, abs=1e-6)


def test_round_corners_are_arcs(drawn):
    shape = hole(drawn(FRAME + '<rect x="10" y="5" width="20" height="10" rx="2"/>'))
    assert isinstance(shape, Polygon)
    assert len(shape.vertices) == 8
    assert sorted(abs(b) for b in shape.bulges) == pytest.approx(
        [0] * 4 + [math.tan(math.pi / 8)] * 4
    )
    assert area(shape) == pytest.approx((200 - (4 - math.pi) * 4) / 400, rel=1e-4)
    pill = hole(drawn(FRAME + '<rect x="10" y="5" width="20" height="10" rx="50" ry="5"/>'))
    # Radii are cut to half of each side, so this one is an ellipse.
    assert isinstance(pill, Ellipse)
    assert pill.radii == pytest.approx((0.5, 0.25))


def cubic_points(curve, n=400):
    return np.array([curve.at(t) for t in np.linspace(0, 1, n)])


@pytest.mark.parametrize(
    ("text", "curves"),
    [
        ("M10 15C10 0 30 0 30 15z", [Cubic(10 + 15j, 10, 30, 30 + 15j)]),
        ("M10 10C20-10 20 30 30 10V18H10z", [Cubic(10 + 10j, 20 - 10j, 20 + 30j, 30 + 10j)]),
        ("M10 10c5-8 5-8 10 0s5 8 10 0v8h-20z",
         [Cubic(10 + 10j, 15 + 2j, 15 + 2j, 20 + 10j),
          Cubic(20 + 10j, 25 + 18j, 25 + 18j, 30 + 10j)]),
        ("M10 15Q20 0 30 15z", [Cubic.quadratic(10 + 15j, 20 + 0j, 30 + 15j)]),
        ("M10 10q5-8 10 0t10 0v8h-20z",
         [Cubic.quadratic(10 + 10j, 15 + 2j, 20 + 10j),
          Cubic.quadratic(20 + 10j, 25 + 18j, 30 + 10j)]),
        ("M10 10A12 5 20 1 1 30 10z", [arc_between(10 + 10j, 30 + 10j, 12, 5, 20, True, True)]),
    ],
)  # fmt: skip
def test_curves_are_followed_within_the_tolerance(drawn, text, curves):
    shape = hole(drawn(f'{FRAME}<path d="{text}"/>'))
    assert isinstance(shape, Polygon)
    assert len(shape.vertices) < 60
    rim = shapely.LinearRing(shape.outline(math.inf, 0.05)[0])
    for curve in curves:
        z = cubic_points(curve)
        points = shapely.points(z.real / 20, 1 - z.imag / 20)
        assert shapely.distance(points, rim).max() < 1.6 * TOLERANCE * SIZE
    # No vertex is off the curve, so the ring has no more to it than was drawn.
    exact = shapely.Polygon(
        [(z.real / 20, 1 - z.imag / 20) for c in curves for z in cubic_points(c)]
    )
    if "H" not in text and len(curves) == 1:
        assert area(shape) == pytest.approx(exact.area, rel=2e-3)


def test_arcs_end_where_they_should_and_go_the_right_way():
    rng = np.random.default_rng(3)
    for _ in range(300):
        a, b = (complex(*rng.normal(size=2)) for _ in range(2))
        rx, ry = rng.uniform(0.01, 3, 2)
        large, positive = (bool(flag) for flag in rng.integers(0, 2, 2))
        arc = arc_between(a, b, rx, ry, rng.uniform(-400, 400), large, positive)
        assert isinstance(arc, Arc)
        assert abs(arc.start - a) < 1e-9
        assert abs(arc.end - b) < 1e-9
        assert (arc.turn > 0) == positive
        ratio = sorted((rx, ry))
        assert arc.radii[1] / arc.radii[0] == pytest.approx(ratio[0] / ratio[1], rel=1e-9)
        if arc.radii[0] > ratio[1] * (1 + 1e-9):  # too small, and grown: just half of the ellipse
            assert abs(arc.turn) == pytest.approx(math.pi, abs=1e-6)
        else:
            assert (abs(arc.turn) > math.pi) == large


def test_affine_maps_of_curves_are_curves_of_mapped_points():
    rng = np.random.default_rng(4)
    first, second = (Affine.matrix(*rng.normal(size=6)) for _ in range(2))
    both = second @ first
    arc = arc_between(1 + 2j, -1 + 0.5j, 3, 1, 25, True, False)
    cubic = Cubic(*(complex(*rng.normal(size=2)) for _ in range(4)))
    for curve in (arc, cubic):
        for t in (0, 0.3, 1):
            expected = second(first(curve.at(t)))
            assert abs(curve.moved(both).at(t) - expected) < 1e-12
    assert Affine.matrix(1, 2, 3, 4, 5, 6)(1 + 1j) == (1 + 3 + 5) + (2 + 4 + 6) * 1j


def test_transforms_and_lengths():
    assert transform("translate(3) scale(2,-1)")(1 + 1j) == pytest.approx(5 - 1j)
    assert transform(" rotate( 90 ) , translate(1 0)")(0j) == pytest.approx(1j)
    assert transform("skewX(45)")(1j) == pytest.approx(1 + 1j)
    assert transform("skewY(45)")(1 + 0j) == pytest.approx(1 + 1j)
    assert transform("rotate(180, 1, 1)")(0j) == pytest.approx(2 + 2j)
    assert numbers(" 1,2 3-4 , .5.5,") == [1, 2, 3, -4, 0.5, 0.5]
    with pytest.raises(UnreadableError):
        numbers("1,,2")
    assert length("25.4mm", 0) == pytest.approx(96)
    assert length("1 in", 0) == length("72pt", 0) == length("6pc", 0) == 96
    assert length("50%", 30) == 15
    for text in ("rotate(1 2)", "spin(3)", "translate(1", "translate(a)", "scale(1e99)"):
        with pytest.raises(UnreadableError):
            transform(text)
    for text in ("2em", "", "mm", "1 2", "1e400"):
        with pytest.raises(UnreadableError):
            length(text, 1)


@pytest.mark.parametrize(
    ("attributes", "shape", "unit"),
    [
        ('viewBox="0 0 40 20"', (2, 1), "20 px"),
        ('width="400" height="200" viewBox="0 0 40 20"', (2, 1), "200 px"),
        ('width="80mm" height="40mm" viewBox="0 0 40 20"', (2, 1), "40 mm"),
        ('width="8cm" viewBox="0 0 40 20"', (2, 1), "40 mm"),
        ('width="80mm" height="80mm" viewBox="0 0 40 20"', (2, 1), "40 mm"),
        ('width="80mm" height="80mm" viewBox="0 0 40 20" preserveAspectRatio="none"', (2, 2),
         "40 mm"),
        ('width="100%" height="100%" viewBox="-7 3 40 20"', (2, 1), "20 px"),
        ("", (2, 1), "20 px"),
    ],
)  # fmt: skip
def test_units_and_the_viewbox(drawn, attributes, shape, unit):
    scene = scene_of_drawing_file(drawn(FRAME, attributes))
    assert scene.outline.upper == pytest.approx(shape)
    assert scene.outline.lower == (0, 0)
    assert f"1 length unit is {unit}." in scene.description


def test_what_is_not_seen_does_not_count(drawn):
    path = drawn(
        """<metadata><x xmlns="urn:x">Y</x></metadata><title>t</title><style>path {}</style>
        <defs><path d="M0 0L9 9"/><clipPath id="c"><text>no</text></clipPath></defs>
        <g style="display:none"><image/></g><path visibility="hidden" d="M0 0L9 9"/>
        <text> </text><rect width="0" height="3"/><circle r="0"/><path d=""/><path d="M3 3"/>
        <s:namedview xmlns:s="urn:s"><s:guide/></s:namedview><line/><g clip-path="none"/>"""
        + FRAME
    )
    assert scene_of_drawing_file(path).holes == ()


@pytest.mark.parametrize(
    ("element", "names"),
    [
        ('<g visibility="hidden">{a}<g><rect id="b" VISIBLE/></g></g>', ["b"]),
        ('<g style="visibility:hidden"><g visibility="visible">{a}</g>{b}</g>', ["a"]),
        ('<g visibility="hidden"><g visibility="inherit">{a}</g></g>{b}', ["b"]),
        ('<g visibility="hidden"><text>x</text><use href="#none"/><g clip-path="url(#c)">{a}</g>'
         "</g>{b}", ["b"]),
        ('<defs><g id="q">{a}<rect id="b" VISIBLE/></g></defs>'
         '<g visibility="collapse"><use href="#q"/></g>', ["b"]),
        ('<g display="none"><rect id="a" VISIBLE/></g>{b}', ["b"]),
        ('<g style="display:none !important">{a}</g>{b}', ["b"]),
        ('<g display="none" style="display : inline!important">{a}</g>', ["a"]),
        ('<g style="visibility:hidden ! important">{a}</g>{b}', ["b"]),
    ],
)  # fmt: skip
def test_only_what_is_hidden_is_left_out(drawn, element, names):
    place = 'x="{}" y="8" width="4" height="4"'
    shapes = {n: f'<rect id="{n}" {place.format(x)}/>' for n, x in (("a", 4), ("b", 12))}
    element = element.replace("VISIBLE", place.format(12) + ' visibility="visible"')
    scene = scene_of_drawing_file(drawn(FRAME + element.format(**shapes)))
    assert [hole.name for hole in scene.holes] == names


def test_errors_of_what_is_visible_in_what_is_hidden_are_told(drawn):
    path = drawn(f'{FRAME}<g visibility="hidden"><text><tspan visibility="visible">x</tspan></text>'
                 "</g>")  # fmt: skip
    with pytest.raises(GeometryError, match="is text"):
        scene_of_drawing_file(path)
    # Copies of themselves, hidden, end as others do.
    loop = '<g id="loop" visibility="hidden"><use href="#loop"/></g>'
    assert scene_of_drawing_file(drawn(FRAME + loop)).holes == ()


def test_of_two_with_the_same_id_the_first_is_copied(drawn):
    rects = '<g><rect id="r" width="2" height="4"/></g><rect id="r" width="8" height="4"/>'
    path = drawn(f'{FRAME}<defs>{rects}</defs><use href="#r" x="10" y="8"/>')
    assert hole(path).upper[0] == pytest.approx(0.6)


def test_percentages_of_a_copy_are_of_where_it_is(drawn):
    half = '<rect id="half" width="50%" height="50%"/>'
    path = drawn(
        f'{FRAME}<defs>{half}</defs><svg x="1" y="1" width="8" height="8"><use href="#half"/></svg>'
        '<svg x="20" y="1" width="16" height="16"><use href="#half"/></svg>'
    )
    widths = [
        hole.shape.upper[0] - hole.shape.lower[0] for hole in scene_of_drawing_file(path).holes
    ]
    assert sorted(widths) == pytest.approx([0.2, 0.4])


def test_what_lies_in_an_obstacle_is_left_out_and_said(drawn):
    notes = []
    ring = "M20 4a6 6 0 1 0 .0001 0zm0 3a3 3 0 1 0 .0001 0z"
    path = drawn(f'{FRAME}<path id="o" d="{ring}"/><path d="{ring}"/>' + FRAME)
    (found,) = scene_of_drawing_file(path, notify=notes.append).holes
    assert found.name == "o"
    assert found.shape.radii[0] == pytest.approx(0.3)
    assert notes == ["left out 3 outlines of drawing.svg within an obstacle, where no wave gets"]


def test_names_are_used_where_they_can_be(drawn):
    ids = ("domain", "a.b", "wing", "", "a_b")
    rods = (f'<circle id="{name}" cx="{5 + 5 * i}" cy="9" r="1"/>' for i, name in enumerate(ids))
    scene = scene_of_drawing_file(drawn(FRAME + "".join(rods)))
    assert [h.name for h in scene.holes] == [
        "obstacle 1",
        "a_b",
        "wing",
        "obstacle 4",
        "obstacle 5",
    ]


def test_as_obstacles_it_fits_into_the_middle(drawn):
    path = drawn('<rect id="a" x="5" y="5" width="20" height="4"/><circle cx="15" cy="12" r="3"/>')
    wing, rod = obstacles_of_drawing(read_drawing(path), ((1, 1), (5, 3)))
    assert (wing.name, rod.name) == ("a", "obstacle 2")
    # 20 by 10 in the drawing, half of 4 by 2.
    assert wing.shape.lower == pytest.approx((2, 2.1))
    assert wing.shape.upper == pytest.approx((4, 2.5))
    assert rod.shape.center == pytest.approx((3, 1.8))
    assert rod.shape.radii == pytest.approx((0.3, 0.3))


def test_a_frame_is_around_all_others(drawn):
    def frame(inside: str) -> str:
        return read_drawing(drawn(inside)).frame

    logo = '<circle id="dot" cx="5" cy="5" r="2"/>'
    logo += '<rect id="bar" x="10" y="5" width="20" height="4"/>'
    assert frame(logo) == ""
    assert frame(FRAME) == ""
    assert frame(FRAME + logo + FRAME.replace("frame", "copy")) == 'rect "frame"'
    assert frame(FRAME + logo + '<circle cx="39" cy="5" r="2"/>') == ""
    page = '<rect id="page" x="-1" y="-1" width="42" height="22"/>'
    outer = read_drawing(drawn(FRAME + page + page + logo))
    assert outer.frame == 'rect "page"'
    inner = outer.without_frame()
    assert inner.frame == 'rect "frame"'
    bar, dot = obstacles_of_drawing(inner.without_frame(), ((0, 0), (1, 1)))
    assert (bar.name, dot.name) == ("dot", "bar")
    # 27 by 6 in the drawing, half of 1.
    assert dot.shape.upper[0] - dot.shape.lower[0] == pytest.approx(20 / 54)


def test_it_is_solved_and_shown_the_way_of_another_scene(drawn):
    look = View("hx", palette="vik", limit=2.0, arrows="power")
    like = Scene("", Solver(0.3, order=7, precision="double"), view=look)
    scene = scene_of_drawing_file(drawn(FRAME), like)
    assert (scene.solver.order, scene.solver.precision) == (7, "double")
    assert scene.view == replace(look, limit=None)
    # No monitor is there to find anything.
    for changes in ({"quantity": "amplitude"}, {"arrows": "mean_power"}):
        view = scene_of_drawing_file(
            drawn(FRAME), replace(like, view=replace(look, **changes))
        ).view
        assert view.palette == "vik"
        assert (view.quantity, view.arrows) in (("ez", "none"), ("hx", "none"))


def test_geometry_files_know_drawings(drawn):
    path = drawn(FRAME)
    assert open_scene(path) == load_geometry(path) == scene_of_drawing_file(path)


# What is refused

OTHER = '<rect x="3" y="3" width="4" height="4"/>'


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        (f'{FRAME}<text id="t">Hello</text>', r':2: text "t" is text.*\n.*[Oo]bject to path'),
        (f"{FRAME}\n<text><tspan>Hello</tspan></text>", r":3: the text is text"),
        (f"{FRAME}<image/>", r"the image is a picture made of pixels.*\n.*[Tt]race"),
        (f"{FRAME}<foreignObject/>", "another language"),
        (f'{FRAME}<rect clip-path="url(#c)" width="3" height="3"/>', "clipped by another"),
        (f'<g style="clip-path:url(#c)">{FRAME}</g>', "the g is clipped"),
        (f'<g mask="url(#c)">{FRAME}</g>', "mask"),
        ('<path fill="none" d="M1 1L5 1 5 5"/>', r"is open: it .* \(1, 1\) to \(5, 5\)"),
        ('<line x1="1" x2="5"/>', "the line is open"),
        ('<g style="fill: none"><polyline points="1 1 5 1 5 5"/></g>', "is open"),
        ('<path stroke="black" d="M1 1L5 5"/>', "is open"),
        ('<path d="M1 1L5 1 9 1z"/>', "encloses an area"),
        (f'{FRAME}<path d="M1 1 k"/>', "cannot be read.*'k'"),
        (f'{FRAME}<path d="L1 1"/>', "begins with L"),
        (f'{FRAME}<path d="M1 1A1 1 0 2 0 5 5z"/>', "no flag"),
        (f'{FRAME}<path d="M1 1L5"/>', "takes 2 numbers, but there is the end"),
        (f'{FRAME}<path d="M1 1L1e30 5z"/>', "too large"),
        (f'{FRAME}<polygon points="1 1 2"/>', "odd number"),
        (f'{FRAME}<rect width="2em" height="1"/>', "no length"),
        (f'{FRAME}<rect width="2" height="1" transform="foo(1)"/>', "no transform"),
        (f'{FRAME}<rect width="2" height="1" transform="scale(0)"/>', "flattened to nothing"),
        (f'{FRAME}<rect width="2" height="1" style="transform: scale(2)"/>', "in its style"),
        (f'{FRAME}<use href="#nobody"/>', 'copies "#nobody", which is not'),
        (f'{FRAME}<use href="other.svg#x"/>', "not in the drawing"),
        (f"{FRAME}{'<g>' * 120}{'</g>' * 120}", "nested more than"),
        ('<ellipse rx="1" ry="1e-4"/>', "needle"),
        (f'{FRAME}<circle r="1" transform="scale(1e-308)"/>', "a radius of the circle is 1e-308"),
        (f'{FRAME}<rect y="1e15" width="9" height="7" rx="3" ry="4" transform="rotate(9)"/>',
         "coordinate"),
        ("", "no outline in the drawing"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_named(drawn, inside, said):
    with pytest.raises(GeometryError, match=f"(?s){said}") as caught:
        scene_of_drawing_file(drawn(inside))
    assert caught.value.where.startswith("drawing.svg")


@pytest.mark.parametrize("rest", ["L k", "l 5", "C 1 2 3 4 z", "A1 1 0 2 0 5 5z", "#"])
def test_a_path_is_read_up_to_where_it_cannot_be(drawn, rest):
    """As it is shown: SVG 2, 9.5.4."""
    notes = []
    path = drawn(f'{FRAME}<path id="p" d="M10 8H14V12H10z{rest}"/>')
    (found,) = scene_of_drawing_file(path, notify=notes.append).holes
    assert area(found.shape) == pytest.approx(0.04)
    assert len(notes) == 1
    assert notes[0].startswith('read path "p" up to where ')


def test_a_drawing_of_something_else(tmp_path):
    path = tmp_path / "a.svg"
    for content, said in (
        (b"", "not XML"),
        (b"\x89PNG\r\n\x1a\n", "not XML"),
        (b"<svg", "not XML"),
        (b"<html/>", 'outermost element is "html"'),
        (b"\x1f\x8b\x08", "compressed"),
        (b'<?xml version="1.0" encoding="klingon"?><svg/>', "not XML|encoding"),
    ):
        path.write_bytes(content)
        with pytest.raises(GeometryError, match=said):
            scene_of_drawing_file(path)
    with pytest.raises(GeometryError, match="no such file"):
        scene_of_drawing_file(tmp_path / "b.svg")
    with pytest.raises(GeometryError, match="cannot be read"):
        scene_of_drawing_file(tmp_path)


def test_plain_doctypes_are_fine_and_utf16_is_read(drawn, tmp_path):
    doctype = (
        '<?xml version="1.0" standalone="no"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" '
        '"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n'
    )
    path = drawn(FRAME, before=doctype)
    assert scene_of_drawing_file(path).outline == Rectangle((0, 0), (2, 1))
    wide = path.read_text().replace('standalone="no"', 'encoding="UTF-16"')
    path.write_bytes(wide.encode("utf-16"))
    assert scene_of_drawing_file(path).outline == Rectangle((0, 0), (2, 1))


def test_entities_are_refused(drawn):
    lol = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    for subset in (
        f'<!ENTITY l0 "lol">{lol}',
        '<!ENTITY x SYSTEM "file:///etc/passwd">',
        '<!ENTITY % p SYSTEM "http://127.0.0.1/x">%p;',
    ):
        path = drawn(f"{FRAME}<title>&l9;</title>", before=f"<!DOCTYPE svg [{subset}]>")
        with pytest.raises(GeometryError, match="declares an entity"):
            scene_of_drawing_file(path)


def test_bombs_of_copies_end(drawn):
    layers = "".join(
        f'<g id="l{i}">{f"<use href=&quot;#l{i - 1}&quot;/>".replace("&quot;", chr(34)) * 10}</g>'
        for i in range(1, 12)
    )
    path = drawn(f'<defs><g id="l0">{OTHER}</g>{layers}</defs>{FRAME}<use href="#l11"/>')
    with pytest.raises(GeometryError, match="copies of copies"):
        scene_of_drawing_file(path)
    path = drawn(f'{FRAME}<g id="loop"><use href="#loop"/></g>')
    with pytest.raises(GeometryError, match="copies of copies"):
        scene_of_drawing_file(path)


def test_there_are_limits(drawn, monkeypatch):
    monkeypatch.setattr(outline_module, "MOST_BYTES", 1000)
    with pytest.raises(GeometryError, match="larger than"):
        scene_of_drawing_file(drawn(FRAME + " " * 1000))
    monkeypatch.undo()
    monkeypatch.setattr(xml_tree, "MOST_ELEMENTS", 20)
    with pytest.raises(GeometryError, match="more than 20 elements"):
        scene_of_drawing_file(drawn(FRAME + "<g/>" * 20))
    monkeypatch.undo()
    monkeypatch.setattr("wavelab.meshing.svg.document.MOST_CURVES", 100)
    with pytest.raises(GeometryError, match="more than 100 curves"):
        scene_of_drawing_file(drawn(f'{FRAME}<path d="M1 1{"h.1" * 120}v1z"/>'))


def test_many_copies_of_a_long_path_are_parsed_once(drawn, monkeypatch):
    calls = []
    real = document.DRAWN["path"]
    monkeypatch.setitem(document.DRAWN, "path", lambda *a: calls.append(1) or real(*a))
    copies = "".join(
        f'<use href="#p" x="{i}" y="{j}"/>' for i in range(1, 38) for j in range(1, 18)
    )
    path = drawn(f'<defs><path id="p" d="m0 0a.3.3 0 1 0 .3.3z"/></defs>{FRAME}{copies}')
    assert len(document.read_document(path).outlines) == 1 + 37 * 17
    assert len(calls) == 1


def test_numbers_without_blanks():
    (path,) = subpaths("M.5.5-1e0-1+2+2.z")
    assert [curve.start for curve in path.curves] == [0.5 + 0.5j, -1 - 1j, 2 + 2j]
    assert path.closed
    # After a Z the next outline begins where the last one did.
    _, second = subpaths("M1 1h1v1zl2 2h3z")
    assert second.start == 1 + 1j


def test_outlines_in_outlines_are_each_looked_at_once(drawn, monkeypatch):
    monkeypatch.setattr(drawing_scene, "_MOST_LOOKS", 60)
    nested = "".join(
        f'<rect x="{10 + 0.1 * i}" y="5" width="{12 - 0.2 * i}" height="10"/>' for i in range(50)
    )
    assert len(scene_of_drawing_file(drawn(FRAME + nested)).holes) == 1
    crossing = "".join(f'<circle cx="{15 + 0.1 * i}" cy="10" r="3"/>' for i in range(50))
    with pytest.raises(GeometryError, match="too many of its 50 outlines overlap"):
        scene_of_drawing_file(drawn(FRAME + crossing))


def test_a_path_has_an_end(monkeypatch):
    monkeypatch.setattr(path_data, "_MOST_COMMANDS", 5)
    assert len(subpaths("M0 0L1 0 1 1 0 1Z")) == 1
    with pytest.raises(UnreadableError, match="more than 5 commands"):
        subpaths("M0 0L1 0 1 1 0 1ZZ")


def test_outlines_of_nothing_are_none(drawn):
    points = '<polygon points="3 4"/><polygon points="3 4 3 4"/><path d="M3 4Z"/>'
    assert scene_of_drawing_file(drawn(FRAME + points)).holes == ()
    with pytest.raises(GeometryError, match="there is no outline"):
        scene_of_drawing_file(drawn(points))


def test_an_outline_whose_area_is_lost_is_refused(drawn):
    tiny = '<rect width="1e-200" height="1e-200"/>'
    with pytest.raises(GeometryError, match="area is lost in rounding"):
        scene_of_drawing_file(drawn(tiny, 'viewBox="0 0 1e-200 1e-200"'))


@pytest.mark.parametrize(
    ("inside", "area", "said"),
    [
        # What is filled a browser closes.
        ('<path d="M5 5H35V30L20 38 5 30V9"/>', 870.0, ""),
        ('<g style="fill:none"><path fill="red" d="M0 0A1 1 0 0 1 2 0"/></g>', math.pi / 2, ""),
        # A line that runs on past a corner, and one that crosses where it should touch.
        ('<path d="M22.004 8H8v22h14c9 0 12-5 12-11S31 8 22 8z"/>', None, "lets it cross itself"),
        ('<path d="M0 0H9V9H0L.005-.005z"/>', 81.0, "lets it cross itself"),
        # One that really crosses itself is all that is filled.
        ('<path id="eight" d="M1 1L5 5 5 1 1 5z"/>', 8.0, 'straight edges of path "eight"'),
        ('<path d="M5 5C35 15-5 15 25 5z"/>', None, "straight edges of the path"),
        # What has no size draws nothing.
        ('<circle r="3"/><path d="M1 1z"/><path d="M1 1L2 1z"/>', 9 * math.pi, "without an area"),
        ('<circle r="3"/><path d="M9 9L12 12"/>', 9 * math.pi, ""),
    ],
)
def test_what_a_browser_fills_becomes_an_outline(drawn, inside, area, said):
    drawing = read_drawing(drawn(inside))
    if area is not None:
        assert sum(d.area.area for d in drawing.drawn) == pytest.approx(area, rel=1e-2)
    assert said in " ".join(drawing.notes)
    assert bool(said) == bool(drawing.notes)
    told: list[str] = []
    assert len(obstacles_of_drawing(drawing, ((0, 0), (1, 1)), notify=told.append))
    assert told == list(drawing.notes)


def test_a_frame_is_drawn_around_outlines_beside_each_other(drawn):
    told: list[str] = []
    path = drawn('<rect width="4" height="4"/><circle cx="8" cy="2" r="2"/>')
    scene = scene_of_drawing_file(path, notify=told.append)
    assert len(scene.holes) == 2
    (x0, y0), (x1, y1) = scene.outline.bounds()
    # 10 by 4, and a quarter of 10 on all sides.
    assert (x1 - x0) / (y1 - y0) == pytest.approx(15 / 9)
    assert told == ["drew a frame around drawing.svg, which is no single outline with others in it"]


def test_copies_of_one_element_can_be_told_apart(drawn):
    copies = (
        '<defs><rect id="r" width="3" height="2"/></defs><use href="#r"/><use href="#r" y="4"/>'
    )
    drawing = read_drawing(drawn(copies))
    assert sorted(d.outline.label for d in drawing.drawn) == ['rect "r copy 2"', 'rect "r"']
