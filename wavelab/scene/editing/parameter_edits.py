"""Parameters that are made of numbers of a scene, named anew and taken away."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from wavelab.errors import SceneError
from wavelab.scene.editing.parameter_words import number_text, put_in
from wavelab.scene.editing.parameters import with_parameters
from wavelab.scene.editing.properties import Key, changed_in_all, items, properties
from wavelab.scene.editing.typed_values import shown_number
from wavelab.scene.formulas.expression import WholeExpression
from wavelab.scene.model.parameter import LONGEST_PARAMETER, RESERVED, Parameter
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.walking import changed_leaves, leaves, part_at, with_part
from wavelab.scene.rules.parameter_rules import names_used
from wavelab.scene.rules.validate import check_scene

#: A slider goes from the first of these parts of its value to the last, where rules allow it.
_LOWS, _HIGHS = (0.0, 0.25, 0.5, 0.75), (2.0, 1.5, 1.25)
#: What is an angle in degrees, and goes round.
_ANGLES = ("angle", "direction")
_COORDINATES = ("position", "center", "lower", "upper", "start", "end", "vertices")


def usual_range(scene: Scene, name: str) -> tuple[float, float]:
    """Ends for the slider of a parameter whose range is not said: round its value, from 0 on if the
    rules of the scene allow it."""
    value, whole = scene.values[name], usual_step(scene, name) is not None
    if value == 0:
        return -1.0, 1.0

    def end(parts: Sequence[float]) -> float:
        tried = [float(round(part * value)) if whole else part * value for part in parts]
        return next((end for end in tried if _possible(scene, name, end)), tried[-1])

    low, high = sorted((end(_LOWS), end(_HIGHS)))
    return (low, high) if low < high else (value, value + 1)


def usual_step(scene: Scene, name: str) -> float | None:
    """1 for a parameter that whole numbers follow, if its own step is not said."""
    following = {name}
    for parameter in scene.parameters:  # what one follows stands above it
        if names_used(parameter) & following:
            following.add(parameter.name)
    whole = (leaf for _, leaf in leaves(scene) if isinstance(leaf, WholeExpression))
    return 1.0 if any(following & {*leaf.names} for leaf in whole) else None


def with_slider(
    scene: Scene, chosen: Sequence[Key], key: Key, text: str, span: tuple[int, int]
) -> tuple[Scene, str]:
    """A number of one property of items becomes a parameter, with its name.

    Parameters
    ----------
    text : of the property, as it is shown; ``span`` is where in it the number is.

    Raises
    ------
    SceneError : there is no such number.
    """
    start, end = span
    place = (*chosen[-1], *key)
    value = _exact(float(text[start:end]), part_at(scene, place))
    form = next(p for p in properties(scene, chosen[-1]) if p.key == key)
    item = next(i.label for i in items(scene) if i.key == chosen[-1])
    owner = part_at(scene, chosen[-1])
    noun = str(getattr(owner, "name", "")) or item
    which = _which(key, text[:start], part_at(scene, place))
    name = free_parameter_name(scene, f"{noun} {form.label} {which}")
    title = f"{item}: {form.label.lower()} {which}".strip()
    made = Parameter(name, value, label=title[:1].upper() + title[1:])
    known = replace(scene, parameters=(*scene.parameters, made))
    new = changed_in_all(known, chosen, key, f"{text[:start]}{name}{text[end:]}")
    new = replace(new, exact=known.exact)  # every number is what it was
    angle = key[-1] in _ANGLES and abs(value) <= 180
    low, high = (-180.0, 180.0) if angle else usual_range(new, name)
    made = replace(made, range=(low, high), step=usual_step(new, name))
    return check_scene(replace(new, parameters=(*scene.parameters, made))), name


def as_plain(scene: Scene, chosen: Sequence[Key], key: Key) -> tuple[Scene, tuple[str, ...]]:
    """One property of items follows no parameter any more, and the parameters that nothing follows
    then are gone; their names."""
    new, used = scene, set[str]()
    for item in chosen:
        part = part_at(new, (*item, *key))
        used |= names_used((part,))
        gone = _of_names(scene, used)
        new = with_part(new, (*item, *key), changed_leaves(part, put_in(gone, {})))
    left = names_used(replace(new, parameters=()))
    for parameter in reversed(new.parameters):  # what one follows stands above it
        if parameter.name in left or parameter.name not in used:
            left |= names_used(parameter)
    idle = tuple(p.name for p in new.parameters if p.name in used - left)
    kept = tuple(p for p in new.parameters if p.name not in idle)
    return check_scene(replace(new, parameters=kept)), idle


def free_parameter_name(scene: Scene, words: str) -> str:
    """A name made of some words that no parameter of the scene has yet."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
    name = re.sub(r"\W+|_+", "_", plain).strip("_").lower()
    if not name[:1].isalpha():
        name = f"p_{name}".rstrip("_")
    name = name[: LONGEST_PARAMETER - 4].rstrip("_")
    taken = {*RESERVED, *(p.name for p in scene.parameters)}
    tries = (name if i == 1 else f"{name}_{i}" for i in count(1))
    return next(word for word in tries if word not in taken)


def _possible(scene: Scene, name: str, value: float) -> bool:
    try:
        with_parameters(scene, {name: value})
    except SceneError:
        return False
    return True


def _exact(number: float, value: Any) -> float:
    """What is shown as a number may have more digits."""
    found = (leaf for _, leaf in leaves(value) if isinstance(leaf, float))
    return next((float(v) for v in found if float(shown_number(float(v))) == number), number)


def _which(key: Key, before: str, value: Any) -> str:
    """Of several numbers: x or y, or which one."""
    if not isinstance(value, tuple):
        return ""
    index = before.count(",")
    if key[-1] not in _COORDINATES:
        return str(index + 1)
    number = f"{index // 2 + 1} " if value and isinstance(value[0], tuple) else ""
    return f"{number}{'xy'[index % 2]}"


def _of_names(scene: Scene, names: set[str]) -> dict[str, str]:
    values = {p.name: float(p.value) for p in scene.parameters}
    return {name: number_text(values[name]) for name in names}
