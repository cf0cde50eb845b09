"""The stepper of one rank's part of a mesh."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyopencl as cl

from wavelab.opencl.extensions.extension import StageExtension
from wavelab.opencl.halo.direct_exchange import DirectExchange
from wavelab.opencl.halo.trace_exchange import TraceExchange, places_of
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.variants.aosoa import AoSoA
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.operator import Operator
from wavelab.physics.subdomains.partition import Subdomain
from wavelab.ranks.communicator import Communicator


class HaloOpenCLStepper(OpenCLStepper):
    """Exchanges traces with other ranks before each stage.

    The elements inside, which need nothing of others, are computed while the traces are on their
    way; those at the border follow.  What acts around a stage acts around both.

    Parameters
    ----------
    operator : of :func:`wavelab.physics.subdomains.restriction.operator_on`.
    sharing : devices of all ranks, if these are threads and share a context
        (:func:`wavelab.opencl.device.contexts.share_a_context`): traces go from one to the other.
    how : of :class:`wavelab.opencl.stepper.OpenCLStepper`.

    Attributes
    ----------
    direct : whether traces go from device to device, and not through the host.
    """

    #: Whether the halo is asked for; a measurement of what that costs does without.
    exchanging = True

    def __init__(
        self,
        operator: Operator,
        *,
        subdomain: Subdomain,
        communicator: Communicator,
        sharing: Sequence[cl.Device] = (),
        **how: Any,
    ) -> None:
        self._subdomain, self._communicator = subdomain, communicator
        self.direct = bool(sharing)
        super().__init__(operator, sharing=sharing, **how)

    def _make_stages(self) -> None:
        variant = self._variant
        assert isinstance(variant, AoSoA)
        parts = self._subdomain
        inside, border = variant.blocks_of(parts.n_border, parts.n_straight)
        # Media need the residual after the last stage too.
        kept = self._media is not None
        dt, scheme = self._around.dt, self._scheme
        self._inside = variant.stages_over(inside, dt, scheme, keep_residual=kept, curved=False)
        self._stages = variant.stages_over(border, dt, scheme, keep_residual=kept)
        numbers = range(self._scheme.n_stages)
        read = [[variant.traces(stage - 1, parity)[0] for stage in numbers] for parity in (0, 1)]
        exchange = DirectExchange if self.direct else TraceExchange
        out, in_ = places_of(parts.sends, variant), places_of(parts.receives, variant)
        self._exchange = exchange(out, in_, self._communicator, variant, self.memory, read)

    def set_operator(
        self, operator: Operator, equations: Sequence[AuxiliaryEquations], dt: float
    ) -> bool:
        return False

    def _groups(self, given: int | None) -> int:
        return 0

    def _queue_step(self, step: int, extensions: Sequence[StageExtension]) -> None:
        parity, launch = self._parity, self._variant.kernels.launch
        stages = zip(self._inside[parity], self._stages[parity], strict=True)
        for stage, (inside, border) in enumerate(stages):
            if self.exchanging:
                self._exchange.begin(stage, parity)
            for extension in extensions:
                extension.before(step, stage, parity)
            launch(*inside)
            self._exchange.end(stage, parity)
            launch(*border)
            for extension in extensions:
                extension.after(step, stage, parity)

    def exchange_alone(self, n: int) -> None:
        """The exchanges of so many stages, with nothing between them, to be timed."""
        with self.memory.guarded():
            for _ in range(n):
                self._exchange.begin(0, self._parity)
                self._exchange.end(0, self._parity)
        self.synchronize()
