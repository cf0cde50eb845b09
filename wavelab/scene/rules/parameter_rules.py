"""Rules for the parameters of a scene together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wavelab.scene.formulas.expression import EXPRESSIONS
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.item_error import require
from wavelab.scene.model.parameter import Parameter, check_count
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.walking import leaves


def check_parameters(parameters: Sequence[Parameter]) -> None:
    """Check the parameters of a scene.

    Raises
    ------
    ItemError : names one of them and what would be right.
    """
    check_count(len(parameters))
    seen = set[str]()
    for parameter in parameters:
        item = ("parameters", parameter.name)
        parameter.check(item)
        require(
            parameter.name not in seen,
            item,
            f"two parameters are named {parameter.name}",
            "Give each its own name.",
        )
        seen.add(parameter.name)


def names_used(value: Any) -> set[str]:
    """The parameters that numbers and formulas in a scene, or in a part of one, follow."""
    found = set[str]()
    for _, leaf in leaves(value):
        if isinstance(leaf, EXPRESSIONS):
            found.update(leaf.names)
        elif isinstance(leaf, Formula):
            found.update(leaf.parameter_names)
    return found


def needed(parameters: Sequence[Parameter], value: Any) -> tuple[Parameter, ...]:
    """Those of the parameters that a value follows, and those that these follow."""
    wanted = names_used(value)
    for parameter in reversed(parameters):  # what one follows stands above it
        if parameter.name in wanted:
            wanted |= names_used(parameter)
    return tuple(p for p in parameters if p.name in wanted)


def unused_parameters(scene: Scene) -> tuple[str, ...]:
    """Those that nothing follows."""
    used = names_used(scene) if scene.parameters else set()
    return tuple(p.name for p in scene.parameters if p.name not in used)
