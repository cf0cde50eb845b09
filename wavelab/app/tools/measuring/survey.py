"""What the measuring tools ask about the experiment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wavelab.app.base import measures
from wavelab.app.base.numbers import three_figures
from wavelab.app.tools.tool import Point
from wavelab.physics.optical_path import OpticalPath, Spot
from wavelab.scene.edges.normals import Foot


@dataclass(frozen=True)
class Survey:
    """What the tool asks about the experiment.

    Attributes
    ----------
    vertices : those of the scene, which attract ends.
    now : the simulated time of the picture on show.
    frequency : at which wavelengths are counted.
    spot : what is at a place; None outside of the domain.
    path : what a line goes through; None if it leaves the domain.
    foot : on the edge nearest to a place; None if there are no edges.
    """

    vertices: Callable[[], Sequence[Point]] = tuple
    now: Callable[[], float] = lambda: 0.0
    frequency: Callable[[], float] = lambda: 1.0
    spot: Callable[[Point], Spot | None] = lambda _: None
    path: Callable[[Point, Point], OpticalPath | None] = lambda *_: None
    foot: Callable[[Point], Foot | None] = lambda _: None


def spot_words(spot: Spot) -> str:
    """What is under the pointer, in a line."""
    return (
        f"Element {spot.element}, edge {measures.length(spot.size)}, order {spot.order}; "
        f"n {three_figures(spot.index)}, wavelength {measures.length(spot.wavelength)}: "
        f"{three_figures(spot.points_per_wavelength)} points in it"
    )
