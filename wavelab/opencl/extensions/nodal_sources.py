"""Sources at nodes, on the device."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.time.pieces import StepTimes
from wavelab.opencl.extensions.source_extension import SourceExtension
from wavelab.opencl.extensions.stages import Stages
from wavelab.opencl.extensions.waveform_table import WaveformTable
from wavelab.physics.sources.source_terms import NodalSourceTerm


class NodalSources(SourceExtension):
    """All :class:`NodalSourceTerm` of a scene, in one launch per stage."""

    def __init__(self, source_terms: Sequence[NodalSourceTerm], stages: Stages) -> None:
        super().__init__(stages)
        memory = stages.memory
        flat, starts, numbers, rates = driven = _by_node(source_terms)
        self._places, self._count = driven[:3], len(source_terms)
        element, node = np.divmod(flat, stages.operator.discretization.nodes_per_element)
        self._table = self._drive = WaveformTable(source_terms, stages)
        self._rates = memory.reals(rates)
        self._buffers = [
            memory.integers(element), memory.integers(node), memory.integers(starts),
            memory.integers(numbers), self._rates, self._table.buffer,
        ]  # fmt: skip
        self._after = stages.adding("drive_nodes", *self._buffers, last=0, items=len(flat))

    def change(self, source_terms: Sequence[NodalSourceTerm]) -> bool:
        """Go on with others that drive the same nodes; False if they do not."""
        *places, rates = _by_node(source_terms)
        same = all(map(np.array_equal, places, self._places))
        if not same or len(source_terms) != self._count:
            return False
        self._memory.write(self._rates, rates)
        self._drive.follow(source_terms)
        return True

    def prepare(self, steps: StepTimes) -> None:
        """Evaluate the waveforms for the next steps."""
        self._drive.prepare(steps)


def _by_node(
    source_terms: Sequence[NodalSourceTerm],
) -> tuple[Indices, Indices, Indices, Array]:
    """Every driven node once, and its entries (number of the source term, rate).

    Source terms may share nodes, and two work items must not add to one number.

    Returns
    -------
    nodes (n,), starts (n + 1,), source term numbers (m,), rates (m,); the entries of node i are
    starts[i] .. starts[i + 1] - 1.
    """
    flat = np.concatenate([np.asarray(source_term.nodes, np.int64) for source_term in source_terms])
    numbers = np.repeat(
        np.arange(len(source_terms)), [len(source_term.nodes) for source_term in source_terms]
    )
    rates = np.concatenate([source_term.rate for source_term in source_terms])
    order = np.argsort(flat, kind="stable")
    nodes, starts = np.unique(flat[order], return_index=True)
    return nodes, np.append(starts, len(flat)), numbers[order], rates[order]
