"""A file drives a source: as what it has recorded, found wherever the scene goes."""

from __future__ import annotations

import math
import wave
from dataclasses import replace

import numpy as np
import pytest

from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import discretize_scene
from wavelab.scene.editing import properties
from wavelab.scene.toml.toml_io import load_scene, parse_scene, save_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import stepper_of

RATE, TONE, PACE, LENGTH = 48000, 440.0, 0.004, 0.02
FORMULA = f"sin({2 * math.pi * TONE * PACE!r}*t)*(1 - cos({2 * math.pi * PACE / LENGTH!r}*t))/2"
FORMULA = f"{FORMULA} if t > 0 and t < {LENGTH / PACE!r} else 0"
SOURCES = {
    "point": "position = [0.4, 0.5]\nradius = 0.1",
    "plane wave": 'kind = "plane_wave"\ndirection = 20\nedges = ["domain.left", "domain.bottom"]',
}
SCENE = """
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[[walls]]
edges = ["domain"]
kind = "absorbing"
[[sources]]
name = "voice"
{source}
amplitude = 1
waveform = {waveform}
[[probes]]
name = "ear"
position = [0.7, 0.6]
[solver]
element_size = {size}
order = 4
until = 2
precision = "double"
"""


def text(
    source: str = "point", waveform: str = 'path = "voice.wav", pace = 0.004', size=0.3
) -> str:
    if "kind" not in waveform:
        waveform = f'{{ kind = "file", {waveform} }}'
    return SCENE.format(source=SOURCES[source], waveform=waveform, size=size)


@pytest.fixture
def folder(tmp_path):
    t = np.arange(round(RATE * LENGTH)) / RATE
    tone = np.sin(2 * np.pi * TONE * t) * (1 - np.cos(2 * np.pi * t / LENGTH)) / 2
    pair = np.repeat(np.round(tone * (2**31 - 1)).astype("<i4")[:, None], 2, axis=1)
    with wave.open(str(tmp_path / "voice.wav"), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(4)
        file.setframerate(RATE)
        file.writeframes(pair.tobytes())
    return tmp_path


def heard(scene, backend: str) -> np.ndarray:
    problem = discretize_scene(scene, mesh_scene(scene))
    assert not problem.notices
    n = problem.steps_to_end()
    stepper = stepper_of(problem, dt=scene.solver.until / n, backend=backend)
    simulation = Simulation(problem, stepper)
    _, values = simulation.advance(n)
    simulation.close()
    return values[:, 0]


@pytest.mark.parametrize("source", SOURCES)
def test_a_wav_drives_a_source_as_its_formula_does(folder, source):
    played = text(source, 'path = "voice.wav", pace = 0.004, normalized = false, taper = 0')
    typed = text(source, f'{{ kind = "formula", formula = "{FORMULA}" }}')
    expected = heard(parse_scene(typed), "opencl")
    scene = parse_scene(played, folder / "scene.toml")
    scale = np.abs(expected).max()
    double = heard(scene, "opencl")
    assert scale > 1e-3
    assert np.abs(double - expected).max() < 1e-6 * scale
    single = heard(replace(scene, solver=replace(scene.solver, precision="single")), "opencl")
    assert np.abs(single - expected).max() < 1e-4 * scale


def test_it_says_its_frequencies_and_the_mesh_whether_it_carries_them(folder):
    scene = parse_scene(text(), folder / "scene.toml")
    wave_form = scene.sources[0].waveform
    assert wave_form.lowest_frequency == pytest.approx(TONE * PACE, rel=0.03)
    assert TONE * PACE < wave_form.highest_frequency < 2 * TONE * PACE
    quick = parse_scene(text(waveform='path = "voice.wav", pace = 0.1'), folder / "scene.toml")
    (notice,) = discretize_scene(quick, mesh_scene(quick)).notices
    assert 'source "voice" sends frequencies up to' in notice
    assert "or a smaller pace of the file" in notice
    silent = parse_scene(text(waveform="pace = 2"))
    (notice,) = discretize_scene(silent, mesh_scene(silent)).notices
    assert notice.startswith('source "voice" is silent: give its waveform a path')


def test_the_file_is_found_from_wherever_the_scene_is_saved(folder):
    (folder / "scene.toml").write_text(text())
    scene = load_scene(folder / "scene.toml")
    (folder / "other" / "place").mkdir(parents=True)
    target = folder / "other" / "place" / "scene.toml"
    save_scene(scene, target)
    assert 'path = "../../voice.wav"' in target.read_text()
    assert load_scene(target).sources == scene.sources


def test_a_missing_file_is_named_with_its_line(folder):
    with pytest.raises(SceneError) as caught:
        parse_scene(text(waveform='path = "none.wav"'), folder / "scene.toml")
    assert "scene.toml:14: sources.waveform.path" in caught.value.where
    assert str(folder / "none.wav") in caught.value.message


def test_a_typed_name_is_taken_from_where_the_scene_is(folder):
    scene = parse_scene(text(waveform="pace = 2"), folder / "scene.toml")
    key = ("sources", 0), ("waveform", "path")
    found = properties.changed(scene, *key, "voice.wav")
    assert found.sources[0].waveform.path == folder / "voice.wav"
    assert properties.changed(found, *key, "").sources == scene.sources


def test_equal_scenes_have_one_spline(folder):
    made = [parse_scene(text(), folder / "scene.toml") for _ in range(2)]
    first, second = (scene.sources[0].waveform.function() for scene in made)
    assert first == second
