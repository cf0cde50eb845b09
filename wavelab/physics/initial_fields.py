"""The fields that a scene starts from, and formulas of fields at the nodes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.physics.materials.displacement import beginning_at, displaced
from wavelab.physics.materials.fluids import flowing, shear_notices
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.semi_discrete import SemiDiscrete
from wavelab.physics.start_fields import start_fields, start_integral, start_notices
from wavelab.scene.model.limits import LARGEST_FIELD, SCALE_DOWN
from wavelab.scene.model.scene import NamedFields, Scene
from wavelab.scene.systems import system_of


def initial_fields(scene: Scene, system: SemiDiscrete) -> Fields:
    """Those at time 0, as media can have them.

    Raises
    ------
    SceneError : they are too large.
    """
    operator = system.operator
    d = operator.discretization
    if scene.initial_file is not None:
        initial = start_fields(scene, scene.initial_file, d)
        if (start := start_integral(scene, scene.initial_file, d)) is not None:
            initial = beginning_at(initial, start, system.auxiliary_equations)
    else:
        initial = evaluate_fields(scene.initial, d, scene.imaginary, of=operator.fields)
        if isinstance(operator, MaxwellTM):
            initial = displaced(scene, initial, operator, system.auxiliary_equations)
    for name, values in zip(initial.names, initial.arrays, strict=True):
        largest = float(np.abs(values).max())
        if not largest <= LARGEST_FIELD:
            key = system_of(scene).of_solver[name].key
            raise SceneError(
                f"the initial {key} reaches {largest:.3g}", where=scene.where, remedy=SCALE_DOWN
            )
    return flowing(operator, initial)


def initial_notices(scene: Scene, system: SemiDiscrete) -> Iterator[str]:
    """What becomes of what a scene begins with."""
    operator = system.operator
    if isinstance(operator, ElasticPSV) and scene.initial_file is None:
        d, parts = operator.discretization, (scene.initial, scene.imaginary)
        said = evaluate_fields(parts[0], d, parts[1], of=operator.fields)
        yield from shear_notices(operator, said)
    yield from start_notices(scene, system.auxiliary_equations)


def evaluate_fields(
    formulas: NamedFields,
    d: Discretization,
    imaginary: NamedFields | None = None,
    of: type[Fields] = MaxwellFields,
    **t: float,
) -> Fields:
    """Formulas at the nodes; a missing one is 0.

    Parameters
    ----------
    imaginary : those of the imaginary part, where fields are complex; None for 0.
    of : the system of the fields.
    t : the time, for formulas of x, y, t.
    """

    def at_nodes(name: str) -> Array:
        values = np.zeros(d.shape)
        for copy, part in enumerate((formulas, imaginary)[: d.copies]):
            formula = None if part is None else getattr(part, name)
            if formula is not None:
                own = slice(copy, None, d.copies)
                values[own] = formula.evaluate(x=d.x[own], y=d.y[own], **t)
        return values

    return of.of([at_nodes(name) for name in of.names])
