"""The scenes of lessons keep what their descriptions promise, also where their sliders are turned:
a number each, against theory."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.test_classics import amplitudes, hankel, run
from wavelab.paths import SCENES
from wavelab.scene.editing.parameters import with_parameters
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.monitors import LineMonitor, Monitor
from wavelab.scene.monitors.profile import profile
from wavelab.scene.toml.toml_io import load_scene


def measured(
    name: str, *monitors: Monitor, until: float | None = None, **parameters: float
) -> dict[str, MonitorResult]:
    """What monitors find in a scene with other values of its parameters, its own ones if none are
    given."""
    scene = with_parameters(load_scene(SCENES / f"{name}.toml"), parameters)
    solver = replace(scene.solver, until=until or scene.solver.until)
    return run(replace(scene, monitors=monitors or scene.monitors, solver=solver))


def below_and_beneath(**parameters: float) -> list[tuple[float, float]]:
    """Where the beam of Snell's law crosses two lines in the lower medium and one above, and how
    much of it."""
    depths = (0.3, 0.9, -1.1)
    lines = [
        LineMonitor(f"{depth}", ((-1.4, -depth), (1.4, -depth)), count=141) for depth in depths
    ]
    found = measured("snell", *lines, until=5.2, **parameters)
    crossed = []
    for line in lines:
        power = np.abs(amplitudes(found[line.name], 4.0, 3)) ** 2
        x = found[line.name].arrays["points"][:, 0]
        crossed.append((float((power * x).sum() / power.sum()), float(power.sum())))
    return crossed


def test_snell():
    a, n1, n2 = 40, 1.0, 1.5
    (near, _), (far, _), _ = below_and_beneath(a=a, n1=n1, n2=n2)
    bent = math.degrees(math.asin(n1 / n2 * math.sin(math.radians(a))))
    assert math.degrees(math.atan2(far - near, 0.6)) == pytest.approx(bent, abs=0.7)
    # It is the point where it arrives that stays.
    assert near == pytest.approx(0.3 * math.tan(math.radians(bent)), abs=0.03)


def test_snell_beyond_the_critical_angle():
    _, (_, passed), (_, came) = below_and_beneath(a=58, n1=1.5, n2=1.0)
    assert passed < 0.01 * came


def test_string():
    bellies = 3
    found = profile(measured("string", f=bellies / 4)["string"]).amplitude
    x = np.linspace(0, 2, 81)
    standing = np.abs(np.sin(bellies * np.pi * x / 2))
    assert float(found @ standing) > 0.98 * np.linalg.norm(found) * np.linalg.norm(standing)
    between = profile(measured("string", f=(bellies + 0.5) / 4)["string"]).amplitude
    assert found.max() > 1.5 * between.max()


def test_beats():
    difference = 0.3
    at = LineMonitor("microphone", ((0, 1.0), (0, 1.01)), count=2)
    line = measured("beats", at, d=difference)["microphone"]
    time, values = line.arrays["time"], line.arrays["values"][:, 0]
    late = time > 3
    time, values = time[late], values[late]
    # The square swells and fades with the difference, and has tones near 6 besides.
    rates = np.linspace(0.1, 0.6, 501)
    window = np.hanning(len(time))
    square = (values**2 - (values**2 * window).sum() / window.sum()) * window
    found = np.abs(np.exp(-2j * np.pi * rates[:, None] * time) @ square)
    assert rates[found.argmax()] == pytest.approx(abs(difference), abs=0.015)
    fades = np.array([np.abs(values[np.abs(time - t) < 0.25]).max() for t in np.arange(4, 11, 0.1)])
    assert fades.min() < 0.25 * fades.max()


@pytest.mark.parametrize(
    ("hit", "tones"), [(0.5, (0.3827, 0.6098, 0.8174)), (0.0, (0.3827, 0.8786))]
)
def test_drum(hit, tones):
    at = LineMonitor("ear", ((-0.25, 0.1), (-0.24, 0.1)), count=2)
    line = measured("drum", at, p=hit)["ear"]
    time, values = line.arrays["time"], line.arrays["values"][:, 0]
    rates = np.linspace(0.3, 0.9, 1201)
    heard = np.abs(np.exp(-2j * np.pi * rates[:, None] * time) @ (values * np.hanning(len(time))))
    inner = heard[1:-1]
    peaks = (inner > heard[:-2]) & (inner > heard[2:]) & (inner > 0.1 * heard.max())
    for tone in tones:
        assert np.abs(rates[1:-1][peaks] - tone).min() < 3e-3
    # In the middle there are nodes of all tones but those of J0.
    assert (np.abs(rates[1:-1][peaks] - 0.6098).min() > 0.05) == (hit == 0)


def test_harbour():
    width, frequency = 0.9, 3.0
    across = LineMonitor("across", ((2.25, -1.5), (2.25, 1.5)), count=61)
    front = LineMonitor("front", ((0.8, 1.0), (0.8, 1.1)), count=2)
    found = measured("harbour", across, front, w=width, f=frequency)
    came = np.abs(amplitudes(found["front"], frequency)).mean()
    y = found["across"].arrays["points"][:, 1]
    # Rayleigh's second integral over the opening and its mirror images in the quays.
    k, total = 2 * np.pi * frequency, np.zeros(len(y), complex)
    places = width * ((np.arange(100) + 0.5) / 100 - 0.5)
    for image in range(-3, 4):
        for place in places:
            r = np.hypot(1.2, y - place - 3.2 * image)
            total += 0.5 * k * hankel(0, k * r) * width / 100
    theory = came * np.abs(total)
    measured_there = np.abs(amplitudes(found["across"], frequency))
    assert np.linalg.norm(measured_there - theory) < 0.2 * np.linalg.norm(theory)


@pytest.mark.parametrize("impedance", [3.0, 0.4])
def test_wave_machine(impedance):
    found = profile(measured("wave_machine", z=impedance)["channel"]).amplitude
    assert found.max() / found.min() == pytest.approx(max(impedance, 1 / impedance), rel=0.02)


def test_sonic_boom():
    mach = 1.6
    aside = (0.25, 0.85)
    line = LineMonitor("aside", tuple((1.9, 1.2 + y) for y in aside), count=25)
    found = measured("sonic_boom", line, M=mach)["aside"]
    time, values = found.arrays["time"], found.arrays["values"]
    bang = time[np.abs(values).argmax(axis=0)]
    away = found.arrays["points"][:, 1] - 1.2
    # A front that leans by the Mach angle m behind goes aside by cos(m) in c = 1.
    slope = np.polyfit(away, bang, 1)[0]
    assert slope == pytest.approx(math.cos(math.asin(1 / mach)), abs=0.02)


def test_shore():
    places, depth = (0.9, 2.5, 3.3), lambda x: 1 - 0.88 * min(max((x - 1) / 2.6, 0), 1)
    lines = [LineMonitor(f"{x}", ((x - 0.04, 1), (x + 0.04, 1)), count=9) for x in places]
    found = measured("shore", *lines, until=9)
    heights = []
    for x, line in zip(places, lines, strict=True):
        field = amplitudes(found[line.name], 1.6)
        # Snell's law: the part of the wave number along the coast stays, k = w / sqrt(depth).
        slope = np.polyfit(np.linspace(-0.04, 0.04, 9), np.unwrap(np.angle(field)), 1)[0]
        theory = 2 * math.pi * math.sqrt(1.6**2 / depth(x) - 1)
        assert slope == pytest.approx(theory, rel=0.03)
        heights.append((np.abs(field).mean(), theory))
    # The flow of energy towards the shore, depth kx height^2, is the same everywhere (Green's law).
    flows = [depth(x) * k * height**2 for x, (height, k) in zip(places, heights, strict=True)]
    assert flows == pytest.approx([flows[0]] * 3, rel=0.08)
