"""The height view: exact rows for exact heights, hidden what lies behind, lit from one side."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.sample_meshes import elliptic_disk, jittered_square
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.output.palette import background, surroundings
from wavelab.output.relief import BEYOND, HEIGHT, Camera, Relief, still

SIZE = (240, 160)
OUTSIDE = surroundings("berlin")


@pytest.fixture(scope="module")
def square():
    return discretize(jittered_square(5), 3)


@pytest.fixture(scope="module")
def relief(square):
    return Relief(square)


def picture(relief, values, camera, limit=1.0):
    return relief.picture(relief.sample(values), camera, SIZE, "berlin", limit, OUTSIDE)


def top_of(rgb) -> int:
    """Rows from the lower edge to the highest point that is not outside, in the middle columns."""
    middle = (rgb[:, SIZE[0] // 2 - 2 : SIZE[0] // 2 + 2] != OUTSIDE).any(axis=2).any(axis=1)
    return SIZE[1] - int(np.flatnonzero(middle)[0])


def test_from_straight_above_it_is_the_flat_picture(relief, square):
    rgb = picture(relief, np.zeros(square.shape), Camera(0.0, 90.0))
    inside = (rgb != OUTSIDE).any(axis=2)
    reach = math.sqrt(0.5)
    side = min(SIZE[0] / (2 * reach), SIZE[1] / (2 * reach))
    assert inside.sum() == pytest.approx(side**2, rel=0.05)
    # Quiet, with the white that lets it have a shape.
    expected = 0.9 * np.array(background("berlin")) + 25.5
    assert np.abs(rgb[80, 120] - expected).max() <= 2


@pytest.mark.parametrize("azimuth", [0.0, 45.0, -120.0])
@pytest.mark.parametrize("value", [-0.6, 0.5, 1.0, 7.0])
def test_full_colour_rises_as_far_as_it_should(relief, square, azimuth, value):
    camera, reach = Camera(azimuth, 30.0), math.sqrt(0.5)
    level = top_of(picture(relief, np.zeros(square.shape), camera))
    high = top_of(picture(relief, np.full(square.shape, value), camera))
    tilt = math.radians(30.0)
    tall = 2 * reach * math.sin(tilt) + 4 * BEYOND * HEIGHT * reach * math.cos(tilt)
    scale = min(SIZE[0] / (2 * reach), SIZE[1] / tall)
    rise = 2 * HEIGHT * reach * min(value, BEYOND) * scale * math.cos(tilt)
    assert high - level == pytest.approx(rise, abs=1.01)


def test_a_ridge_hides_what_lies_behind(relief, square):
    """Blue ground behind a red ridge shows from above and not from aside."""
    y = square.y
    values = np.where(y < 0.5, np.exp(-(((y - 0.4) / 0.05) ** 2)), 0) * 1.5
    values = values - np.exp(-(((y - 0.52) / 0.03) ** 2))

    def blue(camera):
        rgb = picture(relief, values, camera).astype(int)
        return ((rgb[..., 2] > rgb[..., 0] + 40) & (rgb != OUTSIDE).any(axis=2)).sum()

    above, aside, behind = (blue(Camera(*c)) for c in ((0, 85), (0, 14), (180, 14)))
    assert above > 300
    assert aside < 0.1 * above
    assert behind > 3 * max(aside, 1)


def test_light_comes_from_the_left(relief, square):
    slope = 0.5 * np.sin(2 * np.pi * square.x)
    rgb = picture(relief, slope, Camera(0.0, 80.0)).astype(int).sum(axis=2)
    turned = picture(relief, slope, Camera(180.0, 80.0)).astype(int).sum(axis=2)
    # Where it rises to the right it faces left: there it is the brighter, whoever looks.
    rising, falling = rgb[80, 120 - 45 : 120 - 35].mean(), rgb[80, 115:125].mean()
    assert rising > falling + 15
    assert np.abs(turned[60:100, 90:150][:, ::-1] - rgb[60:100, 90:150]).mean() > 15


def test_level_ground_is_lit_evenly_up_to_a_curved_rim():
    d = discretize(elliptic_disk(hole=0.4), 3)
    rgb = picture(Relief(d), np.ones(d.shape), Camera(30.0, 90.0))
    assert len(np.unique(rgb.reshape(-1, 3), axis=0)) == 2, "itself and what is outside"


def test_a_hole_is_a_hole():
    outer, inner = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]), 0.5
    corners = np.concatenate([outer, inner + 0.5 * (outer - inner)])
    ring = [(i, (i + 1) % 4, 4 + i) for i in range(4)]
    ring += [((i + 1) % 4, 4 + (i + 1) % 4, 4 + i) for i in range(4)]
    d = discretize(Mesh.plain(corners, np.array(ring)), 2)
    rgb = picture(Relief(d), np.zeros(d.shape), Camera(0.0, 60.0))
    assert tuple(rgb[80, 120]) == OUTSIDE
    # Beyond the hole its far wall, darker than the ground behind that.
    column = rgb[:80, 120].astype(int).sum(axis=1)
    ground = column[np.flatnonzero(column != sum(OUTSIDE))[0]]
    walls = (column < 0.7 * ground) & (rgb[:80, 120] != OUTSIDE).any(axis=1)
    assert walls.sum() >= 4


def test_what_is_not_finite_leaves_gaps_and_no_trouble(relief, square):
    values = np.zeros(square.shape, np.float32)
    values[0], values[1], values[2] = np.nan, np.inf, -np.inf
    for limit in (0.0, 1.0, 1e30):
        assert picture(relief, values, Camera(), limit).shape == (160, 240, 3)


def test_a_still_has_smooth_edges(square):
    look = (Camera(20.0, 30.0), SIZE, "berlin", lambda _: 1.0, OUTSIDE)
    smooth = still(square, np.zeros(square.shape), *look)
    assert smooth.shape == (160, 240, 3)
    plain = Relief(square).picture(
        Relief(square).sample(np.zeros(square.shape)), *look[:3], 1.0, OUTSIDE
    )
    assert len(np.unique(smooth.reshape(-1, 3), axis=0)) > len(
        np.unique(plain.reshape(-1, 3), axis=0)
    )
