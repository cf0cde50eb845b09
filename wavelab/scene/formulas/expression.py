"""Numbers of a scene that are written as formulas of its parameters: ``radius = "d/2"``.

To all who compute with a scene they are numbers like any other.  What a person wrote is kept beside
the value, so that it can be found anew for other parameters, shown in a form and saved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_functions import refused, told

#: Part of itself by which what should be a whole number may be off, for rounding.
_ROUNDING = 1e-9


class Expression(float):
    """A real number.

    Equal to plain numbers of its value, and to other expressions if value and text are the same;
    hashed like its value.

    Attributes
    ----------
    text : as typed.
    names : the parameters that it uses.
    """

    text: str
    names: tuple[str, ...]

    def __new__(cls, value: float, text: str, names: tuple[str, ...]) -> Expression:
        self = super().__new__(cls, value)
        self.text, self.names = text, names
        return self

    @classmethod
    def of(cls, text: str, parameters: Mapping[str, float]) -> Expression:
        """The value of a text.

        Raises
        ------
        FormulaError : it uses other names, or its value is not finite.
        """
        text = text.strip()
        formula = Formula.parse(text, (), parameters)
        return cls(float(formula.evaluate()), text, formula.parameter_names)

    def __reduce__(self) -> tuple:
        return (type(self), (float(self), self.text, self.names))

    def __eq__(self, other: object) -> bool:
        return _told_alike(self, other) and float.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = float.__hash__


class WholeExpression(int):
    """A whole number; otherwise as :class:`Expression`."""

    text: str
    names: tuple[str, ...]

    def __new__(cls, value: int, text: str, names: tuple[str, ...]) -> WholeExpression:
        self = super().__new__(cls, value)
        self.text, self.names = text, names
        return self

    @classmethod
    def of(cls, text: str, parameters: Mapping[str, float]) -> WholeExpression:
        """The value of a text, which rounding may have taken off a whole number.

        Raises
        ------
        FormulaError : as for an :class:`Expression`, or its value is not whole.
        """
        found = Expression.of(text, parameters)
        whole = round(found)
        if abs(found - whole) > _ROUNDING * max(1.0, abs(found)):
            uses = told(found.names, parameters)
            raise refused(
                found.text, f"it gives {float(found):g}{uses}", "Here it must give a whole number."
            )
        return cls(whole, found.text, found.names)

    def __reduce__(self) -> tuple:
        return (type(self), (int(self), self.text, self.names))

    def __eq__(self, other: object) -> bool:
        return _told_alike(self, other) and int(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__


#: Either kind, for ``isinstance``.
EXPRESSIONS = (Expression, WholeExpression)


def anew(
    value: Expression | WholeExpression, parameters: Mapping[str, float]
) -> Expression | WholeExpression:
    """The expression with other parameters; itself if its value stays.

    Raises
    ------
    FormulaError : as for a new one.
    """
    found = type(value).of(value.text, parameters)
    return value if found == value else found


def spelled_alike(a: Any, b: Any) -> bool:
    """Whether two equal things are written alike too: numbers in the same way, as plain ones or as
    the same expressions."""
    if a is b:
        return True
    if isinstance(a, EXPRESSIONS) or isinstance(b, EXPRESSIONS):
        return type(a) is type(b) and a.text == b.text
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(spelled_alike, a, b))
    if hasattr(a, "__dataclass_fields__") and not isinstance(a, Formula):
        return all(
            spelled_alike(getattr(a, name), getattr(b, name)) for name in a.__dataclass_fields__
        )
    return True


def _told_alike(a: Expression | WholeExpression, b: object) -> bool:
    return not isinstance(b, EXPRESSIONS) or a.text == b.text
