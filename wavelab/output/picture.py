"""Pictures as PNG files, exact to the last bit."""

from __future__ import annotations

import os
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from wavelab.atomic import whole_file

SUFFIXES = (".png",)


def write_png(path: str | os.PathLike[str], rgb: NDArray[np.uint8]) -> None:
    """Write (height, width, 3) uint8 sRGB pixels, row 0 at the top.

    Raises
    ------
    OutputError : the file cannot be written there.
    ValueError : ``rgb`` has another shape or type, or no pixels.
    """
    data = encoded_png(rgb)
    with whole_file(path, SUFFIXES) as partial:
        partial.write_bytes(data)


def encoded_png(rgb: NDArray[np.uint8]) -> bytes:
    """What is in such a file.

    Raises
    ------
    ValueError : as for :func:`write_png`.
    """
    import av  # FFmpeg is large, and most runs make no picture

    if rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.dtype != np.uint8 or rgb.size == 0:
        raise ValueError(f"a picture is (height, width, 3) uint8, not {rgb.shape} {rgb.dtype}")
    encoder = av.CodecContext.create("png", "w")
    assert isinstance(encoder, av.VideoCodecContext)
    encoder.height, encoder.width = rgb.shape[:2]
    encoder.pix_fmt = "rgb24"
    encoder.time_base = Fraction(1)  # any: a picture has no duration, but the encoder insists
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(rgb), format="rgb24")
    return b"".join(bytes(packet) for packet in [*encoder.encode(frame), *encoder.encode(None)])
