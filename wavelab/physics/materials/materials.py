"""Materials: one epsilon, mu and conductivity per element, profiles where those are formulas, and
tensors."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.errors import FormulaError, SceneError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.projection import projection
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.media import Media
from wavelab.physics.operator.profile import Profile
from wavelab.physics.operator.tensor import Tensor
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_jumps import switches_of
from wavelab.scene.model.medium import MEDIUM_RULES, Medium, kerr_coefficient
from wavelab.scene.model.scene import Scene

_CONDUCTIVITIES = ("sigma", "magnetic_sigma")
_QUANTITIES = ("epsilon", "mu", "sigma", "magnetic_sigma")
#: Profiles that change are looked at at this many times of the run: as many as keep the number of
#: values below ``_LOOKS``, and more of those that are the same everywhere.
_FEWEST_TIMES, _MOST_TIMES, _LOOKS = 33, 1025, 2e7
#: Of these looks at once: few calls, in arrays that fit a cache.
_AT_ONCE = 1 << 15
#: Relative spread of values on an element that is only rounding.
_ROUNDING = 1e-13


def media_key(scene: Scene) -> Hashable:
    """What the media on a mesh follow from, and what messages say of where."""
    return scene.physics, scene.background, scene.materials, scene.solver.until, scene.where


def materials_by_region(scene: Scene, mesh: Mesh) -> list[tuple[str, Medium]]:
    """What messages call each region of the mesh, and its material.

    Raises
    ------
    SceneError : a material names a region that the mesh does not have.
    """
    by_region = dict.fromkeys(mesh.region_names, ("the background", scene.background))
    for material in scene.materials:
        if material.name not in by_region:
            raise SceneError(
                f'material "{material.name}" names no region of the mesh',
                where=scene.where,
                remedy=f"The mesh has the regions: {', '.join(mesh.region_names)}.",
            )
        by_region[material.name] = (f'material "{material.name}"', material.material)
    return [by_region[name] for name in mesh.region_names]


@dataclass(frozen=True, eq=False)
class Materials:
    """What fills a mesh.

    Attributes
    ----------
    epsilon, mu, sigma, magnetic_sigma : (n_elements,) constants.
    media : what is not one constant on its element: there the constants are the mean of the
        smallest values of all times, 0 for conductivities, and for a tensor the geometric mean.
    """

    epsilon: Array
    mu: Array
    sigma: Array
    magnetic_sigma: Array
    media: Media

    @property
    def impedance(self) -> Array:
        """(n_elements,) sqrt(mu / epsilon)."""
        return np.sqrt(self.mu / self.epsilon)


def materials_of(scene: Scene, d: Discretization) -> Materials:
    """Materials by the regions of the mesh.

    Raises
    ------
    SceneError : a material names a region that the mesh does not have, or a formula gives what
        cannot be.
    """
    arrays = {name: np.empty(d.n_elements) for name in _QUANTITIES}
    profiles: dict[str, list[Profile]] = {name: [] for name in _QUANTITIES}
    tensors: list[Tensor] = []
    for number, (owner, material) in enumerate(materials_by_region(scene, d.mesh)):
        elements = np.flatnonzero(d.mesh.regions == number)
        straight, curved = np.split(elements, elements.searchsorted([d.first_curved]))
        for name in _QUANTITIES:
            value = material.coefficient(name)
            if not isinstance(value, Formula):
                arrays[name][elements] = value
                continue
            what = f"{material.called.get(name, name)} of {owner}"
            for part in filter(len, (straight, curved)):
                constants, profile = _laid_out(what, name, value, part, d, scene)
                arrays[name][part] = constants
                profiles[name] += [profile] if profile is not None else []
        if chi := kerr_coefficient(material):
            found_kerr = (_kerr(owner, material, chi, part, d) for part in (straight, curved))
            profiles["epsilon"] += [profile for profile in found_kerr if len(profile.elements)]
        if material.axes is not None and len(elements):
            values, angle = material.axes
            tensors.append(Tensor(elements, values, math.radians(angle)))
            arrays["mu"][elements] = tensors[-1].reference
    found = {name: tuple(of_name) for name, of_name in profiles.items()}
    media = Media(**found, tensors=tuple(tensors), until=scene.solver.until)
    return Materials(**arrays, media=media)


def _kerr(
    owner: str, material: Medium, chi: float, elements: Indices, d: Discretization
) -> Profile:
    """Of a medium whose epsilon is a number."""
    epsilon = material.coefficient("epsilon")
    assert not isinstance(epsilon, Formula)
    rule, x, y = projection(d, elements)
    values, reference = np.full(x.shape, epsilon), np.full(len(elements), epsilon)
    return Profile(
        f"epsilon of {owner}", None, elements, reference, rule, x, y, values, values,
        kerr=chi / epsilon,
    )  # fmt: skip


def _laid_out(
    what: str, name: str, formula: Formula, elements: Indices, d: Discretization, scene: Scene
) -> tuple[Array, Profile | None]:
    """A formula on elements of its region: the constant of each, and the profile of those where it
    has none."""
    rule, x, y = projection(d, elements)
    if formula.uses("x") or formula.uses("y"):
        # Corners and sides belong to the element too, where a formula may run into a pole.
        points = (np.hstack([x, d.x[elements]]), np.hstack([y, d.y[elements]]))
    else:
        x = y = np.zeros((1, 1))
        points = (x, y)
    *both, time_scale = _range(what, name, formula, points, scene)
    lowest, highest = (values[:, : x.shape[1]] for values in both)
    # Of a medium that changes the smallest values, with which the largest stable step is that of
    # its fastest moment: an upwind flux for an impedance far from that of the moment is stiff.
    constants = rule.mean(np.broadcast_to(lowest, (len(elements), x.shape[1])))
    # Of the magnetic conductivity the operator has no constants.
    if formula.uses("t") or (name == "magnetic_sigma" and x.size > 1):
        rows = np.arange(len(elements))
    else:
        spread = highest.max(axis=1) - lowest.min(axis=1)
        rows = np.flatnonzero(spread > _ROUNDING * np.abs(highest).max(axis=1))
    if not len(rows):
        return constants, None
    if name in _CONDUCTIVITIES:
        constants[rows] = 0.0
    held = slice(None) if x.size == 1 else rows
    profile = Profile(
        what, formula, elements[rows], constants[rows], rule.restricted(rows),
        x[held], y[held], lowest[held], highest[held], time_scale,
    )  # fmt: skip
    return constants, profile


def _range(
    what: str, name: str, formula: Formula, points: tuple[Array, Array], scene: Scene
) -> tuple[Array, Array, float]:
    """Smallest and largest value at every point over the times of the run, and the time scale.

    Raises
    ------
    SceneError : a value breaks the rule of the quantity or is not finite.
    """
    x, y = points
    times = np.zeros(1)
    if formula.uses("t"):
        count = int(np.clip(_LOOKS / x.size, _FEWEST_TIMES, _MOST_TIMES))
        until = scene.solver.until
        # On both sides of jumps too, or what holds for a short time might be missed.
        sides = [
            time
            for found in switches_of(formula).breaks(0.0, until, until / _MOST_TIMES)[:count]
            for time in (found.before, found.after)
        ]
        times = np.union1d(np.linspace(0, until, count), sides)
    lowest, highest = np.full(x.shape, np.inf), np.full(x.shape, -np.inf)
    pace = 0.0
    (holds, remedy), where = MEDIUM_RULES[name], scene.where
    conducts = name in _CONDUCTIVITIES
    n_times = max(1, _AT_ONCE // x.size)
    for first in range(0, len(times), n_times):
        some = times[first : first + n_times]
        there = {"x": x, "y": y, "t": some[:, None, None]}
        try:
            values = np.broadcast_to(formula.evaluate(**there), (len(some), *x.shape))
        except FormulaError as error:
            raise SceneError(f"{what}: {error.message}", where=where, remedy=error.remedy) from None
        slack = _ROUNDING * np.abs(values).max(axis=(1, 2)) if conducts else np.zeros(len(some))
        worst = values.reshape(len(some), -1).argmin(axis=1)
        for row, least in enumerate(worst):
            if not holds(values[row].flat[least] + slack[row]):
                place = [f"t = {some[row]:g}"] if formula.uses("t") else []
                if x.size > 1:
                    place.insert(0, f"({x.flat[least]:.4g}, {y.flat[least]:.4g})")
                at = f" at {', '.join(place)}" if place else ""
                raise SceneError(
                    f"{what} is {values[row].flat[least]:.4g}{at}", where=where, remedy=remedy
                )
        if not conducts and formula.uses("t"):
            pace = max(pace, float(np.abs(_rates(what, formula, there, where) / values).max()))
        np.minimum(lowest, values.min(axis=0), out=lowest)
        np.maximum(highest, values.max(axis=0), out=highest)
    return lowest, highest, 1 / pace if pace > 0 else np.inf


def _rates(what: str, formula: Formula, at: dict[str, Array], where: str) -> Array:
    try:
        return formula.rate("t", **at)
    except FormulaError as error:
        message = f"the rate of change of {what}: {error.message}"
        raise SceneError(message, where=where, remedy=error.remedy) from None


def impedance_at_faces(materials: Materials, d: Discretization) -> Array:
    """(n_elements, 3) impedance of the medium right at each face on the boundary, for waves
    straight at it: where a medium is graded not that of the element's constants but the mean over
    the face, and in a tensor that of the direction across the face.  NaN where it changes in time;
    elsewhere, and inside, that of the constants."""
    impedance = np.repeat(materials.impedance[:, None], 3, axis=1)
    media = materials.media
    if not media:
        return impedance
    local = {
        name: getattr(materials, name)[:, None] * np.ones(d.shape) for name in ("epsilon", "mu")
    }
    changing = np.zeros(d.n_elements, bool)
    graded = np.zeros(d.n_elements, bool)
    for name, values in local.items():
        for profile in getattr(media, name):
            values[profile.elements] = profile.at_nodes(d.x, d.y, 0.0)
            changing[profile.elements] |= profile.changes
            graded[profile.elements] = not profile.kerr
    at_nodes = np.sqrt(local["mu"] / local["epsilon"])
    # Not where it is a constant, which a rounded mean would not be exactly.
    element, face = np.nonzero(d.connectivity.is_boundary & graded[:, None])
    means = at_nodes[element[:, None], d.element.face_nodes[face]] @ face_weights(d)
    impedance[element, face] = np.where(changing[element], np.nan, means)
    normals = d.geometry.normal_x, d.geometry.normal_y
    for tensor in media.tensors:
        mu = tensor.towards(*(normal[tensor.elements] for normal in normals))
        impedance[tensor.elements] *= np.sqrt(mu / tensor.reference)
    return impedance


def face_weights(d: Discretization) -> Array:
    """(nodes_per_face,) of the mean over a face."""
    element = d.element
    mass = (element.mass @ element.lift)[element.face_nodes[0], : element.nodes_per_face]
    return mass.sum(axis=0) / 2


def values_at_nodes(operator: MaxwellTM, name: str, time: float) -> Array:
    """(n_elements, nodes_per_element) "epsilon", "mu" or "sigma" at the nodes."""
    d = operator.discretization
    values = np.repeat(getattr(operator, name)[:, None], d.x.shape[1], axis=1)
    for profile in getattr(operator.media, name):
        values[profile.elements] = profile.at_nodes(d.x, d.y, time)
    return values


def refractive_index(operator: MaxwellTM, time: float) -> Array:
    """(n_elements, nodes_per_element) sqrt(epsilon mu) at the nodes; of a tensor the largest."""
    mu = values_at_nodes(operator, "mu", time)
    for tensor in operator.media.tensors:
        mu[tensor.elements] = tensor.range[1]
    return np.sqrt(values_at_nodes(operator, "epsilon", time) * mu)
