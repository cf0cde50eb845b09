"""Complex fields between walls where waves have a phase: one cell of what repeats itself."""

from __future__ import annotations

import math
from dataclasses import replace

import h5py
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sample_meshes import jittered_square, with_named_sides
from wavelab.errors import DeviceError, SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.fields.carrying import Carrying
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.output.files.field_files import write_fields
from wavelab.physics.carried_fields import carried_fields
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.physics.operator.maxwell_tm import MaxwellTM, right_hand_side
from wavelab.physics.power.power import upwind_loss
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.revision import can_be_revised, revised
from wavelab.physics.sources.bumps import bump
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import make_stepper, stepper_of
from wavelab.simulation.studies.bands.band_search import find_bands
from wavelab.simulation.views.views import begin_view, view

SIDES = (("domain.left", "domain.right"), ("domain.bottom", "domain.top"))


def text(phases=(70.0, -130.0), more: str = "", solver: str = "", size: float = 0.25) -> str:
    """A square cell with a round rod; a phase of None leaves it out."""
    walls = "".join(
        f'[[walls]]\nkind = "periodic"\nedges = ["{one}", "{other}"]\n'
        + ("" if phase is None else f"phase = {phase}\n")
        for phase, (one, other) in zip(phases, SIDES, strict=True)
    )
    return (
        'title = "cell"\n[domain]\nshape = "rectangle"\nlower = [0, 0]\nupper = [1, 1]\n'
        '[[materials]]\nepsilon = 4\nshape = "ellipse"\ncenter = [0.5, 0.5]\nradii = [0.3, 0.3]\n'
        f'{walls}{more}[solver]\nelement_size = {size}\norder = 3\nprecision = "double"\n{solver}'
    )


def problem(*args, **more) -> Problem:
    scene = parse_scene(text(*args, **more))
    return discretize_scene(scene, mesh_scene(scene))


def noise(shape, seed: int = 0) -> Fields:
    return MaxwellFields(*np.random.default_rng(seed).standard_normal((3, *shape)))


def row_of_cells(cell: Mesh, count: int) -> Mesh:
    """A mesh of the unit square again and again, to the right, joined."""
    corners = np.concatenate(
        [cell.vertices[cell.triangles] + [i, 0.0] for i in range(count)]
    ).reshape(-1, 2)
    _, first, number = np.unique(
        np.round(corners, 9), axis=0, return_index=True, return_inverse=True
    )
    whole = corners[first] / [count, 1.0]
    named = with_named_sides(Mesh.plain(whole, number.reshape(-1, 3)))
    return replace(named, vertices=corners[first])


def operator_on(d, media: np.ndarray, upwinding: float, phases=None) -> MaxwellTM:
    reflection = np.full((d.n_elements, 3), -1.0)
    epsilon, mu = media
    return MaxwellTM(d, epsilon, mu, 0 * mu, reflection, upwinding, phases=phases)


