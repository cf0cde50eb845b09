"""What every kind of waveform says of itself holds for its function of time."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.waveforms import (
    WAVEFORMS,
    WAVES,
    Chirp,
    FileWaveform,
    FormulaWaveform,
    GaussianPulse,
    ModulatedGaussian,
    Ricker,
    Sine,
)

ONE_OF_EACH = {
    "sine": Sine(2.0, delay=3.0),
    "gaussian": GaussianPulse(0.2, 5.0),
    "modulated_gaussian": ModulatedGaussian(1.5, 0.8, 6.0, 0.3),
    "ricker": Ricker(1.5, 4.0),
    "chirp": Chirp(1.0, 3.0, 4.0, 2.0),
    "file": FileWaveform(Path(__file__).with_name("swell.csv"), 0.1, delay=3.0, taper=0.3),
    "formula": FormulaWaveform(Formula.parse("cos(t)", ("t",))),
}


@pytest.mark.parametrize("kind", [k for k in WAVEFORMS if k not in ("file", "formula")])
def test_a_number_that_is_turned_changes_numbers_and_not_the_text(kind):
    """Which is parsed once, while a slider moves; and a number may be one of NumPy."""
    waveform = ONE_OF_EACH[kind]
    numbers = {f.name: 1.1 * getattr(waveform, f.name) for f in fields(waveform)}
    turned = replace(waveform, **numbers).function()
    assert turned.formula != waveform.function().formula
    assert turned.formula.text == waveform.function().formula.text
    of_numpy = replace(waveform, **{name: np.float64(x) for name, x in numbers.items()}).function()
    assert of_numpy == turned


@pytest.mark.parametrize("kind", WAVEFORMS)
def test_nothing_is_felt_before_it_begins(kind):
    waveform = ONE_OF_EACH[kind]
    assert type(waveform) is WAVEFORMS[kind]
    f = waveform.function()
    run = np.linspace(waveform.first_felt, waveform.first_felt + 8, 4001)
    before = np.linspace(waveform.first_felt - 3, waveform.first_felt, 500, endpoint=False)
    largest = np.abs(f(run)).max()
    assert largest > 0.5
    if kind != "formula":
        assert np.abs(f(before)).max() < 1e-7 * largest


@pytest.mark.parametrize("kind", ["sine", "gaussian", "modulated_gaussian", "ricker"])
def test_the_spectrum_ends_where_the_highest_frequency_is(kind):
    waveform = ONE_OF_EACH[kind]
    times = np.arange(0, 60, 0.01)
    spectrum = np.abs(np.fft.rfft(waveform.function()(times) * np.hanning(len(times))))
    frequencies = np.fft.rfftfreq(len(times), 0.01)
    beyond = spectrum[frequencies > 1.15 * waveform.highest_frequency]
    assert beyond.max() < 0.02 * spectrum.max()
    lowest = waveform.lowest_frequency
    assert lowest is None or lowest <= waveform.highest_frequency


def test_a_chirp_is_known_by_both_its_ends():
    falling = Chirp(3.0, 1.0, 4.0)
    assert (falling.lowest_frequency, falling.highest_frequency) == (1.0, 3.0)
    assert falling.carrier is None


@pytest.mark.parametrize("label", WAVES)
def test_what_is_placed_begins_now_without_a_jolt(label):
    waveform = WAVES[label].starting(2.0)
    f = waveform.function()
    assert waveform.first_felt == pytest.approx(0.0)
    assert abs(f(0.0)) < 1e-6
    assert np.abs(f(np.linspace(0.0, 4.0, 801))).max() > 0.9
    assert WAVES[label].tip


def test_a_wave_packet_has_the_spectrum_of_a_gaussian_around_its_frequency():
    packet = ModulatedGaussian(2.0, 0.7, 8.0, 1.1)
    times = np.arange(0, 16, 0.01)
    spectrum = np.abs(np.fft.rfft(packet.function()(times))) * 0.01
    frequencies = np.fft.rfftfreq(len(times), 0.01)
    exact = 0.7 * np.sqrt(np.pi / 2) * np.exp(-((2 * np.pi * 0.7 * (frequencies - 2)) ** 2) / 2)
    assert np.abs(spectrum - exact).max() < 1e-9
