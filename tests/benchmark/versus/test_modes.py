"""The exact solutions solve Maxwell's equations and vanish at the walls."""

import numpy as np
import pytest

from wavelab.benchmark.versus.modes import cavity, disk
from wavelab.meshing.job import mesh_scene

MODES = {"cavity": cavity(3, 2), "disk": disk()}


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
def test_maxwells_equations_hold(mode):
    rng = np.random.default_rng(0)
    x, y = mode.lower + mode.side * rng.uniform(0.2, 0.8, (2, 50))
    t, h = 0.3 * mode.period, 1e-4

    def slope(name, axis):
        shift = h * np.eye(3)[axis]
        after, before = (
            getattr(mode.fields(x + s * shift[0], y + s * shift[1], t + s * shift[2]), name)
            for s in (1, -1)
        )
        return (after - before) / (2 * h)

    size = mode.omega * np.abs(mode.fields(x, y, 0).ez).max()
    for left, right in (
        (slope("hx", 2), -slope("ez", 1)),
        (slope("hy", 2), slope("ez", 0)),
        (slope("ez", 2), slope("hy", 0) - slope("hx", 1)),
    ):
        np.testing.assert_allclose(left, right, atol=1e-3 * size)


def test_ez_vanishes_at_the_walls():
    s = np.linspace(0, 1, 40)
    square = MODES["cavity"]
    for x, y in ((s, 0 * s), (s, 0 * s + 1), (0 * s, s), (0 * s + 1, s)):
        np.testing.assert_allclose(square.fields(x, y, 0).ez, 0, atol=1e-12)
    angle = 2 * np.pi * s
    np.testing.assert_allclose(disk().fields(np.cos(angle), np.sin(angle), 0).ez, 0, atol=1e-9)


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
def test_the_mesh_and_the_half_width_describe_the_same_room(mode):
    mesh = mesh_scene(mode.scene(mode.side / 12, 0.9))
    heights = np.linspace(-mode.side / 2, mode.side / 2, 20_001)
    area = 2 * np.trapezoid(mode.half_width(heights, 0.0), heights)
    assert mesh.signed_areas().sum() == pytest.approx(area, rel=0.02)
    middle = mode.lower + mode.side / 2
    assert mesh.vertices.mean(axis=0) == pytest.approx([middle, middle], abs=0.05 * mode.side)
