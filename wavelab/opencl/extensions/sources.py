"""Sources on the device: what is added to Ez after each stage."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.numerics.time.pieces import StepTimes
from wavelab.opencl.elements.curved import items_of_element
from wavelab.opencl.elements.formula import opencl_source
from wavelab.opencl.elements.layout import interleave
from wavelab.opencl.extensions.driven_fields import DrivenFields
from wavelab.opencl.extensions.extension import StageExtension
from wavelab.opencl.extensions.nodal_sources import NodalSources
from wavelab.opencl.extensions.source_extension import SourceExtension
from wavelab.opencl.extensions.stage_table import StageTable
from wavelab.opencl.extensions.stages import Stages
from wavelab.physics.operator.maxwell_tm import MaxwellTM, maxwell
from wavelab.physics.sources.gaussian import REACH
from wavelab.physics.sources.source_terms import (
    FaceSourceTerm,
    FormulaSourceTerm,
    MovingSourceTerm,
    NodalSourceTerm,
    SourceTerm,
    element_boxes,
)
from wavelab.scene.recordings.spline import Spline

#: A place that nothing reaches to, and what stands in a list for no element.
_FAR_AWAY, _NOWHERE = 1e18, -1
#: Elements for which a moving source has room, at least.
_LEAST_ROOM = 32


class MovingSources(SourceExtension):
    """One :class:`MovingSourceTerm`: a launch per stage over the elements that it can reach from
    where it is during a batch of steps, and room for as many more as makes a power of two.
    """

    def __init__(self, source_term: MovingSourceTerm, stages: Stages) -> None:
        super().__init__(stages)
        d, memory = stages.operator.discretization, stages.memory
        self._source_term = source_term
        self._boxes = element_boxes(stages.operator)
        self._discretization = d
        # Places that are not needed are far away.
        self._places = source_term.most_images(d)
        self._table = StageTable((2 + 2 * self._places) * stages.looks, stages)
        self._elements = memory.integers(np.full(d.n_elements, _NOWHERE, np.int32))
        self._buffers = [
            self._elements,
            memory.reals(source_term.strength),
            memory.reals(interleave(np.hstack([d.x, d.y]), stages.variant.lanes)),
            self._table.buffer,
        ]
        self._after = stages.adding(
            "drive_moving", *self._buffers, 1 / source_term.radius, REACH, self._places,
            stages.looks, last=0, items=1,
        )  # fmt: skip
        self._upload: tuple[cl.Event, NDArray[np.int32]] | None = None

    def prepare(self, steps: StepTimes) -> None:
        """Find the elements that the next steps touch."""
        at = self._stages.moments(steps)
        source_term = self._source_term
        images = source_term.images(self._discretization, source_term.positions(at.ravel()))
        elements = source_term.reached(self._boxes, images)
        self._make_room(len(elements))
        listed = np.full(self.size, _NOWHERE, np.int32)
        listed[: len(elements)] = elements
        rows = np.full((at.size, 1 + 2 * self._places), _FAR_AWAY)
        rows[:, 0] = np.broadcast_to(source_term.waveform(at), at.shape).ravel()
        rows[:, 1 : 1 + 2 * len(images)] = np.moveaxis(images, 0, 1).reshape(at.size, -1)
        self._table.send(self._stages.looked_at(rows.reshape(*at.shape, -1)))
        copied = cl.enqueue_copy(self._memory.queue, self._elements, listed, is_blocking=False)
        self._upload = copied, listed

    def _make_room(self, n_elements: int) -> None:
        if 0 < self.size >= n_elements:
            return
        d = self._discretization
        self.size = min(max(_LEAST_ROOM, 1 << (n_elements - 1).bit_length()), d.n_elements)
        items = self.size * d.nodes_per_element
        self._after = [[launch.over(items) for launch in stages] for stages in self._after]


class FormulaSources(SourceExtension):
    """All :class:`FormulaSourceTerm` of a scene, in one launch per stage.

    Raises
    ------
    FormulaError : a number in a formula does not fit into single precision.
    """

    def __init__(self, source_terms: Sequence[FormulaSourceTerm], stages: Stages) -> None:
        super().__init__(stages)
        d, variant = stages.operator.discretization, stages.variant
        config = variant.config
        numbers: list[float] = []
        vector = config is not None
        jz = " + ".join(
            opencl_source(source_term.jz, stages.precision, vector=vector, numbers=numbers)
            for source_term in source_terms
        )
        program = variant.kernels.compile(
            "formula_per_node" if config is None else "formula",
            jz=jz,
            number="real" if config is None else "real_v",
            uses_bessel="bessel_j(" in jz,
            looks=stages.looks,
        )
        positions = np.hstack([d.x, d.y])
        self._table = StageTable(2 * stages.looks, stages)
        self._buffers = [
            stages.memory.reals(interleave(positions, variant.lanes)),
            stages.memory.reals(np.array(numbers)),
            self._table.buffer,
        ]
        items, group = d.x.size, None
        if config is not None:
            # As the stage kernel: blocks of elements side by side.
            items = config.global_size(d.n_elements)[0]
            group = config.local_size[0]
        self._after = stages.adding(
            "drive_formula", *variant.constants, *self._buffers,
            last=0, items=items, group=group, program=program,
        )  # fmt: skip

    def prepare(self, steps: StepTimes) -> None:
        """Tell when the stages of the next steps look at the formula."""
        self._table.send(self._stages.looked_at(self._stages.moments(steps)[..., None]))


class FaceSources(SourceExtension):
    """One :class:`FaceSourceTerm`: a launch per stage over the elements whose faces it comes
    through.

    Raises
    ------
    FormulaError : a number in its waveform does not fit into single precision.
    """

    def __init__(self, source_term: FaceSourceTerm, stages: Stages) -> None:
        super().__init__(stages)
        operator, variant, memory = stages.operator, stages.variant, stages.memory
        self._source_term = source_term
        self._span = float(source_term.delay.max())
        numbers: list[float] = []
        self._function = function = source_term.waveform.formula
        sampled = isinstance(function, Spline)
        if isinstance(function, Spline):
            f = "spline(whole, part, c)"
            numbers = [1 / function.spacing, len(function.coefficients), *function.coefficients]
        else:
            f = opencl_source(function, stages.precision, numbers=numbers)
        shared = items_of_element(operator.discretization, memory)
        program = variant.kernels.compile(
            "incident", f_of_t=f, sampled=sampled, number="real", uses_bessel="bessel_j(" in f,
            looks=stages.looks, shared=shared,
        )  # fmt: skip
        self._table = StageTable((3 if sampled else 2) * stages.looks, stages)
        order = np.argsort(source_term.elements, kind="stable")
        elements, starts = np.unique(source_term.elements[order], return_index=True)
        self._buffers = [
            memory.integers(elements),
            memory.integers(np.append(starts, len(order))),
            memory.integers(source_term.faces[order]),
            memory.reals(source_term.flux(maxwell(operator, "waves that come in"))[order]),
            memory.reals(np.broadcast_to(source_term.delay, source_term.e.shape)[order]),
            memory.reals(operator.discretization.element.lift.T),
            memory.reals(np.array(numbers)),
            self._table.buffer,
        ]
        self._after = stages.adding(
            "drive_faces", *variant.constants, *self._buffers,
            last=0, items=len(elements) * max(shared, 1), group=shared or None, program=program,
        )  # fmt: skip

    def prepare(self, steps: StepTimes) -> None:
        """Fold the times at which the stages of the next steps look at the wave."""
        at = self._source_term.waveform.folded(self._stages.moments(steps), self._span)
        if isinstance(self._function, Spline):
            # In two parts: single precision has no fractions of a sample after a million.
            samples = self._function.samples(at)
            whole = np.floor(samples)
            columns = np.stack([whole, samples - whole], axis=-1)
        else:
            columns = at[..., None]
        self._table.send(self._stages.looked_at(columns))


def source_extensions(
    source_terms: Sequence[SourceTerm], stages: Stages, before: Sequence[StageExtension] = ()
) -> list[StageExtension]:
    """Everything that some sources need.

    Parameters
    ----------
    before : of others, which may go on with other numbers.

    Raises
    ------
    FormulaError : a number in a formula does not fit into single precision.
    """
    nodal = [x for x in source_terms if isinstance(x, NodalSourceTerm) and len(x.nodes)]
    formulas = [x for x in source_terms if isinstance(x, FormulaSourceTerm)]
    sources: list[StageExtension] = []
    if not isinstance(stages.operator, MaxwellTM):
        entering = [x for x in source_terms if isinstance(x, FaceSourceTerm)]
        nodal += [term for wave in entering for term in wave.nodal(stages.operator)]
        return [DrivenFields(nodal, stages)] if nodal else []
    if formulas:
        sources.append(FormulaSources(formulas, stages))
    for source_term in source_terms:
        if isinstance(source_term, MovingSourceTerm):
            sources.append(MovingSources(source_term, stages))
        elif isinstance(source_term, FaceSourceTerm):
            sources.append(FaceSources(source_term, stages))
    if nodal:  # last, so that those before go on as they are where any of the others cannot be
        changed = (b for b in before if isinstance(b, NodalSources) and b.change(nodal))
        sources.append(next(changed, None) or NodalSources(nodal, stages))
    return sources
