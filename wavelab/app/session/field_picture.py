"""What the canvas shows, and a picture of it at any size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base import measures
from wavelab.app.language.language import spoken_of, tr
from wavelab.app.session.view_state import ViewState
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.sampling import Extent, PixelSampler
from wavelab.output.arrows import Arrows, draw_arrows
from wavelab.output.figures.color_scale import ColorScale
from wavelab.output.figures.field_figure import FieldFigure, ShownField
from wavelab.output.figures.style import Style
from wavelab.output.palette import colorize, palette_on, surroundings
from wavelab.output.relief import Camera, still
from wavelab.output.scene_drawing import SceneDrawing
from wavelab.scene.view.quantities import ERROR_DECADES, decibels_of, names_of


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
    whole = widened(shown.extent, width, height)
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


def widened(extent: Extent, width: int, height: int) -> Extent:
    """About its middle, to the shape of a picture."""
    x0, y0, x1, y1 = extent
    pixel = max((x1 - x0) / width, (y1 - y0) / height)
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    half_x, half_y = pixel * width / 2, pixel * height / 2
    return x - half_x, y - half_y, x + half_x, y + half_y


def field_figure(
    shown: Shown, drawing: SceneDrawing, style: Style, title: str, time: float
) -> FieldFigure:
    """What the canvas shows, flat, in the units and the words of the window."""
    x0, y0, x1, y1 = shown.extent
    state, of_error = shown.view, shown.view.quantity == "error"
    system = spoken_of()
    colors = ColorScale(
        tr(state.shown.label),
        palette_on(style.ground, state.palette),
        shown.limit,
        round(ERROR_DECADES) if of_error else state.shown_decades,
        decibels_of(state.quantity, system),
        of_error,
    )
    keys = {key: name for name, key in names_of(system).items()}
    field = ShownField(
        shown.discretization,
        shown.values,
        keys.get(state.quantity, state.quantity),
        colors,
        partial(widened, shown.extent),
        (x1 - x0, y1 - y0),
        measures.scale(),
        drawing,
        shown.arrows if state.relief is None else None,
        title,
        f"t = {measures.time(time, '{:.4g}'.format)}",
    )
    return FieldFigure(field, style)


def field_table(shown: Shown, drawing: SceneDrawing, columns: int) -> list[list[str]]:
    """Rows of a spreadsheet: x along the first, then for each y from the top that and the values,
    about so many along the longer side."""
    x0, y0, x1, y1 = shown.extent
    part = columns / max(x1 - x0, y1 - y0)
    wide, high = (max(72.0, part * side) for side in (x1 - x0, y1 - y0))
    style = Style(wide, high, dpi=72, parts=())
    figure = field_figure(shown, drawing, style, "", 0.0)
    x, y, values = figure.grid()
    head = [figure.field.key, *map(repr, x.tolist())]
    rows = [[repr(a), *map(repr, b)] for a, b in zip(y.tolist(), values.tolist(), strict=True)]
    return [head, *reversed(rows)]
