"""Sources on the device: what is added to Ez after each stage."""

from __future__ import annotations

from collections.abc import Sequence

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
from wavelab.physics.drives import FormulaDrive, NodalDrive


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
        self._kernels, self._memory, self._dt = design.kernels, memory, dt
        self._scheme = scheme
        self._waveforms = [drive.waveform for drive in drives]
        flat, starts, numbers, rates = _by_node(drives)
        element, node = np.divmod(flat, nodes_per_element)
        self._amplitudes = memory.empty(
            batch * scheme.n_stages * len(drives) * memory.real.itemsize
        )
        self._buffers = [
            memory.integers(element), memory.integers(node), memory.integers(starts),
            memory.integers(numbers), memory.reals(rates), self._amplitudes,
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
        self._upload: cl.Event | None = None

    def prepare(self, times: NDArray[np.float64]) -> None:
        """Evaluate the waveforms for steps that begin at these times."""
        stage_times = (times[:, None] + np.array(self._scheme.c) * self._dt).ravel()
        table = np.array([[f(float(t)) for f in self._waveforms] for t in stage_times])
        # Not blocking, so that the device does not run dry; the event keeps the table alive.
        self._upload = cl.enqueue_copy(
            self._memory.queue,
            self._amplitudes,
            table.astype(self._memory.real),
            is_blocking=False,
        )

    def after(self, step: int, stage: int, parity: int) -> None:
        """Add to what a stage has just computed; ``step`` counts from :meth:`prepare`."""
        after = self._after[parity][stage]
        after.set_last(np.int32((step * self._scheme.n_stages + stage) * len(self._waveforms)))
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
        jz = " + ".join(opencl_source(drive.jz, precision) for drive in drives)
        program = design.kernels.compile("formula", jz=jz, uses_bessel="bessel_j(" in jz)
        positions = np.hstack([discretization.x, discretization.y])
        self._positions = memory.reals(interleave(positions, design.lanes))
        self._after = [
            [
                design.kernels.bound(
                    "drive_formula", design.fields, design.residual,
                    *design.traces(stage, parity), *design.constants, self._positions,
                    float(dt), float(scheme.b[stage]), 0.0,
                    items=discretization.n_elements, program=program,
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
