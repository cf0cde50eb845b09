"""What layers of a drawing become: the domain, obstacles, materials, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any

from wavelab.errors import SceneError
from wavelab.scene.media.library import entries, light_medium, named_entry, relative_medium
from wavelab.scene.model.item_error import suggestion
from wavelab.scene.model.medium import Medium
from wavelab.scene.systems import SYSTEMS

DOMAIN, OBSTACLE, MATERIAL, NOTHING = "domain", "obstacle", "material", "nothing"
ROLES = (DOMAIN, OBSTACLE, MATERIAL, NOTHING)


@dataclass(frozen=True)
class Role:
    """
    Attributes
    ----------
    becomes : one of :data:`ROLES`.
    medium : of a material.
    wall : kind of the walls of obstacles and of the domain, "" for the usual one.
    """

    becomes: str
    medium: Medium | None = None
    wall: str = ""


def role_of(text: str, physics: str, micrometres: float | None) -> Role:
    """The role in words: "material,index=3.48", "material,medium=silicon", "obstacle,wall=open",
    "domain", "nothing".

    Parameters
    ----------
    micrometres : of a unit of length, None where it is not known.

    Raises
    ------
    SceneError : it is none; says what there is.
    """
    becomes, *options = (part.strip() for part in text.split(","))
    values = dict(_pair(option) for option in options)
    if becomes not in ROLES:
        raise SceneError(
            f'a layer cannot become "{becomes}"', remedy=suggestion(becomes, ROLES, "It can be")
        )
    if becomes == MATERIAL:
        return Role(becomes, _medium(values, physics, micrometres))
    wall = values.pop("wall", "") if becomes in (DOMAIN, OBSTACLE) else ""
    if wall and wall not in (known := plain_walls(physics, becomes)):
        raise SceneError(
            f'{_article(becomes)} of a drawing cannot have the wall "{wall}"',
            remedy=suggestion(wall, known, "It can be"),
        )
    if values:
        raise SceneError(f"{_article(becomes)} has no {next(iter(values))}")
    return Role(becomes, wall=wall)


def plain_walls(physics: str, becomes: str) -> tuple[str, ...]:
    """The kinds of walls without numbers of their own, the usual one first."""
    return tuple(
        name
        for name, kind in SYSTEMS[physics].walls.items()
        if not kind.glues
        and all(f.default is not MISSING for f in kind.numbers())
        and not (kind.pml and becomes == OBSTACLE)
    )


def usual_number(physics: str) -> str:
    """A number that media of these waves have, as a layer says it."""
    first = next(f.name for f in fields(SYSTEMS[physics].medium) if isinstance(f.default, float))
    return f"{first}={12 if first == 'epsilon' else 2}"  # 12: silicon of chips


def _article(becomes: str) -> str:
    return {DOMAIN: "a domain", OBSTACLE: "an obstacle"}.get(becomes, "what is left out")


def _pair(option: str) -> tuple[str, str]:
    key, equals, value = option.partition("=")
    if not equals:
        raise SceneError(
            f'"{option}" says nothing of a layer', remedy="Write a name and a value: epsilon=12."
        )
    return key.strip(), value.strip()


def _medium(values: dict[str, str], physics: str, micrometres: float | None) -> Medium:
    kind = SYSTEMS[physics].medium
    if name := values.pop("medium", ""):
        entry = named_entry(physics, name)
        if values:
            raise SceneError(f"a medium of the library has no {next(iter(values))} besides")
        if entry.needs_length and micrometres is None:
            raise SceneError(
                f"{entry.name} depends on the frequency, and the drawing has no unit",
                remedy="Say what a unit of the drawing is: --unit um.",
            )
        if physics in ("light", "te"):
            return light_medium(physics, entry, micrometres or 1.0)
        return relative_medium(physics, entry, next(iter(entries(physics).values())))
    numbers = {key: _number(key, value) for key, value in values.items()}
    known = [f.name for f in fields(kind) if isinstance(f.default, float)]
    if "index" in numbers and "epsilon" in known:
        if "epsilon" in numbers:
            raise SceneError("both index and epsilon are given", remedy="Leave one of them out.")
        numbers["epsilon"] = float(f"{numbers.pop('index') ** 2:.12g}")
    for key in numbers:
        if key not in known:
            raise SceneError(f"a medium has no {key}", remedy=suggestion(key, known, "It has"))
    if not numbers:
        usual = usual_number(physics)
        raise SceneError(
            "a material is not said to be of anything",
            remedy=f"Name a number or a medium: {usual}, medium=NAME (wavelab media).",
        )
    given: Mapping[str, Any] = numbers
    return replace(kind(), **given)


def _number(key: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise SceneError(f'{key} = "{text}" is no number') from None
