"""What an absorbing layer needs: room, a convex edge, and walls and media that follow its depth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.line_quadrature import points_along
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.operator import Operator
from wavelab.physics.pml.pml_edges import Side, StraightSide, Stretch
from wavelab.physics.pml.pml_pieces import Piece, edge_lengths, trouble
from wavelab.scene.model.measuring.requests import Receivers
from wavelab.scene.model.scene import Scene

#: How exactly walls and interfaces must follow the layer: sine of the angle that they miss it by.
_TOLERANCE = 1e-6
#: Thickness that a layer needs, in elements.
_FEWEST_ELEMENTS, _FEWEST_ELEMENTS_OF_ORDER_1 = 1.5, 2.5
LEAST_UPWINDING = 0.1
#: Points of a line that is looked for in a layer.
_LOOKS = 101


def check_room(scene: Scene, pieces: Sequence[Piece], d: Discretization) -> None:
    """Every layer has to itself the place it takes.

    Raises
    ------
    SceneError : one reaches round a corner, opposite ones meet, or they leave no room between them.
    """
    for piece in pieces:
        thickness = piece.side.thickness
        if float(piece.side.depth(d.x[piece.reached], d.y[piece.reached]).max()) > thickness * (
            1 + 1e-3
        ):
            raise trouble(
                scene, piece.edge, "would reach round a corner or a hole: the domain is not convex "
                "there", 'Make it thinner, move the edge out, or use kind = "absorbing".',
            )  # fmt: skip
    for i, first in enumerate(pieces):
        for second in pieces[:i]:
            shared = first.reached & second.reached
            x, y = d.x[shared], d.y[shared]
            both = (first.side.depth(x, y) > 0) & (second.side.depth(x, y) > 0)
            if _opposite(first.side, second.side) and both.any():
                raise trouble(
                    scene, first.edge, f'meets the one along "{second.edge}"',
                    f"Make both thinner; they are {first.side.thickness:g} thick.",
                )  # fmt: skip
    free = np.ones(d.shape, dtype=bool)
    for piece in pieces:
        there = piece.reached
        free[there] &= piece.side.depth(d.x[there], d.y[there]) <= 0
    if not free.any():
        raise trouble(
            scene, pieces[0].edge, "leaves no room: all of the domain lies in a layer",
            f"Make it thinner; it is {pieces[0].side.thickness:g} thick.",
        )  # fmt: skip


def check_resolved(scene: Scene, pieces: Sequence[Piece], d: Discretization) -> None:
    """Layers thinner than this were seen to let fields grow."""
    edges = edge_lengths(d)
    fewest = _FEWEST_ELEMENTS if d.order > 1 else _FEWEST_ELEMENTS_OF_ORDER_1
    for piece in pieces:
        least = fewest * float(edges[piece.reached].mean())
        # Elements are a little larger or smaller than asked for.
        if piece.side.thickness < 0.9 * least:
            raise trouble(
                scene, piece.edge, f"is {piece.side.thickness:.3g} thick, too thin for the "
                "elements there",
                f"At this order it needs {fewest:g} elements: make it {least:.3g} or thicker, or "
                "the elements smaller.",
            )  # fmt: skip


def check_upwinding(scene: Scene, pieces: Sequence[Piece], operator: Operator) -> None:
    """Damping that differs from node to node was seen to let fields grow without any."""
    if operator.upwinding < LEAST_UPWINDING:
        raise trouble(
            scene, pieces[0].edge, f"needs upwinding, which is {operator.upwinding:g}",
            f"Set it to {LEAST_UPWINDING:g} or more, or use another kind of wall.",
        )  # fmt: skip


def check_media(
    scene: Scene,
    pieces: Sequence[Piece],
    operator: MaxwellTM,
    dispersive: Sequence[AuxiliaryEquations],
) -> None:
    """The equations of a layer are those of constant media."""
    kinds = {
        "given by a formula": [p.elements for p in operator.media.profiles if not p.kerr],
        "a Kerr medium": [profile.elements for profile in operator.media.kerr],
        "anisotropic": [tensor.elements for tensor in operator.media.tensors],
        "dispersive": [equations.elements for equations in dispersive if equations.variables],
    }
    for kind, parts in kinds.items():
        for elements in parts:
            for piece in pieces:
                if piece.reached[elements].any():
                    raise trouble(
                        scene, piece.edge, f"reaches a material that is {kind}",
                        "End the material before the layer, or make the layer thinner.",
                    )  # fmt: skip


def _opposite(first: Side, second: Side) -> bool:
    if not (isinstance(first, StraightSide) and isinstance(second, StraightSide)):
        return False
    return first.normal[0] * second.normal[0] + first.normal[1] * second.normal[1] < -0.99


def check_walls(
    scene: Scene, pieces: Sequence[Piece], elements: Indices, stretch: Stretch, d: Discretization
) -> None:
    """Walls that the layers touch are not moved by them: they run straight into the depth."""
    others = (d.mesh.face_tags >= 0) | d.connectivity.is_boundary
    for piece in pieces:
        others[piece.faces] = False
    row, face = np.nonzero(others[elements])
    off, strength = _across(d, elements, stretch, row, face)
    if not len(row) or (off <= _TOLERANCE * strength).all():
        return
    worst = int(np.argmax(off))
    k, f = elements[row[worst]], face[worst]
    tag = d.mesh.face_tags[k, f]
    wall = f'"{d.mesh.face_names[tag]}"' if tag >= 0 else "the boundary"
    owner = next(piece for piece in pieces if piece.reached[k])
    x, y = d.x[k, d.element.face_nodes[f]].mean(), d.y[k, d.element.face_nodes[f]].mean()
    raise trouble(
        scene, owner.edge,
        f"reaches {wall} near ({x:.3g}, {y:.3g}), which is not open and not at right angles to it",
        f"Make it thinner (it is {owner.side.thickness:g} thick), open {wall} too, or use "
        'kind = "absorbing".',
    )  # fmt: skip


def _across(
    d: Discretization, elements: Indices, stretch: Stretch, row: Indices, face: Indices
) -> tuple[Array, float]:
    """Largest displacement across each face, and the largest that there is."""
    nodes = d.element.face_nodes[face]
    v_x, v_y = stretch.v_x[row[:, None], nodes], stretch.v_y[row[:, None], nodes]
    n_x, n_y = (n[elements[row], face, None] for n in (d.geometry.normal_x, d.geometry.normal_y))
    strongest = float(np.hypot(stretch.v_x, stretch.v_y).max())
    return np.abs(v_x * n_x + v_y * n_y).max(axis=1, initial=0.0), strongest


def crossed_interfaces(operator: MaxwellTM, elements: Indices, stretch: Stretch) -> list[str]:
    """Interfaces of media that do not run straight into the depth."""
    d = operator.discretization
    near = d.connectivity.neighbor_element[elements]
    jumps = np.zeros(near.shape, dtype=bool)
    for values in (operator.epsilon, operator.mu, operator.sigma):
        jumps |= values[near] != values[elements, None]
    row, face = np.nonzero(jumps)
    off, strength = _across(d, elements, stretch, row, face)
    bad = np.flatnonzero(off > _TOLERANCE * strength)
    if not len(bad):
        return []
    k, f = elements[row[bad[0]]], face[bad[0]]
    x, y = d.x[k, d.element.face_nodes[f]].mean(), d.y[k, d.element.face_nodes[f]].mean()
    return [
        f"media change inside a PML near ({x:.3g}, {y:.3g}) and not along its depth: "
        "it will reflect there; end the region before the layer or at right angles to the edge"
    ]


def things_inside(scene: Scene, pieces: Sequence[Piece]) -> list[str]:
    """Sources, probes and receivers that lie in a layer, or parts of them."""
    found = []
    things = [
        *((s.what, s.places(scene.solver.element_size, _LOOKS)) for s in scene.sources),
        *((f'probe "{p.name}"', np.array([p.position])) for p in scene.probes),
        *(
            (m.what, points_along(np.array(where.vertices), where.count)[0])
            for m in scene.monitors
            if isinstance(where := m.where, Receivers)
        ),
    ]
    for what, places in things:
        for piece in pieces:
            depth = piece.side.depth(*places.T) if len(places) else np.zeros(0)
            inside = (depth > 0) & (depth <= piece.side.thickness)
            if inside.any():
                lies = "lies" if inside.all() else f"lies for {inside.mean():.0%}"
                found.append(
                    f'{what} {lies} in the PML along "{piece.edge}", where waves are damped'
                )
                break
    return found
