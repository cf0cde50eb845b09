"""A round solid with a free rim that swells and shrinks."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from wavelab.physics.operator.fields import ElasticFields, Fields
from wavelab.scene.formulas.bessel import besselj
from wavelab.scene.model.scene import Scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.verification.case import Measure
from wavelab.simulation.verification.convergence import converging
from wavelab.simulation.verification.elastic.media import Medium
from wavelab.simulation.verification.round_waves import root

_SOLID = Medium(1.2, 1.6, 0.9)
#: Of the wave numbers of modes of the unit disk: the second is between these.
_BETWEEN = 4.5, 6.0


def breathing_disk() -> Measure:
    """The second radial mode, in elements with arcs: v_r = J1(k r) cos(w t) with w = cp k and
    x J0(x) = 2 (cs/cp)^2 J1(x), x = k a, so that nothing pulls at the rim."""
    return converging(_scene, exact=lambda points, t: _mode(points.x, points.y, t))


@cache
def _wave_number() -> float:
    ratio = 2 * (_SOLID.s_speed / _SOLID.p_speed) ** 2

    def pulled(x: float) -> float:
        j0, j1 = (float(besselj(m, np.array(x))) for m in (0, 1))
        return x * j0 - ratio * j1

    return root(pulled, *_BETWEEN)


def _mode(x: Any, y: Any, t: float) -> Fields:
    k = _wave_number()
    w = _SOLID.p_speed * k
    r, theta = np.hypot(x, y), np.arctan2(y, x)
    c, s = np.cos(theta), np.sin(theta)
    j0, j1, j2 = (besselj(m, k * r) for m in (0, 1, 2))
    # Of J1(k r) the strains along and round, J1' k and J1 / r, and their sum.
    round_it, grows = k * (j0 + j2) / 2, k * j0
    mu, stretched = _SOLID.mu, math.sin(w * t) / w
    s_rr = (_SOLID.lame * grows + 2 * mu * (grows - round_it)) * stretched
    s_tt = (_SOLID.lame * grows + 2 * mu * round_it) * stretched
    v = j1 * math.cos(w * t)
    return ElasticFields(
        v * c,
        v * s,
        s_rr * c * c + s_tt * s * s,
        s_rr * s * s + s_tt * c * c,
        (s_rr - s_tt) * c * s,
    )


def _scene() -> Scene:
    return parse_scene(f"""
        title = "Free disk"
        physics = "elastic"
        [domain]
        shape = "ellipse"
        center = [0, 0]
        radii = [1, 1]
        [background]
        {_SOLID.table}
        [solver]
        element_size = 0.2
        until = 0.3
    """)
