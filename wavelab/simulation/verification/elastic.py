"""Exact elastic waves, in the words of scene files: plane ones in any direction, modes between slip
walls, a Rayleigh wave along a free edge, a Scholte wave along the bottom of a sea."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wavelab.physics.operator.fields import ElasticFields, Fields
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Scene
from wavelab.simulation.verification.case import Measure
from wavelab.simulation.verification.convergence import converging
from wavelab.simulation.verification.round_waves import root
from wavelab.simulation.verification.scenes import rectangle

_PERIODIC = """
[[walls]]
edges = ["domain.left", "domain.right"]
kind = "periodic"
"""
_SIDES = """
[[walls]]
edges = ["domain.bottom", "domain.top"]
kind = "periodic"
"""


def _solid(density: float, p_speed: float, s_speed: float) -> str:
    return f"density = {density!r}\np_speed = {p_speed!r}\ns_speed = {s_speed!r}\n"


def _stated(fields: dict[str, str]) -> str:
    """Initial fields and exact solution of formulas of t."""
    start = "\n".join(f'{k} = "{v.replace("T", "0")}"' for k, v in fields.items())
    exact = "\n".join(f'{k} = "{v.replace("T", "t")}"' for k, v in fields.items())
    return f"[initial]\n{start}\n[exact]\n{exact}\n"


def plane_waves() -> Scene:
    """A P wave along (1, 2) and an S wave along (2, -1), in a box that repeats."""
    rho, cp, cs = 1.3, 1.6, 0.9
    mu = rho * cs**2
    lame = rho * cp**2 - 2 * mu
    total: dict[str, list[str]] = {name: [] for name in ("vx", "vy", "sxx", "syy", "sxy")}
    for (kx, ky), speed, along in (((1, 2), cp, True), ((2, -1), cs, False)):
        size = math.hypot(kx, ky)
        nx, ny = kx / size, ky / size
        px, py = (nx, ny) if along else (-ny, nx)
        wave = f"sin(2*pi*({kx}*x + {ky}*y - {size * speed!r}*T))"
        grows = lame * (nx * px + ny * py)
        factors = {
            "vx": px,
            "vy": py,
            "sxx": -(grows + 2 * mu * nx * px) / speed,
            "syy": -(grows + 2 * mu * ny * py) / speed,
            "sxy": -mu * (nx * py + ny * px) / speed,
        }
        for name, value in factors.items():
            total[name].append(f"{value!r}*{wave}")
    return rectangle(
        f"""
        [background]
        {_solid(rho, cp, cs)}
        {_PERIODIC}{_SIDES}
        {_stated({name: " + ".join(terms) for name, terms in total.items()})}
        """,
        physics="elastic",
        size=0.1,
        until=0.3,
    )


def slip_box() -> Scene:
    """The mode of P waves between slip walls with the potential cos(2 pi x) cos(pi y), and one of S
    waves with sin(pi x) sin(2 pi y)."""
    rho, cp, cs = 1.0, 1.5, 0.8
    mu = rho * cs**2
    lame = rho * cp**2 - 2 * mu
    a, b = 2 * math.pi, math.pi
    wp = cp * math.hypot(a, b)
    ws = cs * math.hypot(a, b)
    cc, ss = "cos(2*pi*x)*cos(pi*y)", "sin(2*pi*x)*sin(pi*y)"
    sc, cs_ = "sin(2*pi*x)*cos(pi*y)", "cos(2*pi*x)*sin(pi*y)"
    # v = grad (phi cos wp t) with s from the strain, and the curl of psi = sin(b x) sin(a y).
    p = {
        "vx": f"-{a!r}*{sc}*cos({wp!r}*T)",
        "vy": f"-{b!r}*{cs_}*cos({wp!r}*T)",
        "sxx": f"-({lame * (a * a + b * b) + 2 * mu * a * a!r})*{cc}*sin({wp!r}*T)/{wp!r}",
        "syy": f"-({lame * (a * a + b * b) + 2 * mu * b * b!r})*{cc}*sin({wp!r}*T)/{wp!r}",
        "sxy": f"{2 * mu * a * b!r}*{ss}*sin({wp!r}*T)/{wp!r}",
    }
    sx, cx, sy, cy = "sin(pi*x)", "cos(pi*x)", "sin(2*pi*y)", "cos(2*pi*y)"
    s = {
        "vx": f"{a!r}*{sx}*{cy}*cos({ws!r}*T)",
        "vy": f"-{b!r}*{cx}*{sy}*cos({ws!r}*T)",
        "sxx": f"{2 * mu * a * b!r}*{cx}*{cy}*sin({ws!r}*T)/{ws!r}",
        "syy": f"-{2 * mu * a * b!r}*{cx}*{cy}*sin({ws!r}*T)/{ws!r}",
        "sxy": f"{mu * (b * b - a * a)!r}*{sx}*{sy}*sin({ws!r}*T)/{ws!r}",
    }
    return rectangle(
        f"""
        [background]
        {_solid(rho, cp, cs)}
        [[walls]]
        edges = ["domain"]
        kind = "slip"
        {_stated({name: f"{p[name]} + {s[name]}" for name in p})}
        """,
        physics="elastic",
        size=0.1,
        until=0.3,
    )


#: Wave number of waves along an edge, and how far from it nothing is left of them.
_K, _DEPTH = 4 * math.pi, 3.5


class _Below:
    """A wave along y = 0 in a solid below, at the speed c without shear traction there.

    With p = sqrt(1 - c^2/cp^2), s likewise and w = k (x - c t) the potentials are
    phi = exp(k p y) cos w and psi = a exp(k s y) sin w with a = 2 p / (1 + s^2) (Aki & Richards,
    *Quantitative Seismology*, 2002, 5.3).
    """

    def __init__(self, rho: float, cp: float, cs: float, c: float) -> None:
        self.p, self.s = (math.sqrt(1 - (c / speed) ** 2) for speed in (cp, cs))
        self.c, self.a = c, 2 * self.p / (1 + self.s**2)
        self.mu = rho * cs**2
        self.lame = rho * cp**2 - 2 * self.mu

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


def _along_edge(fields: dict[str, str], rest: str, top: float) -> Scene:
    return rectangle(
        f"""
        {rest}
        {_PERIODIC}
        [[walls]]
        edges = ["domain.bottom"]
        kind = "clamped"
        {_stated(fields) if fields else ""}
        """,
        physics="elastic",
        size=0.07,
        until=0.2,
        lower=(0, -_DEPTH),
        upper=(0.5, top),
    )


def rayleigh() -> Scene:
    """A Rayleigh wave along a free edge of a solid with cp^2 = 3 cs^2, whose speed is 0.919402 cs:
    (2 - c^2/cs^2)^2 = 4 sqrt(1 - c^2/cp^2) sqrt(1 - c^2/cs^2)."""
    of = 1.0, math.sqrt(3), 1.0
    below = _Below(*of, root(lambda c: _Below(*of, c).traction, 0.5, 0.99))
    return _along_edge(below.fields(), f"[background]\n{_solid(*of)}", 0.0)


def scholte() -> Measure:
    """A Scholte wave along the bottom of a sea: the pressure is that on the solid, and both move
    across the border alike."""
    rho, cf = 0.6, 0.9
    of = 1.0, 1.8, 1.0

    def in_fluid(c: float) -> tuple[_Below, float, float]:
        """The solid, and the decay f and the amplitude of the potential in the fluid."""
        below, f = _Below(*of, c), math.sqrt(1 - (c / cf) ** 2)
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
        {_solid(*of)}
        [[materials]]
        {_solid(rho, cf, 0.0)}
        shape = "rectangle"
        lower = [0, 0]
        upper = [0.5, {_DEPTH}]
        """
    return converging(lambda: _along_edge({}, media, _DEPTH), exact=exact)
