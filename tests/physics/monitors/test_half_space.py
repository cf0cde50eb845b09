"""Far fields in front of openings in screens: exact waves, and conservation of energy."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.meshing.job import mesh_scene
from wavelab.numerics.fields.line_quadrature import LineQuadrature
from wavelab.physics.monitors.far_field import far_field
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.measuring.requests import SCREENS
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.model.shapes import Polygon
from wavelab.scene.monitors import FluxMonitor, HalfSpaceMonitor
from wavelab.scene.sources import PlaneWave
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.scene.walls import AbsorbingWall, MagneticWall, OpenWall
from wavelab.scene.waveforms import ModulatedGaussian
from wavelab.simulation.studies.reference import referenced

FREQUENCY, BEHIND, HALF = 0.8, 3.0, 1500.0


def hankel(order: int, z: np.ndarray) -> np.ndarray:
    """Of arguments from 15 on, by Hankel's own series (Abramowitz & Stegun 9.2.7)."""
    term, total = np.ones(len(z), complex), np.ones(len(z), complex)
    for k in range(1, 16):
        term = term * 1j * (4 * order**2 - (2 * k - 1) ** 2) / (8 * k * z)
        total = total + term
    return np.sqrt(2 / (np.pi * z)) * np.exp(1j * (z - np.pi * (order / 2 + 0.25))) * total


def line_along_y() -> LineQuadrature:
    """Points of x = 0 from -HALF to HALF, by the trapezoidal rule, with their normals along x."""
    y = np.linspace(-HALF, HALF, 120001)
    one, none = np.ones(len(y)), np.zeros(len(y))
    elements = np.zeros(len(y), np.int32)
    spacing = (y[1] - y[0]) * one
    points = np.column_stack([none, y])
    return LineQuadrature(points, spacing, one, none, elements, none[:, None], 2 * HALF)


@pytest.mark.parametrize("screen", SCREENS)
def test_a_dipole_behind_the_plane_is_what_it_is_far_away(screen):
    """H1(k r) cos(angle) round a point behind the plane goes out through it; with either image the
    field on the plane alone makes the far field.  The line ends where |Ez| is 2e-5 of an H1."""
    line, k = line_along_y(), 2 * np.pi * FREQUENCY
    y = line.points[:, 1]
    r = np.hypot(BEHIND, y)
    h0, h1 = hankel(0, k * r), hankel(1, k * r)
    ez = h1 * BEHIND / r
    # d/dx of H1(k r) x / r, and H of a wave of that slope: dEz/dn = -i w mu H.
    slope = (k * h0 - h1 / r) * (BEHIND / r) ** 2 + h1 * y**2 / r**3
    angles = np.radians([-60, -20, 0, 35, 70, 120, 180])
    found = far_field(line, ez, 1j * slope / k, FREQUENCY, angles, screen=screen)
    exact = np.sqrt(2 / (np.pi * k)) * np.exp(-0.75j * np.pi) * np.cos(angles)
    exact = exact * np.exp(1j * k * BEHIND * np.cos(angles))
    exact[np.cos(angles) < 0] = 0
    assert found == pytest.approx(exact, abs=2e-3 * np.abs(exact).max())


def opening(screen: str) -> Scene:
    """A lane that opens through a gap in a screen into a room with open walls."""
    outline = Polygon(
        (
            (0.0, 0.6), (1.0, 0.6), (1.0, 0.0), (2.6, 0.0), (2.6, 2.2), (1.0, 2.2), (1.0, 1.6),
            (0.0, 1.6),
        )
    )  # fmt: skip
    names = [f"domain.{name}" for name in outline.edge_names()]
    gap = ((1.0, 0.6), (1.0, 1.6))
    return Scene(
        "opening",
        Solver(0.2, order=4, until=9.0, precision="double"),
        outline=outline,
        walls=(
            OpenWall(tuple(names[i] for i in (2, 3, 4)), 0.5),
            AbsorbingWall((names[7],)),
            MagneticWall(tuple(names[i] for i in (0, 1, 5, 6))),
        ),
        sources=(PlaneWave("in", 0.0, 1.0, ModulatedGaussian(0.9, 0.6, 3.0), edges=(names[7],)),),
        monitors=(
            HalfSpaceMonitor("far", gap, (0.8, 1.0), screen),
            FluxMonitor("through", gap, frequencies=(0.8, 1.0)),
        ),
    )


def test_what_goes_through_an_opening_is_what_leaves_in_all_directions():
    scene = opening("magnetic")
    found = referenced(scene, scene)
    far, through = found["far"], found["through"]
    assert far.result["power"] == pytest.approx(through.result["mean_power"], rel=5e-3)
    angle, pattern = 360 * np.arange(360) / 360, np.abs(far.result["pattern"])
    assert not pattern[:, (angle > 90.5) & (angle < 269.5)].any()
    # Straight on it is strongest, and the same on both sides.
    assert (pattern.argmax(axis=1) == 0).all()
    assert pattern[:, 1:90] == pytest.approx(pattern[:, :270:-1], rel=0.05, abs=1e-3)


@pytest.mark.parametrize(
    ("physics", "kind", "right"),
    [
        ("light", "conductor", "conductor"),
        ("light", "magnetic", "magnetic"),
        ("te", "conductor", "magnetic"),
        ("te", "magnetic", "conductor"),
        ("sound", "rigid", "magnetic"),
        ("sound", "soft", "conductor"),
    ],
)
def test_a_screen_that_is_none_of_its_walls_is_told(physics, kind, right):
    """The words of screens are those of light: of a metal one in TE the image keeps its sign."""
    told = {screen: screens_told(physics, kind, screen) for screen in SCREENS}
    assert told.pop(right) == []
    ((notice,),) = told.values()
    assert f'give screen = "{right}"' in notice


def screens_told(physics: str, kind: str, screen: str) -> list[str]:
    scene = parse_scene(
        f"""title = "slit"
physics = "{physics}"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [2, 2]
[[holes]]
name = "below"
shape = "rectangle"
lower = [0.9, 0]
upper = [1, 0.8]
[[holes]]
name = "above"
shape = "rectangle"
lower = [0.9, 1.2]
upper = [1, 2]
[[walls]]
edges = ["domain"]
kind = "absorbing"
[[walls]]
edges = ["below", "above"]
kind = "{kind}"
[[monitors]]
name = "far"
kind = "half_space"
vertices = [[1, 0.8], [1, 1.2]]
frequencies = [0.8]
screen = "{screen}"
[solver]
element_size = 0.4
"""
    )
    notices = discretize_scene(scene, mesh_scene(scene)).notices
    return [notice for notice in notices if "screen" in notice]