@given(
    count=st.integers(2, 4),
    turns=st.integers(0, 3),
    upwinding=st.sampled_from([0.0, 0.4, 1.0]),
    seed=st.integers(0, 99),
)
@settings(max_examples=8, deadline=None)
def test_a_phase_is_what_as_many_cells_as_make_a_period_do(count, turns, upwinding, seed):
    """n cells in a row, glued at their ends, with the field u cos(m p) - v sin(m p) in cell m and
    p = 2 pi j / n, change as the complex field u + i v of one cell does with the phase p."""
    cell = jittered_square(2, seed)
    pairs = [((one,), (other,)) for one, other in SIDES]
    single = discretize(cell, 2, pairs)
    # The elements of a row in the order of those of the cell, wherever they come to lie.
    row = discretize(row_of_cells(cell, count), 2, pairs)
    middle = np.stack([row.x.mean(axis=1), row.y.mean(axis=1)], axis=1)
    number = np.floor(middle[:, 0]).astype(int)
    own = np.stack([single.x.mean(axis=1), single.y.mean(axis=1)], axis=1)
    away = np.linalg.norm(middle[:, None] - [1, 0] * number[:, None, None] - own, axis=2)
    same = away.argmin(axis=1)
    assert away.min(axis=1).max() < 1e-9
    # Corners of elements are numbered alike.
    np.testing.assert_allclose(row.x - number[:, None], single.x[same], atol=1e-9)

    rng = np.random.default_rng(seed)
    media, phase = rng.uniform(1, 3, (2, single.n_elements)), 2 * math.pi * turns / count
    twofold = single.twofold()
    tags = {name: number for number, name in enumerate(cell.face_names)}
    phases = np.zeros((twofold.n_elements, 3))
    for side, sign in (("domain.left", -1), ("domain.right", 1)):
        phases[twofold.mesh.face_tags == tags[side]] = sign * phase
    complex_one = operator_on(twofold, np.repeat(media, 2, axis=1), upwinding, phases)
    real_one = operator_on(row, media[:, same], upwinding)
    u, v = rng.standard_normal((2, 3, *single.shape))

    def in_cells(re, im):
        turned = np.exp(1j * phase * number)[:, None]
        return (turned * (re[:, same] + 1j * im[:, same])).real

    expected = right_hand_side(real_one, MaxwellFields(*in_cells(u, v)))
    rates = right_hand_side(
        complex_one, MaxwellFields(*np.stack([u, v], axis=2).reshape(3, *twofold.shape))
    )
    found = np.array([getattr(rates, name) for name in MaxwellFields.names])
    found = in_cells(found[:, ::2], found[:, 1::2])
    for one, name in zip(found, MaxwellFields.names, strict=True):
        np.testing.assert_allclose(one, getattr(expected, name), atol=1e-10)


@given(
    st.tuples(st.integers(-360, 360), st.integers(-360, 360)),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.booleans(),
)
@settings(max_examples=6, deadline=None)
def test_both_steppers_do_the_same_and_energy_goes_only_into_jumps(phases, upwinding, curved):
    found = problem(phases, solver=f"upwinding = {upwinding}\ncurved = {str(curved).lower()}\n")
    operator, fields = found.operator, noise(found.discretization.shape)
    rates = right_hand_side(operator, fields)
    d = found.discretization
    put_in = (
        operator.epsilon * d.integrate_product(fields.ez, rates.ez)
        + operator.mu * d.integrate_product(fields.hx, rates.hx)
        + operator.mu * d.integrate_product(fields.hy, rates.hy)
    ).sum()
    lost = upwind_loss(operator, fields)
    assert put_in == pytest.approx(-lost, rel=1e-9, abs=1e-9)
    assert (lost == 0) if upwinding == 0 else (lost > 1)
    steppers = [stepper_of(found, backend=backend) for backend in ("numpy", "opencl")]
    for stepper in steppers:
        stepper.set_fields(fields)
        stepper.advance(5)
    expected, other = (stepper.fields() for stepper in steppers)
    for name in MaxwellFields.names:
        difference = np.abs(getattr(other, name) - getattr(expected, name)).max()
        assert difference < 1e-11 * np.abs(getattr(expected, name)).max()
    steppers[1].close()


def test_a_mode_of_the_bands_runs_for_a_period_and_is_back():
    """exp(-i w t) of each part: after a period the fields are what they were."""
    scene = parse_scene(text((72.0, 36.0), size=0.2).replace("order = 3", "order = 5"))
    bands = find_bands(scene, "0.2,0.1 G", 1, 3)
    running = discretize_scene(scene, mesh_scene(scene))
    for band in (0, 2):
        mode = bands.fields(0, band)
        fields = MaxwellFields(
            *np.stack([mode.real, mode.imag], axis=2).reshape(3, *running.initial.ez.shape)
        )
        period = 1 / float(bands.frequencies[0, band])
        steps = math.ceil(period / running.dt_max)
        stepper = stepper_of(running, dt=period / steps, backend="numpy")
        stepper.set_fields(fields)
        stepper.advance(steps)
        assert np.abs(stepper.fields().ez - fields.ez).max() < 0.02


