"""Local time stepping on an OpenCL device."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyopencl as cl

from wavelab.arrays import Array, Indices
from wavelab.numerics.time.clusters import Act, Clusters
from wavelab.opencl.device.launch import Launch
from wavelab.opencl.device.properties import kind_of
from wavelab.opencl.elements.auxiliary_variables import AuxiliaryVariables
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.extensions.extension import StageExtension
from wavelab.opencl.local_time.cluster_parts import RememberingPart
from wavelab.opencl.local_time.clusters import ClusterKernels
from wavelab.opencl.local_time.local_sources import ONCE, DrivenCluster, acting
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.variants.configs import whole_matrix_config
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.operator import Operator
from wavelab.physics.sources.source_terms import SourceTerm
from wavelab.physics.stepper import TimeScheme
from wavelab.timeline import NO_TIMELINE, Timeline

#: Areas of a cluster: what needs nothing of other ranks, and all else.
INSIDE, REST = 0, 1
#: A work item computes all of an element.
_GPU_CONFIG = KernelConfig(32, 1, rows=1, tile=4)


class LocalOpenCLStepper(OpenCLStepper):
    """A :class:`wavelab.physics.stepper.Stepper` whose steps are macro steps, see
    :mod:`wavelab.physics.time.ader`.

    Parameters
    ----------
    operator : with the elements in ascending order of their levels, the curved ones after the
        others.
    dt : macro step, that of the slowest cluster.
    clusters : levels of the elements.
    precision, device, timeline, sharing : as for :class:`OpenCLStepper`.

    Raises
    ------
    DeviceError : as there.
    """

    def __init__(
        self,
        operator: MaxwellTM,
        *,
        dt: float,
        clusters: Clusters,
        precision: str = "single",
        device: cl.Device | str | None = None,
        timeline: Timeline = NO_TIMELINE,
        sharing: Sequence[cl.Device] = (),
    ) -> None:
        first = operator.discretization.first_curved
        straight, bent = clusters.levels[:first], clusters.levels[first:]
        in_order = (np.diff(straight) >= 0).all() and (np.diff(bent) >= 0).all()
        if clusters.own is None and not in_order:
            raise ValueError("the elements are not in order of their levels")
        self._levels = clusters
        self._clusters: ClusterKernels  # made with the stages
        self._schedule = list(clusters.schedule())
        self._together: list[Launch] = []
        self._source_terms: tuple[SourceTerm, ...] = ()
        self._remembering: list[RememberingPart] = []
        self._driven: list[DrivenCluster | None] = [None] * clusters.n_levels
        self._source_buffers: list[cl.Buffer] = []
        super().__init__(
            operator, dt=dt, scheme=ONCE, precision=precision, device=device, timeline=timeline,
            sharing=sharing,
        )  # fmt: skip

    def _set_up(self, config: KernelConfig | None) -> None:
        on_cpu = kind_of(self.memory.device) == "CPU"
        super()._set_up(whole_matrix_config(self.memory.real) if on_cpu else _GPU_CONFIG)

    def _make_stages(self) -> None:
        """The kernels of the clusters."""
        self._stages = []
        self._clusters = ClusterKernels(self._levels, self._around, self._blocks_inside())
        self._schedule, self._together = self._planned(self._driven)

    def _blocks_inside(self) -> range:
        """Of elements that need nothing of other ranks."""
        return range(0)

    @property
    def scheme(self) -> TimeScheme:
        return self._levels

    @property
    def _extensions(self) -> list[StageExtension]:
        return [driven for driven in self._driven if driven is not None]

    @property
    def _memories(self) -> Sequence[AuxiliaryVariables]:
        return [part.kept for part in self._remembering]

    def set_fields(self, fields: Fields) -> None:
        super().set_fields(fields)
        self._fields_changed()

    def ping(self, nodes: Indices, values: Array) -> None:
        super().ping(nodes, values)
        self._fields_changed()

    def _changing(self) -> list[tuple[cl.Buffer, int]]:
        # Of what leaves the elements its first half, as it is at the begin of a step.
        leaving, fields = self._clusters.leaving, self._variant.fields
        beside = [(buffer, buffer.size) for buffer in self._beside_fields()]
        return [(fields, fields.size), (leaving, leaving.size // 2), *beside]

    def _fields_changed(self) -> None:
        with self.memory.guarded():
            self._variant.kernels.launch(*self._clusters.leave)

    def set_source_terms(self, source_terms: Sequence[SourceTerm]) -> None:
        before, held = self._extensions, self._source_buffers
        with self.memory.whole():
            buffers: list[cl.Buffer] = []
            driven = [
                self._driven_by(source_terms, level, buffers)
                for level in range(self._levels.n_levels)
            ]
            plan = self._planned(driven)
        self._source_terms, self._driven, self._source_buffers = (
            tuple(source_terms),
            driven,
            buffers,
        )
        self._schedule, self._together = plan
        for old in before:
            old.release()
        self.memory.free(*held)

    def _planned(self, driven: Sequence[DrivenCluster | None]) -> tuple[list[Act], list[Launch]]:
        """The order of a step, with small clusters together where nothing special acts on them."""
        alone = {level for level, here in enumerate(driven) if here is not None}
        count, together = self._clusters.together(alone | self._met_levels())
        return list(self._levels.schedule(count)), together

    def _met_levels(self) -> set[int]:
        """Levels that meet elements of other ranks, or are slower than some that do."""
        return set()

    def _driven_by(
        self, source_terms: Sequence[SourceTerm], level: int, buffers: list[cl.Buffer]
    ) -> DrivenCluster | None:
        """What acts on a level, with ``buffers``, which are made for the first one."""
        n_nodes = self.operator.discretization.nodes_per_element
        here = acting(source_terms, self._levels.members(level), n_nodes)
        if not here:
            return None
        if not buffers:
            zeros = np.zeros(self._variant.fields.size // self.memory.real.itemsize)
            buffers += [self.memory.reals(zeros) for _ in self._clusters.points]
        return DrivenCluster(self._clusters, level, here, buffers)

    def set_operator(
        self, operator: Operator, equations: Sequence[AuxiliaryEquations], dt: float
    ) -> bool:
        return False

    def set_auxiliary_equations(self, equations: Sequence[AuxiliaryEquations]) -> None:
        source_terms = self._source_terms
        if source_terms:
            self.set_source_terms(())  # what they launch has buffers of the equations there were
        try:
            self._remembering = self._clusters.set_auxiliary_equations(equations)
        finally:
            self._source_terms = source_terms  # still wanted, should there be no room for them now
            self.set_source_terms(source_terms)

    def _groups(self, given: int | None) -> int:
        return 0

    def _queue_step(self, step: int, extensions: Sequence[StageExtension]) -> None:
        for act, level, number in self._schedule:
            if act == "together":
                self._variant.kernels.launch(*self._together)
            elif act == "correct":
                self._correct(level, number)
            else:
                self._predict(step, level, number)

    def _predict(self, step: int, level: int, number: int) -> None:
        """What is not inside, in step ``number`` of a level in a macro step."""
        driven = self._driven[level]
        if driven is not None:
            driven.predict(step, number)
        else:
            self._variant.kernels.launch(*self._clusters.predict[level][REST][number % 2])

    def _correct(self, level: int, number: int) -> None:
        self._variant.kernels.launch(*self._clusters.correct[level][REST][number % 2])
