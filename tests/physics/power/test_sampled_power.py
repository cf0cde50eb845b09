"""Powers from sampled points are those from the whole field."""

from __future__ import annotations

from dataclasses import astuple, replace

import numpy as np
import pytest

from tests.physics.operator.test_elastic import MESHES, mixed_elastic, random_elastic
from tests.physics.power.test_power import JZ
from tests.sample_meshes import (
    elliptic_disk,
    jittered_square,
    mixed_operator,
    random_fields,
)
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.fields import ElasticFields
from wavelab.physics.power.elastic_power import elastic_powers
from wavelab.physics.power.full_field_power import (
    FullFieldLoss,
    full_field_powers,
    has_full_field_powers,
)
from wavelab.physics.power.power import powers
from wavelab.physics.power.power_terms import Powers, Term
from wavelab.physics.power.sampled_power import SampledPowers
from wavelab.physics.problem import discretize_scene
from wavelab.physics.sources.gaussian import gaussian
from wavelab.physics.sources.source_terms import FaceSourceTerm, NodalSourceTerm
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.sources import PlaneWave
from wavelab.scene.walls import AbsorbingWall, ImpedanceWall
from wavelab.scene.waveforms import Sine


def check(operator, source_terms, time, equations=()):
    fields = random_fields(operator.discretization, 5)
    rng = np.random.default_rng(3)
    memory = tuple(rng.uniform(-1, 1, e.shape) for e in equations)
    fields = replace(fields, auxiliary=memory)
    sampling = SampledPowers.of(operator, source_terms, equations)
    samples = sampling.sampling.sample(operator, equations, fields)
    assert len(samples) == len(sampling.sampling)
    times = np.array([time, time + 0.3])
    found = sampling.table(times, np.stack([samples, samples]))
    for t, row in zip(times, found, strict=True):
        rest = full_field_powers(operator, fields, source_terms, t).row
        rest[Term.UPWIND] += FullFieldLoss.of(operator, sampling.incident).power(fields, t)
        right = powers(operator, fields, source_terms, t, auxiliary_equations=equations)
        assert row + rest == pytest.approx(right.row, rel=1e-11)
        assert row[Term.WALL] > 0
    sampled = all(
        isinstance(source_term, NodalSourceTerm | FaceSourceTerm) for source_term in source_terms
    )
    assert has_full_field_powers(operator, source_terms) == (not sampled)
    return found


def test_each_term_has_its_column():
    powers = Powers(1.0, 2.0, 3.0, 4.0, 5.0)
    assert powers.row.tolist() == list(astuple(powers))
    assert powers.row[Term.PARAMETRIC] == powers.parametric


def test_walls_and_sources_and_the_rest_are_all():
    operator = mixed_operator(3)
    nodes, profile = gaussian(operator.discretization, (0.2, -0.1), 0.2, 1.5)
    point = NodalSourceTerm(nodes, -profile, np.cos)
    found = check(operator, (point, JZ, point), 0.7)
    assert found[0, Term.SOURCE] != 0


@MESHES
@pytest.mark.parametrize("kind", ["open", "medium"])
def test_all_of_elastic_waves(kind, mesh):
    """Solids beside fluids; walls that take one of both waves, a part or all; sources of stresses
    and of a velocity; equations that drive stresses, whose energy is not a sum of squares."""
    operator = mixed_elastic(3, 0.7, walls=(-1.0, 1.0, 0.0, 0.4), mesh=mesh)
    nodes, profile = gaussian(operator.discretization, (0.45, 0.55), 0.2, 1.5)
    terms = [
        NodalSourceTerm(nodes, profile, np.cos, (("sxx", 1.0), ("syy", 0.4), ("sxy", -2.0))),
        NodalSourceTerm(nodes, -profile, np.cos, (("vx", 0.3), ("vy", 1.0))),
    ]
    solid = np.flatnonzero(operator.mu > 0)[[4, 0, 2]]
    shape = (3, operator.discretization.nodes_per_element)
    e = AuxiliaryEquations.written(
        solid,
        {"a": np.random.default_rng(2).uniform(1, 2, shape)},
        {"sxx": "-a * sxx + p", "syy": "-a * vx", "vy": "-a * vy", "p": "syy - 2 * a * p"},
        {"p": np.full(shape, 0.3)},
        kind,
        of=ElasticFields,
    )
    fields = random_elastic(operator)
    memory = np.random.default_rng(3).uniform(-1, 1, e.shape)
    fields = ElasticFields.of(fields.arrays, (memory,))
    sampled = SampledPowers.of(operator, terms, (e,))
    samples = sampled.sampling.sample(operator, (e,), fields)
    (found,) = sampled.table(np.array([0.7]), samples[None])
    right = elastic_powers(operator, fields, terms, 0.7, auxiliary_equations=(e,))
    found[Term.UPWIND] += FullFieldLoss.of(operator).power(fields, 0.7)
    assert found == pytest.approx(right.row, rel=1e-11)
    assert found[Term.WALL] > 0
    assert found[Term.SOURCE] != 0
    assert not has_full_field_powers(operator, terms)


def test_layers_and_dispersive_media():
    operator = mixed_operator(2)
    shape = (5, operator.discretization.nodes_per_element)
    found = []
    for kind in ("open", "medium"):
        e = AuxiliaryEquations.written(
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
            AbsorbingWall(("domain.left", "domain.right")),
            ImpedanceWall(("domain.bottom",), impedance=2.0),
        ),
        sources=(
            PlaneWave("box", 35.0, 1.5, Sine(1.0), Rectangle((0.3, 0.3), (0.7, 0.7))),
            PlaneWave("left", -20.0, 0.7, Sine(1.3), edges=("domain.left",)),
            PlaneWave("left again", 10.0, 1.0, Sine(0.8), edges=("domain.left",)),
        ),
    )
    problem = discretize_scene(scene, jittered_square(10))
    source_terms = problem.source_terms
    assert (
        sum(isinstance(source_term, FaceSourceTerm) for source_term in source_terms)
        == len(source_terms)
        >= 3
    )
    found = check(problem.operator, source_terms, 5.3)
    assert abs(found[0, Term.SOURCE]) > 0.01
