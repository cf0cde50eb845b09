"""Orthonormal Jacobi polynomials and their Gauss quadratures (HW, appendix A)."""

from __future__ import annotations

from functools import cache
from math import gamma

import numpy as np

from wavelab.arrays import Array


@cache
def _recurrence(alpha: float, beta: float, n: int) -> tuple[Array, Array]:
    """Coefficients a_0..a_n, b_0..b_n of x p_i = b_i p_(i-1) + a_i p_i + b_(i+1) p_(i+1)."""
    i = np.arange(n + 1, dtype=np.float64)
    h = 2 * i + alpha + beta
    with np.errstate(divide="ignore", invalid="ignore"):
        a = (beta**2 - alpha**2) / (h * (h + 2))
        b = 2 / h * np.sqrt(i * (i + alpha + beta) * (i + alpha) * (i + beta) / ((h - 1) * (h + 1)))
    # 0/0 in the general formula: its limits for i = 0 and, with alpha + beta = 0, also i = 1.
    a[0] = (beta - alpha) / (alpha + beta + 2)
    b[0] = 0.0
    if n >= 1:
        b[1] = 2 / (alpha + beta + 2) * np.sqrt((1 + alpha) * (1 + beta) / (alpha + beta + 3))
    return a, b


def _weight_integral(alpha: float, beta: float) -> float:
    """Of (1-x)^alpha (1+x)^beta over [-1, 1]."""
    return 2 ** (alpha + beta + 1) * gamma(alpha + 1) * gamma(beta + 1) / gamma(alpha + beta + 2)


def jacobi_polynomials(x: Array, alpha: float, beta: float, n: int) -> list[Array]:
    """P_0^(alpha,beta)(x), ..., P_n^(alpha,beta)(x), orthonormal on [-1, 1] with weight
    (1-x)^alpha (1+x)^beta.

    Parameters
    ----------
    x : points, any shape.
    alpha, beta : > -1.
    n : degree, >= 0.
    """
    x = np.asarray(x, dtype=np.float64)
    a, b = _recurrence(alpha, beta, n)
    found = [np.full_like(x, 1 / np.sqrt(_weight_integral(alpha, beta)))]
    previous = np.zeros_like(x)
    for i in range(n):
        found.append(((x - a[i]) * found[-1] - b[i] * previous) / b[i + 1])
        previous = found[-2]
    return found


def jacobi_polynomial(x: Array, alpha: float, beta: float, n: int) -> Array:
    """The last of :func:`jacobi_polynomials`."""
    return jacobi_polynomials(x, alpha, beta, n)[-1]


def jacobi_derivatives(x: Array, alpha: float, beta: float, n: int) -> list[Array]:
    """Derivatives of :func:`jacobi_polynomials`, by P_n' = sqrt(n (n+a+b+1)) P_(n-1)^(a+1,b+1)."""
    found = [np.zeros_like(np.asarray(x, dtype=np.float64))]
    if n:
        found += jacobi_polynomials(x, alpha + 1, beta + 1, n - 1)
    return [np.sqrt(i * (i + alpha + beta + 1)) * p for i, p in enumerate(found)]


def jacobi_derivative(x: Array, alpha: float, beta: float, n: int) -> Array:
    """The last of :func:`jacobi_derivatives`."""
    return jacobi_derivatives(x, alpha, beta, n)[-1]


def gauss_quadrature(alpha: float, beta: float, n: int) -> tuple[Array, Array]:
    """n-point Gauss-Jacobi rule, exact for degree 2n - 1 (Golub & Welsch 1969).

    Returns
    -------
    points, weights : (n,) each, points ascending.
    """
    a, b = _recurrence(alpha, beta, n - 1)
    points, vectors = np.linalg.eigh(np.diag(a) + np.diag(b[1:], 1) + np.diag(b[1:], -1))
    return points, vectors[0] ** 2 * _weight_integral(alpha, beta)


def gauss_lobatto_points(n: int) -> Array:
    """The n + 1 Legendre-Gauss-Lobatto points, ascending, ends included (n >= 1)."""
    if n == 1:
        return np.array([-1.0, 1.0])
    interior, _ = gauss_quadrature(1.0, 1.0, n - 1)
    # The rule is symmetric; averaging with its mirror image removes the eigensolver's rounding,
    # so that nodes on the two sides of a face coincide exactly.
    interior = (interior - interior[::-1]) / 2
    return np.concatenate([[-1.0], interior, [1.0]])
