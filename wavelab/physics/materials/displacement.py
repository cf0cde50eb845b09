"""What follows the scalar as its integral in time: the displacement of a membrane, whose velocity
is the scalar.

It is a variable of auxiliary equations that hold everywhere and act on nothing, dw/dt = Ez, so that
steppers on every device advance it to their own order and keep it wherever they keep the fields.
Of a membrane that starts displaced, the stress s = tension grad w follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from wavelab.arrays import Array
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations, auxiliary_at_rest
from wavelab.physics.materials.materials import values_at_nodes
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems import system_of

_NAME = "integral"


def integral_equations(scene: Scene, operator: MaxwellTM) -> tuple[AuxiliaryEquations, ...]:
    """One set of equations on all elements, where the system of the scene has such a quantity."""
    if system_of(scene).integral is None:
        return ()
    d = operator.discretization
    everywhere = np.arange(d.n_elements)
    one = {"one": np.ones(d.shape)}
    return (AuxiliaryEquations.written(everywhere, one, {_NAME: "one*ez"}, kind="follows"),)


def integral_of(equations: Sequence[AuxiliaryEquations], fields: Fields) -> Array | None:
    """(n_elements, nodes_per_element) the integral now; None where nothing keeps it."""
    for e, values in zip(equations, fields.auxiliary, strict=False):  # or none are given
        if e.kind == "follows":
            found = np.empty(fields.ez.shape)
            found[e.elements] = values[0]
            return found
    return None


def initial_displacement(scene: Scene) -> Formula | None:
    """That which a scene starts from, of real fields."""
    shown = system_of(scene).integral
    found: Formula | None = None if shown is None else getattr(scene.initial, shown.key)
    return found


def displaced(
    scene: Scene, fields: Fields, operator: MaxwellTM, equations: Sequence[AuxiliaryEquations]
) -> Fields:
    """Initial fields with the displacement that the scene starts from, and its stress."""
    shown, d = system_of(scene).integral, operator.discretization
    given = {
        copy: formula
        for copy, part in enumerate((scene.initial, scene.imaginary)[: d.copies])
        if shown is not None
        and part is not None
        and (formula := getattr(part, shown.key)) is not None
    }
    if not given:
        return fields
    tension = 1 / values_at_nodes(operator, "mu", 0.0)
    start, along_x, along_y = np.zeros((3, *d.shape))
    for copy, formula in given.items():
        own = slice(copy, None, d.copies)
        places = {"x": d.x[own], "y": d.y[own]}
        start[own] = formula.evaluate(**places)
        along_x[own] = tension[own] * formula.rate("x", **places)
        along_y[own] = tension[own] * formula.rate("y", **places)
    stressed = replace(fields, hx=fields.hx - along_y, hy=fields.hy + along_x)
    return beginning_at(stressed, start, equations)


def beginning_at(fields: Fields, start: Array, equations: Sequence[AuxiliaryEquations]) -> Fields:
    """Initial fields with an integral (n_elements, nodes_per_element) that begins so."""
    auxiliary = tuple(
        start[None, e.elements] if e.kind == "follows" else at_rest
        for e, at_rest in zip(equations, auxiliary_at_rest(equations), strict=True)
    )
    return replace(fields, auxiliary=auxiliary)
