"""Python functions in the place of formulas, in scenes that a program makes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from wavelab.arrays import Array
from wavelab.errors import FormulaError
from wavelab.scene.formulas.formula import Formula


class GivenFunction(Formula):
    """A function of arrays, where a formula is looked at before the first step or after the last.

    NumPy alone evaluates it: media that stay as they are, initial fields and exact solutions can be
    functions.  What a device computes at every step has to be a formula, of which it has a text.

    Attributes
    ----------
    function : gets an array for each of ``given``, all of one shape, and returns one.
    given : those of the variables that it takes, in order.
    """

    function: Callable[..., ArrayLike]
    given: tuple[str, ...]

    def __init__(
        self,
        function: Callable[..., ArrayLike],
        variables: tuple[str, ...],
        given: tuple[str, ...],
        text: str = "",
    ) -> None:
        """
        Parameters
        ----------
        text : what messages call it, if not by its name.

        Raises
        ------
        FormulaError : the function cannot be called with these.
        """
        name = getattr(function, "__name__", type(function).__name__)
        taken = _taken(function, given)
        told = text or f"{name}({', '.join(taken or given)})"
        if taken is None:
            raise _refused(
                told,
                "it cannot be called so",
                f"It gets {' and '.join(', '.join(given).rsplit(', ', 1))}; what else changes in "
                "the course of a run has to be a formula, as a text.",
            )
        for key, value in {
            "text": told, "variables": variables, "parameters": (), "expression": None,
            "function": function, "given": taken,
        }.items():  # fmt: skip
            object.__setattr__(self, key, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GivenFunction):
            return False
        return (self.function, self.variables) == (other.function, other.variables)

    def __hash__(self) -> int:
        return hash((self.function, self.variables))

    def __reduce__(self) -> tuple:
        return (GivenFunction, (self.function, self.variables, self.given, self.text))

    def negative(self) -> GivenFunction:
        factors = (self, 1.0), (-1.0, 1.0)
        product = _Product(factors, self.given)
        return GivenFunction(product, self.variables, self.given, f"-{self.text}")

    def evaluate(self, **values: ArrayLike) -> Array:
        """As :meth:`Formula.evaluate`.

        Raises
        ------
        FormulaError : the function fails, or gives another shape or what is no finite real number.
        """
        arrays = self._arrays(values)
        shape = np.broadcast_shapes(*(array.shape for array in arrays.values()))
        places = [np.array(np.broadcast_to(arrays[name], shape)) for name in self.given]
        try:
            with np.errstate(all="ignore"):
                found = np.asarray(self.function(*places))
        except FormulaError:  # of one that it is made of
            raise
        except Exception as error:  # whatever somebody has written
            raise self._failed(f"it raises {type(error).__name__}: {error}") from error
        if found.dtype.kind not in "biuf":
            raise self._failed(f"it gives {found.dtype} and not real numbers")
        try:
            found = np.broadcast_to(found.astype(np.float64), shape)
        except ValueError:
            raise self._failed(f"it gives the shape {found.shape} for places {shape}") from None
        return self._finite(found, arrays)

    def uses(self, name: str) -> bool:
        return name in self.given

    def rate(self, name: str, **values: ArrayLike) -> NoReturn:
        raise self._refused(
            "nobody knows its derivative", "Here it has to be a formula, in a text."
        )

    def _failed(self, problem: str) -> FormulaError:
        return self._refused(
            problem,
            f"It gets arrays {', '.join(self.given)} of one shape and returns such an array; where "
            "cases differ, numpy.where tells them apart.",
        )

    def _refused(self, problem: str, remedy: str) -> FormulaError:
        return _refused(self.text, problem, remedy)


@dataclass(frozen=True)
class _Product:
    """The product of numbers, formulas and functions of ``names``, each to its power."""

    factors: tuple[tuple[float | Formula, float], ...]
    names: tuple[str, ...]

    def __call__(self, *places: Array) -> Array:
        found = np.ones(1)
        for value, power in self.factors:
            if isinstance(value, Formula):
                values: dict[str, ArrayLike] = dict.fromkeys(value.variables, 0.0)
                values |= dict(zip(self.names, places, strict=True))
                found = found * value.evaluate(**values) ** power
            else:
                found = found * float(value) ** power
        return found


def product_of(*factors: tuple[float | Formula, float]) -> GivenFunction:
    """The product of numbers, formulas and functions, of which there is one at least, each to its
    power.

    Raises
    ------
    FormulaError : a formula among them changes in time, which no function can follow.
    """
    of = [value for value, _ in factors if isinstance(value, Formula)]
    names = next(value.given for value in of if isinstance(value, GivenFunction))
    parts = (f"({getattr(v, 'text', repr(v))})^({p:g})" for v, p in factors)
    told = "*".join(parts)
    if any(value.uses("t") and "t" not in names for value in of):
        raise _refused(
            told,
            "it goes with a formula that changes in time",
            "Say both as formulas, in texts.",
        )
    return GivenFunction(_Product(factors, names), of[0].variables, names, told)


def _refused(text: str, problem: str, remedy: str) -> FormulaError:
    return FormulaError(f'in the function "{text}": {problem}', remedy=remedy)


def _taken(function: Callable[..., Any], given: tuple[str, ...]) -> tuple[str, ...] | None:
    """Those of ``given`` that it takes: all, or else all but the time; None if neither."""
    try:
        if isinstance(function, _Product):
            return function.names
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # of what is written in C nobody may know
        return given
    for names in (given, tuple(name for name in given if name != "t")):
        try:
            signature.bind(*names)
        except TypeError:
            continue
        return names
    return None
