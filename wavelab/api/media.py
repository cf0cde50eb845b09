"""What the regions of a scene are filled with."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from typing import Any

import numpy as np

from wavelab.api.given import real
from wavelab.arrays import Array
from wavelab.numerics.fields.discretization import Discretization
from wavelab.physics.materials.materials import materials_by_region
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.media.library import entries, light_medium, named_entry, relative_medium
from wavelab.scene.model.item_error import require_one_of
from wavelab.scene.model.medium import Medium, Number, given, product
from wavelab.scene.model.scene import SPACE_AND_TIME, Scene
from wavelab.scene.systems import SYSTEMS, System
from wavelab.scene.toml.toml_writer import medium_text

#: Systems whose media depend on how long a unit of length is.
LIGHT = ("light", "te")


def medium(
    name: str, *, physics: str = "light", length: float = 1.0, reference: str | None = None
) -> dict[str, Any]:
    """A medium of the library (docs/media.md), as keys of a table of a :class:`Scene`.

    Parameters
    ----------
    name : such as "gold", "fused silica" or "helium".
    physics : that of the scene.
    length : micrometres in a unit of length of the scene, on which frequencies of light depend.
    reference : medium of sound, or of shear waves, whose density and speed are 1; by default the
        first of the library.

    Raises
    ------
    WavelabError : the library has none of that name for these waves, or it cannot be one of them.

    Examples
    --------
    >>> rod = {"name": "rod", "shape": "ellipse", "center": [0, 0], "radii": [0.1, 0.1]}
    >>> rod |= wavelab.medium("gold", length=0.5)
    """
    require_one_of(physics, SYSTEMS, ("physics",), "physics")
    entry = named_entry(physics, str(name))
    if physics in LIGHT:
        micrometres = real(length, "the unit of length", positive=True)
        found = light_medium(physics, entry, micrometres)
    else:
        first = next(iter(entries(physics))) if reference is None else str(reference)
        found = relative_medium(physics, entry, named_entry(physics, first))
    return tomllib.loads(medium_text(found))


def media_fields(system: System) -> list[str]:
    """What a medium of a system is made of: "epsilon", or "density" and "speed"."""
    return [f.name for f in fields(system.medium) if f.metadata.get("variables") == SPACE_AND_TIME]


def medium_at_nodes(scene: Scene, d: Discretization, name: str, time: float) -> Array:
    """(n_elements, nodes_per_element) one of these as the scene says it, at a time; NaN where it is
    another one in another direction.

    Raises
    ------
    FormulaError : it has no finite value at some node.
    """
    values = np.empty(d.shape)
    for number, (_, medium) in enumerate(materials_by_region(scene, d.mesh)):
        here = d.mesh.regions == number
        value: Any = _said(medium, name)
        if isinstance(value, Formula):
            value = value.evaluate(x=d.x[here], y=d.y[here], t=time)
        values[here] = value
    return values


def _said(medium: Medium, name: str) -> Number:
    """A number of a medium, whichever of those that stand for each other it is said by."""
    of = medium.instead.get(name)
    if medium.axes is not None and medium.tensor in ((name,) if of is None else (of.name, of.by)):
        return np.nan
    if of is None:
        return given(medium, name)
    value: Number | None = getattr(medium, name)
    if value is not None:
        return value
    by = (getattr(medium, of.by), -of.power / 2) if of.by else (1.0, 1.0)
    return product((given(medium, of.name), 0.5), by)
