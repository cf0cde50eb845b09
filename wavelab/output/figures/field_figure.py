"""A field with axes and colour bar, and lines over it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.errors import OutputError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.sampling import Extent, PixelSampler
from wavelab.output.arrows import Arrows
from wavelab.output.figures.axes import GAP, TICK, Axis, draw_axes, margins
from wavelab.output.figures.color_scale import BAR, ColorScale, draw_bar
from wavelab.output.figures.drawing import Bitmap, Box, Drawing, Words
from wavelab.output.figures.letters import CAPITAL, width
from wavelab.output.figures.overlay import Place, draw_arrows, draw_scene_lines
from wavelab.output.figures.style import Style
from wavelab.output.palette import colorize, surroundings
from wavelab.output.scene_drawing import SceneDrawing
from wavelab.scene.model.units import LENGTH, Scale

#: Distance of the colour bar from the field, in sizes of letters.
_BESIDE = 1.0
#: A page is at most so many times as high as wide, if nobody says how high.
_TALLEST = 2.0
#: What to do where there is too little room.
NO_ROOM = "Make the figure larger, or leave parts of it out."


@dataclass(frozen=True, eq=False)
class ShownField:
    """One moment of a field.

    Attributes
    ----------
    values : (n_elements, nodes_per_element).
    key : what the quantity is called in files.
    colors : what its colours stand for.
    extent : of a picture of so many pixels.
    shape : width and height of what is shown, in the unit of the scene.
    scale : of the units of the scene, if it has any.
    drawing : of the scene over it.
    arrows : with the size of the vector that has the longest one.
    title, time : what is written above, if that is wished for.
    """

    discretization: Discretization
    values: NDArray[np.floating]
    key: str
    colors: ColorScale
    extent: Callable[[int, int], Extent]
    shape: tuple[float, float]
    scale: Scale | None
    drawing: SceneDrawing
    arrows: tuple[Arrows, float] | None = None
    title: str = ""
    time: str = ""


@dataclass(frozen=True, eq=False)
class FieldFigure:
    """A figure of a field; what it needs is computed when it is asked for.

    Raises
    ------
    WavelabError : from all members, where there is no room on the page, or too many pixels.
    """

    field: ShownField
    style: Style

    @property
    def title(self) -> str:
        return self.field.title

    def drawing(self) -> Drawing:
        """The page."""
        field, style, layout = self.field, self.style, self._layout
        parts = style.parts
        page = Drawing(*layout.page, style.inks.paper, field.title, style.dpi)
        rgb = colorize(
            self._sampled, field.colors.palette, field.colors.limit,
            surroundings(field.colors.palette), field.colors.decades,
        )  # fmt: skip
        page.add(Bitmap(rgb, layout.box))
        place = Place(self._extent, layout.box)
        if field.arrows is not None:
            draw_arrows(page, *field.arrows, place, field.colors.palette)
        draw_scene_lines(page, field.drawing, place, style, field.colors.palette)
        if "axes" in parts:
            draw_axes(page, layout.box, *layout.axes, style)
        if "bar" in parts:
            left = layout.box[2] + _BESIDE * style.letters
            draw_bar(
                page, (left, layout.box[1]), layout.box[3] - layout.box[1], field.colors, style
            )
        self._draw_head(page, layout.box)
        return page

    def table(self) -> tuple[list[str], list[Array]]:
        """Names and columns: x and y of the middle of each pixel, in the unit of the axes, and the
        value there, row by row from the lower left; nan where there is no field."""
        x, y, values = self.grid()
        across, up = np.meshgrid(x, y)
        names = [axis.label for axis in self._layout.axes]
        return [*names, self.field.key], [across.ravel(), up.ravel(), values.ravel()]

    def grid(self) -> tuple[Array, Array, Array]:
        """x (w,), y (h,) upwards and the values (h, w) of the pixels."""
        x0, y0, x1, y1 = self._extent
        height, wide = self._sampled.shape
        factor = self._unit[1]
        x = factor * (x0 + (np.arange(wide) + 0.5) * (x1 - x0) / wide)
        y = factor * (y0 + (np.arange(height) + 0.5) * (y1 - y0) / height)
        return x, y, self._sampled[::-1].astype(np.float64)

    @property
    def _unit(self) -> tuple[str, float]:
        """Of the axes: its name, "" for the scene's own numbers, and the factor into it."""
        if self.field.scale is None:
            return "", 1.0
        unit = self.field.scale.unit(LENGTH, max(self.field.shape))
        return ("", 1.0) if unit is None else (unit.name, unit.factor)

    @cached_property
    def _extent(self) -> Extent:
        return self.field.extent(*self._layout.pixels)

    @cached_property
    def _sampled(self) -> NDArray[np.float32]:
        sampler = PixelSampler(self.field.discretization, self._extent, *self._layout.pixels)
        return sampler.sample(self.field.values)

    @cached_property
    def _layout(self) -> _Layout:
        return _Layout.of(self.field, self.style, self._unit)

    def _draw_head(self, page: Drawing, box: Box) -> None:
        size, ink, parts = self.style.letters, self.style.inks, self.style.parts
        above = box[3] + GAP + 0.3 * size
        if "title" in parts:
            page.add(Words(self.field.title, (box[0], above), size, ink.text))
        if "time" in parts:
            page.add(Words(self.field.time, (box[2], above), size, ink.text, 1.0))


