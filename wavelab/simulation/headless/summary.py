"""What a headless run tells when it is over, and would print as one JSON object."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import asdict
from typing import Any

import numpy as np

from wavelab.numerics.time.clusters import Clusters
from wavelab.physics.exact import field_errors
from wavelab.physics.problem import Problem
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.systems import system_of
from wavelab.scene.systems.scale import scale_of
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.headless.decay import Decay
from wavelab.simulation.records.probe_record import ProbeRecord
from wavelab.simulation.steppers.steppers import stepper_of

Summary = dict[str, Any]


def as_json(summary: Summary) -> str:
    """A summary as one JSON object, arrays as lists.

    Raises
    ------
    ValueError : a number is not finite.
    """
    return json.dumps(summary, allow_nan=False, default=np.ndarray.tolist)


def summary_of(
    simulation: Simulation,
    wall: float,
    initial: float,
    log: ProbeRecord,
    measured: list[MonitorResult],
    decay: Decay,
) -> Summary:
    """What a run has come to; pictures, files and the ledger tell of themselves."""
    system = system_of(simulation.problem.scene)
    final = float(simulation.element_energy().sum())
    summary = _figures(simulation, wall) | {
        "energy": {"initial": initial, "final": final, "largest": max(decay.largest, final)},
        "error": _errors(simulation),
        "probes": {name: system.named(told) for name, told in log.summary().items()},
    }
    if measured:
        summary["monitors"] = {result.name: system.named(result.summary()) for result in measured}
    for name, part in decay.to_come().items():
        summary["monitors"][name]["to_come"] = part
    return summary


def summary_of_nothing(problem: Problem) -> Summary:
    """What a run would tell of a problem, with the numbers that there are before its first step."""
    log = ProbeRecord(problem.scene.probes)
    with closing(stepper_of(problem, backend="numpy")) as stepper:
        simulation = Simulation(problem, stepper)
        initial = float(simulation.element_energy().sum())
        decay = Decay(simulation, problem.steps_to_end())
        return summary_of(simulation, 0.0, initial, log, simulation.measured(), decay)


def _figures(simulation: Simulation, wall: float) -> Summary:
    """What ran, how far and how fast."""
    problem, stepper = simulation.problem, simulation.stepper
    d = problem.discretization
    figures = {
        "scene": problem.scene.where,
        "physics": problem.scene.physics,
        "device": stepper.device,
        "backend": stepper.backend,
        "precision": stepper.precision,
        "stepper": stepper.scheme.name,
        "order": d.order,
        "elements": problem.n_elements,
        "unknowns": problem.unknowns,
        "dt": stepper.dt,
        "steps": simulation.steps,
        "time": simulation.time,
        "wall_s": wall,
    }
    if (scale := scale_of(problem.scene)) is not None:
        figures["units"] = scale.summary()
    if isinstance(stepper.scheme, Clusters):
        figures["clusters"] = {
            "elements": list(stepper.scheme.counts),
            "fewer_updates": stepper.scheme.gain,
        }
    return figures


def _errors(simulation: Simulation) -> Summary | None:
    """Of each field, where the scene has an exact solution."""
    errors = field_errors(simulation.problem, simulation.stepper.fields(), simulation.time)
    known = system_of(simulation.problem.scene).of_solver
    names = {name: known[name].key if name in known else name for name in errors}
    return {names[name]: asdict(error) for name, error in errors.items()} or None
