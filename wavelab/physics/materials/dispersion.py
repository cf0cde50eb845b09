"""Dispersive media: currents and polarizations that follow the field, as auxiliary equations.

The equations of one pole are its own (:mod:`wavelab.scene.poles`); here those of a medium are put
together on its elements.
"""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.connectivity import face_selection
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.materials.materials import materials_by_region
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.scene.model.pole import Pole
from wavelab.scene.model.scene import Scene


def dispersive_media(scene: Scene, operator: MaxwellTM) -> tuple[AuxiliaryEquations, ...]:
    """One set of equations for each region whose material has poles."""
    d = operator.discretization
    found = []
    for number, (_, material) in enumerate(materials_by_region(scene, d.mesh)):
        elements = np.flatnonzero(d.mesh.regions == number)
        if material.scalar_poles and len(elements):
            found.append(pole_equations(material.scalar_poles, elements, operator))
    return tuple(found)


def dispersive_walls(scene: Scene, d: Discretization) -> tuple[str, ...]:
    """What is to be said of absorbing walls before such media."""
    poles = [bool(material.scalar_poles) for _, material in materials_by_region(scene, d.mesh)]
    before = np.array(poles)[d.mesh.regions]
    return tuple(
        f'the absorbing wall at "{edge}" is matched to what its dispersive medium is at the '
        "highest frequencies, and reflects others; end the medium before the wall"
        for wall in scene.walls
        if wall.matched
        for edge in wall.edges
        if before[face_selection(d.mesh, (edge,)).any(axis=1)].any()
    )


def lossy_walls(scene: Scene, operator: MaxwellTM) -> tuple[str, ...]:
    """What is to be said of absorbing walls before media that conduct.

    Those have the impedance sqrt(mu / (epsilon + i sigma / w)); of what meets the wall about
    sigma / (4 w epsilon) comes back.
    """
    mesh = operator.discretization.mesh
    conducts = operator.sigma > 0
    for profile in operator.media.sigma:
        conducts[profile.elements] = True
    return tuple(
        f'the absorbing wall at "{edge}" is matched to what its medium is without its '
        "conductivity, and sends about sigma / (8 pi f epsilon) of a wave of the frequency f back; "
        'kind = "open" absorbs there too'
        for wall in scene.walls
        if wall.matched
        for edge in wall.edges
        if conducts[face_selection(mesh, (edge,)).any(axis=1)].any()
    )


def pole_equations(
    poles: tuple[Pole, ...], elements: Indices, operator: MaxwellTM
) -> AuxiliaryEquations:
    """The equations of one medium on its elements."""
    shape = (len(elements), operator.discretization.nodes_per_element)
    # Where epsilon is a formula this is its reference, with which all rates are computed there.
    inverse = np.broadcast_to(1 / operator.epsilon[elements, None], shape)
    currents: list[str] = []
    rates: dict[str, str] = {}
    energy: dict[str, Array] = {}
    for number, pole in enumerate(poles, start=1):
        of_pole = pole.equations(number)
        currents.append(of_pole.current)
        rates |= of_pole.rates
        energy |= {name: np.full(shape, weight) for name, weight in of_pole.energy.items()}
    rates["ez"] = f"-inverse*({' + '.join(currents)})"
    return AuxiliaryEquations.written(elements, {"inverse": inverse}, rates, energy, "medium")
