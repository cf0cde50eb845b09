"""Exact elastic waves by themselves, and that cases made of them see what is wrong."""

import math

import numpy as np
import pytest

from wavelab.simulation.verification import CASES, Where, check
from wavelab.simulation.verification.elastic import buried, scattering
from wavelab.simulation.verification.elastic.media import Medium
from wavelab.simulation.verification.elastic.reflection import at_border, at_free_edge, waves

SOFT, HARD = Medium(1.0, 1.7, 1.0), Medium(1.6, 2.2, 1.3)
#: Angles of the P waves in the harder one, up to nearly along the border.
ANGLES = [0.0, 15.0, 40.0, 70.0, 89.0]


def wave_number(angle, omega):
    return omega / HARD.p_speed * math.sin(math.radians(angle))


@pytest.mark.parametrize("angle", ANGLES)
def test_energy_adds_up_to_one(angle):
    omega, kx = 7.0, wave_number(angle, 7.0)
    powers = [np.array([w.flow for w in waves(solid, 1, kx, omega)]) for solid in (SOFT, HARD)]
    for matrix, flow in (
        (at_free_edge(HARD, kx, omega), powers[1]),
        (at_border(SOFT, HARD, kx, omega), np.concatenate(powers)),
    ):
        np.testing.assert_allclose(flow @ matrix**2, flow, rtol=1e-12)
        # What comes as different waves leaves as different ones.
        unitary = np.sqrt(flow)[:, None] * matrix / np.sqrt(flow)
        np.testing.assert_allclose(unitary.T @ unitary, np.eye(len(flow)), atol=1e-12)


@pytest.mark.parametrize("angle", ANGLES)
def test_a_free_edge_returns_what_textbooks_say(angle):
    """By slownesses (Aki & Richards, *Quantitative Seismology*, 2002, 5.2)."""
    omega, solid = 7.0, HARD
    kx = wave_number(angle, omega)
    p = kx / omega
    a, b = (math.sqrt(1 / c**2 - p**2) for c in (solid.p_speed, solid.s_speed))
    g = 1 / solid.s_speed**2 - 2 * p**2
    rayleigh = g**2 + 4 * p**2 * a * b
    found = at_free_edge(solid, kx, omega)
    assert found[0, 0] == pytest.approx((4 * p**2 * a * b - g**2) / rayleigh)
    converted = 4 * solid.p_speed / solid.s_speed * p * a * g / rayleigh
    assert abs(found[1, 0]) == pytest.approx(abs(converted))


def test_straight_at_a_border_impedances_say_it_all():
    matrix = at_border(SOFT, HARD, 0.0, 5.0)
    zs = [np.array([m.density * m.p_speed, m.density * m.s_speed]) for m in (SOFT, HARD)]
    (below, above), kinds = zs, ("P", "S")
    for i, kind in enumerate(kinds):
        through = 2 * below[i] / (below[i] + above[i])
        assert matrix[2 + i, i] == pytest.approx(through), kind
        assert abs(matrix[i, i]) == pytest.approx(abs(through - 1)), kind
        assert np.count_nonzero(np.abs(matrix[:, i]) > 1e-12) == 2


def test_the_explosion_is_heard_by_its_p_wave_first_and_by_a_rayleigh_wave_last():
    times = np.linspace(0, 12, 2401)
    found = buried.seismogram(times)
    size = np.hypot(*found)
    distance = math.hypot(buried._ALONG, buried._DEPTH)
    assert size[times < buried._DELAY - 1 + distance].max() < 1e-3 * size.max()
    assert size[times > buried._DELAY + 1 + buried._ALONG / 0.53].max() < 0.02 * size.max()
    # The moment is 0 again at the end of the wavelet, and the displacement with it.
    moved = np.trapezoid(found, times, axis=1)
    assert np.abs(moved).max() < 1e-3 * np.abs(found).max()


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("elastic disk", 2),
        ("elastic free edge", 2),
        ("elastic border", 2),
        ("elastic explosion", 2),
    ],
)
def test_the_cases(name, order):
    (row,) = check([CASES[name]], orders=[order])
    assert row.ok, row


def test_a_wrong_edge_fails(monkeypatch):
    """As if it returned a little less."""
    monkeypatch.setattr(scattering, "at_free_edge", lambda *of: 0.999 * at_free_edge(*of))
    reading = scattering.free_edge()(3, Where())
    assert reading.rate < 2
