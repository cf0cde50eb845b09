"""The finite-difference rival computes what Yee's scheme says, and no worse."""

from __future__ import annotations

import math

import numpy as np
import pytest

from wavelab.benchmark.versus import finite_differences as fd
from wavelab.benchmark.versus.modes import cavity, disk
from wavelab.benchmark.versus.trial import NotRun
from wavelab.errors import DeviceError
from wavelab.opencl.yee import YeeConfig, YeeStepper
from wavelab.physics.operator.fields import Fields

CONFIGS = {
    "single": [
        YeeConfig(False, 1, 1, (8, 2)),
        YeeConfig(False, 1, 3, (4, 4)),
        YeeConfig(True, 8, 1, (1,)),
        YeeConfig(True, 8, 3, (1,)),
        YeeConfig(True, 1, 100, (1,)),
    ],
    "double": [YeeConfig(False, 1, 4, (4, 4)), YeeConfig(True, 4, 5, (1,))],
}
STRIPS = YeeConfig(True, 4, 8, (1,))


def reference(fields: Fields, first, last, courant: float, n_steps: int) -> Fields:
    """Yee's scheme in NumPy, in two passes."""
    hx, hy, ez = (np.pad(f, 1) for f in (fields.hx, fields.hy, fields.ez))
    column = np.arange(fields.ez.shape[1])
    vacuum = np.pad((column >= first[:, None]) & (column < last[:, None]), 1)
    for _ in range(n_steps):
        hx[:-1] -= courant * np.diff(ez, axis=0)
        hy[:, :-1] += courant * np.diff(ez, axis=1)
        ez[1:, 1:] += courant * (np.diff(hy, axis=1)[1:] - np.diff(hx, axis=0)[:, 1:])
        ez[~vacuum] = 0
    return Fields(*(f[1:-1, 1:-1] for f in (hx, hy, ez)))


@pytest.mark.parametrize(
    ("precision", "config"), [(p, s) for p, configs in CONFIGS.items() for s in configs]
)
@pytest.mark.parametrize(("n_rows", "n_columns"), [(3, 3), (17, 40), (33, 29)])
def test_every_shape_agrees_with_numpy(device, precision, config, n_rows, n_columns):
    rng = np.random.default_rng(n_rows)
    first = rng.integers(1, 3, n_rows).astype(np.int32)
    last = np.maximum(first, rng.integers(1, n_columns, n_rows)).astype(np.int32)
    first[[0, -1]] = last[[0, -1]] = 0
    column = np.arange(n_columns)
    vacuum = (column >= first[:, None]) & (column < last[:, None])
    fields = Fields(
        *(rng.standard_normal((n_rows, n_columns)) * vacuum for _ in range(3)),
    )
    stepper = YeeStepper(
        0.7, first, last, n_columns, precision=precision, device=device, config=config
    )
    try:
        for n_steps in (1, 6):
            stepper.set_fields(fields)
            stepper.advance(n_steps)
            found, right = stepper.fields(), reference(fields, first, last, 0.7, n_steps)
            for name in ("hx", "hy", "ez"):
                np.testing.assert_allclose(
                    getattr(found, name),
                    getattr(right, name),
                    atol={"single": 1e-5, "double": 1e-13}[precision],
                )
    finally:
        stepper.close()


def test_a_mode_swings_at_the_frequency_of_the_grid(device):
    """sin^2(w dt/2) / dt^2 = sin^2(kx h/2) / h^2 + sin^2(ky h/2) / h^2 (Taflove & Hagness 4.2)."""
    m, n, cells, courant, n_steps = 3, 2, 24, 0.65, 137
    mode, h = cavity(m, n), 1 / cells
    initial = fd.start(mode, cells, courant)
    stepper = YeeStepper(
        courant, *fd.staircase(mode, cells), cells + 1, precision="double", device=device,
        config=STRIPS,
    )  # fmt: skip
    try:
        stepper.set_fields(initial)
        stepper.advance(n_steps)
        found = stepper.fields()
    finally:
        stepper.close()
    half = courant * math.hypot(math.sin(m * math.pi * h / 2), math.sin(n * math.pi * h / 2))
    angle = 2 * math.asin(half)
    np.testing.assert_allclose(found.ez, math.cos(n_steps * angle) * initial.ez, atol=1e-11)
    # H is odd about t = 0, and half a step behind.
    growth = math.sin((n_steps - 0.5) * angle) / math.sin(-0.5 * angle)
    np.testing.assert_allclose(found.hx, growth * initial.hx, atol=1e-11)
    np.testing.assert_allclose(found.hy, growth * initial.hy, atol=1e-11)


def run(device, mode, cells, **how):
    how = {"precision": "double", "device": device, "longest": 60.0} | how
    return fd.run_yee(mode, 1, cells, **how)


@pytest.fixture
def one_shape(monkeypatch):
    monkeypatch.setattr(YeeStepper, "_fastest", lambda self: STRIPS)


@pytest.mark.usefixtures("one_shape")
def test_the_error_in_a_cavity_falls_with_the_square_of_the_cells(device):
    errors = [run(device, cavity(2, 1), cells).error for cells in (32, 64, 128)]
    rates = np.log2(np.divide(errors[:-1], errors[1:]))
    assert np.all(np.abs(rates - 2) < 0.1), rates


@pytest.mark.usefixtures("one_shape")
def test_the_error_at_a_staircase_falls_with_the_cells(device):
    coarse, fine = (
        np.mean([run(device, disk(), cells).error for cells in near])
        for near in ((60, 63, 66), (180, 187, 194))
    )
    assert fine < coarse / 2


def test_a_staircase_follows_the_circle_and_is_symmetric():
    cells = 200
    first, last = fd.staircase(disk(), cells)
    assert (last - first).sum() * (2 / cells) ** 2 == pytest.approx(math.pi, rel=0.02)
    np.testing.assert_array_equal((first + last)[1:-1], cells + 1)
    assert (first == last)[[0, -1]].all()  # the circle only touches these rows
    np.testing.assert_array_equal(first, first[::-1])


@pytest.mark.parametrize("cells", [7, 10, 64])
def test_the_walls_of_a_square_are_on_its_outermost_nodes(cells):
    first, last = fd.staircase(cavity(1, 1), cells)
    assert (first[1:-1] == 1).all()
    assert (last[1:-1] == cells).all()
    assert (first >= last)[[0, -1]].all()


@pytest.mark.usefixtures("one_shape")
def test_a_run_that_takes_too_long_is_not_made(device):
    refused = run(device, cavity(2, 1), 64, longest=1e-9)
    assert isinstance(refused, NotRun)
    assert "12,675 unknowns" in refused.reason
    assert isinstance(run(device, cavity(2, 1), 10_000), NotRun)


def test_a_grid_that_does_not_fit_is_refused_in_words(device):
    # Three fields of n x n numbers are more than there is, however much that is.
    n = int(1.1 * math.sqrt(device.global_mem_size / (3 * 4)))
    rows = np.zeros(n, np.int32)
    with pytest.raises(DeviceError, match=r"needs .* MiB on the device"):
        YeeStepper(0.7, rows, rows, n, device=device)
