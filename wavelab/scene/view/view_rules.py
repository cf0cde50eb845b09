"""Rules for how the field is first shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wavelab.scene.model.item_error import require, require_one_of
from wavelab.scene.model.view import View
from wavelab.scene.monitors import Monitor
from wavelab.scene.systems import System
from wavelab.scene.view.quantities import ARROWS, can_show, monitor_to_show, offered

#: Degrees from which a relief can be seen.
ELEVATIONS = (12.0, 90.0)
#: Of a logarithmic scale: more than there are in the numbers of single precision.
MOST_DECADES = 12


def check_decades(decades: int | None) -> None:
    """Raise an ItemError for a logarithmic scale that cannot be shown."""
    require(
        decades is None or 1 <= decades <= MOST_DECADES,
        ("view", "decades"),
        f"decades is {decades}",
        f"It is from 1 to {MOST_DECADES}. Leave it out for a linear scale.",
    )


def check_relief(relief: tuple[float, float] | None) -> None:
    """Raise an ItemError for a height view that cannot be."""
    low, high = ELEVATIONS
    require(
        relief is None or (abs(relief[0]) <= 360 and low <= relief[1] <= high),
        ("view", "relief"),
        f"relief is {relief}",
        f"It is an azimuth from -360 to 360 and an elevation from {low:g} to {high:g} degrees.",
    )


def check_view(view: View, monitors: Sequence[Monitor], system: System) -> None:
    """Raise an ItemError for a view that cannot be, or for which a scene has no monitor."""
    wishes: dict[str, tuple[str, Mapping[str, Any]]] = {
        "quantity": (view.quantity, offered(system)),
        "arrows": (view.arrows, ARROWS),
    }
    for key, (wish, known) in wishes.items():
        require_one_of(wish, known, ("view", key), key)
    check_decades(view.decades)
    check_relief(view.relief)
    require(
        view.limit is None or view.limit > 0,
        ("view", "limit"),
        f"limit is {view.limit}",
        "It must be greater than 0. Leave it out for an automatic one.",
    )
    if view.part:
        (x0, y0), (x1, y1) = view.part[0], view.part[-1]
        require(
            len(view.part) == 2 and x0 < x1 and y0 < y1,
            ("view", "part"),
            "the part in view is no rectangle",
            "Give its lower left and its upper right corner, or leave it out to show everything.",
        )
    for key, (wish, _) in wishes.items():
        require(
            can_show(wish, monitors),
            ("view", key),
            f'no monitor measures the {key} "{wish}"',
            monitor_to_show(wish),
        )
