"""Layers as materials, obstacles and the domain: areas are kept, and common borders make no
slivers."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import sample_drawings as made
from wavelab.cli import main
from wavelab.errors import GeometryError, WavelabError
from wavelab.meshing.drawings.devices import Wishes
from wavelab.meshing.drawings.importing import import_drawing
from wavelab.meshing.drawings.round_runs import arcs_in
from wavelab.meshing.geometry_files import open_scene
from wavelab.meshing.job import mesh_scene
from wavelab.meshing.triangulation.limits import MeshLimits
from wavelab.numerics.fields.discretization import discretize
from wavelab.scene.model.scene import Material, Scene
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle
from wavelab.scene.model.shapes.shape import area_of
from wavelab.scene.toml.toml_io import load_scene
from wavelab.scene.walls import OpenWall


@pytest.fixture
def taken(tmp_path):
    def scene(content: bytes | str, *said: str, ending: str = ".gds", **wishes) -> Scene:
        file = tmp_path / f"chip{ending}"
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        notes: list[str] = []
        pairs = [tuple(text.split("=", 1)) for text in said]
        found = import_drawing(file, pairs, Wishes(**wishes), notify=notes.append)
        scene.notes = notes
        return found

    return scene


def covered(scene: Scene) -> dict[float, float]:
    """Area in the domain by the epsilon that holds there."""
    found: dict[float, shapely.Geometry] = {}
    for region in scene.materials:
        area = area_of(region.shape)
        for other in found:
            found[other] = shapely.difference(found[other], area)
        epsilon = region.material.epsilon
        found[epsilon] = shapely.union(found.get(epsilon, shapely.Polygon()), area)
    domain = area_of(scene.outline)
    return {key: shapely.intersection(area, domain).area for key, area in found.items()}


def ring(radius: float, width: float, corners: int = 720) -> bytes:
    """As layouts have it: in two halves."""
    outer = made.circle(radius + width / 2, corners)
    inner = made.circle(radius - width / 2, corners)
    half = corners // 2
    upper = [*outer[: half + 1], *inner[: half + 1][::-1]]
    lower = [*outer[half:], outer[0], inner[0], *inner[half:][::-1]]
    return made.boundary(upper) + made.boundary(lower)


def test_a_ring_and_its_bus_are_arcs_and_lines(taken):
    bus = made.path([(-8000, -5650), (8000, -5650)], 450)
    scene = taken(made.gds({"TOP": ring(5000, 450) + bus}), "1/0=material,index=2")
    exact = math.pi * (5.225**2 - 4.775**2) + 16 * 0.45
    assert covered(scene) == {4.0: pytest.approx(exact, rel=1e-3)}
    assert scene.units.length == "um"
    assert isinstance(scene.walls[0], OpenWall)
    radii = [arc.radii[0] for m in scene.materials for arc in m.shape.arcs().values()]
    assert len(radii) >= 8
    assert all(min(abs(r - 5.225), abs(r - 4.775)) < 2e-3 for r in radii)
    assert sum(len(m.shape.corners()) for m in scene.materials) < 30  # of 1444 corners


@given(
    layers=st.permutations([1, 2, 3]),
    corners=st.sampled_from([96, 360, 501, 720]),
    shift=st.integers(-700, 700),
    turn=st.integers(0, 3600).map(lambda tenths: tenths / 10),
)
@settings(max_examples=6, deadline=None)
def test_what_touches_and_overlaps_is_meshed_without_slivers(
    layers, corners, shift, turn, tmp_path_factory
):
    """A disc, a ring around it and a slab that may cut through both: elements stay good, and each
    point has the material of the layer named last."""
    disc = made.boundary(made.circle(2000, corners), 1)
    around = [*made.circle(3000, corners), made.circle(3000)[0], *made.circle(2000, corners)[:1]]
    rim = made.boundary([*around, *made.circle(2000, corners)[::-1]], 2)
    low, high = shift, shift + 900
    slab = made.boundary([(-4000, low), (4000, low), (4000, high), (-4000, high)], 3)
    cells = {"TOP": made.reference("ALL", angle=turn), "ALL": disc + rim + slab}
    file = tmp_path_factory.mktemp("gds") / "a.gds"
    file.write_bytes(made.gds(cells))
    said = [(f"{layer}/0", f"material,epsilon={layer + 1}") for layer in layers]
    scene = import_drawing(file, said, Wishes(element_size=0.8))
    own = {
        1: shapely.Point(0, 0).buffer(2, 256),
        2: shapely.Point(0, 0).buffer(3, 256).difference(shapely.Point(0, 0).buffer(2, 256)),
        3: shapely.box(-4, shift / 1000, 4, (shift + 900) / 1000),
    }
    left = dict(own)
    for i, layer in enumerate(layers):
        for above in layers[i + 1 :]:
            left[layer] = left[layer].difference(own[above])
    expected = {layer + 1.0: area.area for layer, area in left.items() if area.area > 1e-9}
    found = covered(scene)
    for epsilon, area in expected.items():
        assert found[epsilon] == pytest.approx(area, rel=5e-3, abs=5e-3)
    mesh = mesh_scene(scene, limits=MeshLimits(seconds=10))
    assert mesh.qualities().min() > 0.05
    d = discretize(mesh, 3)
    per_element = d.integrate(np.ones(d.shape))
    for i, name in enumerate(mesh.region_names[1:], start=1):
        region = next(m for m in scene.materials if m.name == name)
        inside = per_element[d.mesh.regions == i].sum()
        assert inside == pytest.approx(area_of(region.shape).area, rel=1e-3, abs=1e-3)


@given(
    radius=st.floats(0.5, 50),
    begin=st.floats(0, 360),
    turn=st.floats(20, 320),
    step=st.floats(0.2, 6.0),
    rounding=st.sampled_from([0.0, 1e-3]),
)
@settings(max_examples=60, deadline=None)
def test_runs_of_short_edges_on_a_circle_are_a_few_arcs(radius, begin, turn, step, rounding):
    count = max(8, math.ceil(turn / step))
    if math.radians(turn / count) * radius < 20 * rounding:
        return
    angles = np.radians(begin + turn * np.arange(count + 1) / count)
    points = radius * np.exp(1j * angles)
    if rounding:
        points = np.round(points / rounding) * rounding
    edges = arcs_in(points, 1.5 * rounding or 1e-9)
    assert len(edges) <= math.ceil(turn / 50) + 2
    assert sum(math.degrees(4 * math.atan(b)) for _, b in edges) == pytest.approx(turn, rel=0.05)
    corner = [0j, 1 + 0j, 2 + 0j, 2 + 1j, 2 + 2j]
    assert arcs_in(corner, 1e-9) == [(0j, 0.0), (2 + 0j, 0.0)]


@given(radius=st.floats(0.5, 20), turn=st.integers(10, 90), length=st.floats(1, 20))
@settings(max_examples=40, deadline=None)
def test_the_lines_that_a_bend_ends_in_stay_straight(radius, turn, length):
    """An arc of edges of a degree, between two lines along its tangents, rounded as on a chip."""
    angles = np.radians(np.arange(turn + 1))
    bend = radius * (np.exp(1j * angles) - 1)
    first, last = bend[0] - 1j * length, bend[-1] + 1j * np.exp(1j * angles[-1]) * length
    points = np.round(np.array([first, *bend, last]) * 1000) / 1000
    edges = arcs_in(points, 2e-3)
    straight = [i for i, (_, bulge) in enumerate(edges) if not bulge]
    assert {0, len(edges) - 1} <= set(straight)
    total = sum(math.degrees(4 * math.atan(bulge)) for _, bulge in edges)
    slack = math.degrees(2 * math.sqrt(2 * 4e-3 / radius))  # what is straight to within rounding
    assert abs(total - turn) <= slack + 1.5
    ends = np.array([*(start for start, _ in edges), points[-1]])
    for (start, bulge), end in zip(edges, ends[1:], strict=True):
        if not bulge and abs(end - start) > 2 * length / 3:
            way = np.angle((end - start) / 1j)
            assert min(abs(way), abs(way - angles[-1])) < 0.02 + 8e-3 / length


def test_polygons_that_are_meant_stay_polygons():
    for corners in (4, 6, 8, 12, 36):
        points = [complex(*p) for p in made.circle(1, corners)]
        assert arcs_in([*points, points[0]], 1e-9) == [(p, 0.0) for p in points]


PLAN = made.dxf(
    made.polyline((0, 0), (40, 0), (40, 20), (0, 20), layer="room")
    + made.entity("CIRCLE", (10, 10), (20, 10), (40, 3), layer="pillar")
    + made.entity("CIRCLE", (10, 30), (20, 10), (40, 4), layer="glass")
    + made.polyline((25, 2), (26, 2), (26, 3), (25, 3), layer="notes")
)


def test_layers_of_a_plan_become_domain_obstacle_and_material(taken):
    scene = taken(
        PLAN, "room=domain,wall=absorbing", "pillar=obstacle,wall=magnetic",
        "glass=material,epsilon=2.25", ending=".dxf",
    )  # fmt: skip
    assert scene.outline == Rectangle((0, 0), (40, 20))
    assert [(h.name, h.shape) for h in scene.holes] == [("pillar 1", Ellipse((10, 10), (3, 3)))]
    assert scene.materials[0].shape == Ellipse((30, 10), (4, 4))
    assert scene.materials[0].material == Material(epsilon=2.25)
    assert {type(wall).__name__: wall.edges for wall in scene.walls} == {
        "AbsorbingWall": ("domain",), "MagneticWall": ("pillar 1",),
    }  # fmt: skip
    assert scene.units.length == "mm"
    assert taken.notes == ['left out layer "notes", of which nothing is said']


def test_a_box_cuts_out_a_part(taken):
    bus = made.path([(-50000, 0), (50000, 0)], 500)
    far = made.boundary([(30000, 30000), (31000, 30000), (31000, 31000)])
    scene = taken(made.gds({"A": bus + far}), "1/0=material,epsilon=12", box=(-5.0, -2.0, 5.0, 2.0))
    assert scene.outline == Rectangle((-5, -2), (5, 2))
    assert [m.shape for m in scene.materials if isinstance(m.shape, Polygon)]
    assert covered(scene) == {12.0: pytest.approx(10 * 0.5)}
    assert area_of(scene.materials[0].shape).bounds == pytest.approx((-5, -0.25, 5, 0.25))


SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50"
  xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape">
  <g inkscape:groupmode="layer" inkscape:label="frame"><rect width="100" height="50"/></g>
  <g inkscape:groupmode="layer" inkscape:label="parts">
    <g id="inner" fill="rgb(0,0,255)"><circle cx="20" cy="25" r="10"/></g>
    <path style="fill:#F00" fill-rule="evenodd" d="M60 15h20v20h-20zM65 20h10v10h-10z"/>
  </g></svg>"""


