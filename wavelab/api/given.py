"""Numbers and options that a program gives, each in its type or refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wavelab.api.tables import plain
from wavelab.arrays import Array
from wavelab.errors import WavelabError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.scene.formulas.given_function import GivenFunction
from wavelab.scene.model.item_error import require_one_of
from wavelab.scene.model.scene import Solver
from wavelab.scene.model.view import View
from wavelab.scene.toml.toml_table import Table


def typed_fields(kind: type[Solver] | type[View], table: str, given: dict[str, Any]) -> dict:
    """Values for the fields of a table of a scene, as in a file; those that are None are left out.

    Raises
    ------
    ItemError : there is no such field, or its value is of another type.
    """
    for key in given:
        require_one_of(key, [f.name for f in fields(kind)], (table,), f"the key of the {table}")
    content = plain(given, (table,))
    made = Table(content, (table,)).made(kind)
    return {key: getattr(made, key) for key in content}


def device_named(device: str | int | None) -> str | None:
    """A device as options of the command line name it."""
    return None if device is None else str(device)


def count(n: int, what: str, least: int) -> int:
    """A whole number.

    Raises
    ------
    WavelabError : it is none, or below ``least``.
    """
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < least:
        raise WavelabError(
            f"{n!r} is no number of {what}", remedy=f"Give a whole number from {least} on."
        )
    return int(n)


def real(value: float, what: str, *, positive: bool = False) -> float:
    """A finite number.

    Raises
    ------
    WavelabError : it is none, or not greater than 0 where it has to be.
    """
    number = isinstance(value, int | float | np.integer | np.floating)
    if not number or isinstance(value, bool) or not math.isfinite(value):
        raise WavelabError(f"{what} is {value!r}", remedy="Give a finite number.")
    if positive and value <= 0:
        raise WavelabError(f"{what} is {value:g}", remedy="Give a number greater than 0.")
    return float(value)


def reals(values: ArrayLike, what: str) -> Array:
    """An array of real numbers, which need not be finite.

    Raises
    ------
    WavelabError : it is none.
    """
    try:
        found = np.asarray(values)
    except ValueError:  # rows of different lengths
        found = np.zeros(0, object)
    if found.dtype.kind not in "biuf":
        raise WavelabError(f"{what} are no real numbers", remedy="Give an array of numbers.")
    return found.astype(np.float64)


def nodal(given: Any, d: Discretization, name: str) -> Array:
    """(n_elements, nodes_per_element) values of a field, of complex ones both parts.

    Parameters
    ----------
    given : a function of arrays x and y, nodal values, or one number; complex where fields are.

    Raises
    ------
    WavelabError : it is none of these, or not finite somewhere.
    """
    if d.copies == 1:
        return _nodal(given, d, name)
    found = np.empty(d.shape)
    for copy, part in enumerate((np.real, np.imag)):
        found[copy :: d.copies] = _nodal(_part(given, part), d.seen, name)
    return found


def _part(given: Any, part: Callable[[Any], Any]) -> Any:
    """The real or the imaginary part of what is given."""
    if not callable(given):
        return part(np.asarray(given))

    def of_function(x: Array, y: Array) -> Any:
        return part(given(x, y))

    of_function.__name__ = getattr(given, "__name__", type(given).__name__)
    return of_function


def _nodal(given: Any, d: Discretization, name: str) -> Array:
    if callable(given):
        return GivenFunction(given, ("x", "y"), ("x", "y")).evaluate(x=d.x, y=d.y)
    values = reals(given, f"values of {name}")
    if values.shape not in ((), d.shape) or not np.isfinite(values).all():
        raise WavelabError(
            f"{name} of the shape {values.shape} cannot be set",
            remedy=f"Give finite values at the nodes, {d.shape}, or a function of x and y.",
        )
    return np.array(np.broadcast_to(values, d.shape))
