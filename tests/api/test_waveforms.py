"""Waveforms that a program gives, and what they make of a wave."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavelab
from wavelab.errors import WavelabError

LAMP = {"name": "lamp", "position": [0.4, 0.5], "radius": 0.1, "amplitude": 10}
ROOM = {
    "domain": {"shape": "rectangle", "lower": [0, 0], "upper": [1, 1]},
    "walls": [{"edges": ["domain"], "kind": "absorbing"}],
    "probes": [{"name": "p", "position": [0.7, 0.6]}],
    "solver": {"element_size": 0.3, "order": 3, "until": 1.5, "precision": "double"},
}


@given(
    frequency=st.floats(0.5, 5), width=st.floats(0.05, 0.3), start=st.floats(-1, 1),
    pieces=st.integers(1, 3),
)  # fmt: skip
def test_a_function_is_followed_everywhere(frequency, width, start, pieces):
    def pulse(t):
        late = t - start - 8 * width
        return np.cos(2 * np.pi * frequency * late) * np.exp(-((late / width) ** 2))

    end = start + 16 * width
    wave = wavelab.waveform(pulse, start=start, end=end).function()
    t = np.linspace(start, end, 1001 * pieces)
    np.testing.assert_allclose(wave(t), pulse(t), atol=1e-8)
    assert wave(start - 1) == 0.0


def test_a_wave_that_goes_on_is_followed_up_to_its_end():
    # With a rise of four derivatives; the spline does not feel that it is cut off at the end.
    wave = wavelab.waveform(lambda t: (1 - np.exp(-((t / 0.5) ** 6))) * np.sin(9 * t), end=2.2)
    t = np.linspace(0, 2.2, 999)
    found = wave.function()(t)
    np.testing.assert_allclose(found, (1 - np.exp(-((t / 0.5) ** 6))) * np.sin(9 * t), atol=1e-8)
    # A sine that begins with a kink is followed as closely as a spline can.
    kink = wavelab.waveform(lambda t: np.sin(9 * t), end=2.2).function()
    np.testing.assert_allclose(kink(t), np.sin(9 * t), atol=1e-4)


def test_samples_are_gone_through_and_uneven_ones_made_even():
    times = np.linspace(0.2, 3, 40)
    wave = wavelab.waveform(times, np.sin(times))
    np.testing.assert_allclose(wave.function()(times), np.sin(times), atol=1e-12)
    uneven = np.linspace(0, 1, 200) ** 1.5 * 3
    made = wavelab.waveform(uneven, np.sin(uneven)).function()
    np.testing.assert_allclose(made(uneven[3:-3]), np.sin(uneven[3:-3]), atol=1e-3)


def test_its_frequencies_are_known():
    t = np.linspace(0, 20, 2001)
    wave = wavelab.waveform(t, np.sin(2 * np.pi * 3 * t) * np.sin(np.pi * t / 20) ** 2)
    assert wave.lowest_frequency == pytest.approx(3, rel=0.02)
    assert 3 < wave.highest_frequency < 4
    coarse = wavelab.Scene(sources=[{**LAMP, "waveform": wave}], **ROOM)
    with pytest.warns(wavelab.Notice, match="points per wavelength"):
        wavelab.Simulation(coarse, backend="numpy", progress=False).close()


@pytest.mark.parametrize("backend", ["numpy", "auto"])
@pytest.mark.parametrize("source", ["point", "plane_wave"])
def test_it_drives_what_a_formula_drives(backend, source):
    """Nodal sources and waves that come in through faces, on the host and on a device."""

    def pulse(t):
        return np.exp(-(((t - 0.5) / 0.12) ** 2))

    kinds = {
        "point": LAMP,
        "plane_wave": {
            "name": "wave", "kind": "plane_wave", "edges": ["domain"], "direction": 30,
            "amplitude": 1,
        },
    }  # fmt: skip
    waveforms = (
        wavelab.waveform(pulse, end=2),
        {"kind": "formula", "formula": "exp(-((t - 0.5)/0.12)^2)"},
    )
    found = []
    for waveform in waveforms:
        scene = wavelab.Scene(sources=[{**kinds[source], "waveform": waveform}], **ROOM)
        quiet = {"progress": False, "notify": lambda text: None}
        with wavelab.Simulation(scene, backend=backend, **quiet) as run:
            found.append(run.run().probes["p"]["ez"])
    assert np.abs(found[1]).max() > 0.1
    np.testing.assert_allclose(*found, atol=1e-7 * np.abs(found[1]).max())


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: wavelab.waveform(np.sin), "no function can be sampled"),
        (lambda: wavelab.waveform(np.sin, end=0), "no function can be sampled"),
        (lambda: wavelab.waveform(np.cos, end=1), "at t = "),
        (lambda: wavelab.waveform(lambda t: t > 0.5, end=1), "at t = 0.5"),
        (lambda: wavelab.waveform(lambda t: 1 if t > 0 else 0, end=1), "raises ValueError"),
        (lambda: wavelab.waveform(lambda t: t[:-1], end=1), "gives the shape"),
        (lambda: wavelab.waveform(lambda t: np.sqrt(-1 - t), end=1), "no finite real number"),
        (lambda: wavelab.waveform(lambda t: t * 1j, end=1), "no finite real number"),
        (lambda: wavelab.waveform([0, 1, 2, 3]), "times alone"),
        (lambda: wavelab.waveform([0, 1, 2, 3], [0, 1, 2]), "are no waveform"),
        (lambda: wavelab.waveform([0, 1, 2], [0, 1, 2]), "4 or more"),
        (lambda: wavelab.waveform([0, 1, 1, 3], [0, 1, 2, 0]), "do not ascend"),
        (lambda: wavelab.waveform([0, 1, math.nan, 3], [0, 1, 2, 0]), "no finite real number"),
        (lambda: wavelab.waveform([0, 1e-9, 1, 2], [0, 1, 2, 0]), "more than 1,000,000"),
    ],
)
def test_what_is_no_waveform_is_refused(make, said):
    with pytest.raises(WavelabError) as caught, np.errstate(all="ignore"):
        make()
    assert said in str(caught.value)
    assert caught.value.remedy


def test_silence_is_told():
    wave = wavelab.waveform([0, 1, 2, 3], [0, 0, 0, 0])
    scene = wavelab.Scene(sources=[{**LAMP, "waveform": wave}], **ROOM)
    with pytest.warns(wavelab.Notice, match="silent"):
        wavelab.Simulation(scene, backend="numpy", progress=False).close()
