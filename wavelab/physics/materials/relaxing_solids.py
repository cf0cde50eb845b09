"""The memory of solids and fluids that lose."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.materials.solids import checked, place_of, solids_by_region
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.fields import ElasticFields
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems import zener
from wavelab.scene.systems.elastic import LOWEST_QUALITY, Solid

#: Of s, so that something relaxes wherever something can.
_NEARLY = 1 - 1e-9
#: Of the coefficients of what a variable belongs to: of compression and of shear.
_LETTERS = {"mmean": "k", "mdiffer": "g", "mshear": "g"}


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

    Where M is a formula, strain is advanced, in parts of the constant M0 of the operator.  What is
    added to it and remembered is that over M / M0, as a function of place: n = m M0 / M, with

        -(n + b (M0 / M) s) / T,   dn/dt = -(1 - b) (n + b (M0 / M) s) / T.

    Raises
    ------
    SceneError : formulas give quality factors that cannot be.
    """
    d = operator.discretization
    found = []
    for number, (what, solid) in enumerate(solids_by_region(scene, d)):
        elements = np.flatnonzero(d.mesh.regions == number)
        if not len(elements):
            continue
        moduli = (operator.lame + operator.mu)[elements], operator.mu[elements]
        shares: tuple[Array | float, Array | float] = (1.0, 1.0)
        relaxing: tuple[Array | float, Array | float] | None
        if solid.graded:
            shares = operator.media.shares_at_nodes(elements, d.nodes_per_element)[1:]
            relaxing = _graded(solid, what, elements, moduli, shares, d, scene)
        else:
            relaxing = solid.relaxing
        if relaxing is None:
            continue
        bodies = [
            _Body(letter, parts, s, 2 * math.pi * solid.q_frequency / s, modulus, share)
            for letter, parts, s, modulus, share in zip(
                "kg",
                ({"mean": "(sxx + syy)/2"}, {"differ": "(sxx - syy)/2", "shear": "sxy"}),
                relaxing,
                moduli,
                shares,
                strict=True,
            )
            if np.min(s) < 1
        ]
        if bodies:
            found.append(_equations(bodies, elements, d))
    return tuple(found)


def _graded(
    solid: Solid,
    what: str,
    elements: Indices,
    moduli: tuple[Array, Array],
    shares: tuple[Array | float, Array | float],
    d: Discretization,
    scene: Scene,
) -> tuple[Array | float, Array | float] | None:
    """(n, nodes_per_element) what :attr:`Solid.relaxing` is at the nodes; None without losses."""
    if not (solid.p_quality or solid.s_quality):
        return None
    x, y = d.x[elements], d.y[elements]
    bulk, shear = (modulus[:, None] * share for modulus, share in zip(moduli, shares, strict=True))
    of_shear, found = np.ones(x.shape), np.ones(x.shape)
    if solid.s_quality and shear.any():
        of_shear = zener.of_losses(1 / _quality(solid, "s_quality", what, (x, y), scene))
    if solid.p_quality:
        losses = 1 / _quality(solid, "p_quality", what, (x, y), scene)
        found = zener.of_compressions(bulk, shear, of_shear, losses)
        if np.isnan(found).any():
            at = int(np.isnan(found).argmax())
            there = (float(np.broadcast_to(of, x.shape).flat[at]) for of in (bulk, shear, of_shear))
            if zener.loss_of_shear(*there) < losses.flat[at]:
                raise SceneError(
                    f"p_quality of {what} is {1 / losses.flat[at]:.4g} at {place_of(x, y, at)}, "
                    "less than compression alone makes it",
                    where=scene.where,
                    remedy="Make it larger, or let S waves lose more by s_quality: P waves shear a "
                    "solid, too.",
                )
            raise SceneError(
                f"p_quality of {what} is {1 / losses.flat[at]:.4g} at {place_of(x, y, at)}, more "
                "than shear alone leaves it",
                where=scene.where,
                remedy="Make it smaller, or s_quality larger: P waves shear a solid, too.",
            )
    return np.minimum(found, _NEARLY), np.minimum(of_shear, _NEARLY if solid.s_quality else 1.0)


def _quality(solid: Solid, name: str, what: str, place: tuple[Array, Array], scene: Scene) -> Array:
    rule = (
        lambda value: value >= LOWEST_QUALITY,
        f"A Zener body has {LOWEST_QUALITY:g} or more; what is without losses has a large one.",
    )
    return checked(getattr(solid, name), f"{name} of {what}", [place], rule, scene)[0]


def in_stress(of: AuxiliaryEquations, named: Mapping[str, Array]) -> dict[str, Array]:
    """What solids remember, by the names of the variables, as a stress, m of
    :func:`relaxing_media`, whether they are numbers or formulas."""
    return {name: values * _unit(of, name) for name, values in named.items()}


def in_memory(of: AuxiliaryEquations, named: Mapping[str, Array]) -> dict[str, Array]:
    """The other way: the variables of a medium that remembers this stress."""
    return {
        name: values / _unit(of, name) for name, values in named.items() if name in of.variables
    }


def _unit(of: AuxiliaryEquations, name: str) -> Array:
    """(n, nodes_per_element) the stress for which a variable is 1."""
    x, coefficients = _LETTERS[name], of.coefficients
    relaxing = 1 - coefficients[f"{x}s"] / coefficients[f"{x}r"]
    return np.asarray(relaxing / coefficients[f"{x}b"] * coefficients.get(f"{x}i", 1.0))


@dataclass(frozen=True)
class _Body:
    """A Zener body.

    Attributes
    ----------
    letter : of its coefficients.
    parts : formulas of the parts of the stress that it is for, by name.
    s : sqrt(1 - b); rate : 1 / T; each a number, or (n, nodes_per_element).
    modulus : (n,) M of the operator.
    share : M over that, 1 or (n, nodes_per_element).
    """

    letter: str
    parts: Mapping[str, str]
    s: Array | float
    rate: Array | float
    modulus: Array
    share: Array | float


def _equations(bodies: Sequence[_Body], elements: Indices, d: Discretization) -> AuxiliaryEquations:
    numbers: dict[str, Array | float] = {}
    of_memory: dict[str, str] = {}
    energy: dict[str, Array] = {}
    lost: dict[str, str] = {}
    shape = (len(elements), d.nodes_per_element)
    for body in bodies:
        x, share = body.letter, 1 - body.s**2
        weight = body.share / (body.modulus[:, None] * (share * (1 - share)))
        numbers |= {f"{x}b": share / body.share, f"{x}r": body.rate, f"{x}s": body.s**2 * body.rate}
        memory, strain = "m{}", f"{x}b"
        if np.ndim(body.share):
            # Kept in units in which its energy has one weight on an element, as products need it.
            unit = np.sqrt(weight.mean(axis=1, keepdims=True) / weight)
            weight = weight.mean(axis=1, keepdims=True)
            numbers |= {f"{x}i": unit, f"{x}h": share / (body.share * unit)}
            memory, strain = f"{x}i*m{{}}", f"{x}h"
        for name, stress in body.parts.items():
            lost[name] = f"-{x}r*({memory.format(name)} + {x}b*{stress})"
            of_memory[f"m{name}"] = f"-{x}s*(m{name} + {strain}*{stress})"
            energy[f"m{name}"] = np.broadcast_to(weight, shape)
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
