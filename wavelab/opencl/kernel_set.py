"""The kernels of one operator in one shape, compiled, with the matrices they need."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyopencl as cl

from wavelab.opencl.layout import KernelShape, face_slots, pack_rows, pack_shares
from wavelab.opencl.maxwell_tm import COEFFICIENTS, MATERIAL, METRIC
from wavelab.opencl.memory import DeviceMemory
from wavelab.opencl.program import build, render
from wavelab.opencl.shapes import kernel_shape
from wavelab.opencl.state import DeviceState
from wavelab.physics.maxwell_tm import MaxwellTM


class KernelSet:
    """Makes kernels with arguments bound, and launches them.

    Attributes
    ----------
    shape : how the kernels are laid over the device.
    n_traces : numbers that each face node publishes.

    Raises
    ------
    DeviceError : the driver's compiler fails.
    """

    def __init__(
        self, operator: MaxwellTM, memory: DeviceMemory, shape: KernelShape | None = None
    ) -> None:
        d, element = operator.discretization, operator.discretization.element
        # The upwind flux needs one outgoing wave per face node where others need two fields.
        rank_one = operator.upwinding == 1
        self.n_traces = 1 if rank_one else 2
        self.shape = shape or kernel_shape(
            memory.device,
            order=element.order,
            n_fluxes=self.n_traces,
            real=memory.real,
        )
        self._names = {
            "shape": self.shape,
            "real": {np.float32: "float", np.float64: "double"}[memory.real.type],
            "rank_one": rank_one,
            "nodes_per_element": element.nodes_per_element,
            "nodes_per_face": element.nodes_per_face,
            "face_nodes": element.face_nodes,
            "face_slots": face_slots(element.face_nodes, element.nodes_per_element),
            "coefficients": COEFFICIENTS,
            "metric": METRIC,
            "material": MATERIAL,
            "compact": self.shape.unrolled,
            "derivatives": {"r": element.diff_r, "s": element.diff_s},
            "lift": element.lift,
        }
        self._memory = memory
        self._n_elements = d.n_elements
        self._upwinding = float(operator.upwinding)
        self._program = self.compile("stepper")
        derivatives, lift = [element.diff_r, element.diff_s], [element.lift]
        self._matrices = tuple(
            memory.reals(matrix)
            for matrix in {
                "buffer": lambda: [pack_rows(m, self.shape.tile) for m in (derivatives, lift)],
                "constant": lambda: [pack_shares(m, self.shape.rows) for m in (derivatives, lift)],
                "literal": lambda: [],
            }[self.shape.matrices]()
        )
        self.mass = memory.reals(element.mass)

    def compile(self, template: str, **names: Any) -> cl.Program:
        """A program from a template, for the same element, precision and shape."""
        return build(self._memory.context, render(template, **self._names, **names))

    def bound(
        self, name: str, *arguments: cl.Buffer | float | int, program: cl.Program | None = None
    ) -> cl.Kernel:
        """A kernel object of its own with its arguments set, once and for all launches.

        Setting a dozen arguments costs more than a launch does.

        Parameters
        ----------
        arguments : float for a ``real``, int for an ``int`` parameter of the kernel.
        """
        with self._memory.guarded():
            kernel = cl.Kernel(program or self._program, name)
            for i, argument in enumerate(arguments):
                if isinstance(argument, float):
                    argument = self._memory.real.type(argument)
                elif isinstance(argument, int):
                    argument = np.int32(argument)
                kernel.set_arg(i, argument)
        return kernel

    def stage(
        self,
        state: DeviceState,
        traces: cl.Buffer,
        new_traces: cl.Buffer,
        *,
        dt: float,
        a: float,
        b: float,
        keep_residual: bool,
    ) -> cl.Kernel:
        """residual = a residual + dt rate;  fields += b residual;  new traces.

        With a = 0 the residual is not read; it is written if ``keep_residual``.
        """
        return self.bound(
            "stage", state.fields, state.residual, traces, new_traces,
            *state.constants, state.outside, *self._matrices,
            self._upwinding, float(dt), float(a), float(b), int(keep_residual),
        )  # fmt: skip

    def publish(self, state: DeviceState, traces: cl.Buffer) -> cl.Kernel:
        """The traces of the fields."""
        return self.bound("publish", state.fields, traces, *state.constants)

    def launch(self, kernel: cl.Kernel, n_items: int | None = None) -> None:
        """Queue a kernel over the blocks of all elements, or over ``n_items`` work items."""
        if n_items is None:
            size, local = self.shape.global_size(self._n_elements), self.shape.local_size
        else:
            size, local = (n_items,), None
        event = cl.enqueue_nd_range_kernel(self._memory.queue, kernel, size, local)
        if self._memory.recorder is not None:
            self._memory.recorder.launched(kernel, event)
