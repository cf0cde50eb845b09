"""What files say of the media of scalar waves: the numbers that a scene gives, by its names.

The coefficients of the solver are others: in TE its epsilon is the permeability, and where a medium
conducts well it is raised (:mod:`wavelab.physics.materials.good_conductors`).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.fields.discretization import Discretization
from wavelab.physics.materials.materials import materials_by_region
from wavelab.physics.operator.tensor import Tensor
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.medium import Medium, given
from wavelab.scene.model.scene import SPACE_AND_TIME, Scene
from wavelab.scene.systems import system_of

_MEANINGS = {
    "epsilon": "relative permittivity",
    "mu": "relative permeability",
    "sigma": "conductivity, in units of 1 / time",
    "magnetic_sigma": "magnetic conductivity, in units of 1 / time",
}
#: Left out where it is 0 everywhere.
_RARE = "magnetic_sigma"


@dataclass(frozen=True, eq=False)
class MediumNumber:
    """One number of the media of a scene.

    Attributes
    ----------
    of_elements : (n_elements,) with the geometric mean of the axes of a crystal, and the mean of a
        formula over the nodes.
    varies : whether it is a formula somewhere.
    components : (n_elements,) of a tensor, by "xx", "xy" and "yy"; none where none is.
    """

    name: str
    meaning: str
    of_elements: Array
    varies: bool
    components: dict[str, Array]


def media_numbers(scene: Scene, d: Discretization, time: float) -> list[MediumNumber]:
    """What the media of a mesh, each element of which is there once, are at a time."""
    of = system_of(scene).medium
    names = [
        f.name
        for f in fields(of)
        if f.metadata.get("variables") == SPACE_AND_TIME and f.name not in of.instead
    ]
    found, media = [], materials_by_region(scene, d.mesh)
    for name in names:
        numbers = [_number(medium, name) for _, medium in media]
        if name == _RARE and not any(numbers):
            continue
        values = medium_at(scene, d, name, time, d.x, d.y).mean(axis=1)
        found.append(
            MediumNumber(
                name,
                _MEANINGS.get(name, name),
                values,
                any(isinstance(number, Formula) for number in numbers),
                _components([medium for _, medium in media], name, d, values),
            )
        )
    return found


def medium_at(scene: Scene, d: Discretization, name: str, time: float, x: Array, y: Array) -> Array:
    """(n_elements, n_points) one of them at points of each element."""
    values = np.empty(x.shape)
    for number, (_, medium) in enumerate(materials_by_region(scene, d.mesh)):
        here = d.mesh.regions == number
        value = _number(medium, name)
        if isinstance(value, Formula):
            value = value.evaluate(x=x[here], y=y[here], t=time)
        values[here] = value
    return values


def _number(medium: Medium, name: str) -> Any:
    if medium.axes is not None and medium.tensor == name:
        first, second = medium.axes.values
        return float(np.sqrt(first * second))
    return given(medium, name)


def _components(
    media: list[Medium], name: str, d: Discretization, values: Array
) -> dict[str, Array]:
    """Of media in the order of the regions."""
    crystals = [m.axes is not None and m.tensor == name for m in media]
    if not np.array(crystals)[d.mesh.regions].any():
        return {}
    found = {"xx": values.copy(), "xy": np.zeros_like(values), "yy": values.copy()}
    for number, medium in enumerate(media):
        if not crystals[number] or medium.axes is None:
            continue
        here = np.flatnonzero(d.mesh.regions == number)
        matrix = Tensor(here, medium.axes.values, np.radians(medium.axes.angle)).matrix
        for component, place in (("xx", (0, 0)), ("xy", (0, 1)), ("yy", (1, 1))):
            found[component][here] = matrix[place]
    return found
