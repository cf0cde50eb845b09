"""Pictures with the few colours that a GIF has."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import av
import numpy as np


class PaletteFilter:
    """Chooses the best 256 colours of each frame, without dithering (which would flicker)."""

    def __init__(self, width: int, height: int) -> None:
        self._graph = graph = av.filter.Graph()
        source = graph.add_buffer(
            width=width, height=height, format=av.VideoFormat("rgb24"), time_base=Fraction(1)
        )
        split = graph.add("split")
        generate = graph.add("palettegen", "stats_mode=single:reserve_transparent=0")
        use = graph.add("paletteuse", "dither=none:new=1")
        sink = graph.add("buffersink")
        source.link_to(split)
        split.link_to(generate, 0, 0)
        split.link_to(use, 1, 0)
        generate.link_to(use, 0, 1)
        use.link_to(sink)
        graph.configure()

    def __call__(self, frame: av.VideoFrame) -> av.VideoFrame:
        pts, time_base = frame.pts, frame.time_base
        self._graph.push(frame)
        indexed = self._graph.pull()
        assert isinstance(indexed, av.VideoFrame)
        indexed.pts, indexed.time_base = pts, time_base
        return indexed


def indexed(frame: av.VideoFrame) -> av.VideoFrame:
    """With the colours that it has, 256 at most."""
    rgb = frame.to_ndarray(format="rgb24").astype(np.uint32)
    colours, places = np.unique(
        rgb[..., 0] << 16 | rgb[..., 1] << 8 | rgb[..., 2], return_inverse=True
    )
    palette = np.full(256, 0xFF000000, ">u4")
    palette[: len(colours)] |= colours
    pixels = places.reshape(rgb.shape[:2]).astype(np.uint8)
    both: Any = pixels, palette.view(np.uint8).reshape(256, 4)  # which its types do not know
    made = av.VideoFrame.from_ndarray(both, "pal8")
    made.pts, made.time_base = frame.pts, frame.time_base
    return made
