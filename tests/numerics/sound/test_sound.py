"""Resampling, partials and oscillators, against the sines they are of."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.numerics.sound.oscillators import Oscillators
from wavelab.numerics.sound.partials import NONE, Partials, partials, strongest_frequency
from wavelab.numerics.sound.resampling import faded, resampled

RATE = 48000.0


def wave(t: np.ndarray) -> np.ndarray:
    """Band-limited below 9, and 0 but for rounding beyond 20 from its middle."""
    return np.exp(-(((t - 20) / 3) ** 2)) * (np.sin(2 * np.pi * t) + np.cos(16 * np.pi * t))


@pytest.mark.parametrize("new_rate", [17.3, 48.0, 100 * np.pi, 1000.0])
def test_a_band_limited_wave_is_the_same_at_any_rate(new_rate):
    values = wave(np.arange(0, 40, 1 / 37.7))
    found = resampled(values, 37.7, new_rate)
    t = np.arange(len(found)) / new_rate
    assert 40 - 2 / min(37.7, new_rate) < t[-1] <= 40
    # The period is whole within 1e-3 of a sample.
    assert np.abs(found - wave(t)).max() < 2 * np.pi * 8 * 1e-3 / min(37.7, new_rate)


def test_what_the_new_rate_cannot_carry_is_left_out_and_does_not_come_back_elsewhere():
    t = np.arange(0, 40, 0.01)
    bell = np.exp(-(((t - 20) / 3) ** 2))
    found = resampled(bell * np.sin(2 * np.pi * 30 * t), 100.0, 20.0)
    assert np.abs(found).max() < 1e-6


def test_ends_fade():
    found = faded(np.ones(100), 10)
    assert found[0] == found[-1] == 0
    assert (found[10:-10] == 1).all()
    assert (np.diff(found[:11]) > 0).all()


def test_partials_are_found_with_frequency_and_amplitude():
    t = np.arange(0, 24, 0.013)
    values = 3 + 2 * np.sin(2 * np.pi * 1.2345 * t + 1) + 0.01 * np.cos(2 * np.pi * 5.4321 * t)
    found = partials(values, 0.013)
    assert found.frequencies == pytest.approx([1.2345, 5.4321], rel=1e-4)
    assert found.amplitudes == pytest.approx([2, 0.01], rel=5e-3)
    assert strongest_frequency(values, 0.013) == found.frequencies[0]


@pytest.mark.parametrize("values", [np.zeros(0), np.zeros(99), np.ones(99), np.full(99, np.nan)])
def test_what_does_not_swing_has_no_partials(values):
    assert partials(values, 0.1) is NONE or not len(partials(values, 0.1).frequencies)


def test_more_samples_than_are_needed_are_joined():
    t = np.arange(0, 24, 1e-5)
    assert strongest_frequency(np.sin(2 * np.pi * 1.7 * t), 1e-5) == pytest.approx(1.7, rel=1e-4)


def steps(values: np.ndarray) -> float:
    return float(np.abs(np.diff(values)).max())


def test_a_steady_partial_is_one_sine_through_all_blocks():
    oscillators = Oscillators(RATE)
    tone = Partials(np.array([440.0]), np.array([0.5]))
    oscillators.played(tone, 1000)  # fades in
    found = np.concatenate([oscillators.played(tone, n) for n in (999, 7, 3000, 512)])
    n = np.arange(len(found))
    base = np.exp(-2j * np.pi * 440 * n / RATE)
    amplitude = 2 * abs((found * base).mean())
    assert amplitude == pytest.approx(0.5, rel=0.02)
    assert steps(found) <= 1.001 * 0.5 * 2 * np.pi * 440 / RATE


def test_nothing_jumps_and_nothing_is_louder_than_both_ends_whatever_comes():
    rng = np.random.default_rng(3)
    oscillators, before = Oscillators(RATE), 0.0
    for _ in range(60):
        count = int(rng.integers(0, 5))
        new = Partials(rng.uniform(50, 2000, count), rng.uniform(0, 1, count) / 5)
        block = int(rng.integers(200, 2000))
        total = max(new.total, before)
        found = oscillators.played(new, block)
        assert np.abs(found).max(initial=0) <= total + 1e-12
        # Of sines, their fading within the block, and their gliding.
        assert np.abs(np.diff(found)).max() <= total * 2 * np.pi * 2100 / RATE + 1.0 / block
        before = new.total
    oscillators.played(NONE, 500)
    assert oscillators.silent
    assert not oscillators.played(NONE, 100).any()
