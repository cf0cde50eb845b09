"""CSV files of monitors, read back to the last bit."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.simulation.records.test_monitors import BOX, UP, measured, radiating
from wavelab.errors import OutputError
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.monitors import (
    EnergyMonitor,
    FarFieldMonitor,
    FieldMonitor,
    FluxMonitor,
    IntensityMonitor,
    LineMonitor,
)
from wavelab.scene.sources import PointSource
from wavelab.scene.systems.light import LIGHT
from wavelab.scene.waveforms import Sine
from wavelab.simulation.records.monitor_tables import write_all_tables, write_tables

CONTOUR = Rectangle((0.2, 0.2), (0.8, 0.8))
MONITORS = (
    LineMonitor("geophones", UP, count=3, quantity="hy"),
    FluxMonitor("out", UP, frequencies=(1.0, 1.5)),
    EnergyMonitor("stored", BOX),
    FieldMonitor("map", (1.0, 1.5)),
    IntensityMonitor("mean", shape=CONTOUR),
    FarFieldMonitor("pattern/1", CONTOUR, (1.0, 1.5), directions=8),
)


def read(path: Path) -> dict[str, np.ndarray]:
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert len(set(header)) == len(header)
    columns = np.array(rows, dtype=np.float64).reshape(len(rows), len(header)).T
    return dict(zip(header, columns, strict=True))


def amplitude(table: dict[str, np.ndarray], name: str) -> np.ndarray:
    return table[f"{name}_real"] + 1j * table[f"{name}_imag"]


@pytest.fixture(scope="module")
def results() -> dict[str, MonitorResult]:
    source = PointSource("lamp", (0.5, 0.5), 0.1, 1.0, Sine(1.0))
    return measured(radiating(*MONITORS, sources=(source,), until=1.2), "numpy")


@pytest.fixture(scope="module")
def files(results, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    write_all_tables(folder / "run.csv", MONITORS, tuple(results.values()), LIGHT)
    return folder


def test_every_monitor_has_files_named_after_it(files):
    endings = "geophones out out_spectrum stored map mean pattern_1 pattern_1_power"
    assert {f.name for f in files.iterdir()} == {f"run_{e}.csv" for e in endings.split()}


def test_time_series_come_back_to_the_last_bit(files, results):
    line, found = results["geophones"].arrays, read(files / "run_geophones.csv")
    assert list(found) == ["time"] + [f"hy at x=0.3 y={y}" for y in ("0.0", "0.5", "1.0")]
    assert np.array_equal(np.column_stack(list(found.values())[1:]), line["values"])
    assert np.array_equal(found["time"], line["time"])
    for name, column in (("out", "power"), ("stored", "energy")):
        found = read(files / f"run_{name}.csv")
        assert len(found["time"]) > 1
        assert np.array_equal(found["time"], results[name].arrays["time"])
        assert np.array_equal(found[column], results[name].arrays[column])


def test_a_line_drawn_as_a_profile_has_a_table_of_that(results, tmp_path):
    line, result = replace(MONITORS[0], plot="profile"), results["geophones"]
    (_, path) = write_tables(tmp_path / "g.csv", line, result, LIGHT)
    assert path.name == "g_profile.csv"
    found, values = read(path), result.arrays["values"]
    assert list(found) == ["along", "x", "y", "hy", "mean_hy_squared", "duration"]
    assert np.array_equal(found["y"], [0, 0.5, 1])
    assert np.array_equal(found["hy"], values[-1])
    assert (found["mean_hy_squared"] <= np.square(values).max(axis=0) * (1 + 1e-12)).all()


def test_spectra_and_maps_name_frequency_and_place(files, results):
    found, exact = read(files / "run_out_spectrum.csv"), results["out"]
    assert np.array_equal(found["frequency"], [1.0, 1.5])
    assert np.array_equal(found["mean_power"], exact.arrays["mean_power"])
    assert np.array_equal(found["duration"], 2 * [exact.numbers["duration"]])
    found, exact = read(files / "run_map.csv"), results["map"]
    for i, frequency in enumerate((1.0, 1.5)):
        rows = found["frequency"] == frequency
        assert np.array_equal(found["x"][rows], exact.arrays["x"].ravel())
        for name in ("ez", "hx", "hy"):
            assert np.array_equal(amplitude(found, name)[rows], exact.arrays[name][i].ravel())
    found, exact = read(files / "run_mean.csv"), results["mean"]
    assert np.array_equal(found["mean_ez_squared"], exact.arrays["mean_square"].ravel())
    nodes = exact.arrays["x"].shape[1]
    assert np.array_equal(found["element"][::nodes], exact.arrays["elements"])


def test_a_far_field_is_a_row_for_each_frequency_and_direction(files, results):
    found, exact = read(files / "run_pattern_1.csv"), results["pattern/1"].arrays
    assert np.array_equal(found["angle_deg"], np.tile(45.0 * np.arange(8), 2))
    assert np.array_equal(found["frequency"], np.repeat([1.0, 1.5], 8))
    assert np.array_equal(amplitude(found, "pattern"), exact["pattern"].ravel())
    assert np.array_equal(found["pattern_abs"], np.abs(exact["pattern"]).ravel())
    power = read(files / "run_pattern_1_power.csv")
    assert np.array_equal(power["power"], exact["power"])


def test_names_that_would_be_one_file_get_numbers(results, tmp_path):
    monitors = [FluxMonitor(n, UP, frequencies=(1.0,)) for n in ("a b", "A/b", "a b spectrum")]
    files = write_all_tables(tmp_path / "r.csv", monitors, 3 * [results["out"]], LIGHT)
    names = [file.name for own in files for file in own]
    assert names[:4] == ["r_a_b.csv", "r_a_b_spectrum.csv", "r_A_b-2.csv", "r_A_b-2_spectrum.csv"]
    assert len({name.casefold() for name in names}) == 6


def test_a_file_that_cannot_be_written_leaves_nothing(results, tmp_path):
    with pytest.raises(OutputError, match="no directory"):
        write_tables(tmp_path / "gone" / "r.csv", MONITORS[1], results["out"], LIGHT)
    assert list(tmp_path.iterdir()) == []
