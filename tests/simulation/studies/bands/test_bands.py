"""Band structures: against exact ones, plane waves, and what symmetry says; and what is refused."""

from __future__ import annotations

import csv
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.plane_waves import plane_wave_bands
from wavelab.cli import main
from wavelab.errors import OutputError, SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.fields.lattice import Lattice, _basis
from wavelab.physics.operator.fields import MaxwellFields
from wavelab.physics.operator.maxwell_tm import right_hand_side
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.studies.bands import band_files
from wavelab.simulation.studies.bands.band_files import (
    FREQUENCY,
    check_band_files,
    write_band_files,
)
from wavelab.simulation.studies.bands.band_search import find_bands
from wavelab.simulation.studies.bands.band_structure import BandStructure
from wavelab.simulation.studies.comparison import StudyCancelledError

SQUARE = np.eye(2)
TRIANGULAR = np.array([[1, 0], [0.5, math.sqrt(3) / 2]])


def corners(vectors) -> list:
    """Of the parallelogram that two vectors span, around the origin."""
    a, b = np.asarray(vectors, float)
    return (np.array([0 * a, a, a + b, b]) - (a + b) / 2).tolist()


def hexagon() -> list:
    """The cell of the triangular lattice with all its symmetry."""
    angles = np.radians(60 * np.arange(6) - 30)
    return (np.stack([np.cos(angles), np.sin(angles)], axis=1) / math.sqrt(3)).tolist()


def cell(outline, more: str = "", size: float = 0.3, order: int = 5, walls: str = "") -> str:
    """A scene whose opposite edges are glued, an even number of them."""
    half = len(outline) // 2
    glued = "".join(
        f'[[walls]]\nkind = "periodic"\nedges = ["domain.{i}", "domain.{i + half}"]\n'
        for i in range(half)
    )
    return (
        f'title = "cell"\n[domain]\nshape = "polygon"\nvertices = {outline}\n{walls or glued}{more}'
        f"[solver]\nelement_size = {size}\norder = {order}\n"
    )


def rod(radius: float, epsilon: float) -> str:
    return (
        f'[[materials]]\nepsilon = {epsilon}\nshape = "ellipse"\ncenter = [0, 0]\n'
        f"radii = [{radius}, {radius}]\n"
    )


def found(text: str, *args, **more) -> BandStructure:
    return find_bands(parse_scene(text), *args, **more)


def folded(vectors, k, count: int, speed: float = 1.0) -> np.ndarray:
    """Light lines of an empty lattice, folded back: f = |k + G| / (2 pi) times the speed."""
    reciprocal = 2 * np.pi * np.linalg.inv(vectors).T
    steps = np.stack(np.meshgrid(*2 * [np.arange(-4, 5)]), axis=-1).reshape(-1, 2)
    return speed * np.sort(np.linalg.norm(k + steps @ reciprocal, axis=1))[:count] / (2 * np.pi)


@given(
    angle=st.floats(60, 90),
    ratio=st.floats(0.7, 1.4),
    parts=st.tuples(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)),
    turned=st.floats(0, 90),
)
@settings(max_examples=6, deadline=None)
def test_an_empty_lattice_has_folded_light_lines(angle, ratio, parts, turned):
    """Whatever the cell, uniform space has the waves of uniform space."""
    first, second = math.radians(turned), math.radians(turned + angle)
    vectors = np.array(
        [[math.cos(first), math.sin(first)], [ratio * math.cos(second), ratio * math.sin(second)]]
    )
    text = cell(corners(vectors), "[background]\nepsilon = 4\n", size=0.3, order=6)
    bands = found(text, f"0,0 {parts[0]:.6f},{parts[1]:.6f}", 2, 4)
    for k, row in zip(bands.k, bands.frequencies, strict=True):
        np.testing.assert_allclose(row, folded(vectors, k, 4, 0.5), atol=3e-5)


def test_other_waves_have_bands_too():
    """Sound of speed 2, whatever its density: the light lines are twice as steep."""
    text = 'physics = "sound"\n' + cell(corners(SQUARE), "[background]\nspeed = 2\ndensity = 3\n")
    bands = found(text, "G X", 1, 4)
    np.testing.assert_allclose(bands.frequencies[1], folded(SQUARE, bands.k[1], 4, 2.0), atol=1e-5)


