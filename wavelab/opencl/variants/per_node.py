"""The plain variant: a work item per node, a work group per element, three kernels per stage.

That of the chapter which showed how well discontinuous Galerkin methods run on GPUs; see
kernels/stage/per_node.cl.mako.  It is what the fast variant is measured against, and the place to
begin reading.
"""

from __future__ import annotations

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.errors import DeviceError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.opencl.device.kernel_set import KernelSet
from wavelab.opencl.device.launch import Launch
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.elements.curved import CurvedElementKernels
from wavelab.opencl.elements.equations import equations_of
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.elements.maxwell_tm import coefficients
from wavelab.opencl.variants.variant import KernelVariant, element_names
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.operator import Operator

#: Nodes of an element are filled up to a multiple of this: 64 bytes in single precision, a cache
#: line of most devices.
_ALIGNMENT = 16
#: Of the update kernel, whose work items have nothing to do with each other.
_UPDATE_GROUP = 256
_N_FIELDS = 3
#: Radians by which glued edges differ from rounding alone.
_SAME_DIRECTION = 1e-9


class PerNode(KernelVariant):
    """A work item for each node.

    Parameters
    ----------
    config : None; there is only one.

    Raises
    ------
    DeviceError : not enough memory, work groups are too small, or the driver's compiler fails.
    """

    lanes = 1

    def __init__(
        self, operator: Operator, memory: DeviceMemory, config: KernelConfig | None = None
    ) -> None:
        if config is not None:
            raise ValueError("this variant has no configs to choose from")
        self.config = None
        if operator.phases is not None:
            raise DeviceError(
                "the per_node variant has no edges where waves have a phase",
                where=memory.name,
                remedy="Leave out the variant.",
            )
        if not isinstance(operator, MaxwellTM):
            raise DeviceError(
                "the per_node variant has no elastic waves",
                where=memory.name,
                remedy="Leave out the variant.",
            )
        d, element = operator.discretization, operator.discretization.element
        self._memory = memory
        self._n_elements, self._n_nodes = d.n_elements, element.nodes_per_element
        self._padded = padded_nodes(element.nodes_per_element)
        self._surface_items = max(element.nodes_per_element, 3 * element.nodes_per_face)
        if self._surface_items > memory.device.max_work_group_size:
            raise DeviceError(
                f"a work group of {self._surface_items} does not run here",
                where=memory.name,
                remedy="Use a lower order or the aosoa variant.",
            )
        self._n_numbers = d.n_elements * _N_FIELDS * self._padded
        if self._n_numbers >= 2**31:
            raise DeviceError(
                f"{d.n_elements} elements of order {d.order} have more unknowns than the kernels "
                f"count to, {2**31 - 1}",
                where=memory.name,
                remedy="Use larger elements or a lower order.",
            )
        self.curved = CurvedElementKernels(d, 1, memory, equations_of(operator).curved)
        turns = face_turns(d)
        turned = bool(np.abs(turns - (1, 0)).max(initial=0) > _SAME_DIRECTION)
        self.kernels = KernelSet(
            memory,
            element_names(operator, memory)
            | {
                "layout": "element_per_node",
                "config": None,
                "stages": ("per_node", *self.curved.templates),
                "publishes": False,
                "rank_one": False,
                "face_nodes": element.face_nodes,
                "compact": False,
                "padded_nodes": self._padded,
                "surface_items": self._surface_items,
                "turned": turned,
            }
            | self.curved.names(),
        )
        constants, places = coefficients(operator), face_node_places(d, self._padded)
        size = self._n_numbers * memory.real.itemsize
        memory.check_fits(
            [size] * 3 + [constants.size * memory.real.itemsize] + [p.nbytes for p in places]
        )
        nothing = np.zeros(self._n_numbers, memory.real)
        # Zeros, so that no NaN sits in the padding that the update passes through.
        self.fields, self.residual, self._rates = (memory.reals(nothing) for _ in range(3))
        self.constants = (memory.reals(constants),)
        self._inside, self._outside = (memory.integers(p) for p in places)
        self._diff_r, self._diff_s, self._lift = (
            memory.reals(matrix.T) for matrix in (element.diff_r, element.diff_s, element.lift)
        )
        self._turns = (memory.reals(turns),) if turned else ()
        self._upwinding = float(operator.upwinding)

    def stages(
        self, dt: float, scheme: LowStorageScheme, *, keep_residual: bool = False
    ) -> list[list[list[Launch]]]:
        """Three launches per stage, and one for curved elements; all steps are alike, and every
        stage writes the residual."""
        rates = self._right_hand_side(self.fields)
        group = min(_UPDATE_GROUP, self._memory.device.max_work_group_size)
        step = [
            [
                *rates,
                self.kernels.bound(
                    "update", self.fields, self.residual, self._rates,
                    self._n_numbers, dt, float(a), float(b),
                    items=-(-self._n_numbers // group) * group, group=group,
                ),
            ]
            for a, b in zip(scheme.a, scheme.b, strict=True)
        ]  # fmt: skip
        return [step, step]

    def traces(self, stage: int, parity: int) -> tuple[cl.Buffer, ...]:
        """None: neighbours read the fields."""
        return ()

    def set_fields(self, fields: Fields, parity: int) -> None:
        if fields.vanish:
            self._memory.clear(self.fields)
        else:
            self._memory.write(self.fields, self._packed(fields))

    def get_fields(self) -> Fields:
        return self._download(self.fields)

    def right_hand_side(self, fields: Fields) -> Fields:
        given = self._memory.reals(self._packed(fields))
        with self._memory.guarded():
            self.kernels.launch(*self._right_hand_side(given))
        rates = self._download(self._rates)
        self._memory.free(given)
        return rates

    def _right_hand_side(self, fields: cl.Buffer) -> list[Launch]:
        """rates = d/dt fields."""
        k, common = self.curved.first, (fields, self._rates, *self.constants)
        launches = [
            self.kernels.bound(
                "volume", *common, self._diff_r, self._diff_s,
                items=k * self._n_nodes, group=self._n_nodes,
            ),
            self.kernels.bound(
                "surface", *common, self._inside, self._outside, self._lift, *self._turns,
                self._upwinding,
                items=k * self._surface_items, group=self._surface_items,
            ),
        ] if k else []  # fmt: skip
        return launches + self.curved.stage(
            self.kernels, *common, turns=self._turns, numbers=(self._upwinding,)
        )

    def _packed(self, fields: Fields) -> NDArray[np.floating]:
        """(n_elements, 3, padded nodes)."""
        packed = np.zeros((self._n_elements, _N_FIELDS, self._padded), self._memory.real)
        for f, values in enumerate((fields.hx, fields.hy, fields.ez)):
            packed[:, f, : self._n_nodes] = values
        return packed

    def _download(self, buffer: cl.Buffer) -> Fields:
        shape = (self._n_elements, _N_FIELDS, self._padded)
        packed = self._memory.read(buffer, shape, self._memory.real)
        hx, hy, ez = (packed[:, f, : self._n_nodes].astype(np.float64) for f in range(_N_FIELDS))
        return MaxwellFields(hx, hy, ez)


def padded_nodes(nodes_per_element: int) -> int:
    """Numbers that an element takes per field."""
    return -(-nodes_per_element // _ALIGNMENT) * _ALIGNMENT


def face_node_places(d: Discretization, padded: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Where each face node is in the buffer of the fields, on this side and on the other.

    Two arrays (n_elements, 3 nodes_per_face) of places of the first field.  On the other side of a
    boundary there is -1: its own place can be that of a neighbour, where two edges that meet at a
    corner are glued together.
    """
    face_nodes = d.element.face_nodes
    first = np.arange(d.n_elements, dtype=np.int32)[:, None, None] * (_N_FIELDS * padded)
    inside = first + face_nodes
    near = d.connectivity
    # The neighbour runs through the face the other way.
    outside = first[near.neighbor_element, 0] + face_nodes[near.neighbor_face, ::-1]
    outside = np.where(near.is_boundary[:, :, None], -1, outside)
    config = (d.n_elements, face_nodes.size)
    return inside.reshape(config).astype(np.int32), outside.reshape(config).astype(np.int32)


def face_turns(d: Discretization) -> Array:
    """(n_elements, 3, 2) cosine and sine of the angle by which the neighbour's vectors turn when
    they are carried across each face: (1, 0) but at periodic edges of different directions."""
    normal = d.geometry.normal_x + 1j * d.geometry.normal_y
    near = d.connectivity
    turn = -normal * np.conj(normal[near.neighbor_element, near.neighbor_face])
    turn = np.where(near.is_boundary, 1.0, turn)
    return np.stack([turn.real, turn.imag], axis=-1)
