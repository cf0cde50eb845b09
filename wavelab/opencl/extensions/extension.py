"""What acts on some elements around the stage kernel, which knows nothing of it."""

from __future__ import annotations

from collections.abc import Mapping

from wavelab.arrays import Array, Indices
from wavelab.numerics.time.pieces import StepTimes


class StageExtension:
    """Physics beside the stage kernel; this one does nothing.

    A stage of the low-storage Runge-Kutta method is linear in the right-hand side,

        residual = a residual + dt rate,  fields = fields + b residual,

    so adding dt extra to the residual and b dt extra to the fields *after* it is exact.  ``extra``
    has to be that of the fields *before* it, which :meth:`before` is there for: nothing is kept
    from one stage to the next but what the extension owns, so that fields may be replaced and
    pinged at any time between steps.

    After a stage come, in this order: sources, auxiliary equations, and media that are not constant
    on an element, which turn all that has been added to the residual into fields.

    What elements publish has to follow: ``add_to`` of kernels/extensions/add.cl.mako sees to
    that at a node, ``node`` of kernels/element/publish.cl.mako where all lanes of a block are at
    hand, and :func:`wavelab.opencl.variants.variant.published_anew` on curved elements.
    """

    #: Another number whenever what it launches is not over as many items any more.
    size: int = 0

    def prepare(self, steps: StepTimes) -> None:
        """These steps come next."""

    def lasts(self, n_steps: int) -> Mapping[int, Array | Indices]:
        """The last arguments of those launches of :meth:`after` that change from step to step, by
        their number in it: (n_steps, n_stages) for the steps that come next."""
        return {}

    def before(self, step: int, stage: int, parity: int) -> None:
        """Queue what has to be done before a stage; ``step`` counts from :meth:`prepare`."""

    def after(self, step: int, stage: int, parity: int) -> None:
        """Queue what changes the fields that a stage has just computed."""

    def release(self) -> None:
        """Free the device memory."""
