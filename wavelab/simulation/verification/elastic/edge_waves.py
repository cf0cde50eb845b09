"""Elastic waves along an edge: a Rayleigh wave along a free one, a Scholte wave along the bottom of
a sea."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wavelab.physics.operator.fields import ElasticFields, Fields
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Scene
from wavelab.simulation.verification.case import Measure
from wavelab.simulation.verification.convergence import converging
from wavelab.simulation.verification.elastic.media import SIDES, Medium, stated
from wavelab.simulation.verification.round_waves import root
from wavelab.simulation.verification.scenes import rectangle

#: Wave number of waves along an edge, and how far from it nothing is left of a Rayleigh wave and of
#: a Scholte wave.
_K, _DEPTH, _SHALLOW = 4 * math.pi, 5.0, 3.5


class _Below:
    """A wave along y = 0 in a solid below, at the speed c without shear traction there.

    With p = sqrt(1 - c^2/cp^2), s likewise and w = k (x - c t) the potentials are
    phi = exp(k p y) cos w and psi = a exp(k s y) sin w with a = 2 p / (1 + s^2) (Aki & Richards,
    *Quantitative Seismology*, 2002, 5.3).
    """

    def __init__(self, solid: Medium, c: float) -> None:
        self.p, self.s = (math.sqrt(1 - (c / v) ** 2) for v in (solid.p_speed, solid.s_speed))
        self.c, self.a = c, 2 * self.p / (1 + self.s**2)
        self.lame, self.mu = solid.lame, solid.mu

    @property
    def traction(self) -> float:
        """syy at the edge, over k^2 cos w."""
        p, a_s = self.p, self.a * self.s
        return self.lame * (a_s - 1) + (self.lame + 2 * self.mu) * (p * p - a_s)

    def fields(self) -> dict[str, str]:
        p, s, a, lame, mu, k = self.p, self.s, self.a, self.lame, self.mu, _K
        ep, es = f"exp({k * p!r}*y)", f"exp({k * s!r}*y)"
        # Displacements by k sin w and k cos w, strains by k^2 cos w and k^2 sin w.
        ux, uy = f"({a * s!r}*{es} - {ep})", f"({p!r}*{ep} - {a!r}*{es})"
        eyy = f"({p * p!r}*{ep} - {a * s!r}*{es})"
        twice_exy = f"({a * (1 + s * s)!r}*{es} - {2 * p!r}*{ep})"
        return {
            "vx": f"-{k * k * self.c!r}*{ux}*{_wave('cos', self.c)}",
            "vy": f"{k * k * self.c!r}*{uy}*{_wave('sin', self.c)}",
            "sxx": f"{k * k!r}*({lame + 2 * mu!r}*{ux} + {lame!r}*{eyy})*{_wave('cos', self.c)}",
            "syy": f"{k * k!r}*({lame!r}*{ux} + {lame + 2 * mu!r}*{eyy})*{_wave('cos', self.c)}",
            "sxy": f"{mu * k * k!r}*{twice_exy}*{_wave('sin', self.c)}",
        }


def _wave(function: str, c: float) -> str:
    return f"{function}({_K!r}*(x - {c!r}*T))"


def _parsed(fields: dict[str, str]) -> list[Formula]:
    return [Formula.parse(fields[name], ("x", "y", "T")) for name in ElasticFields.names]


def _along_edge(fields: dict[str, str], rest: str, bottom: float, top: float) -> Scene:
    return rectangle(
        f"""
        {rest}
        {SIDES}
        [[walls]]
        edges = ["domain.bottom"]
        kind = "clamped"
        {stated(fields) if fields else ""}
        """,
        physics="elastic",
        size=0.06,
        until=0.2,
        lower=(0, bottom),
        upper=(0.5, top),
    )


def rayleigh() -> Scene:
    """A Rayleigh wave along a free edge of a solid with cp^2 = 3 cs^2, whose speed is 0.919402 cs:
    (2 - c^2/cs^2)^2 = 4 sqrt(1 - c^2/cp^2) sqrt(1 - c^2/cs^2)."""
    solid = Medium(1.0, math.sqrt(3), 1.0)
    below = _Below(solid, root(lambda c: _Below(solid, c).traction, 0.5, 0.99))
    return _along_edge(below.fields(), f"[background]\n{solid.table}", -_DEPTH, 0.0)


def scholte() -> Measure:
    """A Scholte wave along the bottom of a sea: the pressure is that on the solid, and both move
    across the border alike."""
    rho, cf = 0.6, 0.9
    solid = Medium(1.0, 1.8, 1.0)

    def in_fluid(c: float) -> tuple[_Below, float, float]:
        """The solid, and the decay f and the amplitude of the potential in the fluid."""
        below, f = _Below(solid, c), math.sqrt(1 - (c / cf) ** 2)
        return below, f, (below.a - below.p) / f

    def mismatch(c: float) -> float:
        below, _, b = in_fluid(c)
        return below.traction + rho * c * c * b

    c = root(mismatch, 0.4, 0.89)
    below, f, b = in_fluid(c)
    ef, k = f"exp(-{_K * f!r}*y)", _K
    above = {
        "vx": f"{k * k * c * b!r}*{ef}*{_wave('cos', c)}",
        "vy": f"-{k * k * c * f * b!r}*{ef}*{_wave('sin', c)}",
        "sxx": f"-{rho * (k * c) ** 2 * b!r}*{ef}*{_wave('cos', c)}",
        "syy": f"-{rho * (k * c) ** 2 * b!r}*{ef}*{_wave('cos', c)}",
        "sxy": "0",
    }
    sides = [_parsed(below.fields()), _parsed(above)]

    def exact(points: Any, t: float) -> Fields:
        x, y = points.x, points.y
        # By elements: along the border there is another stress and velocity on each side.
        sea = (y.mean(axis=1) > 0)[:, None]
        solid, fluid = ([u.evaluate(x=x, y=y, T=t) for u in side] for side in sides)
        return ElasticFields.of([np.where(sea, v, u) for u, v in zip(solid, fluid, strict=True)])

    media = f"""
        [background]
        {solid.table}
        [[materials]]
        {Medium(rho, cf, 0.0).table}
        shape = "rectangle"
        lower = [0, 0]
        upper = [0.5, {_SHALLOW}]
        """
    return converging(lambda: _along_edge({}, media, -_SHALLOW, _SHALLOW), exact=exact)
