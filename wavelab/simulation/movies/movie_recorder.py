"""A movie of the running wave, coloured and encoded beside the solver.

The solver thread hands over nodal values; sampling at pixels, colouring and encoding happen in a
worker thread behind a short queue (NumPy and the encoders release the interpreter lock), so that
recording costs the solver a read-back a picture.  When the encoder cannot keep up the queue fills
and the wave waits: no picture is lost.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import OutputError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.sampling import PixelSampler, check_picture, fit_extent
from wavelab.output.arrows import Arrows, draw_arrows, longest_shown
from wavelab.output.movies.overlay import MovieOverlay
from wavelab.output.palette import colorize, palette_info, surroundings
from wavelab.output.relief import Camera, Relief
from wavelab.scene.view.quantities import ARROWS, QUANTITIES
from wavelab.scene.view.view_rules import MOST_DECADES, check_relief
from wavelab.simulation.movies.movie_request import MovieRequest
from wavelab.timeline import NO_TIMELINE, Timeline

_QUEUED_PICTURES = 8


class AutoLimit:
    """The value at full colour when the user fixed none: follows the field up at once and down
    slowly, as the same function of the pictures whatever the machine.

    The 99.8th percentile of the magnitude, because one ringing corner must not darken the rest.
    """

    FALL = 0.98

    def __init__(self) -> None:
        self._limit = self._longest = 0.0

    def longest(self, arrows: Arrows) -> float:
        """The size of the vector with the longest arrow in this picture, likewise."""
        self._longest = max(longest_shown(arrows.sizes()), self.FALL * self._longest)
        return self._longest

    def follow(self, pixels: NDArray[np.float32]) -> float:
        """Limit for this picture, (height, width) with NaN outside the domain."""
        some = pixels[::3, ::3]  # plenty for a percentile, a ninth of the work
        magnitudes = np.abs(some[np.isfinite(some)])
        now = float(np.percentile(magnitudes, 99.8)) if magnitudes.size else 0.0
        self._limit = max(now, self.FALL * self._limit)
        return self._limit


def check_request(request: MovieRequest) -> None:
    """Refuse what cannot be recorded.

    Raises
    ------
    OutputError : unknown quantity or palette, or a time between pictures that is not positive.
    """
    where = str(request.path)
    if request.quantity not in QUANTITIES:
        raise OutputError(
            f"there is no quantity {request.quantity!r}",
            where=where,
            remedy=f"Use one of {', '.join(QUANTITIES)}.",
        )
    palette_info(request.palette)
    if request.arrows not in ARROWS:
        raise OutputError(
            f"there are no arrows {request.arrows!r}",
            where=where,
            remedy=f"Use one of {', '.join(ARROWS)}.",
        )
    if not (np.isfinite(request.time_per_frame) and request.time_per_frame > 0):
        raise OutputError(
            f"the simulated time between two pictures must be positive, "
            f"not {request.time_per_frame}",
            where=where,
        )
    if request.decades is not None and not 1 <= request.decades <= MOST_DECADES:
        raise OutputError(
            f"a scale over {request.decades} decades cannot be shown",
            where=where,
            remedy=f"It has 1 to {MOST_DECADES}.",
        )
    check_relief(request.relief)
    if request.limit is not None and not (np.isfinite(request.limit) and request.limit > 0):
        raise OutputError(
            f"the value at full colour must be positive, not {request.limit}", where=where
        )


@dataclass(frozen=True)
class _Picture:
    discretization: Discretization
    values: NDArray[np.float32]
    arrows: Arrows | None
    overlay: MovieOverlay | None


class Writer(Protocol):
    """What takes pictures: a :class:`wavelab.output.movies.movie.MovieWriter`, or one like it."""

    @property
    def frames(self) -> int: ...

    def add(self, rgb: NDArray[np.uint8]) -> None: ...

    def close(self) -> None: ...

    def abort(self) -> None: ...


class MovieRecorder:
    """Writes one movie; all methods are for one thread, the worker is its own.

    Parameters
    ----------
    request : what to record.
    timeline : gets what the worker does.
    writer : makes what writes the file, of its path, size and frames per second; None is a
        :class:`wavelab.output.movies.movie.MovieWriter`.

    Attributes
    ----------
    limit : the value at full colour of the pictures that are encoded.
    discretization : what values handed to :meth:`add` from now on belong to; the pictures keep
        their extent.
    extent : the part of the scene in the pictures.
    overlay : lies over pictures that are added from now on; a relief has none.

    Raises
    ------
    OutputError : the request or its path is not usable.
    """

    def __init__(
        self,
        request: MovieRequest,
        discretization: Discretization,
        timeline: Timeline = NO_TIMELINE,
        writer: Callable[[Path, int, int, int], Writer] | None = None,
    ) -> None:
        check_request(request)
        self.request = request
        self.frames = 0
        self.overlay: MovieOverlay | None = None
        self.discretization = discretization
        self._timeline = timeline
        self.extent = request.extent or fit_extent(discretization, request.width, request.height)
        check_picture(self.extent, request.width, request.height)
        if writer is None:
            # Here, and not at the top: FFmpeg is large, and most runs make no movie.
            from wavelab.output.movies.movie import MovieWriter

            writer = MovieWriter
        self._writer = writer(request.path, request.width, request.height, request.fps)
        self.limit = AutoLimit()
        self._outside = surroundings(request.palette)
        self._error: BaseException | None = None
        self._given_up = False
        self._queue: queue.Queue[_Picture | threading.Event | None] = queue.Queue(_QUEUED_PICTURES)
        self._worker = threading.Thread(target=self._work, name="wavelab movie", daemon=True)
        self._worker.start()

    def add(self, values: NDArray[np.float32], arrows: Arrows | None = None) -> None:
        """Append a picture of (n_elements, nodes_per_element) nodal values, with arrows over it.

        Raises
        ------
        OutputError : an earlier picture could not be written; the recording is over.
        Exception : what else went wrong with it; likewise.
        """
        self._raise_error()
        self._queue.put(_Picture(self.discretization, values, arrows, self.overlay))
        self.frames += 1

    def settle(self) -> None:
        """Wait until all that was added is encoded.

        Raises
        ------
        OutputError : as :meth:`add`.
        """
        done = threading.Event()
        self._queue.put(done)
        done.wait()
        self._raise_error()

    def close(self) -> int:
        """Finish the file; the number of pictures in it.

        Raises
        ------
        OutputError : it could not be written; there is no file then.
        """
        try:
            self._finish_worker()
        except KeyboardInterrupt:  # the second one: it is not waited for any longer
            self.abort()
            raise
        self._raise_error()
        self._writer.close()
        return self._writer.frames

    def abort(self) -> None:
        """Give the movie up and leave no file."""
        self._given_up = True
        self._finish_worker()
        self._writer.abort()

    def _finish_worker(self) -> None:
        if self._worker.is_alive():
            self._queue.put(None)
            self._worker.join()

    def _raise_error(self) -> None:
        if self._error is not None:
            self._writer.abort()
            raise self._error

    def _work(self) -> None:
        sampled: Discretization | None = None
        while (picture := self._queue.get()) is not None:
            if isinstance(picture, threading.Event):
                picture.set()
                continue
            if self._error is not None or self._given_up:
                continue  # keep the queue moving, so that the solver never waits for a dead worker
            try:
                if picture.discretization is not sampled:
                    # Here, because finding the element of every pixel takes up to a second.
                    sampled = picture.discretization
                    sampler = self._sampler(sampled)
                self._write(sampler, picture)
            except BaseException as error:  # handed to the thread that records
                self._error = error

    def _sampler(self, discretization: Discretization) -> PixelSampler | Relief:
        with self._timeline.span("prepare sampling"):
            if self.request.relief is not None:
                return Relief(discretization, self.request.width * self.request.height)
            return PixelSampler(
                discretization, self.extent, self.request.width, self.request.height
            )

    def _coloured(
        self, sampler: PixelSampler | Relief, pixels: NDArray[np.float32], limit: float
    ) -> NDArray[np.uint8]:
        request = self.request
        look = request.palette, limit, self._outside, request.decades
        if isinstance(sampler, PixelSampler):
            return colorize(pixels, *look)
        assert request.relief is not None
        size = request.width, request.height
        return sampler.picture(pixels, Camera(*request.relief), size, *look)

    def _write(self, sampler: PixelSampler | Relief, picture: _Picture) -> None:
        span = self._timeline.span
        with span("sample"):
            pixels = sampler.sample(picture.values)
        with span("colour"):
            limit = self.request.limit or self.limit.follow(pixels)
            rgb = self._coloured(sampler, pixels, limit)
        if picture.arrows is not None and self.request.relief is None:
            with span("draw arrows"):
                longest = self.limit.longest(picture.arrows)
                draw_arrows(rgb, picture.arrows, longest, self.extent, self.request.palette)
        if picture.overlay is not None and self.request.relief is None:
            with span("draw lines"):
                picture.overlay.draw(rgb)
        with span("encode"):
            self._writer.add(rgb)
