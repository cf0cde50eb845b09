"""The stepper on an OpenCL device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.errors import DeviceError, WavelabError
from wavelab.numerics.runge_kutta import LSERK_A, LSERK_B, N_STAGES
from wavelab.opencl.device import choose_device, has_double
from wavelab.opencl.kernel_set import KernelSet
from wavelab.opencl.layout import KernelShape
from wavelab.opencl.memory import DeviceMemory
from wavelab.opencl.readback import ProbeSampler, Readback
from wavelab.opencl.sources import FormulaSources, NodalSources
from wavelab.opencl.state import next_parity, packed, unpacked, upload
from wavelab.physics.drives import Drive, FormulaDrive, NodalDrive
from wavelab.physics.fields import Fields
from wavelab.physics.maxwell_tm import MaxwellTM
from wavelab.physics.probe_points import ProbePoints
from wavelab.timeline import NO_TIMELINE, Timeline

Array = NDArray[np.float64]

#: Steps per batch.  At most two batches are queued, so that whoever wants to stop never waits for
#: more; waveforms and probe samples travel once per batch.
BATCH = 64

_REALS: dict[str, type[np.floating]] = {"single": np.float32, "double": np.float64}


class OpenCLStepper:
    """A :class:`wavelab.physics.stepper.Stepper` on an OpenCL device.

    Parameters
    ----------
    dt : time step.
    precision : "single" or "double".
    device : a device, or what :func:`wavelab.opencl.device.choose_device` takes.
    shape : how the kernels are laid over the device; None takes what suits it.
    timeline : gets every command of the device, if it records.

    Raises
    ------
    DeviceError : no such device, no double precision, not enough memory, or the driver fails.
    """

    backend = "opencl"

    def __init__(
        self,
        operator: MaxwellTM,
        *,
        dt: float,
        precision: str = "single",
        device: cl.Device | str | None = None,
        shape: KernelShape | None = None,
        timeline: Timeline = NO_TIMELINE,
    ) -> None:
        self._memory = DeviceMemory(
            _checked_device(dt, precision, device), _REALS[precision], timeline
        )
        self.operator, self.dt, self.precision = operator, dt, precision
        self.device = self._memory.name
        self.steps = 0
        self._clock_set = (0.0, 0)
        self._parity = 0
        self._sources: list[NodalSources | FormulaSources] = []
        self._sampler: ProbeSampler | None = None
        self._batch_done: cl.Event | None = None
        try:
            self._set_up(shape)
        except BaseException:
            self._memory.close()
            raise

    def _set_up(self, shape: KernelShape | None) -> None:
        d = self.operator.discretization
        self._kernels = kernels = KernelSet(self.operator, self._memory, shape)
        self._state = state = upload(self.operator, kernels.n_traces, kernels.shape, self._memory)
        self._stages = [
            [
                kernels.stage(
                    state, state.read_by(s, parity), state.written_by(s, parity),
                    dt=self.dt, a=LSERK_A[s], b=LSERK_B[s], keep_residual=s < N_STAGES - 1,
                )
                for s in range(N_STAGES)
            ]
            for parity in (0, 1)
        ]  # fmt: skip
        if (recorder := self._memory.recorder) is not None:
            for stage, kernel in [s for stages in self._stages for s in enumerate(stages, 1)]:
                recorder.name(kernel, f"stage {stage}")
        self._publish = [kernels.publish(state, state.read_by(0, parity)) for parity in (0, 1)]
        self._readback = Readback(d.shape, kernels, state, self._memory)
        self.set_fields(Fields.zeros(d.shape))

    @property
    def time(self) -> float:
        """Simulated time."""
        # Multiplied, not accumulated: a million additions of dt would drift.
        time, steps = self._clock_set
        return time + (self.steps - steps) * self.dt

    def set_clock(self, time: float, steps: int) -> None:
        """Go on from this time and step count."""
        self.steps = steps
        self._clock_set = (time, steps)

    def set_fields(self, fields: Fields) -> None:
        """Replace the fields.  The residual needs no reset: the first stage does not read it."""
        self._memory.write(self._state.fields, packed(fields, self._kernels.shape.lanes))
        with self._memory.guarded():
            self._kernels.launch(self._publish[self._parity])

    def fields(self) -> Fields:
        """The fields now, in double precision."""
        return self._download(self._state.fields)

    def set_drives(self, drives: Sequence[Drive]) -> None:
        """Replace all sources.

        Raises
        ------
        FormulaError : a number in a formula does not fit into single precision.
        """
        d = self.operator.discretization
        common = (self._kernels, self._state, self._memory)
        nodal = [x for x in drives if isinstance(x, NodalDrive) and len(x.nodes)]
        formulas = [x for x in drives if isinstance(x, FormulaDrive)]
        sources: list[NodalSources | FormulaSources] = []
        if formulas:
            sources.append(FormulaSources(formulas, d, self.dt, self.precision, *common))
        if nodal:
            sources.append(NodalSources(nodal, d.nodes_per_element, self.dt, BATCH, *common))
        for old in self._sources:
            old.release()
        self._sources = sources

    def set_probes(self, probes: ProbePoints) -> None:
        """Replace all probes."""
        if self._sampler is not None:
            self._sampler.release()
        self._sampler = (
            ProbeSampler(probes, BATCH, self._kernels, self._state, self._memory)
            if len(probes)
            else None
        )

    def add_to_ez(self, nodes: NDArray[np.int64], values: Array) -> None:
        """Ez[nodes] += values; nodes are distinct flat indices."""
        if not len(nodes):
            return
        memory, state = self._memory, self._state
        element, node = np.divmod(nodes, self.operator.discretization.nodes_per_element)
        given = (memory.integers(element), memory.integers(node), memory.reals(values))
        traces = state.read_by(0, self._parity)
        with memory.guarded():
            kernel = self._kernels.bound("bump_nodes", state.fields, traces, *given)
            self._kernels.launch(kernel, len(nodes))
            memory.queue.finish()
        memory.free(*given)

    def advance(self, n_steps: int) -> Array:
        """Take steps; returns Ez at the probes after each, (n_steps, n_probes)."""
        samples = []
        for first in range(0, n_steps, BATCH):
            count = min(BATCH, n_steps - first)
            with self._memory.guarded():
                self._enqueue(count)
            if self._sampler is not None:
                samples.append(self._sampler.read(count))
        return np.concatenate(samples) if samples else np.empty((n_steps, 0))

    def _enqueue(self, n_steps: int) -> None:
        """Queue a batch, then wait for the one before."""
        # From the clock's origin: rounding must not depend on how steps are batched.
        origin, first = self._clock_set
        times = origin + (self.steps - first + np.arange(n_steps, dtype=np.float64)) * self.dt
        for source in self._sources:
            source.prepare(times)
        for step in range(n_steps):
            for stage, kernel in enumerate(self._stages[self._parity]):
                self._kernels.launch(kernel)
                for source in self._sources:
                    source.enqueue(step, stage, self._parity)
            if self._sampler is not None:
                self._sampler.enqueue(step)
            self._parity = next_parity(self._parity)
        self.steps += n_steps
        before, self._batch_done = self._batch_done, cl.enqueue_marker(self._memory.queue)
        self._memory.queue.flush()
        if before is not None:
            before.wait()
        if self._memory.recorder is not None:
            self._memory.recorder.collect()

    def synchronize(self) -> None:
        """Wait until everything asked of the device is done."""
        with self._memory.guarded():
            self._memory.queue.finish()
            if self._memory.recorder is not None:
                self._memory.recorder.collect()

    def view(self, quantity: str) -> NDArray[np.float32]:
        """(n_elements, nodes_per_element) nodal values of one of ``QUANTITIES``."""
        return self._readback.view(quantity)

    def element_energy(self) -> Array:
        """(n_elements,) integral of the energy density over each element."""
        return self._readback.element_energy()

    def right_hand_side(self, fields: Fields) -> Fields:
        """d(hx, hy, ez)/dt of any fields without sources, by the kernel that steps.

        For comparison with :func:`wavelab.physics.maxwell_tm.right_hand_side`; the stepper's own
        fields stay.
        """
        memory, kernels = self._memory, self._kernels
        given = memory.reals(packed(fields, kernels.shape.lanes))
        traces = [memory.empty(self._state.traces[0].size) for _ in range(2)]
        state = replace(self._state, fields=given)
        # Without the residual before (a = 0) and with dt = 1, a stage leaves the rate of change
        # in the residual, where no step looks for it.
        stage = kernels.stage(state, *traces, dt=1.0, a=0.0, b=0.0, keep_residual=True)
        with memory.guarded():
            kernels.launch(kernels.publish(state, traces[0]))
            kernels.launch(stage)
        rates = self._download(state.residual)
        memory.free(given, *traces)
        return rates

    def close(self) -> None:
        """Release the device memory; the stepper is not usable afterwards."""
        self._memory.close()

    def _download(self, buffer: cl.Buffer) -> Fields:
        d, lanes = self.operator.discretization, self._kernels.shape.lanes
        shape = (self._kernels.shape.n_blocks(d.n_elements), 3 * d.nodes_per_element, lanes)
        return unpacked(self._memory.read(buffer, shape, self._memory.real), d.n_elements)


def _checked_device(dt: float, precision: str, device: cl.Device | str | None) -> cl.Device:
    if precision not in _REALS:
        raise WavelabError(
            f'there is no precision "{precision}"', remedy='Use "single" or "double".'
        )
    if not (np.isfinite(dt) and dt > 0):
        raise WavelabError(f"the time step is {dt}", remedy="It must be a positive number.")
    if not isinstance(device, cl.Device):
        return choose_device(device, precision=precision)
    if precision == "double" and not has_double(device):
        raise DeviceError(
            "it cannot compute in double precision",
            where=device.name.strip(),
            remedy="Use single precision, another device, or the NumPy backend.",
        )
    return device
