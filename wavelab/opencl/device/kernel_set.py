"""The compiled kernels of a variant, and how to launch them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyopencl as cl

from wavelab.opencl.device.invokers import remember_invokers
from wavelab.opencl.device.launch import Argument, Launch, StepLength
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.device.program import build, render

remember_invokers()

#: Work items of a group where they have nothing in common.
GROUP_OF_ALL = 64


class KernelSet:
    """Makes kernels with arguments bound, and launches them.

    Parameters
    ----------
    names : what the templates of a variant refer to.

    Attributes
    ----------
    step_part : how much of a step is done by what is launched.
    stretch : how long a step is, of those it had when the first kernels were made.

    Raises
    ------
    DeviceError : the driver's compiler fails.
    """

    def __init__(self, memory: DeviceMemory, names: Mapping[str, Any]) -> None:
        self._memory, self._names = memory, names
        self.step_part = self.stretch = 1.0
        self._sources: dict[cl.Program, str] = {}
        self._recorded: list[Launch] | None = None
        self._program = self.compile("stepper")

    def compile(self, template: str, **names: Any) -> cl.Program:
        """A program from a template, for the same variant, element and precision."""
        source = render(template, **self._names, **names)
        program = build(self._memory.context, source, self._memory.device)
        self._sources[program] = source
        return program

    def bound(
        self,
        name: str,
        *arguments: Argument,
        items: int,
        group: int | None = None,
        program: cl.Program | None = None,
    ) -> Launch:
        """A kernel with its arguments.

        Parameters
        ----------
        items : work items.
        group : work items of a group; None where they have none in common.  How many there are is
            then the first argument, ``n_items``, for there may be a few more of them: groups have
            one size whatever that number is, so that drivers compile a kernel once.
        """
        program = program or self._program
        count = None
        if group is None:
            count, arguments = items, (items, *arguments)
            group = min(GROUP_OF_ALL, self._memory.device.max_work_group_size)
            items = -(-items // group) * group
        sized = tuple(map(self._sized, arguments))
        with self._memory.guarded():
            kernel = cl.Kernel(program, name)
            for i, argument in enumerate(sized):
                kernel.set_arg(i, argument)
        lengths = tuple(
            (i, argument / self.stretch)
            for i, argument in enumerate(arguments)
            if isinstance(argument, StepLength)
        )
        return Launch(
            kernel, (items,), (group,), lengths, self._memory.real.type, sized,
            self._sources.get(program, ""), count, [self.stretch],
        )  # fmt: skip

    @contextmanager
    def recording(self) -> Iterator[list[Launch]]:
        """What is launched meanwhile is listed and not queued."""
        before, self._recorded = self._recorded, []
        try:
            yield self._recorded
        finally:
            self._recorded = before

    def launch(self, *launches: Launch) -> None:
        """Queue kernels, one after the other."""
        if self._recorded is not None:
            self._recorded += launches
            return
        queue, profile = self._memory.queue, self._memory.profile
        part = self.step_part * self.stretch
        for launch in launches:
            launch.set_part(part)
            if profile is None:
                launch.enqueue(queue)
            else:
                profile.launched(launch.kernel, launch.enqueue_with_event(queue))

    def _sized(self, argument: Argument) -> cl.Buffer | np.floating | np.int32:
        """With the number of bytes that the kernel expects."""
        if isinstance(argument, float):
            return self._memory.real.type(argument)
        return np.int32(argument) if isinstance(argument, int) else argument
