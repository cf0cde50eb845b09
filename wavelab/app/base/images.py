"""Pixels as Qt keeps them, and as an array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base.qt import QImage


def image_of(rgb: NDArray[np.uint8]) -> QImage:
    """(height, width, 3) as an image of four bytes a pixel, which Qt can magnify without
    converting; a copy, as an image made from an array does not keep the array."""
    rgb = np.ascontiguousarray(rgb)
    height, width, _ = rgb.shape
    image = QImage(rgb.data, width, height, 3 * width, QImage.Format_RGB888)
    return image.convertToFormat(QImage.Format_RGB32)


def pixels_of(image: QImage) -> NDArray[np.uint8]:
    """(height, width, 3) a copy."""
    image = image.convertToFormat(QImage.Format_RGB888)
    data = image.constBits().asarray(image.sizeInBytes())
    rows = np.frombuffer(data, np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).copy()
