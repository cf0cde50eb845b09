"""How large and how small numbers of a scene can be."""

from __future__ import annotations

from wavelab.scene.model.item_error import POSITIVE, ItemPath, require

#: Coordinates beyond this leave no digits for the shape itself.
LARGEST_COORDINATE = 1e12
#: Squares of shorter lengths, and what is divided by them, leave double precision.
SMALLEST_LENGTH = 1e-100
#: Of initial fields and sources: squares of what follows from more leave single precision.
LARGEST_FIELD = 1e15
#: Modes of a guide that are told apart, or sent.
MOST_MODES = 20
#: What to do about a larger one.
SCALE_DOWN = f"Values up to {LARGEST_FIELD:g} can be computed with; only ratios matter."


def check_length(length: float, item: ItemPath, what: str) -> None:
    """Check a length that is computed with.

    Raises
    ------
    ItemError : names the length and what would be right.
    """
    require(length > 0, item, f"{what} is {length:g}", POSITIVE)
    require(
        SMALLEST_LENGTH <= length <= LARGEST_COORDINATE,
        item,
        f"{what} is {length:g}",
        f"Lengths go from {SMALLEST_LENGTH:g} to {LARGEST_COORDINATE:g}; choose another unit of "
        "length.",
    )
