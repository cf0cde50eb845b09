"""Formulas typed by a user: parsed by pymbolic, checked against a short list, evaluated in NumPy.

The language: numbers; the declared variables and parameters; ``pi`` and ``e``; ``+ - * /`` and
power, written ``**`` or ``^``; parentheses; the functions in :data:`FUNCTIONS`; and
``A if CONDITION else B`` where a condition is made of ``< <= > >=``, ``and``, ``or``.

Nothing else reaches the tree: pymbolic's own ``evaluate`` and ``compile`` follow attributes and
subscripts and would run what a scene file says.  Length and nesting are bounded before pymbolic
sees the text, and every number is a float, so no formula can ask for unbounded memory or depth.

Nodes of ``Formula.expression`` (the complete list, for whoever walks the tree; classes of
``pymbolic.primitives``):

- ``float``: every number, parameter, and ``pi`` and ``e``; always finite;
- ``Variable(name)``: ``name`` is one of ``Formula.variables``;
- ``Sum(children)``, ``Product(children)``: two or more, evaluated left to right; a difference is a
  sum with ``Product((-1.0, term))``;
- ``Quotient(numerator, denominator)``, ``Power(base, exponent)``: real; a negative base is fine
  where the exponent is a whole number;
- ``Call(Variable(name), parameters)``: ``name`` is a key of ``FUNCTIONS``, with as many parameters
  as it says; the first one of ``besselj`` is a ``float`` that is a whole number from 0 to 20;
- ``If(condition, then, else_)``;
- conditions, which occur nowhere else: ``Comparison(left, operator, right)`` with operator ``<``,
  ``<=``, ``>`` or ``>=``; ``LogicalAnd(children)`` and ``LogicalOr(children)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wavelab.arrays import Array
from wavelab.errors import FormulaError
from wavelab.scene.formulas.formula_functions import refused, uses_variable, value
from wavelab.scene.formulas.formula_parser import checked_tree
from wavelab.scene.formulas.formula_rate import value_and_rate
from wavelab.scene.formulas.formula_words import names_in


@lru_cache(maxsize=1024)  # layers have the same few equations each time that a number is turned
def _plain_tree(text: str, variables: tuple[str, ...]) -> Any:
    return checked_tree(text, variables, NO_PARAMETERS)


NO_PARAMETERS: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Formula:
    """A checked formula; equal and hashed by its text, variables and parameters.

    Attributes
    ----------
    text : as typed.
    variables : the names the formula may use, whether it does or not.
    parameters : names that stand for numbers, and these; of those given the ones that it uses.
    expression : the checked tree, see the module's documentation.

    Raises
    ------
    FormulaError : the text is not in the language; the message names the column.
    """

    text: str
    variables: tuple[str, ...]
    parameters: tuple[tuple[str, float], ...] = ()
    expression: Any = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        given = {name: float(number) for name, number in self.parameters}
        if given:
            tree = checked_tree(self.text, self.variables, given)
        else:
            tree = _plain_tree(self.text, self.variables)
        used = names_in(self.text) if given else ()
        object.__setattr__(self, "parameters", tuple((n, given[n]) for n in used if n in given))
        object.__setattr__(self, "expression", tree)

    @classmethod
    def parse(
        cls,
        text: str | float,
        variables: tuple[str, ...],
        parameters: Mapping[str, float] = NO_PARAMETERS,
    ) -> Formula:
        """Formula of a text or a plain number, for example ``Formula.parse("x*t", ("x", "t"))``.

        Raises
        ------
        FormulaError : the text is not in the language; the message names the column.
        """
        text = text.strip() if isinstance(text, str) else repr(float(text))
        return cls(text, tuple(variables), tuple(parameters.items()))

    def __reduce__(self) -> tuple:
        # Parsed and checked again where it arrives: no tree comes out of a pickle unchecked.
        return (Formula, (self.text, self.variables, self.parameters))

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The parameters that it uses."""
        return tuple(name for name, _ in self.parameters)

    def with_parameters(self, parameters: Mapping[str, float]) -> Formula:
        """The formula with other numbers for its parameters; itself if they stay.

        Raises
        ------
        FormulaError : one of them is gone, or with these a number in it is not finite.
        """
        found = Formula.parse(self.text, self.variables, parameters)
        return self if found == self else found

    def negative(self) -> Formula:
        """Minus this formula."""
        return Formula.parse(f"-({self.text})", self.variables, dict(self.parameters))

    def evaluate(self, **values: ArrayLike) -> Array:
        """Value where the variables have these values, broadcast against each other.

        Every one of ``variables`` must be given.  The result has the common shape of all of
        them, even if the formula does not use them.

        Raises
        ------
        FormulaError : a value is not finite; the message names the point.
        """
        arrays = self._arrays(values)
        with np.errstate(all="ignore"):
            result = value(self.expression, arrays)
        return self._finite(result, arrays)

    def uses(self, name: str) -> bool:
        """Whether the formula depends on this variable."""
        return uses_variable(self.expression, name)

    def rate(self, name: str, **values: ArrayLike) -> Array:
        """Derivative with respect to a variable, as :meth:`evaluate` gives the value.

        Exact but for rounding.  Where a formula jumps (``heaviside``, ``sign``, ``floor``, ``if``)
        it is the derivative on the side that the formula takes: a jump has none.

        Raises
        ------
        FormulaError : a value is not finite; the message names the point.
        """
        arrays = self._arrays(values)
        with np.errstate(all="ignore"):
            _, rate = value_and_rate(self.expression, arrays, name)
        return self._finite(0.0 if rate is None else rate, arrays)

    def _arrays(self, values: dict[str, ArrayLike]) -> dict[str, Array]:
        return {name: np.asarray(values[name], np.float64) for name in self.variables}

    def _finite(self, result: ArrayLike, arrays: dict[str, Array]) -> Array:
        """The result in the common shape of the arrays, if every number in it is finite."""
        shape = np.broadcast_shapes(*(array.shape for array in arrays.values()))
        result = np.array(np.broadcast_to(result, shape))
        finite = np.isfinite(result)
        if not finite.all():
            worst = np.unravel_index(int(np.argmin(finite)), shape)
            point = ", ".join(
                f"{name} = {np.broadcast_to(array, shape)[worst]:g}"
                for name, array in arrays.items()
            )
            raise self._refused(
                f"it gives {result[worst]:g} at {point}",
                "A formula must give a finite number everywhere it is used.",
            )
        return result

    def _refused(self, problem: str, remedy: str) -> FormulaError:
        return refused(self.text, problem, remedy)
