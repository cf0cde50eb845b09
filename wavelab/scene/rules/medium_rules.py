"""What a medium must keep that can be judged without a mesh."""

from __future__ import annotations

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.item_error import ItemPath, check_variables, require
from wavelab.scene.model.medium import LARGEST_MEDIUM, MEDIUM_RULES, Medium
from wavelab.scene.model.scene import SPACE_AND_TIME


def check_medium(material: Medium, item: ItemPath, what: str) -> None:
    """Numbers now; what formulas give is judged at the points of the mesh."""
    for key, (holds, remedy) in material.rules.items():
        value = getattr(material, key)
        if isinstance(value, Formula):
            check_variables(value, (*item, key), SPACE_AND_TIME)
            continue
        require(holds(value), (*item, key), f"{key} of {what} is {value:g}", remedy)
    for name, called in material.called.items():
        value = material.coefficient(name)
        if not isinstance(value, Formula):
            holds, _ = MEDIUM_RULES[name]
            remedy = (
                f"{1 / LARGEST_MEDIUM:g} to {LARGEST_MEDIUM:g} is possible; choose other units."
            )
            require(holds(value), item, f"{called} of {what} is {value:g}", remedy)
    for i, pole in enumerate(getattr(material, "poles", ())):
        pole.check((*item, "poles", i), f"pole {i + 1} of {what}")
    for i, pole in enumerate(getattr(material, "magnetic_poles", ())):
        pole.check((*item, "magnetic_poles", i), f"magnetic pole {i + 1} of {what}")
    if material.tensor:
        _check_axes(material, item, what)


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
