"""Media that remember or damp: currents and polarizations that follow the field, electric and
magnetic, and the magnetic conductivity, as auxiliary equations.

The equations of one pole are its own (:mod:`wavelab.scene.poles`); here those of a medium are put
together on its elements.
"""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.connectivity import face_selection
from wavelab.physics.materials.auxiliary_equations import FADING, AuxiliaryEquations
from wavelab.physics.materials.materials import materials_by_region
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.medium import Medium, remembers
from wavelab.scene.model.pole import Pole
from wavelab.scene.model.scene import SPACE_AND_TIME, Scene


def dispersive_media(scene: Scene, operator: MaxwellTM) -> tuple[AuxiliaryEquations, ...]:
    """One set of equations for each region whose material has poles, or damps H as a constant."""
    d = operator.discretization
    found = []
    for number, (_, material) in enumerate(materials_by_region(scene, d.mesh)):
        elements = np.flatnonzero(d.mesh.regions == number)
        if (remembers(material) or _damping(material) > 0) and len(elements):
            found.append(medium_equations(material, elements, operator))
    return tuple(found)


def medium_equations(
    material: Medium, elements: Indices, operator: MaxwellTM
) -> AuxiliaryEquations:
    """The equations of one medium on its elements; a magnetic conductivity that varies is not
    in them (:mod:`wavelab.physics.operator.media`)."""
    return pole_equations(
        material.scalar_poles,
        elements,
        operator,
        magnetic_poles=material.vector_poles,
        magnetic_sigma=_damping(material),
    )


def _damping(material: Medium) -> float:
    """The magnetic conductivity, where it is the same everywhere and at all times; else 0."""
    sigma = material.coefficient("magnetic_sigma")
    if not isinstance(sigma, Formula):
        return float(sigma)
    if any(map(sigma.uses, SPACE_AND_TIME)):
        return 0.0
    return float(sigma.evaluate(x=0.0, y=0.0, t=0.0))


def wall_notices(scene: Scene, operator: MaxwellTM) -> tuple[str, ...]:
    """What is to be said of absorbing walls before media that remember or conduct."""
    return (*dispersive_walls(scene, operator.discretization), *lossy_walls(scene, operator))


def dispersive_walls(scene: Scene, d: Discretization) -> tuple[str, ...]:
    """What is to be said of absorbing walls before such media."""
    poles = [remembers(material) for _, material in materials_by_region(scene, d.mesh)]
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
    sigma / (4 w epsilon) comes back.  The same holds of the magnetic ones and mu.
    """
    mesh = operator.discretization.mesh
    conducts, magnetic = operator.sigma > 0, np.zeros(operator.sigma.shape, bool)
    for names, profile in operator.media.losses:
        (conducts if "ez" in names else magnetic)[profile.elements] = True
    for number, (_, material) in enumerate(materials_by_region(scene, mesh)):
        if _damping(material) > 0:
            magnetic[mesh.regions == number] = True

    def before(conducting: Mask) -> list[str]:
        return [
            edge
            for wall in scene.walls
            if wall.matched
            for edge in wall.edges
            if conducting[face_selection(mesh, (edge,)).any(axis=1)].any()
        ]

    medium, found = scene.background, []
    for names, losing in ((("sigma", "epsilon"), conducts), (("magnetic_sigma", "mu"), magnetic)):
        loss, storing = (medium.called.get(name, name) for name in names)
        returned = medium.unmatched.get(names[0], f"{loss} / (8 pi f {storing})")
        found += [
            f'the absorbing wall at "{edge}" is matched to what its medium is without its losses, '
            f"and sends about {returned} of a wave of the frequency f back; "
            'kind = "open" absorbs there too'
            for edge in before(losing)
        ]
    return tuple(found)


def pole_equations(
    poles: tuple[Pole, ...],
    elements: Indices,
    operator: MaxwellTM,
    *,
    magnetic_poles: tuple[Pole, ...] = (),
    magnetic_sigma: float = 0.0,
) -> AuxiliaryEquations:
    """The equations of poles of epsilon and of mu on some elements, and of a magnetic conductivity;
    all of them in one set, since an element of local time stepping has one."""
    shape = (len(elements), operator.discretization.nodes_per_element)

    def everywhere(values: Array) -> Array:
        return np.broadcast_to(values[elements, None], shape)

    coefficients: dict[str, Array] = {}
    rates: dict[str, str] = {}
    energy: dict[str, Array] = {}

    def add(field: str, ending: str, those: tuple[Pole, ...], inverse: str) -> None:
        currents = []
        for number, pole in enumerate(those, start=1):
            of_pole = pole.equations(f"{number}{ending}", field)
            currents.append(of_pole.current)
            rates.update(of_pole.rates)
            energy.update({name: np.full(shape, w) for name, w in of_pole.energy.items()})
        rates[field] = f"-{inverse}*({' + '.join(currents)})"

    # Where epsilon or mu is a formula or a tensor this is its reference, with which all rates are
    # computed there.
    if poles:
        coefficients["inverse"] = everywhere(1 / operator.epsilon)
        add("ez", "", poles, "inverse")
    if magnetic_poles:
        coefficients["reluctivity"] = everywhere(1 / operator.mu)
        for axis in "xy":
            add(f"h{axis}", axis, magnetic_poles, "reluctivity")
    if magnetic_sigma:
        coefficients[FADING] = everywhere(magnetic_sigma / operator.mu)
        for name in ("hx", "hy"):
            rates[name] = f"{rates.get(name, '')} - {FADING}*{name}".strip()
    return AuxiliaryEquations.written(elements, coefficients, rates, energy, "medium")
