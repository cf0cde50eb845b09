"""What the running transform of a monitor sums: which fields, how often and when."""

from __future__ import annotations

import math

from wavelab.physics.monitors.monitor_rules import Setting
from wavelab.physics.monitors.running_transform import TimeWindow
from wavelab.physics.operator.fields import FIELDS as FIELD_KINDS
from wavelab.physics.operator.operator import Operator
from wavelab.scene.model.measuring.requests import FIELDS, Transform
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems import system_of


def fields_summed(transform: Transform, setting: Setting) -> tuple[str, ...]:
    """Those of the solver that a transform sums, in their order; of elastic waves all where all are
    asked for, as power takes them, and else what is shown as those that are."""
    system = system_of(setting.scene)
    if system.equations != "elastic":
        return transform.fields
    if set(transform.fields) == set(FIELDS):
        return FIELD_KINDS["elastic"].names
    return tuple(system.shown[name].of for name in transform.fields if name in system.shown)


def sampling_interval(operator: Operator, dt: float) -> int:
    """Steps from one sample to the next that catch every frequency the mesh carries.

    The highest has two nodes per wavelength on the smallest element, and two samples a period.
    """
    edge = operator.discretization.mesh.inradii() * math.sqrt(12)  # of an equilateral triangle
    highest = float((operator.fastest * (operator.discretization.order + 1) / (2 * edge)).max())
    return max(1, math.floor(1 / (2 * highest * dt)))


def time_window(transform: Transform, scene: Scene) -> TimeWindow:
    """From when to when, and with which weight."""
    hann = transform.window == "hann"
    end = transform.end
    if end is None:
        # A Hann window has to know its end before it begins.
        end = scene.solver.until if hann else math.inf
    return TimeWindow(transform.begin, end, power=1 if hann else 0)
