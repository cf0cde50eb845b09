"""What comes back to a monitor while a simulation runs, and the result it makes of that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Complex
from wavelab.scene.model.units import Written


@dataclass(frozen=True, eq=False)
class Findings:
    """All that has come together since the run began; only what the monitor asks for is there.

    Attributes
    ----------
    times, series : (n,) and (n, k) what was recorded, or (n, 1) energies.
    integral : of a power over time, from the first moment on.
    along, points : (p,) way along the line to each receiver, and (p, 2) where it is.
    elements : (k,) those in the shape.
    nodes : x and y, (k, nodes) each, of their nodes.
    fields : those that the system has, as the program asks for them.
    amplitude : (f, p) or (f, k, nodes) of a field that oscillates as Re[X exp(-2 pi i f t)].
    mean : (p,) or (k, nodes) mean over time of what is summed of a field at frequency 0.
    mean_power : (f,) through a line, of the amplitudes there.
    split_power : of the waves straight across a line, to the right and to the left, (f,) each;
        None where it goes through more than one medium, or one with losses.
    far_field : (f, a) of what leaves a contour at angles (a,) in radians, counterclockwise from the
        x axis (:mod:`wavelab.physics.monitors.far_field`).
    radiated_power : (f,) mean power that leaves in all directions.
    mode_volume : (f,) of the amplitudes in the shape
        (:mod:`wavelab.physics.operator.mode_volume`).
    mode_index : (f, m) wave number of each mode of a guide over that in vacuum, 0 where it is none.
    mode_amplitudes : (f, m) of modes to the right of a line and to its left, whose squares are mean
        powers.
    """

    times: Array
    series: Array
    integral: float
    along: Array
    points: Array
    elements: NDArray[np.int32]
    nodes: Callable[[], tuple[Array, Array]]
    fields: tuple[str, ...]
    amplitude: Callable[[str], Complex]
    mean: Callable[[str], Array]
    mean_power: Callable[[], Array]
    split_power: Callable[[], tuple[Array, Array]] | None
    far_field: Callable[[Array], Complex]
    radiated_power: Callable[[], Array]
    mode_volume: Callable[[], Array]
    mode_index: Array
    mode_amplitudes: Callable[[], tuple[Complex, Complex]]


@dataclass(frozen=True)
class Variable:
    """An array of a result.

    Attributes
    ----------
    dimensions : what its axes run over: "time", "receiver", "axis", "frequency", "angle",
        "mode", "element" or "node".
    unit : in units of length, field and power, the speed of light in vacuum being 1.
    coordinate : whether it says where, and not what was found there.
    """

    dimensions: tuple[str, ...]
    unit: str = ""
    coordinate: bool = False


TIME = Variable(("time",), "length")
FREQUENCY = Variable(("frequency",), "1/length")
#: Of what is found at the nodes of elements.
AT_NODES = {
    "elements": Variable(("element",), coordinate=True),
    "x": Variable(("element", "node"), "length", coordinate=True),
    "y": Variable(("element", "node"), "length", coordinate=True),
}


@dataclass(frozen=True, eq=False)
class MonitorResult:
    """What one monitor has measured.

    Attributes
    ----------
    numbers : ``duration``, the weighted time of a transform, and others of its kind.
    arrays : by name; complex ones are amplitudes, Re[X exp(-2 pi i f t)].
    variables : what those of a monitor's kind are.
    """

    name: str
    kind: str
    numbers: dict[str, float] = field(default_factory=dict)
    arrays: dict[str, NDArray] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)

    def summary(self) -> dict[str, Any]:
        """Everything but what is at nodes, of which the largest are told, as real numbers."""
        found: dict[str, Any] = {"kind": self.kind, **self.numbers}
        for name, values in self.arrays.items():
            variable = self.variables.get(name, Variable(()))
            size = np.abs(values) if np.iscomplexobj(values) else values
            if "element" not in variable.dimensions:
                found[name] = size
            elif not variable.coordinate:
                over = tuple(i for i, d in enumerate(variable.dimensions) if d != "frequency")
                largest = size.max(axis=over)
                found[f"largest_{name}"] = largest if largest.ndim else float(largest)
        return found


#: Columns of a table by their name, and tables by what is added to the name of their file.
Columns = dict[str, NDArray]
Tables = dict[str, Columns]


def parts(name: str, values: NDArray) -> Columns:
    """Two columns of complex values."""
    return {f"{name}_real": values.real.ravel(), f"{name}_imag": values.imag.ravel()}


def with_duration(result: MonitorResult, columns: Columns) -> Columns:
    """One column more, the same in all rows: amplitudes of a pulse times duration / 2 are its
    transform."""
    rows = len(next(iter(columns.values())))
    return columns | {"duration": np.full(rows, result.numbers["duration"])}


def at_frequencies(summary: dict[str, Any], key: str, what: str, written: Written) -> list[str]:
    """What was found at each frequency, if there are any."""
    pairs = zip(summary.get("frequency", ()), summary.get(key, ()), strict=False)
    return [f"{what} {value:.6g} at {written.asked(frequency)}" for frequency, value in pairs]


def at_nodes(arrays: dict[str, NDArray]) -> Columns:
    """The columns that say to which node a row belongs."""
    x = arrays["x"]
    return {
        "element": np.repeat(arrays["elements"], x.shape[1]),
        "x": x.ravel(),
        "y": arrays["y"].ravel(),
    }
