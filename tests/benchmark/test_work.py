"""The unavoidable work is what a plain program does that is proven right, counted."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.sample_meshes import random_fields, reference_mesh
from wavelab.benchmark.work import stage_bytes, stage_flops, stage_work
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.time.runge_kutta import SCHEMES
from wavelab.opencl.elements.symmetry import EvenOddProduct, derivative, face_lift
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM, right_hand_side

SCHEME = SCHEMES["ck54"]


class Counted:
    """A number that counts what is done with it."""

    flops = 0

    def __init__(self, value: float) -> None:
        self.value = float(value)

    def _operate(self, other, result: float) -> Counted:
        Counted.flops += 1
        return Counted(result)

    def __add__(self, other):
        return self._operate(other, self.value + other.value)

    def __sub__(self, other):
        return self._operate(other, self.value - other.value)

    def __mul__(self, other):
        return self._operate(other, self.value * other.value)


def counted(values) -> list:
    """The same nesting with numbers that count."""
    return [counted(v) for v in values] if np.ndim(values) else Counted(values)


def product(matrix: EvenOddProduct, x: list) -> list:
    """A matrix times a vector, from halves.  What is its own image has an even part alone."""
    pairs = [(i, j) for i, j in matrix.columns if i != j]
    even = [x[i] + x[j] if i != j else x[i] for i, j in matrix.columns]
    odd = [x[i] - x[j] for i, j in pairs]

    def row(entries, values):
        terms = [Counted(entry) * value for entry, value in zip(entries, values, strict=True)]
        return sum(terms[1:], start=terms[0])

    y = {}
    for p, (i, j) in enumerate(matrix.rows):
        parts = (matrix.from_even[p], even), (matrix.from_odd[p, : len(pairs)], odd)
        total, difference = parts if matrix.even_to_sum else parts[::-1]
        if i == j:
            y[i] = row(*total)
        else:
            s, d = row(*total), row(*difference)
            y[i], y[j] = s + d, s - d
    return [y[n] for n in range(len(y))]


def stage_of_one_element(op: MaxwellTM, k: int, fields: Fields, residual: Fields, stage: int, dt):
    """New fields and residual of element k, which has no wall, number by number.

    What is constant on an element is combined beforehand, uncounted; so is the outgoing wave of
    the neighbours, which they count.
    """
    d, e, g = op.discretization, op.discretization.element, op.discretization.geometry
    n_p, n_fp = e.nodes_per_element, e.nodes_per_face
    z, mu, epsilon = op.impedance[k], op.mu[k], op.epsilon[k]
    normal = [(g.normal_x[k, f], g.normal_y[k, f]) for f in range(3)]
    across, waves = d.connectivity.neighbor_element[k], []
    for f in range(3):
        nodes = e.face_nodes[d.connectivity.neighbor_face[k, f]][::-1]
        there = across[f]
        # Its normal is minus ours.
        h = -normal[f][0] * fields.hy[there, nodes] + normal[f][1] * fields.hx[there, nodes]
        waves.append(counted(fields.ez[there, nodes] - op.impedance[there] * h))
    diff_r, diff_s = derivative(e, "r"), derivative(e, "s")
    lift = [face_lift(e, f) for f in range(3)]
    metric = {
        name: Counted(dt * getattr(g, name)[k]) for name in ("dr_dx", "dr_dy", "ds_dx", "ds_dy")
    }
    over_mu = {name: Counted(value.value / mu) for name, value in metric.items()}
    minus = {name: Counted(-value.value) for name, value in over_mu.items()}
    a, b = Counted(SCHEME.a[stage]), Counted(SCHEME.b[stage])
    impedance, inverse_epsilon = Counted(z), Counted(1 / epsilon)

    hx, hy, ez = (counted(getattr(fields, name)[k]) for name in ("hx", "hy", "ez"))
    before = [counted(getattr(residual, name)[k]) for name in ("hx", "hy", "ez")]
    Counted.flops = 0

    curl_r = [metric["dr_dx"] * hy[n] - metric["dr_dy"] * hx[n] for n in range(n_p)]
    curl_s = [metric["ds_dx"] * hy[n] - metric["ds_dy"] * hx[n] for n in range(n_p)]
    flux = []
    for f in range(3):
        nx, ny = Counted(normal[f][0]), Counted(normal[f][1])
        outside = Counted(op.impedance[across[f]])
        weight = Counted(dt * g.face_scale[k, f] / (z + outside.value))
        for j, n in enumerate(e.face_nodes[f]):
            h = nx * hy[n] - ny * hx[n]
            _published = ez[n] - impedance * h
            flux.append(weight * (ez[n] + outside * h - waves[f][j]))
    ez_r, ez_s = product(diff_r, ez), product(diff_s, ez)
    of_r, of_s = product(diff_r, curl_r), product(diff_s, curl_s)
    lifted = [product(lift[f], flux[f * n_fp : (f + 1) * n_fp]) for f in range(3)]
    new, steps = ([], [], []), ([], [], [])
    for n in range(n_p):
        rate_ez = of_r[n] + of_s[n]
        rate_hx = minus["dr_dy"] * ez_r[n] + minus["ds_dy"] * ez_s[n]
        rate_hy = over_mu["dr_dx"] * ez_r[n] + over_mu["ds_dx"] * ez_s[n]
        for f in range(3):
            rate_hx += Counted(z * normal[f][1] / mu) * lifted[f][n]
            rate_hy += Counted(-z * normal[f][0] / mu) * lifted[f][n]
            rate_ez -= lifted[f][n]
        rate_ez *= inverse_epsilon
        for i, (old, rate) in enumerate(((hx[n], rate_hx), (hy[n], rate_hy), (ez[n], rate_ez))):
            step = rate if stage == 0 else a * before[i][n] + rate
            steps[i].append(step.value)
            new[i].append((old + b * step).value)
    return np.array(new), np.array(steps), Counted.flops


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_a_plain_program_that_is_right_needs_as_many_flops(order):
    d = discretize(reference_mesh(), order)
    rng = np.random.default_rng(order)
    op = MaxwellTM(
        d,
        epsilon=rng.uniform(1, 5, d.n_elements),
        mu=rng.uniform(1, 2, d.n_elements),
        sigma=np.zeros(d.n_elements),
        reflection=np.full((d.n_elements, 3), -1.0),
        upwinding=1.0,
    )
    k = int(np.flatnonzero(~d.connectivity.is_boundary.any(axis=1))[0])
    fields, residual, dt = random_fields(d, 1), random_fields(d, 2), 1e-3
    rates = right_hand_side(op, fields)
    total = 0
    for stage in range(SCHEME.n_stages):
        new, steps, flops = stage_of_one_element(op, k, fields, residual, stage, dt)
        for i, name in enumerate(("hx", "hy", "ez")):
            step = SCHEME.a[stage] * getattr(residual, name)[k] + dt * getattr(rates, name)[k]
            np.testing.assert_allclose(steps[i], step, atol=1e-12)
            np.testing.assert_allclose(
                new[i], getattr(fields, name)[k] + SCHEME.b[stage] * step, atol=1e-12
            )
        total += flops
    assert total == SCHEME.n_stages * stage_flops(order, Fraction(1, SCHEME.n_stages))
    work = stage_work(order, "single", SCHEME)
    assert work.flops == pytest.approx(total / SCHEME.n_stages, rel=1e-15)


@pytest.mark.parametrize(("real", "size"), [("single", 4), ("double", 8)])
@pytest.mark.parametrize("order", [1, 4, 9])
@pytest.mark.parametrize("name", ["ck54", "ndb144", "upw148"])
def test_bytes_are_those_of_all_stages_access_by_access(name, order, real, size):
    nodes, scheme = (order + 1) * (order + 2) // 2, SCHEMES[name]
    total = 0
    for now, after in zip(scheme.a, (*scheme.a[1:], scheme.a[0]), strict=True):
        for _ in range(3 * nodes):
            total += 2 * size  # read and write a value of a field
            total += size * (now != 0)  # read the residual
            total += size * (after != 0)  # write it
        total += 4 * size + 3 * 4  # dr/dx, dr/dy, ds/dx, ds/dy; a neighbour for each face
    restarts = Fraction(scheme.restarts, scheme.n_stages)
    assert scheme.n_stages * stage_bytes(nodes, size, restarts) == total
    work = stage_work(order, real, scheme)
    assert work.bytes == pytest.approx(total / scheme.n_stages, rel=1e-15)
