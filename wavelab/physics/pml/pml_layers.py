"""The absorbing layers of a scene on its mesh: which elements they reach, how strong they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from wavelab.arrays import Indices
from wavelab.numerics.fields.discretization import Discretization
from wavelab.physics.materials.auxiliary_equations import FADING, AuxiliaryEquations
from wavelab.physics.materials.materials import media_key
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.pml.pml_checks import (
    check_media,
    check_resolved,
    check_room,
    check_upwinding,
    check_walls,
    crossed_interfaces,
    things_inside,
)
from wavelab.physics.pml.pml_edges import Stretch, balanced
from wavelab.physics.pml.pml_equations import layer_equations
from wavelab.physics.pml.pml_notices import expected
from wavelab.physics.pml.pml_pieces import Piece, edge_lengths, pml_pieces
from wavelab.physics.pml.pml_reflection import CFS_SHIFT, digits_across
from wavelab.remembered import Remembered
from wavelab.scene.model.scene import Scene


@dataclass(frozen=True, eq=False)
class PmlLayers:
    """All absorbing layers of a problem.

    Attributes
    ----------
    equations : what they add.
    elements : (n,) those they reach.
    notices : what a user should hear.
    """

    equations: tuple[AuxiliaryEquations, ...] = ()
    elements: Indices = field(default_factory=lambda: np.zeros(0, np.int64))
    notices: tuple[str, ...] = ()


def pml_layers(
    scene: Scene, operator: MaxwellTM, dispersive: Sequence[AuxiliaryEquations] = ()
) -> PmlLayers:
    """The layers along all open walls.

    Parameters
    ----------
    dispersive : media that remember, which a layer must not reach, or that damp H.

    Raises
    ------
    SceneError : a layer does not fit: too thick or too thin, along an edge that is not convex or
        bent in a way it cannot follow, beside a wall that is not at right angles to it, or in a
        medium that it is not made for.
    """
    d = operator.discretization
    pieces = pml_pieces(scene, d)
    if not pieces:
        return PmlLayers()
    check_upwinding(scene, pieces, operator)
    made = remembered_layers.get(
        d, (pieces, media_key(scene)), lambda: _made(scene, pieces, operator, dispersive)
    )
    told = things_inside(scene, pieces) + expected(scene, pieces, operator)
    return replace(made, notices=(*made.notices, *told))


#: While sources, upwinding and the like are turned, they stay.
remembered_layers: Remembered[Discretization, PmlLayers] = Remembered(2)


def _made(
    scene: Scene,
    pieces: Sequence[Piece],
    operator: MaxwellTM,
    dispersive: Sequence[AuxiliaryEquations],
) -> PmlLayers:
    """What follows from the media and the open walls."""
    d = operator.discretization
    check_room(scene, pieces, d)
    check_resolved(scene, pieces, d)
    check_media(scene, pieces, operator, dispersive)
    elements = np.flatnonzero(np.any([piece.reached for piece in pieces], axis=0))
    stretch = _stretch(pieces, elements, operator)
    check_walls(scene, pieces, elements, stretch, d)
    notices = crossed_interfaces(operator, elements, stretch)
    loss, of_h = operator.sigma / operator.epsilon, np.zeros(d.n_elements)
    for equations in dispersive:
        if FADING in equations.coefficients:
            of_h[equations.elements] = equations.coefficients[FADING][:, 0]
    thickest = max(piece.side.thickness for piece in pieces)
    cfs_shift = CFS_SHIFT * float(operator.slowest[elements].min()) / thickest
    made = layer_equations(elements, stretch, cfs_shift, loss[elements], of_h[elements])
    return PmlLayers(made, elements, tuple(notices))


def _stretch(pieces: Sequence[Piece], elements: Indices, operator: MaxwellTM) -> Stretch:
    """At the nodes of ``elements``, of all layers that reach each."""
    d = operator.discretization
    middles = [_middle(piece, d) for piece in pieces]
    weights = balanced([p.side for p in pieces], *np.array(middles).T)
    edges = edge_lengths(d)
    shape = (len(elements), d.nodes_per_element)
    total = Stretch(*(np.zeros(shape) for _ in Stretch._fields))
    for piece, weight in zip(pieces, weights, strict=True):
        points = d.order * piece.side.thickness / float(edges[piece.reached].mean())
        digits = digits_across(points)
        # exp(-2 F / c) is what is left of a wave that went there and back.
        speed = float(operator.fastest[piece.reached].max())
        strength = weight * speed * digits * math.log(10) / 2
        on_it = piece.reached[elements][:, None]
        part = piece.side.stretch(d.x[elements], d.y[elements]).scaled(strength)
        for added_up, values in zip(total, part, strict=True):
            added_up += np.where(on_it, values, 0)
    return total


def _middle(piece: Piece, d: Discretization) -> tuple[float, float, float, float]:
    """A point in the middle of an edge, and the normal there."""
    element, face = piece.faces
    nodes = d.element.face_nodes[face]
    x, y = d.x[element[:, None], nodes], d.y[element[:, None], nodes]
    x_0, y_0 = x.mean(), y.mean()
    i = int(np.argmin((x.mean(axis=1) - x_0) ** 2 + (y.mean(axis=1) - y_0) ** 2))
    j = nodes.shape[1] // 2
    g, at = d.geometry, (element[i], face[i])
    return float(x[i, j]), float(y[i, j]), float(g.normal_x[at]), float(g.normal_y[at])
