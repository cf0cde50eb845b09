"""Outer eigenvalues of an operator that is known only by what it does to a vector."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wavelab.arrays import Array, Complex


def ritz_values(apply: Callable[[Array], Array], size: int, dimension: int) -> Complex:
    """Ritz values of a real operator on a Krylov space (Arnoldi 1951).

    They approach the outermost eigenvalues first.

    Parameters
    ----------
    apply : v -> A v on vectors of length ``size``.
    dimension : of the Krylov space; the work is that many applications.
    """
    dimension = min(dimension, size)
    basis = np.empty((dimension + 1, size))
    # A fixed seed: the same mesh always gets the same time step.
    start = np.random.default_rng(0).standard_normal(size)
    basis[0] = start / np.linalg.norm(start)
    hessenberg = np.zeros((dimension + 1, dimension))
    for j in range(dimension):
        v = apply(basis[j])
        # Twice is enough (Kahan): once leaves rounding errors that grow.
        for _ in range(2):
            overlap = basis[: j + 1] @ v
            v = v - overlap @ basis[: j + 1]
            hessenberg[: j + 1, j] += overlap
        norm = float(np.linalg.norm(v))
        hessenberg[j + 1, j] = norm
        if norm < 1e-12 * np.abs(hessenberg).max():
            dimension = j + 1
            break
        basis[j + 1] = v / norm
    return np.linalg.eigvals(hessenberg[:dimension, :dimension]).astype(np.complex128)
