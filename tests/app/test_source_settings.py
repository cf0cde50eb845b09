"""What a placed source radiates."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import dblquad
from scipy.special import hankel1

from wavelab.app.source_settings import SourceSettings, fitting_frequency


@pytest.mark.parametrize("frequency", [0.5, 3.3])
def test_the_amplitude_gives_the_height_one_wavelength_away(frequency):
    """Against Green's function of the plane, integrated over the Gaussian current."""
    settings = SourceSettings(frequency, height=2.0)
    k, r, distance = 2 * np.pi * frequency, settings.radius, 1 / frequency

    def part(y: float, x: float, piece: str) -> float:
        value = hankel1(0, k * np.hypot(x - distance, y)) * np.exp(-(x**2 + y**2) / (2 * r**2))
        return getattr(value, piece)

    real, imaginary = (
        dblquad(part, -5 * r, 5 * r, -5 * r, 5 * r, args=(piece,), epsabs=1e-6 * r**2)[0]
        for piece in ("real", "imag")
    )
    height = k / 4 * settings.amplitude * np.hypot(real, imaginary)
    assert height == pytest.approx(2.0, rel=0.01)


@pytest.mark.parametrize("pulse", [False, True])
def test_a_source_begins_when_it_is_placed(pulse):
    waveform = SourceSettings(2.0, pulse=pulse).waveform(3.0)
    assert waveform.delay == (3.75 if pulse else 3.0)


def test_the_wavelength_is_six_elements():
    assert 1 / fitting_frequency(0.05) == pytest.approx(0.3, rel=0.05)
