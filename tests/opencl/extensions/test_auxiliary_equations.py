"""Auxiliary equations and other extensions of a stage, against the NumPy stepper."""

from __future__ import annotations

import numpy as np
import pytest

from tests.opencl.conftest import mixed_operator, random_fields, relative_error
from tests.opencl.test_stepper import (  # noqa: F401
    agree,
    formula_source_terms,
    nodal_source_terms,
    operator,
    pair,
)
from tests.products import only_in_hunt
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.extensions.extension import StageExtension
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper


def equations(operator) -> list[AuxiliaryEquations]:  # noqa: F811
    """Two overlapping ones with every kind of term; one drives all fields, the other one only,
    with names that kernels like to use."""
    rng = np.random.default_rng(4)
    n_elements, n_nodes = operator.discretization.shape
    first, second = rng.permutation(n_elements)[:17], np.arange(9)
    some = {name: rng.uniform(-3, 3, (17, n_nodes)) for name in ("ca", "cb")}
    other = {"a": rng.uniform(1, 2, (9, n_nodes))}
    return [
        AuxiliaryEquations.written(
            first,
            some,
            {
                "hx": "ca*pa - 2*hy",
                "hy": "cb*hy + pb/4",
                "ez": "-ca*ez + cb*hx - pa",
                "pa": "ez + ca*pb - 30*pa",
                "pb": "hx - cb*hy - pb",
            },
        ),
        AuxiliaryEquations.written(second, other, {"ez": "-a*ez + 5*n", "n": "ez - a*n"}),
    ]


def same_memory(pair, tolerance: float = 1e-12) -> bool:  # noqa: F811
    found, expected = (s.fields().auxiliary for s in pair)
    return all(
        np.abs(f - e).max() < tolerance * np.abs(e).max()
        for f, e in zip(found, expected, strict=True)
    )


def test_steps_with_sources_and_pings(pair, operator):  # noqa: F811
    plain = NumpyStepper(operator, dt=pair[1].dt, scheme=pair[1].scheme)
    plain.set_fields(random_fields(operator))
    for stepper in (*pair, plain):
        stepper.set_source_terms([*formula_source_terms(), *nodal_source_terms(operator)])
    for stepper in pair:
        stepper.set_auxiliary_equations(equations(operator))
    for n_steps in (1, 2, 4):
        for stepper in (*pair, plain):
            stepper.advance(n_steps)
            stepper.ping(np.arange(100), np.ones(100))
        assert agree(pair)
        assert same_memory(pair)
    assert relative_error(plain.fields(), pair[0].fields()) > 1e-3


def test_memory_goes_with_the_fields(pair, operator):  # noqa: F811
    for stepper in pair:
        stepper.set_auxiliary_equations(equations(operator))
        stepper.advance(3)
        state = stepper.fields()
        stepper.advance(3)
        ahead = stepper.fields()
        stepper.set_fields(state)
        stepper.advance(3)
        assert relative_error(stepper.fields(), ahead) < 1e-14
        assert np.allclose(
            stepper.fields().auxiliary[0], ahead.auxiliary[0], rtol=1e-12, atol=1e-18
        )
        stepper.set_fields(random_fields(operator))
        assert all(not m.any() for m in stepper.fields().auxiliary)
        with pytest.raises(ValueError, match="auxiliary variables"):
            stepper.set_fields(type(state)(state.hx, state.hy, state.ez, state.auxiliary[:1]))


def test_single_precision_stays_close(operator, device):  # noqa: F811
    found = OpenCLStepper(operator, dt=2e-3, device=device)
    expected = NumpyStepper(operator, dt=2e-3)
    for stepper in (found, expected):
        stepper.set_auxiliary_equations(equations(operator))
        stepper.set_fields(random_fields(operator))
        stepper.advance(20)
    assert relative_error(found.fields(), expected.fields()) < 3e-6
    assert same_memory((found, expected), 3e-6)
    found.close()


def test_nothing_stays_on_the_device(device):
    operator = mixed_operator(2, 1.0)  # noqa: F811
    stepper = OpenCLStepper(operator, dt=1e-3, device=device)
    held = stepper.memory.n_bytes
    for _ in range(2):
        stepper.set_auxiliary_equations(equations(operator))
    stepper.set_auxiliary_equations([])
    assert stepper.memory.n_bytes == held
    assert stepper.fields().auxiliary == ()
    stepper.close()


HALVES, PLAIN = KernelConfig(32, 1, 4, matrices="even_odd_gpu"), KernelConfig(8, 1, 1)


@pytest.mark.parametrize(
    ("operator", "config"),
    [(0.4, HALVES), (1.0, PLAIN), *only_in_hunt((1.0, HALVES), (0.4, PLAIN))],
    indirect=["operator"],
)
def test_other_layouts_of_the_traces(operator, device, config):  # noqa: F811
    stepper = OpenCLStepper(operator, dt=2e-3, precision="double", device=device, config=config)
    oracle = NumpyStepper(operator, dt=2e-3)
    for s in (stepper, oracle):
        s.set_auxiliary_equations(equations(operator))
        s.set_fields(random_fields(operator))
        s.advance(2)
    assert agree((stepper, oracle))
    stepper.close()


class Recording(StageExtension):
    def __init__(self):
        self.calls = []

    def prepare(self, steps):
        self.calls.append(("prepare", len(steps.starts)))

    def before(self, step, stage, parity):
        self.calls.append(("before", step, stage, parity))

    def after(self, step, stage, parity):
        self.calls.append(("after", step, stage, parity))


def test_extensions_are_called_around_every_stage(device):
    operator = mixed_operator(2, 1.0)  # noqa: F811
    stepper = OpenCLStepper(operator, dt=1e-3, precision="double", device=device)
    stepper.set_fields(random_fields(operator))
    extension = Recording()
    stepper._sources = [extension]
    stepper.advance(1)
    assert extension.calls[:3] == [("prepare", 1), ("before", 0, 0, 0), ("after", 0, 0, 0)]
    assert len(extension.calls) == 1 + 2 * stepper.scheme.n_stages
    stepper.close()
