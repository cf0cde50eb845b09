"""The fast variant: elements side by side, and one fused kernel per stage.

A lane of the device is an element.  Volume term, fluxes, lifting and update happen in one kernel,
so that each field passes through memory once per stage.  Neighbours exchange traces.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.arrays import Indices
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.opencl.device.kernel_set import KernelSet
from wavelab.opencl.device.launch import Argument, Launch
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.device.properties import has_matrix_units
from wavelab.opencl.elements.curved import CurvedElementKernels
from wavelab.opencl.elements.equations import equations_of
from wavelab.opencl.elements.even_odd_tiles import EvenOddTiles
from wavelab.opencl.elements.layout import (
    KernelConfig,
    face_slots,
    matrices_of,
    trace_places,
)
from wavelab.opencl.elements.phases import PhasedFaces, PhasedTraces
from wavelab.opencl.elements.state import DeviceState, packed, unpacked, upload
from wavelab.opencl.elements.symmetry import derivative, face_lift, orbits, swapped_nodes
from wavelab.opencl.variants.configs import blocks_each
from wavelab.opencl.variants.tuned import best_config
from wavelab.opencl.variants.variant import KernelVariant, by_parity, element_names
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.operator import Operator

#: Template of the stage kernel, by how matrices reach it.
_STAGE = {
    "buffer": "stage",
    "literal": "stage_unrolled",
    "even_odd_cpu": "stage_even_odd_cpu",
    "even_odd_gpu": "stage_even_odd_gpu",
    "tensor": "stage_tensor",
    "by_node": "stage_by_node",
}


class AoSoA(KernelVariant):
    """Elements side by side.

    Parameters
    ----------
    config : how the kernels are laid over the device; None takes what was found to be fastest, or
        what suits the device if nothing has been timed.

    Attributes
    ----------
    outside : where the traces across each face are.
    matrices : derivatives and lift, as the stage kernel takes them.

    Raises
    ------
    DeviceError : not enough memory, or the driver's compiler fails.
    ValueError : matrix units for another precision than double, or work items for more or fewer
        nodes than there are.
    """

    config: KernelConfig

    def __init__(
        self, operator: Operator, memory: DeviceMemory, config: KernelConfig | None = None
    ) -> None:
        element = operator.discretization.element
        # The upwind flux needs one outgoing wave per face node where others need two fields.
        rank_one = operator.upwinding == 1
        equations = equations_of(operator)
        n_traces = equations.n_fluxes(operator.upwinding)
        self.config = config or best_config(operator, memory.device, memory.real)
        if self.config.tensor and memory.real_name != "double":
            raise ValueError("matrix units multiply in double precision")
        if self.config.by_node and self.config.rows * self.config.tile != element.nodes_per_element:
            raise ValueError("rows and the nodes of each are not those of an element")
        self._memory, self._fields, self._operator = memory, operator.fields, operator
        self._n_elements = operator.discretization.n_elements
        self._nodes_per_element = element.nodes_per_element
        self._nodes_per_face, self._n_traces = element.nodes_per_face, n_traces
        phased = PhasedFaces.of(operator, self.config.lanes)
        self._phased = PhasedTraces(phased, element.nodes_per_face, memory)
        self.curved = CurvedElementKernels(
            operator.discretization,
            self.config.lanes,
            memory,
            equations.curved,
            phased.connectivity,
        )
        self._upwinding = float(operator.upwinding)
        self._split = operator.held is not None
        tiles = EvenOddTiles.of(element, self.config.tile) if self.config.even_odd_cpu else None
        self.kernels = KernelSet(
            memory,
            element_names(operator, memory)
            | {
                "layout": "element",
                "stages": (
                    _STAGE[self.config.matrices],
                    "publish",
                    *self.curved.templates,
                    *self._phased.templates,
                ),
                "publishes": True,
                "turned": False,
                "split": self._split,
                "config": self.config,
                "rank_one": rank_one,
                "face_nodes": element.face_nodes,
                "face_slots": face_slots(element.face_nodes, element.nodes_per_element),
                "compact": self.config.compact,
                "matrix_units": has_matrix_units(memory.device),
                "even_odd_derivatives": {d: derivative(element, d) for d in "rs"},
                "even_odd_lift": [face_lift(element, face) for face in range(3)],
                "swapped": swapped_nodes(element),
                "tiles": tiles,
                "orbits": orbits(element),
            }
            | self.curved.names(),
        )
        self.lanes = self.config.lanes
        self._state = upload(operator, n_traces, self.config, memory, phased)
        self.fields, self.residual = self._state.fields, self._state.residual
        self.constants, self.outside = self._state.constants, self._state.outside
        entries = None if tiles is None else tiles.entries
        self.matrices = tuple(map(memory.reals, matrices_of(element, self.config, entries)))
        self._publish = [
            self._publisher(self._state, self._state.read_by(0, parity)) for parity in (0, 1)
        ]

    def stages(
        self, dt: float, scheme: LowStorageScheme, *, keep_residual: bool = False
    ) -> list[list[list[Launch]]]:
        """One launch per stage, one more for curved elements, and one for edges with a phase."""
        return self.stages_over(self._all_blocks, dt, scheme, keep_residual=keep_residual)

    def stages_over(
        self,
        blocks: range,
        dt: float,
        scheme: LowStorageScheme,
        *,
        keep_residual: bool,
        curved: bool = True,
    ) -> list[list[list[Launch]]]:
        """:meth:`stages` over some of the blocks, and over the curved elements or not; only where
        fields are held does it matter which blocks come when."""
        state = self._state
        # Whether the next stage reads the residual.
        kept = [keep_residual or a != 0 for a in (*scheme.a[1:], scheme.a[0])]

        def of_step(parity: int) -> list[list[Launch]]:
            return [
                self._stage(
                    state, state.read_by(s, parity), state.written_by(s, parity),
                    dt=dt, a=a, b=b, keep_residual=kept[s], blocks=blocks, curved=curved,
                )
                for s, (a, b) in enumerate(zip(scheme.a, scheme.b, strict=True))
            ]  # fmt: skip

        return by_parity(scheme.n_stages, of_step)

    def change(self, operator: Operator, parity: int) -> bool:
        """See :meth:`KernelVariant.change`."""
        before = self._operator
        written = [(of.upwinding == 1, of.held is None) for of in (before, operator)]
        here, there = (np.zeros(0) if o.phases is None else o.phases for o in (before, operator))
        if written[0] != written[1] or self._split or not np.array_equal(here, there):
            return False
        if not self._state.change(operator, self.config, self._memory):
            return False
        self._operator, self._upwinding = operator, float(operator.upwinding)
        with self._memory.guarded():  # waves that go out depend on the media
            self.kernels.launch(*self._publish[parity])
        return True

    def traces(self, stage: int, parity: int) -> tuple[cl.Buffer, ...]:
        """The traces of the fields after a stage."""
        return (self._state.written_by(stage, parity),)

    def trace_places(self, elements: Indices, faces: Indices) -> Indices:
        """(n, nodes_per_face, n_traces) where faces of elements publish, in a buffer of traces."""
        lanes = 1 if self.config.compact else self.lanes
        return trace_places(elements, faces, self._nodes_per_face, self._n_traces, lanes)

    def set_fields(self, fields: Fields, parity: int) -> None:
        if fields.vanish:
            self._memory.clear(self.fields)
        else:
            self._memory.write(self.fields, self._packed(fields))
        with self._memory.guarded():
            self.kernels.launch(*self._publish[parity])

    def get_fields(self) -> Fields:
        return self._download(self.fields)

    def right_hand_side(self, fields: Fields) -> Fields:
        memory = self._memory
        given = memory.reals(self._packed(fields))
        traces = [memory.empty(self._state.traces[0].size) for _ in range(2)]
        state = replace(self._state, fields=given)
        # Without the residual before (a = 0) and with dt = 1, a stage leaves the rate of change
        # in the residual, where no step looks for it.
        stage = self._stage(
            state, *traces, dt=1.0, a=0.0, b=0.0, keep_residual=True, blocks=self._all_blocks
        )
        with memory.guarded():
            self.kernels.launch(*self._publisher(state, traces[0]), *stage)
        rates = self._download(state.residual)
        memory.free(given, *traces)
        return rates

    def _stage(
        self,
        state: DeviceState,
        traces: cl.Buffer,
        new_traces: cl.Buffer,
        *,
        dt: float,
        a: float,
        b: float,
        keep_residual: bool,
        blocks: range,
        curved: bool = True,
    ) -> list[Launch]:
        """residual = a residual + dt rate;  fields += b residual;  new traces.

        With a = 0 the residual is not read; it is written if ``keep_residual``.
        """
        buffers = (state.fields, state.residual, traces, new_traces, *state.constants)
        numbers = (self._upwinding, dt, float(a), float(b), int(keep_residual))
        launches = self._phased.launches(self.kernels, traces)
        launches += self._stage_over(blocks, *buffers, state.outside, *self.matrices, *numbers)
        if curved:
            launches += self.curved.stage(self.kernels, *buffers, numbers=numbers)
        return launches

    def _publisher(self, state: DeviceState, traces: cl.Buffer) -> list[Launch]:
        """The traces of the fields."""
        buffers = (state.fields, traces, *state.constants)
        (items,), (group,) = self.config.global_size(self._n_elements), self.config.local_size
        return [
            self.kernels.bound("publish", *buffers, items=items, group=group),
            *self.curved.publish(self.kernels, *buffers),
        ]

    @property
    def _all_blocks(self) -> range:
        """Those of the straight elements."""
        return range(self.config.n_blocks(self.curved.first))

    def _stage_over(self, blocks: range, *arguments: Argument) -> list[Launch]:
        if not blocks:
            return []
        (group,) = self.config.local_size
        items, numbers = len(blocks) * group, list[int]()
        if self.config.even_odd_cpu:
            each = blocks_each(len(blocks), self._memory.device.max_compute_units)
            items, numbers = -(-len(blocks) // each), [blocks.stop, each]
        if self._split:
            numbers.append(blocks.start)
        return [self.kernels.bound("stage", *arguments, *numbers, items=items, group=group)]

    def blocks_of(self, n_border: int, n_straight: int) -> tuple[range, range]:
        """The blocks with straight elements of a subdomain inside, and with those at its border;
        where some of both are in one, it is of the border."""
        last = self._all_blocks.stop
        border = min(self.config.n_blocks(n_border), last)
        return range(border, min(self.config.n_blocks(n_straight), last)), range(border)

    def _packed(self, fields: Fields) -> NDArray:
        if fields.names != self._fields.names:  # kernels would go on behind the end of the buffer
            raise ValueError(f"fields {', '.join(fields.names)} of other waves")
        return packed(fields, self.lanes, self._memory.real)

    def _download(self, buffer: cl.Buffer) -> Fields:
        n_blocks = self.config.n_blocks(self._n_elements)
        shape = (n_blocks, len(self._fields.names) * self._nodes_per_element, self.lanes)
        packed = self._memory.read(buffer, shape, self._memory.real)
        return unpacked(packed, self._n_elements, self._fields)
