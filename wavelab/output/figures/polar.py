"""A far field over the angle, as a polar figure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.errors import OutputError
from wavelab.output.figures.axes import GAP, LINE
from wavelab.output.figures.chart import page_colour
from wavelab.output.figures.drawing import Drawing, Stroke, Words
from wavelab.output.figures.field_figure import NO_ROOM
from wavelab.output.figures.letters import CAPITAL, width
from wavelab.output.figures.style import Style
from wavelab.output.numbers import MINUS, labelled_ticks, nice_ticks
from wavelab.scene.model.units import Written

#: Decibels below the largest that the middle of the plot stands for, and from ring to ring.
DEEPEST, DECIBEL_STEP = 40.0, 10.0
#: Directions have spokes every so many degrees, and numbers.
_SPOKE = 30
#: Rings are labelled along this direction, between two spokes.
_LABELS_AT = 75.0
_PEN = 1.0
_TURN = np.linspace(0, 2 * np.pi, 181)


@dataclass(frozen=True, eq=False)
class FarField:
    """What is drawn of a far field.

    Attributes
    ----------
    names (f,) : of the frequencies.
    angle (a,) : directions in degrees, all the way round.
    size (f, a) : |F|, or 20 log10 of it over the largest of its frequency.
    low, high : in the middle and at the rim.
    rings : values between them, and what they are called.
    unit : of the size.
    """

    names: tuple[str, ...]
    angle: Array
    size: Array
    low: float
    high: float
    rings: list[tuple[float, str]]
    unit: str


def far_field(arrays: dict[str, NDArray], written: Written, *, decibels: bool) -> FarField | None:
    """Of the ``arrays`` of a ``MonitorResult``; None where nothing has been summed up."""
    size = np.abs(arrays["pattern"])
    largest = float(size.max(initial=0.0))
    if not largest > 0:
        return None
    names = tuple(f"f = {written.asked(f)}" for f in arrays["frequency"].tolist())
    angle = np.append(arrays["angle"], 360.0)
    size = np.concatenate([size, size[:, :1]], axis=1)
    if not decibels:
        high = _round_up(largest)
        return FarField(names, angle, size, 0.0, high, labelled_ticks(0.0, high, 4), "|F|")
    peaks = size.max(axis=1, keepdims=True)
    # A frequency at which nothing leaves lies in the middle, at -infinity.
    part = np.divide(size, peaks, out=np.zeros_like(size), where=peaks > 0)
    size = np.maximum(20 * np.log10(np.maximum(part, 1e-30)), -DEEPEST)
    levels = np.arange(-DEEPEST, 1, DECIBEL_STEP)
    rings = [(float(v), f"{v:.0f}".replace("-", MINUS)) for v in levels]
    return FarField(names, angle, size, -DEEPEST, 0.0, rings, "|F| (dB)")


def part_of_radius(field: FarField, value: Array | float) -> Array | float:
    """Where a value lies, in the middle of the plot or at its rim."""
    return (value - field.low) / (field.high - field.low)


@dataclass(frozen=True, eq=False)
class PolarChart:
    """A figure of a far field: rings of equal size, spokes of directions."""

    title: str
    field: FarField
    style: Style

    def drawing(self) -> Drawing:
        """The page.

        Raises
        ------
        OutputError : it has no room.
        """
        style, field = self.style, self.field
        size, ink = style.letters, style.inks
        names = [field.unit, *field.names]
        head = 1.4 * size * (len(names) + ("title" in style.parts))
        height = style.height or style.width + head
        page = Drawing(style.width, height, ink.paper, self.title, style.dpi)
        beside = width("330\u00b0", size) + 2 * GAP
        radius = min(style.width / 2 - beside, (height - head) / 2 - 1.2 * size - 2 * GAP)
        if radius < 3 * size:
            raise OutputError("the page has no room for what is to be on it", remedy=NO_ROOM)
        middle = np.array([style.width / 2, (height - head) / 2])
        circle = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=1)
        circle[-1] = circle[0]
        rings = [
            middle + radius * part_of_radius(field, value) * circle for value, _ in field.rings
        ]
        way = [np.array([np.cos(a), np.sin(a)]) for a in np.radians(np.arange(0, 360, _SPOKE))]
        spokes = [np.stack([middle, middle + radius * step]) for step in way]
        page.add(Stroke((*rings, *spokes), ink.grid, LINE))
        page.add(Stroke((middle + radius * circle,), ink.text, LINE))
        low = np.array([0.0, -CAPITAL * size / 2])
        for degrees, step in zip(range(0, 360, _SPOKE), way, strict=True):
            x, y = (middle + (radius + 1.4 * size) * step + low).tolist()
            page.add(Words(f"{degrees}\u00b0", (x, y), size, ink.text, 0.5))
        angle = np.radians(field.angle)
        around = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        for number, values in enumerate(field.size):
            line = middle + radius * np.asarray(part_of_radius(field, values))[:, None] * around
            page.add(Stroke((line,), page_colour(style, number), _PEN))
        a = np.radians(_LABELS_AT)
        for value, text in field.rings:
            r = radius * part_of_radius(field, value)
            if r > size:
                x, y = (middle + r * np.array([np.cos(a), np.sin(a)]) + low).tolist()
                page.add(Words(text, (x, y), 0.85 * size, ink.text, 0.5, halo=ink.paper))
        self._name(page, names, height)
        return page

    def table(self) -> tuple[list[str], list[Array]]:
        """Angles in degrees, and the size at each frequency there."""
        field = self.field
        names = [f"{field.unit}, {name}" for name in field.names]
        return ["angle (degrees)", *names], [field.angle, *field.size]

    def _name(self, page: Drawing, names: list[str], height: float) -> None:
        size, ink = self.style.letters, self.style.inks
        base = height - GAP - size
        if "title" in self.style.parts:
            page.add(Words(self.title, (GAP, base), size, ink.text))
            base -= 1.4 * size
        page.add(Words(names[0], (GAP, base), size, ink.text))
        for number, name in enumerate(names[1:]):
            base -= 1.4 * size
            sample = np.array([(GAP, base + 0.3 * size), (GAP + 14, base + 0.3 * size)])
            page.add(Stroke((sample,), page_colour(self.style, number), _PEN))
            page.add(Words(name, (GAP + 14 + GAP, base), size, ink.text))


def _round_up(value: float) -> float:
    """The next multiple of a fifth to a half of it that is a round number."""
    if not value > 0:
        return 1.0
    ticks = nice_ticks(0.0, 2 * value, 8)
    return next(tick for tick in ticks if tick >= value * (1 - 1e-9))
