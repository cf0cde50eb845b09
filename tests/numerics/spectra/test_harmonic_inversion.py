"""Frequencies and decay rates out of records too short for a Fourier transform."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.numerics.spectra.harmonic_inversion import oscillations

DT = 0.01


def record(lines: list[tuple[float, float, float]], duration: float, channels: int = 4):
    """Lines (frequency, decay, amplitude) with random phases in every channel."""
    rng = np.random.default_rng(3)
    t = DT * np.arange(round(duration / DT))[:, None]
    signal = np.zeros((len(t), channels))
    for f, decay, amplitude in lines:
        phase = rng.uniform(0, 2 * np.pi, channels)
        signal += amplitude * np.exp(-decay * t) * np.cos(2 * np.pi * f * t + phase)
    return signal


def test_lines_closer_than_one_over_the_record():
    lines = [(1.0, 0.0, 1.0), (1.01, 0.0, 0.3), (1.7, 0.02, 1.0), (4.0, 0.0, 5.0), (0.2, 0, 5.0)]
    found = oscillations(record(lines, 30.0), DT, (0.7, 2.0))
    assert [o.frequency for o in found] == pytest.approx([1.0, 1.01, 1.7], abs=1e-5)
    assert [o.decay for o in found] == pytest.approx([0, 0, 0.02], abs=1e-4)
    # Each of four channels has the same amplitude.
    assert [o.strength for o in found] == pytest.approx([2, 0.6, 2], rel=5e-3)


def test_a_fast_decay_and_noise():
    rng = np.random.default_rng(1)
    signal = record([(1.0, 0.5, 1.0), (1.5, 0.01, 0.2)], 20.0, channels=8)
    signal += 1e-4 * rng.standard_normal(signal.shape)
    found = oscillations(signal, DT, (0.7, 2.0), threshold=1e-2)
    assert [o.frequency for o in found] == pytest.approx([1.0, 1.5], abs=2e-4)
    assert [o.decay for o in found] == pytest.approx([0.5, 0.01], abs=2e-3)


def test_what_leaves_at_once_does_not_drown_what_rings_on():
    """At time 0 it is seven thousand times stronger, in the record a few hundred times."""
    lines = [(1.0, 0.002, 0.04), (1.2, 4.0, 300.0), (1.3, 0.01, 0.04)]
    found = oscillations(record(lines, 40.0), DT, (0.7, 1.7), threshold=1e-3)
    ringing = [(o.frequency, o.decay) for o in found if o.decay < 1]
    assert ringing == [pytest.approx(line[:2], abs=1e-5) for line in (lines[0], lines[2])]


def test_silence_has_no_lines():
    assert oscillations(np.zeros((4000, 2)), DT, (0.7, 2.0)) == []


def test_what_cannot_be_inverted():
    with pytest.raises(ValueError, match="no band"):
        oscillations(np.zeros((400, 1)), DT, (1.0, 60.0))
    with pytest.raises(ValueError, match="too short"):
        oscillations(np.zeros((400, 1)), DT, (1.0, 1.1))
