"""Going on with a headless run where its mesh is dealt out otherwise: to rounding, not to the bit.

What a stepper keeps of itself lies as its device and its part of the mesh want it.  What is carried
lies as the mesh does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from wavelab.arrays import Array
from wavelab.physics.monitors.running_transform import Sums
from wavelab.physics.operator.fields import Fields
from wavelab.physics.time.step_clock import StepClock
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.headless.batch_records import BatchMark


@dataclass(frozen=True, eq=False)
class Carried:
    """What any stepper of a problem can go on from.

    Attributes
    ----------
    fields : with the auxiliary variables, in the precision of the stepper that they are of.
    sums : what each transform has summed up.
    """

    fields: Fields
    sums: list[Sums]


def carried_of(simulation: Simulation) -> Carried:
    """What there is between two steps.

    Raises
    ------
    DeviceError : a device cannot be read.
    """
    stepper = simulation.stepper
    kind = np.float32 if stepper.precision == "single" else np.float64
    sums = simulation.monitors.sums(stepper)
    return Carried(_cast(stepper.fields(), partial(np.asarray, dtype=kind)), sums)


def carry(mark: BatchMark, carried: Carried, simulation: Simulation) -> BatchMark:
    """The mark as one of this simulation's own stepper would be, which it brings there."""
    then, stepper = mark.moment.simulation, simulation.stepper
    stepper.set_transforms(simulation.monitors.transforms)
    # Not at the time of the mark, which may have been kept from passing a jump.
    stepper.set_clock(StepClock(stepper.dt).after(mark.moment.step), mark.moment.step)
    stepper.enter(then.piece)
    stepper.set_fields(_cast(carried.fields, partial(np.asarray, dtype=np.float64)))
    records = replace(then.records, earlier=dict(enumerate(carried.sums)))
    here = replace(then, kept=stepper.keep(), records=records)
    return replace(mark, moment=replace(mark.moment, simulation=here))


def _cast(fields: Fields, to: Callable[[Array], Array]) -> Fields:
    auxiliary = tuple(map(to, fields.auxiliary))
    return fields.of([to(array) for array in fields.arrays], auxiliary)
