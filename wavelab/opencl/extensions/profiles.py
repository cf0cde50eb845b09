"""One profile of media on the device: the products with it, and the flux density it makes."""

from __future__ import annotations

import math

import numpy as np
import pyopencl as cl

from wavelab.arrays import Array, Indices
from wavelab.numerics.time.pieces import StepTimes
from wavelab.opencl.device.launch import Argument, Launch
from wavelab.opencl.elements.formula import opencl_source, suits_vectors
from wavelab.opencl.elements.layout import pack_rows
from wavelab.opencl.elements.touched_blocks import TouchedBlocks
from wavelab.opencl.extensions.anisotropy import largest_group
from wavelab.opencl.extensions.stages import Stages
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.profile import Profile

#: Rows of a matrix that are computed together, so that none waits for itself.
_TILE = 4


class ProfileOnDevice:
    """One profile.

    Parameters
    ----------
    of : the fields whose flux density it makes, or parts of them; none for a conductivity.
    damped : the fields that a conductivity damps.
    """

    lasts: Array  # (n_steps, n_stages) what kernels are told of the medium in the next steps

    def __init__(
        self,
        profile: Profile,
        of: tuple[str, ...],
        stages: Stages,
        *,
        damped: tuple[str, ...] = (),
    ) -> None:
        variant, memory = stages.variant, stages.memory
        self.of, self.elements, self.changes = of, profile.elements, profile.changes
        self._profile, self._memory, self._variant = profile, memory, variant
        # Conductivities act at the time of a stage, densities give the fields of its end.
        scheme = stages.scheme
        self._moments = (*scheme.c[1:], 1.0) if of else scheme.c
        self._blocks = blocks = TouchedBlocks.around(profile.elements, variant.lanes)
        rule = profile.projection
        formula = profile.formula if profile.changes and not profile.uniform else None
        # Of the hyperbolic form of the root of E + kappa E^3, and kappa.
        kappa, root = profile.kerr, math.sqrt(3 * profile.kerr)
        formula_numbers = [1.5 * root, 2 / root, kappa] if kappa else []
        value = None
        if formula is not None:
            value = opencl_source(formula, stages.precision, numbers=formula_numbers)
        config, n_points = variant.config, rule.to_points.shape[0]
        kept = (rule.to_points.shape[1] + n_points) * variant.lanes * memory.real.itemsize
        # Work items that share the nodes of an element share products too, if there is room.
        self._shares = (
            config is not None and config.rows > 1 and kept <= memory.device.local_mem_size
        )
        self._program = variant.kernels.compile(
            "media",
            of=of,
            damped=damped,
            n_points=n_points,
            tile=_TILE,
            curved=rule.curved,
            uniform=profile.uniform,
            bright=self.bright,
            shares=self._shares,
            value=value,
            number="real_v" if formula is not None and suits_vectors(formula) else "real",
            uses_bessel="bessel_j(" in (value or ""),
        )
        if formula is not None:
            values = np.hstack([profile.x, profile.y])
        else:
            values = profile.shares(0.0) if of else profile.at(0.0)
        to_nodes = rule.to_nodes
        if rule.curved:
            packed = np.array([pack_rows([m], _TILE).ravel() for m in to_nodes])
            back = memory.reals(blocks.packed(packed))
        else:
            back = memory.reals(pack_rows([to_nodes], _TILE))
        constant = [
            memory.integers(blocks.numbers),
            memory.integers(blocks.mask),
            memory.reals(pack_rows([rule.to_points], _TILE)),
            back,
            memory.reals(np.zeros(1) if profile.uniform or self.bright else blocks.packed(values)),
            memory.reals(blocks.packed(profile.reference[:, None])),
            memory.reals(np.array(formula_numbers)),
        ]
        self._buffers = list(constant)
        self._numbers, self._to_points = constant[-1], constant[2]
        if of:
            self._of_energy = self._make_densities()
        last = [self.densities] if of else [stages.dt]
        numbers, *others = constant
        self._after = stages.each(
            lambda stage, parity: self._over_blocks(
                "follow" if of else "conduct",
                variant.fields, variant.residual, *variant.traces(stage, parity),
                *variant.constants, numbers, len(blocks.numbers), *others, *last,
                float(stages.scheme.b[stage]), 0.0,
            )
        )  # fmt: skip
        # Nothing is added then, so any buffer of the same layout does for the residual.
        self._anew = [
            self._over_blocks(
                "follow", variant.fields, variant.fields, *variant.traces(-1, parity),
                *variant.constants, numbers, len(blocks.numbers), *others, *last, 0.0, 0.0,
            )
            for parity in ((0, 1) if of else ())
        ]  # fmt: skip

    def _make_densities(self) -> tuple[cl.Buffer | int, ...]:
        """Allocate them; returns what the kernels of the energies take."""
        profile, memory = self._profile, self._memory
        entries = len(self.of) * profile.projection.to_points.shape[1]
        self._shape = (len(self._blocks.numbers), entries, self._variant.lanes)
        self.densities = memory.reals(np.zeros(self._shape))
        elements, slots = memory.integers(profile.elements), memory.integers(self._blocks.slots)
        scales = np.column_stack([profile.reference, profile.projection.jacobian])
        scale, self._mass = memory.reals(scales), memory.reals(profile.projection.mass)
        self._weights = memory.reals(profile.projection.weights)
        self._buffers += [self.densities, elements, slots, scale, self._mass, self._weights]
        return elements, slots, len(profile.elements), scale

    @property
    def bright(self) -> bool:
        """Whether it depends on the field."""
        return self._profile.kerr > 0

    def prepare(self, steps: StepTimes) -> None:
        """When the stages of the next steps need the medium, (n_steps, n_stages)."""
        self.lasts = self._told(steps.at(self._moments))

    def _told(self, times: Array) -> Array:
        """What kernels are told of these times: the times, or the values then."""
        profile = self._profile
        if not profile.uniform:
            return times
        assert profile.formula is not None
        values = profile.formula.evaluate(x=0.0, y=0.0, t=times)
        return profile.reference[0] / values if self.of else values

    def anew(self, time: float, parity: int) -> Launch:
        """Makes the fields of D or B at a time between two steps."""
        launch = self._anew[parity]
        launch.set_last(self._memory.real.type(self._told(np.asarray(time))))
        return launch

    def after(self, step: int, stage: int, parity: int) -> Launch:
        """What follows a stage."""
        launch = self._after[parity][stage]
        if self.changes:
            launch.set_last(self._memory.real.type(self.lasts[step, stage]))
        return launch

    def restart(self, fields: Fields, time: float) -> None:
        """Take over the fields of a moment."""
        profile = self._profile
        mine = [fields.part(name, profile.elements) for name in self.of]
        if any(nodal.any() for nodal in mine):  # to undo a projection takes long
            mine = [profile.scaled(nodal, time) for nodal in mine]
        self._memory.write(self.densities, self._blocks.packed(np.hstack(mine)))

    def added(
        self, element: Indices, node: Indices, values: Array, time: float, entry: int
    ) -> None:
        """One of its fields, by its number, has changed at nodes of elements."""
        profile = self._profile
        row = np.searchsorted(profile.elements, element) % len(profile.elements)
        mine = profile.elements[row] == element
        if not mine.any():
            return
        rows = np.unique(row[mine])
        n_nodes = profile.projection.to_points.shape[1]
        change = np.zeros((len(rows), n_nodes))
        change[np.searchsorted(rows, row[mine]), node[mine]] = values[mine]
        part = profile.on_rows(rows)
        scaled = part.projection.undone(part.shares(time), change)
        densities = self._memory.read(self.densities, self._shape, self._memory.real)
        block, lane = np.divmod(self._blocks.slots[rows], self._variant.lanes)
        densities[block, entry * n_nodes : (entry + 1) * n_nodes, lane] += scaled
        self._memory.write(self.densities, densities)

    def energy_into(self, energy: cl.Buffer) -> Launch:
        """Adds what the energies of the elements lack."""
        of_kerr = (self._weights, self._to_points, self._numbers) if self.bright else ()
        return self._over_elements("add_energy", *self._of_energy, self._mass, *of_kerr, energy)

    def density_into(self, shown: cl.Buffer) -> Launch:
        """Adds what the density at the nodes lacks."""
        of_kerr = (self._numbers,) if self.bright else ()
        return self._over_elements("add_density", *self._of_energy, *of_kerr, shown)

    def _over_elements(self, name: str, *arguments: Argument) -> Launch:
        group = largest_group(self._memory)
        items = -(-len(self._profile.elements) // group) * group
        return self._variant.kernels.bound(
            name, self._variant.fields, self.densities, *arguments,
            items=items, group=group, program=self._program,
        )  # fmt: skip

    def _over_blocks(self, name: str, *arguments: Argument) -> Launch:
        config, n_blocks = self._variant.config, len(self._blocks.numbers)
        # A work item for each vector of lanes, or as many as in a stage; a group for each block.
        if config is None:
            group = largest_group(self._memory)
        else:
            group = config.local_size[0] if self._shares else config.lanes // config.width
        items = -(-n_blocks // group) * group if config is None else n_blocks * group
        return self._variant.kernels.bound(
            name, *arguments, items=items, group=group, program=self._program
        )

    def release(self) -> None:
        """Free the device memory."""
        self._memory.free(*self._buffers)
