"""What the canvas shows, and a picture of it at any size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.app.session.view_state import ViewState
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.sampling import Extent, PixelSampler
from wavelab.output.arrows import Arrows, draw_arrows
from wavelab.output.palette import colorize, surroundings
from wavelab.output.relief import Camera, still


@dataclass(frozen=True, eq=False)
class Shown:
    """One moment on the canvas.

    Attributes
    ----------
    values : (n_elements, nodes_per_element).
    limit : value at full colour.
    extent : part of the scene in view, (x0, y0, x1, y1).
    arrows : those over the field, with the size of the vector that has the longest one.
    """

    discretization: Discretization
    values: NDArray[np.floating]
    view: ViewState
    limit: float
    extent: Extent
    arrows: tuple[Arrows, float] | None = None


def field_picture(shown: Shown, width: int, height: int) -> NDArray[np.uint8]:
    """(height, width, 3) uint8: the polynomial at every pixel, with the arrows of the canvas.

    The extent is widened about its middle where the picture has another shape.
    """
    x0, y0, x1, y1 = shown.extent
    pixel = max((x1 - x0) / width, (y1 - y0) / height)
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    half_x, half_y = pixel * width / 2, pixel * height / 2
    whole = (x - half_x, y - half_y, x + half_x, y + half_y)
    palette = shown.view.palette
    if shown.view.relief is not None:
        return still(
            shown.discretization, shown.values, Camera(*shown.view.relief), (width, height),
            palette, lambda _: shown.limit, surroundings(palette), shown.view.shown_decades,
        )  # fmt: skip
    sampled = PixelSampler(shown.discretization, whole, width, height).sample(shown.values)
    rgb = colorize(sampled, palette, shown.limit, surroundings(palette), shown.view.shown_decades)
    if shown.arrows is not None:
        arrows, longest = shown.arrows
        draw_arrows(rgb, arrows, longest, whole, palette)
    return rgb
