"""Sources under local time stepping, on the device.

The kernels of :mod:`wavelab.opencl.extensions.sources` add what a source does in a stage to the
fields.  Here they add the rates of change, at several moments of a cluster's step, to buffers of
the fields' layout that are 0 otherwise; the prediction takes powers of time from those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyopencl as cl

from wavelab.arrays import Indices
from wavelab.numerics.time.pieces import StepTimes
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.opencl.elements.layout import interleave
from wavelab.opencl.extensions.extension import StageExtension
from wavelab.opencl.extensions.sources import source_extensions
from wavelab.opencl.local_time.clusters import ClusterKernels
from wavelab.opencl.variants.aosoa import AoSoA
from wavelab.opencl.variants.variant import Placement
from wavelab.physics.sources.source_terms import (
    FaceSourceTerm,
    FormulaSourceTerm,
    MovingSourceTerm,
    NodalSourceTerm,
    SourceTerm,
)
from wavelab.physics.time.ader_sources import held_elements

#: What acts once a step, at its begin.
ONCE = LowStorageScheme("local", "", 1, (0.0,), (1.0,))


class DrivenCluster(StageExtension):
    """The steps of a cluster that sources act on.

    Parameters
    ----------
    source_terms : those that act on the cluster, see :func:`acting`.
    buffers : one per moment, of zeros.
    """

    def __init__(
        self,
        kernels: ClusterKernels,
        level: int,
        source_terms: Sequence[SourceTerm],
        buffers: Sequence[cl.Buffer],
    ) -> None:
        around, variant = kernels.around, kernels.variant
        self._launch = variant.kernels.launch
        self._ticks = kernels.steps(level)
        self._points = kernels.points
        rates = replace(around, dt=1.0, batch=around.batch * self._ticks)
        self._at_points = [
            source_extensions(source_terms, replace(rates, variant=_Target(variant, buffer)))
            for buffer in buffers
        ]
        d = around.operator.discretization
        touched = _touched(source_terms, d.nodes_per_element)
        driven = kernels.blocks[level] if touched is None else np.unique(touched // variant.lanes)
        plain = [
            kernels.predictor(level, np.setdiff1d(area, driven)) for area in kernels.areas[level]
        ]
        held = held_elements(source_terms, d.n_elements).astype(np.int32)
        self._memory = around.memory
        self._held = self._memory.integers(interleave(held[:, None], variant.lanes))
        special = kernels.predictor(level, driven, (*buffers, self._held))
        # A formula or a moving source says something about elements of other clusters too.
        everywhere = np.arange(-(-d.n_elements // variant.lanes))
        forget = kernels.forget(everywhere if touched is None else driven, buffers)
        #: Inside, where sources do not act; and all else.
        self.inside = plain[0]
        self._predict = [[*plain[1][odd], *special[odd], *forget] for odd in (0, 1)]

    def prepare(self, steps: StepTimes) -> None:
        """These macro steps come next."""
        for point, extensions in zip(self._points, self._at_points, strict=True):
            moments = steps.at((np.arange(self._ticks) + point) / self._ticks).ravel()
            for extension in extensions:
                extension.prepare(StepTimes(moments, 0.0, steps.piece))

    def predict(self, step: int, number: int) -> None:
        """Predict in step ``number`` of macro step ``step`` what is not ``inside``."""
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


def acting(
    source_terms: Sequence[SourceTerm], members: Indices, nodes_per_element: int
) -> list[SourceTerm]:
    """The parts of source terms that act on some elements, as far as that can be told
    beforehand."""
    found: list[SourceTerm] = []
    for source_term in source_terms:
        if isinstance(source_term, NodalSourceTerm):
            here = np.isin(source_term.nodes // nodes_per_element, members)
            if here.any():
                found.append(
                    replace(source_term, nodes=source_term.nodes[here], rate=source_term.rate[here])
                )
        elif isinstance(source_term, FaceSourceTerm):
            here = np.isin(source_term.elements, members)
            if here.any():
                parts = {
                    name: getattr(source_term, name)[here]
                    for name in ("elements", "faces", "e", "h", "delay")
                }
                found.append(replace(source_term, **parts))
        else:
            found.append(source_term)
    return found


def _touched(source_terms: Sequence[SourceTerm], nodes_per_element: int) -> Indices | None:
    """Elements that source terms act on; None for all."""
    found = [np.zeros(0, np.int64)]
    for source_term in source_terms:
        if isinstance(source_term, MovingSourceTerm | FormulaSourceTerm):
            return None
        found.append(
            source_term.nodes // nodes_per_element
            if isinstance(source_term, NodalSourceTerm)
            else source_term.elements
        )
    return np.unique(np.concatenate(found))


class _Target(Placement):
    """A variant with other fields, whose residual and traces are of no use to local time stepping:
    the latter may be written to and are never read."""

    def __init__(self, variant: AoSoA, fields: cl.Buffer) -> None:
        self.config, self.kernels, self.lanes = variant.config, variant.kernels, variant.lanes
        self.residual, self.constants = variant.residual, variant.constants
        self.fields, self.curved = fields, variant.curved
        self._scrap = variant.traces(0, 0)

    def traces(self, stage: int, parity: int) -> tuple[cl.Buffer, ...]:
        return self._scrap
