"""Units change what is told of a run, and nothing of the run."""

from __future__ import annotations

import json

import h5py
import numpy as np
import pytest

from tests.sample_scenes import boxed
from wavelab.cli.shared.run_report import readable
from wavelab.scene.systems.scale import scale_of
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.headless.batch import run_batch
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.summary import as_json
from wavelab.simulation.records.probe_sound import TONE, hertz_of
from wavelab.simulation.studies.modes.resonances import find_resonances

C = 299_792_458
SCENE = boxed(
    "Lamp",
    """\
[[sources]]
name = "lamp"
position = [0.5, 0.5]
radius = 0.1
amplitude = 1
waveform = { kind = "sine", frequency = 2 }
[[probes]]
name = "ear"
position = [0.25, 0.5]
[[monitors]]
name = "gate"
kind = "flux"
vertices = [[0.2, 0.2], [0.2, 0.8]]
frequencies = [2]
[solver]
element_size = 0.4
order = 2
until = 1
""",
)
UNITS = '[units]\nlength = "um"\n'


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """What a run tells and writes, without units and with some."""
    found = []
    for name, more in (("plain", ""), ("units", UNITS)):
        directory = tmp_path_factory.mktemp(name)
        files = {key: directory / f"{key}.h5" for key in ("monitors", "snapshot")}
        options = BatchOptions(
            backend="numpy", progress=False, probes=directory / "probes.csv", **files
        )
        summary = run_batch(parse_scene(SCENE + more), options)
        found.append((summary, directory))
    return found


def test_the_wave_is_the_same_bit_by_bit(runs):
    (_, plain), (_, units) = runs
    assert (plain / "probes.csv").read_bytes() == (units / "probes.csv").read_bytes()
    with h5py.File(plain / "snapshot.h5") as one, h5py.File(units / "snapshot.h5") as other:
        for name in set(one) - {"scene"}:
            assert np.array_equal(one[name][()], other[name][()]), name


def test_files_keep_the_numbers_of_the_scene_and_say_what_a_unit_is(runs):
    (plain, _), (summary, directory) = runs
    told = json.loads(as_json(summary))["units"]
    assert told == {"length": "um", "metres_per_unit": 1e-6, "seconds_per_unit": 1e-6 / C}
    assert "units" not in plain
    assert summary["dt"] == plain["dt"]
    assert summary["monitors"]["gate"]["frequency"] == [2.0]
    for name in ("monitors", "snapshot"):
        with h5py.File(directory / f"{name}.h5") as file:
            assert file.attrs["metres_per_unit"] == 1e-6
            assert file.attrs["seconds_per_unit"] == 1e-6 / C
    with h5py.File(runs[0][1] / "monitors.h5") as file:
        assert "metres_per_unit" not in file.attrs


def test_what_is_read_is_in_units(runs):
    (plain, _), (summary, _) = runs
    told = readable(summary)
    end, dt = (1e9 / C * summary[key] for key in ("time", "dt"))
    assert f"0 to {end:.6g} fs in" in told
    assert f"steps of {1000 * dt:.4g} as" in told or f"steps of {dt:.4g} fs" in told
    assert " at 599.585 THz" in told
    assert " fs" not in readable(plain)


def test_modes_are_told_in_hertz():
    scene = parse_scene(SCENE + UNITS)
    found = find_resonances(scene, 1, backend="numpy")
    (frequency,) = (mode.frequency for mode in found.modes)
    assert f"\t{frequency * C / 1e6:.8g} THz\t" in found.table(scale_of(scene))
    assert f"\t{frequency:.8g}\t" in found.table()


@pytest.mark.parametrize(("units", "hertz"), [
    ("", 440 / 2), (UNITS, 440 / 2), ('[units]\nlength = "m"\n', 440 / 2),
])  # fmt: skip
def test_light_is_not_heard_as_what_it_is(units, hertz):
    none = np.zeros(0), np.zeros((0, 1))
    assert hertz_of(parse_scene(SCENE + units), *none) == hertz


def test_sound_is_heard_as_what_it_is():
    scene = parse_scene(f'physics = "sound"\n{SCENE}[units]\nlength = "m"\n')
    none = np.zeros(0), np.zeros((0, 1))
    assert hertz_of(scene, *none) == pytest.approx(343.0)  # 686 Hz
    assert hertz_of(scene, *none, tone=TONE) == TONE / 2
    # A room of kilometres hums too low for anybody.
    far = parse_scene(f'physics = "sound"\n{SCENE}[units]\nlength = "km"\n')
    assert hertz_of(far, *none) == TONE / 2
