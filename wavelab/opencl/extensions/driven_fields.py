"""Pings, and what drives several fields at once: sources of elastic waves.

After each stage their nodes are driven, and then the elements that they lie in publish anew: those
with straight faces from the nodes there, and curved ones, which publish at points of their arcs,
all together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyopencl as cl

from wavelab.arrays import Array, Indices
from wavelab.numerics.time.pieces import StepTimes
from wavelab.opencl.device.launch import Launch
from wavelab.opencl.extensions.extension import StageExtension
from wavelab.opencl.extensions.stages import Stages
from wavelab.opencl.extensions.waveform_table import WaveformTable
from wavelab.opencl.variants.variant import published_anew
from wavelab.physics.sources.source_terms import NodalSourceTerm


class DrivenFields(StageExtension):
    """All source terms of a scene, in one launch per stage and another that publishes."""

    def __init__(self, source_terms: Sequence[NodalSourceTerm], stages: Stages) -> None:
        self._stages, self._memory = stages, stages.memory
        self._kernels = stages.variant.kernels
        fields, memory = stages.operator.fields, stages.memory
        n_fields, n_nodes = len(fields.names), stages.operator.discretization.nodes_per_element
        places, numbers, rates = [], [], []
        for number, term in enumerate(source_terms):
            for name, share in term.into:
                places.append(np.asarray(term.nodes, np.int64) * n_fields + fields.index(name))
                numbers.append(np.full(len(term.nodes), number))
                rates.append(share * term.rate)
        order = np.argsort(place := np.concatenate(places), kind="stable")
        distinct, starts = np.unique(place[order], return_index=True)
        flat, component = np.divmod(distinct, n_fields)
        element, node = np.divmod(flat, n_nodes)
        self._drive = WaveformTable(source_terms, stages)
        self._publish = Publisher(np.unique(element), stages)
        self._buffers = [
            memory.integers(element), memory.integers(node), memory.integers(component),
            memory.integers(np.append(starts, len(place))),
            memory.integers(np.concatenate(numbers)[order]),
            memory.reals(np.concatenate(rates)[order]), self._drive.buffer,
        ]  # fmt: skip
        variant = stages.variant
        self._after = stages.each(
            lambda stage, parity: variant.kernels.bound(
                "drive_fields", variant.fields, variant.residual, *self._buffers,
                stages.dt, float(stages.scheme.b[stage]), 0, items=len(distinct),
            )
        )  # fmt: skip
        self._published = stages.each(
            lambda stage, parity: self._publish.launches(variant.traces(stage, parity))
        )

    def prepare(self, steps: StepTimes) -> None:
        """Evaluate the waveforms for the next steps."""
        self._drive.prepare(steps)

    def lasts(self, n_steps: int) -> Mapping[int, Array | Indices]:
        """See :meth:`StageExtension.lasts`."""
        return {0: self._drive.places(n_steps)}

    def after(self, step: int, stage: int, parity: int) -> None:
        """Add to what a stage has just computed; ``step`` counts from :meth:`prepare`."""
        after = self._after[parity][stage]
        after.set_last(self._drive.place(step, stage))
        self._kernels.launch(after, *self._published[parity][stage])

    def release(self) -> None:
        """Free the device memory."""
        self._memory.free(*self._buffers)
        self._publish.release()


class Publisher:
    """Has some elements publish anew, where elements do."""

    def __init__(self, elements: Indices, stages: Stages) -> None:
        self._variant, self._memory, self._elements = stages.variant, stages.memory, elements
        straight = elements[elements < stages.variant.curved.first]
        self._items = 3 * stages.operator.discretization.element.nodes_per_face * len(straight)
        self._listed: cl.Buffer = stages.memory.integers(straight)

    def launches(self, traces: tuple[cl.Buffer, ...]) -> list[Launch]:
        """After the fields have changed with these traces."""
        if not traces:
            return []
        variant, launches = self._variant, []
        if self._items:
            launches.append(
                variant.kernels.bound(
                    "publish_some", variant.fields, *traces, *variant.constants, self._listed,
                    items=self._items,
                )
            )  # fmt: skip
        return launches + published_anew(self._elements, variant, traces)

    def release(self) -> None:
        """Free the device memory."""
        self._memory.free(self._listed)


def ping_ez(stages: Stages, traces: tuple[cl.Buffer, ...], nodes: Indices, values: Array) -> None:
    """Add values to Ez, now.

    Parameters
    ----------
    nodes : distinct flat indices; values : as many.
    """
    variant, memory = stages.variant, stages.memory
    element, node = np.divmod(nodes, stages.operator.discretization.nodes_per_element)
    given = (memory.integers(element), memory.integers(node), memory.reals(np.ravel(values)))
    with memory.guarded():
        variant.kernels.launch(
            variant.kernels.bound("bump_nodes", variant.fields, *traces, *given, items=len(nodes))
        )
        memory.queue.finish()
    memory.free(*given)


def ping_fields(
    stages: Stages, traces: tuple[cl.Buffer, ...], nodes: Indices, values: Array
) -> None:
    """Add values to all that a ping adds to, now.

    Parameters
    ----------
    nodes : (n,) distinct flat indices.
    values : (n_pinged, n).
    """
    variant, memory, operator = stages.variant, stages.memory, stages.operator
    into = operator.pinged
    element, node = np.divmod(nodes, operator.discretization.nodes_per_element)
    component = np.repeat([operator.fields.index(name) for name in into], len(nodes))
    given = (
        memory.integers(np.tile(element, len(into))),
        memory.integers(np.tile(node, len(into))),
        memory.integers(component),
        memory.reals(values.ravel()),
    )
    publisher = Publisher(np.unique(element), stages)
    with memory.guarded():
        variant.kernels.launch(
            variant.kernels.bound("ping_fields", variant.fields, *given, items=len(component)),
            *publisher.launches(traces),
        )
        memory.queue.finish()
    memory.free(*given)
    publisher.release()
