"""Outer eigenvalues of an operator that is known only by what it does to a vector."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Complex

#: Relative residual of an eigenvector that is found.
_SETTLED = 1e-9
#: Steps between two looks at what is found.
_LOOK = 3


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


@dataclass(frozen=True, eq=False)
class Near:
    """Eigenvalues (n,) and eigenvectors (size, n) near a point."""

    values: Complex
    vectors: Complex


def eigenpairs_near(
    solve: Callable[[Complex], Complex],
    size: int,
    shift: complex,
    radius: float,
    *,
    at_once: int,
    most: int,
    pause: Callable[[], None] = lambda: None,
) -> Near | None:
    """All eigenvalues of a matrix L within a circle, by Arnoldi's method for (L - s)^-1 on several
    vectors at once (Saad, *Numerical Methods for Large Eigenvalue Problems*, 2011, chapter 8).

    What is nearest to s is found first, so all within the circle are known when one outside is.

    Parameters
    ----------
    solve : (L - s)^-1 on (size, k).
    shift, radius : s, and how far from it.
    at_once : vectors, at least as many as there are independent eigenvectors of one eigenvalue.
    most : the largest dimension of the Krylov space.

    Returns
    -------
    None if that was not enough.
    """
    rng = np.random.default_rng(0)
    start = rng.standard_normal((size, at_once)) + 1j * rng.standard_normal((size, at_once))
    basis = np.empty((size, most + at_once), np.complex128, order="F")
    basis[:, :at_once] = np.linalg.qr(start)[0]
    hessenberg = np.zeros((most + at_once, most), np.complex128)
    for end in range(at_once, most + 1, at_once):
        pause()
        done, new = slice(0, end), slice(end, end + at_once)
        last = slice(end - at_once, end)
        v = solve(basis[:, last])
        for _ in range(2):
            overlap = (v.conj().T @ basis[:, done]).conj().T
            v = v - basis[:, done] @ overlap
            hessenberg[done, last] += overlap
        basis[:, new], hessenberg[new, last] = np.linalg.qr(v)
        if end % (_LOOK * at_once):
            continue
        values, inside = np.linalg.eig(hessenberg[done, done])
        wrong = np.linalg.norm(hessenberg[new, last] @ inside[last], axis=0)
        settled = wrong < _SETTLED * np.abs(values)
        within = np.abs(values) * radius > 1
        if settled[within].all() and (settled & ~within).any():
            return Near(shift + 1 / values[within], basis[:, done] @ inside[:, within])
    return None
