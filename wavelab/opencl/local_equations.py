"""Local equations on the device: two small kernels around each stage, over their elements."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.numerics.runge_kutta import LowStorageScheme
from wavelab.opencl.design import Design, published_anew
from wavelab.opencl.extension import StageExtension
from wavelab.opencl.formula import opencl_source
from wavelab.opencl.kernel_set import Launch
from wavelab.opencl.memory import DeviceMemory
from wavelab.physics.local_equations import LocalEquations

_GROUP = 64


class LocalSystem(StageExtension):
    """One :class:`LocalEquations`; the memory starts at 0.

    Before a stage, a kernel computes from the old fields what has to be added to them and advances
    the memory; after the stage, another adds it.

    Parameters
    ----------
    precision : "single" or "double".

    Raises
    ------
    FormulaError : a number in a formula does not fit into single precision.
    """

    def __init__(
        self,
        equations: LocalEquations,
        dt: float,
        precision: str,
        scheme: LowStorageScheme,
        design: Design,
        memory: DeviceMemory,
    ) -> None:
        self.equations = equations
        self._kernels, self._device = design.kernels, memory
        self._shape = n_memory, n_elements, n_nodes = equations.shape
        driven = equations.driven
        program = design.kernels.compile(
            "local",
            local_coefficients=list(equations.coefficients),
            local_memory=list(equations.memory),
            driven=list(driven),
            rates={n: opencl_source(f, precision) for n, f in equations.rates.items()},
        )
        size = n_elements * n_nodes * memory.real.itemsize
        elements = memory.integers(equations.elements)
        constant = memory.reals(_by_node(np.array(list(equations.coefficients.values()))))
        self._memory = memory.reals(np.zeros(n_memory * n_elements * n_nodes))
        residual, extra = memory.empty(n_memory * size), memory.empty(len(driven) * size)
        self._buffers = [elements, constant, self._memory, residual, extra]
        group = min(_GROUP, memory.device.max_work_group_size)
        items = -(-n_elements * n_nodes // group) * group

        def bound(name: str, *arguments: object) -> Launch:
            return design.kernels.bound(
                name, design.fields, *arguments, items=items, group=group, program=program
            )  # type: ignore[arg-type]

        self._before = [
            bound(
                "look", constant, self._memory, residual, extra, elements, n_elements,
                float(dt), float(a), float(b),
            )
            for a, b in zip(scheme.a, scheme.b, strict=True)
        ]  # fmt: skip
        self._after = [
            [
                [
                    bound(
                        "add_extra", design.residual, *design.traces(stage, parity),
                        *design.constants, extra, elements, n_elements, float(scheme.b[stage]),
                    ),
                    *published_anew(equations.elements, design, design.traces(stage, parity)),
                ]
                for stage in range(scheme.n_stages)
            ]
            for parity in (0, 1)
        ]  # fmt: skip

    def before(self, step: int, stage: int, parity: int) -> None:
        """Look at the old fields, and advance the memory."""
        self._kernels.launch(self._before[stage])

    def after(self, step: int, stage: int, parity: int) -> None:
        """Add what was found to residual, fields and traces."""
        self._kernels.launch(*self._after[parity][stage])

    def read(self) -> NDArray[np.float64]:
        """The memory, (n_memory, n, nodes_per_element)."""
        n_memory, n_elements, n_nodes = self._shape
        shape = (n_memory, n_nodes, n_elements)
        if not n_memory:
            return np.zeros(self._shape)
        values = self._device.read(self._memory, shape, self._device.real)
        return np.ascontiguousarray(values.transpose(0, 2, 1), dtype=np.float64)

    def write(self, values: NDArray[np.float64]) -> None:
        """Replace the memory."""
        if values.size:
            self._device.write(self._memory, _by_node(values))

    def release(self) -> None:
        """Free the device memory."""
        self._device.free(*self._buffers)


def _by_node(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """(entry, element, node) to (entry, node, element): neighbouring work items take neighbouring
    elements, and those lie side by side in the fields."""
    return np.ascontiguousarray(values.transpose(0, 2, 1))
