"""Pictures without a graphics card: the polynomial itself evaluated at every pixel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import WavelabError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.interpolation import interpolation_weights, locator_of

Extent = tuple[float, float, float, float]

_MAX_PIXELS = 1 << 26
#: Weights are kept between frames up to this many numbers (256 MB); above, computed each time.
_KEEP_WEIGHTS = 1 << 26
#: Pixels evaluated at a time: their nodal values stay in the cache.
_PIECE = 16_384


def fit_extent(
    discretization: Discretization, width: int, height: int, margin: float = 0.03
) -> Extent:
    """View x0, y0, x1, y1 that shows the whole mesh in a picture of this size, undistorted.

    ``margin`` is the free border, in parts of the mesh's size.
    """
    low, high = discretization.bounds()
    per_pixel = float(((1 + 2 * margin) * (high - low) / (width, height)).max())
    x, y = (low + high) / 2
    half_x, half_y = per_pixel * width / 2, per_pixel * height / 2
    return x - half_x, y - half_y, x + half_x, y + half_y


def check_picture(extent: Extent, width: int, height: int) -> None:
    """Refuse views that cannot be sampled.

    Raises
    ------
    WavelabError : the picture has no pixels or more than 2^26, or the view has no size.
    """
    if width < 1 or height < 1 or width * height > _MAX_PIXELS:
        raise WavelabError(
            f"a picture of {width} x {height} pixels cannot be made",
            remedy=f"Use at least 1 x 1 and at most {_MAX_PIXELS} pixels in all.",
        )
    x0, y0, x1, y1 = extent
    if not (np.isfinite(extent).all() and x1 > x0 and y1 > y0):
        raise WavelabError(f"the view {extent} has no size")


class PixelSampler:
    """Evaluates nodal fields at the centres of the pixels of one view.

    The search for elements is done once; sampling a frame is a gather and a small product, the
    same numbers on every machine.

    Raises
    ------
    WavelabError : as :func:`check_picture`.
    """

    def __init__(
        self, discretization: Discretization, extent: Extent, width: int, height: int
    ) -> None:
        check_picture(extent, width, height)
        x0, y0, x1, y1 = extent
        self.width, self.height, self.extent = width, height, extent
        self._element = discretization.element
        x = x0 + (np.arange(width) + 0.5) * (x1 - x0) / width
        y = y1 - (np.arange(height) + 0.5) * (y1 - y0) / height
        locator = locator_of(discretization)
        rows = max(1, 1_000_000 // width)
        found = []
        for first in range(0, height, rows):
            points = np.stack(np.meshgrid(x, y[first : first + rows]), axis=2).reshape(-1, 2)
            elements, rs = locator.locate(points)
            inside = np.flatnonzero(elements >= 0)
            found.append((inside + first * width, elements[inside], rs[inside]))
        pixels, elements, rs = (np.concatenate(parts) for parts in zip(*found, strict=True))
        # Sorted by element, the gather runs through memory once.
        order = np.argsort(elements, kind="stable")
        self._pixels, self._rs = pixels[order], rs[order]
        # As the type that NumPy indexes with, or it converts them for every picture.
        self._elements = elements[order].astype(np.intp)
        self._pieces = [
            slice(first, first + _PIECE) for first in range(0, len(self._pixels), _PIECE)
        ]
        fits = len(self._pixels) * discretization.nodes_per_element <= _KEEP_WEIGHTS
        self._kept = [self._weights(piece) for piece in self._pieces] if fits else None

    def _weights(self, piece: slice) -> NDArray[np.float32]:
        return interpolation_weights(self._element, self._rs[piece]).astype(np.float32)

    def sample(self, values: NDArray) -> NDArray[np.float32]:
        """Values at the pixels, row 0 at the top, NaN outside the mesh.

        Parameters
        ----------
        values : (n_elements, nodes_per_element).

        Returns
        -------
        (height, width) float32.
        """
        values = np.asarray(values, dtype=np.float32)
        picture = np.full(self.height * self.width, np.nan, dtype=np.float32)
        sampled = np.empty(len(self._pixels), dtype=np.float32)
        nodal = np.empty((_PIECE, self._element.nodes_per_element), dtype=np.float32)
        for i, piece in enumerate(self._pieces):
            weights = self._kept[i] if self._kept is not None else self._weights(piece)
            there = nodal[: len(weights)]
            # The indices are good; "clip" is what lets NumPy write into ``out`` without a copy.
            np.take(values, self._elements[piece], axis=0, out=there, mode="clip")
            np.einsum("pn,pn->p", weights, there, out=sampled[piece])
        picture[self._pixels] = sampled
        return picture.reshape(self.height, self.width)
