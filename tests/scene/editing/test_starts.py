"""Sources that come into a running wave begin there, and in the scene at time 0."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.scene.editing.starts import NO_STARTS, followed, started
from wavelab.scene.model.placing import SourceSettings
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.sources import PLACINGS, placed_source
from wavelab.scene.waveforms import WAVES

EMPTY = Scene("room", Solver(0.1))


def with_sources(*names: str) -> Scene:
    sources = (placed_source(name, SourceSettings(2.0), start=(0.5, 0.5)) for name in names)
    return replace(EMPTY, sources=tuple(sources))


@given(st.floats(0.01, 1e3), st.sampled_from(sorted(WAVES)), st.sampled_from(sorted(PLACINGS)))
def test_what_comes_in_later_does_all_of_it_later(at, wave, kind):
    where = {"start": (0.2, 0.3), "end": (0.7, 0.6), "edges": ("domain.left",)}
    source = placed_source("s", SourceSettings(2.0, wave=wave, kind=kind), **where)
    later = started(replace(EMPTY, sources=(source,)), {"s": at}).sources[0]
    times = np.linspace(0, 3, 50)
    f, g = source.in_time.function(), later.in_time.function()
    assert g(times + at) == pytest.approx(f(times), abs=1e-9 * max(at, 1))
    assert later.in_time.first_felt == pytest.approx(source.in_time.first_felt + at)
    if kind == "moving":
        for t in times:
            assert later.position(t + at) == pytest.approx(source.position(t), abs=2e-4 * (1 + at))
    assert source.later(0.0).in_time == source.in_time


def test_each_begins_when_it_came_in_and_goes_on_until_it_goes():
    one, two = with_sources("a"), with_sources("a", "b")
    starts = followed(NO_STARTS, EMPTY, one, 3.0)
    assert starts == {"a": 3.0}
    starts = followed(starts, one, two, 5.0)
    assert starts == {"a": 3.0, "b": 5.0}
    moved = replace(two, sources=tuple(s.shifted((0.1, 0.0)) for s in two.sources))
    assert followed(starts, two, moved, 9.0) == starts
    assert followed(starts, two, with_sources("c", "b"), 9.0) == {"c": 3.0, "b": 5.0}
    assert followed(starts, two, with_sources("b"), 9.0) == {"b": 5.0}
    gone = followed(starts, two, with_sources("b"), 9.0)
    assert followed(gone, with_sources("b"), two, 11.0) == {"a": 11.0, "b": 5.0}


def test_what_was_there_from_the_beginning_is_as_it_was():
    two = with_sources("a", "b")
    assert followed(NO_STARTS, two, two, 4.0) == NO_STARTS
    assert started(two, NO_STARTS) == two
