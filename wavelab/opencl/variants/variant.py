"""What a variant of the kernels offers to the stepper."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

import pyopencl as cl

from wavelab.arrays import Indices
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.opencl.device.kernel_set import KernelSet
from wavelab.opencl.device.launch import Launch
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.elements.curved import CurvedElementKernels
from wavelab.opencl.elements.equations import equations_of
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.operator import Operator

T = TypeVar("T")


def by_parity(n_stages: int, make: Callable[[int], T]) -> list[T]:
    """What is made for each parity of steps; where their number of stages is even, all steps have
    parity 0, and to make as many kernels again would take as long again."""
    made = [make(parity) for parity in range(1 + n_stages % 2)]
    return made * (2 // len(made))


class Placement(ABC):
    """How the fields of an operator lie on a device: what those see that act around the stages.

    A step may use two sets of buffers in turn, and changes their roles where its number of stages
    is odd; ``parity`` is 0 or 1 and counts the steps.

    Attributes
    ----------
    config : of the kernels, if there is a choice of them.
    kernels : compiled for this layout, with those for views, energies, probes and sources.
    lanes : elements side by side, for :func:`wavelab.opencl.elements.layout.interleave`.
    fields : as the kernels take them.
    residual : that of the Runge-Kutta scheme, laid out like the fields.
    constants : metric terms and materials, as the kernels take them.
    curved : the elements that have matrices of their own.
    """

    config: KernelConfig | None
    kernels: KernelSet
    lanes: int
    fields: cl.Buffer
    residual: cl.Buffer
    constants: tuple[cl.Buffer, ...]
    curved: CurvedElementKernels

    @abstractmethod
    def traces(self, stage: int, parity: int) -> tuple[cl.Buffer, ...]:
        """What must follow if the fields are changed after a stage: one buffer or none.

        Stage -1 is the moment before the step.
        """


class KernelVariant(Placement):
    """How one operator lies on a device, and the kernels of one step."""

    @abstractmethod
    def stages(
        self, dt: float, scheme: LowStorageScheme, *, keep_residual: bool = False
    ) -> list[list[list[Launch]]]:
        """Launches of each stage of a step, by parity.

        Parameters
        ----------
        keep_residual : have it right after the last stage too, where the next step does not need
            it.
        """

    def change(self, operator: Operator, parity: int) -> bool:
        """Go on with the numbers of another operator on the same nodes, from before a step, as far
        as they lie in buffers: :meth:`stages` takes the upwinding.  False if there are other
        kernels for it or no room, and nothing has changed."""
        return False

    @abstractmethod
    def set_fields(self, fields: Fields, parity: int) -> None:
        """Replace the fields before a step.  The residual needs no reset: the first stage does not
        read it."""

    @abstractmethod
    def get_fields(self) -> Fields:
        """The fields now, in double precision."""

    @abstractmethod
    def right_hand_side(self, fields: Fields) -> Fields:
        """d/dt of any fields, by the kernels that step; the fields on the device stay."""


def element_names(operator: Operator, memory: DeviceMemory) -> dict[str, Any]:
    """What the templates of every variant refer to."""
    element, equations = operator.discretization.element, equations_of(operator)
    return {
        "equations": equations.template,
        "driving": equations.driving,
        "real": memory.real_name,
        "nodes_per_element": element.nodes_per_element,
        "nodes_per_face": element.nodes_per_face,
        "coefficients": equations.coefficients,
        "metric": equations.metric,
        "material": equations.material,
    }


def published_anew(
    elements: Indices, variant: Placement, traces: tuple[cl.Buffer, ...]
) -> list[Launch]:
    """What must follow if the fields of some elements were changed after a stage, and with them
    the traces: a node of a curved element has a part in all of a face."""
    if not traces or elements.max(initial=-1) < variant.curved.first:
        return []
    return variant.curved.publish(variant.kernels, variant.fields, *traces, *variant.constants)
