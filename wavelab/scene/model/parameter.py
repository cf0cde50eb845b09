"""A named number of a scene, which others follow."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from wavelab.scene.formulas.expression import Expression
from wavelab.scene.formulas.formula_functions import CONSTANTS, FUNCTIONS
from wavelab.scene.formulas.formula_words import KEYWORDS
from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import POSITIVE, ItemPath, require
from wavelab.scene.model.shapes import Point

#: What formulas call something else.
RESERVED = ("x", "y", "t", *CONSTANTS, *FUNCTIONS, *KEYWORDS, "inf", "nan", "true", "false")
LONGEST_PARAMETER = 40
#: Every formula looks through all of them.
MOST_PARAMETERS = 200
_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)


@dataclass(frozen=True)
class Parameter:
    """``d`` in ``position = ["1 - d/2", 1]``.

    One whose ``value`` is an Expression follows from those before it, and cannot be set.  ``range``
    are the least and the largest value, None without bounds; ``step`` is that of a slider, None if
    it can be anywhere between.
    """

    name: str
    value: float = field(
        metadata=about("Its value: a number, or a formula of parameters that stand above it")
    )
    range: Point | None = field(
        default=None, metadata=about("Least and largest value, the ends of its slider")
    )
    step: float | None = field(default=None, metadata=about("What its slider goes on by"))
    unit: str = field(default="", metadata=about("Shown behind its value"))
    label: str = field(default="", metadata=about("What it is called; empty: its name"))

    @property
    def title(self) -> str:
        """What it is called."""
        return self.label or self.name

    @property
    def settable(self) -> bool:
        """Whether it has a value of its own, and does not follow from others."""
        return not (isinstance(self.value, Expression) and self.value.names)

    def check(self, item: ItemPath) -> None:
        """
        Raises
        ------
        ItemError : names the parameter and what would be right.
        """
        check_parameter_name(self.name, item)
        what = f"parameter {self.name}"
        require(
            math.isfinite(self.value),
            (*item, "value"),
            f"{what} is {float(self.value)}",
            "Every number must be finite.",
        )
        if not self.settable:
            assert isinstance(self.value, Expression)
            require(
                self.range is None and self.step is None,
                item,
                f"{what} follows from {' and '.join(self.value.names)}, so it has no slider",
                "Leave its range and step out, or give it a number of its own.",
            )
        if self.range is not None:
            low, high = self.range
            require(
                low < high,
                (*item, "range"),
                f"the range of {what} goes from {low:g} to {high:g}",
                "Give the smaller number first.",
            )
            require(
                low <= self.value <= high,
                (*item, "value"),
                f"{what} is {float(self.value):g}, outside its range",
                f"It can be from {low:g} to {high:g}.",
            )
        require(
            self.step is None or self.step > 0,
            (*item, "step"),
            f"the step of {what} is {self.step}",
            POSITIVE,
        )


def check_count(count: int) -> None:
    """
    Raises
    ------
    ItemError : a scene has no room for so many.
    """
    require(
        count <= MOST_PARAMETERS,
        ("parameters",),
        f"the scene has {count:,} parameters",
        f"It can have up to {MOST_PARAMETERS}.",
    )


def check_parameter_name(name: str, item: ItemPath) -> None:
    """
    Raises
    ------
    ItemError : formulas could not use it.
    """
    require(
        _NAME.fullmatch(name) is not None and len(name) <= LONGEST_PARAMETER,
        item,
        f"{name!r} cannot be the name of a parameter",
        f"It begins with a letter, and has 1 to {LONGEST_PARAMETER} letters, digits and "
        "underscores.",
    )
    require(
        name not in RESERVED,
        item,
        f"a parameter cannot be named {name}, which means something else in formulas",
        f"Taken are: {', '.join(RESERVED)}.",
    )
