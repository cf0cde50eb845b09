"""Decides whether a stepper takes its steps in one launch, and makes that of what it launches."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence

from wavelab.arrays import Array, Indices
from wavelab.errors import DeviceError
from wavelab.opencl.device.launch import Launch
from wavelab.opencl.device.properties import groups_at_once
from wavelab.opencl.extensions.extension import StageExtension
from wavelab.opencl.extensions.stages import Stages
from wavelab.opencl.observers.look import Look
from wavelab.opencl.persistent.sites import (
    NotPersistentError,
    Site,
    TooManyGroupsError,
    sites_of,
)
from wavelab.opencl.persistent.steps import PersistentSteps

log = logging.getLogger(__name__)

#: Wall time that steps are taken otherwise before this way is compiled beside them, s: the compiler
#: would be in the way of what a first picture has to have compiled, and many a run is over sooner.
_SETTLED = 0.25
#: A launch in a stage, and whose changing argument it takes: the number of an extension, and of its
#: launches after a stage.
_Step = tuple[Launch, tuple[int, int] | None]


def groups_for(stages: Stages) -> int:
    """Groups of a device that take many steps in one launch, where that is faster: each has a block
    of elements or none, for while one would do its second, others would wait.  Or 0."""
    config, n_groups = stages.variant.config, groups_at_once(stages.memory.device)
    if config is None or config.n_blocks(stages.operator.discretization.n_elements) > n_groups:
        return 0
    return n_groups


class Together:
    """The steps of one stepper in one launch, as long as that works.

    Parameters
    ----------
    stages : as extensions get them.
    launches : of each stage, by parity.
    n_groups : of the device, at most; 0 for none.
    beside : whether steps may be taken otherwise for a while, and until this one is compiled; may
        be changed before the first steps.
    """

    def __init__(
        self,
        stages: Stages,
        launches: Sequence[Sequence[Sequence[Launch]]],
        n_groups: int,
        *,
        beside: bool,
    ) -> None:
        self._stages, self._launches = stages, launches
        self._n_groups = self._most_groups = n_groups
        self.beside, self._ready = beside, False
        self._first: float | None = None
        self._made_for: list[object] = []
        self._sizes: list[int] = []
        self._steps: PersistentSteps | None = None
        self._changing: list[tuple[int, int] | None] = []

    @property
    def works(self) -> bool:
        """Whether the next steps are taken so, if nothing changes."""
        return self._ready

    def take(
        self,
        n_steps: int,
        parity: int,
        extensions: Sequence[StageExtension],
        looks: Sequence[Look],
    ) -> bool:
        """Queue steps for which everything has been prepared; False if nothing was queued."""
        if not self._n_groups or self._stages.variant.kernels.step_part != 1:
            return False
        if self.beside and not self._settled():
            return False
        parts = [*extensions, *(look.launch for look in looks)]
        lasts = [extension.lasts(n_steps) for extension in extensions]
        sizes = [extension.size for extension in extensions]
        if not _same(self._made_for, parts) or self._sizes != sizes:
            self.release()
            self._made_for, self._sizes = parts, sizes
            self._attempt(lambda: self._make(extensions, lasts, looks))
        try:
            self._attempt(self._look_whether_ready)
        except TooManyGroupsError:  # kernels that take many registers, one to a compute unit
            self._n_groups //= 2
            self._made_for = []
            return self._n_groups > 0 and self.take(n_steps, parity, extensions, looks)
        if not self._ready or self._steps is None:
            return False
        given: list[Array | Indices | None] = []
        given += [None if c is None else lasts[c[0]][c[1]] for c in self._changing]
        given += [look.lasts for look in looks]
        self._steps.take(n_steps, parity, given)
        return True

    def _settled(self) -> bool:
        """Whether the first steps are some time ago."""
        now = time.monotonic()
        self._first = now if self._first is None else self._first
        return now >= self._first + _SETTLED

    def _attempt(self, what: Callable[[], None]) -> None:
        """Without these parts together, if they do not go together.

        Raises
        ------
        TooManyGroupsError : once, if there may be fewer.
        """
        try:
            what()
        except TooManyGroupsError:
            if self._n_groups < self._most_groups:
                self._give_up("fewer groups do not all run at the same time either")
            else:
                raise
        except (NotPersistentError, DeviceError) as reason:  # a driver's compiler refuses too
            self._give_up(str(reason))

    def _give_up(self, reason: str) -> None:
        """Until something changes."""
        log.info("one launch after the other: %s", reason)
        parts = self._made_for
        self.release()
        self._made_for = parts

    def _make(
        self,
        extensions: Sequence[StageExtension],
        lasts: Sequence[Mapping[int, Array | Indices]],
        looks: Sequence[Look],
    ) -> None:
        """For these parts."""
        by_parity = self._stages.each(
            lambda stage, parity: self._row(extensions, lasts, stage, parity)
        )
        rows = [row for rows in by_parity for row in rows]
        self._changing = [changing for _, changing in rows[0]]
        changes = [changing is not None for changing in self._changing]
        stretch = self._stages.variant.kernels.stretch
        sites = sites_of(
            [[launch.stretched(stretch) for launch, _ in row] for row in rows], changes
        )
        sites += [Site((look.launch,), changes=True) for look in looks]
        self._steps = PersistentSteps(
            sites, self._stages, n_groups=self._n_groups, beside=self.beside
        )

    def _look_whether_ready(self) -> None:
        self._ready = self._steps is not None and self._steps.ready()

    def _row(
        self,
        extensions: Sequence[StageExtension],
        lasts: Sequence[Mapping[int, Array | Indices]],
        stage: int,
        parity: int,
    ) -> list[_Step]:
        """All that is launched in a stage."""
        kernels, row = self._stages.variant.kernels, list[_Step]()
        with kernels.recording() as before:
            for extension in extensions:
                extension.before(0, stage, parity)
        row += [(launch, None) for launch in [*before, *self._launches[parity][stage]]]
        for number, extension in enumerate(extensions):
            with kernels.recording() as after:
                extension.after(0, stage, parity)
            row += [
                (launch, (number, i) if i in lasts[number] else None)
                for i, launch in enumerate(after)
            ]
        return row

    def begin_anew(self, launches: Sequence[Sequence[Sequence[Launch]]]) -> None:
        """With these, and what else may be launched otherwise now; not at once, for more may be
        changed soon."""
        self._launches, self._first = launches, None
        self.release()

    def release(self) -> None:
        """Free the device memory; the next steps make it anew."""
        self._made_for, self._ready = [], False
        if self._steps is not None:
            self._steps.release()
            self._steps = None

    def check(self) -> None:
        """Wait until all is done.

        Raises
        ------
        DeviceError : steps were not taken to the end.
        """
        if self._ready and self._steps is not None and self._steps.lost:
            raise DeviceError(
                "the groups of a kernel waited for each other in vain, and the wave is lost",
                where=self._stages.memory.name,
                remedy="End what else computes there, or run it with --variant per_node.",
            )


def _same(some: Sequence[object], others: Sequence[object]) -> bool:
    return len(some) == len(others) and all(a is b for a, b in zip(some, others, strict=True))