@dataclass(frozen=True)
class _Layout:
    """Where the field is, on whole pixels of the page."""

    page: tuple[float, float]
    box: Box
    pixels: tuple[int, int]
    axes: tuple[Axis, Axis]

    @classmethod
    def of(cls, field: ShownField, style: Style, unit: tuple[str, float]) -> _Layout:
        wide, high = field.shape
        height = style.height or min(_TALLEST, 0.3 + high / wide) * style.width
        left, right, bottom, top = cls._room(field, style, unit, (style.width, height))
        pixel = style.pixel
        width = round(style.width / pixel) * pixel
        across, up = width - left - right, height - bottom - top
        if style.height is None:
            up = _TALLEST * width
        scale = min(across / wide, up / high) / pixel
        size = [max(int(scale * side + 1e-6), 0) for side in (wide, high)]
        if style.height is None:
            up = size[1] * pixel
            height = up + bottom + top
        if min(size) < 2:
            raise OutputError("the page has no room for what is to be on it", remedy=NO_ROOM)
        pixels = size[0], size[1]
        # In the middle of the room that is left over, with its corner where pixels of the page are.
        x0 = round((left + (across - size[0] * pixel) / 2) / pixel) * pixel
        y1 = round((top + (up - size[1] * pixel) / 2) / pixel) * pixel
        page = width, math.ceil(height / pixel - 1e-6) * pixel
        y0 = page[1] - y1 - size[1] * pixel
        box = (x0, y0, x0 + size[0] * pixel, page[1] - y1)
        ends = field.extent(*pixels)
        return cls(page, box, pixels, cls._axes(ends, unit))

    @staticmethod
    def _axes(ends: Extent, unit: tuple[str, float]) -> tuple[Axis, Axis]:
        name, factor = unit
        x0, y0, x1, y1 = (factor * end for end in ends)
        suffix = f" ({name})" if name else ""
        return Axis(f"x{suffix}", x0, x1), Axis(f"y{suffix}", y0, y1)

    @classmethod
    def _room(
        cls, field: ShownField, style: Style, unit: tuple[str, float], page: tuple[float, float]
    ) -> tuple[float, float, float, float]:
        """To the left, the right, below and above."""
        size = style.letters
        left = right = bottom = top = 0.0
        if "axes" in style.parts:
            axes = cls._axes(field.extent(1000, round(1000 * page[1] / page[0])), unit)
            around = margins(*axes, (0.8 * page[0], 0.8 * page[1]), size)
            left, right, bottom, top = around.left, around.right, around.bottom, around.top
        if "bar" in style.parts:
            ticks = field.colors.axis(0.8 * page[1], size).ticks or ()
            widest = max((width(text, size) for _, text in ticks), default=0.0)
            beside = (_BESIDE + BAR) * size + TICK + 2 * GAP + widest + 1.4 * size
            right, top = beside, max(top, CAPITAL * size / 2 + GAP)
            bottom = max(bottom, top)
        if {"title", "time"} & set(style.parts):
            top = max(top, 2 * GAP + 1.2 * size)
        return left, right, bottom, top
