"""How fast a Runge-Kutta stage is, by order and variant, and how close to the device's limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from wavelab.benchmark.meshes import square_mesh
from wavelab.benchmark.timing import side_by_side
from wavelab.benchmark.work import stage_work
from wavelab.numerics.elements.nodes import nodes_per_triangle
from wavelab.numerics.fields.discretization import Discretization, discretize
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.opencl.device.device import choose_device
from wavelab.opencl.device.limits import Limits, measure_limits
from wavelab.opencl.device.properties import kind_of
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.variants.variants import VARIANTS, check_variant
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.time.time_step import stable_step, suited_scheme

#: Elements when nothing else is asked for: so many that a GPU is busy, and that the slowest variant
#: on a CPU ends within a minute or two.
DEFAULT_ELEMENTS = {"GPU": 320_000, "accelerator": 320_000, "CPU": 10_000}
_N_FIELDS = 3

Notify = Callable[[str], None]


@dataclass(frozen=True)
class StageRate:
    """One variant at one order on one device.

    Attributes
    ----------
    stepper, n_stages : Runge-Kutta scheme and its stages.
    stage_us : microseconds per stage: that part of a whole step of the stepper.
    gflops, gbytes_per_s : 10^9 flops and bytes of unavoidable work per second.
    limit_share : time that the unavoidable work needs at the measured limits, the longer of
        traffic and arithmetic, over the time it took.
    copy_gbytes_per_s, fma_gflops : the limits, measured in the same run.
    """

    device: str
    variant: str
    precision: str
    order: int
    elements: int
    stepper: str
    n_stages: int
    stage_us: float
    gflops: float
    gbytes_per_s: float
    limit_share: float
    copy_gbytes_per_s: float
    fma_gflops: float

    def row(self) -> dict[str, Any]:
        """As JSON has it, under the names that records kept from before use."""
        return {("design" if name == "variant" else name): v for name, v in asdict(self).items()}

    @property
    def unknowns_per_s(self) -> float:
        """Unknowns times steps per second."""
        nodes = nodes_per_triangle(self.order)
        return _N_FIELDS * nodes * self.elements / (self.n_stages * self.stage_us * 1e-6)


def measure_stages(
    orders: Sequence[int],
    *,
    elements: int | None = None,
    precision: str = "single",
    variants: Sequence[str] | None = None,
    device: str | None = None,
    notify: Notify = lambda text: None,
) -> list[StageRate]:
    """Measure every order with every variant, one after the other.

    The limits are measured before each order, and the best of all these measurements counts, so
    that a moment in which the machine was busy does not make the stages look good.

    Parameters
    ----------
    elements : about how many; None takes what suits the device.
    variants : of :data:`wavelab.opencl.variants.variants.VARIANTS`; None takes all.
    device : what :func:`wavelab.opencl.device.device.choose_device` takes.
    notify : told each time as it comes.

    Raises
    ------
    WavelabError : no such variant or device, or the device fails.
    """
    variants = [check_variant(name) for name in (VARIANTS if variants is None else variants)]
    chosen, mesh = device_and_mesh(device, precision, elements)
    measured: list[tuple[str, int, LowStorageScheme, float]] = []
    limits = Limits(0.0, 0.0)
    for order in orders:
        limits = limits.best(measure_limits(chosen, precision))
        operator, fields, dt = conducting_room(mesh, order)
        scheme = suited_scheme(operator)
        for variant in variants:
            stepper = OpenCLStepper(
                operator, dt=dt, scheme=scheme, precision=precision, device=chosen, variant=variant
            )
            with closing(stepper):
                stepper.set_fields(fields)
                stepper.compile_at_once()
                seconds = side_by_side([stepper])[0] / scheme.n_stages
                measured.append((variant, order, scheme, seconds))
                notify(f"{variant}, order {order}: {seconds * 1e6:,.1f} us a stage")
    name = chosen.name.strip()
    return [
        stage_rate(name, variant, precision, order, mesh.n_elements, scheme, seconds, limits)
        for variant, order, scheme, seconds in measured
    ]


def device_and_mesh(device: str | None, precision: str, elements: int | None) -> tuple[Any, Mesh]:
    """A device, and a mesh of about ``elements`` elements or of as many as suit the device."""
    chosen = choose_device(device, precision=precision)
    return chosen, square_mesh(elements or DEFAULT_ELEMENTS[kind_of(chosen)])


def conducting_room(mesh: Mesh, order: int) -> tuple[MaxwellTM, Fields, float]:
    """What is timed: a conducting room, empty but for a field, and a stable time step."""
    d = discretize(mesh, order)
    ones = np.ones(d.n_elements)
    operator = MaxwellTM(d, ones, ones, 0 * ones, np.full((d.n_elements, 3), -1.0), 1.0)
    return operator, room_fields(d), 0.8 * stable_step(operator)


def room_fields(d: Discretization) -> Fields:
    """A field that is alive: zeros are cheaper to move and to compute with on some devices."""
    mode = np.sin(np.pi * d.x) * np.sin(np.pi * d.y)
    return MaxwellFields(0.5 * mode, 0.5 * mode, mode)


def stage_rate(
    device: str,
    variant: str,
    precision: str,
    order: int,
    elements: int,
    scheme: LowStorageScheme,
    seconds: float,
    limits: Limits,
) -> StageRate:
    """Rates from the seconds per stage."""
    work = stage_work(order, precision, scheme)
    gflop, gbyte = work.flops * elements / 1e9, work.bytes * elements / 1e9
    shortest = max(gbyte / limits.copy_gbytes_per_s, gflop / limits.fma_gflops)
    return StageRate(
        device=device,
        variant=variant,
        precision=precision,
        order=order,
        elements=elements,
        stepper=scheme.name,
        n_stages=scheme.n_stages,
        stage_us=seconds * 1e6,
        gflops=gflop / seconds,
        gbytes_per_s=gbyte / seconds,
        limit_share=shortest / seconds,
        copy_gbytes_per_s=limits.copy_gbytes_per_s,
        fma_gflops=limits.fma_gflops,
    )
