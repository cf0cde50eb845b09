"""What is a place is a length, whatever it is called."""

from __future__ import annotations

from typing import get_type_hints

import pytest

from wavelab.scene.editing.dimensions import dimension_of
from wavelab.scene.model.shapes import Point
from wavelab.scene.model.units import LENGTH
from wavelab.scene.monitors import MONITORS
from wavelab.scene.sources import SOURCES

KINDS = {kind.__name__: kind for kind in (*SOURCES.values(), *MONITORS.values())}


@pytest.mark.parametrize("name", KINDS)
def test_places_are_lengths(name):
    """The ends of a port were a frequency and a time, as those of a chirp and a window are."""
    of = KINDS[name]
    places = {key for key, hint in get_type_hints(of).items() if Point in (hint, *_parts(hint))}
    for key in places:
        assert dimension_of(of, key) == LENGTH, key


def _parts(hint) -> tuple:
    return getattr(hint, "__args__", ())


def test_there_are_places():
    assert dimension_of(KINDS["Port"], "start") == LENGTH
    assert dimension_of(KINDS["Port"], "end") == LENGTH
    assert dimension_of(KINDS["Port"], "frequency") != LENGTH
