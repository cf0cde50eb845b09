"""Who does what in a persistent kernel, and where all groups have to wait for all others.

Every element belongs to one group of the device.  What acts on it alone is done by that group, one
kernel after the other, and needs no more than a barrier of the group.  All groups meet at the end
of a stage, after which neighbours read the new traces, and around what does not act on elements
that a group has to itself.  What a stage begins with does not wait for the end of the one before in
other groups, unless these have had elements of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Indices
from wavelab.opencl.persistent.sites import NotPersistentError

_NOBODY = -1


@dataclass(frozen=True)
class Turn:
    """What the groups do at a site.

    Attributes
    ----------
    order : (n_units,) the units of the site, those of a group together.
    starts : (n_groups + 1,) where those of each group begin.
    meet : whether all groups meet before.
    """

    order: Indices
    starts: Indices
    meet: bool


@dataclass(frozen=True)
class Schedule:
    """Attributes
    ----------
    turns : of all sites.
    seen : whether what groups do last in a stage is for others, who begin the next one with it.
    """

    turns: tuple[Turn, ...]
    seen: bool


def schedule(
    touched: Sequence[Indices | None],
    n_units: Sequence[int],
    n_groups: int,
    first: Sequence[int],
    n_in_stages: int,
) -> Schedule:
    """Deals out the units of some sites, which come one after the other and then again.

    Parameters
    ----------
    touched : of each site (n_units, n) the elements that each unit touches; None for any.
    n_groups : of the device.
    first : the sites in the order in which they decide who has an element.
    n_in_stages : sites of a stage; the others follow after all stages of a step.

    Raises
    ------
    NotPersistentError : two groups would touch an element at the same time.
    """
    owner = _owners([touched[site] for site in first], n_groups)
    found: list[Turn] = []
    # Who has touched an element since all have met, and who does so first in a stage.
    since = np.full(len(owner), _NOBODY)
    begins = since.copy()
    free = seen = False
    for number, (elements, n) in enumerate(zip(touched, n_units, strict=True)):
        if elements is None:
            who = np.arange(n) * n_groups // max(n, 1)
            meet, since[:], free = True, _NOBODY, True
        else:
            who = owner[elements[:, 0]]
            now = np.broadcast_to(who[:, None], elements.shape)
            before = since[elements]
            meet = free or bool(np.any((before != _NOBODY) & (before != now)))
            if meet:
                since[:] = _NOBODY
            since[elements], free = now, False
            new = begins[elements] == _NOBODY
            begins[elements[new]] = now[new]
            # Two units of different groups that touch one element do so at the same time.
            if np.any(since[elements] != now):
                raise NotPersistentError("two groups touch one element at the same time")
        order = np.argsort(who, kind="stable")
        starts = np.searchsorted(who[order], np.arange(n_groups + 1))
        found.append(Turn(order, starts, meet))
        if number == n_in_stages - 1:
            others = (since != _NOBODY) & (begins != _NOBODY) & (since != begins)
            seen = free or bool(others.any())
    return Schedule(tuple(found), seen)


def _owners(touched: Sequence[Indices | None], n_groups: int) -> Indices:
    """(n_elements,) the group of each: by turns, so that all have about as much to do."""
    known = [elements for elements in touched if elements is not None]
    owner = np.full(max((int(e.max(initial=-1)) for e in known), default=-1) + 1, _NOBODY)
    n_dealt = 0
    for elements in known:
        new = owner[elements[:, 0]] == _NOBODY
        groups = (n_dealt + np.arange(np.count_nonzero(new))) % n_groups
        # As far as they have none yet; of what is listed twice the last one counts.
        fresh = elements[new]
        mine = np.broadcast_to(groups[:, None], fresh.shape)
        free = owner[fresh] == _NOBODY
        owner[fresh[free]] = mine[free]
        n_dealt += len(groups)
    return owner
