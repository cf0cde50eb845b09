"""What comes back from the device: views, energies, probe samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices
from wavelab.errors import WavelabError
from wavelab.opencl.device.host_copy import HostCopy
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.extensions.media import MediaExtension
from wavelab.opencl.extensions.stages import Stages
from wavelab.opencl.observers.look import Look
from wavelab.opencl.variants.variant import Placement
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.operator.fields import Fields
from wavelab.physics.stepper import ComingView, ViewAtHand, quantities_of

_FRAME = np.dtype(np.float32)
#: Points at which the fields are looked at beside a view, three times the arrows there may be.
MOST_SAMPLES = 8192


class Readback:
    """Frames and energies, reordered on the device so that only what is shown travels.

    Attributes
    ----------
    media : what is to be added to energies; may be replaced.
    """

    def __init__(self, stages: Stages, media: MediaExtension | None) -> None:
        d, variant, memory = stages.operator.discretization, stages.variant, stages.memory
        self.media = media
        self._shape, self._kernels, self._memory = d.shape, variant.kernels, memory
        n_elements, n_nodes = d.shape
        self._shown = memory.empty(n_elements * n_nodes * _FRAME.itemsize)
        self._energy = memory.empty(n_elements * memory.real.itemsize)
        # An element has three nodes or more, so its energy fits where its view does.
        self._host = HostCopy(memory, self._shown.size)
        self._coming = HostCopy(memory, self._shown.size)
        self._variant, self._fields = variant, stages.operator.fields
        # Two of each, because a movie may look while a frame for the window is still coming.
        self._points: ProbeSampler | None = None
        self._points_beside: ProbeSampler | None = None
        self._sampled = HostCopy(memory, MOST_SAMPLES * memory.real.itemsize)
        self._views = {
            quantity: variant.kernels.bound(
                f"view_{quantity}",
                variant.fields,
                *variant.constants,
                self._shown,
                items=n_elements,
            )
            for quantity in quantities_of(self._fields)
        }
        factor = memory.reals(np.linalg.cholesky(d.element.mass))
        of_fields = (variant.fields, *variant.constants)
        self._sum = [
            variant.kernels.bound(
                "element_energy", *of_fields, factor, self._energy, items=n_elements
            ),
            *variant.curved.energy(variant.kernels, *of_fields, energy=self._energy),
        ]

    def view(self, quantity: str) -> NDArray[np.float32]:
        """(n_elements, nodes_per_element) nodal values of one of ``QUANTITIES``."""
        self._show(quantity)
        return self._host.read(self._shown, self._shape, _FRAME)

    def begin_view(self, quantity: str) -> ComingView:
        """The same without waiting, where the device has memory of its own."""
        self._show(quantity)
        return self._coming.begin(self._shown, self._shape, _FRAME)

    def begin_samples(self, points: ProbePoints) -> ComingView:
        """(n_points,) the fields at points, at most ``MOST_SAMPLES``, without waiting likewise."""
        if not len(points):
            return ViewAtHand(np.zeros(0, np.float32))
        self._sampled.finish()
        self._points = self._sampler(points, self._points)
        return self._points.begin(self._sampled)

    def samples(self, points: ProbePoints) -> Array:
        """(n_points,) the fields at points, beside those that were begun before."""
        if not len(points):
            return np.zeros(0)
        self._points_beside = self._sampler(points, self._points_beside)
        return self._points_beside.now()

    def _sampler(self, points: ProbePoints, last: ProbeSampler | None) -> ProbeSampler:
        if last is not None and last.of is points:
            return last
        return self._memory.replaced(
            last, lambda: ProbeSampler(points, 1, self._variant, self._memory, self._fields)
        )

    def _show(self, quantity: str) -> None:
        """Gather the values on the device."""
        quantity = self._fields.asked.get(quantity, quantity)
        if quantity not in self._views:
            raise WavelabError(
                f'there is no quantity "{quantity}"', remedy=f"Use {', '.join(self._views)}."
            )
        self._coming.finish()
        with self._memory.guarded():
            self._kernels.launch(self._views[quantity])
            if quantity == "energy" and self.media is not None:
                self.media.add_density(self._shown)

    def element_energy(self) -> Array:
        """(n_elements,) integral of the energy density over each element."""
        with self._memory.guarded():
            self._kernels.launch(*self._sum)
            if self.media is not None:
                self.media.add_energy(self._energy)
        energy = self._host.read(self._energy, self._shape[:1], self._memory.real)
        return energy.astype(np.float64)

    def close(self) -> None:
        """To be called before the memory is closed: somebody may be copying a frame."""
        self._coming.close()
        self._sampled.close()


class ProbeSampler:
    """The fields at the probes after every step of a batch, kept on the device until it is read.

    Parameters
    ----------
    batch : most steps between two calls of :meth:`read`.

    Attributes
    ----------
    of : the probes.
    """

    def __init__(
        self,
        probes: ProbePoints,
        batch: int,
        variant: Placement,
        memory: DeviceMemory,
        fields: type[Fields],
    ) -> None:
        self.of, self._kernels, self._memory = probes, variant.kernels, memory
        self._n_probes = len(probes)
        self._samples = memory.empty(batch * self._n_probes * memory.real.itemsize)
        self._buffers = [
            memory.integers(probes.elements), memory.reals(probes.weights),
            memory.integers(probes.numbers(fields)), self._samples,
        ]  # fmt: skip
        self._sample = self._kernels.bound(
            "sample_points", variant.fields, *self._buffers, 0, items=self._n_probes
        )

    def looks(self, rows: Indices) -> list[Look]:
        """At the fields after steps, which become these rows of samples; none where negative."""
        return [Look(self._sample, np.where(rows < 0, -1, rows * self._n_probes))]

    def sample(self) -> None:
        """The fields as they are now, as the first row."""
        self._sample.set_last(np.int32(0))
        self._kernels.launch(self._sample)

    def read(self, n_steps: int) -> Array:
        """(n_steps, n_probes) samples of the batch."""
        shape = (n_steps, self._n_probes)
        return self._memory.read(self._samples, shape, self._memory.real).astype(np.float64)

    def now(self) -> Array:
        """(n_probes,) samples of the fields as they are now."""
        with self._memory.guarded():
            self.sample()
        return self.read(1)[0]

    def begin(self, host: HostCopy) -> ComingView:
        """(n_probes,) samples of the fields as they are now, not later than ``host`` can."""
        with self._memory.guarded():
            self.sample()
        return host.begin(self._samples, (self._n_probes,), self._memory.real)

    def release(self) -> None:
        """Free the device memory."""
        self._memory.free(*self._buffers)
