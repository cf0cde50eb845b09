"""Sources under local time stepping, on the device.

The kernels of :mod:`wavelab.opencl.extensions.sources` add what a source does in a stage to the
fields.  Here they add the rates of change, at several moments of a cluster's step, to buffers of
the fields' layout that are 0 otherwise; the prediction takes powers of time from those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.opencl.device.kernel_set import KernelSet
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.elements.curved import DenseElements
from wavelab.opencl.elements.layout import KernelShape, interleave
from wavelab.opencl.extensions.extension import StageExtension
from wavelab.opencl.extensions.sources import source_extensions
from wavelab.opencl.extensions.stages import Stages
from wavelab.opencl.local_time.clusters import ClusterKernels
from wavelab.opencl.variants.aosoa import Interleaved
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.sources.source_terms import (
    Drive,
    FaceDrive,
    FormulaDrive,
    MovingDrive,
    NodalDrive,
)
from wavelab.physics.time.ader_sources import held_elements

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

#: What acts once a step, at its begin.
ONCE = LowStorageScheme("local", "", 1, (0.0,), (1.0,))


class DrivenCluster(StageExtension):
    """The steps of a cluster that sources act on.

    Parameters
    ----------
    ticks : steps of the cluster in a macro step.
    drives : those that act on the cluster, see :func:`acting`.
    members : (n,) elements of the cluster.
    buffers : one per moment, of zeros.
    batch : most macro steps that are prepared at once.
    """

    def __init__(
        self,
        kernels: ClusterKernels,
        level: int,
        ticks: int,
        drives: Sequence[Drive],
        members: Indices,
        buffers: Sequence[cl.Buffer],
        batch: int,
        operator: MaxwellTM,
        precision: str,
        design: Interleaved,
        memory: DeviceMemory,
    ) -> None:
        self._launch = design.kernels.launch
        self._ticks, self._dt = ticks, kernels.step(level)
        self._points = kernels.points
        self._at_points = [
            source_extensions(
                drives,
                operator,
                Stages(1.0, precision, batch * ticks, ONCE, _Target.of(design, buffer), memory),
            )
            for buffer in buffers
        ]
        touched = _touched(drives, members, operator.discretization.nodes_per_element)
        all_blocks = kernels.blocks(level)
        driven = all_blocks if touched is None else np.unique(touched // design.lanes)
        plain = kernels.predictor(level, np.setdiff1d(all_blocks, driven))
        n_elements = operator.discretization.n_elements
        held = held_elements(drives, n_elements).astype(np.int32)
        self._memory, self._held = memory, memory.integers(interleave(held[:, None], design.lanes))
        special = kernels.predictor(level, driven, (*buffers, self._held))
        # A formula or a moving source says something about elements of other clusters too.
        everywhere = np.arange(-(-n_elements // design.lanes))
        forget = kernels.forget(everywhere if touched is None else driven, buffers)
        self._predict = [[*plain[odd], *special[odd], *forget] for odd in (0, 1)]

    def prepare(self, times: Array) -> None:
        """Macro steps that begin at these times come next."""
        begins = (times[:, None] + np.arange(self._ticks) * self._dt).ravel()
        for point, extensions in zip(self._points, self._at_points, strict=True):
            for extension in extensions:
                extension.prepare(begins + point * self._dt)

    def predict(self, step: int, number: int) -> None:
        """Predict in step ``number`` of macro step ``step``."""
        for extensions in self._at_points:
            for extension in extensions:
                extension.after(step * self._ticks + number, 0, 0)
        self._launch(*self._predict[number % 2])

    def release(self) -> None:
        """Free the device memory."""
        for extensions in self._at_points:
            for extension in extensions:
                extension.release()
        self._memory.free(self._held)


def acting(drives: Sequence[Drive], members: Indices, nodes_per_element: int) -> list[Drive]:
    """The parts of drives that act on some elements, as far as that can be told beforehand."""
    found: list[Drive] = []
    for drive in drives:
        if isinstance(drive, NodalDrive):
            here = np.isin(drive.nodes // nodes_per_element, members)
            if here.any():
                found.append(replace(drive, nodes=drive.nodes[here], rate=drive.rate[here]))
        elif isinstance(drive, FaceDrive):
            here = np.isin(drive.elements, members)
            if here.any():
                parts = {
                    name: getattr(drive, name)[here]
                    for name in ("elements", "faces", "e", "h", "delay")
                }
                found.append(replace(drive, **parts))
        else:
            found.append(drive)
    return found


def _touched(drives: Sequence[Drive], members: Indices, nodes_per_element: int) -> Indices | None:
    """Elements that drives act on; None for all."""
    found = [np.zeros(0, np.int64)]
    for drive in drives:
        if isinstance(drive, MovingDrive | FormulaDrive):
            return None
        found.append(
            drive.nodes // nodes_per_element if isinstance(drive, NodalDrive) else drive.elements
        )
    return np.unique(np.concatenate(found))


@dataclass(frozen=True)
class _Target:
    """A :class:`wavelab.opencl.variants.variant.Placement` with other fields."""

    shape: KernelShape
    kernels: KernelSet
    lanes: int
    fields: cl.Buffer
    residual: cl.Buffer
    constants: tuple[cl.Buffer, ...]
    dense: DenseElements
    scrap: tuple[cl.Buffer, ...]

    @classmethod
    def of(cls, design: Interleaved, fields: cl.Buffer) -> _Target:
        """That of a design.  Residual and traces are of no use to local time stepping."""
        return cls(
            design.shape, design.kernels, design.lanes, fields, design.residual, design.constants,
            design.dense, design.traces(0, 0),
        )  # fmt: skip

    def traces(self, stage: int, parity: int) -> tuple[cl.Buffer, ...]:
        """What may be written to and is never read."""
        return self.scrap
