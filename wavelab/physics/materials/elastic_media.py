"""Solids and fluids of a scene on its mesh: the operator of elastic waves, and the memory of those
that lose."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.materials.materials import materials_by_region
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.fields import ElasticFields
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems.elastic import Solid


def moduli(scene: Scene, d: Discretization) -> Array:
    """(3, n_elements) density and Lame's moduli, lambda and mu, by the regions of the mesh.

    Raises
    ------
    SceneError : a material names a region that the mesh does not have.
    """
    density, lame, mu = np.empty((3, d.n_elements))
    for number, (_, solid) in enumerate(_solids(scene, d)):
        here = d.mesh.regions == number
        density[here] = solid.density
        mu[here] = solid.density * solid.s_speed**2
        lame[here] = solid.density * solid.p_speed**2 - 2 * mu[here]
    return np.array([density, lame, mu])


def _solids(scene: Scene, d: Discretization) -> list[tuple[str, Solid]]:
    found = []
    for what, medium in materials_by_region(scene, d.mesh):
        if not isinstance(medium, Solid):
            raise SceneError(f"{what} is no solid or fluid", where=scene.where)
        found.append((what, medium))
    return found


def relaxing_media(scene: Scene, operator: ElasticPSV) -> tuple[AuxiliaryEquations, ...]:
    """One set of equations for each region that loses: a Zener body for compression in the plane,
    and one for shear.

    A part b of each modulus M relaxes in the time T.  With the stress s_b that this part has, and e
    the rate of strain,

        ds/dt = M e - s_b / T,   ds_b/dt = b M e - s_b / T.

    In the law of the difference m = s_b - b s there is no strain,

        ds/dt = M e - (m + b s) / T,   dm/dt = -(1 - b) (m + b s) / T,

    so it acts on single nodes.  What both parts store is s^2 / (2 M) + m^2 / (2 M b (1 - b)), and
    fields that go with exp(i w t) have the modulus of :mod:`wavelab.scene.systems.zener`.
    """
    d = operator.discretization
    found = []
    for number, (_, solid) in enumerate(_solids(scene, d)):
        elements = np.flatnonzero(d.mesh.regions == number)
        relaxing = solid.relaxing
        if relaxing is None or not len(elements):
            continue
        bodies = [
            _Body(letter, parts, s, 2 * math.pi * solid.q_frequency / s, modulus[elements])
            for letter, parts, s, modulus in zip(
                "kg",
                ({"mean": "(sxx + syy)/2"}, {"differ": "(sxx - syy)/2", "shear": "sxy"}),
                relaxing,
                (operator.lame + operator.mu, operator.mu),
                strict=True,
            )
            if s < 1
        ]
        if bodies:
            found.append(_equations(bodies, elements, d))
    return tuple(found)


@dataclass(frozen=True)
class _Body:
    """A Zener body.

    Attributes
    ----------
    letter : of its coefficients.
    parts : formulas of the parts of the stress that it is for, by name.
    s : sqrt(1 - b).
    rate : 1 / T.
    modulus : (n,) M.
    """

    letter: str
    parts: Mapping[str, str]
    s: float
    rate: float
    modulus: Array


def _equations(bodies: Sequence[_Body], elements: Indices, d: Discretization) -> AuxiliaryEquations:
    numbers: dict[str, float] = {}
    of_memory: dict[str, str] = {}
    energy: dict[str, Array] = {}
    lost: dict[str, str] = {}
    shape = (len(elements), d.nodes_per_element)
    for body in bodies:
        x, share = body.letter, 1 - body.s**2
        numbers |= {f"{x}b": share, f"{x}r": body.rate, f"{x}s": body.s**2 * body.rate}
        for name, stress in body.parts.items():
            relaxing = f"(m{name} + {x}b*{stress})"
            lost[name] = f"-{x}r*{relaxing}"
            of_memory[f"m{name}"] = f"-{x}s*{relaxing}"
            weight = 1 / (body.modulus * share * (1 - share))
            energy[f"m{name}"] = np.broadcast_to(weight[:, None], shape)
    mean, differ = (lost.get(name, "") for name in ("mean", "differ"))
    rates = {
        "sxx": f"{mean} {differ}".strip(),
        "syy": f"{mean} - ({differ})" if differ else mean,
    }
    if "shear" in lost:
        rates["sxy"] = lost["shear"]
    coefficients = {name: np.full(shape, value) for name, value in numbers.items()}
    return AuxiliaryEquations.written(
        elements, coefficients, rates | of_memory, energy, kind="medium", of=ElasticFields
    )
