"""Parts of a domain that waves do not get to, and lanes that each have their own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.sample_meshes import jittered_square
from wavelab.cli.mesh import describe
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import discretize_scene
from wavelab.scene.editing.switching import switched
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import FieldFormulas, Hole, Scene, Solver
from wavelab.scene.model.sending.pings import Ping
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.sources import CurrentSource, PlaneWave, PointSource
from wavelab.scene.systems.elastic import ElasticFormulas
from wavelab.scene.walls import AbsorbingWall
from wavelab.scene.waveforms import Ricker

LANES = Scene(
    "lanes",
    Solver(0.3, order=2),
    outline=Rectangle((0, 0), (1, 1)),
    holes=(Hole("divider", Rectangle((-0.1, 0.45), (1.1, 0.55))),),
    walls=(AbsorbingWall(("domain.left",)),),
)
CUT = "the domain falls into 2 parts; waves do not pass between them"


@pytest.fixture(scope="module")
def lanes():
    return mesh_scene(LANES)


def field(text: str) -> Formula:
    return Formula.parse(text, ("x", "y"))


def point(y: float) -> PointSource:
    return PointSource("source", (0.5, y), 0.02, 1.0, Ricker(0.2, 5.0))


WAVE = PlaneWave("wave", 0.0, 1.0, Ricker(0.2, 5.0), edges=("domain.left",))
CURRENT = CurrentSource("current", Formula.parse("x*t + y*t^2", ("x", "y", "t")))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, CUT),  # to be pinged, perhaps
        ({"sources": (point(0.2),)}, CUT + ", and nothing makes a wave in one of them"),
        ({"sources": (point(0.2), replace(point(0.8), name="other"))}, None),
        ({"sources": (WAVE,)}, None),
        ({"sources": (CURRENT,)}, None),
        ({"sources": (point(0.2),), "pings": (Ping(0.1, (0.5, 0.8), 0.05, 1.0),)}, None),
        (
            {"pings": (Ping(0.1, (0.5, 0.8), 0.05),)},
            CUT + ", and nothing makes a wave in one of them",
        ),
        (
            {"sources": (point(0.2),), "initial": FieldFormulas(hx=field("heaviside(y - 0.5)"))},
            None,
        ),
        (
            {"initial": FieldFormulas(ez=field("heaviside(0.5 - y)"))},
            CUT + ", and nothing makes a wave in one of them",
        ),
    ],
)
def test_it_is_said_of_parts_in_which_nothing_makes_a_wave(lanes, changes, said):
    assert discretize_scene(replace(LANES, **changes), lanes).notices == (
        () if said is None else (said,)
    )


def test_parts_of_a_mesh_are_counted_for_people(lanes):
    assert "parts: 2, which share no faces" in describe(lanes).splitlines()
    assert "parts" not in describe(jittered_square(3))


def test_a_solid_that_begins_with_a_stress_makes_waves(lanes):
    solid = switched(replace(LANES, walls=()), "elastic")[0]
    notices = [
        discretize_scene(replace(solid, initial=ElasticFormulas(**given)), lanes).notices
        for given in ({"sxx": field("1 + x")}, {"sxy": field("heaviside(y - 0.5)")})
    ]
    assert notices == [(), (CUT + ", and nothing makes a wave in one of them",)]
