"""What is said of sources that the mesh or the domain does not suit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.sample_meshes import jittered_square
from wavelab.physics.problem import discretize_scene
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.sources import MovingSource, PlaneWave, PointSource
from wavelab.scene.walls import AbsorbingWall
from wavelab.scene.waveforms import Sine

LARGE = Solver(1e9, order=3, until=2.0)


def notices(source, **changes) -> tuple[str, ...]:
    scene = Scene("test", Solver(0.25, order=3, until=2.0), sources=(source,))
    return discretize_scene(replace(scene, **changes), jittered_square(4)).notices


def moving(x: str, frequency: float = 0.5) -> MovingSource:
    paths = (Formula.parse(x, ("t",)), Formula.parse("0.5", ("t",)))
    return MovingSource("m", *paths, 0.15, 1.0, Sine(frequency))


def test_a_frequency_that_the_mesh_cannot_carry_is_named_with_the_size_it_needs():
    assert notices(PointSource("p", (0.5, 0.5), 0.1, 1.0, Sine(0.5))) == ()
    (found,) = notices(PointSource("p", (0.5, 0.5), 0.1, 1.0, Sine(6.0)))
    assert 'source "p" sends frequencies up to 6' in found
    size = float(found.split("element_size = ")[1].split(",")[0])
    assert 0.05 < size < 0.12
    assert "they need 4.9" in found
    # However large the elements are asked for, they are no larger than the mesh has them.
    (found,) = notices(PointSource("p", (0.5, 0.5), 0.1, 1.0, Sine(6.0)), solver=LARGE)
    assert 0.05 < float(found.split("element_size = ")[1].split(",")[0]) < 0.15


def test_a_moving_source_sends_higher_frequencies_ahead():
    assert notices(moving("0.2 + 0.1*t", 1.5)) == ()
    (found,) = notices(moving("0.05 + 0.45*t", 1.5))
    assert "up to 2.73 ahead of it" in found


def test_a_source_that_starts_late_is_looked_at_from_then_on():
    """One placed in the window after the end of the run too."""
    paths = (Formula.parse("0.5 + 0.2*(t - 57)", ("t",)), Formula.parse("0.5", ("t",)))
    late = MovingSource("m", *paths, 0.15, 1.0, Sine(0.5, delay=57.0))
    assert notices(late) == ()


@pytest.mark.parametrize(
    ("x", "words"),
    [("0.5 + 0.5*t", "for 50 % of the run, first at t = 1"), ("5", "never inside")],
)
def test_a_path_that_leaves_the_domain_is_told(x, words):
    (found,) = notices(moving(x))
    assert words in found


def test_a_moving_point_narrower_than_the_nodes_is_told():
    narrow = replace(moving("0.3 + 0.2*t"), radius=0.02)
    (found,) = notices(narrow)
    assert 'source "m" has the radius 0.02, less than the distance of nodes on its way' in found
    least = float(found.split("make its radius ")[1].split(" ")[0])
    assert notices(replace(narrow, radius=1.1 * least)) == ()
    # One at rest is projected, which needs no remark.
    assert notices(PointSource("p", (0.5, 0.5), 0.02, 1.0, Sine(0.5))) == ()


def test_edges_that_a_plane_wave_would_come_in_through_too_are_named():
    absorbing = {
        "walls": (AbsorbingWall(("domain",)),),
        "outline": Rectangle((0.0, 0.0), (1.0, 1.0)),
    }
    wave = PlaneWave("w", 30, 1.0, Sine(0.5), edges=("domain.left", "domain.right"))
    (found,) = notices(wave, **absorbing)
    assert 'source "w" runs inwards at domain.bottom too' in found
    named = replace(wave, edges=("domain.left", "domain.bottom"))
    assert notices(named, **absorbing) == ()
    assert notices(replace(wave, direction=0.0), **absorbing) == ()
