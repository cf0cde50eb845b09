"""Sources on the device: what is added to Ez after each stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.numerics.discretization import Discretization
from wavelab.numerics.runge_kutta import LowStorageScheme
from wavelab.opencl.design import Design
from wavelab.opencl.extension import StageExtension
from wavelab.opencl.formula import opencl_source
from wavelab.opencl.layout import interleave
from wavelab.opencl.memory import DeviceMemory
from wavelab.opencl.stage_table import StageTable, stage_times
from wavelab.physics.drives import (
    Drive,
    FaceDrive,
    FormulaDrive,
    MovingDrive,
    NodalDrive,
    element_boxes,
)
from wavelab.physics.maxwell_tm import MaxwellTM
from wavelab.physics.pulse import REACH


class NodalSources(StageExtension):
    """All :class:`NodalDrive` of a scene, in one launch per stage.

    Parameters
    ----------
    batch : most steps between two calls of :meth:`prepare`.
    """

    def __init__(
        self,
        drives: Sequence[NodalDrive],
        nodes_per_element: int,
        dt: float,
        batch: int,
        scheme: LowStorageScheme,
        design: Design,
        memory: DeviceMemory,
    ) -> None:
        self._kernels, self._memory = design.kernels, memory
        self._waveforms = [drive.waveform for drive in drives]
        flat, starts, numbers, rates = _by_node(drives)
        element, node = np.divmod(flat, nodes_per_element)
        self._amplitudes = StageTable(len(drives), batch, dt, scheme, memory)
        self._buffers = [
            memory.integers(element), memory.integers(node), memory.integers(starts),
            memory.integers(numbers), memory.reals(rates), self._amplitudes.buffer,
        ]  # fmt: skip
        self._after = [
            [
                design.kernels.bound(
                    "drive_nodes", design.fields, design.residual, *design.traces(stage, parity),
                    *self._buffers, float(dt), float(scheme.b[stage]), 0, items=len(flat),
                )
                for stage in range(scheme.n_stages)
            ]
            for parity in (0, 1)
        ]  # fmt: skip

    def prepare(self, times: NDArray[np.float64]) -> None:
        """Evaluate the waveforms for steps that begin at these times."""
        at = self._amplitudes.times(times)
        columns = [np.broadcast_to(f(at), at.shape) for f in self._waveforms]
        self._amplitudes.send(np.column_stack(columns))

    def after(self, step: int, stage: int, parity: int) -> None:
        """Add to what a stage has just computed; ``step`` counts from :meth:`prepare`."""
        after = self._after[parity][stage]
        after.set_last(np.int32(self._amplitudes.row(step, stage) * len(self._waveforms)))
        self._kernels.launch(after)

    def release(self) -> None:
        """Free the device memory."""
        self._memory.free(*self._buffers)


class MovingSources(StageExtension):
    """One :class:`MovingDrive`: a launch per stage over the elements that it can reach from where
    it is during a batch of steps.

    Parameters
    ----------
    batch : most steps between two calls of :meth:`prepare`.
    """

    def __init__(
        self,
        drive: MovingDrive,
        operator: MaxwellTM,
        dt: float,
        batch: int,
        scheme: LowStorageScheme,
        design: Design,
        memory: DeviceMemory,
    ) -> None:
        d = operator.discretization
        self._kernels, self._memory, self._drive = design.kernels, memory, drive
        self._boxes = element_boxes(operator)
        self._nodes_per_element = d.nodes_per_element
        self._path = StageTable(3, batch, dt, scheme, memory)
        self._elements = memory.integers(np.zeros(d.n_elements, np.int32))
        self._buffers = [
            self._elements,
            memory.reals(drive.strength),
            memory.reals(interleave(np.hstack([d.x, d.y]), design.lanes)),
            self._path.buffer,
        ]
        self._after = [
            [
                design.kernels.bound(
                    "drive_moving", design.fields, design.residual, *design.traces(stage, parity),
                    *self._buffers, 1 / drive.radius, REACH, float(dt), float(scheme.b[stage]), 0,
                    items=1,
                )
                for stage in range(scheme.n_stages)
            ]
            for parity in (0, 1)
        ]  # fmt: skip
        self._items = 0
        self._upload: cl.Event | None = None

    def prepare(self, times: NDArray[np.float64]) -> None:
        """Find the elements that steps which begin at these times touch."""
        at = self._path.times(times)
        positions = self._drive.positions(at)
        elements = self._drive.reached(self._boxes, positions)
        self._items = len(elements) * self._nodes_per_element
        if self._items == 0:
            return
        self._path.send(np.column_stack([positions, self._drive.waveform(at)]))
        self._upload = cl.enqueue_copy(
            self._memory.queue, self._elements, elements.astype(np.int32), is_blocking=False
        )

    def after(self, step: int, stage: int, parity: int) -> None:
        """Add to what a stage has just computed; ``step`` counts from :meth:`prepare`."""
        if self._items == 0:
            return
        after = replace(self._after[parity][stage], items=(self._items,))
        after.set_last(np.int32(self._path.row(step, stage)))
        self._kernels.launch(after)

    def release(self) -> None:
        """Free the device memory."""
        self._memory.free(*self._buffers)


class FormulaSources(StageExtension):
    """All :class:`FormulaDrive` of a scene, in one launch per stage.

    Parameters
    ----------
    precision : "single" or "double".

    Raises
    ------
    FormulaError : a number in a formula does not fit into single precision.
    """

    def __init__(
        self,
        drives: Sequence[FormulaDrive],
        discretization: Discretization,
        dt: float,
        precision: str,
        scheme: LowStorageScheme,
        design: Design,
        memory: DeviceMemory,
    ) -> None:
        self._kernels, self._memory, self._dt = design.kernels, memory, dt
        self._scheme = scheme
        shape = design.shape
        jz = " + ".join(
            opencl_source(drive.jz, precision, vector=shape is not None) for drive in drives
        )
        program = design.kernels.compile(
            "formula_per_node" if shape is None else "formula",
            jz=jz,
            number="real" if shape is None else "real_v",
            uses_bessel="bessel_j(" in jz,
        )
        positions = np.hstack([discretization.x, discretization.y])
        self._positions = memory.reals(interleave(positions, design.lanes))
        items, group = discretization.x.size, None
        if shape is not None:
            # As the stage kernel: blocks of elements side by side.
            items = shape.global_size(discretization.n_elements)[0]
            group = shape.local_size[0]
        self._after = [
            [
                design.kernels.bound(
                    "drive_formula", design.fields, design.residual,
                    *design.traces(stage, parity), *design.constants, self._positions,
                    float(dt), float(scheme.b[stage]), 0.0,
                    items=items, group=group, program=program,
                )
                for stage in range(scheme.n_stages)
            ]
            for parity in (0, 1)
        ]  # fmt: skip
        self._times = np.zeros(0)

    def prepare(self, times: NDArray[np.float64]) -> None:
        """Remember when the next steps begin."""
        self._times = times

    def after(self, step: int, stage: int, parity: int) -> None:
        """Add to what a stage has just computed; ``step`` counts from :meth:`prepare`."""
        after = self._after[parity][stage]
        after.set_last(self._memory.real.type(self._times[step] + self._scheme.c[stage] * self._dt))
        self._kernels.launch(after)

    def release(self) -> None:
        """Free the device memory."""
        self._memory.free(self._positions)


class FaceSources(StageExtension):
    """One :class:`FaceDrive`: a launch per stage over the elements whose faces it comes through.

    Parameters
    ----------
    precision : "single" or "double".

    Raises
    ------
    FormulaError : a number in its waveform does not fit into single precision.
    """

    def __init__(
        self,
        drive: FaceDrive,
        operator: MaxwellTM,
        dt: float,
        precision: str,
        scheme: LowStorageScheme,
        design: Design,
        memory: DeviceMemory,
    ) -> None:
        self._kernels, self._memory, self._drive = design.kernels, memory, drive
        self._dt, self._scheme = dt, scheme
        self._span = float(drive.delay.max())
        f = opencl_source(drive.waveform.formula, precision)
        program = design.kernels.compile(
            "incident", f_of_t=f, number="real", uses_bessel="bessel_j(" in f
        )
        order = np.argsort(drive.elements, kind="stable")
        elements, starts = np.unique(drive.elements[order], return_index=True)
        self._buffers = [
            memory.integers(elements),
            memory.integers(np.append(starts, len(order))),
            memory.integers(drive.faces[order]),
            memory.reals(drive.flux(operator)[order]),
            memory.reals(np.broadcast_to(drive.delay, drive.e.shape)[order]),
            memory.reals(operator.discretization.element.lift.T),
        ]
        self._after = [
            [
                design.kernels.bound(
                    "drive_faces", design.fields, design.residual, *design.traces(stage, parity),
                    *design.constants, *self._buffers, float(dt), float(scheme.b[stage]), 0.0,
                    items=len(elements), program=program,
                )
                for stage in range(scheme.n_stages)
            ]
            for parity in (0, 1)
        ]  # fmt: skip
        self._times = np.zeros((0, scheme.n_stages))

    def prepare(self, times: NDArray[np.float64]) -> None:
        """Fold the times of the stages of steps that begin at these."""
        at = stage_times(times, self._dt, self._scheme)
        self._times = self._drive.waveform.folded(at, self._span)

    def after(self, step: int, stage: int, parity: int) -> None:
        """Add to what a stage has just computed; ``step`` counts from :meth:`prepare`."""
        after = self._after[parity][stage]
        after.set_last(self._memory.real.type(self._times[step, stage]))
        self._kernels.launch(after)

    def release(self) -> None:
        """Free the device memory."""
        self._memory.free(*self._buffers)


def source_extensions(
    drives: Sequence[Drive],
    operator: MaxwellTM,
    dt: float,
    precision: str,
    batch: int,
    scheme: LowStorageScheme,
    design: Design,
    memory: DeviceMemory,
) -> list[StageExtension]:
    """Everything that some sources need.

    Raises
    ------
    FormulaError : a number in a formula does not fit into single precision.
    """
    d = operator.discretization
    common = (scheme, design, memory)
    nodal = [x for x in drives if isinstance(x, NodalDrive) and len(x.nodes)]
    formulas = [x for x in drives if isinstance(x, FormulaDrive)]
    sources: list[StageExtension] = []
    if formulas:
        sources.append(FormulaSources(formulas, d, dt, precision, *common))
    if nodal:
        sources.append(NodalSources(nodal, d.nodes_per_element, dt, batch, *common))
    for drive in drives:
        if isinstance(drive, MovingDrive):
            sources.append(MovingSources(drive, operator, dt, batch, *common))
        elif isinstance(drive, FaceDrive):
            sources.append(FaceSources(drive, operator, dt, precision, *common))
    return sources


def _by_node(
    drives: Sequence[NodalDrive],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Every driven node once, and its entries (number of the drive, rate).

    Drives may share nodes, and two work items must not add to one number.

    Returns
    -------
    nodes (n,), starts (n + 1,), drive numbers (m,), rates (m,); the entries of node i are
    starts[i] .. starts[i + 1] - 1.
    """
    flat = np.concatenate([np.asarray(drive.nodes, np.int64) for drive in drives])
    numbers = np.repeat(np.arange(len(drives)), [len(drive.nodes) for drive in drives])
    rates = np.concatenate([drive.rate for drive in drives])
    order = np.argsort(flat, kind="stable")
    nodes, starts = np.unique(flat[order], return_index=True)
    return nodes, np.append(starts, len(flat)), numbers[order], rates[order]
