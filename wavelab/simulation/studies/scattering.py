"""Scattering parameters: how much of each mode of each port comes out of each other.

A port is a monitor of modes whose forward direction leads into what is studied.  For each mode of
each port a run sends that mode alone from a line behind the port; what then goes forward through
the port, a, and backward through all of them, b, gives one column of

    S_ji = b_j / a_i.

As a is measured, it does not matter what a pulse lacks away from the middle of its band.
Amplitudes are roots of mean powers, so that S is symmetric, for all media here are reciprocal, and
unitary where nothing is lost (Pozar, *Microwave Engineering*, 2011, chapter 4).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Complex
from wavelab.errors import WavelabError
from wavelab.numerics.fields.discretization import Discretization, discretize
from wavelab.numerics.fields.line_quadrature import line_quadrature
from wavelab.numerics.mesh.mesh import FACE_VERTICES
from wavelab.output.files.tables import SUFFIXES, write_table
from wavelab.output.files.touchstone import write_touchstone
from wavelab.physics.problem import in_time, problem_of
from wavelab.physics.semi_discrete import operator_of, semi_discrete
from wavelab.physics.walls.walls import periodic_pairs
from wavelab.scene.model.item_error import suggestion
from wavelab.scene.model.scene import Scene
from wavelab.scene.monitors import ModeMonitor
from wavelab.scene.sources import Port
from wavelab.scene.systems import system_of
from wavelab.scene.systems.scalar_waves import check_scalar
from wavelab.scene.waveforms import ModulatedGaussian
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import stepper_of
from wavelab.simulation.studies.comparison import StudyCancelledError
from wavelab.simulation.studies.port_arrows import turned_round
from wavelab.simulation.studies.study_runs import mesh_of

#: Part of the largest energy at which a run ends before its time, if the scene does not say.
DECAYED = 1e-6
#: Of its largest value, what the spectrum of the pulse has at the ends of the band; periods of the
#: middle that it is long at most, in widths; widths from its first moment to its peak.
_AT_ENDS, _MOST_PERIODS, _RISE = 0.3, 4.0, 6.1
#: Steps between two looks at the energy.
_EVERY = 50
_REMEDY = (
    'A port is a monitor: [[monitors]] with kind = "modes" across the guide, whose arrow (to the '
    "right of the way from its first end to its second) leads into the device."
)


@dataclass(frozen=True)
class Channel:
    """A mode of a port."""

    port: str
    mode: int


@dataclass(frozen=True, eq=False)
class Scattering:
    """Attributes
    ----------
    frequencies : (n_frequencies,).
    channels : what the rows and columns of S are, n of them.
    s : (n_frequencies, n, n), from the channel of the column to that of the row.
    left : (n,) of its largest energy, what there still was when each run ended.
    notices : what the user should know.
    """

    frequencies: Array
    channels: tuple[Channel, ...]
    s: Complex
    left: Array
    notices: tuple[str, ...]

    @property
    def accounted(self) -> Array:
        """(n_frequencies, n) of the power of each channel, what comes out of all of them."""
        return np.asarray((np.abs(self.s) ** 2).sum(axis=1))

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Numbers of all receiving and sending channels, of one row of S after the other."""
        n = range(len(self.channels))
        return [(j, i) for j in n for i in n]

    def digits(self, row: int, column: int) -> str:
        """What stands behind S: "21" for what comes out of channel 2 of what channel 1 sends."""
        together = f"{row + 1}{column + 1}"
        return together if len(together) == 2 else f"({row + 1},{column + 1})"

    def listed(self) -> list[str]:
        """The channels by their numbers."""
        return [f"{i}: {c.port}, mode {c.mode}" for i, c in enumerate(self.channels, 1)]

    def columns(self) -> dict[str, NDArray]:
        """A row for each frequency, sending and receiving channel; both are counted from 1, as the
        channels are listed."""
        n = len(self.channels)
        values = self.s.transpose(0, 2, 1).ravel()  # of a channel that sends all that receive
        count = len(self.frequencies)
        return {
            "frequency": np.repeat(self.frequencies, n * n),
            "to": np.tile(np.arange(1, n + 1), count * n),
            "from": np.tile(np.repeat(np.arange(1, n + 1), n), count),
            "real": values.real,
            "imag": values.imag,
            "abs": np.abs(values),
            "dB": 20 * np.log10(np.maximum(np.abs(values), 1e-300)),
            "phase_deg": np.degrees(np.angle(values)),
        }

    def write(self, path: Path) -> None:
        """As CSV, the :meth:`columns`, or as a Touchstone file.

        Raises
        ------
        OutputError : the file cannot be written there, or has another ending.
        """
        if path.suffix.lower() in SUFFIXES:
            columns = self.columns()
            write_table(path, tuple(columns), tuple(columns.values()))
            return
        order = np.argsort(self.frequencies)
        remarks = [
            *self.listed(),
            "frequencies are c / length unit of the scene; phases exp(-i w t)",
        ]
        write_touchstone(path, self.frequencies[order], self.s[order], remarks)


