"""The powers add up to the change of the energy, for any fields, media, walls and upwinding."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sample_meshes import jittered_square, mixed_operator, random_fields, vacuum_operator
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.fields.traces import edge_mass
from wavelab.physics.operator.energy import element_energy
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM, right_hand_side
from wavelab.physics.power.power import powers
from wavelab.physics.sources.gaussian import gaussian
from wavelab.physics.sources.source_terms import FormulaSourceTerm, NodalSourceTerm
from wavelab.scene.formulas.formula import Formula

JZ = FormulaSourceTerm(Formula.parse("cos(3*x)*y*sin(t)", ("x", "y", "t")))


def energy_rate(operator, fields, added_to_ez=0.0) -> float:
    """dE/dt = int eps Ez dEz/dt + mu H . dH/dt, through the right-hand side."""
    d, rate = operator.discretization, right_hand_side(operator, fields)
    electric = d.integrate_product(fields.ez, rate.ez + added_to_ez)
    magnetic = d.integrate_product(fields.hx, rate.hx) + d.integrate_product(fields.hy, rate.hy)
    return float(operator.epsilon @ electric + operator.mu @ magnetic)


@settings(max_examples=30, deadline=None)
@given(
    order=st.integers(1, 6),
    upwinding=st.floats(0, 1),
    seed=st.integers(0, 2**16),
)
def test_losses_add_up_to_the_change_of_the_energy(order, upwinding, seed):
    d = discretize(jittered_square(3, seed), order)
    rng = np.random.default_rng(seed)
    k = d.n_elements
    operator = MaxwellTM(
        d,
        epsilon=rng.uniform(0.2, 9, k),
        mu=rng.uniform(0.2, 9, k),
        sigma=rng.uniform(0, 3, k) * (rng.random(k) < 0.5),
        reflection=rng.uniform(-1, 1, (k, 3)),
        upwinding=upwinding,
    )
    fields = random_fields(d, seed)
    found = powers(operator, fields)
    scale = found.wall + found.joule + found.upwind + float(element_energy(operator, fields).sum())
    assert found.net == pytest.approx(energy_rate(operator, fields), abs=1e-11 * scale)
    assert found.source == 0
    assert min(found.wall, found.joule, found.upwind) >= 0


@pytest.mark.parametrize("time", [0.0, 0.7])
def test_sources_put_in_what_they_do(time):
    operator = mixed_operator(3)
    d = operator.discretization
    nodes, profile = gaussian(d, (0.2, -0.1), 0.2, 1.5)
    rate = -profile / operator.epsilon[nodes // d.nodes_per_element]
    point = NodalSourceTerm(nodes, rate, np.cos)
    added = np.zeros(d.shape)
    added.reshape(-1)[nodes] += rate * np.cos(time)
    added -= JZ.jz.evaluate(x=d.x, y=d.y, t=time) / operator.epsilon[:, None]
    fields = random_fields(d, 3)
    found = powers(operator, fields, (point, JZ), time)
    assert found.net == pytest.approx(energy_rate(operator, fields, added), rel=1e-11)
    alone = powers(operator, fields)
    assert found.source == pytest.approx(found.net - alone.net, rel=1e-11)


def test_periodic_faces_lose_only_by_jumps():
    pairs = [(("domain.left",), ("domain.right",)), (("domain.bottom",), ("domain.top",))]
    d = discretize(jittered_square(4), 2, pairs)
    operator = vacuum_operator(d)
    smooth = Fields(np.ones(d.shape), 2 * np.ones(d.shape), 3 * np.ones(d.shape))
    assert powers(operator, smooth).net == pytest.approx(0, abs=1e-13)
    fields = random_fields(d)
    found = powers(operator, fields)
    assert found.wall == 0
    assert found.net == pytest.approx(energy_rate(operator, fields), rel=1e-12)


def test_a_plane_wave_brings_its_energy_flux_to_an_absorbing_wall():
    """Ez = 1, Hy = -1: a wave that runs to the right with unit power per length."""
    d = discretize(jittered_square(3), 2)
    operator = vacuum_operator(d, reflection=0.0)
    fields = Fields(np.zeros(d.shape), -np.ones(d.shape), np.ones(d.shape))
    found = powers(operator, fields)
    # On the right all of it goes out; the other sides take p^2 / Z each, with p = Ez / 2 on the
    # sides it runs along, and 0 on the left, where it comes in.
    assert found.wall == pytest.approx(1.0 + 2 * 0.25, rel=1e-12)


def test_a_conductor_takes_no_energy_but_the_jump_at_it_does():
    d = discretize(jittered_square(3), 2)
    operator = vacuum_operator(d, reflection=-1.0)
    fields = Fields(np.zeros(d.shape), np.zeros(d.shape), np.ones(d.shape))
    found = powers(operator, fields)
    assert found.wall == 0
    assert found.upwind == pytest.approx(4.0, rel=1e-12)  # Ez^2 / Z on a rim of length 4
    assert found.joule == 0


def test_the_edge_mass_integrates_polynomials():
    for order in (1, 3, 6):
        d = discretize(jittered_square(1), order)
        points = d.element.r[d.element.face_nodes[0]]
        assert points @ edge_mass(d) @ points == pytest.approx(2 / 3)
        assert edge_mass(d).sum() == pytest.approx(2)
