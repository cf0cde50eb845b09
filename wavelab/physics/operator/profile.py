"""One quantity of media on elements where it is not a constant."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.fields.projection import Projection
from wavelab.scene.formulas.formula import Formula

#: Points at which is looked how a quantity falls.
_GROWTH_POINTS = 2048


@dataclass(frozen=True, eq=False)
class Profile:
    """epsilon, mu or a conductivity on elements where it is not a constant.

    Attributes
    ----------
    what : "epsilon of material "lens"", for messages.
    formula : of x, y, t; None for one that was frozen.
    elements : (n,) ascending.
    reference : (n,) the constant that the operator has there; of conductivities 0.
    projection : products with it.
    x, y : (n, n_points) the points of the quadrature; (1, 1) where the formula does not use them.
    lowest, highest : values over the times of the run, shaped like ``x``.
    time_scale : smallest value / |rate of change| anywhere in the run; infinite if it is steady.
    """

    what: str
    formula: Formula | None
    elements: Indices
    reference: Array
    projection: Projection
    x: Array
    y: Array
    lowest: Array
    highest: Array
    time_scale: float = np.inf

    @property
    def changes(self) -> bool:
        """Whether it depends on time."""
        return self.formula is not None and self.formula.uses("t")

    @property
    def uniform(self) -> bool:
        """Whether it is the same all over its elements at any one time."""
        return self.x.size == 1

    def at(self, time: float) -> Array:
        """Values at a time, shaped like ``x``."""
        if self.formula is None or not self.changes:
            return self.lowest
        return self.formula.evaluate(x=self.x, y=self.y, t=time)

    def rate(self, time: float) -> Array:
        """Their derivative in time."""
        if self.formula is None or not self.changes:
            return np.zeros_like(self.lowest)
        return self.formula.rate("t", x=self.x, y=self.y, t=time)

    def at_nodes(self, x: Array, y: Array, time: float) -> Array:
        """(n, nodes_per_element) values at nodes of the whole mesh."""
        if self.formula is None:
            raise ValueError("a frozen profile is known at the points of its quadrature only")
        return self.formula.evaluate(x=x[self.elements], y=y[self.elements], t=time)

    def shares(self, time: float) -> Array:
        """reference / value: what the rates of the operator are multiplied with."""
        return self._reference / self.at(time)

    def share_rates(self, time: float) -> Array:
        """Derivative of :meth:`shares` in time."""
        return -self._reference * self.rate(time) / self.at(time) ** 2

    @property
    def _reference(self) -> Array:
        # Where the profile is uniform so is the reference, and one number will do.
        return self.reference[:1, None] if self.uniform else self.reference[:, None]

    def steepest_falls(self, times: Array) -> Array:
        """(n_times - 1,) largest of log(value before / value after) between times, or 0; where
        there are many points a part of them speaks for all."""
        if self.formula is None:
            return np.zeros(len(times) - 1)
        every = -(-self.x.size // _GROWTH_POINTS)
        x, y = self.x.ravel()[::every], self.y.ravel()[::every]
        values = self.formula.evaluate(x=x, y=y, t=times[:, None])
        return np.maximum(0.0, np.log(values[:-1] / values[1:]).max(axis=1))

    def restricted(self, place: Indices) -> Profile:
        """For a part of the mesh.

        Parameters
        ----------
        place : (n_elements,) number of each element in the part, -1 for those that are not in it.
        """
        inside = np.flatnonzero(place[self.elements] >= 0)
        found = place[self.elements[inside]]
        return replace(self.on_rows(inside[np.argsort(found)]), elements=np.sort(found))

    def on_rows(self, rows: Indices) -> Profile:
        """For some of its elements, in this order."""
        held = np.zeros(1, np.int64) if self.uniform else rows
        return replace(
            self,
            elements=self.elements[rows],
            reference=self.reference[rows],
            projection=self.projection.restricted(rows),
            x=self.x[held], y=self.y[held],
            lowest=self.lowest[held], highest=self.highest[held],
        )  # fmt: skip

    def frozen(self, values: Array) -> Profile:
        """The same with values that do not change."""
        return replace(self, formula=None, lowest=values, highest=values)
