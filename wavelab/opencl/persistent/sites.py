"""The places in a step where something is launched, each with its arguments stage by stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wavelab.opencl.device.launch import Launch


class NotPersistentError(Exception):
    """What is launched does not fit into a persistent kernel; says why."""


class TooManyGroupsError(NotPersistentError):
    """The groups of a kernel do not all run at the same time; fewer might."""


@dataclass(frozen=True, eq=False)
class Site:
    """A kernel that is launched in every stage, or after every step.

    Attributes
    ----------
    launches : by row; a row is a stage of a step of parity 0, or else of parity 1, and after a step
        there is one.
    changes : whether the last argument changes from step to step.
    """

    launches: tuple[Launch, ...]
    changes: bool = False

    @property
    def first(self) -> Launch:
        """One of them, for what they have in common."""
        return self.launches[0]

    @property
    def kernel(self) -> str:
        """Name of the kernel."""
        return str(self.first.kernel.function_name)

    @property
    def in_stages(self) -> bool:
        return len(self.launches) > 1

    @property
    def by_item(self) -> bool:
        """Whether work items have no groups."""
        return self.first.count is not None or self.first.group == (1,)

    @property
    def group(self) -> int:
        """Work items that belong together."""
        if self.first.count is not None or self.first.group is None:
            return 1
        return self.first.group[0]

    @property
    def n_units(self) -> int:
        """Groups, or items where those have no groups."""
        return self.first.items[0] // self.group if self.first.count is None else self.first.count

    def check(self) -> None:
        """Refuse what changes more than its arguments from stage to stage."""
        first = self.first
        for launch in self.launches:
            same = (
                launch.source == first.source
                and launch.kernel.function_name == first.kernel.function_name
                and (launch.items, launch.group) == (first.items, first.group)
                and launch.count == first.count
            )
            if not same or not launch.source or len(launch.items) > 1:
                raise NotPersistentError(f"{self.kernel} is not the same at every stage")


def sites_of(rows: Sequence[Sequence[Launch]], changes: Sequence[bool]) -> list[Site]:
    """Sites of what is launched, in order, at each row.

    Parameters
    ----------
    changes : of each whether the last argument changes from step to step.

    Raises
    ------
    NotPersistentError : rows differ in more than arguments.
    """
    if len({len(row) for row in rows}) > 1:
        raise NotPersistentError("stages are not alike")
    sites = [
        Site(launches, changing)
        for launches, changing in zip(zip(*rows, strict=True), changes, strict=True)
    ]
    for site in sites:
        site.check()
    return sites
