"""Modes of layered guides against their dispersion relations, and what all modes have in common."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wavelab.numerics.spectra.slab_modes import CrossSection, SlabModes, slab_modes


def layered(borders, epsilon, mu, clamped=(True, True)) -> CrossSection:
    return CrossSection(
        np.array(borders, float),
        lambda layer, s: np.full_like(s, epsilon[layer]),
        lambda layer, s: np.full_like(s, mu[layer]),
        clamped,
    )


def slab_wave_number(frequency, width, inside, outside, mode) -> float:
    """beta of a symmetric slab: q width = 2 atan(mu g / (mu' q)) + mode pi, with q and g across it
    and beside it (Snyder & Love 1983, table 12.2)."""
    omega = 2 * math.pi * frequency
    low, high = (omega * math.sqrt(epsilon * mu) for epsilon, mu in (outside, inside))
    bottom, top = low, high
    for _ in range(200):
        beta = (bottom + top) / 2
        q, g = math.sqrt(high**2 - beta**2), math.sqrt(max(beta**2 - low**2, 0.0))
        slow = q * width > 2 * math.atan2(inside[1] * g, outside[1] * q) + mode * math.pi
        bottom, top = (beta, top) if slow else (bottom, beta)
    return (bottom + top) / 2


media = st.tuples(st.floats(1.0, 3.0), st.floats(1.0, 2.0))


@settings(max_examples=40, deadline=None)
@given(
    outside=media,
    more=st.floats(1.2, 6.0),
    mu=st.floats(1.0, 3.0),
    width=st.floats(0.2, 1.5),
    frequency=st.floats(0.4, 1.5),
    shift=st.floats(-0.3, 0.3),
)
def test_a_symmetric_slab_has_the_modes_of_its_dispersion_relation(
    outside, more, mu, width, frequency, shift
):
    inside = (outside[0] * outside[1] * more / mu, mu)
    omega = 2 * math.pi * frequency
    low, high = (omega * math.sqrt(epsilon * mu) for epsilon, mu in (outside, inside))
    count = math.floor(math.sqrt(high**2 - low**2) * width / math.pi) + 1
    exact = [slab_wave_number(frequency, width, inside, outside, m) for m in range(count)]
    # So far out that what is cut off is below rounding, for modes that are held well.
    held = [beta for beta in exact if beta**2 - low**2 > 0.02 * high**2]
    if not held:
        return
    reach = 20 / math.sqrt(min(held) ** 2 - low**2)
    borders = [-width / 2 - reach, -width / 2, width / 2, width / 2 + reach]
    section = layered(np.array(borders) + shift, *zip(outside, inside, outside, strict=True))
    if (reach * 2 + width) * frequency * math.sqrt(inside[0] * mu) > 60:
        return
    modes = slab_modes(section, frequency, low**2)
    found = modes.wave_numbers[: len(held)]
    assert found == pytest.approx(held, rel=1e-10)


@pytest.mark.parametrize(
    ("clamped", "transverse"),
    [
        ((True, True), [1, 2, 3]),
        ((False, False), [0, 1, 2, 3]),
        ((True, False), [0.5, 1.5, 2.5, 3.5]),
    ],
)
def test_walls_alone_hold_sines_and_cosines(clamped, transverse):
    width, frequency, epsilon, mu = 1.3, 1.1, 2.0, 1.5
    k = 2 * math.pi * frequency * math.sqrt(epsilon * mu)
    q = np.array(transverse) * math.pi / width
    section = layered([0.2, 0.2 + width], [epsilon], [mu], clamped)
    modes = slab_modes(section, frequency)
    assert modes.wave_numbers[: len(q)] == pytest.approx(np.sqrt(k**2 - q**2), rel=1e-12)
    s = np.linspace(0.2, 0.2 + width, 50)
    if clamped == (True, True):
        field, slope = modes.at(s)
        beta = modes.wave_numbers[:3, None]
        height = np.sqrt(8 * math.pi * frequency * mu / (beta * width))
        turns = q[:, None] * (s - 0.2)
        assert field[:3] == pytest.approx(height * np.sin(turns), abs=1e-8)
        assert slope[:3] == pytest.approx(height * q[:, None] * np.cos(turns), abs=1e-7)


def power_product(modes: SlabModes, section: CrossSection, frequency: float) -> np.ndarray:
    """1/2 int E_m H_n ds, by a fine rule in each layer."""
    x, w = np.polynomial.legendre.leggauss(200)
    total = np.zeros((len(modes), len(modes)))
    for layer, (a, b) in enumerate(pairwise(section.borders)):
        s = (a + b) / 2 + (b - a) / 2 * x
        field, _ = modes.at(s)
        total += (b - a) / 2 * (field * (w / section.mu(layer, s))) @ field.T
    return total * modes.wave_numbers / (4 * math.pi * frequency)


def test_modes_are_orthogonal_and_carry_the_power_one_layered_or_graded():
    step = layered([-2, -0.5, 0.1, 0.6, 2], [1, 4, 2.5, 1], [1, 1, 2, 1])
    graded = CrossSection(
        np.array([-2.0, 0.0, 2.0]),
        lambda layer, s: 1 + 8 * np.exp(-4 * s**2),
        lambda layer, s: 1 + 0.5 * np.cos(s) ** 2,
        graded=(True, True),
    )
    for section in (step, graded):
        modes = slab_modes(section, 1.2, (2 * math.pi * 1.2) ** 2 * 1.6)
        assert len(modes) >= 3
        product = power_product(modes, section, 1.2)
        assert product == pytest.approx(np.eye(len(modes)), abs=1e-9)
        assert (np.diff(modes.squares) < 0).all()


def test_a_parabolic_guide_has_evenly_spaced_squares():
    """epsilon = n^2 (1 - (s / a)^2): beta^2 = (k n)^2 - (2 m + 1) k n / a, the modes of an
    oscillator."""
    n, a, frequency = 3.0, 2.0, 1.0
    k = 2 * math.pi * frequency
    section = CrossSection(
        np.array([-1.9, 1.9]),
        lambda layer, s: n**2 * (1 - (s / a) ** 2),
        lambda layer, s: np.ones_like(s),
        graded=(True,),
    )
    modes = slab_modes(section, frequency, (k * n) ** 2 / 2)
    exact = (k * n) ** 2 - (2 * np.arange(4) + 1) * k * n / a
    assert modes.squares[:4] == pytest.approx(exact, rel=1e-10)


def test_a_layer_far_thinner_than_the_wave_costs_no_digits():
    """Cut out of a uniform layer, it changes nothing."""
    plain = slab_modes(layered([-2, -0.3, 0.3, 2], [1, 4, 1], [1, 1, 1]), 1.0, 40.0)
    cut = slab_modes(layered([-2, -0.3, 0.1, 0.1001, 0.3, 2], [1, 4, 4, 4, 1], [1] * 5), 1.0, 40.0)
    assert cut.wave_numbers == pytest.approx(plain.wave_numbers, rel=1e-10)


@pytest.mark.parametrize("clamped", [(True, True), (False, False)])
def test_a_mode_at_its_very_cutoff_is_none(clamped):
    """Its wave number is 0 but for rounding, of either sign."""
    section = layered([0, 1], [1.0], [1.0], clamped)
    lowest = 1 if clamped[0] else 0
    for mode in range(1, 8):
        found = slab_modes(section, mode / 2)
        assert len(found) == mode - lowest
        expected = [math.pi * math.sqrt(mode**2 - m**2) for m in range(lowest, mode)]
        assert found.wave_numbers == pytest.approx(expected)
