"""P and S waves that a free edge, or a border of two solids, turns into each other.

In a strip that repeats, closed by slip walls away from y = 0: these return P waves as they are and
S waves with the other sign, and nothing of the other kind.  At some heights of the strip what comes
again is what came, and a finite sum of plane waves is the field at all times.  This is where 1 is
an eigenvalue of U, what leaves by what comes times the phases of the way to the walls and back.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.physics.operator.fields import ElasticFields, Fields
from wavelab.scene.model.scene import Scene
from wavelab.simulation.verification.case import Measure
from wavelab.simulation.verification.convergence import converging
from wavelab.simulation.verification.elastic.media import SIDES, Medium
from wavelab.simulation.verification.elastic.reflection import (
    P,
    Wave,
    at_border,
    at_free_edge,
    waves,
)
from wavelab.simulation.verification.round_waves import root
from wavelab.simulation.verification.scenes import rectangle

#: The period of the strip, and the frequency.
_PERIOD, _OMEGA = 1.0, 16.0
_KX = 2 * math.pi / _PERIOD
_UNTIL = 0.3
#: Of each side of the strip.
_HEIGHTS = 0.6, 1.2


def free_edge() -> Measure:
    """P and S waves that come to a free edge, and what it returns of both."""
    solid = Medium(1.0, 1.7, 1.0)
    found = cache(lambda: _strip(at_free_edge(solid, _KX, _OMEGA), [(solid, -1)]))
    return _measured(found, f"[background]\n{solid.table}")


def border() -> Measure:
    """P and S waves that come to a border of two solids from both sides."""
    below, above = Medium(1.0, 1.7, 1.0), Medium(1.6, 2.2, 1.3)
    matrix = at_border(below, above, _KX, _OMEGA)
    found = cache(lambda: _strip(matrix, [(below, -1), (above, 1)]))
    upper = f"""
        [background]
        {below.table}
        [[materials]]
        {above.table}
        shape = "rectangle"
        lower = [0, 0]
        upper = [{_PERIOD}, 9]
        """
    return _measured(found, upper)


#: Height of each side of the strip, and for each side the waves there with their amplitudes.
_Strip = tuple[float, dict[int, list[tuple[complex, Wave]]]]


def _strip(leaving: Array, sides: Sequence[tuple[Medium, int]]) -> _Strip:
    """The lowest strip that is not too low.

    Parameters
    ----------
    leaving : what leaves y = 0 by what comes, P and S of each side.
    sides : the medium, and the way that leads away from y = 0.
    """
    out = [wave for medium, way in sides for wave in waves(medium, way, _KX, _OMEGA)]
    back = [wave for medium, way in sides for wave in waves(medium, -way, _KX, _OMEGA)]
    signs = np.array([1 if wave.kind == P else -1 for wave in out])
    ways = 1j * np.array([abs(wave.ky) for wave in out])

    def again(height: float) -> Complex:
        """What comes again by what came."""
        phases: Complex = signs * np.exp(2 * ways * height)
        return phases[:, None] * leaving

    # det (1 - U) by the root of det U that is continuous in the height: real, as U is unitary but
    # for units of amplitude, and 0 where an eigenvalue is 1.
    root_at_0 = cmath.sqrt(complex(np.prod(signs) * np.linalg.det(leaving))) / 1j ** len(out)

    def off(height: float) -> float:
        determinant = np.linalg.det(np.eye(len(out)) - again(height))
        return (determinant * cmath.exp(-ways.sum() * height) / root_at_0).real

    heights = np.linspace(*_HEIGHTS, 200)
    values = [off(height) for height in heights]
    first = next(i for i in range(1, len(values)) if values[i - 1] * values[i] < 0)
    height = root(off, float(heights[first - 1]), float(heights[first]))
    came = np.linalg.svd(np.eye(len(out)) - again(height))[2][-1].conj()
    left = leaving @ came
    there: dict[int, list[tuple[complex, Wave]]] = {}
    for i, (outward, inward) in enumerate(zip(out, back, strict=True)):
        there.setdefault(outward.way, []).extend([(left[i], outward), (came[i], inward)])
    return height, there


def _measured(found: Callable[[], _Strip], media: str) -> Measure:
    def exact(points: Any, t: float) -> Fields:
        _, there = found()
        x, y = points.x, points.y
        # By elements: along a border there is another stress on each side.
        up = (y.mean(axis=1) > 0)[:, None]
        total = np.zeros((5, *x.shape))
        for way, of in there.items():
            for amplitude, wave in of:
                field = np.real(amplitude * wave.fields(x, y, t))
                total += np.where(up == (way > 0), field, 0.0)
        return ElasticFields.of(total)

    def scene() -> Scene:
        height, there = found()
        edges = ["domain.bottom", "domain.top"] if 1 in there else ["domain.bottom"]
        return rectangle(
            f"""
            {media}
            {SIDES}
            [[walls]]
            edges = {edges!r}
            kind = "slip"
            """,
            physics="elastic",
            size=0.09,
            until=_UNTIL,
            lower=(0, -height),
            upper=(_PERIOD, height if 1 in there else 0),
        )

    return converging(scene, exact=exact)
