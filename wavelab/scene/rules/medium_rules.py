"""What a medium must keep that can be judged without a mesh."""

from __future__ import annotations

from dataclasses import fields

from wavelab.scene.formulas.expression import spelled_alike
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.item_error import ItemPath, check_variables, require
from wavelab.scene.model.medium import (
    LARGEST_MEDIUM,
    MEDIUM_RULES,
    POSSIBLE,
    Instead,
    Medium,
    Number,
    Rule,
    given,
    kerr_coefficient,
)
from wavelab.scene.model.scene import SPACE_AND_TIME


def check_medium(material: Medium, item: ItemPath, what: str) -> None:
    """Numbers now; what formulas give is judged at the points of the mesh."""
    for key, (holds, remedy) in material.rules.items():
        value = getattr(material, key)
        if value is None:  # not said, or otherwise
            continue
        if isinstance(value, Formula):
            check_variables(value, (*item, key), SPACE_AND_TIME)
            continue
        require(holds(value), (*item, key), f"{key} of {what} is {value:g}", remedy)
    require(
        kerr_coefficient(material) == 0 or not isinstance(material.coefficient("epsilon"), Formula),
        (*item, "chi"),
        f"{what} has both chi and an epsilon that is a formula",
        "Let epsilon be a number, or leave chi out.",
    )
    for name, of in material.instead.items():
        if getattr(material, name) is not None:
            _require_one(material, name, of, item, what)
            _require_possible(given(material, of.name), of.name, (*item, name), what)
    for name, called in material.called.items():
        _require_possible(material.coefficient(name), called, item, what, MEDIUM_RULES[name])
    for i, pole in enumerate(getattr(material, "poles", ())):
        pole.check((*item, "poles", i), f"pole {i + 1} of {what}")
    for i, pole in enumerate(getattr(material, "magnetic_poles", ())):
        pole.check((*item, "magnetic_poles", i), f"magnetic pole {i + 1} of {what}")
    material.check(item, what)
    if material.tensor:
        _check_axes(material, item, what)


def _require_possible(
    value: Number, called: str, item: ItemPath, what: str, rule: Rule = POSSIBLE
) -> None:
    """Refuse what follows from numbers that can be, and cannot be itself."""
    if not isinstance(value, Formula):
        remedy = f"{1 / LARGEST_MEDIUM:g} to {LARGEST_MEDIUM:g} is possible; choose other units."
        require(rule[0](value), item, f"{called} of {what} is {value:g}", remedy)


def _require_one(medium: Medium, name: str, of: Instead, item: ItemPath, what: str) -> None:
    """
    Raises
    ------
    ItemError : a medium with the number ``name`` has what that stands for too.
    """
    usual = next(f.default for f in fields(medium) if f.name == of.name)  # type: ignore[arg-type]
    said = getattr(medium, of.name)
    require(
        said == usual and spelled_alike(said, usual),
        (*item, name),
        f"{what} has both {of.name} and {name}",
        f"Give one of them: {of.law(name)}.",
    )
    require(
        medium.axes is None,
        (*item, name),
        f"{what} has both {medium.tensor}_axes and {name}",
        f"Give {of.name} in place of {name}: waves in a crystal have several.",
    )


def _check_axes(material: Medium, item: ItemPath, what: str) -> None:
    """Of a permittivity or permeability that is a tensor."""
    name = material.tensor
    if material.axes is None:
        require(
            getattr(material, f"{name}_angle") == 0,
            (*item, f"{name}_angle"),
            f"{what} has {name}_angle, but no {name}_axes that it turns",
            f"Give {name} along both axes, {name}_axes = [2, 3], or leave {name}_angle out.",
        )
        return
    require(
        getattr(material, name) == 1,
        (*item, f"{name}_axes"),
        f"{what} has both {name} and {name}_axes",
        f"Give either {name}, which is the same in all directions, or the two of {name}_axes.",
    )
    holds, remedy = MEDIUM_RULES[name]
    for i, value in enumerate(material.axes.values):
        place = (*item, f"{name}_axes", i)
        require(holds(value), place, f"{name}_axes of {what} has {value:g}", remedy)
