"""What a movie is to be like."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class MovieRequest:
    """A movie in simulated time: the same pictures whatever the frame rate of the window.

    Attributes
    ----------
    path : file to write; its suffix (.mp4, .webm, .gif) chooses the format.
    width, height : pixels, even (see ``wavelab.output.movies.formats.even_size``).
    time_per_frame : simulated time between two pictures.
    fps : pictures per second when played.
    quantity : one of ``wavelab.scene.view.quantities.QUANTITIES``.
    palette : a name in ``wavelab.output.palette.PALETTES``.
    limit : the value shown in full colour; None follows the field.
    extent : (x0, y0, x1, y1) of the picture in scene coordinates; None fits the whole domain.
    arrows : one of ``wavelab.scene.view.quantities.ARROWS``.
    decades : powers of ten below full colour on a logarithmic scale; None for a linear one.
    relief : azimuth and elevation from which the whole domain is seen as a relief, without arrows;
        None for the flat view.
    """

    path: Path
    width: int
    height: int
    time_per_frame: float
    fps: int = 30
    quantity: str = "ez"
    palette: str = "berlin"
    limit: float | None = None
    extent: tuple[float, float, float, float] | None = None
    arrows: str = "none"
    decades: int | None = None
    relief: tuple[float, float] | None = None
