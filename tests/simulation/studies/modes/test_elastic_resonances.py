"""Modes of solids and fluids against exact ones."""

from __future__ import annotations

import cmath
import math
from dataclasses import replace

import h5py
import numpy as np
import pytest

from wavelab.errors import SceneError
from wavelab.output.palette import DEFAULT_SEQUENTIAL, palette_table, surroundings
from wavelab.paths import SCENES
from wavelab.physics.modes.modes import mode_estimate
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems.elastic import Solid
from wavelab.scene.toml.toml_io import load_scene, parse_scene
from wavelab.simulation.studies.modes.mode_files import mode_pictures, write_mode_files
from wavelab.simulation.studies.modes.resonances import find_resonances

SOLID = """physics = "elastic"
[domain]
{domain}
[background]
density = 1.3
p_speed = 1.8
s_speed = {s_speed}
{more}
[solver]
element_size = {size}
order = 5
until = 1
"""
DISK = 'shape = "ellipse"\ncenter = [0, 0]\nradii = [1, 1]'
BOX = 'shape = "rectangle"\nlower = [0, 0]\nupper = [1.1, 0.8]'
SLIP = '[[walls]]\nedges = ["domain"]\nkind = "slip"\n'
#: First zero of J2, and x J0(x) = 2 (cs / cp)^2 J1(x) for cp = 1.8 cs.
J2_ZERO = 5.135622301840683


def scene(domain: str = BOX, s_speed: float = 1.0, more: str = "", size: float = 0.5) -> Scene:
    return parse_scene(
        SOLID.format(domain=domain, s_speed=s_speed, more=more, size=size), "solid.toml"
    )


def bessel(n: int, x: float) -> float:
    t = np.linspace(0, math.pi, 4001)
    return float(np.trapezoid(np.cos(n * t - x * np.sin(t)), t) / math.pi)


def radial(p_speed: float) -> float:
    """The lowest x with x J0(x) = 2 J1(x) / p_speed^2."""

    def rest(x: float) -> float:
        return x * bessel(0, x) - 2 * bessel(1, x) / p_speed**2

    low, high = 1.0, 3.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if rest(low) * rest(middle) <= 0 else (middle, high)
    return low


def box_modes(below: float, s_speed: float) -> list[float]:
    """P potentials cos cos, and S potentials sin sin, between walls that slip."""
    found = []
    for m in range(20):
        for n in range(20):
            k = math.hypot(m / 1.1, n / 0.8) / 2
            found += [1.8 * k] if m or n else []
            found += [s_speed * k] if m and n and s_speed else []
    return sorted(f for f in found if f < below)


def test_a_free_disk_breathes_and_twists():
    found = find_resonances(scene(DISK, size=0.4), 14)
    frequencies = found.frequencies
    breathing, twisting = radial(1.8) * 1.8 / (2 * math.pi), J2_ZERO / (2 * math.pi)
    for exact, along in ((breathing, 1.0), (twisting, 0.0)):
        i = int(np.argmin(np.abs(frequencies - exact)))
        assert frequencies[i] == pytest.approx(exact, rel=1e-6)
        assert found.multiplicities[i] == 1
        d, (vx, vy) = found.problem.discretization, found.modes[i].fields[:2].real
        outwards = np.abs(d.x * vx + d.y * vy).max() / np.abs(d.y * vx - d.x * vy).max()
        assert outwards > 1e3 if along else outwards < 1e-3
    assert np.isinf(found.qualities).all()
    assert all(mode.residual < 1e-9 for mode in found.modes)


def sixth(*radii: float, physics: str = "elastic") -> Scene:
    """A part of the unit disk, or of a ring in it, whose straight edges lead to each other."""
    corners = [*radii, *(r * cmath.rect(1, math.pi / 3) for r in reversed(radii))]
    vertices = [[z.real, z.imag] for z in map(complex, corners)]
    arc = math.tan(math.pi / 12)
    bulges = [0.0, arc, 0.0, -arc] if len(radii) == 2 else [0.0, arc, 0.0]
    if len(radii) == 1:
        vertices.insert(0, [0.0, 0.0])
    domain = f'shape = "polygon"\nvertices = {vertices}\nbulges = {bulges}'
    glued = '[[walls]]\nedges = ["domain.0", "domain.2"]\nkind = "periodic"\n'
    text = SOLID.format(domain=domain, s_speed=1.0, more=glued, size=0.3)
    if physics != "elastic":
        lines = [
            line for line in text.splitlines() if "density" not in line and "_speed" not in line
        ]
        text = "\n".join(lines).replace("elastic", physics)
    return parse_scene(text, "sixth.toml")


