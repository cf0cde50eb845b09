"""The stepper on an OpenCL device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyopencl as cl

from wavelab.arrays import Array, Indices
from wavelab.numerics.time.pieces import ALWAYS, Piece, StepTimes
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.opencl.changing import Changing
from wavelab.opencl.device.device import usable_device
from wavelab.opencl.device.launch import StepLength
from wavelab.opencl.device.memory import REALS, DeviceMemory
from wavelab.opencl.elements.auxiliary_variables import AuxiliaryVariables
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.extensions.driven_fields import ping_ez, ping_fields
from wavelab.opencl.extensions.extension import StageExtension
from wavelab.opencl.extensions.media import MediaExtension
from wavelab.opencl.extensions.stages import Stages
from wavelab.opencl.persistent.together import Together, groups_for
from wavelab.opencl.variants.variants import DEFAULT_VARIANT, VARIANTS, check_variant
from wavelab.physics.materials.auxiliary_equations import fitting_auxiliary
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.operator import Operator
from wavelab.physics.stepper import TimeScheme
from wavelab.physics.time.step_clock import StepClock
from wavelab.physics.time.time_step import suited_scheme
from wavelab.timeline import NO_TIMELINE, Timeline

#: Steps per batch.  At most two batches are queued, so that whoever wants to stop never waits for
#: more; waveforms and probe samples travel once per batch.
BATCH = 64


class OpenCLStepper(Changing):
    """A :class:`wavelab.physics.stepper.Stepper` on an OpenCL device.

    Parameters
    ----------
    dt : time step.
    scheme : Runge-Kutta scheme; None for the one that suits the operator.
    precision : "single" or "double".
    device : a device, or what :func:`wavelab.opencl.device.device.choose_device` takes.
    variant : of the kernels, one of :data:`wavelab.opencl.variants.variants.VARIANTS`.
    config : how the AoSoA kernels are laid over the device; None takes what was found to be
        fastest, or what suits the device if nothing has been timed.
    timeline : gets every command of the device, if it records.
    sharing : devices that buffers are copied between, this one among them.
    groups : of the device, which take a batch of steps in one launch (``opencl/persistent``); 0 has
        everything launched by itself, None is for as many as suit the device and the mesh.

    Attributes
    ----------
    memory : what it has on the device.

    Raises
    ------
    DeviceError : no such device, no double precision, not enough memory, or the driver fails.
    """

    backend = "opencl"

    def __init__(
        self,
        operator: Operator,
        *,
        dt: float,
        scheme: LowStorageScheme | None = None,
        precision: str = "single",
        device: cl.Device | str | None = None,
        variant: str = DEFAULT_VARIANT,
        config: KernelConfig | None = None,
        timeline: Timeline = NO_TIMELINE,
        sharing: Sequence[cl.Device] = (),
        groups: int | None = None,
    ) -> None:
        self.variant, clock = check_variant(variant), StepClock(dt)
        chosen, real = usable_device(device, precision), REALS[precision]
        self.memory = DeviceMemory(chosen, real, timeline, sharing)
        self.operator, self.dt, self.precision = operator, dt, precision
        self._clock = clock
        self._scheme = scheme or suited_scheme(operator)
        self.device = self.memory.name
        self.opencl_device = self.memory.device
        self.steps = 0
        self._part, self._piece, self._parity = 0.0, ALWAYS, 0
        self._sources = []
        self._local = []
        self._media = None
        try:
            self._set_up(config)
            self._persistent = Together(
                self._around, self._stages, self._groups(groups), beside=groups is None
            )
        except BaseException:
            self.memory.close()
            raise

    def _set_up(self, config: KernelConfig | None) -> None:
        self._variant = VARIANTS[self.variant](self.operator, self.memory, config)
        around = Stages(
            self.operator, StepLength(self.dt), self.precision, BATCH, self._scheme,
            self._variant, self.memory,
        )  # fmt: skip
        if self.operator.media:
            self._media = MediaExtension(around)
        self._observe(around, self._media)
        self._make_stages()
        self.set_fields(self.operator.fields.zeros(self.operator.discretization.shape))

    def _make_stages(self) -> None:
        # Media need the residual after the last stage too, where some variants do not write it.
        self._stages = self._variant.stages(
            self._around.dt, self._scheme, keep_residual=self._media is not None
        )
        if (profile := self.memory.profile) is not None:
            for stage, launches in [s for stages in self._stages for s in enumerate(stages, 1)]:
                for kernel in (launch.kernel for launch in launches):
                    profile.name(kernel, f"{kernel.function_name} {stage}")

    def _groups(self, given: int | None) -> int:
        """Of the device, which take a batch of steps in one launch; 0 for none."""
        return groups_for(self._around) if given is None else given

    def compile_at_once(self) -> None:
        """Before the first steps: have none of them taken until all is compiled, as for timings."""
        self._persistent.beside = False

    @property
    def scheme(self) -> TimeScheme:
        return self._scheme

    @property
    def _extensions(self) -> list[StageExtension]:
        """All that acts around the stages, in the order in which it acts after each."""
        media = [] if self._media is None else [self._media]
        return [*self._sources, *self._local, *media]

    @property
    def _memories(self) -> Sequence[AuxiliaryVariables]:
        """What keeps the variables of each set of auxiliary equations."""
        return [system.kept for system in self._local]

    @property
    def time(self) -> float:
        return float(self._piece.within(self._clock.after(self.steps, self._part)))

    @property
    def config(self) -> KernelConfig | None:
        """How the kernels are laid over the device, if the variant has a choice."""
        return self._variant.config

    def set_clock(self, time: float, steps: int) -> None:
        changed = time != self.time
        self.steps, self._part = steps, 0.0
        self._watch.restart(steps)
        self._clock = self._clock.set_to(time, steps)
        if changed and self._media is not None and self.operator.media.changes:
            self._media.restart(self._variant.get_fields(), self.time)

    def enter(self, piece: Piece) -> None:
        jumped = piece.follows(self._piece)
        self._piece = piece
        if jumped and self._media is not None:
            with self.memory.guarded():
                self._media.jump(float(self._kernel_piece.within(self.time)), self._parity)

    @property
    def _kernel_piece(self) -> Piece:
        return self._piece.narrowed(float(np.finfo(self.memory.real).eps))

    def set_fields(self, fields: Fields) -> None:
        memory = fitting_auxiliary([kept.equations for kept in self._memories], fields.auxiliary)
        self._variant.set_fields(fields, self._parity)
        self._watch.restart(self.steps)
        if self._media is not None:
            self._media.restart(fields, self.time)
        for kept, values in zip(self._memories, memory, strict=True):
            kept.write(values)

    def fields(self) -> Fields:
        self._persistent.check()
        memory = tuple(kept.read() for kept in self._memories)
        return replace(self._variant.get_fields(), auxiliary=memory)

    def _changing(self) -> list[tuple[cl.Buffer, int]]:
        buffers = [self._variant.fields, *self._variant.traces(-1, self._parity)]
        return [(buffer, buffer.size) for buffer in buffers + self._beside_fields()]

    def _beside_fields(self) -> list[cl.Buffer]:
        media = [] if self._media is None else self._media.buffers
        auxiliary = [kept.buffer for kept in self._memories if kept.equations.variables]
        return [*auxiliary, *media, *(sums.sums for sums in self._transforms)]

    def ping(self, nodes: Indices, values: Array) -> None:
        if not len(nodes):
            return
        ping = ping_ez if isinstance(self.operator, MaxwellTM) else ping_fields
        ping(self._around, self._variant.traces(-1, self._parity), nodes, values)
        if self._media is not None:
            self._media.added(nodes, np.asarray(values), self.time, self._parity)

    def advance(self, n_steps: int) -> Array:
        samples = []
        while n_steps > 0:
            # The rest of a step that was begun is one of its own.
            count = 1 if self._part else min(BATCH, n_steps)
            with self.memory.guarded():
                self._enqueue(count)
            samples.append(self._read_probes(count))
            n_steps -= count
        return np.concatenate(samples) if samples else np.empty((n_steps, 0))

    def advance_part(self, part: float) -> None:
        with self.memory.guarded():
            self._prepare(np.array([self._clock.after(self.steps, self._part)]), part)
            self._take_step(0, self._extensions)
            self.memory.end_batch()
        self._part += part

    def _enqueue(self, n_steps: int) -> None:
        """Queue a batch, then wait for the one before."""
        times = self._clock.times(self.steps, n_steps + 1)
        times[0] = self._clock.after(self.steps, self._part)
        self._prepare(times[:-1], 1 - self._part)
        self._prepare_to_look(self._piece.within(times[1:]), self.steps + np.arange(1, n_steps + 1))
        extensions = self._extensions
        if self._persistent.take(n_steps, self._parity, extensions, self._looks):
            self._parity = (self._parity + n_steps * self._scheme.n_stages) % 2
        else:
            for step in range(n_steps):
                self._take_step(step, extensions)
                self._look(step)
        self.steps, self._part = self.steps + n_steps, 0.0
        self.memory.end_batch()

    def _prepare(self, starts: Array, part: float) -> None:
        """Parts of steps, that begin at these times, come next."""
        self._variant.kernels.step_part = part
        steps = StepTimes(starts, part * self.dt, self._kernel_piece)
        for extension in self._extensions:
            extension.prepare(steps)

    def _take_step(self, step: int, extensions: Sequence[StageExtension]) -> None:
        self._queue_step(step, extensions)
        self._parity = (self._parity + self._scheme.n_stages) % 2

    def _queue_step(self, step: int, extensions: Sequence[StageExtension]) -> None:
        for stage, launches in enumerate(self._stages[self._parity]):
            for extension in extensions:
                extension.before(step, stage, self._parity)
            self._variant.kernels.launch(*launches)
            for extension in extensions:
                extension.after(step, stage, self._parity)

    def synchronize(self) -> None:
        self.memory.finish()
        self._persistent.check()

    def right_hand_side(self, fields: Fields) -> Fields:
        """d/dt of any fields without sources, by the kernel that steps.

        For comparison with that of the operator; the
        stepper's own fields stay.
        """
        return self._variant.right_hand_side(fields)

    def close(self) -> None:
        self._readback.close()
        self.memory.close()
