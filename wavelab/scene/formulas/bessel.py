"""Bessel functions of the first kind and integer order, for the modes of a round room."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array

#: Beyond this the trapezoidal rule below would need too many points to be worth having.
LARGEST_ARGUMENT = 1000.0


def besselj(order: int, x: NDArray[np.floating]) -> Array:
    """J_order(x) with an absolute error below 1e-13 for abs(x) <= ``LARGEST_ARGUMENT``.

    Bessel's integral (1 / pi) int_0^pi cos(order theta - x sin theta) dtheta by the trapezoidal
    rule.  The integrand is periodic and entire, so with m intervals the error is about
    2 J_(2m - order)(x), which falls faster than exponentially once 2m - order exceeds abs(x)
    (Trefethen & Weideman, SIAM Review 56 (2014) 385).  Larger arguments and those that are not
    finite give NaN.
    """
    x = np.asarray(x, dtype=np.float64)
    usable = np.abs(x) <= LARGEST_ARGUMENT
    safe = np.where(usable, x, 0.0)
    largest = float(np.abs(safe).max(initial=0.0))
    # J_nu(x) is below 1e-17 at nu = x + 30 + 10 x^(1/3) over the whole range.
    m = math.ceil((order + largest + 30 + 10 * largest ** (1 / 3)) / 2)
    total = 0.5 * (1.0 + (-1.0) ** order) * np.ones_like(safe)
    for theta in np.pi * np.arange(1, m) / m:
        total += np.cos(order * theta - safe * math.sin(theta))
    return np.where(usable, total / m, np.nan)
