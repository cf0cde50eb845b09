"""Pictures, movies and plots, which notebooks show as they are."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavelab.api.given import count, reals
from wavelab.api.telling import warn
from wavelab.arrays import Array
from wavelab.atomic import whole_file
from wavelab.errors import WavelabError
from wavelab.output.figures.axes import Axis
from wavelab.output.figures.chart import Chart, ChartCurve, span
from wavelab.output.figures.figure import Figure as MadeFigure
from wavelab.output.figures.figure import write_figure
from wavelab.output.figures.style import UNITS, Style, size_in_points
from wavelab.output.figures.svg import encoded_svg
from wavelab.output.line_plot import Curve, line_plot
from wavelab.output.movies.movie import FORMATS
from wavelab.output.picture import encoded_png, write_png
from wavelab.scene.model.item_error import require_one_of


class Picture:
    """Pixels, which a notebook shows.

    Attributes
    ----------
    pixels : (height, width, 3) uint8 sRGB, row 0 at the top.
    """

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        self.pixels = pixels

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file (.png).

        Raises
        ------
        OutputError : it cannot be written there.
        """
        write_png(path, self.pixels)

    def _repr_png_(self) -> bytes:
        return encoded_png(self.pixels)

    def __repr__(self) -> str:
        height, width = self.pixels.shape[:2]
        return f"<Picture of {width} x {height} pixels>"


class Figure:
    """A figure for a paper: lines and letters with axes, which a notebook shows.

    Attributes
    ----------
    table : the numbers behind it, arrays (n,) by the names of their columns.
    """

    def __init__(self, made: MadeFigure) -> None:
        self._made = made

    @property
    def table(self) -> dict[str, Array]:
        names, columns = self._made.table()
        return dict(zip(names, columns, strict=True))

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file: .pdf, .svg or .png, or its table as .csv.

        Raises
        ------
        OutputError : it cannot be written there.
        """
        told = write_figure(path, self._made)
        if told:
            warn(told)

    def _repr_svg_(self) -> str:
        return encoded_svg(self._made.drawing()).decode("utf-8")

    def __repr__(self) -> str:
        page = self._made.drawing()
        wide, high = page.width / UNITS["cm"], page.height / UNITS["cm"]
        return f"<Figure of {wide:.3g} x {high:.3g} cm>"


def style_of(size: str | None, dpi: int, ground: str, parts: str | Sequence[str]) -> Style:
    """How a figure looks, as the options of ``wavelab run`` say it.

    Raises
    ------
    OutputError : there is no such figure.
    """
    width, height = (Style.width, None) if size is None else size_in_points(size)
    names = parts.split(",") if isinstance(parts, str) else parts
    chosen = tuple(str(name).strip() for name in names)
    return Style(width, height, count(dpi, "pixels per inch", 1), ground, chosen)


class Movie:
    """A movie, which a notebook plays.

    Attributes
    ----------
    data : the content of the file.
    suffix : ".mp4", ".webm" or ".gif", which says what that is.
    frames : how many pictures there are.
    path : where it lies; None if it was not written to a file.
    """

    def __init__(self, data: bytes, suffix: str, frames: int, path: Path | None = None) -> None:
        self.data, self.suffix, self.frames, self.path = data, suffix.lower(), frames, path

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file of the same kind.

        Raises
        ------
        OutputError : it cannot be written there, or that would be another kind.
        """
        with whole_file(path, (self.suffix,)) as partial:
            partial.write_bytes(self.data)

    def _repr_html_(self) -> str:
        kind = "image" if self.suffix == ".gif" else "video"
        source = f"data:{kind}/{self.suffix[1:]};base64,{base64.b64encode(self.data).decode()}"
        if kind == "image":
            return f'<img src="{source}" alt="{escape(repr(self))}">'
        return f'<video controls loop src="{source}">{escape(repr(self))}</video>'

    def __repr__(self) -> str:
        return f"<Movie of {self.frames} pictures ({FORMATS[self.suffix].label})>"


def plot(
    x: ArrayLike, curves: Mapping[str, ArrayLike] | ArrayLike, across: str = "", up: str = ""
) -> Picture:
    """Curves over numbers, as a picture with axes.

    Parameters
    ----------
    x : (n,) numbers that ascend.
    curves : (n,) values by the names of the curves, or of one; where one is not finite there is a
        gap.
    across, up : what the axes are called.

    Raises
    ------
    WavelabError : the arrays do not fit each other.

    Examples
    --------
    >>> x = np.linspace(0, 7)
    >>> wavelab.plot(x, {"sine": np.sin(x), "cosine": np.cos(x)}, across="x")
    <Picture of 960 x 600 pixels>
    """
    places, drawn = _curves(x, curves, up)
    return Picture(line_plot(places, drawn, across, up))


def figure(
    x: ArrayLike,
    curves: Mapping[str, ArrayLike] | ArrayLike,
    across: str = "",
    up: str = "",
    *,
    size: str | None = None,
    dpi: int = 300,
    ground: str = "light",
    log: str = "",
    title: str = "",
) -> Figure:
    """The same for a paper.

    Parameters
    ----------
    x, curves, across, up : as for :func:`plot`.
    size, dpi, ground : as for :meth:`Simulation.figure`.
    log : "x", "y" or "xy": the logarithmic axes, on which numbers that are not greater than 0 are
        left out.
    title : written above, if there is one.

    Raises
    ------
    WavelabError : the arrays do not fit each other, or there is no such figure.

    Examples
    --------
    >>> f = np.geomspace(1, 100)
    >>> wavelab.figure(f, {"power": f**-2}, "frequency f (GHz)", "power", log="xy")
    <Figure of 8.5 x 5.95 cm>
    """
    places, drawn = _curves(x, curves, up)
    require_one_of(log, ("", "x", "y", "xy"), ("log",), "the logarithmic axes")
    style = style_of(size, dpi, ground, "title" if title else "")
    low, high = (float(places.min()), float(places.max())) if places.size else (0.0, 1.0)
    if "x" in log:
        low, high = span([places], log=True)
    elif not low < high:
        low, high = low - 0.5, high + 0.5
    made = [ChartCurve(c.label, places, c.values, i) for i, c in enumerate(drawn)]
    vertical = Axis(up, *span([c.values for c in drawn], log="y" in log), log="y" in log)
    horizontal = Axis(across, low, high, log="x" in log)
    return Figure(Chart(title, made, horizontal, vertical, style))


def _curves(
    x: ArrayLike, curves: Mapping[str, ArrayLike] | ArrayLike, up: str
) -> tuple[Array, list[Curve]]:
    """
    Raises
    ------
    WavelabError : the arrays do not fit each other.
    """
    named = curves if isinstance(curves, Mapping) else {up: curves}
    places = reals(x, "places of the plot")
    drawn = [Curve(str(n), reals(values, f"values of {n}")) for n, values in named.items()]
    if places.ndim != 1 or not drawn or any(c.values.shape != places.shape for c in drawn):
        shapes = ", ".join(str(c.values.shape) for c in drawn) or "none"
        raise WavelabError(
            f"curves of the shapes {shapes} do not fit {places.shape} places",
            remedy="Give one value for each of x, in one dimension.",
        )
    return places, drawn
