"""Layers along open walls for elastic waves.

A perfectly matched layer needs the derivatives across it apart from those along it, which the
equations of a node do not have.  This one damps all that travels across it, and nothing else:

    E q_t = ... - damping(depth) E P q,

P the projection, orthogonal in the energy, onto the range of the flux across the layer (Halpern,
Petit-Bergez & Rauch, *The analysis of matched layers*, 2011; Metivier et al., *SMART layers: a
simple and robust alternative to PML approaches for elastodynamics*, 2014).  It sends nothing back
of waves that come straight at it, and of others the less the gentler it begins; it can only lose
energy, whatever the media are, but for what the products at nodes of an element differ by, which a
little upwinding takes.  Where they are formulas P and E are those of each node, and what is
damped is momentum and strain.  P leaves the stress along the layer that no strain across it makes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.materials.materials import media_key
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.fields import ElasticFields
from wavelab.physics.pml.pml_checks import check_room, check_upwinding, things_inside
from wavelab.physics.pml.pml_layers import PmlLayers, remembered_layers
from wavelab.physics.pml.pml_pieces import Piece, pml_pieces
from wavelab.scene.model.scene import Scene

#: Of the amplitude of a P wave that goes straight through the layer and back.
LEFT = 1e-3
#: The damping grows like this power of the depth.
POWER = 3
_STRESSES = ("sxx", "syy", "sxy")


def elastic_layers(scene: Scene, operator: ElasticPSV) -> PmlLayers:
    """The layers along all open walls.

    Raises
    ------
    SceneError : a layer does not fit.
    """
    d = operator.discretization
    pieces = pml_pieces(scene, d)
    if not pieces:
        return PmlLayers()
    check_upwinding(scene, pieces, operator)
    made = remembered_layers.get(
        d, (pieces, media_key(scene)), lambda: _made(scene, pieces, operator)
    )
    return replace(made, notices=tuple(things_inside(scene, pieces)))


def _made(scene: Scene, pieces: Sequence[Piece], operator: ElasticPSV) -> PmlLayers:
    """What follows from the media and the open walls."""
    d = operator.discretization
    check_room(scene, pieces, d)
    elements = np.flatnonzero(np.any([piece.reached for piece in pieces], axis=0))
    shape = (len(elements), d.nodes_per_element)
    of_velocity, of_stress = np.zeros(shape), np.zeros((3, 3, *shape))
    ratio: Array = (operator.lame / (operator.lame + 2 * operator.mu))[elements, None]
    shares = None
    if operator.media:
        shares = operator.media.shares_at_nodes(elements, d.nodes_per_element)
        bulk = (operator.lame + operator.mu)[elements, None] * shares[1]
        shear = operator.mu[elements, None] * shares[2]
        ratio = (bulk - shear) / (bulk + shear)
    for piece in pieces:
        damping, normal = _across(piece, elements, operator)
        of_velocity += damping
        of_stress += damping * _projected(normal, ratio)
    if shares is not None:
        of_velocity *= shares[0]
        of_stress = _in_strain(of_stress, shares[1], shares[2])
    coefficients = {"d": of_velocity}
    rates = {"vx": "-d*vx", "vy": "-d*vy"}
    for i, of in enumerate(_STRESSES):
        terms = []
        for j, name in enumerate(_STRESSES):
            if of_stress[i, j].any():
                coefficients[key := f"d{i}{j}"] = of_stress[i, j]
                terms.append(f"{key}*{name}")
        if terms:
            rates[of] = f"-({' + '.join(terms)})"
    equations = AuxiliaryEquations.written(
        elements, coefficients, rates, kind="open", of=ElasticFields
    )
    return PmlLayers((equations,), elements)


def _across(piece: Piece, elements: Indices, operator: ElasticPSV) -> tuple[Array, Sequence[Array]]:
    """The damping at the nodes, and the direction across the layer there."""
    d, side = operator.discretization, piece.side
    x, y = d.x[elements], d.y[elements]
    depth = np.clip(side.depth(x, y) / side.thickness, 0, 1)
    speed = float(operator.fastest[piece.reached].max())
    strength = (POWER + 1) * speed * math.log(1 / LEFT) / (2 * side.thickness)
    on_it = piece.reached[elements][:, None]
    return np.where(on_it, strength * depth**POWER, 0.0), side.across(x, y)


def _in_strain(of_stress: Array, compression: Array, shear: Array) -> Array:
    """What is to be taken of strain, in parts of the operator's constants, for what is taken of
    stress: (3, 3, n, nodes_per_element) divided by their shares."""
    of_mean = (of_stress[0] + of_stress[1]) / (2 * compression)
    of_half = (of_stress[0] - of_stress[1]) / (2 * shear)
    return np.array([of_mean + of_half, of_mean - of_half, of_stress[2] / shear])


def _projected(normal: Sequence[Array], ratio: Array) -> Array:
    """(3, 3, ...) what P makes of the stresses: with n across and t along, s_nn (n n + ratio t t) +
    s_nt (n t + t n), ratio = lambda / (lambda + 2 mu)."""
    c, s = normal
    nn = np.array([c * c, s * s, 2 * c * s])
    nt = np.array([-c * s, c * s, c * c - s * s])
    along = np.array([c * c + ratio * s * s, s * s + ratio * c * c, (1 - ratio) * c * s])
    shear = np.array([-2 * c * s, 2 * c * s, c * c - s * s])
    return along[:, None] * nn[None] + shear[:, None] * nt[None]
