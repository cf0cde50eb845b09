"""Modes of a layered or graded guide, by spectral elements across it.

Along the guide a mode goes as exp(i (beta x - w t)).  Across it, with s from side to side,

    d/ds (1/mu dE/ds) + w^2 epsilon E = beta^2 E / mu

(Snyder & Love, *Optical Waveguide Theory*, 1983, for mu = 1).  Times a test function and integrated
by parts that is symmetric, so the beta^2 are real and the modes orthogonal with the weight 1 / mu.
Borders of elements lie where the medium jumps: within an element E is smooth, and the error falls
exponentially with the degree.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.elements.jacobi import (
    gauss_lobatto_points,
    gauss_quadrature,
    jacobi_derivatives,
    jacobi_polynomials,
)

#: Degree on each element, which is no longer than one wavelength in its medium: twelve unknowns a
#: wavelength leave errors of rounding.
DEGREE = 14
#: Elements in a layer that is graded, at least: its formula may bend more than the wave does.
_GRADED = 6
#: Squares of wave numbers that are 0 but for rounding, in parts of that of a wave in the slowest
#: layer.
_CUT_OFF = 1e-10
#: Elements at most: more unknowns than these have no place in a dense matrix.
MOST_ELEMENTS = 200

#: (n,) values of a medium at places (n,) of layer number i.
Layers = Callable[[int, Array], Array]


@dataclass(frozen=True, eq=False)
class UniformLayers:
    """What a :class:`CrossSection` has in layers of one value each, (n_layers,)."""

    of_layer: Array

    def __call__(self, layer: int, places: Array) -> Array:
        return np.full(len(places), self.of_layer[layer])


@dataclass(frozen=True)
class CrossSection:
    """What is across a guide.

    Attributes
    ----------
    borders : (n_layers + 1,) ascending.
    epsilon, mu : of a layer, at places in it.
    clamped : whether E is 0 at the first and at the last border; dE/ds is 0 otherwise.
    graded : which layers are not the same all over.
    """

    borders: Array
    epsilon: Layers
    mu: Layers
    clamped: tuple[bool, bool] = (True, True)
    graded: Sequence[bool] = ()


@dataclass(frozen=True, eq=False)
class SlabModes:
    """The modes of a cross-section at one frequency, those with the largest beta first.

    Each carries the mean power 1 at the amplitude 1: beta / (2 w) int E^2 / mu ds = 1, and is
    positive where it begins.

    Attributes
    ----------
    squares : (n,) beta^2, positive.
    borders : (n_elements + 1,) of the elements.
    layers : (n_elements,) number of the layer that each is in.
    values : (n, n_elements, DEGREE + 1) E at the Gauss-Lobatto points of each element.
    """

    squares: Array
    borders: Array
    layers: Indices
    values: Array

    def __len__(self) -> int:
        return len(self.squares)

    @property
    def wave_numbers(self) -> Array:
        """(n,) beta."""
        return np.sqrt(self.squares)

    def first(self, count: int) -> SlabModes:
        """Not more of them."""
        return SlabModes(self.squares[:count], self.borders, self.layers, self.values[:count])

    def only(self, mode: int) -> SlabModes:
        """One of them."""
        one = slice(mode, mode + 1)
        return SlabModes(self.squares[one], self.borders, self.layers, self.values[one])

    def at(self, places: Array) -> tuple[Array, Array]:
        """(n, n_places) E and dE/ds; on a border that of the element before it."""
        element = np.clip(np.searchsorted(self.borders, places) - 1, 0, len(self.layers) - 1)
        start, end = self.borders[element], self.borders[element + 1]
        x = 2 * (places - start) / (end - start) - 1
        coefficients = self.values[:, element] @ np.linalg.inv(_legendre(_NODES)).T
        field = np.einsum("mpj,pj->mp", coefficients, _legendre(x))
        slope = np.einsum("mpj,pj->mp", coefficients, _legendre_slopes(x))
        return field, slope * 2 / (end - start)


_NODES = gauss_lobatto_points(DEGREE)


def _legendre(x: Array) -> Array:
    """(n, DEGREE + 1)."""
    return np.stack(jacobi_polynomials(x, 0, 0, DEGREE), axis=-1)


def _legendre_slopes(x: Array) -> Array:
    return np.stack(jacobi_derivatives(x, 0, 0, DEGREE), axis=-1)


def slab_modes(section: CrossSection, frequency: float, least: float = 0.0) -> SlabModes:
    """All modes with beta^2 above ``least``.

    Parameters
    ----------
    least : what beta^2 of a mode is that decays no more beyond an open end: w^2 epsilon mu there.

    Raises
    ------
    ValueError : the section is more than about MOST_ELEMENTS wavelengths long.
    """
    omega = 2 * math.pi * frequency
    borders, layers = _elements(section, frequency)
    n, p = len(layers), DEGREE
    x, weights = gauss_quadrature(0, 0, p + 4)
    inverse = np.linalg.inv(_legendre(_NODES))
    value, slope = _legendre(x) @ inverse, _legendre_slopes(x) @ inverse
    mass, dielectric = np.zeros((2, n * p + 1, n * p + 1))
    stiff, densest = np.zeros_like(mass), 0.0
    for i, (start, end) in enumerate(pairwise(borders)):
        half = (end - start) / 2
        places = start + half * (1 + x)
        epsilon, mu = (of(int(layers[i]), places) for of in (section.epsilon, section.mu))
        densest = max(densest, float((epsilon * mu).max()))
        here = slice(i * p, i * p + p + 1)
        mass[here, here] += half * value.T @ (value * (weights / mu)[:, None])
        dielectric[here, here] += half * value.T @ (value * (weights * epsilon)[:, None])
        stiff[here, here] += slope.T @ (slope * (weights / mu)[:, None]) / half
    first, last = section.clamped
    free = slice(int(first), n * p + 1 - int(last))
    operator = (omega**2 * dielectric - stiff)[free, free]
    factor = np.linalg.cholesky(mass[free, free])
    left = np.linalg.solve(factor, np.linalg.solve(factor, operator).T)
    squares, vectors = np.linalg.eigh((left + left.T) / 2)
    vectors = np.linalg.solve(factor.T, vectors)
    chosen = np.flatnonzero(squares > max(least, 0.0))[::-1]
    unknowns = np.zeros((len(chosen), n * p + 1))
    unknowns[:, free] = vectors[:, chosen].T
    # The quotient of Rayleigh takes most of what rounding has left in thin layers away.
    norms = np.einsum("mi,ij,mj->m", unknowns, mass, unknowns)
    squares = np.einsum("mi,ij,mj->m", unknowns, omega**2 * dielectric - stiff, unknowns) / norms
    # At its very cutoff a mode has 0 but for rounding, and carries nothing.
    run = squares > _CUT_OFF * omega**2 * densest
    chosen, unknowns, norms, squares = chosen[run], unknowns[run], norms[run], squares[run]
    unknowns *= np.sqrt(2 * omega / (np.sqrt(squares) * norms))[:, None]
    begins = np.argmax(np.abs(unknowns) > 0.1 * np.abs(unknowns).max(axis=1)[:, None], axis=1)
    unknowns *= np.sign(unknowns[np.arange(len(chosen)), begins])[:, None]
    pieces = np.arange(n)[:, None] * p + np.arange(p + 1)
    return SlabModes(squares, borders, layers, unknowns[:, pieces])


def _elements(section: CrossSection, frequency: float) -> tuple[Array, Indices]:
    """Borders of the elements, and the layers that they are in."""
    borders, layers = [section.borders[:1]], []
    graded = section.graded or [False] * (len(section.borders) - 1)
    for i, (start, end) in enumerate(pairwise(section.borders)):
        places = np.linspace(start, end, 34)[1:-1]
        index = np.sqrt(float((section.epsilon(i, places) * section.mu(i, places)).max()))
        count = max(math.ceil((end - start) * frequency * index), _GRADED if graded[i] else 1)
        borders.append(np.linspace(start, end, count + 1)[1:])
        layers += [i] * count
        if len(layers) > MOST_ELEMENTS:
            raise ValueError("too many wavelengths across")
    return np.concatenate(borders), np.array(layers)
