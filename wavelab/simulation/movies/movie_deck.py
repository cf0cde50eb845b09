"""The recording of a running simulation: at most one, and no trouble of it stops the wave."""

from __future__ import annotations

import logging
import queue
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from wavelab.errors import OutputError, WavelabError
from wavelab.output.movies.overlay import MovieOverlay
from wavelab.simulation.core.frame_clock import NO_LIMIT
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.messages.events import Event, MovieDone, MovieFailed, MovieProgress
from wavelab.simulation.movies.film import Film
from wavelab.simulation.movies.movie_request import MovieRequest
from wavelab.timeline import NO_TIMELINE, Timeline

T = TypeVar("T")

log = logging.getLogger(__name__)


class MovieDeck:
    """Starts, feeds and ends recordings, reporting to ``events``."""

    def __init__(self, events: queue.SimpleQueue[Event], timeline: Timeline = NO_TIMELINE) -> None:
        self._events = events
        self._timeline = timeline
        self._film: Film | None = None

    @property
    def recording(self) -> bool:
        """Whether a movie is under way."""
        return self._film is not None

    def start(
        self, request: MovieRequest, simulation: Simulation, overlay: MovieOverlay | None = None
    ) -> None:
        """Begin with a picture of this moment."""
        self.stop()
        self._film = self._try(
            request.path, lambda: Film(request, simulation, self._timeline, overlay)
        )
        if self._film is not None:
            self._events.put(MovieProgress(self._film.recorder.frames, simulation.time))

    def set_overlay(self, overlay: MovieOverlay | None) -> None:
        """What lies over the pictures that come now."""
        if self._film is not None:
            self._film.recorder.overlay = overlay

    def stop(self) -> None:
        """Finish the file of a recording that is under way."""
        film = self._film
        if film is not None:
            path = film.path
            frames = self._try(path, film.recorder.close)
            self._film = None
            if frames is not None:
                self._events.put(MovieDone(path, frames))

    def steps_until_picture(self, simulation: Simulation) -> int:
        """Steps that may be taken before the next picture is due."""
        return self._film.steps_until_picture(simulation) if self._film else NO_LIMIT

    def record(self, simulation: Simulation) -> None:
        """Take the pictures that are due now, if any."""
        film = self._film
        if film is not None and self._try(film.path, lambda: film.record(simulation)):
            self._events.put(MovieProgress(film.recorder.frames, simulation.time))

    def clock_jumped(self, simulation: Simulation) -> None:
        """Go on recording after a reset."""
        film = self._film
        if film is not None:
            self._try(film.path, lambda: film.clock_jumped(simulation))

    def problem_changed(self, simulation: Simulation, jumped: bool) -> None:
        """Go on recording on another mesh; ``jumped`` if time does not go on from before."""
        film = self._film
        if film is None:
            return
        self._try(film.path, lambda: film.problem_changed(simulation))
        if jumped:
            self.clock_jumped(simulation)

    def _try(self, path: Path, work: Callable[[], T]) -> T | None:
        """What ``work`` gives; whatever fails there ends the movie, which is said, and no more."""
        try:
            return work()
        except Exception as error:
            film, self._film = self._film, None
            if film is not None:
                _give_up(film)
            self._events.put(MovieFailed(path, _as_output(error, path)))
            return None


def _give_up(film: Film) -> None:
    try:
        film.recorder.abort()
    except Exception as error:
        log.error("a movie could not be given up", exc_info=error)


def _as_output(error: Exception, path: Path) -> OutputError:
    if isinstance(error, OutputError):
        return error
    if isinstance(error, WavelabError):
        message, remedy = error.message, error.remedy
    else:
        log.error("recording a movie failed", exc_info=error)
        message, remedy = str(error), ""
    return OutputError(f"the movie cannot go on: {message}", where=str(path), remedy=remedy)
