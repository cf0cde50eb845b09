"""What a placed source radiates."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from wavelab.scene.editing.switching import switched
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.model.sending.placing import SourceSettings, fitting_frequency
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.sources import PLACINGS, placed_source
from wavelab.scene.toml.toml_io import dump_scene, parse_scene
from wavelab.scene.walls import AbsorbingWall
from wavelab.scene.waveforms import WAVES


def hankel(x: np.ndarray) -> np.ndarray:
    """H_0^(1) = J_0 + i Y_0 by its integrals (DLMF 10.9.1 and 10.9.7)."""
    angle = (np.arange(200) + 0.5) * np.pi / 200
    t, dt = np.linspace(0, 8, 2001, retstep=True)
    weight = np.where((t == 0) | (t == 8), dt / 2, dt)
    x = x[..., None]
    j = np.cos(x * np.sin(angle)).mean(axis=-1)
    y = np.sin(x * np.sin(angle)).mean(axis=-1)
    return j + 1j * (y - 2 / np.pi * (np.exp(-x * np.sinh(t)) * weight).sum(axis=-1))


@pytest.mark.parametrize("frequency", [0.5, 3.3])
def test_the_amplitude_gives_the_height_one_wavelength_away(frequency):
    """Against Green's function of the plane, integrated over the Gaussian current."""
    settings = SourceSettings(frequency, height=2.0)
    k, r, distance = 2 * np.pi * frequency, settings.radius, 1 / frequency
    points, step = np.linspace(-5 * r, 5 * r, 41, retstep=True)
    x, y = np.meshgrid(points, points)
    current = np.exp(-(x**2 + y**2) / (2 * r**2)) * step**2
    field = np.sum(hankel(k * np.hypot(x - distance, y)) * current)
    assert k / 4 * settings.amplitude * abs(field) == pytest.approx(2.0, rel=0.01)


@pytest.mark.parametrize("wave", WAVES)
def test_a_source_that_is_placed_begins_at_the_beginning(wave):
    waveform = placed_source("s", SourceSettings(2.0, wave=wave)).waveform
    crests = {"pulse": 0.75, "wave packet": 3.05}
    highest = {"pulse": 5.524, "wave packet": 2.966}
    assert waveform.delay == crests.get(wave, 0.0)
    assert waveform.first_felt == pytest.approx(0.0)
    assert waveform.highest_frequency == pytest.approx(highest.get(wave, 2.0), rel=1e-3)


@pytest.mark.parametrize("kind", PLACINGS)
def test_every_kind_makes_a_source_that_a_scene_may_have(kind):
    settings = SourceSettings(3.0, 2.0, kind=kind, own={"direction": 30.0})
    placing, of = PLACINGS[kind]
    if placing.gesture in ("edge", "edges"):
        source = placed_source("s", settings, edges=("domain.left",))
    else:
        source = placed_source("s", settings, start=(0.7, 0.3), end=(0.2, 0.6))
    wall = AbsorbingWall(("domain.left",))
    scene = Scene("test", Solver(0.1), walls=(wall,), sources=(source,))
    if of.equations == "elastic":
        scene = switched(Scene("test", Solver(0.1)), "elastic")[0]
        scene = replace(scene, sources=(source,))
    assert parse_scene(dump_scene(check_scene(scene))).sources == (source,)
    mark = source.mark(scene)
    assert (mark is None) == (kind in ("point", "explosion"))
    if placing.gesture in ("edge", "edges"):
        assert source.anchor() is None
        return
    assert source.moved((0.4, 0.4)).anchor() == pytest.approx((0.4, 0.4))
    if kind == "moving":
        assert source.anchor() == (0.7, 0.3)
        later = [source.x.evaluate(t=1.0), source.y.evaluate(t=1.0)]
        assert math.dist(later, (0.7, 0.3)) == pytest.approx(0.5, rel=1e-3)


def test_a_line_makes_the_height_that_was_asked_for():
    """A sheet of current makes half of what flows across it on both sides."""
    settings = SourceSettings(3.0, 2.0, kind="line")
    line = placed_source("s", settings, start=(0, 0), end=(1, 0))
    x, step = np.linspace(-6 * line.radius, 6 * line.radius, 400, retstep=True)
    k = 2 * np.pi * 3
    profile = line.amplitude * np.exp(-(x**2) / (2 * line.radius**2))
    assert abs((profile * np.exp(1j * k * x)).sum() * step) / 2 == pytest.approx(2.0, rel=1e-6)


def test_the_wavelength_is_six_elements():
    assert 1 / fitting_frequency(0.05) == pytest.approx(0.3, rel=0.05)
