"""Starting a problem, from its initial fields or with the field of the one that runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from wavelab.numerics.fields.carrying import Carrying
from wavelab.numerics.time.clusters import Clusters
from wavelab.physics.carried_fields import carried_fields
from wavelab.physics.carried_variables import fields_under
from wavelab.physics.materials.fluids import flowing
from wavelab.physics.problem import Problem
from wavelab.physics.stepper import Stepper, quantities_of
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.core.state import State
from wavelab.simulation.messages.events import Loaded
from wavelab.simulation.steppers.steppers import StepperMaker, equip, stepper_of


@dataclass(frozen=True)
class RunnerSettings:
    """Where and how to compute.

    Attributes
    ----------
    backend, device, variant : see :func:`wavelab.simulation.steppers.steppers.make_stepper`.
    tune : look for faster kernels while the simulation runs, if nobody has for this device.
    past_bytes : memory for what is kept of a run, to go back in it; 0 keeps nothing.
    """

    backend: str = "auto"
    device: str | None = None
    variant: str | None = None
    tune: bool = False
    past_bytes: int = 0


def stepper_for(
    problem: Problem, settings: RunnerSettings, make: StepperMaker, notify: Callable[[str], None]
) -> Stepper:
    """A stepper as the settings and the scene ask for.

    Raises
    ------
    WavelabError : it cannot be made.
    """
    return stepper_of(
        problem,
        make=make,
        backend=settings.backend,
        device=settings.device,
        variant=settings.variant,
        notify=notify,
    )


def warm_up(stepper: Stepper, problem: Problem) -> None:
    """Run everything once: drivers compile the last bit of a kernel when it is first launched."""
    equip(stepper, problem)
    stepper.set_probes(problem.probes)
    stepper.set_fields(problem.initial)
    stepper.advance(1)
    stepper.element_energy()
    for quantity in quantities_of(type(stepper.fields())):
        stepper.view(quantity)
    stepper.synchronize()


def loaded_event(simulation: Simulation, generation: int, kept: bool) -> Loaded:
    """What to tell of a simulation that starts."""
    stepper, d = simulation.stepper, simulation.problem.discretization
    return Loaded(
        generation,
        device=stepper.device,
        backend=stepper.backend,
        precision=stepper.precision,
        order=d.order,
        elements=d.n_elements,
        unknowns=simulation.problem.operator.unknowns,
        dt=stepper.dt,
        kept=kept,
        clusters=stepper.scheme.counts if isinstance(stepper.scheme, Clusters) else (),
    )


def carried_over(
    old: Simulation,
    problem: Problem,
    notify: Callable[[str], None],
    copy: State | None = None,
    carrying: Carrying | None = None,
) -> tuple[State | None, bool]:
    """The field of a simulation on the mesh of another problem, None where it cannot be read or is
    one of other equations; and whether it is that of now.

    Parameters
    ----------
    copy : an earlier state, which is taken where the present one cannot be read.
    carrying : made for the two meshes beforehand, unless the old one is another by now.
    """
    if old.problem.operator.fields is not problem.operator.fields:
        return None, False  # a velocity and a stress are none of the fields of scalar waves
    try:
        state = old.state()
    except Exception as error:  # a device that is gone must not keep the user from going on
        instead = f"from t = {copy.time:.6g}" if copy is not None else "from the initial one"
        notify(f"The running field is lost ({error}); starting {instead}")
        if copy is None:
            return None, False
        state, live = copy, False
    else:
        live = True
    fields = state.fields
    before, after = old.problem.discretization, problem.discretization
    if np.array_equal(before.x, after.x) and np.array_equal(before.y, after.y):
        # On the same nodes nothing is interpolated: the field has jumps where elements meet.
        return replace(state, fields=fields_under(fields, old.problem, problem)), live
    if carrying is None or not carrying.goes(before, after):
        carrying = Carrying(before, after)
    moved = carried_fields(carrying, old.problem, fields, problem)
    return replace(state, fields=flowing(problem.operator, moved)), live
