"""What a field of an item says of itself, beside its type and default, to who reads a form."""

from __future__ import annotations

from typing import Any


def about(
    meaning: str, *, choices: tuple[str, ...] = (), variables: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Metadata of a dataclass field.

    Parameters
    ----------
    meaning : a sentence for who has not read the file format.
    choices : all that a text can be, if those are a few.
    variables : those of a formula.
    """
    said = {"meaning": meaning, "choices": choices, "variables": variables}
    return {key: value for key, value in said.items() if value}


NAME = about("What it is called, here and in the files it writes")
SHAPE = about("Where it is")
#: What a number of a medium can be.
FORMULA = "a number, or a formula of x, y and t"


def of_field(name: str) -> dict[str, Any]:
    """Metadata of a field of initial fields or of an exact solution."""
    return about(f"{name}, a formula of x and y (of the exact solution also of t)")