def test_layers_and_colours_of_an_svg(taken):
    scene = taken(
        SVG, "frame=domain", "#0000ff=material,epsilon=4", "parts #ff0000=obstacle", ending=".svg"
    )
    assert scene.outline == Rectangle((0, 0), (2, 1))
    assert scene.materials[0].shape == Ellipse((0.4, 0.5), (0.2, 0.2))
    cut = sum(area_of(hole.shape).area for hole in scene.holes)
    assert cut == pytest.approx((20**2 - 10**2) / 50**2)  # the hole in the frame is open
    both = taken(SVG, "frame=domain", "parts=material,index=3", ending=".svg")
    assert covered(both) == {9.0: pytest.approx((math.pi * 100 + 300) / 2500, rel=1e-3)}


@pytest.mark.parametrize("rule", ["nonzero", "evenodd"])
@pytest.mark.parametrize("inner", ["h10v10h-10z", "v10h10v-10z"])
def test_the_rule_that_fills_a_path_is_kept(rule, inner, taken):
    """Squares of 20 and 10: with "nonzero" it matters which way the inner one goes."""
    path = f'<path fill-rule="{rule}" d="M60 15h20v20h-20zM65 20{inner}"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50">{path}</svg>'
    scene = taken(svg, "#000000=material,epsilon=2", ending=".svg", scale=10.0)
    solid = rule == "nonzero" and inner.startswith("h")
    assert covered(scene) == {2.0: pytest.approx(400 if solid else 300)}


