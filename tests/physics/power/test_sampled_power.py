"""Powers from sampled points are those from the whole field."""

from __future__ import annotations

from dataclasses import astuple, replace

import numpy as np
import pytest

from tests.physics.power.test_power import JZ
from tests.sample_meshes import (
    elliptic_disk,
    jittered_square,
    mixed_operator,
    random_fields,
)
from wavelab.physics.materials.auxiliary_equations import LocalEquations
from wavelab.physics.power.full_field_power import (
    UntappedLoss,
    has_untapped_powers,
    untapped_powers,
)
from wavelab.physics.power.power import powers
from wavelab.physics.power.power_terms import Powers, Term
from wavelab.physics.power.sampled_power import TappedPowers
from wavelab.physics.problem import pose
from wavelab.physics.sources.pulse import gaussian
from wavelab.physics.sources.source_terms import FaceDrive, NodalDrive
from wavelab.scene.model.scene import Scene, Solver, Wall
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.model.sources import PlaneWave
from wavelab.scene.model.waveforms import Sine


def check(operator, drives, time, equations=()):
    fields = random_fields(operator.discretization, 5)
    rng = np.random.default_rng(3)
    memory = tuple(rng.uniform(-1, 1, e.shape) for e in equations)
    fields = replace(fields, memory=memory)
    taps = TappedPowers.of(operator, drives, equations)
    samples = taps.taps.sample(operator, equations, fields)
    assert len(samples) == len(taps.taps)
    times = np.array([time, time + 0.3])
    found = taps.table(times, np.stack([samples, samples]))
    for t, row in zip(times, found, strict=True):
        rest = untapped_powers(operator, fields, drives, t).row
        rest[Term.UPWIND] += UntappedLoss.of(operator, taps.incident).power(fields, t)
        right = powers(operator, fields, drives, t, local_equations=equations)
        assert row + rest == pytest.approx(right.row, rel=1e-11)
        assert row[Term.WALL] > 0
    tapped = all(isinstance(drive, NodalDrive | FaceDrive) for drive in drives)
    assert has_untapped_powers(operator, drives) == (not tapped)
    return found


def test_each_term_has_its_column():
    powers = Powers(1.0, 2.0, 3.0, 4.0, 5.0)
    assert powers.row.tolist() == list(astuple(powers))
    assert powers.row[Term.PARAMETRIC] == powers.parametric


def test_walls_and_sources_and_the_rest_are_all():
    operator = mixed_operator(3)
    nodes, profile = gaussian(operator.discretization, (0.2, -0.1), 0.2, 1.5)
    point = NodalDrive(nodes, -profile, np.cos)
    found = check(operator, (point, JZ, point), 0.7)
    assert found[0, Term.SOURCE] != 0


def test_layers_and_dispersive_media():
    operator = mixed_operator(2)
    shape = (5, operator.discretization.nodes_per_element)
    found = []
    for kind in ("open", "medium"):
        e = LocalEquations.written(
            np.array([3, 0, 7, 4, 5]),
            {"a": np.random.default_rng(2).uniform(1, 2, shape)},
            {"hx": "-a * hx", "ez": "-a * ez + p", "p": "ez - 2 * a * p"},
            {"p": np.full(shape, 0.3)},
            kind,
        )
        found.append(check(operator, (), 0.0, (e,))[0])
    (wall, joule), (less_wall, more_joule) = (row[[Term.WALL, Term.JOULE]] for row in found)
    assert wall - less_wall == pytest.approx(more_joule - joule)
    assert wall != pytest.approx(less_wall)


def test_at_bent_walls_too():
    check(mixed_operator(3, mesh=elliptic_disk(hole=0.3, core=True)), (), 0.0)


@pytest.mark.parametrize("upwinding", [1.0, 0.4])
def test_waves_that_come_in_through_borders_and_walls(upwinding):
    scene = Scene(
        "waves",
        Solver(order=3, element_size=0.4, upwinding=upwinding),
        Rectangle((0.0, 0.0), (1.0, 1.0)),
        walls=(
            Wall(("domain.left", "domain.right"), "absorbing"),
            Wall(("domain.bottom",), "impedance", impedance=2.0),
        ),
        sources=(
            PlaneWave("box", 35.0, 1.5, Sine(1.0), Rectangle((0.3, 0.3), (0.7, 0.7))),
            PlaneWave("left", -20.0, 0.7, Sine(1.3), edges=("domain.left",)),
            PlaneWave("left again", 10.0, 1.0, Sine(0.8), edges=("domain.left",)),
        ),
    )
    problem = pose(scene, jittered_square(10))
    drives = problem.drives
    assert sum(isinstance(drive, FaceDrive) for drive in drives) == len(drives) >= 3
    found = check(problem.operator, drives, 5.3)
    assert abs(found[0, Term.SOURCE]) > 0.01
