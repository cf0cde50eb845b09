"""Band structures of solids: against folded lines, layers, a channel, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.simulation.studies.bands.test_bands import SQUARE, TRIANGULAR, cell, corners, folded
from wavelab.cli import main
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.operator.fields import ElasticFields
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.studies.bands.band_files import modes_picture
from wavelab.simulation.studies.bands.band_search import find_bands

SOLID = "[background]\ndensity = 1.2\np_speed = 1.7\ns_speed = 0.9\n"
STEEL = """[[materials]]
density = 3
p_speed = 2.5
s_speed = 1.4
shape = "{shape}"
{where}
"""


def found(text: str, *args, **more):
    return find_bands(parse_scene(f'physics = "elastic"\n{text}'), *args, **more)


@pytest.mark.parametrize("vectors", [SQUARE, TRIANGULAR], ids=["square", "triangular"])
def test_a_uniform_solid_has_the_lines_of_p_and_s_waves_folded_back(vectors):
    text = cell(corners(vectors), SOLID, size=0.35, order=6)
    bands = found(text, "0,0 0.3,0.2 0.5,0.5", 2, 8)
    for k, frequencies in zip(bands.k, bands.frequencies, strict=True):
        both = [folded(vectors, k, 8, speed) for speed in (1.7, 0.9)]
        exact = np.sort(np.concatenate(both))[:8]
        assert frequencies == pytest.approx(exact, rel=2e-6, abs=1e-7)
        assert (frequencies > exact - 1e-7).all()  # by Rayleigh's principle


def test_waves_through_layers_have_the_bands_of_rytov():
    """Straight across two kinds of layers P and S waves keep apart:
    cos k L = cos a cos b - (Z1 / Z2 + Z2 / Z1) / 2 sin a sin b."""
    layers = STEEL.format(shape="rectangle", where="lower = [0, -0.2]\nupper = [0.2, 0.2]")
    outline = [[-0.5, -0.2], [0.5, -0.2], [0.5, 0.2], [-0.5, 0.2]]
    bands = found(cell(outline, SOLID + layers, size=0.25, order=7), "0.13,0 0.37,0", 1, 5)
    for k, frequencies in zip(bands.k, bands.frequencies, strict=True):
        for f in frequencies:
            rest = []
            for one, two in ((1.7, 2.5), (0.9, 1.4)):
                a, b = 2 * math.pi * f * 0.8 / one, 2 * math.pi * f * 0.2 / two
                ratio = 1.2 * one / (3 * two)
                mixed = (ratio + 1 / ratio) / 2 * math.sin(a) * math.sin(b)
                rest.append(math.cos(a) * math.cos(b) - mixed - math.cos(k[0]))
            assert min(map(abs, rest)) < 1e-5


def test_a_medium_that_changes_without_reflecting_has_lines_folded_back():
    """Density times speed is the same everywhere, and a cell takes 1 of time, or 1 / 0.55."""
    slow = "(1 + 0.4*cos(2*pi*x))"
    graded = f"""[background]
density = "1.3*{slow}"
p_speed = "1/{slow}"
s_speed = "0.55/{slow}"
"""
    outline = [[-0.5, -0.1], [0.5, -0.1], [0.5, 0.1], [-0.5, 0.1]]
    bands = found(cell(outline, graded, size=0.12, order=6), "0.13,0 0.37,0", 1, 5)
    for k, frequencies in zip(bands.k, bands.frequencies, strict=True):
        cycles = np.abs(k[0] / (2 * math.pi) + np.arange(-4, 5))
        exact = np.sort(np.concatenate([cycles, 0.55 * cycles]))[:5]
        assert frequencies == pytest.approx(exact, rel=1e-6)


def test_bloch_waves_run_through_a_medium_that_changes():
    """v = exp(i w (t - late)), a quarter of a period later behind a glued edge."""
    slow, w = "(1 + 0.4*cos(2*pi*x))", 2 * math.pi * 1.25
    text = f"""title = "cell"
