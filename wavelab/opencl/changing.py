"""What acts on the fields of a stepper, and is another while they go on as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.opencl.device.launch import Launch, StepLength
from wavelab.opencl.extensions.auxiliary_equations import LocalSystem
from wavelab.opencl.extensions.extension import StageExtension
from wavelab.opencl.extensions.media import MediaExtension
from wavelab.opencl.extensions.sources import source_extensions
from wavelab.opencl.kept import Kept
from wavelab.opencl.persistent.together import Together
from wavelab.opencl.variants.variant import KernelVariant
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.operator import Operator
from wavelab.physics.sources.source_terms import SourceTerm
from wavelab.physics.time.step_clock import StepClock


class Changing(Kept):
    """The part of a :class:`wavelab.physics.stepper.Stepper` that is given other numbers; each
    method is as described there."""

    operator: Operator
    dt: float
    _scheme: LowStorageScheme
    _variant: KernelVariant
    _stages: list[list[list[Launch]]]
    _persistent: Together
    _sources: list[StageExtension]
    _local: list[LocalSystem]
    _media: MediaExtension | None

    @property
    def time(self) -> float:
        """Simulated time."""
        raise NotImplementedError

    def _make_stages(self) -> None:
        raise NotImplementedError

    def set_source_terms(self, source_terms: Sequence[SourceTerm]) -> None:
        with self.memory.whole():
            sources = source_extensions(source_terms, self._around, self._sources)
        for old in self._sources:
            if old not in sources:
                old.release()
        self._sources = sources

    def set_auxiliary_equations(self, equations: Sequence[AuxiliaryEquations]) -> None:
        with self.memory.whole():
            local = [LocalSystem(e, self._around) for e in equations]
        for old in self._local:
            old.release()
        self._local = local

    def set_operator(
        self, operator: Operator, equations: Sequence[AuxiliaryEquations], dt: float
    ) -> bool:
        before = self.operator
        alike = (
            operator.discretization is before.discretization
            and operator.fields is before.fields
            and bool(operator.media) == bool(before.media)
        )
        if not alike:
            return False
        with self.memory.whole():
            media = self._media_of(operator)  # first, for there are some that cannot be made
            if not self._variant.change(operator, self._parity):
                if media is not None and media is not self._media:
                    media.release()
                return False
            self.operator = operator
            self._set_step(dt)
            if operator.upwinding != before.upwinding:
                self._make_stages()
        self._go_on_with(media)
        self._change_equations(equations)
        self._persistent.begin_anew(self._stages)
        return True

    def _change_equations(self, equations: Sequence[AuxiliaryEquations]) -> None:
        pairs = list(zip(self._local, equations, strict=False))
        if len(equations) == len(self._local) and all(system.takes(e) for system, e in pairs):
            for system, e in pairs:
                system.change(e)
        else:
            self.set_auxiliary_equations(equations)

    def _set_step(self, dt: float) -> None:
        """Have steps of this length from now on, in the launches there are, too."""
        self._variant.kernels.stretch *= dt / self.dt
        self._around = replace(self._around, operator=self.operator, dt=StepLength(dt))
        self._clock = StepClock(dt, time=self.time, steps=self.steps)
        self.dt = dt

    def _media_of(self, operator: Operator) -> MediaExtension | None:
        """Those there are, where they are of that operator."""
        if self._media is None or operator.media is self._media.media:
            return self._media
        return MediaExtension(replace(self._around, operator=operator))

    def _go_on_with(self, media: MediaExtension | None) -> None:
        """Fields stay as they are, and flux densities follow."""
        before = self._media
        if media is None or before is None or media is before:
            return
        self._media = self._readback.media = media
        before.release()
        media.restart(self._variant.get_fields(), self.time)
