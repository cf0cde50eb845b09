"""Powers from sampled points are those from the whole field."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pytest

from tests.physics.test_power import JZ
from tests.sample_meshes import elliptic_disk, mixed_operator, random_fields
from wavelab.physics.drives import NodalDrive
from wavelab.physics.power import powers, untapped_loss
from wavelab.physics.pulse import gaussian
from wavelab.physics.tapped_power import TappedPowers


def check(operator, drives, time):
    fields = random_fields(operator.discretization, 5)
    taps = TappedPowers.of(operator, drives)
    samples = taps.points.sample(fields)
    times = np.array([time, time + 0.3])
    found = taps.table(times, np.stack([samples, 2 * samples]))
    for scale, t, row in zip((1, 2), times, found, strict=True):
        scaled = fields.__class__(*(scale * u for u in (fields.hx, fields.hy, fields.ez)))
        rest = powers(
            operator, scaled, drives, t,
            inner_loss=untapped_loss(operator, scaled, drives, t), tapped=True,
        )  # fmt: skip
        right = np.array(astuple(powers(operator, scaled, drives, t)))
        assert row + astuple(rest) == pytest.approx(right, rel=1e-11)
        assert row[1] > 0
    return found


def test_walls_and_sources_and_the_rest_are_all():
    operator = mixed_operator(3)
    nodes, profile = gaussian(operator.discretization, (0.2, -0.1), 0.2, 1.5)
    point = NodalDrive(nodes, -profile, np.cos)
    found = check(operator, (point, JZ, point), 0.7)
    assert found[0, 0] != 0


def test_at_bent_walls_too():
    check(mixed_operator(3, mesh=elliptic_disk(hole=0.3, core=True)), (), 0.0)
