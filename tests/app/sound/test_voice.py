"""The tone of a probe is that of its record, however unevenly that comes."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.app.sound.voice import LOUDEST, Voice
from wavelab.numerics.sound.oscillators import Oscillators
from wavelab.numerics.sound.partials import NONE, Partials, strongest_frequency

RATE, BLOCK, HERTZ = 48000, 1024, 220.0
DT = 0.004


def heard(voice: Voice, times: np.ndarray, values: np.ndarray, floor: float = 0.0) -> Partials:
    return voice.heard(times, values, HERTZ, floor=floor, seconds=BLOCK / RATE)


def test_a_sine_that_comes_in_uneven_frames_is_one_steady_sine():
    rng = np.random.default_rng(4)
    times = np.arange(0, 60, DT)
    values = 3e-4 * np.sin(2 * np.pi * 2.003 * times + 0.3)
    voice, oscillators = Voice(20000.0), Oscillators(RATE)
    blocks, known = [], 3000
    for _ in range(90):
        if rng.random() < 0.6:  # otherwise there is no frame in time for this block
            known = min(known + int(rng.integers(1, 400)), len(times))
        now = heard(voice, times[:known], values[:known])
        blocks.append(oscillators.played(now, BLOCK))
    sound = np.concatenate(blocks[2:])
    pitch = 2.003 * HERTZ
    assert strongest_frequency(sound, 1 / RATE) == pytest.approx(pitch, rel=1e-3)
    assert np.abs(sound).max() == pytest.approx(LOUDEST, rel=0.01)
    # No step is larger than those of the sine itself, and all parts are equally loud.
    assert np.abs(np.diff(sound)).max() < 1.01 * LOUDEST * 2 * np.pi * pitch / RATE
    loud = [np.sqrt((block**2).mean()) for block in blocks[2:]]
    assert max(loud) < 1.1 * min(loud)
    assert np.sqrt((sound**2).mean()) == pytest.approx(LOUDEST / np.sqrt(2), rel=0.01)


def test_a_record_whose_step_has_changed_has_the_same_tone():
    times = np.concatenate([np.arange(0, 20, DT), np.arange(20, 24, 0.7 * DT)])
    found = heard(Voice(20000.0), times, np.sin(2 * np.pi * 2 * times))
    assert found.frequencies[0] == pytest.approx(2 * HERTZ, rel=1e-3)


def test_a_wave_that_dies_away_becomes_silent_and_is_never_louder_than_the_level():
    times = np.arange(0, 200, DT)
    values = np.exp(-times / 5) * np.sin(2 * np.pi * 2 * times)
    voice, totals = Voice(20000.0), []
    for end in range(4000, len(times), 250):
        totals.append(heard(voice, times[:end], values[:end]).total)
    assert max(totals) <= LOUDEST * (1 + 1e-12)
    assert totals[0] == pytest.approx(LOUDEST)
    assert totals[-1] < 1e-3 * LOUDEST


def test_rounding_and_what_nobody_hears_are_silent():
    times = np.arange(0, 20, DT)
    wave = np.sin(2 * np.pi * 2 * times)
    assert heard(Voice(20000.0), times, 1e-9 * wave, floor=1e-8) is NONE
    assert heard(Voice(20000.0), times, 0 * wave) is NONE
    assert heard(Voice(20000.0), times[:1], wave[:1]) is NONE
    assert not len(heard(Voice(400.0), times, wave).frequencies)


def test_a_weaker_wave_after_a_new_beginning_is_as_loud_at_once():
    times = np.arange(0, 20, DT)
    wave = np.sin(2 * np.pi * 2 * times)
    voice = Voice(20000.0)
    assert heard(voice, times, wave).total == pytest.approx(LOUDEST)
    assert heard(voice, times, 1e-2 * wave).total < 0.02 * LOUDEST
    assert heard(voice, times[:-9], 1e-2 * wave[:-9]).total == pytest.approx(LOUDEST)
