"""Movies: MP4 (H.264), WebM (VP9) and GIF, encoded in this process.

A movie grows under a partial name and takes its own when it is closed.  MP4 is written in fragments
of one group of pictures each and WebM in clusters of as much time, so that what a killed program
leaves behind still opens and lacks at most the last group.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

import av
import numpy as np
from av.codec.codec import UnknownCodecError
from av.container import OutputContainer
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc
from av.video.stream import VideoStream
from numpy.typing import NDArray

from wavelab.atomic import check_target, discard, explain, finish, reserve_partial
from wavelab.errors import OutputError
from wavelab.output.movies.formats import FORMATS, GROUP_SECONDS, MovieFormat, even_size
from wavelab.output.movies.gif import PaletteFilter, indexed


class MovieWriter:
    """Writes frames one by one; the format follows from the ending of the file name.

    Use it as a context manager, or call :meth:`close` or :meth:`abort` at the end.  Not thread
    safe: one thread adds the frames.

    Parameters
    ----------
    path : name of the movie; an existing file is replaced when the movie is complete.
    width, height : size in pixels; even for MP4 and WebM (see :func:`even_size`).
    fps : frames per second at which the movie plays.
    few_colours : that no frame of a GIF has more than 256 colours, which are kept as they are.

    Raises
    ------
    OutputError : no usable ending, directory, size or encoder.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        width: int,
        height: int,
        fps: int = 30,
        *,
        few_colours: bool = False,
    ) -> None:
        self.path = check_target(path, tuple(FORMATS))
        self.width, self.height, self.fps = width, height, fps
        self.frames = 0
        self._format = FORMATS[self.path.suffix.lower()]
        self._check()
        self._indexed: Callable[[av.VideoFrame], av.VideoFrame] | None = None
        if not self._format.is_video:
            self._indexed = indexed if few_colours else PaletteFilter(width, height)
        partial = reserve_partial(self.path)
        try:
            self._container, self._stream = _open(partial, self._format, width, height, fps)
        except BaseException as error:
            discard(partial)
            if isinstance(error, (OSError, av.FFmpegError)):
                raise explain(error, self.path) from error
            raise
        self._partial: Path | None = partial

    def add(self, rgb: NDArray[np.uint8]) -> None:
        """Append a frame, (height, width, 3) uint8 sRGB, row 0 at the top.

        Raises
        ------
        OutputError : the frame has another size, the movie is closed, or it cannot be written; in
            the last case the movie is given up and its partial file removed.
        """
        if self._partial is None:
            raise OutputError("the movie is already closed", where=str(self.path))
        if rgb.shape != (self.height, self.width, 3) or rgb.dtype != np.uint8:
            raise OutputError(
                f"a frame of {rgb.shape[1::-1]} {rgb.dtype} does not fit into a movie of "
                f"({self.width}, {self.height}) uint8 pixels",
                where=str(self.path),
                remedy="A movie keeps the size it was started with.",
            )
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(rgb), format="rgb24")
        frame.pts, frame.time_base = self.frames, self._stream.codec_context.time_base
        self._try(lambda: self._encode(frame))
        self.frames += 1

    def close(self) -> None:
        """Complete the movie and give it its name.  Closing twice is harmless.

        Raises
        ------
        OutputError : it cannot be written, or it has no frames; there is no file then.
        """
        if self._partial is None:
            return
        if self.frames == 0:
            self.abort()
            raise OutputError(
                "not written, because no frame was recorded",
                where=str(self.path),
                remedy="Let the wave run while recording.",
            )
        self._try(self._finish)
        partial, self._partial = self._partial, None
        finish(partial, self.path)

    def abort(self) -> None:
        """Give the movie up: nothing remains of it.  Harmless after :meth:`close`."""
        if self._partial is None:
            return
        partial, self._partial = self._partial, None
        # Closing writes what is left; on a full disk that fails as the frame before it did.
        with suppress(OSError, av.FFmpegError):
            self._container.close()
        discard(partial)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.abort()

    def _check(self) -> None:
        width, height, form = self.width, self.height, self._format
        if width < 1 or height < 1:
            raise OutputError(
                f"a movie of {width} x {height} pixels has none", where=str(self.path)
            )
        if form.is_video and even_size(width, height) != (width, height):
            even = "{} x {}".format(*even_size(width, height))
            raise OutputError(
                f"{form.label} needs an even width and height, not {width} x {height}",
                where=str(self.path),
                remedy=f"Use {even}.",
            )
        if not 1 <= self.fps <= form.fastest:
            raise OutputError(
                f"{form.label} plays 1 to {form.fastest} frames per second, not {self.fps}",
                where=str(self.path),
            )
        try:
            av.Codec(form.codec, "w")
        except UnknownCodecError:
            raise OutputError(
                f"{form.label} cannot be written: the FFmpeg of PyAV has no encoder {form.codec}",
                where=str(self.path),
                remedy="Install the wheel of av from PyPI, or record "
                + " or ".join(ending for ending in FORMATS if FORMATS[ending] is not form)
                + ".",
            ) from None

    def _encode(self, frame: av.VideoFrame) -> None:
        if self._indexed is not None:
            frame = self._indexed(frame)
        else:
            # Without the ranges and the matrix said, decoded colours are off by up to 20 of 255.
            frame = frame.reformat(
                format=self._format.pixels,
                src_color_range=ColorRange.JPEG,
                dst_color_range=ColorRange.MPEG,
                dst_colorspace=Colorspace.ITU709,
            )
        self._container.mux(self._stream.encode(frame))

    def _finish(self) -> None:
        self._container.mux(self._stream.encode(None))
        self._container.close()

    def _try(self, work: Callable[[], None]) -> None:
        """Run ``work``; if it fails, give the movie up and say why."""
        try:
            work()
        except (OSError, av.FFmpegError) as error:
            self.abort()
            raise explain(error, self.path) from error
        except BaseException:
            self.abort()
            raise


def _open(
    partial: Path, form: MovieFormat, width: int, height: int, fps: int
) -> tuple[OutputContainer, VideoStream]:
    container = av.open(
        str(partial), "w", format=form.container, container_options=form.container_options
    )
    stream = container.add_stream(form.codec, rate=fps, options=form.options)
    assert isinstance(stream, VideoStream)
    stream.width, stream.height, stream.pix_fmt = width, height, form.pixels
    encoder = stream.codec_context
    encoder.gop_size = GROUP_SECONDS * fps
    # The encoder shares the processor with the wave and the window: on two cores more threads
    # encode no faster and only crowd those out.
    encoder.thread_count = min(4, max(1, (os.cpu_count() or 1) // 2))
    if form.is_video:
        encoder.bit_rate = 0  # quality by crf alone
        encoder.color_range = ColorRange.MPEG
        encoder.colorspace = Colorspace.ITU709
        encoder.color_primaries = ColorPrimaries.BT709
        encoder.color_trc = ColorTrc.BT709
    container.start_encoding()
    return container, stream
