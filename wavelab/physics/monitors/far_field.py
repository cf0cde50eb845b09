"""From the fields on a closed contour to those far away, and power through a line.

Outside of everything, Ez follows from itself and its normal derivative on a contour around it by
Green's theorem with G = (i / 4) H0(k r), the outgoing solution of the Helmholtz equation in two
dimensions for the time factor exp(-i w t).  With n the outward normal, H = nx Hy - ny Hx and
dEz/dn = -i w mu H, the leading term of the Hankel function gives

    Ez -> F(phi) exp(i k r) / sqrt(r),
    F(phi) = -sqrt(k / (8 pi)) exp(-i pi / 4) int (Z H - (r^ . n) Ez) exp(-i k r^ . r') ds'

Beside an opening in a plane screen that goes on for ever, with the half space in front of it, the
image of G in the plane takes one term away and doubles the other: Ez is 0 on a conductor, and only
that of the opening counts; on a magnetic wall H is (Sommerfeld, *Optics*, 1954).  There

    F(phi) = sqrt(k / (8 pi)) exp(-i pi / 4) int 2 (r^ . n) Ez exp(-i k r^ . r') ds'   or
    F(phi) = -sqrt(k / (8 pi)) exp(-i pi / 4) int 2 Z H exp(-i k r^ . r') ds',

both exact, in front of the screen, and 0 behind it.

(Balanis, Advanced Engineering Electromagnetics, 2012, 6.8 for the equivalence theorem; Abramowitz &
Stegun 9.2.3 for the Hankel function).  The power that goes into an angle is |F|^2 / (2 Z) dphi.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Complex
from wavelab.numerics.fields.line_quadrature import LineQuadrature
from wavelab.physics.operator.fields import ElasticFields

#: Cosine of a direction that goes along a screen, by rounding.
_ALONG = -1e-12
#: Directions at most that the power of a far field is summed up of.
_MOST_DIRECTIONS = 8192


def far_field(
    line: LineQuadrature,
    ez: Complex,
    h: Complex,
    frequency: float,
    angles: Array,
    *,
    speed: float = 1.0,
    impedance: float = 1.0,
    screen: str = "",
) -> Complex:
    """F of the module's text, (n_angles,), in units of the field times sqrt(length).

    Parameters
    ----------
    line : a closed contour whose normals point outwards, or an opening in a screen, which point
        to the front.
    ez, h : (n,) amplitudes of Ez and of the tangential magnetic field at its points.
    angles : (n_angles,) in radians, counterclockwise from the x axis.
    speed, impedance : of the medium at the contour and outside of it.
    screen : of ``wavelab.scene.model.measuring.requests.SCREENS``; "" of a closed contour.
    """
    k = 2 * np.pi * frequency / speed
    x, y = line.points.T
    result = np.empty(len(angles), np.complex128)
    # In pieces, so that the phases of many angles and points stay in the cache.
    for piece in np.array_split(np.arange(len(angles)), max(1, len(angles) * len(x) // 500_000)):
        cos, sin = np.cos(angles[piece])[:, None], np.sin(angles[piece])[:, None]
        forward = cos * line.normal_x + sin * line.normal_y
        if screen == "conductor":
            current = np.where(forward > _ALONG, -2 * forward * ez, 0.0)
        elif screen == "magnetic":
            current = np.where(forward > _ALONG, 2 * impedance * h, 0.0)
        else:
            current = impedance * h - forward * ez
        phases = np.exp(-1j * k * (cos * x + sin * y))
        result[piece] = (current * phases) @ line.weights
    return -np.sqrt(k / (8 * np.pi)) * np.exp(-0.25j * np.pi) * result


def all_directions(line: LineQuadrature, wave_number: float, screen: str) -> tuple[Array, Array]:
    """Angles (n,) in radians, and weights of a quadrature over all directions of the square of a
    far field: evenly spread ones, or Gauss's in front of a screen, along which it does not vanish.

    It is a sum of harmonics exp(i m phi), |m| up to 2 k R and a little more, R being the radius of
    the line; so it is to be as many, however few are asked for.
    """
    highest = 2 * wave_number * float(np.hypot(*(line.points - line.points.mean(axis=0)).T).max())
    count = min(math.ceil(highest + 8 * highest ** (1 / 3)) + 16, _MOST_DIRECTIONS)
    if not screen:
        return 2 * np.pi * np.arange(count) / count, np.full(count, 2 * np.pi / count)
    places, weights = np.polynomial.legendre.leggauss(count)
    ahead = math.atan2(line.normal_y[0], line.normal_x[0])
    return ahead + np.pi / 2 * places, np.pi / 2 * weights


def tangential(line: LineQuadrature, hx: NDArray, hy: NDArray) -> NDArray:
    """H = nx Hy - ny Hx at the points of a line; the last axis runs over them."""
    return line.normal_x * hy - line.normal_y * hx


def power_through(line: LineQuadrature, ez: Array, hx: Array, hy: Array) -> Array:
    """Power to the side the normals point to, (n_times,), of fields (n_times, n_points).

    The Poynting vector is Ez (-Hy, Hx).
    """
    # Not a matrix product, whose rounding depends on the number of rows.
    return -np.einsum("tp,p->t", ez * tangential(line, hx, hy), line.weights)


def split_power(
    line: LineQuadrature, ez: Complex, hx: Complex, hy: Complex, impedance: float
) -> tuple[Array, Array]:
    """Mean powers (n_frequencies,) of plane waves straight across a line, to the side of its
    normals and to the other.

    With E+- = (Ez -+ Z H) / 2 the first less the second is the power through the line, of any wave.
    Of one that comes at an angle a part ((1 - cos) / (1 + cos))^2 counts as going back.
    """
    h = tangential(line, hx, hy)
    forward, backward = (
        (np.abs(ez + sign * impedance * h) ** 2) @ line.weights / (8 * impedance)
        for sign in (-1, 1)
    )
    return forward, backward


def mean_power_through(line: LineQuadrature, ez: Complex, hx: Complex, hy: Complex) -> Array:
    """Mean power of oscillations with amplitudes (n_frequencies, n_points), (n_frequencies,)."""
    return -0.5 * np.real(ez * np.conj(tangential(line, hx, hy))) @ line.weights


def elastic_mean_power(line: LineQuadrature, *fields: Complex) -> Array:
    """The same of elastic waves, of amplitudes in the order of their fields."""
    flow = ElasticFields.mean_power_flow(*fields)
    across = flow[..., 0] * line.normal_x + flow[..., 1] * line.normal_y
    return np.asarray(across @ line.weights)