def test_a_sixth_of_a_disk_breathes_and_twists_as_all_of_it():
    """In its corner an element touches itself, and what goes through the edges is turned."""
    found = find_resonances(sixth(1.0), band=(0.4, 0.95))
    c = found.problem.discretization.connectivity
    itself = c.neighbor_element == np.arange(len(c.neighbor_element))[:, None]
    assert (itself & ~c.is_boundary).sum() == 2
    exact = sorted((radial(1.8) * 1.8 / (2 * math.pi), J2_ZERO / (2 * math.pi)))
    for frequency in exact:
        assert np.abs(found.frequencies / frequency - 1).min() < 1e-5


@pytest.mark.parametrize("physics", ["light", "te", "sound", "elastic"])
def test_no_mode_of_a_ring_is_lost_in_a_sixth_of_it(physics):
    """What the flux takes of those that it carries well was overrated at edges that are turned, and
    they were taken for some that it does not."""
    found = find_resonances(sixth(0.4, 1.0, physics=physics), 4)
    assert len(found.modes) == 4
    frequencies = [mode.frequency for mode in found.modes]
    thirds = [
        mode.frequency
        for mode in find_resonances(
            replace(
                sixth(0.4, 1.0, physics=physics),
                solver=replace(found.problem.scene.solver, element_size=0.2, order=3),
            ),
            4,
        ).modes
    ]
    assert frequencies == pytest.approx(thirds, rel=1e-3)


@pytest.mark.parametrize("s_speed", [1.0, 0.0])
def test_all_modes_of_a_box_whose_walls_slip_and_no_others(s_speed):
    """A fluid has no S waves."""
    exact = box_modes(2.3, s_speed)
    found = find_resonances(scene(s_speed=s_speed, more=SLIP, size=0.3), band=(0.4, 2.3))
    assert found.frequencies == pytest.approx(exact, rel=1e-5)
    estimate = mode_estimate(found.problem.operator)
    assert len(exact) == pytest.approx(estimate.count(2.3), rel=0.2)


@pytest.mark.parametrize(("wall", "first"), [("free", 1), ("clamped", 0)])
def test_a_fluid_has_the_modes_of_sound(wall, first):
    """No pressure at a free edge, sin sin; at one that does not move cos cos, and many more."""
    both = [(m, n) for m in range(first, 30) for n in range(first, 30) if m or n]
    exact = sorted(0.9 * math.hypot(m / 1.1, n / 0.8) for m, n in both)
    more = f'[[walls]]\nedges = ["domain"]\nkind = "{wall}"\n'
    found = find_resonances(scene(s_speed=0.0, more=more, size=0.3), 6)
    assert found.frequencies == pytest.approx(exact[:6], rel=1e-4)
    estimate = mode_estimate(found.problem.operator)
    for frequency in (4.0, 6.0):
        below = sum(f < frequency for f in exact)
        assert estimate.count(frequency) == pytest.approx(below, rel=0.1)


def test_what_a_solid_loses_by_its_quality_factors():
    """A wave between two walls, with the modulus of a Zener body at its complex frequency."""
    more = "s_quality = 30\np_quality = 20\nq_frequency = 0.9\n" + SLIP
    found = find_resonances(scene(more=more, size=0.3), band=(0.7, 0.9))
    solid = Solid(1.3, 1.8, 1.0, 20.0, 30.0, 0.9)
    of_bulk, of_shear = solid.relaxing
    k, omega = math.pi / 1.1, 1.8 * math.pi / 1.1 + 0j
    for _ in range(60):
        modulus = 0j
        for stiff, s in ((1.8**2 - 1, of_bulk), (1.0, of_shear)):
            time = s / (2 * math.pi * 0.9)
            modulus += stiff * (1 - (1 - s * s) / (1 + 1j * omega * time))
        omega = k * cmath.sqrt(modulus)
    (mode,) = (m for m in found.modes if abs(m.frequency - omega.real / 2 / math.pi) < 0.02)
    assert mode.frequency == pytest.approx(omega.real / (2 * math.pi), rel=1e-6)
    assert mode.decay == pytest.approx(omega.imag, rel=1e-5)
    assert mode.quality == pytest.approx(20.0, rel=0.03)


