"""A stepper on many ranks, made: the mesh is dealt out, and each rank makes its own part."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from wavelab.errors import DeviceError, WavelabError
from wavelab.numerics.mesh.partitioning import has_metis
from wavelab.numerics.time.clusters import Clusters
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.operator import Operator
from wavelab.physics.problem import Problem
from wavelab.physics.stepper import TimeScheme
from wavelab.physics.subdomains.partition import Subdomain, subdomains
from wavelab.physics.subdomains.restriction import operator_on
from wavelab.simulation.steppers.one_device import OnNumpy
from wavelab.simulation.steppers.partitioned import PartitionedStepper
from wavelab.simulation.steppers.rank_group import RankGroup

if TYPE_CHECKING:  # pyopencl may be missing
    from wavelab.opencl.elements.layout import KernelConfig

#: Numbers or addresses of devices, two or more.
_SEVERAL = re.compile(r"\s*\d+(:\d+)?(\s*,\s*\d+(:\d+)?)+\s*")


def names_several(device: str | None) -> bool:
    """Whether a device is a list of them, as "0,1"."""
    return device is not None and _SEVERAL.fullmatch(device) is not None


def dealt_out(
    operator: Operator,
    ranks: RankGroup,
    *,
    dt: float,
    scheme: TimeScheme,
    backend: str,
    device: str | None,
    precision: str,
    variant: str | None = None,
    configs: Sequence[KernelConfig | None] = (),
    auxiliary_equations: Sequence[AuxiliaryEquations] = (),
    notify: Callable[[str], None] | None = None,
    direct: bool | None = None,
    closed: Callable[[], None] = lambda: None,
) -> PartitionedStepper:
    """A stepper for ``operator`` on all ranks of a group; the rest is as for
    :func:`wavelab.simulation.steppers.steppers.make_stepper`.

    Parameters
    ----------
    device : one for all, or a list of them, of which each rank of a machine takes its own; None for
        those that are as good as the best, in turns.
    configs : of the kernels of each rank; those that are best known unless there are as many.
    auxiliary_equations : that it will get: what they cost is dealt out evenly, too.
    direct : whether devices of one process exchange traces without the host, if they can; None for
        where their memory is that of the host.  Of two cards it took twice as long.
    closed : called when the stepper has been closed.

    Raises
    ------
    DeviceError : a rank has no device of its own; with "auto" only if one was named.
    WavelabError : more ranks than elements, or what many ranks cannot do.
    """
    check_can_be_shared(variant)
    if not has_metis() and notify is not None:
        notify(
            "pymetis is not installed: the mesh is cut along a curve, with longer borders "
            "(pip install pymetis)"
        )
    if backend == "numpy":
        OnNumpy(device, variant)  # refuses what it does not have
    clusters = scheme if isinstance(scheme, Clusters) else None
    parts = subdomains(operator.discretization, auxiliary_equations, ranks.size, clusters)

    if len(configs) != ranks.size:
        configs = [None] * ranks.size

    def part(rank: int, backend: str) -> tuple[object, ...]:
        its, config = parts[rank], configs[rank]
        made = operator_on(operator, its)
        own = scheme if clusters is None else clusters.part(its.elements, its.own)
        return made, its, dt, own, backend, device, precision, config, direct

    _make(ranks, "make", part, backend, device, notify)
    return PartitionedStepper(operator, ranks, parts, closed, scheme)


def made_of_parts(
    problem: Problem,
    ranks: RankGroup,
    parts: Sequence[Subdomain],
    *,
    dt: float,
    backend: str,
    device: str | None,
    variant: str | None = None,
    notify: Callable[[str], None] | None = None,
) -> PartitionedStepper:
    """A stepper on ranks that have opened their parts of a mesh.

    Parameters
    ----------
    problem : of the excerpt of the mesh that the first rank sees.
    parts : what of the excerpt each rank has.

    Raises
    ------
    DeviceError, WavelabError : as for :func:`dealt_out`.
    """
    check_can_be_shared(variant)
    scene, precision = problem.scene, problem.scene.solver.precision
    if backend == "numpy":
        OnNumpy(device, variant)  # refuses what it does not have

    def part(rank: int, backend: str) -> tuple[object, ...]:
        return scene, dt, problem.scheme, backend, device, precision, None, None

    _make(ranks, "make_part", part, backend, device, notify)
    assert not isinstance(problem.scheme, Clusters)  # which need all of the mesh
    return PartitionedStepper(
        problem.operator, ranks, parts, lambda: None, problem.scheme, is_excerpt=True
    )


def check_can_be_shared(variant: str | None) -> None:
    """That many ranks can do something.

    Raises
    ------
    WavelabError : they cannot.
    """
    if variant not in (None, "aosoa"):
        raise WavelabError(
            f'the kernel variant "{variant}" runs on one rank and one device',
            remedy="Leave it out.",
        )


def _make(
    ranks: RankGroup,
    name: str,
    part: Callable[[int, str], Sequence[object]],
    backend: str,
    device: str | None,
    notify: Callable[[str], None] | None,
) -> None:
    """Have all ranks make their steppers, on NumPy if OpenCL fails and that is allowed.

    Parameters
    ----------
    name : of what they are asked for; part : gives the arguments of a rank and a backend.
    """
    first = "numpy" if backend == "numpy" else "opencl"
    try:
        ranks.ask_each(name, lambda rank: part(rank, first))
    except DeviceError as error:
        if backend != "auto" or device is not None or ranks.failed:
            raise
        if notify is not None:
            notify(f"OpenCL is not usable ({error}); running on NumPy, which is slower")
        ranks.ask_each(name, lambda rank: part(rank, "numpy"))
