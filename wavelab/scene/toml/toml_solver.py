"""The table ``[solver]`` of a scene file."""

from __future__ import annotations

import math
from collections.abc import Sequence

from wavelab.scene.model.item_error import ItemError
from wavelab.scene.model.scene import DECAYED, Solver
from wavelab.scene.model.shapes import Shape
from wavelab.scene.model.source import Source
from wavelab.scene.toml.toml_table import Table

#: In place of a time: until the wave has died away.
_WORD = "decayed"
#: How often light may cross the domain, along its diagonal and in vacuum, before such a run gives
#: up.
_CROSSINGS = 300


def solver_from(table: Table | None, outline: Shape | None, sources: Sequence[Source]) -> Solver:
    """
    Raises
    ------
    ItemError : as for any table, and for an element size beside a mesh file.
    """
    table = table or Table({}, ("solver",))
    if outline is not None and "element_size" not in table:
        (x0, y0), (x1, y1) = outline.bounds()
        table.missing(
            "element_size",
            f"With element_size = {max(x1 - x0, y1 - y0) / 20:.2g} about 20 elements lie side by "
            "side.",
        )
    if outline is None and "element_size" in table:
        raise ItemError(
            "element_size has no effect beside a mesh file, whose elements are taken as they are",
            remedy="Leave it out, or make the elements smaller in the program that made the file.",
            item=(*table.path, "element_size"),
        )
    if table.content.get("until") == _WORD:
        ending = {"until": _latest(table, outline, sources), _WORD: DECAYED}
        table = Table(
            {**ending, **table.content, "until": ending["until"]}, table.path, table.parameters
        )
    return table.made(Solver)


def _latest(table: Table, outline: Shape | None, sources: Sequence[Source]) -> float:
    """When a run ends that waits for the wave to die away, if it does not."""
    if outline is None:
        raise ItemError(
            f'until = "{_WORD}" does not say how long to wait at most: only the mesh file knows '
            "how large the domain is",
            remedy="Name the longest time, and when the wave counts as gone: until = 500, "
            f"{_WORD} = {DECAYED:g}.",
            item=(*table.path, "until"),
        )
    (x0, y0), (x1, y1) = outline.bounds()
    waves = [w.function() for s in sources if (w := getattr(s, "waveform", None)) is not None]
    driven = [w.origin + w.settled for w in waves if w.settled is not None]
    latest = max(0.0, *driven, 0.0) + _CROSSINGS * math.hypot(x1 - x0, y1 - y0)
    return float(f"{latest:.2g}")
