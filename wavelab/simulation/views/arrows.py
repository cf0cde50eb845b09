"""Arrows of the energy flow: the Poynting vector at the points of a lattice, now or on average."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.elements.reference_element import ReferenceElement
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.interpolation import Locator, interpolation_weights, locator_of
from wavelab.output.arrows import ALONG, ROOM, Arrows, Extent, lattice, lattice_spacing
from wavelab.physics.monitors.probe_points import ProbePoints, joined
from wavelab.physics.operator.fields import Fields
from wavelab.physics.stepper import Coming, ComingView, ViewAtHand
from wavelab.remembered import Remembered
from wavelab.scene.monitors import FieldMonitor
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.views.monitored import chosen_monitor

Vectors = Array


@dataclass(frozen=True, eq=False)
class ArrowPoints:
    """Where there are arrows.

    Attributes
    ----------
    positions : (m, 2), inside of the domain.
    spacing : from one to the next.
    places : the same among the elements that are seen.
    """

    positions: Array
    spacing: float
    places: ProbePoints

    @classmethod
    def inside(
        cls, element: ReferenceElement, locator: Locator, extent: Extent, least: float
    ) -> ArrowPoints:
        """Those of the lattice in ``extent`` that lie in the domain, at least ``least`` apart."""
        spacing = lattice_spacing(extent, least)
        positions = lattice(extent, spacing)
        elements, rs = locator.locate(positions)
        there = elements >= 0
        weights = interpolation_weights(element, rs[there])
        places = ProbePoints(("",) * len(weights), elements[there], weights)
        return cls(positions[there], spacing, places)

    def arrows(self, kind: str, vectors: Array) -> Arrows:
        """With (m, 2) vectors there."""
        return Arrows(kind, self.positions, vectors, self.spacing)


def points_in_picture(discretization: Discretization, extent: Extent, width: int) -> ArrowPoints:
    """Where there are arrows in a picture of that part of the scene, ``width`` pixels wide."""
    x0, y0, x1, y1 = extent
    least = max(max(x1 - x0, y1 - y0) / ALONG, ROOM * (x1 - x0) / width)
    return ArrowPoints.inside(discretization.element, locator_of(discretization), extent, least)


ComingArrows = Coming[Arrows]


@dataclass(frozen=True)
class _OfFields:
    """Made of the fields at the points, once those are here."""

    kind: str
    points: ArrowPoints
    fields: type[Fields]
    coming: ComingView

    @property
    def here(self) -> bool:
        return self.coming.here

    def values(self) -> Arrows | None:
        sampled = self.coming.values()
        if sampled is None:
            return None
        return _of_samples(self.kind, self.points, self.fields, sampled.astype(np.float64))


def begin_arrows(simulation: Simulation, kind: str, points: ArrowPoints) -> ComingArrows:
    """Arrows of a kind of ``wavelab.scene.view.quantities.ARROWS`` but "none", without waiting for
    the device; those of a mean wait for what its monitor has summed up."""
    if kind in _OF_FIELDS:
        coming = simulation.stepper.begin_samples(_probes(simulation, points))
        return _OfFields(kind, points, simulation.problem.operator.fields, coming)
    return ViewAtHand(points.arrows(kind, _MEASURED[kind](simulation, points)))


def arrows(simulation: Simulation, kind: str, points: ArrowPoints) -> Arrows:
    """The same, waiting; those that were begun before come as they would have."""
    if kind in _OF_FIELDS:
        sampled = simulation.stepper.samples(_probes(simulation, points))
        return _of_samples(kind, points, simulation.problem.operator.fields, sampled)
    return points.arrows(kind, _MEASURED[kind](simulation, points))


def _probes(simulation: Simulation, points: ArrowPoints) -> ProbePoints:
    """All fields of the solver there, one after the other; the same again where they are asked for
    again, by which steppers know them."""
    fields, copies = simulation.problem.operator.fields, simulation.problem.discretization.copies

    def made() -> ProbePoints:
        # Of several copies of an element the first is seen.
        places = replace(points.places, elements=copies * points.places.elements)
        return joined([places.of(name) for name in fields.names])

    return _probes_of.get(points, (fields, copies), made)


_probes_of: Remembered[ArrowPoints, ProbePoints] = Remembered(1)


def _of_samples(kind: str, points: ArrowPoints, of: type[Fields], sampled: Vectors) -> Arrows:
    return points.arrows(kind, of.power_flow(*sampled.reshape(len(of.names), -1)))


def _mean(simulation: Simulation, points: ArrowPoints) -> Vectors:
    """(m, 2) mean over a period at the frequency of a monitor; 0 outside of its shape."""
    vectors = np.zeros_like(points.positions)
    found = chosen_monitor(simulation, FieldMonitor)
    if found is None:
        return vectors
    discretized, frequency = found
    sums = simulation.sums_of(discretized)
    assert sums is not None
    assert discretized.elements is not None
    d, of = simulation.problem.discretization, simulation.problem.operator.fields
    row = np.full(d.n_elements, -1)
    row[discretized.elements] = np.arange(len(discretized.elements))
    rows = row[d.copies * points.places.elements]
    there = rows >= 0
    nodal = sums.amplitude[frequency][:, rows[there]]
    at_points = np.einsum("pn,cpn->cp", points.places.weights[there], nodal)
    by_name = dict(zip(discretized.summed, at_points, strict=True))
    vectors[there] = of.mean_power_flow(*(by_name[name] for name in of.names))
    return vectors


#: Kinds whose vectors follow from the fields at the points.
_OF_FIELDS = ("power",)
#: (m, 2) vectors of what has been measured.
_MEASURED: dict[str, Callable[[Simulation, ArrowPoints], Vectors]] = {"mean_power": _mean}
