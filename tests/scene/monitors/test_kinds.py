"""Every kind of monitor says all that the rooms ask of it, and measures what it says."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from tests.simulation.records.test_monitors import measured, radiating
from wavelab.app.base.numbers import three_figures
from wavelab.app.edits.monitor_edits import MEASURED
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.measuring.drawn import Drawn
from wavelab.scene.model.measuring.monitor import Measurement, Monitor
from wavelab.scene.model.measuring.requests import outline_of
from wavelab.scene.model.scene import Material
from wavelab.scene.model.shapes import Ellipse
from wavelab.scene.model.units import Written
from wavelab.scene.monitors import MONITORS, ModeMonitor
from wavelab.scene.sources import PointSource
from wavelab.scene.systems.light import LIGHT
from wavelab.scene.toml.toml_io import dump_scene, parse_scene
from wavelab.scene.view.quantities import maps_of
from wavelab.scene.waveforms import Sine
from wavelab.simulation.records.monitor_tables import write_tables

WRITTEN = Written(None, three_figures)
LAMP = PointSource("lamp", (0.5, 0.5), 0.1, 1.0, Sine(1.0))
PLACES = {"line": ((0.2, 0.3), (0.8, 0.6)), "shape": Ellipse((0.5, 0.5), (0.35, 0.3))}
#: What a line across it needs: glass along the middle of the line of ``PLACES``.
GUIDE = Formula.parse("1 + 15*exp(-60*(0.8944*(x - 0.5) + 0.4472*(y - 0.45))^2)", ("x", "y", "t"))
AROUND = {ModeMonitor: {"background": Material(epsilon=GUIDE)}}
WAYS = [
    pytest.param(kind, placing, id=name)
    for kind in MONITORS.values()
    for name, placing in kind.placings.items()
]


def placed(placing: Measurement) -> Monitor:
    assert placing.make is not None
    frequencies = (1.0, 1.5) if placing.frequencies else ()
    return placing.make(Drawn("m 1", PLACES[placing.placing], frequencies))


@pytest.mark.parametrize(("kind", "placing"), WAYS)
def test_what_is_placed_is_of_its_kind_and_comes_back_from_a_file(kind, placing):
    monitor = placed(placing)
    assert type(monitor) is kind
    scene = radiating(monitor, **AROUND.get(kind, {})).scene
    assert parse_scene(dump_scene(scene)).monitors == (monitor,)
    place = monitor.where.place
    assert monitor.at(place) == monitor
    moved = replace(PLACES["shape"], center=(0.0, 0.0))
    assert monitor.at(moved if not isinstance(place, tuple) else place[::-1]) != monitor
    assert outline_of(place)


@pytest.mark.parametrize(("kind", "placing"), WAYS)
def test_it_measures_what_it_says_on_both_steppers(kind, placing, tmp_path):
    monitor = placed(placing)
    problem = radiating(monitor, sources=(LAMP,), until=0.6, **AROUND.get(kind, {}))
    found = {backend: measured(problem, backend)["m 1"] for backend in ("numpy", "auto")}
    result = found["numpy"]
    assert set(result.arrays) <= set(kind.variables)
    lengths: dict[str, int] = {}
    for name, values in result.arrays.items():
        dimensions = kind.variables[name].dimensions
        assert values.ndim == len(dimensions), name
        for dimension, length in zip(dimensions, values.shape, strict=True):
            assert lengths.setdefault(dimension, length) == length, (name, dimension)
        size = np.abs(values).max()
        assert np.abs(values - found["auto"].arrays[name]).max() <= 1e-9 * size, name
    assert all(kind.in_short(result.summary(), WRITTEN))
    assert all(isinstance(line, str) and line for line in kind.told(result, WRITTEN))
    assert kind.told(result, WRITTEN)
    tables = monitor.tables(result)
    assert "" in tables
    files = write_tables(tmp_path / "m.csv", monitor, result, LIGHT)
    assert len(files) == len(tables)
    rows = [len(np.unique([len(column) for column in table.values()])) for table in tables.values()]
    assert set(rows) == {1}


@pytest.mark.parametrize("kind", MONITORS.values(), ids=MONITORS)
def test_it_is_drawn_somewhere_and_explains_its_fields(kind):
    assert kind.label
    assert all("meaning" in field.metadata for field in fields(kind))
    monitor = placed(next(iter(kind.placings.values())))
    assert bool(kind.plots) != bool(maps_of(monitor))


def test_ways_to_place_have_names_of_their_own():
    names = [name for kind in MONITORS.values() for name in kind.placings]
    assert len(set(names)) == len(names)
    assert set(MEASURED) == {"point", *names}
    # What can be measured everywhere stands behind what is drawn.
    everywhere = [measured.everywhere for measured in MEASURED.values()]
    assert everywhere == sorted(everywhere)


def test_a_shape_moves_with_its_monitor():
    (placing,) = MONITORS["energy"].placings.values()
    monitor = placed(placing)
    moved = monitor.at(PLACES["shape"].shifted((0.1, 0.0)))
    assert moved.where.place == Ellipse((0.6, 0.5), (0.35, 0.3))
