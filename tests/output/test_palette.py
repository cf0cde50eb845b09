"""Palettes are what they promise: even steps, symmetric, readable by everybody."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from wavelab.errors import OutputError
from wavelab.output.palette import (
    DEFAULT_DIVERGING,
    DEFAULT_SEQUENTIAL,
    PALETTES,
    background,
    colorize,
    luminance,
    palette_table,
    surroundings,
    swapped,
)

DIVERGING = [name for name, info in PALETTES.items() if info.diverging]
SEQUENTIAL = [name for name, info in PALETTES.items() if not info.diverging]

#: Machado, Oliveira & Fernandes (2009), complete loss of one kind of cone, on linear sRGB.
BLINDNESS = {
    "red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998]],
    "green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
              [-0.011820, 0.042940, 0.968881]],
    "blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
             [0.004733, 0.691367, 0.303900]],
}  # fmt: skip


def linear(table):
    s = table / 255
    return np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    """CIELAB (D65) of linear sRGB."""
    matrix = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    x, y, z = (rgb.clip(0, 1) @ matrix.T / matrix.sum(axis=1)).T
    f = [np.where(v > 216 / 24389, np.cbrt(v), (24389 / 27 * v + 16) / 116) for v in (x, y, z)]
    return np.stack([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])], axis=-1)


def test_the_defaults_exist_and_are_of_the_right_kind():
    assert DEFAULT_DIVERGING in DIVERGING
    assert DEFAULT_SEQUENTIAL in SEQUENTIAL
    assert all(name == info.name for name, info in PALETTES.items())


@pytest.mark.parametrize("name", SEQUENTIAL)
def test_sequential_palettes_go_away_from_quiet_in_even_steps(name):
    lightness = lab(linear(palette_table(name)))[::16, 0]
    # On a light canvas they grow darker.
    steps = np.diff(lightness) * (-1 if name == "lipari_light" else 1)
    assert (steps > 0).all()
    assert steps.max() < 2.5 * steps.mean()


@pytest.mark.parametrize("name", DIVERGING)
def test_diverging_palettes_have_their_extreme_lightness_at_zero(name):
    lightness = lab(linear(palette_table(name)))[:, 0]
    outward = [lightness[128::16], lightness[127::-16]]
    sign = 1 if name != "vik" else -1  # vik is light in the middle
    for arm in outward:
        assert (np.diff(sign * arm) > -0.5).all()
        assert sign * (arm[-1] - arm[0]) > 50


@pytest.mark.parametrize("blindness", BLINDNESS)
@pytest.mark.parametrize("name", DIVERGING)
def test_the_signs_can_be_told_apart_by_the_colour_blind(name, blindness):
    seen = lab(linear(palette_table(name)) @ np.array(BLINDNESS[blindness]).T)
    for part in (0.5, 0.75, 1.0):
        plus, minus = seen[int(127.5 + 127.5 * part)], seen[int(127.5 - 127.5 * part)]
        assert np.linalg.norm(plus - minus) > 25, f"at {part} of the range"


@pytest.mark.parametrize("name", PALETTES)
@given(limit=st.floats(1e-6, 1e6), outside=st.tuples(*[st.integers(0, 255)] * 3))
def test_zero_the_limits_and_the_outside(name, limit, outside):
    values = np.array([[0.0, limit, -limit, np.nan, np.inf, -np.inf, 3 * limit]])
    rgb = colorize(values, name, limit, outside)[0]
    table = palette_table(name)
    lowest = table[0]
    assert tuple(rgb[0]) == background(name)
    np.testing.assert_array_equal(rgb[1], table[255])
    np.testing.assert_array_equal(rgb[2], lowest)
    assert tuple(rgb[3]) == outside
    np.testing.assert_array_equal(rgb[4:], [table[255], lowest, table[255]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", [DEFAULT_DIVERGING, DEFAULT_SEQUENTIAL])
def test_larger_values_never_get_a_lower_colour(name, dtype):
    values = np.linspace(-2, 2, 4001, dtype=dtype)[np.newaxis]
    rgb = colorize(values, name, 1.0, (1, 2, 3))[0]
    table = palette_table(name)
    index = np.abs(rgb[:, np.newaxis].astype(int) - table).sum(axis=2).argmin(axis=1)
    assert (np.diff(index) >= 0).all()
    assert len(np.unique(index)) == len(np.unique(table, axis=0))


@given(
    npst.arrays(
        np.float32,
        npst.array_shapes(min_dims=2, max_dims=2, max_side=7),
        elements=st.floats(width=32),
    ),
    st.floats(0, 1e30),
)
def test_any_values_and_any_limit_give_colours_and_leave_the_values_alone(values, limit):
    before = values.copy()
    rgb = colorize(values, "vik", limit, (9, 9, 9))
    assert rgb.shape == (*values.shape, 3)
    assert rgb.dtype == np.uint8
    assert ((rgb == (9, 9, 9)).all(axis=2) == np.isnan(values)).all()
    np.testing.assert_array_equal(values, before)


def test_a_field_that_is_zero_everywhere_is_quiet():
    rgb = colorize(np.zeros((2, 2)), "berlin", 0.0, (1, 2, 3))
    assert (rgb == background("berlin")).all()


@pytest.mark.parametrize("limit", [-1.0, np.nan, np.inf])
def test_impossible_limits(limit):
    with pytest.raises(ValueError, match="limit"):
        colorize(np.zeros((2, 2)), "berlin", limit, (0, 0, 0))


def test_an_unknown_palette_names_the_known_ones():
    with pytest.raises(OutputError, match=r"(?s)'jet'.*berlin.*cividis"):
        palette_table("jet")


@pytest.mark.parametrize("name", PALETTES)
def test_what_lies_outside_is_grey_and_near_the_colour_of_quiet(name):
    outside = surroundings(name)
    assert max(outside) - min(outside) <= 4
    assert 10 <= abs(luminance(outside) - luminance(background(name))) <= 20


@pytest.mark.parametrize("name", PALETTES)
def test_a_logarithmic_scale_goes_by_powers_of_ten(name):
    """Symmetric with a sign, and quiet below the last decade."""
    powers = 10.0 ** -np.arange(6)
    values = 2.0 * np.stack([powers, -powers])
    colours = colorize(values, name, 2.0, (0, 0, 0), decades=4)
    parts = np.array([1, 0.75, 0.5, 0.25, 0, 0])
    if PALETTES[name].diverging:
        expected = np.stack([parts, -parts])
    else:  # which has no sign to show
        expected = np.stack([parts, np.zeros(6)])
    assert np.array_equal(colours, colorize(expected, name, 1.0, (0, 0, 0)))
    assert tuple(colours[0, 5]) == background(name)


def test_nothing_and_too_much_on_a_logarithmic_scale():
    values = np.array([[0.0, np.nan, np.inf, -np.inf, 1e-300]])
    for limit in (0.0, 1.0):
        colours = colorize(values, "vik", limit, (1, 2, 3), decades=3)[0]
        table = palette_table("vik")
        quiet = background("vik")
        assert colours.tolist()[:4] == [
            list(quiet), [1, 2, 3], table[255].tolist(), table[0].tolist(),
        ]  # fmt: skip
        assert tuple(colours[4]) == quiet


@pytest.mark.parametrize(("old", "new"), [("berlin", "vik"), ("inferno", "lipari_light")])
def test_a_picture_in_another_palette_is_the_one_that_would_have_been_made(old, new):
    values = np.linspace(-1, 1, 400).reshape(8, 50)
    values[0, :7] = np.nan
    pictures = [colorize(values, name, 1.0, surroundings(name)) for name in (old, new)]
    made = swapped(pictures[0], old, new).astype(int)
    # Two neighbours may have the same colour in the old one.
    assert abs(made - pictures[1]).max() <= 8
    assert (made == pictures[1]).mean() > 0.9
    foreign = np.full((1, 1, 3), 77, np.uint8)
    np.testing.assert_array_equal(swapped(foreign, old, new), foreign)
