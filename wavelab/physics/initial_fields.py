"""The fields that a scene starts from, and formulas of fields at the nodes."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.physics.materials.displacement import displaced
from wavelab.physics.operator.fields import FIELD_NAMES, Fields
from wavelab.physics.semi_discrete import SemiDiscrete
from wavelab.physics.start_fields import start_fields
from wavelab.scene.model.limits import LARGEST_FIELD, SCALE_DOWN
from wavelab.scene.model.scene import NamedFields, Scene
from wavelab.scene.systems import system_of


def initial_fields(scene: Scene, system: SemiDiscrete) -> Fields:
    """Those at time 0.

    Raises
    ------
    SceneError : they are too large.
    """
    operator = system.operator
    d = operator.discretization
    if scene.initial_file is not None:
        initial = start_fields(scene, scene.initial_file, d)
    else:
        initial = evaluate_fields(scene.initial, d, scene.imaginary)
    initial = displaced(scene, initial, operator, system.auxiliary_equations)
    for name in FIELD_NAMES:
        largest = float(np.abs(getattr(initial, name)).max())
        if not largest <= LARGEST_FIELD:
            key = system_of(scene).of_solver[name].key
            raise SceneError(
                f"the initial {key} reaches {largest:.3g}", where=scene.where, remedy=SCALE_DOWN
            )
    return initial


def evaluate_fields(
    formulas: NamedFields, d: Discretization, imaginary: NamedFields | None = None, **t: float
) -> Fields:
    """Formulas at the nodes; a missing one is 0.

    Parameters
    ----------
    imaginary : those of the imaginary part, where fields are complex; None for 0.
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

    return Fields(at_nodes("hx"), at_nodes("hy"), at_nodes("ez"))
