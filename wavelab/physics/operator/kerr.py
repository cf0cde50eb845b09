"""Kerr media at points: D = epsilon E + chi E^3, in parts of epsilon, s = E + kappa E^3 with
kappa = chi / epsilon >= 0."""

from __future__ import annotations

import math

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.fields.projection import Projection

#: Newton's method ends with this part of the largest field of an element, or after so many steps; a
#: step is halved at most so often.
_ROUNDING, _STEPS, _HALVINGS = 1e-14, 60, 12


def field(kappa: float, scaled: Array) -> Array:
    """E from s: the one real root of the cubic (Cardano's formula with hyperbolic functions, which
    cancels nowhere)."""
    root = math.sqrt(3 * kappa)
    return np.asarray(2 / root * np.sinh(np.arcsinh(1.5 * root * scaled) / 3))


def scaled_of(kappa: float, e: Array) -> Array:
    """s from E."""
    return e + kappa * e**3


def slope(kappa: float, e: Array) -> Array:
    """ds/dE, 1 or more: by how much epsilon seems larger to a small wave on top."""
    return 1 + 3 * kappa * e**2


def energy(kappa: float, e: Array) -> Array:
    """int E ds = E^2 / 2 + 3/4 kappa E^4, what there is to be had of D."""
    return e**2 / 2 + 0.75 * kappa * e**4


def undone(kappa: float, rule: Projection, nodal: Array) -> Array:
    """(n, nodes_per_element) s, a polynomial, of which the projection of E is ``nodal``.

    That is where int (int E ds) - nodal s is least, which is convex: Newton's method, with steps
    that are halved on elements where what is missed would grow, finds it from anywhere.
    """
    points = rule.to_points.T
    found = rule.from_points(scaled_of(kappa, nodal @ points))

    def missed(s: Array) -> tuple[Array, Array, Array]:
        e = field(kappa, s @ points)
        rest = nodal - rule.from_points(e)
        return e, rest, np.abs(rest).max(axis=1, initial=0.0)

    e, rest, off = missed(found)
    enough = _ROUNDING * np.abs(nodal).max(axis=1, initial=0.0)
    for _ in range(_STEPS):
        if (off <= enough).all():
            break
        step = rule.undone(1 / slope(kappa, e), rest)
        length = np.ones(len(nodal))
        for _ in range(_HALVINGS):
            tried = missed(found + length[:, None] * step)
            worse = (tried[2] > off) & (off > enough)
            if not worse.any():
                break
            length[worse] /= 2
        if not (tried[2] < off).any():
            break  # no more than rounding is left
        found = found + length[:, None] * step
        e, rest, off = tried
    return found
