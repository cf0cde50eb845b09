"""Figures as files: lines and letters as PDF or SVG, pixels as PNG, or the numbers as CSV."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from wavelab.arrays import Array
from wavelab.atomic import whole_file
from wavelab.output.figures.drawing import Drawing
from wavelab.output.figures.pdf import encoded_pdf
from wavelab.output.figures.png import encoded_page
from wavelab.output.figures.svg import encoded_svg
from wavelab.output.files import tables

#: What makes a file of a drawing, by its suffix.
ENCODERS: dict[str, Callable[[Drawing], bytes]] = {
    ".pdf": encoded_pdf,
    ".svg": encoded_svg,
    ".png": encoded_page,
}
SUFFIXES = (*ENCODERS, *tables.SUFFIXES)


class Figure(Protocol):
    """What can be drawn, and told in numbers."""

    @property
    def title(self) -> str: ...

    def drawing(self) -> Drawing:
        """The page."""
        ...

    def table(self) -> tuple[list[str], list[Array]]:
        """Names of columns, and those (n,)."""
        ...


def write_figure(path: str | os.PathLike[str], figure: Figure) -> str:
    """Write a figure, or the numbers behind it.

    Returns
    -------
    What is to be said of the file, "" for nothing: characters that it has "?" for.

    Raises
    ------
    OutputError : the file cannot be written there.
    """
    if Path(path).suffix.lower() in tables.SUFFIXES:
        tables.write_table(path, *figure.table())
        return ""
    drawing = figure.drawing()
    with whole_file(path, tuple(ENCODERS)) as partial:
        partial.write_bytes(ENCODERS[Path(path).suffix.lower()](drawing))
    return said_of(drawing) if Path(path).suffix.lower() == ".pdf" else ""


def said_of(drawing: Drawing) -> str:
    """Of letters that no PDF file has by itself."""
    lost = drawing.unwritable
    if not lost:
        return ""
    return f"the fonts of PDF do not have {lost}; the figure has ? there, and as SVG it has all"
