"""Copies are meshed as if each were drawn by hand, and those that are nowhere are told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from wavelab.meshing.graph.drawing import drawing_of
from wavelab.meshing.graph.notices import MeshWarning
from wavelab.meshing.triangulation.mesher import mesh_drawing
from wavelab.scene.editing.repeats import broken_up
from wavelab.scene.model.material import Material
from wavelab.scene.model.scene import Hole, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Grid, Rectangle, Repeated, Row

RODS = Repeated(
    Ellipse((0.15, 0.15), (0.05, 0.03), 20), Grid((4, 3), ((0.2, 0.0), (0.05, 0.2)), ((2, 2),))
)
POSTS = Repeated(Rectangle((0.1, 0.8), (0.15, 0.9)), Row(4, (0.2, 0.02)))
GLASS = MaterialRegion("glass", Material(2.0), Rectangle((0.0, 0.0), (1.0, 0.1)))
SCENE = Scene(
    "t",
    Solver(0.1, 2),
    holes=(Hole("posts", POSTS),),
    materials=(GLASS, MaterialRegion("rods", Material(4.0), RODS)),
)


def test_the_mesh_is_that_of_single_items():
    single, _ = broken_up(SCENE, [("holes", 0), ("materials", 1)])
    copies, alone = (mesh_drawing(drawing_of(scene)) for scene in (SCENE, single))
    for name in ("vertices", "triangles", "face_curves"):
        assert np.array_equal(getattr(copies, name), getattr(alone, name)), name
    assert copies.region_names == ("background", "glass", "rods")
    # Those of the single items come one after the other.
    assert np.array_equal(copies.regions, np.minimum(alone.regions, 2))
    for edge in ("left", "right", "top", "bottom"):
        own = copies.face_names.index(f"posts.{edge}")
        tags = [alone.face_names.index(f"posts {i}.{edge}") for i in (1, 2, 3, 4)]
        assert np.array_equal(copies.face_tags == own, np.isin(alone.face_tags, tags))


def test_copies_that_are_nowhere_are_counted():
    wide = replace(RODS, repeat=Row(7, (0.25, 0.0)))
    scene = replace(SCENE, materials=(GLASS, MaterialRegion("rods", Material(4.0), wide)))
    with pytest.warns(MeshWarning, match="^3 of 7 copies of material rods cover no part"):
        mesh_drawing(drawing_of(scene))
    away = replace(RODS, shape=RODS.shape.shifted((3.0, 0.0)))
    scene = replace(SCENE, materials=(MaterialRegion("rods", Material(4.0), away), GLASS))
    with pytest.warns(MeshWarning, match="^material rods covers no part"):
        mesh_drawing(drawing_of(scene))


def test_overlapping_copies_are_one_region_and_one_hole():
    chain = Repeated(Ellipse((0.2, 0.3), (0.1, 0.1)), Row(4, (0.15, 0.0)))
    rods = replace(SCENE, holes=(), materials=(MaterialRegion("rods", Material(4.0), chain),))
    holes = replace(SCENE, holes=(Hole("rods", chain),), materials=())
    full, cut = (mesh_drawing(drawing_of(scene)) for scene in (rods, holes))
    covered = full.signed_areas()[full.regions == 1].sum()
    assert covered + cut.signed_areas().sum() == pytest.approx(1.0)
    single, _ = broken_up(rods, [("materials", 0)])
    alone = mesh_drawing(drawing_of(single))
    assert covered == pytest.approx(alone.signed_areas()[alone.regions > 0].sum())