def test_a_crystal_that_has_axes_has_bands_by_them():
    """TE light in a uniform medium: w^2 = q . epsilon^-1 q, q being k turned by a
    right angle, as E is across k."""
    axes = "epsilon_axes = [2, 5]\nepsilon_angle = 30\n"
    text = 'physics = "te"\n' + cell(corners(SQUARE), f"[background]\n{axes}", order=6)
    bands = found(text, "0,0 0.3,0.1", 1, 5)
    c, s = math.cos(math.radians(30)), math.sin(math.radians(30))
    turn = np.array([[c, -s], [s, c]])
    inverse = turn @ np.diag([1 / 2, 1 / 5]) @ turn.T
    steps = np.stack(np.meshgrid(*2 * [np.arange(-4, 5)]), axis=-1).reshape(-1, 2)
    k = bands.k[1] + 2 * np.pi * steps
    across = np.stack([-k[:, 1], k[:, 0]], axis=1)
    exact = np.sort(np.sqrt(np.einsum("ki,ij,kj->k", across, inverse, across)))[:5] / (2 * np.pi)
    np.testing.assert_allclose(bands.frequencies[1], exact, atol=1e-6)


def test_frequencies_converge_twice_as_fast_as_fields_and_from_above():
    """f - exact falls like h^(2 N), and so do those of modes that are degenerate."""
    exact = folded(SQUARE, np.array([np.pi, 0.5]), 6)
    for order in (1, 2, 3):
        errors = []
        for size in (0.25, 0.125):
            text = cell(corners(SQUARE), size=size, order=order)
            row = found(text, f"X 0.5,{0.25 / np.pi:.15g}", 1, 6).frequencies[1]
            assert (row > exact - 1e-9).all()
            errors.append((row - exact)[:4].max())
        assert math.log2(errors[0] / errors[1]) > 2 * order - 0.4, order


@pytest.mark.parametrize(
    ("vectors", "outline", "radius", "inside", "outside"),
    [
        pytest.param(SQUARE, corners(SQUARE), 0.2, 8.9, 1, id="square, rods"),
        pytest.param(TRIANGULAR, hexagon(), 0.2, 12, 1, id="triangular, rods"),
        pytest.param(TRIANGULAR, corners(TRIANGULAR), 0.3, 1, 13, id="triangular, holes"),
    ],
)
def test_crystals_agree_with_plane_waves(vectors, outline, radius, inside, outside):
    """Elements follow the rods and are exact to 1e-5; plane waves come down to them from above, and
    with twice as many to each side at least twice as near."""
    medium = f"[background]\nepsilon = {outside}\n" + rod(radius, inside)
    bands = found(cell(outline, medium, size=0.3, order=5), points=2, bands=5)
    assert bands.error < 1e-3
    for point in (0, 1, 2, 3):
        k, row = bands.k[point], bands.frequencies[point]
        few, many = (
            plane_wave_bands(vectors, k, radius, inside, outside, reach, 5) for reach in (4, 8)
        )
        scale = row[-1]
        assert (many > row - 2e-5 * scale).all()
        assert (many - row < 0.5 * (few - many) + 2e-5 * scale).all()
        np.testing.assert_allclose(row, many, atol=2e-3 * scale)


def test_two_cells_of_one_crystal_have_the_same_bands():
    """A rhombus and a hexagon that fill the plane with the same rods."""
    one, other = (
        found(cell(outline, rod(0.2, 12), order=6), "M K", 1, 4).frequencies
        for outline in (corners(TRIANGULAR), hexagon())
    )
    np.testing.assert_allclose(one, other, atol=2e-6)


def test_a_stack_of_layers_has_the_bands_of_its_dispersion_relation():
    """cos(k a) = cos p cos q - (n1 / n2 + n2 / n1) / 2 sin p sin q, with p = w n1 a1 and
    q = w n2 a2 (Yeh, Yariv & Hong 1977): a row of cells between magnetic walls, glued to
    left and right."""
    text = """
title = "stack"
[domain]
shape = "rectangle"
lower = [-0.5, -0.1]
upper = [0.5, 0.1]
[[materials]]
epsilon = 9
shape = "rectangle"
lower = [-0.125, -0.1]
upper = [0.125, 0.1]
[[walls]]
kind = "magnetic"
edges = ["domain"]
[[walls]]
kind = "periodic"
edges = ["domain.left", "domain.right"]
[solver]
element_size = 0.2
order = 6
"""
    bands = found(text, "G 0.2 X", 1, 3)
    assert bands.lattice.kind == "row"
    p, q = (2 * np.pi * bands.frequencies * optical for optical in (3 * 0.25, 0.75))
    traced = np.cos(p) * np.cos(q) - (3 + 1 / 3) / 2 * np.sin(p) * np.sin(q)
    np.testing.assert_allclose(traced, np.cos(bands.k[:, :1]) + 0 * traced, atol=2e-6)


