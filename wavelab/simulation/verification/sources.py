"""Scenes with nothing but a source in them, and what it radiates exactly."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.fields.interpolation import interpolate, locator_of
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.verification.case import Measure
from wavelab.simulation.verification.convergence import converging
from wavelab.simulation.verification.open_space import radiated_pulse
from wavelab.simulation.verification.scenes import rectangle

#: Gaussian profile and pulse: their widths, the middle of the pulse, and the end.  Before it the
#: pulse is over to rounding, and no wall has answered.
_RADIUS, _WIDTH, _MIDDLE, _END = 0.05, 0.05, 0.35, 0.77
_PULSE = f'amplitude = 1\nwaveform = {{ kind = "gaussian", width = {_WIDTH}, delay = {_MIDDLE} }}'
_SINCE = _END - _MIDDLE


def _ring() -> Array:
    angle = 0.3 + np.arange(24) * 2 * np.pi / 24
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    return np.concatenate([0.5 + radius * circle for radius in (0.2, 0.3, 0.4)])


def _along() -> Array:
    return np.column_stack([np.linspace(0.64, 0.85, 60), np.linspace(0.03, 0.27, 60)])


def _at(points: Array, exact: Callable[[], Array]) -> Callable[[Simulation], float]:
    """Root of the mean squared error of Ez over some points.

    ``exact`` is called when somebody asks, and once: that takes its time, and the cases are listed
    by every command.
    """
    exact = cache(exact)

    def error(simulation: Simulation) -> float:
        d = simulation.problem.discretization
        elements, rs = locator_of(d).locate(points)
        found = interpolate(d, [simulation.stepper.fields().ez], elements, rs)[0]
        return float(np.sqrt(np.mean((found - exact()) ** 2)))

    return error


def _radiating(source: str, exact: Callable[[Array], Array]) -> Measure:
    return converging(
        lambda: rectangle(
            f"[[sources]]\n{source}",
            size=0.065,
            until=_END,
            lower=(-0.25, -0.25),
            upper=(1.25, 1.25),
        ),
        error=_at(_ring(), lambda: exact(_ring())),
    )


def point() -> Measure:
    """The Green's function of the plane."""
    return _radiating(
        f"position = [0.5, 0.5]\nradius = {_RADIUS}\n{_PULSE}",
        lambda at: radiated_pulse(at, (0.5, 0.5), since=_SINCE, radius=_RADIUS, width=_WIDTH),
    )


def moving() -> Measure:
    """A point that runs at 0.6 of the speed of light."""
    velocity = (0.48, -0.36)
    x, y = (f'"0.5 + {v}*(t - {_MIDDLE})"' for v in velocity)
    return _radiating(
        f'kind = "moving"\nx = {x}\ny = {y}\nradius = {_RADIUS}\n{_PULSE}',
        lambda at: radiated_pulse(
            at, (0.5, 0.5), since=_SINCE, radius=_RADIUS, width=_WIDTH, velocity=velocity
        ),
    )


def array() -> Measure:
    """Three points, each later than the one before by what the direction needs."""
    spacing, degrees = 0.06, 60.0
    delay = spacing * math.sin(math.radians(degrees))
    return _radiating(
        f'kind = "array"\nstart = [0.5, {0.5 - spacing}]\nend = [0.5, {0.5 + spacing}]\n'
        f"count = 3\ndirection = {degrees}\nradius = {_RADIUS}\n{_PULSE}",
        lambda at: np.sum(
            [
                radiated_pulse(
                    at, (0.5, 0.5 + (i - 1) * spacing), since=_SINCE - i * delay, radius=_RADIUS,
                    width=_WIDTH,
                )
                for i in range(3)
            ],
            axis=0,
        ),
    )  # fmt: skip


_STRIP = """
[background]
epsilon = 2
[[walls]]
edges = ["domain.bottom", "domain.top"]
kind = "periodic"
[[walls]]
edges = ["domain.left", "domain.right"]
kind = "absorbing"
"""
_SPEED = _IMPEDANCE = 1 / math.sqrt(2)


def _in_strip(source: str, exact: Callable[[Array], Array]) -> Measure:
    at = _along()
    return converging(
        lambda: rectangle(
            f"{_STRIP}[[sources]]\n{source}", size=0.05, until=_END, upper=(1.0, 0.3)
        ),
        error=_at(at, lambda: exact(at[:, 0])),
    )


def line() -> Measure:
    """d'Alembert's wave of a line across a strip."""
    wide = math.hypot(_WIDTH, _RADIUS / _SPEED)
    peak = math.sqrt(2 * np.pi) * _RADIUS * _WIDTH / wide
    return _in_strip(
        f'kind = "line"\nstart = [0.45, 0]\nend = [0.45, 0.3]\nradius = {_RADIUS}\n{_PULSE}',
        lambda x: (
            -_IMPEDANCE / 2 * peak * np.exp(-(((_SINCE - (x - 0.45) / _SPEED) / wide) ** 2) / 2)
        ),
    )


def region() -> Measure:
    """The same of a region with sharp borders."""
    erf = np.vectorize(math.erf)

    def exact(x: Array) -> Array:
        far, near = ((_SINCE - (x - at) / _SPEED) / _WIDTH / math.sqrt(2) for at in (0.33, 0.47))
        return -_IMPEDANCE * _SPEED / 2 * _WIDTH * math.sqrt(np.pi / 2) * (erf(near) - erf(far))

    return _in_strip(
        f'kind = "region"\nshape = "rectangle"\nlower = [0.33, -1]\nupper = [0.47, 1]\n{_PULSE}',
        exact,
    )
