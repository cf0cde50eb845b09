"""What a hand drags may follow a parameter: then the hand turns that, as its slider does."""

from __future__ import annotations

import math
from collections.abc import Sequence

from wavelab.errors import FormulaError
from wavelab.scene.editing.parameters import with_parameters
from wavelab.scene.formulas.expression import Expression
from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.parameter import Parameter
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.walking import changed_leaves, leaves

#: Steps of the Gauss-Newton method, each halved so often where it leads nowhere.
_STEPS, _HALVINGS = 30, 8
#: For derivatives, in parts of the value or of the range.
_SMALL = 1e-6


def followed(before: Scene, after: Scene) -> Scene:
    """``after``, in which a hand has put plain numbers in the place of some that follow a parameter
    of ``before``, with these numbers as they were written and the parameter at the value that comes
    nearest to where the hand is.

    That is possible where all such numbers use one parameter which has a value of its own; else
    they stay plain.  The parameter keeps to its range and its step.

    Raises
    ------
    ItemError : with that value the scene breaks a rule.
    """
    if not before.parameters or before.parameters != after.parameters:
        return after
    old = {place: leaf for place, leaf in leaves(before) if isinstance(leaf, Expression)}
    wanted = {
        place: leaf
        for place, leaf in leaves(after)
        if place in old and isinstance(leaf, float) and not isinstance(leaf, Expression)
    }
    names = {name for place in wanted for name in old[place].names}
    if len(names) != 1 or all(wanted[place] == float(old[place]) for place in wanted):
        return after
    parameter = next(p for p in before.parameters if p.name in names)
    if not parameter.settable:
        return after
    pairs = [(old[place], wanted[place]) for place in wanted]
    try:
        value = _nearest(parameter, pairs, before.values)
    except FormulaError:
        return after
    if value is None:
        return after

    def restored(leaf: object, place: ItemPath) -> object:
        return old[place] if place in wanted else leaf

    return with_parameters(changed_leaves(after, restored), {parameter.name: value})


def _nearest(
    parameter: Parameter, pairs: Sequence[tuple[Expression, float]], values: dict[str, float]
) -> float | None:
    """The value that gives numbers nearest to the wanted ones; None if it makes no difference."""
    low, high = parameter.range or (-math.inf, math.inf)
    small = _SMALL * (high - low if parameter.range else max(abs(float(parameter.value)), 1.0))

    def off(value: float) -> list[float]:
        known = values | {parameter.name: value}
        return [float(Expression.of(text.text, known)) - goal for text, goal in pairs]

    value, now = float(parameter.value), off(float(parameter.value))
    for _ in range(_STEPS):
        beside = value + small if value + small <= high else value - small
        slopes = [(b - a) / (beside - value) for a, b in zip(now, off(beside), strict=True)]
        steepness = sum(s * s for s in slopes)
        if steepness == 0:
            return None
        step = -sum(s * a for s, a in zip(slopes, now, strict=True)) / steepness
        for _ in range(_HALVINGS):
            tried = min(max(value + step, low), high)
            new = off(tried)
            if sum(a * a for a in new) < sum(a * a for a in now):
                break
            step /= 2
        else:
            break
        value, now = tried, new
    if parameter.step is not None:
        origin = low if parameter.range else 0.0
        value = origin + round((value - origin) / parameter.step) * parameter.step
    return float(f"{min(max(value, low), high):.10g}")
