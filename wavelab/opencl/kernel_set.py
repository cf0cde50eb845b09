"""Compiled kernels with their arguments, and how to launch them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyopencl as cl

from wavelab.opencl.memory import DeviceMemory
from wavelab.opencl.program import build, render


@dataclass(frozen=True)
class Launch:
    """A kernel object of its own with its arguments set, and the work items it runs over.

    Setting a dozen arguments costs more than a launch does, so it is done once for all launches.
    """

    kernel: cl.Kernel
    items: tuple[int]
    group: tuple[int] | None

    def set_last(self, argument: np.number) -> None:
        """Change the last argument, for the launches to come."""
        self.kernel.set_arg(self.kernel.num_args - 1, argument)


class KernelSet:
    """Makes kernels with arguments bound, and launches them.

    Parameters
    ----------
    names : what the templates of a design refer to.

    Raises
    ------
    DeviceError : the driver's compiler fails.
    """

    def __init__(self, memory: DeviceMemory, names: Mapping[str, Any]) -> None:
        self._memory, self._names = memory, names
        self._program = self.compile("stepper")

    def compile(self, template: str, **names: Any) -> cl.Program:
        """A program from a template, for the same design, element and precision."""
        return build(self._memory.context, render(template, **self._names, **names))

    def bound(
        self,
        name: str,
        *arguments: cl.Buffer | float | int,
        items: int,
        group: int | None = None,
        program: cl.Program | None = None,
    ) -> Launch:
        """A kernel with its arguments.

        Parameters
        ----------
        arguments : float for a ``real``, int for an ``int`` parameter of the kernel.
        items : work items.
        group : work items of a group; None leaves it to the driver.
        """
        with self._memory.guarded():
            kernel = cl.Kernel(program or self._program, name)
            for i, argument in enumerate(arguments):
                if isinstance(argument, float):
                    argument = self._memory.real.type(argument)
                elif isinstance(argument, int):
                    argument = np.int32(argument)
                kernel.set_arg(i, argument)
        return Launch(kernel, (items,), None if group is None else (group,))

    def launch(self, *launches: Launch) -> None:
        """Queue kernels, one after the other."""
        queue, recorder = self._memory.queue, self._memory.recorder
        for launch in launches:
            event = cl.enqueue_nd_range_kernel(queue, launch.kernel, launch.items, launch.group)
            if recorder is not None:
                recorder.launched(launch.kernel, event)
