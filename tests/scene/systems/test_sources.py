"""What a source brings adds to the scalar, but for a current, which takes away from Ez and Hz."""

from dataclasses import replace

import numpy as np
import pytest

from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import discretize_scene
from wavelab.scene.editing.switching import switched
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.sources import CurrentSource, PointSource
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.waveforms import GaussianPulse
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import stepper_of

POINT = PointSource("it", (0.5, 0.5), 0.1, 1.0, GaussianPulse(0.1, 0.05))
SPACE = ("x", "y", "t")
SOURCES = {
    "current": POINT,
    "field": replace(POINT, adds="field"),
    "formula": CurrentSource("it", Formula.parse("exp(-(x^2 + y^2))*(1 + t)", SPACE)),
    "entangled": CurrentSource("it", Formula.parse("exp(-(x - t)^2)", SPACE)),
}


@pytest.mark.parametrize("physics", SYSTEMS)
@pytest.mark.parametrize("what", SOURCES)
def test_what_is_fed_raises_the_field(physics, what):
    scene, _ = switched(Scene("room", Solver(0.3, 3, until=0.1)), physics)
    scene = replace(scene, sources=(SOURCES[what],))
    problem = discretize_scene(scene, mesh_scene(scene))
    simulation = Simulation(problem, stepper_of(problem, backend="numpy"))
    simulation.advance(problem.steps_to_end())
    fields = simulation.stepper.fields()
    one = np.ones_like(fields.ez)
    total = float(problem.discretization.integrate_product(fields.ez, one).sum())
    taken = what != "field" and not SYSTEMS[physics].feeds
    assert total < 0 if taken else total > 0
