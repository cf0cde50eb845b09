"""Which edges are ends of guides, and from which frequency on a mode runs there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wavelab.errors import SceneError
from wavelab.scene.edges.guide import GuideEnd, check_straight, guide_end
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import (
    SPACE_AND_TIME,
    Hole,
    Material,
    MaterialRegion,
    Scene,
    Solver,
)
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.sources import GuidedMode
from wavelab.scene.walls import AbsorbingWall, MagneticWall
from wavelab.scene.waveforms import Sine

GUIDE = Scene(
    "guide",
    Solver(0.1),
    outline=Rectangle((0, 0), (3, 0.5)),
    walls=(AbsorbingWall(("domain.left",)),),
)
GLASS = Material(4.0)
FILLED = MaterialRegion("filled", GLASS, Rectangle((-1, -1), (1, 1)))
HALF = MaterialRegion("half", GLASS, Rectangle((-1, -1), (1, 0.2)))


def test_a_guide_between_conductors_and_its_cutoff():
    end = guide_end(GUIDE, "domain.left")
    assert end == GuideEnd(0.5, "conductor", 1.0)
    assert end.cutoff(3) == pytest.approx(3.0)
    magnetic = replace(GUIDE, walls=(MagneticWall(("domain",)),))
    assert guide_end(magnetic, "domain.left").sides == "magnetic"


@pytest.mark.parametrize(
    ("changes", "speed"),
    [
        ({"background": GLASS}, 0.5),
        ({"background": Material(Formula.parse("4", SPACE_AND_TIME))}, 0.5),
        ({"background": Material(Formula.parse("1 + x", SPACE_AND_TIME))}, None),
        ({"materials": (FILLED,)}, 0.5),
        ({"materials": (HALF,)}, None),
    ],
)
def test_the_medium_in_front_of_it(changes, speed):
    assert guide_end(replace(GUIDE, **changes), "domain.left").speed == speed


@pytest.mark.parametrize(
    ("scene", "edge", "why"),
    [
        (replace(GUIDE, outline=Ellipse((0, 0), (1, 1))), "domain.rim", "straight"),
        (GUIDE, "domain.top", "two parallel"),
        (replace(GUIDE, outline=Polygon(((0, 0), (2, 0), (1, 1)))), "domain.0", "two parallel"),
    ],
)
def test_what_is_no_guide_says_why(scene, edge, why):
    with pytest.raises(SceneError, match=why):
        guide_end(scene, edge)


@pytest.mark.parametrize("edge", ["domain", "post.rim", "domain.left"])
def test_what_only_the_mesh_can_tell(edge):
    post = Hole("post", Ellipse((0, 0.25), (0.1, 0.1)))
    assert guide_end(replace(GUIDE, holes=(post,)), edge) is None


def test_a_mode_below_its_cutoff_is_refused_before_anything_is_meshed():
    mode = GuidedMode("horn", "domain.left", 1.0, Sine(2.5), 2)
    check_scene(replace(GUIDE, sources=(mode,)))
    with pytest.raises(SceneError, match="mode 3 does not carry") as caught:
        check_scene(replace(GUIDE, sources=(replace(mode, mode=3),)))
    assert caught.value.item == ("sources", 0, "mode")
    assert caught.value.remedy == "In a guide of width 0.5 it needs more than 3."


def test_no_wave_comes_in_through_an_arc_that_elements_follow():
    disk = replace(GUIDE, outline=Ellipse((0, 0), (1, 1)), walls=())
    with pytest.raises(SceneError, match="curved"):
        check_straight(disk, "domain.rim")
    check_straight(replace(disk, solver=Solver(0.1, curved=False)), "domain.rim")
    check_straight(GUIDE, "domain.left")
