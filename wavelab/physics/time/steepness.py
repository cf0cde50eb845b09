"""Formulas that change much within a step though they do not jump: no step follows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import FormulaError
from wavelab.numerics.elements.jacobi import gauss_quadrature
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_jumps import Break

#: Looks at a formula of t over the whole run, at one place; of how many of the steepest moments the
#: surroundings are looked at, as often as the last number says.
_LOOKS, _STEEPEST, _WITHIN = 1 << 15, 32, 33
#: Part of the largest value by which a formula may differ from the polynomial that a step sees.
_OFF = 0.05


def steep_at(
    formula: Formula, origin: float, places: tuple[Array, Array],
    breaks: Callable[[float, float], Sequence[Break]], dt: float, until: float, order: int,
) -> float | None:  # fmt: skip
    """A time near which formula(t - origin) changes more within a step than a scheme can follow.

    Parameters
    ----------
    places : x and y at which to look.
    breaks : where steps are cut, from one time to another.
    order : of the scheme.
    """
    x, y = (values[:, None] for values in places)

    def at(times: Array) -> Array:
        given = {"x": x, "y": y, "t": times - origin}
        found = formula.evaluate(**{name: given[name] for name in formula.variables})
        return np.atleast_2d(found)

    def leaps(times: Array) -> Array:
        return np.abs(np.diff(at(times), axis=1)).max(axis=0)

    times = np.linspace(0.0, until, _LOOKS // len(x))
    seen, within = _looks(order)
    try:
        most = _OFF * np.abs(at(times)).max()
        for i in np.argsort(leaps(times))[: -_STEEPEST - 1 : -1]:
            low, high = times[i : i + 2]
            while high - low > dt / 8:
                halves = np.linspace(low, high, 3)
                first = int(np.argmax(leaps(halves)))
                low, high = halves[first : first + 2]
            middle = (low + high) / 2
            start, end = max(middle - dt / 2, 0.0), min(middle + dt / 2, until)
            cuts = breaks(start, end)
            start = max([start, *(cut.after for cut in cuts if cut.after < middle)])
            end = min([end, *(cut.before for cut in cuts if cut.after >= middle)])
            guessed = at(start + seen * (end - start)) @ within
            if np.abs(at(np.linspace(start, end, _WITHIN)) - guessed).max() > most:
                return float(middle)
    except FormulaError:  # which is told where it is used
        return None
    return None


def _looks(order: int) -> tuple[Array, Array]:
    """When a scheme looks at a formula, in steps, and what each look says of the step."""
    seen = (1 + gauss_quadrature(0, 0, order // 2)[0]) / 2
    powers = np.vander(seen, increasing=True)
    at = np.vander(np.linspace(0, 1, _WITHIN), len(seen), increasing=True)
    return seen, np.linalg.solve(powers.T, at.T).astype(np.float64)