def missed_by(order: int) -> float:
    """How far dq/dt of the discontinuous elements, with the phases of the wavevector at the walls,
    is from -i w q for modes q, in the mean square and in parts of that."""
    medium, more = rod(0.25, 4), {"size": 0.25, "order": order}
    bands = found(cell(corners(SQUARE), medium, **more), "0,0 0.2,0.1", 1, 3)
    # From left to right, and from the lower to the upper edge.
    walls = "".join(
        f'[[walls]]\nkind = "periodic"\nphase = {phase}\nedges = ["domain.{one}", "domain.{two}"]\n'
        for phase, one, two in ((72, 3, 1), (36, 0, 2))
    )
    phased = parse_scene(cell(corners(SQUARE), medium, walls=walls, **more))
    operator = discretize_scene(phased, mesh_scene(phased)).operator
    worst = 0.0
    for band in range(3):
        fields = bands.fields(1, band)
        shape = (3, *operator.discretization.shape)
        rates = right_hand_side(
            operator, MaxwellFields(*np.stack([fields.real, fields.imag], axis=2).reshape(shape))
        )
        rate = np.array([rates.hx, rates.hy, rates.ez])
        wanted = -2j * np.pi * bands.frequencies[1, band] * fields
        off = rate[:, ::2] + 1j * rate[:, 1::2] - wanted
        worst = max(worst, float(np.linalg.norm(off) / np.linalg.norm(wanted)))
    return worst


def test_modes_are_those_of_what_runs():
    """They fulfil the equations of the elements the better, the higher the order."""
    coarse, fine = missed_by(3), missed_by(6)
    assert fine < coarse / 20
    assert fine < 1e-2


def test_gaps_are_where_no_band_is():
    bands = found(cell(corners(SQUARE), rod(0.2, 8.9), order=5), points=4, bands=4)
    (gap,) = bands.gaps
    assert (gap.below, round(gap.low, 4), round(gap.high, 4)) == (1, 0.3224, 0.4425)
    assert gap.width == pytest.approx(0.314, abs=1e-3)
    assert not found(cell(corners(SQUARE)), points=2, bands=3).gaps


@given(st.lists(st.integers(-2, 2), min_size=4, max_size=4), st.floats(0.4, 1.0), st.floats(0, 180))
def test_a_lattice_does_not_depend_on_the_vectors_it_is_told_with(numbers, ratio, turned):
    """Any two vectors that span it lead to the shortest ones."""
    change = np.array(numbers).reshape(2, 2)
    if abs(round(np.linalg.det(change))) != 1:
        return
    c, s = math.cos(math.radians(turned)), math.sin(math.radians(turned))
    true = np.array([[1.0, 0.0], [0.3, ratio]]) @ [[c, s], [-s, c]]
    basis = _basis(np.array(sorted(change @ true, key=lambda v: float(np.hypot(*v)))))
    assert basis is not None
    assert abs(abs(np.linalg.det(basis)) - abs(np.linalg.det(true))) < 1e-9
    assert np.linalg.norm(basis, axis=1).max() <= np.linalg.norm(true, axis=1).max() + 1e-9
    cosine = basis[0] @ basis[1] / np.prod(np.linalg.norm(basis, axis=1))
    assert -1e-5 < cosine < 0.5 + 1e-5


def test_points_of_high_symmetry_are_as_far_from_equivalent_places():
    """X, M, K lie on the border of the first zone: as near to a reciprocal vector as to G."""
    for vectors, names in ((SQUARE, "XYM"), (TRIANGULAR, "MK"), (SQUARE[:1], "X")):
        lattice = Lattice(vectors)
        steps = np.stack(np.meshgrid(*len(vectors) * [np.arange(-2, 3)]), -1).reshape(
            -1, len(vectors)
        )
        for name in names:
            k = lattice.point(name)
            away = np.linalg.norm(k - steps @ lattice.reciprocal, axis=1)
            nearest = np.sort(away)
            assert nearest[0] == pytest.approx(np.linalg.norm(k))
            assert nearest[1] == pytest.approx(nearest[0])
            assert (name != "K") or nearest[2] == pytest.approx(nearest[0])


