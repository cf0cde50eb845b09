"""Lines and letters that lie over every picture of a movie, made once and mixed in quickly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class MovieOverlay:
    """Only the pixels that it covers at all, of which there are few.

    Attributes
    ----------
    size : width and height of the pictures.
    places : (n,) numbers of these pixels, row by row.
    colours : (n, 3) what it adds there, already weakened by how far it covers.
    left : (n, 1) part of the picture below that shines through.
    """

    size: tuple[int, int]
    places: NDArray[np.intp]
    colours: NDArray[np.float32]
    left: NDArray[np.float32]

    @classmethod
    def of(cls, rgba: NDArray[np.uint8]) -> MovieOverlay:
        """``rgba`` (height, width, 4), its colours premultiplied by its last channel."""
        height, width, _ = rgba.shape
        flat = rgba.reshape(-1, 4)
        places = np.flatnonzero(flat[:, 3])
        covered = flat[places].astype(np.float32)
        return cls((width, height), places, covered[:, :3], 1 - covered[:, 3:] / np.float32(255))

    def draw(self, rgb: NDArray[np.uint8]) -> None:
        """Over a picture (height, width, 3) of its size, which is changed in place."""
        flat = rgb.reshape(-1, 3)
        mixed = self.colours + self.left * flat[self.places]
        flat[self.places] = np.rint(mixed).astype(np.uint8)
