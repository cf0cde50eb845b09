"""A kernel with its arguments, ready to be queued, and queueing without events.

pyopencl asks for an event with every kernel, and then drivers have the device announce the end of
each before the next may begin: on an H100 that is 2 of 15 microseconds of a stage of 51,200
elements (order 4).  Nobody waits for a single kernel here.  So where the OpenCL library that
pyopencl has loaded can be reached, its function is called with no event asked for.  And as a source
has another amplitude at every stage, so is the one that sets an argument, which pyopencl packs anew
each time: with that a quarter of the time went that it takes to queue a small driven scene.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

import numpy as np
import pyopencl as cl

#: Of a kernel: float for a ``real``, int for an ``int`` parameter.
Argument = cl.Buffer | float | int


class StepLength(float):
    """An argument that is the time step or a part of it, and shorter where a step is cut."""


@dataclass(frozen=True)
class Launch:
    """A kernel object of its own with its arguments set, and the work items it runs over.

    Setting a dozen arguments costs more than a launch does, so it is done once for all launches.

    Attributes
    ----------
    items : work items along each dimension.
    group : work items of a group along each; None leaves it to the driver.
    lengths : places of arguments that are lengths of steps, and what they are of whole ones.
    real : type of those.
    arguments : as they were set first, of whole steps.
    source : of the kernel.
    count : work items that have something to do, the first argument, where they have no groups in
        common; None where they have.
    """

    kernel: cl.Kernel
    items: tuple[int, ...]
    group: tuple[int, ...] | None
    lengths: tuple[tuple[int, float], ...] = ()
    real: type[np.floating] = np.float64
    arguments: tuple[cl.Buffer | np.number, ...] = field(default=(), repr=False)
    source: str = field(default="", repr=False)
    count: int | None = None
    #: Of a step, as the arguments are now; one for all launches of the kernel object.
    _part: list[float] = field(default_factory=lambda: [1.0], compare=False, repr=False)

    def set_part(self, part: float) -> None:
        """Let it do so much of a step, in the launches to come."""
        if self.lengths and part != self._part[0]:
            for place, length in self.lengths:
                self.kernel.set_arg(place, self.real(part * length))
            self._part[0] = part

    def stretched(self, part: float) -> Launch:
        """The same with the arguments that it has where it does so much of a step."""
        if not self.lengths:
            return self
        lengths = {place: self.real(part * length) for place, length in self.lengths}
        arguments = [lengths.get(place, of) for place, of in enumerate(self.arguments)]
        return replace(self, arguments=tuple(arguments))

    def over(self, count: int) -> Launch:
        """The same, over another number of work items that have no groups in common."""
        assert self.group is not None
        (group,) = self.group
        number = np.int32(count)
        self.kernel.set_arg(0, number)
        arguments = (number, *self.arguments[1:])
        items = (-(-count // group) * group,)
        return replace(self, items=items, count=count, arguments=arguments)

    def set_last(self, argument: np.number) -> None:
        """Change the last argument, for the launches to come."""
        setter = _plain_function("clSetKernelArg")
        kernel, last = self._last_place
        if setter is None or setter(kernel, last, argument.itemsize, argument.tobytes()) != 0:
            self.kernel.set_arg(last, argument)

    def enqueue(self, queue: cl.CommandQueue) -> None:
        """Queue it after all that was queued before."""
        plainly = _plain_function("clEnqueueNDRangeKernel")
        if plainly is None or plainly(queue.int_ptr, *self._plain_arguments) != 0:
            # Once more where that failed: pyopencl has the words for the error.
            self.enqueue_with_event(queue)

    def enqueue_with_event(self, queue: cl.CommandQueue) -> cl.Event:
        """The same, with an event to wait for or to ask for times."""
        return cl.enqueue_nd_range_kernel(queue, self.kernel, self.items, self.group)

    @cached_property
    def _last_place(self) -> tuple[int, int]:
        """What clSetKernelArg calls the last argument."""
        return self.kernel.int_ptr, self.kernel.num_args - 1

    @cached_property
    def _plain_arguments(self) -> tuple[object, ...]:
        """What follows the queue in clEnqueueNDRangeKernel: no offset, no events."""
        sizes = ctypes.c_size_t * len(self.items)
        group = None if self.group is None else sizes(*self.group)
        return (
            self.kernel.int_ptr,
            len(self.items),
            None,
            sizes(*self.items),
            group,
            0,
            None,
            None,
        )


_POINTER = ctypes.c_void_p
#: Parameters of the functions of OpenCL that are called here; all give an error code, 0 for none.
_PARAMETERS = {
    "clEnqueueNDRangeKernel": (
        _POINTER, _POINTER, ctypes.c_uint, _POINTER, _POINTER, _POINTER, ctypes.c_uint, _POINTER,
        _POINTER,
    ),
    "clSetKernelArg": (_POINTER, ctypes.c_uint, ctypes.c_size_t, ctypes.c_char_p),
}  # fmt: skip


@cache
def _plain_function(name: str) -> Callable[..., int] | None:
    """One of the library that pyopencl uses; None where it is not reached.

    A handle to pyopencl's extension module finds what the module is linked to, on systems where
    such a lookup follows dependencies (all but Windows).
    """
    try:
        function = getattr(ctypes.CDLL(sys.modules["pyopencl._cl"].__file__), name)
    except (KeyError, OSError, AttributeError):
        return None
    function.argtypes, function.restype = _PARAMETERS[name], ctypes.c_int
    return function