def ports_of(scene: Scene, names: Sequence[str] = ()) -> tuple[ModeMonitor, ...]:
    """The ports of those names, or all.

    Raises
    ------
    WavelabError : there is none, or no such one, or they measure at other frequencies.
    """
    check_scalar(scene, "scattering parameters")
    there = {m.name: m for m in scene.monitors if isinstance(m, ModeMonitor)}
    if not there:
        raise WavelabError("the scene has no ports", where=scene.where, remedy=_REMEDY)
    for name in names:
        if name not in there:
            raise WavelabError(
                f'there is no port "{name}"',
                where=scene.where,
                remedy=suggestion(name, list(there), "There are"),
            )
    ports = tuple(there[name] for name in dict.fromkeys(names)) or tuple(there.values())
    for port in ports:
        if port.frequencies != ports[0].frequencies:
            raise WavelabError(
                f'the ports "{ports[0].name}" and "{port.name}" have other frequencies',
                where=scene.where,
                remedy="Give all of them the same, in the same order.",
            )
    return ports


def scatter(
    scene: Scene,
    names: Sequence[str] = (),
    *,
    backend: str = "auto",
    device: str | None = None,
    tell: Callable[[float, str], None] = lambda part, text: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Scattering:
    """Send each mode of each port in turn.

    Parameters
    ----------
    names : of the ports; none is all.
    tell : told which part is done, and what is done.
    cancelled : asked about ten times a second, or after fifty steps.

    Raises
    ------
    StudyCancelledError : as ``cancelled`` said.
    WavelabError : the scene cannot be meshed or run, has no such ports, or one has no place for a
        line behind it.
    """
    ports = ports_of(scene, names)
    tell(0.0, "meshing")
    d = discretize(mesh_of(scene, cancelled), scene.solver.order, periodic_pairs(scene))
    band = ports[0].frequencies
    wave = pulse(min(band), max(band))
    measuring = tuple(replace(p, begin=0.0, end=None, window="none") for p in ports)
    scene = replace(
        scene, sources=(), pings=(), probes=(), initial=system_of(scene).fields(), exact=None,
        monitors=measuring,
    )  # fmt: skip
    system, scheme, dt = in_time(scene, semi_discrete(scene, operator_of(scene, d)))
    if system.operator.media.kerr:
        raise WavelabError(
            "a scene with Kerr media has no scattering parameters: they depend on the field",
            where=scene.where,
            remedy="Leave chi out, for those of weak waves.",
        )
    quiet = problem_of(scene, system, scheme, dt)
    channels = tuple(
        Channel(port.name, mode)
        for port, discrete in zip(ports, quiet.monitors, strict=True)
        if discrete.modes is not None
        for mode in np.flatnonzero((discrete.modes.index > 0).all(axis=0)).tolist()
    )
    columns, behind, left = [], [], []
    by_name = {port.name: port for port in ports}
    for number, channel in enumerate(channels):
        part = partial(_tell_part, tell, number, channels)
        source = _behind(by_name[channel.port], channel.mode, wave, d)
        run = problem_of(replace(scene, sources=(source,)), system, scheme, dt)
        n_steps = run.steps_to_end()
        stepper = stepper_of(run, dt=scene.solver.until / n_steps, backend=backend, device=device)
        with closing(stepper):
            simulation = Simulation(run, stepper)
            silent = wave.delay + _RISE * wave.width
            left.append(_until_silent(simulation, n_steps, silent, part, cancelled))
            found = {result.name: result.arrays for result in simulation.measured()}
        sent = found[channel.port]["forward"][:, channel.mode]
        out = np.stack([found[c.port]["backward"][:, c.mode] for c in channels], axis=1)
        columns.append(out / sent[:, None])
        there = np.stack([found[c.port]["forward"][:, c.mode] for c in channels], axis=1)
        behind.append(there / sent[:, None])
    limit = scene.solver.decayed or DECAYED
    s = np.stack(columns, axis=2)
    notices = [
        *quiet.notices,
        *turned_round([c.port for c in channels], s, np.stack(behind, axis=2)),
    ]
    if max(left) > limit:
        notices.append(
            f"a run ended at {scene.solver.until:g} with {max(left):.1g} of its largest energy "
            "left: what comes out later is missing; let it run longer (--until)"
        )
    return Scattering(np.array(band), channels, s, np.array(left), tuple(notices))


def _tell_part(
    tell: Callable[[float, str], None], number: int, channels: Sequence[Channel], part: float
) -> None:
    """Of the run of one of the channels."""
    channel = channels[number]
    tell((number + part) / len(channels), f"mode {channel.mode} of {channel.port}")


def pulse(lowest: float, highest: float) -> ModulatedGaussian:
    """A wave packet that has all frequencies of a band."""
    middle, half = (lowest + highest) / 2, (highest - lowest) / 2
    width = _MOST_PERIODS / middle
    if half > 0:
        width = min(width, math.sqrt(-2 * math.log(_AT_ENDS)) / (2 * math.pi * half))
    return ModulatedGaussian(middle, width, _RISE * width)


def _behind(port: ModeMonitor, mode: int, wave: ModulatedGaussian, d: Discretization) -> Port:
    """What sends a mode towards a port, from behind it by the longest edge of an element there."""
    (x0, y0), (x1, y1) = port.vertices
    line = line_quadrature(d, np.array(port.vertices))
    triangles = d.mesh.vertices[d.mesh.triangles[np.unique(line.elements)]]
    edges = np.diff(triangles[:, FACE_VERTICES], axis=2)
    back = float(np.hypot(edges[..., 0], edges[..., 1]).max())
    length = math.dist(*port.vertices)
    dx, dy = -back * (y1 - y0) / length, back * (x1 - x0) / length
    start, end = (x0 + dx, y0 + dy), (x1 + dx, y1 + dy)
    return Port(f"behind {port.name}", start, end, 1.0, wave, mode)


def _until_silent(
    simulation: Simulation,
    n_steps: int,
    silent: float,
    tell: Callable[[float], None],
    cancelled: Callable[[], bool],
) -> float:
    """Run until the wave has died away after the pulse; what of its largest energy is left."""
    decayed = simulation.problem.scene.solver.decayed or DECAYED
    largest = energy = 0.0
    while simulation.steps < n_steps:
        if cancelled():
            raise StudyCancelledError
        simulation.advance(min(_EVERY, n_steps - simulation.steps))
        energy = float(simulation.element_energy().sum())
        largest = max(largest, energy)
        tell(simulation.steps / n_steps)
        if simulation.time > silent and energy < decayed * largest:
            break
    return energy / largest
