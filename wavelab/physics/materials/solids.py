"""Solids and fluids of a scene on its mesh, whether they are numbers or formulas of the place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.errors import FormulaError, SceneError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.projection import Projection, projection
from wavelab.physics.materials.materials import face_weights, materials_by_region
from wavelab.physics.operator.elastic import ElasticPSV, impedances
from wavelab.physics.operator.elastic_profiles import MODULI, NO_ELASTIC_MEDIA, ElasticMedia
from wavelab.physics.operator.profile import Profile
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.medium import POSSIBLE, Number
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems.elastic import FASTEST_SHEAR, Solid

#: Relative spread of values on an element that is only rounding.
_ROUNDING = 1e-13


@dataclass(frozen=True, eq=False)
class Solids:
    """What fills a mesh.

    Attributes
    ----------
    density, lame, mu : (n_elements,) constants; where there are formulas the mean of the density,
        and one over those of 1 / (lambda + mu) and 1 / mu.
    media : what is not one constant on its element.
    at_faces : (n_elements, 3, 2) impedances of P and S waves right at faces on the boundary, the
        mean over each; elsewhere those of the constants.
    """

    density: Array
    lame: Array
    mu: Array
    media: ElasticMedia
    at_faces: Array


def solids_by_region(scene: Scene, d: Discretization) -> list[tuple[str, Solid]]:
    """What messages call each region of the mesh, and what it is.

    Raises
    ------
    SceneError : a material names a region that the mesh does not have.
    """
    found = []
    for what, medium in materials_by_region(scene, d.mesh):
        if not isinstance(medium, Solid):
            raise SceneError(f"{what} is no solid or fluid", where=scene.where)
        found.append((what, medium))
    return found


def solids_of(scene: Scene, d: Discretization) -> Solids:
    """Those of a scene, by the regions of the mesh.

    Raises
    ------
    SceneError : a material names a region that the mesh does not have, or a formula gives what
        cannot be.
    """
    density, lame, mu = np.empty((3, d.n_elements))
    profiles: dict[str, list[Profile]] = {name: [] for name in (*MODULI, "p_speed", "s_speed")}
    for number, (what, solid) in enumerate(solids_by_region(scene, d)):
        here = d.mesh.regions == number
        numbers = solid.density, solid.p_speed, solid.s_speed
        if not any(isinstance(value, Formula) for value in numbers):
            rho, p, s = map(float, numbers)  # type: ignore[arg-type]
            density[here] = rho
            mu[here] = rho * s**2
            lame[here] = rho * p**2 - 2 * mu[here]
            continue
        elements = np.flatnonzero(here)
        parts = [
            (part, *projection(d, part))
            for part in np.split(elements, elements.searchsorted([d.first_curved]))
            if len(part)
        ]
        # Corners and sides belong to an element, too.
        places = [(np.hstack([x, d.x[part]]), np.hstack([y, d.y[part]])) for part, _, x, y in parts]
        each = _values(solid, what, places, scene)
        for (part, rule, x, y), values in zip(parts, each, strict=True):
            laid = _laid_out(solid, what, part, rule, (x, y), values, profiles)
            density[part], lame[part], mu[part] = laid
    media = NO_ELASTIC_MEDIA
    if any(profiles.values()):
        found: dict[str, Any] = {name: tuple(of) for name, of in profiles.items()}
        media = ElasticMedia(**found)
    return Solids(density, lame, mu, media, _at_faces(d, media, density, lame, mu))


def described_at_nodes(operator: ElasticPSV) -> dict[str, Array]:
    """(n_elements, nodes_per_element) what files say of the media, where there are formulas."""
    n = operator.discretization.nodes_per_element
    described = operator.described if operator.media else {}
    return {name: operator.media.at_nodes(name, of, n) for name, (of, _) in described.items()}


def moduli_at(operator: ElasticPSV, x: Array, y: Array) -> tuple[Array, Array, Array]:
    """(n_elements, n_points) density and Lame's moduli at points of each element, (n_elements, 1)
    where no medium is a formula."""
    if not operator.media:
        return operator.density[:, None], operator.lame[:, None], operator.mu[:, None]
    found = []
    for name, (constants, _) in operator.described.items():
        values = np.repeat(constants[:, None], x.shape[1], axis=1)
        for profile in getattr(operator.media, name):
            here, formula = profile.elements, profile.formula
            values[here] = profile.reference[:, None]
            if formula is not None:
                values[here] = formula.evaluate(x=x[here], y=y[here], t=0.0)
        found.append(values)
    density, p_speed, s_speed = found
    mu = density * s_speed**2
    return density, density * p_speed**2 - 2 * mu, mu


def checked(
    value: Number,
    what: str,
    places: list[tuple[Array, Array]],
    rule: tuple[Callable[[float], bool], str],
    scene: Scene,
) -> list[Array]:
    """A number or a formula at some places, and the same at others.

    Parameters
    ----------
    places : x and y of one shape each.
    rule : that the smallest and the largest value keep, and the remedy where they do not.

    Raises
    ------
    SceneError : a value breaks it, or is not finite.
    """
    found = []
    for x, y in places:
        if not isinstance(value, Formula):
            found.append(np.full(x.shape, float(value)))
            continue
        try:
            values = np.broadcast_to(value.evaluate(x=x, y=y, t=0.0), x.shape)
        except FormulaError as error:
            raise SceneError(
                f"{what}: {error.message}", where=scene.where, remedy=error.remedy
            ) from None
        for worst in (values.argmin(), values.argmax()):
            if not rule[0](float(values.flat[worst])):
                raise SceneError(
                    f"{what} is {values.flat[worst]:.4g} at {place_of(x, y, int(worst))}",
                    where=scene.where,
                    remedy=rule[1],
                )
        found.append(values)
    return found


def place_of(x: Array, y: Array, at: int) -> str:
    """What messages call one of some places."""
    return f"({x.flat[at]:.4g}, {y.flat[at]:.4g})"


def _values(
    solid: Solid, what: str, places: list[tuple[Array, Array]], scene: Scene
) -> list[tuple[Array, Array, Array]]:
    """Density and speeds at each of some places."""
    rules = dict(solid.rules)
    # A fluid has 0, but all over.
    holds, remedy = POSSIBLE
    rules["s_speed"] = (lambda value: value == 0 or holds(value), remedy)
    density, p_speed, s_speed = (
        checked(getattr(solid, name), f"{name} of {what}", places, rules[name], scene)
        for name in ("density", "p_speed", "s_speed")
    )
    fluid = not any(s.any() for s in s_speed)
    for (x, y), p, s in zip(places, p_speed, s_speed, strict=True):
        if not fluid and not s.all():
            raise SceneError(
                f"s_speed of {what} is 0 at {place_of(x, y, int(s.argmin()))}, and not elsewhere",
                where=scene.where,
                remedy="A fluid is a region of its own, with s_speed = 0 all over: draw it, or let "
                "the formula stay above 0.",
            )
        worst = int((s - FASTEST_SHEAR * p).argmax())
        if s.flat[worst] > FASTEST_SHEAR * p.flat[worst] * (1 + _ROUNDING):
            raise SceneError(
                f"s_speed of {what} is {s.flat[worst]:.4g} at {place_of(x, y, worst)} where "
                f"p_speed is {p.flat[worst]:.4g}",
                where=scene.where,
                remedy=f"It must not be greater than {FASTEST_SHEAR:.4g} times that: a solid "
                "resists compression, too.",
            )
    return list(zip(density, p_speed, s_speed, strict=True))


def _laid_out(
    solid: Solid,
    what: str,
    elements: Indices,
    rule: Projection,
    points: tuple[Array, Array],
    values: tuple[Array, Array, Array],
    profiles: Mapping[str, list[Profile]],
) -> tuple[Array, Array, Array]:
    """Density and Lame's moduli of each element; adds its profiles.

    Parameters
    ----------
    values : density and speeds at the points of the quadrature, and at more behind them.
    """
    x, y = points
    density, p_speed, s_speed = (each[:, : x.shape[1]] for each in values)
    stiffness = density * (p_speed**2 - s_speed**2), density * s_speed**2
    found = {"density": density, "compression": 1 / stiffness[0]}
    if s_speed.any():
        found["shear"] = 1 / stiffness[1]
    reference = {name: rule.mean(of) for name, of in found.items()}
    spread = {name: _spread(of) for name, of in found.items()}
    # One set for all three: how fast waves are follows from all of them.
    rows = np.flatnonzero(np.any(list(spread.values()), axis=0))
    if len(rows):
        part = rule.restricted(rows)

        kept = {name: of for name, of in found.items() if spread[name].any()}
        kept |= {"p_speed": p_speed} | ({"s_speed": s_speed} if "shear" in found else {})
        for name, of in kept.items():
            said, inside = getattr(solid, name, None), of[rows]
            mean = reference[name] if name in reference else rule.mean(of)
            profiles[name].append(
                Profile(
                    f"{name} of {what}", said if isinstance(said, Formula) else None,
                    elements[rows], mean[rows], part, x[rows], y[rows], inside, inside,
                )
            )  # fmt: skip
    mu = 1 / reference["shear"] if "shear" in reference else np.zeros(len(elements))
    return reference["density"], 1 / reference["compression"] - mu, mu


def _spread(values: Array) -> Any:
    """(n,) whether they differ on an element."""
    return np.ptp(values, axis=1) > _ROUNDING * np.abs(values).max(axis=1)


def _at_faces(
    d: Discretization, media: ElasticMedia, density: Array, lame: Array, mu: Array
) -> Array:
    """See :class:`Solids`."""
    found = np.repeat(impedances(density, lame, mu)[:, None], 3, axis=1)
    graded = np.zeros(d.n_elements, bool)
    for profile in media.p_speed:
        graded[profile.elements] = True
    element, face = np.nonzero(d.connectivity.is_boundary & graded[:, None])
    if len(element):
        speeds = np.sqrt((lame + 2 * mu) / density), np.sqrt(mu / density)
        rho, *each = (
            media.at_nodes(name, of, d.nodes_per_element)
            for name, of in zip(("density", "p_speed", "s_speed"), (density, *speeds), strict=True)
        )
        at = element[:, None], d.element.face_nodes[face]
        for i, speed in enumerate(each):
            found[element, face, i] = (rho * speed)[at] @ face_weights(d)
    return found
