"""Agreement with fields computed by the textbook's own codes (tests/reference/nodal_dg)."""

import numpy as np
import pytest

from tests.sample_meshes import REFERENCE, reference_mesh, vacuum_operator
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.time.runge_kutta import SCHEMES
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import right_hand_side
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper

ORDERS = (3, 6, 10)
#: What the textbook steps with.
LSERK4 = SCHEMES["ck54"]


def matched(order):
    """Our operator, and the column of the reference that belongs to each of our elements."""
    operator = vacuum_operator(discretize(reference_mesh(), order))
    d = operator.discretization
    nodes = np.load(REFERENCE / f"nodes_N{order}.npz")
    theirs = np.column_stack([nodes["x"].mean(axis=0), nodes["y"].mean(axis=0)])
    ours = np.column_stack([d.x.mean(axis=1), d.y.mean(axis=1)])
    columns = np.argmin(np.linalg.norm(ours[:, None] - theirs[None], axis=2), axis=1)
    np.testing.assert_allclose(d.x, nodes["x"].T[columns], atol=1e-14)
    np.testing.assert_allclose(d.y, nodes["y"].T[columns], atol=1e-14)
    return operator, columns


@pytest.mark.parametrize("order", ORDERS)
def test_right_hand_side(order):
    operator, columns = matched(order)
    x, y = operator.discretization.x, operator.discretization.y
    fields = Fields(
        np.cos(1.3 * x + 0.7 * y), np.sin(0.9 * x - 1.1 * y + 0.2), np.cos(0.8 * x + 1.7 * y - 0.3)
    )
    change = right_hand_side(operator, fields)
    reference = np.load(REFERENCE / f"rhs_N{order}.npz")
    for name, ours in (("dHx", change.hx), ("dHy", change.hy), ("dEz", change.ez)):
        theirs = reference[name].T[columns]
        # Relative to the largest value, which is 33 to 777 here: the lift matrix that both sides
        # compute by inverting has rounding errors that this factor multiplies.
        assert np.abs(ours - theirs).max() < 1e-11 * np.abs(theirs).max()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("case", ["sinsin", "gauss"])
def test_fields_at_time_one(order, case):
    operator, columns = matched(order)
    d = operator.discretization
    start = {
        "sinsin": np.sin(np.pi * d.x) * np.sin(np.pi * d.y),
        "gauss": np.exp(-40 * ((d.x - 0.2) ** 2 + (d.y + 0.1) ** 2)),
    }[case]
    reference = np.load(REFERENCE / f"{case}_N{order}.npz")
    dt, n_steps = float(reference["dt"]), int(reference["nsteps"])
    stepper = NumpyStepper(operator, dt=dt, scheme=LSERK4)
    stepper.set_fields(Fields(np.zeros(d.shape), np.zeros(d.shape), start))
    stepper.advance(n_steps - 1)
    # The textbook's last step is shortened to end at t = 1.
    last = NumpyStepper(operator, dt=1 - stepper.time, scheme=LSERK4)
    last.set_fields(stepper.fields())
    last.set_clock(stepper.time, stepper.steps)
    last.advance(1)
    assert last.time == pytest.approx(1, abs=1e-14)
    fields = last.fields()
    for name, ours in (("Hx", fields.hx), ("Hy", fields.hy), ("Ez", fields.ez)):
        np.testing.assert_allclose(ours, reference[name].T[columns], atol=1e-10, rtol=0)