def test_the_real_part_is_seen_and_driven():
    """Views, probes and sources have one place, and the imaginary part has its own values."""
    found = problem(
        more='[initial]\nez = "x"\n[imaginary]\nez = "5 + y"\n'
        "[[probes]]\nposition = [0.3, 0.4]\n"
        "[[sources]]\nposition = [0.5, 0.5]\nradius = 0.05\namplitude = 1\n"
        'waveform = { kind = "sine", frequency = 1 }\n'
        '[[sources]]\nkind = "current"\njz = "x*cos(t)"\n'
    )
    d = found.discretization
    np.testing.assert_allclose(found.initial.ez[1::2], 5 + d.y[1::2])
    for backend in ("numpy", "opencl"):
        simulation = Simulation(found, stepper_of(found, backend=backend))
        seen = view(simulation, "ez")
        assert seen.shape == d.seen.shape
        np.testing.assert_allclose(seen, d.seen.x, atol=1e-6)
        np.testing.assert_array_equal(begin_view(simulation, "ez").values(), seen)
        (sampled,) = found.probes.sample(found.initial)
        assert sampled == pytest.approx(0.3)
        simulation.close()
    driven = np.zeros(d.shape)
    for term in found.source_terms:
        rates = term.rates(found.operator, 0.25)
        driven[rates.elements] += rates.of["ez"]
    assert np.abs(driven[1::2]).max() < 1e-6 * np.abs(driven).max()


def test_a_wave_goes_on_where_a_phase_or_the_mesh_changes():
    """A phase is a number: the same nodes serve it; to another mesh both parts are carried."""
    before = problem(more='[initial]\nez = "x*y"\n[imaginary]\nez = "x - y"\n')
    scene = parse_scene(text((20.0, 0.0)))
    assert can_be_revised(before.scene, scene)
    after = revised(before, scene)
    assert after.discretization is before.discretization
    assert after.operator.phases is not None
    for phases, rest in (((50.0, 10.0), 1.0), ((None, None), 0.0)):
        other = problem(phases, size=0.2)
        carrying = Carrying(before.discretization, other.discretization)
        moved = carried_fields(carrying, before, before.initial, other)
        d = other.discretization
        assert moved.ez.shape == d.shape
        np.testing.assert_allclose(moved.ez[:: d.copies], (d.x * d.y)[:: d.copies], atol=2e-3)
        if rest:
            np.testing.assert_allclose(moved.ez[1::2], (d.x - d.y)[1::2], atol=2e-3)
        back = Carrying(d, before.discretization)
        again = carried_fields(back, other, moved, before)
        assert np.abs(again.ez[1::2]).max() == pytest.approx(rest, abs=0.1)
    assert not can_be_revised(before.scene, parse_scene(text((None, None))))


