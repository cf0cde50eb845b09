"""The source of a persistent kernel, and the numbers and buffers that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.opencl.device.program import render
from wavelab.opencl.persistent.bodies import Bodies, bodies_of
from wavelab.opencl.persistent.schedule import Schedule, Turn
from wavelab.opencl.persistent.sites import NotPersistentError, Site

#: Kernels whose items wait for each other, and that run with more of them than they need.
_ANY_SIZE = {"dense_elements", "publish_dense", "drive_faces"}
#: Most units of a group whose numbers are kept in local memory.
_KEPT_UNITS = 1024


@dataclass(frozen=True)
class Call:
    """How the kernel calls what is launched at a site; see kernels/persistent/steps.cl.mako.

    Attributes
    ----------
    number : of the site.
    beside : units that a group does at a time, each with so many bytes of local memory.
    waits_before : whether all groups have to have published before.
    last : "int" or "real" if the last argument changes from step to step, or nothing.
    last_place, n_lasts : where it is in the row of its table, and how long that is.
    """

    number: int
    function: str
    arguments: str
    in_stages: bool
    by_item: bool
    group: int
    items: str
    any_size: bool
    beside: int
    local_bytes: int
    waits_before: bool
    meets: bool
    last: str
    last_place: int
    n_lasts: int

    @property
    def skips(self) -> bool:
        """Whether a negative argument says that there is nothing to do."""
        return self.last == "int"


@dataclass(frozen=True)
class PersistentProgram:
    """Attributes
    ----------
    source : of the kernel ``take_steps``.
    buffers : its first arguments.
    reals, integers : (n_rows, n) numbers that the functions take.
    units : (n_groups, most) what each group does, site by site.
    starts : (n_groups, n_sites + 1) where in that each site begins.
    """

    source: str
    buffers: tuple[cl.Buffer, ...]
    reals: NDArray
    integers: NDArray
    units: NDArray
    starts: NDArray


def last_kind(site: Site) -> str:
    """What changes from step to step at a site."""
    if not site.changes:
        return ""
    return "int" if isinstance(site.first.arguments[-1], np.integer) else "real"


def program_of(
    sites: Sequence[Site],
    schedule: Schedule,
    *,
    real: str,
    group: int,
    n_stages: int,
    local_bytes: Sequence[int],
) -> PersistentProgram:
    """A kernel that visits all sites.

    Parameters
    ----------
    sites : those in stages first.
    group : work items of a group.
    local_bytes : of local memory that each needs.

    Raises
    ------
    NotPersistentError : one of them cannot be called from another kernel.
    """
    bodies = _bodies(sites)
    tables = _Tables(2 * n_stages)
    kinds = [(site.in_stages, last_kind(site)) for site in sites]
    calls, arena = [], 1
    for number, (site, turn) in enumerate(zip(sites, schedule.turns, strict=True)):
        found = bodies[site.first.source]
        any_size = site.kernel in _ANY_SIZE
        waits = site.kernel in found.meeting and not any_size
        if waits and site.group != group:
            raise NotPersistentError(f"{site.kernel} has groups of another size")
        beside = max(1, group // site.group) if any_size else 1
        arena = max(arena, beside * local_bytes[number])
        kind = kinds[number]
        calls.append(
            Call(
                number, found.name(site.kernel),
                ", ".join(tables.argument(site, place, number) for place in
                          range(len(site.first.arguments))),
                site.in_stages, site.by_item, site.group, tables.items(site), any_size, beside,
                local_bytes[number], site.kernel in found.reading, turn.meet, kind[1],
                kinds[:number].count(kind), kinds.count(kind),
            )
        )  # fmt: skip
    units, starts = _dealt(schedule.turns)
    source = render(
        "steps",
        bodies="".join(b.text for b in bodies.values()),
        sites=calls,
        real=real,
        group=group,
        n_stages=n_stages,
        n_buffers=len(tables.buffers),
        n_rows=2 * n_stages,
        n_reals=len(tables.reals),
        n_integers=len(tables.integers),
        n_units=units.shape[1] if units.shape[1] <= _KEPT_UNITS else 0,
        seen=schedule.seen,
        arena=arena,
    )
    return PersistentProgram(
        source,
        tuple(tables.buffers),
        np.array(tables.reals).reshape(len(tables.reals), -1).T,
        np.array(tables.integers, np.int32).reshape(len(tables.integers), -1).T,
        units,
        starts,
    )


def _bodies(sites: Sequence[Site]) -> dict[str, Bodies]:
    """The functions of each source."""
    wanted: dict[str, set[str]] = {}
    for site in sites:
        wanted.setdefault(site.first.source, set()).add(site.kernel)
    return {
        source: bodies_of(source, f"m{i}_", frozenset(kernels))
        for i, (source, kernels) in enumerate(wanted.items())
    }


def _dealt(turns: Sequence[Turn]) -> tuple[NDArray, NDArray]:
    """Units and starts of :class:`PersistentProgram`."""
    n_groups = len(turns[0].starts) - 1
    counts = np.array([np.diff(turn.starts) for turn in turns])
    starts = np.zeros((n_groups, len(turns) + 1), np.int32)
    starts[:, 1:] = np.cumsum(counts, axis=0).T
    # Rounded up, so that other meshes are seldom other sources.
    most = 1 << int(starts[:, -1].max()).bit_length()
    units = np.zeros((n_groups, most), np.int32)
    for s, turn in enumerate(turns):
        for g in range(n_groups):
            units[g, starts[g, s] : starts[g, s + 1]] = turn.order[
                turn.starts[g] : turn.starts[g + 1]
            ]
    return units, starts


class _Tables:
    """Buffers and numbers that sites take, each column once.

    Parameters
    ----------
    n_rows : of the numbers.
    """

    def __init__(self, n_rows: int) -> None:
        self._n_rows = n_rows
        self.buffers: list[cl.Buffer] = []
        self.reals: list[list[float]] = []
        self.integers: list[list[int]] = []

    def argument(self, site: Site, place: int, number: int) -> str:
        """What the kernel passes on."""
        values = [launch.arguments[place] for launch in site.launches]
        if isinstance(values[0], cl.Buffer):
            return self._pointer([value for value in values if isinstance(value, cl.Buffer)])
        if site.changes and place == len(site.first.arguments) - 1:
            return f"last{number}_"
        values *= self._n_rows // len(values)
        if isinstance(values[0], np.integer):
            return self._integer([int(v) for v in values if isinstance(v, np.integer)])
        # A column of its own, whatever others hold: another number of a scene is no other source.
        self.reals.append([float(v) for v in values if isinstance(v, np.floating)])
        return f"reals_[row_ * N_REALS_ + {len(self.reals) - 1}]"

    def items(self, site: Site) -> str:
        """How many work items there are."""
        return self._integer([site.n_units * site.group] * self._n_rows)

    def _integer(self, numbers: list[int]) -> str:
        self.integers.append(numbers)
        return f"integers_[row_ * N_INTEGERS_ + {len(self.integers) - 1}]"

    def _pointer(self, buffers: list[cl.Buffer]) -> str:
        places = [_place(self.buffers, buffer) for buffer in buffers]
        distinct = sorted(set(places))
        if len(distinct) == 1:
            return f"(global void *)b{distinct[0]}_"
        if len(distinct) > 2:
            raise NotPersistentError("more than two buffers take turns")
        which = self._integer([int(place == distinct[1]) for place in places])
        one, other = (f"b{place}_" for place in distinct)
        return f"(global void *)({which} ? {other} : {one})"


def _place(known: list[cl.Buffer], value: cl.Buffer) -> int:
    """Where it is among those, added if it is new."""
    if value not in known:
        known.append(value)
    return known.index(value)
