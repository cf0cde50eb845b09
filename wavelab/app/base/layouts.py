"""Rows and columns of widgets."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

from wavelab.app.base.qt import QtWidgets
from wavelab.app.base.theme import GRID

#: A widget or a layout; with how much of what is left it takes; None for room that takes it all.
Item: TypeAlias = QtWidgets.QWidget | QtWidgets.QLayout
Part: TypeAlias = Item | tuple[Item, int] | None
Box = TypeVar("Box", QtWidgets.QHBoxLayout, QtWidgets.QVBoxLayout)
#: Left, top, right and bottom, in grid units.
Margins = tuple[float, float, float, float]


def row(
    *parts: Part,
    on: QtWidgets.QWidget | None = None,
    margins: Margins | None = (0, 0, 0, 0),
    spacing: float | None = 1,
) -> QtWidgets.QHBoxLayout:
    """From left to right, on a widget or to be put into another layout.

    Parameters
    ----------
    margins, spacing : around and between the parts, in grid units; None as the style has it.
    """
    return _filled(QtWidgets.QHBoxLayout(on), parts, margins, spacing)


def column(
    *parts: Part,
    on: QtWidgets.QWidget | None = None,
    margins: Margins | None = (0, 0, 0, 0),
    spacing: float | None = 1,
) -> QtWidgets.QVBoxLayout:
    """From top to bottom; else as :func:`row`."""
    return _filled(QtWidgets.QVBoxLayout(on), parts, margins, spacing)


def _filled(
    box: Box, parts: tuple[Part, ...], margins: Margins | None, spacing: float | None
) -> Box:
    if margins is not None:
        box.setContentsMargins(*(round(GRID * margin) for margin in margins))
    if spacing is not None:
        box.setSpacing(round(GRID * spacing))
    for part in parts:
        if part is None:
            box.addStretch(1)
            continue
        item, stretch = part if isinstance(part, tuple) else (part, 0)
        if isinstance(item, QtWidgets.QLayout):
            box.addLayout(item, stretch)
        else:
            box.addWidget(item, stretch)
    return box
