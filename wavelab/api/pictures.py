"""Pictures, movies and plots, which notebooks show as they are."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from html import escape
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavelab.api.given import reals
from wavelab.atomic import whole_file
from wavelab.errors import WavelabError
from wavelab.output.line_plot import Curve, line_plot
from wavelab.output.movie import FORMATS
from wavelab.output.picture import encoded_png, write_png


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
    named = curves if isinstance(curves, Mapping) else {up: curves}
    places = reals(x, "places of the plot")
    drawn = [Curve(str(n), reals(values, f"values of {n}")) for n, values in named.items()]
    if places.ndim != 1 or not drawn or any(c.values.shape != places.shape for c in drawn):
        shapes = ", ".join(str(c.values.shape) for c in drawn) or "none"
        raise WavelabError(
            f"curves of the shapes {shapes} do not fit {places.shape} places",
            remedy="Give one value for each of x, in one dimension.",
        )
    return Picture(line_plot(places, drawn, across, up))
