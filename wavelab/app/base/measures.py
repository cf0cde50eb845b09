"""Lengths, times and frequencies of the window, in the units of the scene that it shows.

As with the language there is one window, one scene and so one scale at a time; what is written
down elsewhere stays in the scene's own numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from wavelab.app.base.numbers import three_figures
from wavelab.scene.editing.dimensions import in_scene_units
from wavelab.scene.model.units import FREQUENCY, LENGTH, SPEED, TIME, Scale, Unit, Written

_scale: Scale | None = None

Figures = Callable[[float], str]


def measure_in(scale: Scale | None) -> None:
    """Show everything in the units of a scene from now on; None: in its own numbers."""
    global _scale
    _scale = scale


def scale() -> Scale | None:
    """The one in use."""
    return _scale


def unit(dimension: str, value: float) -> Unit | None:
    """In which a number of the scene is shown; None: as it is."""
    return None if _scale is None else _scale.unit(dimension, value)


def length(value: float, figures: Figures = three_figures) -> str:
    return Written(_scale, figures).of(LENGTH, value)


def time(value: float, figures: Figures = three_figures) -> str:
    return Written(_scale, figures).of(TIME, value)


def frequency(value: float, figures: Figures = three_figures) -> str:
    return Written(_scale, figures).of(FREQUENCY, value)


def written() -> Written:
    """For what writes numbers of several kinds itself."""
    return Written(_scale, three_figures)


def speed(value: float) -> str:
    return Written(_scale, three_figures).of(SPEED, value)


def running(value: float) -> str:
    """A number that runs on, whose decimals stay the same while it does."""
    return f"{value:.4f}" if 1e-2 <= abs(value) < 1e5 or value == 0 else three_figures(value)


def clock(value: float, figures: Figures = running) -> str:
    """A time that runs on: its unit stays the same too, for a factor of 1000 or so."""
    return Written(_scale, figures).of(TIME, value, least=1.0)


def place(x: float, y: float, figures: Figures = three_figures, width: int = 0) -> str:
    """Coordinates, in the length unit of the scene however large they are."""
    numbers = f"{figures(x):>{width}}, {figures(y):>{width}}"
    return numbers if _scale is None else f"{numbers} {_scale.own.name}"


def typed(text: str, dimension: str) -> str:
    """What was typed into a field, without a unit.

    Raises
    ------
    ItemError : it is a unit of something else, or the scene has none.
    """
    return in_scene_units(text, dimension, _scale)
