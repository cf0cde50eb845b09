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
        steepest = np.argsort(leaps(times))[: -_STEEPEST - 1 : -1]
        low, high = times[steepest], times[steepest + 1]
        while (high - low).max() > dt / 8:
            middle = (low + high) / 2
            first = leaps(np.column_stack([low, middle, high]).ravel()).reshape(-1)
            rises, falls = np.append(first, 0).reshape(-1, 3)[:, :2].T
            low, high = np.where(rises >= falls, (low, middle), (middle, high))
        middles = (low + high) / 2
        spans = [_step_around(middle, breaks, dt, until) for middle in middles]
        start, end = np.array(spans).T[..., None]
        seen_at = at((start + seen * (end - start)).ravel())
        guessed = seen_at.reshape(-1, len(middles), len(seen)) @ within
        found = at(np.linspace(start[:, 0], end[:, 0], _WITHIN).T.ravel())
        off = np.abs(found.reshape(guessed.shape) - guessed).max(axis=(0, 2))
    except FormulaError:  # which is told where it is used
        return None
    return float(middles[np.argmax(off > most)]) if (off > most).any() else None


def _step_around(
    middle: float, breaks: Callable[[float, float], Sequence[Break]], dt: float, until: float
) -> tuple[float, float]:
    """The step that has a time in its middle, as far as the cuts before and after it."""
    start, end = max(middle - dt / 2, 0.0), min(middle + dt / 2, until)
    cuts = breaks(start, end)
    return (
        max([start, *(cut.after for cut in cuts if cut.after < middle)]),
        min([end, *(cut.before for cut in cuts if cut.after >= middle)]),
    )


def _looks(order: int) -> tuple[Array, Array]:
    """When a scheme looks at a formula, in steps, and what each look says of the step."""
    seen = (1 + gauss_quadrature(0, 0, order // 2)[0]) / 2
    powers = np.vander(seen, increasing=True)
    at = np.vander(np.linspace(0, 1, _WITHIN), len(seen), increasing=True)
    return seen, np.linalg.solve(powers.T, at.T).astype(np.float64)
