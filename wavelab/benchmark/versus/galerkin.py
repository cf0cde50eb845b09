"""A standing wave by the discontinuous Galerkin method, on the mesh that a user would get."""

from __future__ import annotations

import math
from contextlib import closing
from typing import Any

import numpy as np

from wavelab.benchmark.versus.modes import StandingWave
from wavelab.benchmark.versus.trial import MAX_UNKNOWNS, NotRun, Trial, energy_norm, run_within
from wavelab.benchmark.work import stage_work
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.elements.nodes import nodes_per_triangle
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.operator.fields import Fields
from wavelab.physics.problem import discretize_scene

#: Of the largest stable step of the mesh at hand.
SAFETY = 0.9
_N_FIELDS = 3


def relative_error(mode: StandingWave, d: Discretization, fields: Fields, time: float) -> float:
    """Energy norm of the error of all fields over that of the exact ones, on the whole mesh."""
    q = d.quadrature(2 * d.order + 4)
    root = np.sqrt(q.weights)
    exact = mode.fields(q.x, q.y, time)
    errors, exact_parts = [], []
    for name in ("hx", "hy", "ez"):
        there = getattr(exact, name)
        errors.append(root * (getattr(fields, name) @ q.to_points.T - there))
        exact_parts.append(root * there)
    return energy_norm(*errors) / energy_norm(*exact_parts)


def run_galerkin(
    mode: StandingWave,
    periods: int,
    order: int,
    resolution: float,
    *,
    precision: str,
    device: Any,
    longest: float,
) -> Trial | NotRun:
    """Run a mode for so many periods on elements of ``mode.side / resolution``.

    Parameters
    ----------
    longest : seconds that the run may take.

    Raises
    ------
    WavelabError : the mesher or the device fails.
    """
    nodes = nodes_per_triangle(order)
    # Equilateral triangles on the whole square: an upper bound.
    expected = _N_FIELDS * nodes * 4 / math.sqrt(3) * resolution**2
    if expected > MAX_UNKNOWNS:
        return NotRun(f"would need about {expected:,.2g} unknowns")
    scene = mode.scene(mode.side / resolution, SAFETY)
    problem = discretize_scene(scene, mesh_scene(scene), order=order)
    d = problem.discretization
    initial = mode.fields(d.x, d.y, 0.0)
    unknowns = _N_FIELDS * nodes * d.n_elements
    until = periods * mode.period
    assert isinstance(problem.scheme, LowStorageScheme)  # the scene asks for no other
    n_steps = math.ceil(until / problem.dt_max)
    stepper = OpenCLStepper(
        problem.operator,
        dt=until / n_steps,
        scheme=problem.scheme,
        precision=precision,
        device=device,
    )
    with closing(stepper):
        seconds = run_within(stepper, initial, n_steps, unknowns, longest)
        if isinstance(seconds, NotRun):
            return seconds
        error = relative_error(mode, d, stepper.fields(), until)
    n_stages = problem.scheme.n_stages
    work = stage_work(order, precision, problem.scheme)
    return Trial(
        resolution=resolution,
        order=order,
        cells=d.n_elements,
        unknowns=unknowns,
        steps=n_steps,
        error=error,
        seconds=seconds,
        flops_per_step=n_stages * work.flops * d.n_elements,
        bytes_per_step=n_stages * work.bytes * d.n_elements,
    )
