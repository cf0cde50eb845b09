"""An explosion below a free edge, heard at the edge: Garvin's problem (*Exact transient solution of
the buried line source problem*, 1956), by the method of Cagniard and de Hoop.

An explosion makes no S waves, so in the plane v = grad chi with

    chi_tt - cp^2 laplace chi = -m(x) f(t) / density,

m f the rate at which it takes from both normal stresses.  Of a point the Laplace transform is a sum
of exp(-s (i p x + a z)), a = sqrt(1/cp^2 + p^2), and each P wave that comes to the edge from the
depth h moves it, with b = sqrt(1/cs^2 + p^2), g = 1/cs^2 + 2 p^2 and D = g^2 - 4 p^2 a b, by

    along:  -4 i p a b / (cs^2 D),      upwards:  -2 a g / (cs^2 D),      over a, times s.

Where i p x + a h is a time t, the sum over p is a Laplace integral over t, and what stands there is
the answer to an impulse.  With t = R/cp cosh u, R the distance, its root at the arrival of the P
wave is gone.  The profile of a source, a Gaussian of radius r0, is to P waves a Gaussian of r0 / cp
in time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from wavelab.arrays import Array
from wavelab.scene.model.scene import Scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.verification.case import Measure
from wavelab.simulation.verification.elastic.media import Medium
from wavelab.simulation.verification.running import bounded, run_to_end
from wavelab.simulation.verification.scenes import rectangle

_SOLID = Medium(1.0, 1.0, 3**-0.5)
#: Depth, how far from above it the receiver is, radius and strength of the source.
_DEPTH, _ALONG, _RADIUS, _STRENGTH = 0.5, 0.8, 0.06, 10.0
_FREQUENCY, _DELAY = 1.2, 1.4
#: Echoes of the other edges come later.
_UNTIL, _SIDES, _BOTTOM = 3.4, (-1.4, 2.2), -2.1
#: Points of the rule for u.
_POINTS = 1000


def garvin(largest: Mapping[int, float]) -> Measure:
    """Largest difference of both velocities of a receiver at the edge from the exact ones, in parts
    of the largest value of each."""
    return bounded(_scene, _off, largest)


def _off(simulation: Simulation) -> float:
    times, values = run_to_end(simulation)
    exact = seismogram(times)
    return float((np.abs(values.T - exact).max(axis=1) / np.abs(exact).max(axis=1)).max())


def seismogram(times: Array) -> Array:
    """(2, n) vx and vy at the receiver."""
    x, h, cp, cs = _ALONG, _DEPTH, _SOLID.p_speed, _SOLID.s_speed
    distance = math.hypot(x, h)
    last = max(float(times.max()) * cp / distance, 1.0)
    u = np.linspace(0, np.arccosh(last), _POINTS)
    t, late = distance / cp * np.cosh(u), distance / cp * np.sinh(u)
    p = (-1j * x * t + h * late) / distance**2
    a = (h * t - 1j * x * late) / distance**2  # dp/du, too
    b, g = np.sqrt(1 / cs**2 + p**2), 1 / cs**2 + 2 * p**2
    over = cs**2 * (g**2 - 4 * p**2 * a * b)
    answers = np.real(a * np.array([-4j * p * b, -2 * g]) / over) * u[1]
    answers[:, 0] /= 2  # the trapezoidal rule: it is even in u, and the pulse is over at the end
    strength = -_STRENGTH * 2 * math.pi * _RADIUS**2 / (2 * math.pi * _SOLID.density * cp**2)
    return strength * answers @ _slope_of_pulse(times - t[:, None])


def _slope_of_pulse(t: Array) -> Array:
    """The derivative of the Ricker wavelet, as wide as the profile makes it.  It is the second
    derivative of a Gaussian, and so is what another Gaussian makes of it."""
    own = 1 / (math.sqrt(2) * math.pi * _FREQUENCY)
    width = math.hypot(own, _RADIUS / _SOLID.p_speed)
    z = (t - _DELAY) / width
    return (own / width) ** 3 / width * (z**3 - 3 * z) * np.exp(-(z**2) / 2)


def _scene() -> Scene:
    probe = f"[[probes]]\nposition = [{_ALONG}, 0]\n"
    return rectangle(
        f"""
        [background]
        {_SOLID.table}
        [[sources]]
        kind = "explosion"
        position = [0, {-_DEPTH}]
        radius = {_RADIUS}
        amplitude = {_STRENGTH}
        waveform = {{ kind = "ricker", frequency = {_FREQUENCY}, delay = {_DELAY} }}
        {probe}quantity = "vx"
        {probe}quantity = "vy"
        """,
        physics="elastic",
        size=0.15,
        until=_UNTIL,
        lower=(_SIDES[0], _BOTTOM),
        upper=(_SIDES[1], 0),
    )