def test_a_layer_on_open_ground_loses_what_goes_down():
    """Soft above hard ground: between a free surface and the border a wave keeps the part
    (Z2 - Z1) / (Z2 + Z1) of itself; P waves one way and S waves the other."""
    text = """physics = "elastic"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [0.3, 2]
[background]
density = 2.0
p_speed = 3.0
s_speed = 1.5
[[materials]]
name = "soft"
shape = "rectangle"
lower = [0, 1.5]
upper = [0.3, 2]
p_speed = 1.0
s_speed = 0.4
[[walls]]
edges = ["domain.left", "domain.right"]
kind = "{sides}"
[[walls]]
edges = ["domain.bottom"]
kind = "{below}"
{layer}
[solver]
element_size = 0.3
order = 6
until = 1
"""
    for below, layer in (("absorbing", ""), ("open", "thickness = 1.0")):
        given = parse_scene(text.format(sides="slip", below=below, layer=layer), "layer.toml")
        found = find_resonances(given, band=(0.4, 0.6))
        (mode,) = found.modes
        kept = (2.0 * 3.0 - 1.0) / (2.0 * 3.0 + 1.0)
        assert mode.frequency == pytest.approx(1.0 / (4 * 0.5), rel=1e-3)
        assert mode.decay == pytest.approx(-math.log(kept) / (2 * 0.5), rel=2e-3)


def colours_of(pixels) -> set:
    return set(map(tuple, pixels.reshape(-1, 3).tolist()))


def test_shapes_are_written(tmp_path):
    found = find_resonances(scene(more=SLIP), 2)
    path = tmp_path / "modes.h5"
    write_mode_files(found, None, path, (300, 200))
    with h5py.File(path) as file:
        names = set()
        file.visit(lambda name: names.add(name.rpartition("/")[2]))
    assert {"vx", "vy", "sxx", "syy", "sxy"} <= names
    # A size has no sign: nothing in the pictures has a colour of the palettes that show one.
    pixels = mode_pictures(found, 300, 200)
    assert pixels.shape == (200, 300, 3)
    assert colours_of(pixels) <= colours_of(palette_table(DEFAULT_SEQUENTIAL)[None]) | {
        surroundings(DEFAULT_SEQUENTIAL)
    }
    assert found.shape(0).max() == pytest.approx(1.0)
    # The second one runs along x, and fills half of the box.
    assert abs(found.direction(1)) % 180 == pytest.approx(0.0, abs=1e-3)
    assert found.volumes[1] == pytest.approx(0.5 * 1.1 * 0.8, rel=1e-3)


def test_what_cannot_be_solved_for_says_so():
    given = scene(more=SLIP)
    given = replace(given, solver=replace(given.solver, upwinding=0.0))
    with pytest.raises(SceneError, match="modes of this scene are not found") as raised:
        find_resonances(given, 2)
    assert "upwinding of 0.1" in raised.value.remedy


def test_a_cell_with_phases_is_sent_to_the_bands():
    with pytest.raises(SceneError, match="phases") as raised:
        find_resonances(load_scene(SCENES / "phononic_crystal.toml"), 2)
    assert "wavelab bands" in raised.value.remedy


@pytest.mark.parametrize("system", ["elastic", "light"])
def test_a_cell_without_walls_rings_too(system):
    """P and S waves with a whole number of waves to each side, twice for each direction."""
    walls = "".join(
        f'[[walls]]\nkind = "periodic"\nedges = ["domain.{one}", "domain.{other}"]\n'
        for one, other in (("left", "right"), ("bottom", "top"))
    )
    more = "[background]\np_speed = 1.8\ns_speed = 1\n" if system == "elastic" else ""
    given = parse_scene(
        f'physics = "{system}"\n[domain]\nshape = "rectangle"\nlower = [0, 0]\nupper = [1, 1]\n'
        f"{more}{walls}[solver]\nelement_size = 0.35\norder = 6\n"
    )
    found = find_resonances(given, band=(0.9, 1.9))
    exact = [1.0] * 4 + [math.sqrt(2)] * 4 + ([1.8] * 4 if system == "elastic" else [])
    assert found.frequencies == pytest.approx(exact, rel=1e-5)
