"""How a line of a scene is drawn, as plain data; its colours are those of the palette."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pen:
    """``colour`` is "line" or "accent"; ``width`` is in pixels, ``dashes`` and the gaps between
    them in widths, none for a solid line; ``opacity`` goes from 0 to 255.  Where it ``fades`` the
    field does along the line, and the line has no halo."""

    colour: str = "line"
    width: float = 2.0
    dashes: tuple[float, ...] = ()
    opacity: int = 255
    fades: bool = False

    @property
    def weight(self) -> tuple[float, ...]:
        """The larger, the more the line shows: where two meet, it is drawn over the other."""
        return (self.width, -len(self.dashes), -sum(self.dashes))
