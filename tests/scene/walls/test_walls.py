"""What walls of all kinds have in common: their edges, their words and the order of their lines."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.scene.edges.wall_at import wall_at
from wavelab.scene.editing.switching import switched
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.systems.sound import RigidWall
from wavelab.scene.walls import (
    WALLS,
    AbsorbingWall,
    Conductor,
    ImpedanceWall,
    MagneticWall,
    OpenWall,
    PeriodicWall,
)

PAIR = ("domain.left", "domain.right")


def test_a_wall_that_loses_an_edge_keeps_the_others_and_a_pair_goes():
    assert ImpedanceWall(PAIR, 0.5).at(PAIR[:1]) == ImpedanceWall(PAIR[:1], 0.5)
    assert OpenWall(PAIR).at(()) is None
    assert PeriodicWall(PAIR).at(PAIR[:1]) is None
    assert PeriodicWall(PAIR).at(("domain.top", "domain.bottom")) is not None


def test_an_edge_is_told_with_what_its_wall_needs():
    told = [
        wall.in_words("domain.left")
        for wall in (MagneticWall(PAIR), ImpedanceWall(PAIR, 0.5), OpenWall(PAIR, 0.2))
    ]
    assert told == ["magnetic wall", "impedance 0.5", "open"]
    assert PeriodicWall(PAIR).in_words("domain.right") == "glued to domain.left"


def test_an_edge_that_nobody_names_is_a_conductor_and_the_last_that_names_it_holds():
    walls = (MagneticWall(("domain.left",)), AbsorbingWall(("domain",)))
    scene = Scene("room", Solver(), walls=walls)
    assert wall_at("domain.left", scene) == walls[1]
    assert wall_at("hole", scene) == Conductor(("hole",))
    assert wall_at("hole", switched(scene, "sound")[0]) == RigidWall(("hole",))


def test_the_stronger_line_is_drawn_over_the_weaker():
    drawn = sorted(WALLS, key=lambda name: WALLS[name].pen.weight)
    known = ["open", "absorbing", "periodic", "impedance", "magnetic", "conductor"]
    assert [name for name in drawn if name in known] == known


def test_what_comes_back_depends_on_the_medium_in_front_of_an_impedance_alone():
    z = np.array([0.25, 0.5, 1.0])
    assert ImpedanceWall(PAIR, 0.5).reflection(z) == pytest.approx([1 / 3, 0, -1 / 3])
    for wall, back in ((Conductor(PAIR), -1), (MagneticWall(PAIR), 1), (AbsorbingWall(PAIR), 0)):
        assert np.array_equal(wall.reflection(z), np.full(3, back))


def test_the_numbers_that_are_left_open_are_those_of_the_scene():
    scene = Scene("s", Solver(0.01), outline=Rectangle((0, 0), (2, 1)))
    assert OpenWall(PAIR).values(scene) == {"thickness": 0.08}
    assert OpenWall(PAIR, 0.3).values(scene) == {"thickness": 0.3}
    assert OpenWall(PAIR).layer_thickness(Scene("file", Solver(0.01), outline=None)) is None
    assert ImpedanceWall(PAIR, 2.0).values(scene) == {"impedance": 2.0}
