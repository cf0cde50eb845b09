"""Batches of steps in one launch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices
from wavelab.opencl.device.kernel_set import KernelSet
from wavelab.opencl.device.launch import Launch
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.extensions.stages import Stages
from wavelab.opencl.persistent.building import Building
from wavelab.opencl.persistent.program import last_kind, program_of
from wavelab.opencl.persistent.schedule import schedule
from wavelab.opencl.persistent.sites import Site, TooManyGroupsError
from wavelab.opencl.persistent.touched import Reader, decides, touched_by

#: Looks at a counter, of 0.5 us or more, until a group gives up waiting for others: on trial, and
#: at work, where another program may have the device for a while.
_TRIAL, _PATIENCE = 1 << 14, 1 << 24
_WORD = np.dtype(np.int32)
#: Bytes by which arrays in local memory may be apart, and of which the place of one is a multiple.
_GAPS, _ALIGNED = 256, 32


class PersistentSteps:
    """The steps of one stepper, with what acts around its stages as it is now.

    Parameters
    ----------
    sites : all that is launched: in every stage, then after every step.
    n_groups : of the device, at most.
    beside : whether it may be compiled while other things go on; see :attr:`ready`.

    Raises
    ------
    NotPersistentError : something does not fit in.
    """

    def __init__(
        self, sites: Sequence[Site], stages: Stages, *, n_groups: int, beside: bool
    ) -> None:
        memory, config = stages.memory, stages.variant.config
        assert config is not None
        self._memory: DeviceMemory = memory
        self._kernels: KernelSet = stages.variant.kernels
        self._sites, self._n_stages = sites, stages.scheme.n_stages
        touched = [touched_by(Reader(site, config.lanes, memory)) for site in sites]
        n_units = [site.n_units for site in sites]
        self._group = max(site.group for site in sites)
        deciding = sorted(range(len(sites)), key=lambda i: decides(sites[i]))
        useful = sum(n_units[i] for i in deciding if sites[i].kernel in ("stage", "dense_elements"))
        self._n_groups = max(1, min(n_groups, useful))
        in_stages = sum(site.in_stages for site in sites)
        self._program = program_of(
            sites, schedule(touched, n_units, self._n_groups, deciding, in_stages),
            real=memory.real_name, group=self._group, n_stages=self._n_stages,
            local_bytes=[self._local_bytes(site) for site in sites],
        )  # fmt: skip
        self._batch = stages.batch
        self._building = Building.of(
            memory.context, self._program.source, memory.device, beside=beside
        )
        self._launch: Launch | None = None
        self._buffers: list[cl.Buffer] = []
        self._uploads: list[NDArray] = []

    def _local_bytes(self, site: Site) -> int:
        what = cl.kernel_work_group_info.LOCAL_MEM_SIZE
        with self._memory.guarded():
            found = site.first.kernel.get_work_group_info(what, self._memory.device)
        return -(-(cast(int, found) + _GAPS) // _ALIGNED) * _ALIGNED

    def ready(self) -> bool:
        """Whether :meth:`take` can be called.

        Raises
        ------
        DeviceError : the compiler refuses.
        TooManyGroupsError : the groups do not all run at the same time.
        """
        if self._launch is None and self._building.done:
            self._set_up(self._building.program())
        return self._launch is not None

    def _set_up(self, program: cl.Program) -> None:
        """Give the kernel its arguments, and try it."""
        memory, plan = self._memory, self._program
        with memory.whole():
            tables = [
                memory.reals(plan.reals), memory.integers(plan.integers),
                memory.integers(plan.units), memory.integers(plan.starts),
            ]  # fmt: skip
            real = memory.real.itemsize
            self._lasts = {
                kind: memory.empty(self._batch * self._row_length(*kind) * size)
                for kind, size in (((True, "int"), 4), ((True, "real"), real), ((False, "int"), 4))
            }
            self._met = memory.integers(np.zeros(2))
        self._buffers = [*tables, *self._lasts.values(), self._met]
        arguments: tuple[cl.Buffer | np.int32, ...] = (
            *plan.buffers, *self._buffers[:-1], np.int32(plan.units.shape[1]), self._met,
            np.int32(0), np.int32(0), np.int32(_TRIAL),
        )  # fmt: skip
        with memory.guarded():
            kernel = cl.Kernel(program, "take_steps")
            for place, argument in enumerate(arguments):
                kernel.set_arg(place, argument)
            self._first_number = len(arguments) - 3
            launch = Launch(kernel, (self._n_groups * self._group,), (self._group,))
            # All groups meet and do nothing.
            self._queue(launch, 0, 0)
            if self._gave_up():
                raise TooManyGroupsError("the groups of a kernel do not all run at the same time")
            kernel.set_arg(self._first_number + 2, np.int32(_PATIENCE))
        self._launch = launch

    def _row_length(self, in_stages: bool, kind: str) -> int:
        """Of a table of last arguments, for a step."""
        alike = [s for s in self._sites if (s.in_stages, last_kind(s)) == (in_stages, kind)]
        return len(alike) * (self._n_stages if in_stages else 1)

    def _gave_up(self) -> bool:
        return bool(self._memory.read(self._met, (2,), _WORD)[1])

    @property
    def lost(self) -> bool:
        """Whether groups waited for each other in vain; waits until all is done."""
        return self._launch is not None and self._gave_up()

    def take(self, n_steps: int, parity: int, lasts: Sequence[Array | Indices | None]) -> None:
        """Queue steps.

        Parameters
        ----------
        lasts : of each site the last argument, (n_steps, n_stages) or after each step (n_steps,);
            None where it stays.  Negative integers skip what is launched.
        """
        assert self._launch is not None
        self._uploads.clear()
        for (in_stages, kind), buffer in self._lasts.items():
            columns = [
                last
                for site, last in zip(self._sites, lasts, strict=True)
                if last is not None and (site.in_stages, last_kind(site)) == (in_stages, kind)
            ]
            if columns:
                number = self._memory.real if kind == "real" else _WORD
                rows = np.ascontiguousarray(np.stack(columns, axis=-1), dtype=number)
                self._uploads.append(rows)
                cl.enqueue_copy(self._memory.queue, buffer, rows, is_blocking=False)
        self._queue(self._launch, n_steps, parity)

    def _queue(self, launch: Launch, n_steps: int, parity: int) -> None:
        cl.enqueue_fill_buffer(self._memory.queue, self._met, np.zeros(1, _WORD), 0, 4)
        for place, number in enumerate((n_steps, parity), self._first_number):
            launch.kernel.set_arg(place, np.int32(number))
        self._kernels.launch(launch)

    def release(self) -> None:
        """Free the device memory."""
        self._memory.free(*self._buffers)
        self._buffers, self._launch = [], None
