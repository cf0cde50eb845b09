"""How the field is first shown."""

from __future__ import annotations

from dataclasses import dataclass, field

from wavelab.scene.model.about import about
from wavelab.scene.model.shapes import Point


@dataclass(frozen=True)
class View:
    """How the field is first shown.

    ``limit`` is the value at full colour, None = automatic.  ``arrows`` over the field are "none",
    "power" (Poynting vectors now) or "mean_power" (of the first monitor of fields, over a period).
    ``decades`` are the powers of ten below full colour on a logarithmic scale, which is symmetric
    for a quantity with a sign; None is a linear scale.  ``relief`` is the azimuth and the elevation
    in degrees from which the field is seen as a relief, None for the flat view.  ``part`` are the
    lower left and the upper right corner of what is in view, none for all of the domain.
    """

    quantity: str = field(default="ez", metadata=about("What is shown"))
    palette: str = field(default="berlin", metadata=about("Colours"))
    limit: float | None = field(
        default=None,
        metadata=about("Value at full colour; empty: it follows the field"),
    )
    arrows: str = field(
        default="none",
        metadata=about("Arrows over the field: where energy flows"),
    )
    decades: int | None = field(
        default=None,
        metadata=about("Powers of ten of a logarithmic scale below full colour; empty: linear"),
    )
    relief: Point | None = field(
        default=None,
        metadata=about("Height view: azimuth and elevation in degrees; empty: the flat view"),
    )
    part: tuple[Point, ...] = field(
        default=(),
        metadata=about(
            "Lower left and upper right corner of what is in view; empty: all of the domain"
        ),
    )
