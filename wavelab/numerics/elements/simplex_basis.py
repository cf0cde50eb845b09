"""Orthonormal polynomials on the reference triangle (Koornwinder 1975, Dubiner 1991; HW 6.1)."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.elements.jacobi import (
    jacobi_derivative,
    jacobi_polynomial,
    jacobi_polynomials,
)


def modes(order: int) -> list[tuple[int, int]]:
    """Index pairs (i, j), i + j <= N, in the order of the basis functions."""
    return [(i, j) for i in range(order + 1) for j in range(order + 1 - i)]


def _collapsed(r: Array, s: Array) -> tuple[Array, Array]:
    """Map the triangle to the square [-1, 1]^2: a = 2 (1 + r) / (1 - s) - 1, b = s."""
    top = np.abs(1 - s) < 1e-14
    a = np.where(top, -1.0, 2 * (1 + r) / np.where(top, 1.0, 1 - s) - 1)
    return a, s


def vandermonde(order: int, r: Array, s: Array) -> Array:
    """V[n, m] = phi_m(r_n, s_n), the symbol V of HW.

    Parameters
    ----------
    r, s : (n,) points of the reference triangle.

    Returns
    -------
    (n, N_p) values of the orthonormal basis.
    """
    r, s = np.asarray(r, np.float64), np.asarray(s, np.float64)
    a, b = _collapsed(r, s)
    columns = []
    for i, along in enumerate(jacobi_polynomials(a, 0, 0, order)):
        along, power = np.sqrt(2) * along, (1 - b) ** i
        across = jacobi_polynomials(b, 2 * i + 1, 0, order - i)
        columns += [along * polynomial * power for polynomial in across]
    return np.column_stack(columns)


def gradient_vandermonde(order: int, r: Array, s: Array) -> tuple[Array, Array]:
    """d phi_m / dr and d phi_m / ds at the points, the symbols V_r and V_s of HW.

    Returns
    -------
    two (n, N_p) arrays.
    """
    r, s = np.asarray(r, np.float64), np.asarray(s, np.float64)
    a, b = _collapsed(r, s)
    d_r, d_s = [], []
    for i, j in modes(order):
        f, df = jacobi_polynomial(a, 0, 0, i), jacobi_derivative(a, 0, 0, i)
        g, dg = jacobi_polynomial(b, 2 * i + 1, 0, j), jacobi_derivative(b, 2 * i + 1, 0, j)
        half = (1 - b) / 2
        # (1-b)^i = 2^i half^i; da/dr = 1/half cancels one power, so nothing is divided by zero.
        lower = half ** (i - 1) if i > 0 else np.ones_like(half)
        by_r = df * g * (lower if i > 0 else 1.0)
        by_s = by_r * (1 + a) / 2
        inner = dg * half**i
        if i > 0:
            inner = inner - 0.5 * i * g * lower
        by_s = by_s + f * inner
        scale = 2.0 ** (i + 0.5)
        d_r.append(scale * by_r)
        d_s.append(scale * by_s)
    return np.column_stack(d_r), np.column_stack(d_s)
