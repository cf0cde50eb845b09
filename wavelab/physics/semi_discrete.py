"""A scene's equations made discrete in space; what is left is to step them in time."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.arrays import Indices
from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.materials.dispersion import dispersive_media
from wavelab.physics.materials.displacement import integral_equations
from wavelab.physics.materials.good_conductors import conductor_notices, raised_by
from wavelab.physics.materials.materials import (
    Materials,
    impedance_at_faces,
    materials_of,
    media_key,
)
from wavelab.physics.materials.relaxing_solids import relaxing_media
from wavelab.physics.materials.solids import Solids, solids_of
from wavelab.physics.operator.elastic import ElasticPSV, impedances
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.operator import Operator
from wavelab.physics.pml.elastic_layers import elastic_layers
from wavelab.physics.pml.pml_layers import pml_layers
from wavelab.physics.walls.walls import (
    elastic_reflection,
    is_complex,
    reflection_coefficients,
    wall_phases,
)
from wavelab.remembered import Remembered
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems import system_of


@dataclass(frozen=True, eq=False)
class SemiDiscrete:
    """What acts on the fields at every moment, but for the sources.

    Attributes
    ----------
    auxiliary_equations : of absorbing layers and dispersive media.
    notices : what a user should hear of the layers and of conductors.
    """

    operator: Operator
    auxiliary_equations: tuple[AuxiliaryEquations, ...]
    notices: tuple[str, ...]

    def permuted(self, permutation: Indices) -> SemiDiscrete:
        """The same with the elements in another order, the curved ones still the last."""
        equations = (e.on_part(permutation) for e in self.auxiliary_equations)
        return SemiDiscrete(
            self.operator.part(permutation),
            tuple(e for e in equations if e is not None),
            self.notices,
        )


def operator_of(scene: Scene, d: Discretization) -> Operator:
    """The operator with the materials and the walls of a scene.

    Raises
    ------
    SceneError : a wall or a material names something the mesh does not have, or has what cannot be.
    """
    if system_of(scene).equations == "elastic":
        solids = _solids.get(d, media_key(scene), lambda: solids_of(scene, d))
        numbers = solids.density, solids.lame, solids.mu
        reflection = elastic_reflection(scene, d.mesh, impedances(*numbers), solids.at_faces)
        return ElasticPSV(
            d,
            *numbers,
            reflection,
            scene.solver.upwinding,
            wall_phases(scene, d.mesh),
            media=solids.media,
        )
    return _maxwell_tm(scene, d)


def _maxwell_tm(scene: Scene, d: Discretization) -> MaxwellTM:
    materials = _materials.get(d, media_key(scene), lambda: materials_of(scene, d))
    if materials.media.kerr and is_complex(scene):
        raise SceneError(
            "Kerr media have no waves with the phase of a periodic wall: those add up",
            where=scene.where,
            remedy="Leave chi out, or the phase.",
        )
    raised, raised_mu = raised_by(materials, d), raised_by(materials, d, "mu")
    reflection = reflection_coefficients(
        scene, d.mesh, materials.impedance, impedance_at_faces(materials, d)
    )
    return MaxwellTM(
        d,
        materials.epsilon if raised is None else raised * materials.epsilon,
        materials.mu if raised_mu is None else raised_mu * materials.mu,
        materials.sigma,
        reflection,
        scene.solver.upwinding,
        materials.media,
        raised,
        raised_mu,
        wall_phases(scene, d.mesh),
    )


def semi_discrete(scene: Scene, operator: Operator) -> SemiDiscrete:
    """The operator of a scene with what its absorbing layers and dispersive media add.

    Raises
    ------
    SceneError : a layer does not fit.
    """
    if isinstance(operator, ElasticPSV):
        layers = elastic_layers(scene, operator)
        equations = (*layers.equations, *relaxing_media(scene, operator))
        return SemiDiscrete(operator, equations, layers.notices)
    assert isinstance(operator, MaxwellTM)
    dispersive = dispersive_media(scene, operator)
    layers = pml_layers(scene, operator, dispersive)
    notices = (*layers.notices, *conductor_notices(scene, operator))
    # A layer damps H in a medium that does so itself.
    media = (e.without(layers.elements) for e in dispersive)
    others = (*(e for e in media if e is not None), *integral_equations(scene, operator))
    return SemiDiscrete(operator, (*layers.equations, *others), notices)


#: Those from before an edit of something else, which are then those after it.
_materials: Remembered[Discretization, Materials] = Remembered(2)
_solids: Remembered[Discretization, Solids] = Remembered(2)
