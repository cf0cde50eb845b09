"""Media that are not constant on an element, on the device: what follows each stage on them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyopencl as cl

from wavelab.arrays import Array, Indices
from wavelab.numerics.time.pieces import StepTimes
from wavelab.opencl.extensions.anisotropy import TensorOnDevice
from wavelab.opencl.extensions.extension import StageExtension
from wavelab.opencl.extensions.profiles import ProfileOnDevice
from wavelab.opencl.extensions.stages import Stages
from wavelab.opencl.variants.variant import published_anew
from wavelab.physics.operator.fields import Fields


class MediaExtension(StageExtension):
    """All profiles of an operator: conductivities, then flux densities, and last its tensors; see
    :mod:`wavelab.physics.operator.flux_densities`, which this repeats.

    The stage kernel and everything else after it add to the residual what they would with the
    constants of the operator.  So this comes last, and it needs the residual of every stage.

    Attributes
    ----------
    media : of the operator.

    Raises
    ------
    FormulaError : a number in a formula does not fit into single precision.
    """

    def __init__(self, stages: Stages) -> None:
        media, variant = stages.operator.media, stages.variant
        self.media = media
        self._kernels = variant.kernels
        self._groups = [
            *(
                ProfileOnDevice(profile, (), stages, damped=damped)
                for damped, profile in media.losses
            ),
            *(
                ProfileOnDevice(profile, of, stages)
                for of, profiles in media.densities
                for profile in profiles
            ),
        ]
        self._densities = [group for group in self._groups if group.of]
        self._tensors = [TensorOnDevice(tensor, stages) for tensor in media.tensors]
        elements = np.unique(np.concatenate([part.elements for part in media.parts]))
        self._published = stages.each(
            lambda stage, parity: published_anew(elements, variant, variant.traces(stage, parity))
        )
        self._published_before = [
            published_anew(elements, variant, variant.traces(-1, parity)) for parity in (0, 1)
        ]
        self._nodes_per_element = stages.operator.discretization.nodes_per_element
        self._pinged = stages.operator.pinged

    @property
    def _with_energy(self) -> list[ProfileOnDevice | TensorOnDevice]:
        return [*self._densities, *self._tensors]

    @property
    def buffers(self) -> list[cl.Buffer]:
        """What steps go on from beside the fields: the flux densities."""
        return [group.densities for group in self._densities]

    def restart(self, fields: Fields, time: float) -> None:
        """Take over the fields of a moment."""
        for group in self._densities:
            group.restart(fields, time)

    def added(self, nodes: Indices, values: Array, time: float, parity: int) -> None:
        """Fields have changed at distinct flat nodes: Ez by ``values``, as D would in a linear
        medium, or all that are pinged, (n_pinged, n)."""
        element, node = np.divmod(nodes, self._nodes_per_element)
        for name, of_field in zip(self._pinged, values.reshape(len(self._pinged), -1), strict=True):
            for group in self._densities:
                if name in group.of:
                    group.added(element, node, of_field, time, group.of.index(name))
        bright = [group for group in self._densities if group.bright]
        self._kernels.launch(*(group.anew(time, parity) for group in bright))
        if bright:
            self._kernels.launch(*self._published_before[parity])

    def prepare(self, steps: StepTimes) -> None:
        """These steps come next."""
        for group in self._groups:
            group.prepare(steps)

    def lasts(self, n_steps: int) -> Mapping[int, Array | Indices]:
        """See :meth:`StageExtension.lasts`."""
        return {i: group.lasts for i, group in enumerate(self._groups) if group.changes}

    def jump(self, time: float, parity: int) -> None:
        """Media have jumped before this time: D and B stay, the fields follow."""
        for group in self._densities:
            if group.changes:
                self._kernels.launch(group.anew(time, parity))
        self._kernels.launch(*self._published_before[parity])

    def after(self, step: int, stage: int, parity: int) -> None:
        """Let conductivities act at the time of the stage, and make the fields of its end."""
        for group in self._groups:
            self._kernels.launch(group.after(step, stage, parity))
        for tensor in self._tensors:
            self._kernels.launch(tensor.after(stage, parity))
        self._kernels.launch(*self._published[parity][stage])

    def add_energy(self, energy: cl.Buffer) -> None:
        """Complete what the constants of the operator give, (n_elements,) reals."""
        for part in self._with_energy:
            self._kernels.launch(part.energy_into(energy))

    def add_density(self, shown: cl.Buffer) -> None:
        """The same at the nodes, (n_elements, nodes_per_element) floats."""
        for part in self._with_energy:
            self._kernels.launch(part.density_into(shown))

    def release(self) -> None:
        """Free the device memory."""
        for group in self._groups:
            group.release()
        for tensor in self._tensors:
            tensor.release()
