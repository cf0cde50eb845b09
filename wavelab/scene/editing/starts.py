"""Sources in a wave that runs already.

A scene says when its sources begin as if all of them had been there from time 0.  In a wave that
ran when one of them came in, that one begins as much later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from wavelab.scene.model.scene import Scene, Source

#: By the name of a source, the time at which it came in; none of those of time 0.
Starts = Mapping[str, float]
NO_STARTS: Starts = {}


def started(scene: Scene, starts: Starts) -> Scene:
    """The scene as it runs: each source begins as much later as it came in."""

    def in_time(source: Source) -> Source:
        at = starts.get(source.name, 0.0)
        return source.later(at) if at else source

    return replace(scene, sources=tuple(map(in_time, scene.sources)))


def followed(starts: Starts, old: Scene, new: Scene, now: float) -> Starts:
    """When the sources of ``new``, which takes the place of ``old``, came into the wave.

    Those that were there go on, under other names too; what is gone and comes back begins anew.
    """
    pairs = list(zip(old.sources, new.sources, strict=False))
    same = len(old.sources) == len(new.sources) and all(
        replace(before, name=after.name) == after for before, after in pairs
    )
    if same:
        names = {before.name: after.name for before, after in pairs}
    else:
        names = {source.name: source.name for source in old.sources}
    known = {after: starts.get(before, 0.0) for before, after in names.items()}
    found = {source.name: known.get(source.name, now) for source in new.sources}
    return {name: at for name, at in found.items() if at}
