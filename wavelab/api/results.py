"""What a simulation has found, as arrays with names and units: fields, and records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wavelab.api.given import reals
from wavelab.arrays import Array, Complex
from wavelab.errors import WavelabError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.interpolation import interpolate, locator_of
from wavelab.scene.model.item_error import suggestion
from wavelab.scene.model.measuring.findings import MonitorResult, Variable
from wavelab.scene.systems import System

_TIME = Variable(("time",), "length")


@dataclass(frozen=True, eq=False)
class Field:
    """A field at one moment: nodal values, and the polynomials through them everywhere.

    ``field(x, y)`` gives the values at points, which are arrays of any one shape, and NaN outside
    of the domain.  Where periodic walls have phases, fields are complex.

    Attributes
    ----------
    name : "ez", "energy" and so on.
    time : of the moment.
    x, y : (n_elements, nodes_per_element) where the nodes are.
    values : (n_elements, nodes_per_element) there; where elements meet each has its own.
    """

    name: str
    time: float
    values: Array | Complex
    discretization: Discretization = field(repr=False)

    @property
    def x(self) -> Array:
        return self.discretization.x

    @property
    def y(self) -> Array:
        return self.discretization.y

    def __call__(self, x: ArrayLike, y: ArrayLike) -> Array | Complex:
        x, y = reals(x, "x of the points"), reals(y, "y of the points")
        try:
            places = np.broadcast_arrays(x, y)
        except ValueError:
            raise WavelabError(
                f"places x {x.shape} and y {y.shape} do not fit each other",
                remedy="Give arrays of one shape.",
            ) from None
        points = np.stack([place.ravel() for place in places], axis=1)
        elements, rs = locator_of(self.discretization).locate(points)
        parts = [self.values.real, self.values.imag][: 1 + np.iscomplexobj(self.values)]
        real, *imaginary = interpolate(self.discretization, parts, elements, rs)
        found = real + 1j * imaginary[0] if imaginary else real
        return np.where(elements >= 0, found, np.nan).reshape(places[0].shape)[()]

    def integral(self) -> float | complex:
        """Over the domain, exact for the polynomials on straight elements."""
        q = self.discretization.quadrature(self.discretization.order)
        return np.sum(self.values @ q.to_points.T * q.weights).item()

    def __repr__(self) -> str:
        n_elements, n_nodes = self.values.shape
        low, high = self.values.real.min(), self.values.real.max()
        part = "real part " if np.iscomplexobj(self.values) else ""
        return (
            f"<{self.name} at t = {self.time:.6g}: {n_elements} elements of {n_nodes} nodes, "
            f"{part}{low:.4g} to {high:.4g}>"
        )


class Measured(Mapping[str, Any]):
    """What a probe or a monitor has measured: its arrays and numbers by their names, such as
    ``monitors["out"]["mean_power"]``.

    Attributes
    ----------
    name, kind : of the probe or monitor.
    units : by name, in units of length, field and power; the speed of light in vacuum is 1.
    dimensions : by name, what the axes of an array run over: "time", "frequency", "angle" and so
        on, of which most are there as arrays too.
    """

    def __init__(self, result: MonitorResult, system: System) -> None:
        self.name, self.kind = result.name, result.kind
        values: dict[str, Any] = {**result.numbers, **result.arrays}
        of = {name: result.variables.get(name, Variable(())) for name in values}
        self._values = system.named(values)
        self.units = system.named({name: v.unit for name, v in of.items()})
        self.dimensions = system.named({name: v.dimensions for name, v in of.items()})

    def __getitem__(self, name: str) -> Any:
        if name not in self._values:
            told = suggestion(name, self._values, "There are")
            raise KeyError(f"{self.kind} {self.name} has no {name}. {told}")
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        told = []
        for name, value in self._values.items():
            sizes = zip(self.dimensions[name], np.shape(value), strict=False)
            shape = ", ".join(f"{dimension} {size}" for dimension, size in sizes)
            unit = self.units[name]
            what = f"[{shape}]" if shape else f"= {value:.6g}"
            told.append(f"{name} {what}{f' in {unit}' if unit else ''}")
        return f'<{self.kind} "{self.name}": {", ".join(told)}>'


def of_probe(name: str, times: Array, values: Array, system: System) -> Measured:
    """The record of a probe: "time", and the scalar of its physics."""
    variables = {"time": _TIME, "ez": Variable(("time",), "field")}
    result = MonitorResult(name, "probe", {}, {"time": times, "ez": values}, variables)
    return Measured(result, system)
