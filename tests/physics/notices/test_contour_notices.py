"""What the contour of a far field does not go round is told, of copies too."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.physics.notices.contour_notices import contour_notices
from wavelab.scene.model.material import Material
from wavelab.scene.model.scene import Hole, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Rectangle, Repeated, Row
from wavelab.scene.sources import PointSource
from wavelab.scene.walls import AbsorbingWall
from wavelab.scene.waveforms import Sine

CONTOUR = np.array([(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)])
LAMP = PointSource("lamp", (0.3, 0.3), 0.02, 1.0, Sine(2.0))


@pytest.mark.parametrize(
    ("repeat", "told"),
    [
        (Row(3, (0.1, 0.0)), []),
        (Row(5, (0.12, 0.0)), ["a part of {} lies outside"]),
        (Row(3, (0.0, 0.3)), ["a part of {} lies outside"]),
        (Row(2, (0.0, 0.45), (1,)), ["{} lies outside"]),
        (Row(3, (0.0, 0.225), (1, 2)), ["{} lies outside"]),
    ],
)
@pytest.mark.parametrize("kind", ["obstacle", "material"])
def test_copies_beyond_it_are_told_once(kind, repeat, told):
    posts = Repeated(Ellipse((0.4, 0.45), (0.02, 0.02)), repeat)
    items = (
        {"holes": (Hole("posts", posts),)}
        if kind == "obstacle"
        else {"materials": (MaterialRegion("posts", Material(4.0), posts),)}
    )
    scene = Scene(
        "s",
        Solver(0.1),
        outline=Rectangle((0, 0), (1, 1)),
        walls=(AbsorbingWall(("domain",)),),
        sources=(LAMP,),
        **items,
    )
    found = contour_notices(scene, CONTOUR, "far")
    assert len(found) == len(told)
    for text, start in zip(found, told, strict=True):
        assert text.startswith(start.format(f'{kind} "posts"'))


def test_a_contour_within_a_copy_lies_in_its_medium():
    ponds = Repeated(Ellipse((0.5, 0.5), (0.45, 0.45)), Row(2, (1.0, 0.0)))
    scene = Scene(
        "s",
        Solver(0.1),
        outline=Rectangle((0, 0), (2, 1)),
        materials=(MaterialRegion("ponds", Material(4.0), ponds),),
        walls=(AbsorbingWall(("domain",)),),
        sources=(LAMP,),
    )
    small = 0.5 + 0.8 * (CONTOUR - 0.5)
    told = contour_notices(scene, small, "far")
    assert any("background" in text for text in told)
    assert not any("ponds" in text for text in told)
