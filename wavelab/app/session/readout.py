"""The value of the field under the pointer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base import measures
from wavelab.app.base.numbers import three_figures
from wavelab.app.language.language import tr
from wavelab.arrays import Array
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.interpolation import interpolation_weights, locator_of
from wavelab.output.arrows import Extent
from wavelab.scene.model.units import Written
from wavelab.scene.view.quantities import ERROR_FLOOR, QUANTITIES
from wavelab.simulation.views.arrows import ArrowPoints

LineReader = Callable[[NDArray[np.floating]], Array]


class PointReader:
    """Evaluates nodal fields at single points of one mesh; building it costs one pass over it.

    Attributes
    ----------
    locator : finds the element at a place.
    """

    def __init__(self, discretization: Discretization) -> None:
        self._element = discretization.element
        self.locator = locator_of(discretization)

    def value(self, x: float, y: float, values: NDArray[np.floating]) -> float | None:
        """Of ``values`` (n_elements, nodes_per_element) at (x, y); None outside the domain."""
        elements, rs = self.locator.locate(np.array([[x, y]]))
        if elements[0] < 0:
            return None
        return float(interpolation_weights(self._element, rs)[0] @ values[elements[0]])

    def along(self, positions: Array) -> LineReader:
        """Evaluates nodal fields again and again at the same places (p, 2) inside the domain:
        from (n_elements, nodes_per_element) to (p,)."""
        elements, rs = self.locator.locate(positions)
        weights = interpolation_weights(self._element, rs)
        return lambda values: np.einsum("pn,pn->p", weights, values[elements])

    def arrow_points(self, extent: Extent, least: float) -> ArrowPoints:
        """Where there are arrows in (x0, y0, x1, y1), at least ``least`` apart."""
        return ArrowPoints.inside(self._element, self.locator, extent, least)


def at_point(point: tuple[float, float], quantity: str, value: float | None) -> str:
    """The line for the place under the pointer; ``value`` is None outside the domain."""
    if value is not None and quantity == "error":
        value = ERROR_FLOOR * 10**value
    shown = QUANTITIES[quantity]
    written = measures.written() if shown.dimension else Written(None, three_figures)
    reading = "" if value is None else f"{tr(shown.short)} {written.of(shown.dimension, value)}"
    return f"{reading:<14} " + tr("at {place}", place=measures.place(*point, width=6))