def test_what_cannot_be_said_is_refused(taken):
    chip = made.gds({"A": made.boundary(made.square(0, 1000))})
    cases = {
        ("1/0=glass",): 'cannot become "glass"',
        ("1/0=material",): "not said to be of anything",
        ("1/0=material,epsilon=x",): 'epsilon = "x" is no number',
        ("1/0=material,epsilon=-1",): "epsilon",
        ("1/0=material,density=1",): "has no density",
        ("1/0=material,medium=unobtainium",): 'no medium "unobtainium"',
        ("1/0=obstacle,wall=open",): "cannot have the wall",
        ("1/0=obstacle,epsilon=2",): "an obstacle has no epsilon",
        ("1/0=nothing",): "no layer becomes anything",
        ("7/0=domain",): 'no layer "7/0"',
        ("1/0=obstacle",): None,
    }
    for said, message in cases.items():
        if message is None:
            assert len(taken(chip, *said).holes) == 1
            continue
        with pytest.raises(WavelabError, match=message):
            taken(chip, *said)
    with pytest.raises(GeometryError, match="leave nothing of the domain"):
        taken(chip, "1/0=obstacle", margin=0.0)
    with pytest.raises(GeometryError, match="has no area"):
        taken(chip, "1/0=obstacle", box=(1.0, 1.0, 0.0, 0.0))
    two = made.boundary(made.square(0, 1000)) + made.boundary(made.square(2000, 3000))
    with pytest.raises(GeometryError, match="not a single area"):
        taken(made.gds({"A": two}), "1/0=domain")


