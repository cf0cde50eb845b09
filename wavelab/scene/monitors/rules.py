"""Rules that several kinds of monitors have in common."""

from __future__ import annotations

import itertools
import math

from wavelab.scene.model.item_error import POSITIVE, ItemPath, require, require_one_of
from wavelab.scene.model.measuring.requests import WINDOWS, Transform
from wavelab.scene.model.shapes import Point

#: Receivers on a line and directions of a far field at most.
MOST_POINTS = 10_000
#: Frequencies of a monitor at most; each keeps two numbers for every value.
MOST_FREQUENCIES = 200


def check_path(vertices: tuple[Point, ...], item: ItemPath, what: str, closed: bool) -> None:
    """Its vertices make a line, or a closed one.

    Raises
    ------
    ItemError : says which do not; as all of these.
    """
    least = 3 if closed else 2
    require(
        len(set(vertices)) >= least,
        (*item, "vertices"),
        f"{what} has {len(set(vertices))} different vertices",
        f"A {'closed line' if closed else 'line'} needs at least {least} different vertices.",
    )
    for i, (a, b) in enumerate(itertools.pairwise(vertices)):
        require(
            a != b,
            (*item, "vertices", i + 1),
            f"vertex {i + 2} of {what} is where vertex {i + 1} is",
            "Leave one of them out.",
        )
    require(
        not closed or vertices[0] != vertices[-1],
        (*item, "vertices"),
        f"{what} is closed and ends where it begins",
        "Leave the last vertex out; the line closes itself.",
    )


def check_count(count: int, item: ItemPath, what: str, kind: str, least: int) -> None:
    """There are not too few and not too many of a kind."""
    require(
        least <= count <= MOST_POINTS,
        item,
        f"{what} has {count} {kind}",
        f"It can have {least} to {MOST_POINTS}.",
    )


def check_transform(
    transform: Transform, item: ItemPath, what: str, until: float, *, least: int = 1
) -> None:
    """Its frequencies, at ``least`` so many, its window and its times are usable."""
    _check_frequencies(transform.frequencies, (*item, "frequencies"), what, least)
    require_one_of(transform.window, WINDOWS, (*item, "window"), "window")
    check_times(transform.begin, transform.end, item, what, until)


def _check_frequencies(
    frequencies: tuple[float, ...], item: ItemPath, what: str, least: int
) -> None:
    require(
        len(frequencies) >= least,
        item,
        f"{what} has no frequencies",
        "Give at least one, such as frequencies = [3.0].",
    )
    require(
        len(frequencies) <= MOST_FREQUENCIES,
        item,
        f"{what} has {len(frequencies)} frequencies",
        f"It can have up to {MOST_FREQUENCIES}; spread them over several monitors.",
    )
    for i, frequency in enumerate(frequencies):
        require(
            frequency > 0, (*item, i), f"frequency {i + 1} of {what} is {frequency:g}", POSITIVE
        )
        require(
            frequencies.index(frequency) == i,
            (*item, i),
            f"{what} has the frequency {frequency:g} twice",
            "Leave one of them out.",
        )


def check_times(begin: float, end: float | None, item: ItemPath, what: str, until: float) -> None:
    """It ends after it begins."""
    require(begin >= 0, (*item, "begin"), f"{what} begins at {begin:g}", "It must not be negative.")
    last = until if end is None else end
    if not math.isfinite(last):
        return  # refused elsewhere
    require(
        begin < last,
        (*item, "begin" if end is None else "end"),
        f"{what} begins at {begin:g} and ends at {last:g}",
        "It must end after it begins; without an end of its own it ends with the scene, at "
        "solver.until.",
    )
