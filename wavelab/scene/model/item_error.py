"""The error about one item of a scene, and the few checks that most rules are made of."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from wavelab.errors import SceneError

if TYPE_CHECKING:
    from wavelab.scene.formulas.formula import Formula

POSITIVE = "It must be greater than 0."

ItemPath = tuple[str | int, ...]


class ItemError(SceneError):
    """An item of a scene breaks a rule.

    ``item`` is where it stands, as keys and numbers from 0: ``("materials", 1, "epsilon")``; the
    reader of scene files turns it into a line.
    """

    def __init__(
        self, message: str, *, where: str = "", remedy: str = "", item: ItemPath = ()
    ) -> None:
        super().__init__(message, where=where, remedy=remedy)
        self.item = item


def label(item: ItemPath) -> str:
    """The last key of an item, with the number of the entry in its array: "position 2"."""
    last = max((i for i, part in enumerate(item) if isinstance(part, str)), default=0)
    entries = [str(part + 1) for part in item[last + 1 :] if isinstance(part, int)]
    return " ".join((str(item[last]), ".".join(entries))).strip()


def require(holds: bool, item: ItemPath, message: str, remedy: str = "") -> None:
    """Raise an ItemError unless the rule holds."""
    if not holds:
        raise ItemError(message, remedy=remedy, item=item)


def require_one_of(value: str, allowed: Iterable[str], item: ItemPath, what: str) -> None:
    """Raise an ItemError with the closest allowed word unless the value is one of them."""
    allowed = tuple(allowed)
    if value not in allowed:
        raise ItemError(
            f'{what} is "{value}"', remedy=suggestion(value, allowed, "It can be"), item=item
        )


def check_variables(formula: Formula, item: ItemPath, variables: tuple[str, ...]) -> None:
    """Check what a formula is a formula of.

    Raises
    ------
    ItemError : of something else.
    """
    require(
        formula.variables == variables,
        item,
        f'"{formula.text}" is a formula of {", ".join(formula.variables)}',
        f"Here it must be one of {', '.join(variables)}.",
    )


def suggestion(word: str, allowed: Iterable[str], introduction: str) -> str:
    """'Did you mean "x"? It can be: ...'"""
    allowed = tuple(allowed)
    close = difflib.get_close_matches(word, allowed, n=1)
    guess = f'Did you mean "{close[0]}"? ' if close else ""
    return f"{guess}{introduction}: {', '.join(allowed)}."
