"""Formulas of media, looked at over all the times of a run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.physics.operator.test_media import medium
from tests.sample_meshes import jittered_square
from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import discretize
from wavelab.physics.materials import materials
from wavelab.physics.materials.materials import materials_of
from wavelab.scene.model.scene import Scene, Solver

D = discretize(jittered_square(5), 3)
SCENE = Scene("room", Solver(0.5, order=3, until=3.0))


@pytest.mark.parametrize(
    "formula", ["2 + sin(x + 3*y - 2*t)", "1 if t < 1.234 else 4 + x", "2 + t"]
)
def test_it_does_not_matter_how_many_looks_are_taken_at_once(monkeypatch, formula):
    scene = replace(SCENE, background=medium(epsilon=formula))
    found = []
    for at_once in (1, 1000, 1 << 24):
        monkeypatch.setattr(materials, "_AT_ONCE", at_once)
        found.append(materials_of(scene, D))
    for other in found[1:]:
        assert np.array_equal(found[0].epsilon, other.epsilon)
        (one,), (two,) = found[0].media.epsilon, other.media.epsilon
        assert np.array_equal(one.lowest, two.lowest)
        assert np.array_equal(one.highest, two.highest)
        assert one.time_scale == two.time_scale


def test_extremes_are_those_of_the_formula():
    (profile,) = materials_of(
        replace(SCENE, background=medium(epsilon="5 + x * cos(4*t)")), D
    ).media.epsilon
    assert profile.lowest == pytest.approx(5 - profile.x, abs=1e-5)
    assert profile.highest == pytest.approx(5 + profile.x, abs=1e-12)


def test_the_first_time_at_which_it_cannot_be_is_told():
    scene = replace(SCENE, background=medium(epsilon="1 if t < 1.5 else x - 2"))
    with pytest.raises(SceneError, match=r"epsilon .* is -2 at \(0, .*, t = 1\.5") as caught:
        materials_of(scene, D)
    assert "greater than 0" in caught.value.remedy