def test_thousands_of_shapes_are_taken(taken):
    lattice = made.array("DOT", 50, 50, [(0, 0), (50000, 0), (0, 50000)])
    cells = {"A": lattice, "DOT": made.boundary(made.circle(300, 16))}
    scene = taken(made.gds(cells), "1/0=material,epsilon=9")
    assert len(scene.materials) == 2_500
    assert all(isinstance(region.shape, Polygon | Ellipse) for region in scene.materials)


def test_a_layout_opens_as_one_material_and_says_so(tmp_path):
    file = tmp_path / "chip.gds"
    file.write_bytes(made.gds({"A": ring(5000, 450)}))
    notes: list[str] = []
    scene = open_scene(file, notes.append)
    assert {region.material for region in scene.materials} == {Material(epsilon=12.0)}
    assert any("took layers 1/0 of chip.gds for a material of epsilon 12" in n for n in notes)


def test_the_command_lists_layers_and_writes_a_scene(tmp_path, capsys):
    file, out = tmp_path / "chip.gds", tmp_path / "chip.toml"
    file.write_bytes(made.gds({"A": ring(5000, 450) + made.boundary(made.square(0, 500), 2)}))
    assert main(["import", str(file)]) == 0
    listed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert listed[0] == ["layer", "colour", "shapes", "area", "/", "\u00b5m\u00b2"]
    assert listed[1][:2] == ["1/0", "2"]
    words = ["import", str(file), "--layer", "1/0=material,medium=Silicon", "--h", "0.3"]
    assert main([*words, "-o", str(out)]) == 0
    assert 'left out layer "2/0"' in capsys.readouterr().err
    scene = load_scene(out)
    assert scene.solver.element_size == 0.3
    assert scene.materials[0].material.poles
    for wrong in (words, ["import", str(file), "-o", str(out)], ["import", str(out)]):
        assert main(wrong) == 2
    assert "error:" in capsys.readouterr().err


def test_readers_are_loaded_by_who_has_such_a_file(tmp_path):
    file = tmp_path / "chip.gds"
    file.write_bytes(made.gds({"A": made.boundary(made.square(0, 500))}))
    code = (
        "import sys; from wavelab.cli import main; main(['import', sys.argv[1]]); "
        "print(*(m for m in sys.modules if '.document' in m and 'wavelab' in m))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(file)],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "wavelab.meshing.gds.document"
