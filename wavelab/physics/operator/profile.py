"""One quantity of media on elements where it is not a constant."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.fields.projection import Projection
from wavelab.physics.operator import kerr
from wavelab.remembered import Remembered
from wavelab.scene.formulas.formula import Formula

#: Points at which is looked how a quantity falls.
_GROWTH_POINTS = 2048
#: Of the matrices that undo a product.
_MOST_NUMBERS = 4_000_000


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
    kerr : chi / epsilon of a medium with D = epsilon E + chi E^3, whose epsilon is a number; 0 of
        linear ones.
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
    kerr: float = 0.0

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
        """(n, nodes_per_element) values at nodes of the whole mesh, for small waves."""
        if self.kerr:
            return np.broadcast_to(self.reference[:, None], x[self.elements].shape)
        if self.formula is None:
            raise ValueError("a frozen profile is known at the points of its quadrature only")
        return self.formula.evaluate(x=x[self.elements], y=y[self.elements], t=time)

    def shares(self, time: float) -> Array:
        """reference / value: what the rates of the operator are multiplied with."""
        return self._reference / self.at(time)

    def share_rates(self, time: float) -> Array:
        """Derivative of :meth:`shares` in time."""
        return -self._reference * self.rate(time) / self.at(time) ** 2

    def field(self, scaled: Array, time: float) -> Array:
        """(n, nodes_per_element) E or H from D or B over the reference: P[D / value]."""
        rule = self.projection
        if self.kerr:
            return rule.from_points(kerr.field(self.kerr, scaled @ rule.to_points.T))
        return rule.times(self.shares(time), scaled)

    def scaled(self, nodal: Array, time: float) -> Array:
        """What :meth:`field` makes that of."""
        rule = self.projection
        if not self.kerr:
            known = _undoing.known(self, None)
            if known is not None:
                return (known @ nodal[:, :, None])[:, :, 0]
            return rule.undone(self.shares(time), nodal)
        return kerr.undone(self.kerr, rule, nodal)

    def undo_often(self) -> None:
        """Have :meth:`scaled` take a tenth of the time from now on, if there is room for that."""
        n = self.projection.to_points.shape[1]
        steady = not (self.kerr or self.changes or self.uniform)
        if steady and len(self.elements) * n * n <= _MOST_NUMBERS:
            _undoing.get(self, None, lambda: self.projection.undoing(self.shares(0.0)))

    def field_rates(self, rates: Array, nodal: Array, time: float) -> Array:
        """Of change of the field ``nodal``, from those of D or B over the reference."""
        rule, shares = self.projection, self.shares(time)
        if self.kerr:
            e = kerr.field(self.kerr, self.scaled(nodal, time) @ rule.to_points.T)
            shares = 1 / kerr.slope(self.kerr, e)
        change = rule.times(shares, rates)
        if self.changes:
            change += rule.times(self.share_rates(time), rule.undone(shares, nodal))
        return change

    def kerr_energy(self, nodal: Array) -> Array:
        """(n,) integral of epsilon E^2 / 2 + 3/4 chi E^4 by the quadrature, with E as it follows
        from D at its points: what D and the projection of that E as a field keep exactly."""
        rule = self.projection
        e = kerr.field(self.kerr, self.scaled(nodal, 0.0) @ rule.to_points.T)
        density = kerr.energy(self.kerr, e) * rule.weights
        return self.reference * density.sum(axis=1) * rule.jacobian[:, 0]

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
        """The same with values that do not change, and are those of any wave."""
        return replace(self, formula=None, lowest=values, highest=values, kerr=0.0)


#: What undoes the product with a profile, where that was asked for.
_undoing: Remembered[Profile, Array] = Remembered(1)