REFUSED = {
    "local time stepping": text(solver='stepper = "local"\n'),
    "sends a wave in": text(
        more='[[sources]]\nkind = "plane_wave"\ndirection = 0\nshape = "rectangle"\n'
        "lower = [0.3, 0.3]\nupper = [0.7, 0.7]\namplitude = 1\n"
        'waveform = { kind = "sine", frequency = 1 }\n'
    ),
    "no product of a formula of place": text(
        more='[[sources]]\nkind = "current"\njz = "sin(x - t)"\n'
    ),
    "phase of wall 1": text((1e9, 0.0)),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_does_not_go_with_a_phase_is_refused(what):
    with pytest.raises(SceneError, match=what) as error:
        scene = parse_scene(REFUSED[what])
        discretize_scene(scene, mesh_scene(scene))
    assert error.value.remedy


def test_the_plain_kernels_say_that_they_have_no_phases():
    found = problem()
    with pytest.raises(DeviceError, match="no edges where waves have a phase"):
        make_stepper(found.operator, dt=found.dt_max, variant="per_node", backend="opencl")


def test_what_acts_beside_such_an_edge_acts_beyond_it_with_its_phase():
    """A source at a place, and one in the next cell with the factor of the wave there, are one."""
    found = problem((72.0, -40.0))
    here, there = (bump(found.operator, at, at, 0.1, 1.0) for at in ((0.03, 0.5), (1.03, 0.5)))
    total = np.zeros((2, found.discretization.x.size))
    for row, (nodes, values) in zip(total, (here, there), strict=True):
        row[nodes] = values
    u, v = total.reshape(2, -1, 2, found.discretization.nodes_per_element).swapaxes(1, 2)
    one, other = u[0] + 1j * u[1], v[0] + 1j * v[1]
    # 1.03 is a lattice vector to the right of 0.03.
    np.testing.assert_allclose(other, one * np.exp(-1j * np.radians(72)), atol=1e-9)
    assert np.abs(one.imag).max() > 0.3
    d = found.discretization.seen
    # Just this side of the right edge it has the phase of the wave there.
    right = np.abs(d.x - 1) < 1e-9
    left = (np.abs(d.x) < 1e-9) & (np.abs(d.y - 0.5) < 0.3)
    assert np.abs(one[right]).max() == pytest.approx(np.abs(one[left]).max(), rel=0.05)
    strongest = one[right][np.abs(one[right]).argmax()]
    assert np.degrees(np.angle(strongest)) == pytest.approx(72, abs=1)


def test_phases_of_no_wave_are_told_of_where_a_source_is_cut():
    """Three pairs of a hexagon have a wave only if the phase of the third is that of the others."""
    corner = [[math.cos(math.radians(a)), math.sin(math.radians(a))] for a in range(-30, 330, 60)]
    told = []
    for third in (30.0, 100.0):
        walls = "".join(
            f'[[walls]]\nkind = "periodic"\nedges = ["domain.{i + 3}", "domain.{i}"]\n'
            f"phase = {phase}\n"
            for i, phase in enumerate((50.0, 80.0, third))
        )
        scene = parse_scene(
            f'title = "cell"\n[domain]\nshape = "polygon"\nvertices = {corner}\n{walls}'
            '[[sources]]\nname = "lamp"\nposition = [0.8, 0]\nradius = 0.1\namplitude = 1\n'
            'waveform = { kind = "sine", frequency = 1 }\n[solver]\nelement_size = 0.5\norder = 3\n'
        )
        notices = discretize_scene(scene, mesh_scene(scene)).notices
        told.append(any("lamp" in text and "no Bloch wave" in text for text in notices))
    assert told == [False, True]


def test_an_imaginary_part_is_told_of_where_fields_are_real():
    more = '[imaginary]\nez = "x"\n'
    told = [
        any("imaginary part" in notice for notice in problem(phases, more=more).notices)
        for phases in ((30.0, 0.0), (None, None))
    ]
    assert told == [False, True]


def test_files_of_the_field_have_both_parts(tmp_path):
    found = problem(more='[initial]\nez = "x"\n[imaginary]\nez = "5 + y"\n')
    d = found.discretization.seen
    write_fields(tmp_path / "a.h5", found, found.initial, 0.0)
    with h5py.File(tmp_path / "a.h5") as file:
        assert len(file["triangles"]) == len(file["epsilon"]) == d.n_elements
        np.testing.assert_allclose(file["ez"][()], d.x)
        np.testing.assert_allclose(file["ez_imaginary"][()], 5 + d.y)
    write_fields(tmp_path / "a.vtu", found, found.initial, 0.0)
    text = (tmp_path / "a.vtu").read_text()
    assert f'NumberOfCells="{d.n_elements}"' in text
    assert 'Name="Ez_imaginary"' in text
