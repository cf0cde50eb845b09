"""What is drawn, as curves one after the other."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.meshing.svg.curves import Curve

#: Gap between ends that are one point but for rounding, in parts of the size of what they end.
GAP = 1e-3


@dataclass(frozen=True)
class Outline:
    """In units of the drawing, y downwards.

    ``label`` is what messages call it, and ``where`` its file and line; an open line, which nothing
    fills, is not ``closed``.
    """

    curves: tuple[Curve, ...]
    label: str
    where: str
    closed: bool = True
