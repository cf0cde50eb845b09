"""What of a scene becomes lines, and which."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sample_meshes import elliptic_disk, jittered_square
from wavelab.numerics.fields.discretization import discretize
from wavelab.output.scene_drawing import chain, draw_scene
from wavelab.scene.edges.wall_at import wall_at
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Hole, Material, MaterialRegion, Probe, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Rectangle
from wavelab.scene.sources import CurrentSource, PointSource
from wavelab.scene.walls import AbsorbingWall, Conductor, MagneticWall, OpenWall, PeriodicWall
from wavelab.scene.waveforms import Sine


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=40))
def test_chaining_uses_every_segment_once(segments):
    lines = chain(np.array(segments))
    used = Counter((a, b) for line in lines for a, b in pairwise(line))
    assert used == Counter(segments)


def test_a_ring_is_one_closed_line_and_an_open_line_one_open_one():
    assert sorted(len(line) for line in chain(np.array([(0, 1), (2, 0), (1, 2)]))) == [4]
    assert chain(np.array([(1, 2), (2, 3), (0, 1)])) == [[0, 1, 2, 3]]


def test_the_last_wall_that_names_an_edge_holds():
    walls = (
        MagneticWall(("domain.left",)),
        AbsorbingWall(("domain",)),
        MagneticWall(("hole 1.3",)),
    )
    scene = Scene("room", Solver(), walls=walls)
    assert isinstance(wall_at("domain.left", scene), AbsorbingWall)
    assert isinstance(wall_at("hole 1.3", scene), MagneticWall)
    assert isinstance(wall_at("hole 1.30", scene), Conductor)
    assert isinstance(wall_at("hole 12", scene), Conductor)


def length(lines) -> float:
    return sum(float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()) for line in lines)


SCENE = Scene(
    "square",
    Solver(0.1),
    holes=(Hole("hole 1", Ellipse((0.5, 0.5), (0.1, 0.1))),),
    materials=(MaterialRegion("glass", Material(2.0), Rectangle((0.0, 0.0), (0.3, 0.2))),),
    walls=(
        AbsorbingWall(("domain.left", "domain.top")),
        MagneticWall(("hole 1",)),
    ),
    sources=(
        PointSource("S", (0.2, 0.8), 0.05, 1.0, Sine(2.0)),
        CurrentSource("J", Formula.parse("x*t", ("x", "y", "t"))),
    ),
    probes=(Probe("P", (0.7, 0.7)),),
)


def test_without_a_mesh_the_shapes_are_drawn():
    drawing = draw_scene(SCENE, None)
    assert length(drawing.walls[AbsorbingWall]) == pytest.approx(2.0)
    assert length(drawing.walls[Conductor]) == pytest.approx(2.0)
    assert length(drawing.walls[MagneticWall]) == pytest.approx(2 * np.pi * 0.1, rel=0.06)
    ((name, rims),) = drawing.materials
    assert (name, length(rims)) == ("glass", pytest.approx(1.0))
    assert drawing.bounds == (0.0, 0.0, 1.0, 1.0)
    assert len(drawing.elements) == 0


def test_neighbouring_edges_of_one_kind_are_one_line():
    (line,) = draw_scene(SCENE, None).walls[AbsorbingWall]
    assert line.tolist() == [[1.0, 1.0], [0.0, 1.0], [0.0, 0.0]]


def test_only_sources_with_a_place_have_a_glyph():
    glyphs = draw_scene(SCENE, None).glyphs
    assert [(g.kind, g.name) for g in glyphs] == [("source", "S"), ("probe", "P")]


def test_with_a_mesh_its_own_edges_are_drawn():
    mesh = jittered_square(5)
    regions = (mesh.vertices[mesh.triangles].mean(axis=1)[:, 0] > 0.5).astype(np.int32)
    mesh = replace(mesh, regions=regions, region_names=("background", "glass"))
    d = discretize(mesh, 2)
    drawing = draw_scene(replace(SCENE, holes=(), walls=SCENE.walls[:1]), d)
    assert length(drawing.walls[AbsorbingWall]) == pytest.approx(2.0)
    assert length(drawing.walls[Conductor]) == pytest.approx(2.0)
    ((name, rims),) = drawing.materials
    assert name == "glass"
    assert all(np.array_equal(rim[0], rim[-1]) for rim in rims)
    faces = mesh.n_elements * 3
    rim_faces = 4 * 5
    assert len(drawing.elements) == (faces + rim_faces) // 2


def test_glued_edges_are_still_drawn():
    mesh = jittered_square(4)
    d = discretize(mesh, 2, periodic=[(("domain.left",), ("domain.right",))])
    walls = (PeriodicWall(("domain.left", "domain.right")),)
    drawing = draw_scene(replace(SCENE, holes=(), walls=walls), d)
    assert length(drawing.walls[PeriodicWall]) == pytest.approx(2.0)


@pytest.mark.parametrize("meshed", [False, True])
def test_the_layers_of_open_walls_are_drawn(meshed):
    d = discretize(jittered_square(4), 2) if meshed else None
    walls = (OpenWall(("domain",), thickness=0.2), Conductor(("domain.bottom",)))
    drawing = draw_scene(replace(SCENE, holes=(), walls=walls), d)
    ((line, thickness),) = drawing.layers
    assert (length([line]), thickness) == (pytest.approx(3.0), 0.2)
    assert length(drawing.walls[OpenWall]) == pytest.approx(3.0)
    walls = (OpenWall(("domain.left",)), OpenWall(("domain.right",), thickness=0.1))
    drawing = draw_scene(replace(SCENE, holes=(), walls=walls), d)
    assert sorted(t for _, t in drawing.layers) == [0.1, pytest.approx(0.2)]
    assert draw_scene(SCENE, d).layers == ()


def test_nothing_at_all_is_no_drawing():
    assert draw_scene(None, None).bounds is None


def test_walls_and_materials_are_drawn_along_their_arcs():
    mesh = elliptic_disk((0, 0), (1, 1), 0, core=True)
    drawing = draw_scene(None, discretize(mesh, 3))
    (rim,) = drawing.walls[Conductor]
    ((name, (core,)),) = drawing.materials
    assert name == "core"
    for line, radius in ((rim, 1.0), (core, 0.5)):
        assert np.abs(np.hypot(*line.T) - radius).max() < 1e-12
        assert len(line) > 60
        assert (line[0] == line[-1]).all()
    # An element's edge on an arc is several short ones.
    lengths = np.linalg.norm(drawing.elements[:, 1] - drawing.elements[:, 0], axis=1)
    assert (lengths < 0.1).sum() == 12 * (25 + 18)  # of 1.2 and 1.7 degrees
