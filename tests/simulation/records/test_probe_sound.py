"""A probe's record becomes a WAV of the pitch that was asked for, or a reason why not."""

from __future__ import annotations

import re
import wave
from pathlib import Path

import numpy as np
import pytest

from tests.sample_scenes import boxed
from wavelab.cli import main
from wavelab.errors import OutputError
from wavelab.numerics.sound.partials import strongest_frequency
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.records.probe_sound import (
    RATE,
    hertz_of,
    known_frequency,
    sound,
    sound_files,
    write_sounds,
)

TIMES = np.arange(0, 100, 0.02)


def read(path: Path) -> np.ndarray:
    with wave.open(str(path), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2") / (2**15 - 1)


def test_a_wav_lasts_as_long_and_sounds_as_high_as_the_scale_says(tmp_path):
    values = np.stack([np.sin(2 * np.pi * 1.5 * TIMES), 1e-9 * np.cos(2 * np.pi * 3 * TIMES)], 1)
    files = write_sounds(tmp_path / "a.wav", ("left", "right"), TIMES, values, 300.0)
    assert [file.name for file in files] == ["a_left.wav", "a_right.wav"]
    for file, pitch in zip(files, (450, 900), strict=True):
        found = read(file)
        assert len(found) == pytest.approx(TIMES[-1] / 300 * RATE, abs=1.5)
        assert strongest_frequency(found, 1 / RATE) == pytest.approx(pitch, rel=1e-3)
        assert np.abs(found).max() == pytest.approx(0.9, abs=1e-3)
        assert found[0] == 0
        assert abs(found[-1]) < 1e-3


def test_a_run_that_has_changed_its_step_keeps_its_pitch():
    times = np.concatenate([np.arange(0, 50, 0.02), np.arange(50, 100, 0.013)])
    found = sound(times, np.sin(2 * np.pi * 1.5 * times), 300.0, "p")
    for half in np.split(found[: len(found) // 2 * 2], 2):
        assert strongest_frequency(half, 1 / RATE) == pytest.approx(450, rel=1e-3)


@pytest.mark.parametrize(
    ("times", "values", "hertz", "says", "remedy"),
    [
        (TIMES, np.sin(TIMES), 44000.0, 'probe "p" recorded lasts 0.0023 s', "880 units"),
        (TIMES[:1], TIMES[:1], 440.0, "lasts 0 s", "8.8 units"),
        (TIMES, np.sin(TIMES), 0.01, "lasts 2.78 hours", "0.0278 Hz or more"),
        (TIMES, 0 * TIMES, 440.0, "has recorded nothing but 0", "move the probe"),
        (TIMES, np.nan * TIMES, 440.0, "is not finite", "time step"),
        (TIMES, np.sin(40 * np.pi * TIMES), 1100.0, "2.2e+04 Hz, which nobody hears", "as 22 Hz"),
        (TIMES, np.sin(2 * np.pi * TIMES), 15.0, "15 Hz, which nobody hears", "sound as 440 Hz"),
    ],
)
def test_what_makes_no_sound_is_told(times, values, hertz, says, remedy):
    with pytest.raises(OutputError, match=says.replace("+", r"\+")) as caught:
        sound(times, values, hertz, "p")
    assert remedy in caught.value.remedy


def test_names_that_file_names_cannot_tell_apart_have_files_of_their_own():
    found = sound_files(Path("a.wav"), ("x/y", "x_y", "X:y"))
    assert len({file.name.casefold() for file in found}) == 3


SCENE = boxed(
    "Hum",
    """\
[[sources]]
name = "hum"
position = [0.4, 0.4]
radius = 0.1
amplitude = 1
waveform = { kind = "sine", frequency = 2 }
[[probes]]
name = "near"
position = [0.6, 0.5]
[[probes]]
name = "far"
position = [0.9, 0.9]
[solver]
element_size = 0.3
order = 3
until = 24
""",
)


def test_the_scale_follows_the_sources_or_else_what_was_recorded():
    scene = parse_scene(SCENE)
    assert known_frequency(scene) == 2
    assert hertz_of(scene, TIMES, np.zeros((0, 2))) == 220
    silent = parse_scene(SCENE.replace('"sine", frequency = 2', '"formula", formula = "0"'))
    values = np.stack([0.1 * np.sin(TIMES), np.sin(2 * np.pi * 4 * TIMES)], 1)
    assert hertz_of(silent, TIMES, values, tone=100) == pytest.approx(25, rel=1e-4)


def test_a_run_writes_sound(tmp_path, capsys):
    (tmp_path / "hum.toml").write_text(SCENE)
    run = [
        "run",
        str(tmp_path / "hum.toml"),
        "--backend",
        "numpy",
        "--wav",
        str(tmp_path / "o.wav"),
    ]
    assert main([*run, "--probe", "near", "--tone", "600"]) == 0
    assert re.search(r"wrote .*o\.wav$", capsys.readouterr().out, re.M)
    found = read(tmp_path / "o.wav")
    assert len(found) / RATE == pytest.approx(24 / 300, rel=0.01)
    # Beside the source the room has modes of its own.
    assert strongest_frequency(found[len(found) // 4 :], 1 / RATE) == pytest.approx(600, rel=2e-2)
    assert main([*run, "--probe", "nera"]) == 2
    assert 'Did you mean "near"?' in capsys.readouterr().err
    assert main([*run, "--until", "1", "--json"]) == 2
    assert "s as sound" in capsys.readouterr().err
