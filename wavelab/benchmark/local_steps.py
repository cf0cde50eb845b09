"""Local time stepping beside global steps, on an even mesh and on one with small elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from wavelab.benchmark.meshes import with_small_elements
from wavelab.benchmark.stages import conducting_room, device_and_mesh, room_fields
from wavelab.benchmark.timing import side_by_side
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.time.clusters import Clusters
from wavelab.opencl.local_time.local_stepper import LocalOpenCLStepper
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.time.local_stepping import equivalent_step, local_clusters
from wavelab.physics.time.time_step import stable_step, suited_scheme

_SAFETY = 0.9


@dataclass(frozen=True)
class LocalGain:
    """One order on one mesh.

    Attributes
    ----------
    mesh : "even", or "small" with 1 % of the elements 20 times smaller.
    clusters : elements of each, the fastest first.
    fewer_updates : than with the same steps for all.
    less_work : than with the Runge-Kutta scheme that suits, by right-hand sides.
    global_seconds, local_seconds : wall time per unit of simulated time.
    """

    device: str
    precision: str
    mesh: str
    order: int
    elements: int
    clusters: tuple[int, ...]
    fewer_updates: float
    less_work: float
    global_seconds: float
    local_seconds: float


def measure_local_steps(
    orders: Sequence[int],
    *,
    elements: int | None = None,
    precision: str = "single",
    device: str | None = None,
    notify: Callable[[str], None] = lambda text: None,
) -> Iterator[LocalGain]:
    """Orders on both meshes, one after the other."""
    chosen, even = device_and_mesh(device, precision, elements)
    meshes: dict[str, Mesh] = {"even": even, "small": with_small_elements(even)}
    for name, mesh in meshes.items():
        for order in orders:
            notify(f"{name} mesh, order {order}")
            operator, fields, _ = conducting_room(mesh, order)
            clusters, step = local_clusters(operator)
            scheme = suited_scheme(operator)
            dt = stable_step(operator, scheme=scheme)
            whole = OpenCLStepper(
                operator, dt=_SAFETY * dt, scheme=scheme, precision=precision, device=chosen
            )
            ordered, levels = in_clusters(operator, clusters)
            local = LocalOpenCLStepper(
                ordered, dt=_SAFETY * step, clusters=levels, precision=precision, device=chosen
            )
            whole.set_fields(fields)
            local.set_fields(room_fields(ordered.discretization))
            seconds = side_by_side([whole, local])
            yield LocalGain(
                whole.device,
                precision,
                name,
                order,
                mesh.n_elements,
                clusters.counts,
                clusters.gain,
                equivalent_step(operator, clusters, step) / dt,
                seconds[0] / (_SAFETY * dt),
                seconds[1] / (_SAFETY * step),
            )
            whole.close()
            local.close()


def in_clusters(operator: MaxwellTM, clusters: Clusters) -> tuple[MaxwellTM, Clusters]:
    """An operator with its elements in the order of their levels."""
    order = clusters.sorting(operator.discretization.first_curved)
    return operator.part(order), clusters.permuted(order)
