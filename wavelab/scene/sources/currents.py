"""What sources with an amplitude and a waveform have in common."""

from __future__ import annotations

from typing import Any

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, require, require_one_of
from wavelab.scene.model.limits import LARGEST_FIELD, SCALE_DOWN, check_length

#: What a source can add to.
ADDS = ("current", "field")
#: Of the field ``adds``, for the form.
ADDS_IN_FORM = about(
    "A current radiates as a wire, a loudspeaker or a force does; \u201cfield\u201d adds to the "
    "field itself, whatever the medium",
    choices=ADDS,
)


def check_wave(source: Any, item: ItemPath) -> None:
    """Check amplitude and waveform, and ``radius`` and ``adds`` where it has them.

    Raises
    ------
    ItemError : names the source and what would be right.
    """
    if hasattr(source, "radius"):
        check_length(source.radius, (*item, "radius"), f"radius of {source.what}")
    if hasattr(source, "adds"):
        require_one_of(source.adds, ADDS, (*item, "adds"), f"adds of {source.what}")
    require(
        abs(source.amplitude) <= LARGEST_FIELD,
        (*item, "amplitude"),
        f"amplitude of {source.what} is {source.amplitude:g}",
        SCALE_DOWN,
    )
    source.waveform.check((*item, "waveform"), source.what)
