"""Powers from sampled points are those from the whole field."""

from __future__ import annotations

from dataclasses import astuple, replace

import numpy as np
import pytest

from tests.physics.test_power import JZ
from tests.sample_meshes import elliptic_disk, mixed_operator, random_fields
from wavelab.physics.drives import NodalDrive
from wavelab.physics.local_equations import LocalEquations
from wavelab.physics.power import has_untapped_powers, powers, untapped_loss, untapped_powers
from wavelab.physics.pulse import gaussian
from wavelab.physics.tapped_power import TappedPowers


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
        rest = np.array(astuple(untapped_powers(operator, fields, drives, t)))
        rest[3] += untapped_loss(operator, fields, drives, t)
        right = powers(operator, fields, drives, t, local_equations=equations)
        assert row + rest == pytest.approx(np.array(astuple(right)), rel=1e-11)
        assert row[1] > 0
    assert has_untapped_powers(operator, drives) == bool(drives)
    return found


def test_walls_and_sources_and_the_rest_are_all():
    operator = mixed_operator(3)
    nodes, profile = gaussian(operator.discretization, (0.2, -0.1), 0.2, 1.5)
    point = NodalDrive(nodes, -profile, np.cos)
    found = check(operator, (point, JZ, point), 0.7)
    assert found[0, 0] != 0


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
    (wall, joule), (less_wall, more_joule) = (row[1:3] for row in found)
    assert wall - less_wall == pytest.approx(more_joule - joule)
    assert wall != pytest.approx(less_wall)


def test_at_bent_walls_too():
    check(mixed_operator(3, mesh=elliptic_disk(hole=0.3, core=True)), (), 0.0)
