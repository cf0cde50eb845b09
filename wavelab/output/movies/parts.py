"""A movie that another process can go on with.

What an encoder holds cannot be kept, so such a movie is written in parts: each is a movie by itself
and whole before anybody relies on it.  When it is closed they are put together, picture by picture
as they were encoded.  ``wave.mp4`` has the parts ``wave.part001.mp4``, ``wave.part002.mp4``, ...
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.container import InputContainer
from numpy.typing import NDArray

from wavelab.atomic import check_target, discard, explain, finish, whole_file
from wavelab.errors import OutputError
from wavelab.output.movies.formats import FORMATS, MovieFormat
from wavelab.output.movies.movie import MovieWriter


class PartedMovie:
    """As :class:`wavelab.output.movies.movie.MovieWriter`, which it can take the place of.

    Parameters
    ----------
    frames_of_parts : how many frames each of the parts has that are there from before.

    Attributes
    ----------
    parts : files of those that are whole, and how many frames each has.

    Raises
    ------
    OutputError : as there; or a part is not there any more.
    """

    def __init__(
        self, path: Path, width: int, height: int, fps: int, frames_of_parts: Sequence[int] = ()
    ) -> None:
        self.path = check_target(path, tuple(FORMATS))
        self._size = width, height, fps
        self.parts = [(self._part(i), n) for i, n in enumerate(frames_of_parts)]
        for part, _ in self.parts:
            if not part.is_file():
                raise OutputError(
                    f"{part.name}, a part of it, is there no more",
                    where=str(self.path),
                    remedy="Without it the movie cannot be gone on with: begin the run anew.",
                )
        self._writer: MovieWriter | None = None
        self._open()

    @property
    def frames(self) -> int:
        """In all parts together."""
        return sum(n for _, n in self.parts) + (self._writer.frames if self._writer else 0)

    def add(self, rgb: NDArray[np.uint8]) -> None:
        """Append a frame, as to any movie."""
        self._open().add(rgb)

    def cut(self) -> None:
        """Finish the part that is being written, so that what is there stays."""
        if self._writer is None or not self._writer.frames:
            return
        writer, self._writer = self._writer, None
        writer.close()
        self.parts.append((writer.path, writer.frames))

    def close(self) -> None:
        """Put the parts together; those that others may go on from stay.

        Raises
        ------
        OutputError : it cannot be written; the parts stay.
        """
        if not self.parts and self._writer is not None:
            writer, self._writer = self._writer, None
            writer.close()
            finish(writer.path, self.path)
            return
        self.cut()
        self.abort()
        if self.parts:
            _join([part for part, _ in self.parts], self.path, *self._size)

    def abort(self) -> None:
        """Give up what is being written; the parts stay."""
        if self._writer is not None:
            self._writer.abort()
            self._writer = None

    def remove_parts(self) -> None:
        """Nobody goes on any more."""
        for part, _ in self.parts:
            discard(part)

    def _open(self) -> MovieWriter:
        if self._writer is None:
            part = self._part(len(self.parts))
            # What a process has left behind that was killed here.
            for rest in part.parent.glob(f"{part.stem}.partial*{part.suffix}"):
                discard(rest)
            self._writer = MovieWriter(part, *self._size)
        return self._writer

    def _part(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.stem}.part{number + 1:03d}{self.path.suffix}")


def _join(parts: Sequence[Path], target: Path, width: int, height: int, fps: int) -> None:
    if not FORMATS[target.suffix.lower()].is_video:
        # The first picture of a GIF is encoded otherwise than others.
        with MovieWriter(target, width, height, fps, few_colours=True) as movie:
            for opened in _opened(parts):
                for frame in opened.decode(video=0):
                    movie.add(np.asarray(frame.to_ndarray(format="rgb24"), np.uint8))
        return
    with whole_file(target, tuple(FORMATS)) as partial:
        try:
            _copy(parts, partial, FORMATS[target.suffix.lower()], Fraction(1, fps))
        except av.FFmpegError as error:
            raise explain(error, target) from error


def _copy(parts: Sequence[Path], partial: Path, form: MovieFormat, spacing: Fraction) -> None:
    """Packets as they are, behind each other."""
    given = form.container_options
    with av.open(os.fspath(partial), "w", format=form.container, container_options=given) as joined:
        stream, number = None, 0
        for opened in _opened(parts):
            stream = stream or joined.add_stream_from_template(opened.streams.video[0])
            for packet in opened.demux(video=0):
                if packet.dts is None:
                    continue  # says that there are no more
                # No encoder holds pictures back, so each packet is the next picture.
                packet.time_base, packet.stream = spacing, stream
                packet.pts = packet.dts = number
                packet.duration = 1
                joined.mux(packet)
                number += 1


def _opened(parts: Sequence[Path]) -> Iterator[InputContainer]:
    for part in parts:
        with av.open(os.fspath(part)) as opened:
            yield opened
