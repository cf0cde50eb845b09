"""Pings that are added to the field when their time comes: a session, played back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wavelab.scene.model.item_error import require
from wavelab.scene.model.limits import check_length
from wavelab.scene.model.shapes import Point

MOST_PINGS = 20_000


@dataclass(frozen=True)
class Ping:
    """Adds ``amplitude`` exp(-d^2 / (2 ``radius``^2)) to Ez around ``position``, at the time step
    that is nearest to ``time``."""

    time: float
    position: Point
    radius: float
    amplitude: float = 1.0


def check_pings(pings: Sequence[Ping], *, exact: bool) -> None:
    """Check the pings of a scene.

    Parameters
    ----------
    exact : whether the scene has an exact solution.

    Raises
    ------
    ItemError : names the ping and what would be right.
    """
    require(
        len(pings) <= MOST_PINGS,
        ("pings",),
        f"there are {len(pings):,} pings",
        f"There can be {MOST_PINGS:,}; what goes on and on is a source.",
    )
    require(
        not (pings and exact),
        ("pings", 0),
        "with a ping the exact solution is none any more",
        "Leave out [exact] or the pings.",
    )
    for i, ping in enumerate(pings):
        require(
            ping.time >= 0,
            ("pings", i, "time"),
            f"the time of ping {i + 1} is {ping.time:g}",
            "The run begins at 0.",
        )
        check_length(ping.radius, ("pings", i, "radius"), f"the radius of ping {i + 1}")