physics = "elastic"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 0.5]
[background]
density = "1.3*{slow}"
p_speed = "1/{slow}"
s_speed = "0.5/{slow}"
[[walls]]
kind = "periodic"
edges = ["domain.left", "domain.right"]
phase = -90
[[walls]]
kind = "periodic"
edges = ["domain.bottom", "domain.top"]
[solver]
element_size = 0.12
order = 6
"""
    scene = parse_scene(text)
    operator = discretize_scene(scene, mesh_scene(scene)).operator
    d = operator.discretization
    assert operator.phases is not None
    late = d.x + 0.4 * np.sin(2 * math.pi * d.x) / (2 * math.pi)
    v = np.exp(-1j * w * late)
    parts = np.where(np.arange(d.n_elements)[:, None] % 2, v.imag, v.real)
    along = 1 - 2 * 0.5**2
    fields = ElasticFields(parts, 0 * parts, -1.3 * parts, -1.3 * along * parts, 0 * parts)
    rates = operator.right_hand_side(fields)
    turned = (1j * w * v).real, (1j * w * v).imag
    expected = np.where(np.arange(d.n_elements)[:, None] % 2, turned[1], turned[0])
    np.testing.assert_allclose(rates.vx, expected, atol=1e-3 * w)
    np.testing.assert_allclose(rates.syy, -1.3 * along * expected, atol=1e-3 * w)


def test_waves_along_a_channel_whose_walls_slip():
    """P potentials cos, and S potentials sin across it; fixed walls raise all frequencies."""
    outline = [[0, 0], [1, 0], [1, 0.6], [0, 0.6]]
    glued = '[[walls]]\nkind = "periodic"\nedges = ["domain.1", "domain.3"]\n'
    walls = glued + '[[walls]]\nkind = "{}"\nedges = ["domain.0", "domain.2"]\n'
    text = cell(outline, SOLID, size=0.3, order=6, walls=walls)
    bands = found(text.format("slip"), "0.2 0.4", 1, 7)
    clamped = found(text.format("clamped"), "0.2 0.4", 1, 7)
    free = found(text.format("free"), "0.2 0.4", 1, 7)
    for k, frequencies in zip(bands.k, bands.frequencies, strict=True):
        along = (k[0] + 2 * np.pi * np.arange(-4, 5))[:, None]
        up = np.pi / 0.6 * np.arange(5)
        waves = np.sqrt(along**2 + up**2) / (2 * np.pi)
        exact = np.sort(np.concatenate([1.7 * waves.ravel(), 0.9 * waves[:, 1:].ravel()]))[:7]
        assert frequencies == pytest.approx(exact, rel=1e-5)
    assert (clamped.frequencies[:, 0] > bands.frequencies[:, 0]).all()
    assert (free.frequencies <= clamped.frequencies).all()


def test_a_mode_fulfils_the_equations_of_motion():
    """density dv/dt = div s and ds/dt = C grad v, as waves run, but at the glued edges."""
    bands = found(cell(corners(SQUARE), SOLID, size=0.25, order=7), "0.1,0.2 0.5,0", 1, 4)
    fields, operator = bands.fields(0, 3), bands.operator
    w = 2 * math.pi * bands.frequencies[0, 3]
    parts = (ElasticFields.of(part.copy()) for part in (fields.real, fields.imag))
    real, imaginary = (np.array(operator.right_hand_side(part).arrays) for part in parts)
    inner = ~operator.discretization.connectivity.is_boundary.any(axis=1)
    mesh = operator.discretization.mesh
    inner &= (np.abs(mesh.vertices[mesh.triangles]) < 0.49).all(axis=(1, 2))
    wrong = np.abs(real + 1j * imaginary + 1j * w * fields)[:, inner].max(axis=(1, 2))
    assert (wrong < 1e-2 * w * np.abs(fields).max(axis=(1, 2))).all()
    assert inner.any()
    assert np.abs(fields[:2]).max() == pytest.approx(1.0)
    assert modes_picture(bands).shape[2] == 3


def test_rods_of_steel_stop_waves_of_all_directions():
    """Two bands stay apart along the whole path, and finer meshes say the same."""
    rod = STEEL.replace("density = 3", "density = 8").format(
        shape="ellipse", where="center = [0, 0]\nradii = [0.42, 0.42]"
    )
    gaps = [
        found(cell(corners(SQUARE), SOLID + rod, size=0.3, order=order), "G X M G", 3, 6).gaps
        for order in (4, 5)
    ]
    assert [found[0].below for found in gaps] == [3, 3]
    assert gaps[0][0].low == pytest.approx(gaps[1][0].low, rel=1e-3)
    assert gaps[0][0].high == pytest.approx(gaps[1][0].high, rel=1e-3)
    assert gaps[0][0].width > 0.2


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ("[background]\ns_speed = 0\n", "fluids"),
        ("[background]\ns_quality = 20\n", "quality factors"),
    ],
)
def test_what_has_no_bands_is_refused_by_name(more, problem):
    with pytest.raises(SceneError, match=problem):
        found(cell(corners(SQUARE), more))


def test_slanting_walls_that_slip_are_refused():
    outline = [[0, 0], [1, 0.3], [1, 0.9], [0, 0.6]]
    walls = (
        '[[walls]]\nkind = "periodic"\nedges = ["domain.1", "domain.3"]\n'
        '[[walls]]\nkind = "slip"\nedges = ["domain.0", "domain.2"]\n'
    )
    with pytest.raises(SceneError, match="slip walls that lie neither along x nor along y"):
        found(cell(outline, SOLID, walls=walls), "0.2 0.4")


def test_the_command(tmp_path, capsys):
    path = tmp_path / "cell.toml"
    path.write_text('physics = "elastic"\n' + cell(corners(SQUARE), SOLID, size=0.4, order=3))
    modes = tmp_path / "modes.png"
    assert main(["bands", str(path), "--points", "2", "--bands", "3", "--modes", str(modes)]) == 0
    assert "band 3" in capsys.readouterr().out
    assert modes.exists()
