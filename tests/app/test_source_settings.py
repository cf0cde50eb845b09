"""What a placed source radiates."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.app.source_settings import SourceSettings, fitting_frequency


def hankel(x: np.ndarray) -> np.ndarray:
    """H_0^(1) = J_0 + i Y_0 by its integrals (DLMF 10.9.1 and 10.9.7)."""
    angle = (np.arange(200) + 0.5) * np.pi / 200
    t, dt = np.linspace(0, 8, 2001, retstep=True)
    weight = np.where((t == 0) | (t == 8), dt / 2, dt)
    x = x[..., None]
    j = np.cos(x * np.sin(angle)).mean(axis=-1)
    y = np.sin(x * np.sin(angle)).mean(axis=-1)
    return j + 1j * (y - 2 / np.pi * (np.exp(-x * np.sinh(t)) * weight).sum(axis=-1))


@pytest.mark.parametrize("frequency", [0.5, 3.3])
def test_the_amplitude_gives_the_height_one_wavelength_away(frequency):
    """Against Green's function of the plane, integrated over the Gaussian current."""
    settings = SourceSettings(frequency, height=2.0)
    k, r, distance = 2 * np.pi * frequency, settings.radius, 1 / frequency
    points, step = np.linspace(-5 * r, 5 * r, 41, retstep=True)
    x, y = np.meshgrid(points, points)
    current = np.exp(-(x**2 + y**2) / (2 * r**2)) * step**2
    field = np.sum(hankel(k * np.hypot(x - distance, y)) * current)
    assert k / 4 * settings.amplitude * abs(field) == pytest.approx(2.0, rel=0.01)


@pytest.mark.parametrize("pulse", [False, True])
def test_a_source_begins_when_it_is_placed(pulse):
    waveform = SourceSettings(2.0, pulse=pulse).waveform(3.0)
    assert waveform.delay == (3.75 if pulse else 3.0)


def test_the_wavelength_is_six_elements():
    assert 1 / fitting_frequency(0.05) == pytest.approx(0.3, rel=0.05)