REFUSED = {
    "no edges are glued": cell(
        corners(SQUARE), walls='[[walls]]\nkind="magnetic"\nedges=["domain"]\n'
    ),
    "walls that take energy": cell(
        corners(SQUARE),
        walls='[[walls]]\nkind="absorbing"\nedges=["domain"]\n'
        '[[walls]]\nkind="periodic"\nedges=["domain.0","domain.2"]\n',
    ),
    "media with losses": cell(corners(SQUARE), "[background]\nsigma = 1\n"),
    "media with losses, of H too": cell(corners(SQUARE), "[background]\nmagnetic_sigma = 1\n"),
    "media that change in time": cell(corners(SQUARE), '[background]\nepsilon = "2 + sin(t)"\n'),
    "dispersive media": cell(
        corners(SQUARE),
        '[[background.poles]]\nkind = "drude"\nfrequency = 1\ndamping = 0\n',
    ),
    "make no lattice": cell(
        [[0, 0], [1, 0], [1, 1], [0, 1]],
        walls='[[walls]]\nkind="periodic"\nedges=["domain.0","domain.1"]\n',
    ),
    "too fine for bands": cell(corners(SQUARE), size=0.02),
}


@pytest.mark.parametrize("problem", REFUSED)
def test_what_has_no_bands_is_refused(problem):
    with pytest.raises(SceneError, match=problem.partition(",")[0]) as error:
        found(REFUSED[problem])
    assert error.value.remedy


@pytest.mark.parametrize("path", ["G", "G Q", "0,0 0.5", "0,0 nan,0", "0,0 1,2,3"])
def test_a_path_that_is_none_is_refused(path):
    with pytest.raises(SceneError, match=r"point|path"):
        found(cell(corners(SQUARE)), path)


def test_a_study_can_be_given_up():
    with pytest.raises(StudyCancelledError):
        find_bands(parse_scene(cell(corners(SQUARE))), cancelled=lambda: True)


def test_graded_media_count_point_by_point():
    """A formula that says the same as a number has the same bands."""
    one = found(cell(corners(SQUARE), "[background]\nepsilon = 2\n"), "G X", 2, 4)
    other = found(cell(corners(SQUARE), '[background]\nepsilon = "2 + 0*x"\n'), "G X", 2, 4)
    np.testing.assert_allclose(one.frequencies, other.frequencies, atol=1e-9)


def test_the_command_writes_what_it_finds(tmp_path, capsys):
    scene = tmp_path / "cell.toml"
    scene.write_text(cell(corners(SQUARE), rod(0.2, 8.9), order=4))
    table, plot, modes = tmp_path / "b.csv", tmp_path / "b.png", tmp_path / "m.png"
    words = ["bands", str(scene), "--path", "G X M", "--points", "3", "--bands", "2"]
    assert main([*words, "-o", str(table), "--plot", str(plot), "--modes", str(modes)]) == 0
    assert "gap of 31" in capsys.readouterr().out
    header, *rows = csv.reader(table.open())
    assert header == ["kx", "ky", "along", "band 1", "band 2"]
    assert len(rows) == 7
    assert float(rows[3][0]) == pytest.approx(np.pi)
    assert plot.read_bytes()[1:4] == modes.read_bytes()[1:4] == b"PNG"
    with pytest.raises(OutputError):
        check_band_files(tmp_path / "b.txt", None, None)


def test_the_command_tells_units(tmp_path, capsys):
    """As all commands do; the file keeps the numbers of the scene."""
    scene, table = tmp_path / "cell.toml", tmp_path / "b.csv"
    scene.write_text(cell(corners(SQUARE), '[units]\nlength = "um"\n' + rod(0.2, 8.9), order=3))
    words = ["bands", str(scene), "--path", "G X M", "--points", "2", "--bands", "2"]
    assert main([*words, "-o", str(table)]) == 0
    out = capsys.readouterr().out
    for row in list(csv.reader(table.open()))[2:]:
        assert f"{299.792458 * float(row[3]):.6g} THz" in out
    assert out.count("THz") == 2 * 5 + 2


@pytest.mark.parametrize(
    ("units", "name", "factor"),
    [("", FREQUENCY, 1.0), ('[units]\nlength = "um"\n', "frequency (THz)", 299.792458)],
)
def test_a_plot_has_the_units_of_its_scene(tmp_path, monkeypatch, units, name, factor):
    drawn = []
    monkeypatch.setattr(band_files, "write_line_plot", lambda *given: drawn.append(given))
    some = found(cell(corners(SQUARE), units + rod(0.2, 8.9), order=3), "G X M", 2, 2)
    write_band_files(some, None, tmp_path / "b.png", None)
    ((_, _, curves, _, up, marks),) = drawn
    assert up == name
    for curve, frequencies in zip(curves, some.frequencies.T, strict=True):
        np.testing.assert_allclose(curve.values, factor * frequencies)
    assert marks.bands == [(factor * gap.low, factor * gap.high) for gap in some.gaps]
